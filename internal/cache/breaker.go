package cache

import (
	"sync"
	"time"
)

const (
	// breakAfter failures in a row the server is left alone for breakTime; then
	// one call tries it.
	breakAfter = 3
	breakTime  = 2 * time.Second
)

// breaker keeps callers from waiting, each for its own time-out, for a server
// that does not answer.
type breaker struct {
	mu       sync.Mutex
	failures int
	until    time.Time // closed to all until then, if failures >= breakAfter
	trying   bool      // one call is finding out
}

// allow says whether to try; then done must be told how it went.
func (b *breaker) allow() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < breakAfter {
		return true
	}
	if b.trying || time.Now().Before(b.until) {
		return false
	}
	b.trying = true
	return true
}

// done takes the outcome of an allowed call; changed says that the breaker opened
// or closed with it.
func (b *breaker) done(ok bool) (changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	was := b.failures >= breakAfter
	b.trying = false
	if ok {
		b.failures = 0
		return was
	}
	b.failures = min(b.failures+1, breakAfter)
	if b.failures == breakAfter {
		b.until = time.Now().Add(breakTime)
	}
	return !was && b.failures == breakAfter
}

// forget is done for a call that found nothing out.
func (b *breaker) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
}
