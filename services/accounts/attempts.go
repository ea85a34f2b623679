package accounts

import (
	"sync"
	"time"
)

// maxTracked bounds how many accounts attempts remembers.
const maxTracked = 1024

// attempts lets each account try something a few times at once and then once in
// a while. Who is not remembered has all tries left.
type attempts struct {
	burst int
	every time.Duration

	mu sync.Mutex
	// full is when an account has all tries left again.
	full map[string]time.Time
}

func newAttempts(burst int, every time.Duration) *attempts {
	return &attempts{burst: burst, every: every, full: map[string]time.Time{}}
}

// try takes a try of the account; when none is left, it says how long until the
// next.
func (a *attempts) try(account string, now time.Time) (ok bool, wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	full := a.full[account]
	if full.Before(now) {
		full = now
	}
	full = full.Add(a.every)
	if over := full.Sub(now) - time.Duration(a.burst)*a.every; over > 0 {
		return false, over
	}
	if _, known := a.full[account]; !known && len(a.full) >= maxTracked {
		a.forget(now)
		if len(a.full) >= maxTracked {
			return false, a.every
		}
	}
	a.full[account] = full
	return true, 0
}

// forget drops those who have all tries left.
func (a *attempts) forget(now time.Time) {
	for account, full := range a.full {
		if !full.After(now) {
			delete(a.full, account)
		}
	}
}
