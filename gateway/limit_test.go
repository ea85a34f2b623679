package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestGuessesAtOnePasswordAreBounded(t *testing.T) {
	w := newWorld(t, nil)
	for i := range guessBurst {
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
	for i := range 2 * guessBurst {
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
		"[::ffff:192.0.2.7]:4711":    "::ffff:192.0.2.7",
		"[fe80::1%eth0]:4711":        "fe80::/64",
		"a socket that has no port ": "a socket that has no port ",
	} {
		if got := address(&http.Request{RemoteAddr: remote}); got != want {
			t.Errorf("%s: got %s, want %s", remote, got, want)
		}
	}
}

func TestACrowdOfAddressesKeepsNobodyOut(t *testing.T) {
	now := time.Unix(1, 0)
	l := newLimiter(func() time.Time { return now }, burst, every)
	for i := range 2 * maxBuckets {
		if wait := l.take(fmt.Sprint(i)); wait != 0 {
			t.Fatalf("address %d waits %v", i, wait)
		}
	}
	if len(l.buckets) > maxBuckets {
		t.Errorf("%d addresses are remembered", len(l.buckets))
	}
	now = now.Add(burst*every + 1)
	l.take("one more")
	if len(l.buckets) != 1 {
		t.Errorf("%d addresses are remembered whose bucket is full again", len(l.buckets)-1)
	}
}
