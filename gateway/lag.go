package gateway

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"tabuleiro/internal/rpc"
)

const (
	// maxLag is the longest round trip that is believed.
	maxLag = 2 * time.Second
	// lagLife is how long a measurement holds without another one.
	lagLife = time.Minute
	// maxEcho bounds the body of an echo, in bytes.
	maxEcho = 256
)

// lags measures how long it takes to reach a session's client and to hear from
// it: heartbeats of streams carry a word that nobody can guess, and the client
// sends it back. A client that holds it back on purpose looks slower than it is;
// what it gains by that is bounded where time is given back, by a quota.
type lags struct {
	now func() time.Time

	mu    sync.Mutex
	sent  map[string]ping // by word; each stream has one
	known map[string]lag  // by session
}

type ping struct {
	session string
	at      time.Time
}

// lag is a smoothed round trip.
type lag struct {
	smooth time.Duration
	at     time.Time
}

func newLags(now func() time.Time) *lags {
	return &lags{now: now, sent: map[string]ping{}, known: map[string]lag{}}
}

// ping makes the word of the next heartbeat of a stream, in place of the last.
func (l *lags) ping(session, last string) string {
	word := rand.Text()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.sent, last)
	l.sent[word] = ping{session: session, at: l.now()}
	return word
}

// forget drops the word of a stream that has ended.
func (l *lags) forget(word string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.sent, word)
}

// echo takes a word that came back. Each counts once; others say nothing.
func (l *lags) echo(word string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok := l.sent[word]
	if !ok {
		return
	}
	delete(l.sent, word)
	now := l.now()
	took := min(max(now.Sub(p.at), 0), maxLag)
	old, ok := l.known[p.session]
	if ok && now.Sub(old.at) < lagLife {
		// A single stumble moves it by a quarter.
		took = old.smooth + (took-old.smooth)/4
	} else {
		l.makeRoom(now)
	}
	l.known[p.session] = lag{smooth: took, at: now}
}

// makeRoom drops what no longer holds once there is much of it, and half of what is
// left where that is not enough: so it is done rarely.
func (l *lags) makeRoom(now time.Time) {
	if len(l.known) < 2*maxBuckets {
		return
	}
	for session, k := range l.known {
		if now.Sub(k.at) >= lagLife {
			delete(l.known, session)
		}
	}
	for session := range l.known {
		if len(l.known) <= maxBuckets {
			return
		}
		delete(l.known, session)
	}
}

// of is the round trip to a session's client; 0 where it is not known.
func (l *lags) of(session string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	k, ok := l.known[session]
	if !ok || l.now().Sub(k.at) >= lagLife {
		return 0
	}
	return k.smooth
}

// echo takes the answer to a heartbeat. It needs no log-in: who knows the word has
// read the stream. What says nothing is accepted too, so that nobody can ask which
// words are out.
func (g *Gateway) echo(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Nonce string `json:"nonce"`
	}
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxEcho))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			g.fail(w, r, rpc.Fail("body_too_large", "an echo is at most 256 bytes"))
			return
		}
		g.fail(w, r, rpc.Fail("bad_json", `the body is {"nonce": TEXT}`))
		return
	}
	g.lags.echo(body.Nonce)
	w.WriteHeader(http.StatusNoContent)
}
