package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"tabuleiro/internal/rpc"
)

// Log-ins and registrations, and new visitors, from one address: a class that
// sits behind one address comes in the same minute, so the bursts are wide.
const (
	burst = 120
	every = time.Second
)

// Wrong passwords for one ID from one address. By address too, so that nobody
// keeps a person out by guessing from elsewhere.
const (
	guessBurst = 20
	guessEvery = 30 * time.Second
	// maxGuessed is the longest ID that is counted; accounts refuses longer ones.
	maxGuessed = 128
)

// maxBuckets bounds what one limiter remembers.
const maxBuckets = 10000

// limiter bounds by address what costs much or stays. It never touches a game
// that runs.
type limiter struct {
	now   func() time.Time
	burst int
	every time.Duration

	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	rate *rate.Limiter
	seen time.Time
}

func newLimiter(now func() time.Time, burst int, every time.Duration) *limiter {
	return &limiter{now: now, burst: burst, every: every, buckets: map[string]*bucket{}}
}

// take says how long who has the key has to wait; 0 for not at all.
func (l *limiter) take(key string) time.Duration {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.buckets[key]
	if !ok {
		l.makeRoom(now)
		b = &bucket{rate: rate.NewLimiter(rate.Every(l.every), l.burst)}
		l.buckets[key] = b
	}
	b.seen = now
	reservation := b.rate.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

// forgive lets who has the key begin anew.
func (l *limiter) forgive(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.buckets, key)
}

// makeRoom drops the buckets that are full again, and without any whichever comes
// first: a crowd of addresses must not keep out everyone else.
func (l *limiter) makeRoom(now time.Time) {
	if len(l.buckets) < maxBuckets {
		return
	}
	for key, b := range l.buckets {
		if now.Sub(b.seen) > time.Duration(l.burst)*l.every {
			delete(l.buckets, key)
		}
	}
	for key := range l.buckets {
		if len(l.buckets) < maxBuckets {
			return
		}
		delete(l.buckets, key)
	}
}

// limitLogins bounds registrations and first log-ins, which hash a password each.
func (g *Gateway) limitLogins(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && (r.URL.Path == "/v1/accounts" || r.URL.Path == "/v1/access") && !g.may(g.logins, w, r) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// may answers with too_many_requests where it returns false.
func (g *Gateway) may(l *limiter, w http.ResponseWriter, r *http.Request) bool {
	return g.mayBy(l, g.address(r), w, r)
}

func (g *Gateway) mayBy(l *limiter, key string, w http.ResponseWriter, r *http.Request) bool {
	wait := l.take(key)
	if wait == 0 {
		return true
	}
	g.fail(w, r, &rpc.Problem{Code: "too_many_requests", RetryAfter: wait})
	return false
}

// guessed is the key of wrong passwords for one ID, in the form in which accounts
// looks for it.
func (g *Gateway) guessed(r *http.Request, login string) string {
	login = strings.ToLower(strings.TrimSpace(login))
	return g.address(r) + " " + login[:min(len(login), maxGuessed)]
}

// address is where a request comes from, without the port: who connected or,
// where that is a proxy of ours, whom it names last. Of IPv6 it is the network:
// whoever has one address there has them all.
func (g *Gateway) address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	named := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(named) {
		if !g.isProxy(ip) {
			break
		}
		// Whatever stands further to the left was not written by a proxy of ours.
		next, err := netip.ParseAddr(strings.TrimSpace(text))
		if err != nil {
			break
		}
		ip = next
	}
	if ip = ip.Unmap(); ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return ip.String()
}

func (g *Gateway) isProxy(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	return slices.ContainsFunc(g.cfg.Proxies, func(p netip.Prefix) bool { return p.Contains(ip) })
}
