package gateway

import (
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"tabuleiro/internal/rpc"
)

// Log-ins and registrations, and new visitors, from one address: a class that
// sits behind one address comes in the same minute, so the bursts are wide.
const (
	burst        = 120
	every        = time.Second
	maxAddresses = 10000
	forgetAt     = burst * every
)

// limiter bounds by address what costs much or stays. It never touches a game
// that runs.
type limiter struct {
	now func() time.Time

	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	rate *rate.Limiter
	seen time.Time
}

func newLimiter(now func() time.Time) *limiter {
	return &limiter{now: now, buckets: map[string]*bucket{}}
}

// take says how long the address has to wait; 0 for not at all.
func (l *limiter) take(address string) time.Duration {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.buckets[address]
	if !ok {
		if len(l.buckets) >= maxAddresses {
			l.forget(now)
		}
		if len(l.buckets) >= maxAddresses {
			return every
		}
		b = &bucket{rate: rate.NewLimiter(rate.Every(every), burst)}
		l.buckets[address] = b
	}
	b.seen = now
	reservation := b.rate.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

// forget drops the addresses whose bucket is full again.
func (l *limiter) forget(now time.Time) {
	for address, b := range l.buckets {
		if now.Sub(b.seen) > forgetAt {
			delete(l.buckets, address)
		}
	}
}

// limitLogins bounds registrations, which hash a password each.
func (g *Gateway) limitLogins(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/v1/accounts" && !g.may(g.logins, w, r) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// may answers with too_many_requests where it returns false.
func (g *Gateway) may(l *limiter, w http.ResponseWriter, r *http.Request) bool {
	wait := l.take(address(r))
	if wait == 0 {
		return true
	}
	g.fail(w, r, &rpc.Problem{Code: "too_many_requests", RetryAfter: wait})
	return false
}
