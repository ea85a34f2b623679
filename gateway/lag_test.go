package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLatencyIsMeasuredByEchoes(t *testing.T) {
	now := time.Unix(1000, 0)
	l := newLags(func() time.Time { return now })
	took := func(ms int) {
		word := l.ping("s", "")
		now = now.Add(time.Duration(ms) * time.Millisecond)
		l.echo(word)
	}
	want := func(ms int) {
		t.Helper()
		if got := l.of("s"); got != time.Duration(ms)*time.Millisecond {
			t.Errorf("got %v, want %d ms", got, ms)
		}
	}
	want(0)
	took(100)
	want(100)
	took(500) // one stumble moves it by a quarter
	want(200)
	took(120)
	want(180)
	took(60_000 - 1) // nobody is believed to be that far
	want(635)
	l.echo("nobody's word")
	want(635)
	if got := l.of("another"); got != 0 {
		t.Errorf("another session: %v", got)
	}
	now = now.Add(lagLife)
	want(0)
	took(80) // what was long ago does not count
	want(80)

	word := l.ping("s", "")
	later := l.ping("s", word) // a stream waits for one answer at a time
	now = now.Add(time.Second)
	l.echo(word)
	want(80)
	l.echo(later)
	l.echo(later) // and each counts once
	want(310)
	forgotten := l.ping("s", "")
	l.forget(forgotten)
	l.echo(forgotten)
	want(310)
	if len(l.sent) != 0 {
		t.Errorf("%d words are left", len(l.sent))
	}
}

func TestWhatIsKnownOfLatenciesIsBounded(t *testing.T) {
	now := time.Unix(1000, 0)
	l := newLags(func() time.Time { return now })
	for i := range 3 * maxBuckets {
		l.echo(l.ping(fmt.Sprint(i), ""))
	}
	if n := len(l.known); n > 2*maxBuckets {
		t.Errorf("%d sessions are remembered", n)
	}
}

// nonce reads the next heartbeat of a stream.
func (r *reader) nonce() string {
	r.t.Helper()
	beat := false
	for r.scan.Scan() {
		line := r.scan.Text()
		if beat {
			var data struct{ Nonce string }
			if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &data); err != nil {
				r.t.Fatal(err)
			}
			return data.Nonce
		}
		beat = line == "event: beat"
	}
	r.t.Fatal("the stream ended")
	return ""
}

// clock is set by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// TestAPlayersLatencyReachesPlay: a player's stream asks for echoes, and what they
// tell goes with the session's calls; a client cannot tell it itself.
func TestAPlayersLatencyReachesPlay(t *testing.T) {
	w := newWorld(t, nil)
	time := &clock{now: time.Now()}
	w.gateway.lags.now = time.Now
	ana := "Bearer " + token
	ask := func(headers ...string) {
		t.Helper()
		resp, text := w.call(t, http.MethodGet, "/v1/games/"+privateID, "", append([]string{"Authorization", ana}, headers...)...)
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("got %s %s", resp.Status, text)
		}
	}
	want := func(ms int64) {
		t.Helper()
		w.play.mu.Lock()
		defer w.play.mu.Unlock()
		if got := w.play.lag.Milliseconds(); got != ms {
			t.Errorf("play heard of %d ms, want %d", got, ms)
		}
	}
	ask("Tabuleiro-Lag", "500", "Grpc-Metadata-Tabuleiro-Lag", "500", "Grpc-Metadata-Tabuleiro-Caller", "x")
	want(0)
	s := w.stream(t, "topic=game:"+privateID, "Authorization", ana)
	word := s.nonce()
	time.pass(150e6)
	if resp, text := w.call(t, http.MethodPost, "/v1/events/echo", fmt.Sprintf(`{"nonce":%q}`, word)); resp.StatusCode != http.StatusNoContent {
		t.Fatalf("got %s %s", resp.Status, text)
	}
	ask()
	want(150)
	// A watcher's latency concerns nobody.
	if word := w.stream(t, "topic=game:"+gameID).nonce(); word != "" {
		t.Errorf("a watcher is asked for %q", word)
	}
}

func TestBadEchoesAreRefused(t *testing.T) {
	w := newWorld(t, nil)
	for _, test := range []struct {
		body string
		want int
		code string
	}{
		{`{"nonce":"unknown"}`, 204, ""},
		{`{}`, 204, ""},
		{`{"nonce":7}`, 400, "bad_json"},
		{`{"n":"x"}`, 400, "bad_json"},
		{`x`, 400, "bad_json"},
		{`{"nonce":"` + strings.Repeat("x", maxEcho) + `"}`, 413, "body_too_large"},
	} {
		resp, text := w.call(t, http.MethodPost, "/v1/events/echo", test.body)
		if resp.StatusCode != test.want || !strings.Contains(text, test.code) {
			t.Errorf("%s: got %d %s, want %d %s", test.body, resp.StatusCode, text, test.want, test.code)
		}
	}
}
