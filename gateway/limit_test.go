package gateway

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestGuessesAtOnePasswordAreBounded(t *testing.T) {
	w := newWorld(t, nil)
	for i := range guessRate.burst {
		login := []string{"ana", " ANA"}[i%2]
		if resp, text := w.call(t, "POST", "/v1/sessions", `{"login":"`+login+`","password":"x"}`); resp.StatusCode != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d %s", i, resp.StatusCode, text)
		}
	}
	resp, text := w.call(t, "POST", "/v1/sessions", `{"login":"ana","password":"secret-secret"}`)
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" || !strings.Contains(text, "too_many_requests") {
		t.Errorf("%d %v %s", resp.StatusCode, resp.Header, text)
	}
	if resp, text := w.call(t, "POST", "/v1/sessions", `{"login":"bia","password":"x"}`); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("another ID: %d %s", resp.StatusCode, text)
	}
}

func TestLoggingInOftenIsNoGuessing(t *testing.T) {
	w := newWorld(t, nil)
	for i := range 2 * guessRate.burst {
		if resp, text := w.call(t, "POST", "/v1/sessions", `{"login":"ana","password":"secret-secret"}`); resp.StatusCode != http.StatusCreated {
			t.Fatalf("log-in %d: %d %s", i, resp.StatusCode, text)
		}
	}
}

func TestAnIPv6NetworkIsOneAddress(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:4711":             "192.0.2.7",
		"[2001:db8:1:2::1]:4711":     "2001:db8:1:2::/64",
		"[2001:db8:1:2:a:b:c:d]:1":   "2001:db8:1:2::/64",
		"[2001:db8:1:3::1]:4711":     "2001:db8:1:3::/64",
		"[::ffff:192.0.2.7]:4711":    "192.0.2.7",
		"[fe80::1%eth0]:4711":        "fe80::/64",
		"a socket that has no port ": "a socket that has no port ",
	} {
		if got := new(Gateway).address(&http.Request{RemoteAddr: remote}); got != want {
			t.Errorf("%s: got %s, want %s", remote, got, want)
		}
	}
}

func TestAProxyIsBelievedWhenItIsOurs(t *testing.T) {
	g := &Gateway{cfg: Config{Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.0.0.0/8")}}}
	for _, tc := range []struct {
		remote    string
		forwarded []string
		want      string
	}{
		{"127.0.0.1:1", nil, "127.0.0.1"},
		{"127.0.0.1:1", []string{"192.0.2.7"}, "192.0.2.7"},
		{"127.0.0.1:1", []string{"2001:db8:1:2::1"}, "2001:db8:1:2::/64"},
		{"127.0.0.1:1", []string{"198.51.100.1, 192.0.2.7, 10.1.2.3"}, "192.0.2.7"}, // two proxies of ours
		{"127.0.0.1:1", []string{"198.51.100.1", "192.0.2.7"}, "192.0.2.7"},         // the client wrote the first
		{"127.0.0.1:1", []string{"192.0.2.7, unknown"}, "127.0.0.1"},
		{"192.0.2.9:1", []string{"192.0.2.7"}, "192.0.2.9"}, // no proxy of ours
	} {
		r := &http.Request{RemoteAddr: tc.remote, Header: http.Header{"X-Forwarded-For": tc.forwarded}}
		if got := g.address(r); got != tc.want {
			t.Errorf("%s %v: got %s, want %s", tc.remote, tc.forwarded, got, tc.want)
		}
	}
}

func TestACrowdOfAddressesKeepsNobodyOut(t *testing.T) {
	now := time.Unix(1, 0)
	l := newLimiter(func() time.Time { return now }, rate{120, time.Second})
	for i := range 2 * maxBuckets {
		if wait := l.take(fmt.Sprint(i)); wait != 0 {
			t.Fatalf("address %d waits %v", i, wait)
		}
	}
	if len(l.full) > maxBuckets {
		t.Errorf("%d addresses are remembered", len(l.full))
	}
	now = now.Add(120*time.Second + 1)
	l.take("one more")
	if len(l.full) != 1 {
		t.Errorf("%d addresses are remembered that may do all again", len(l.full)-1)
	}
}
