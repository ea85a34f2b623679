package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
)

// rate is how often something may be done: so many times at once, then once in a
// while.
type rate struct {
	burst int
	every time.Duration
}

// A school sits behind one address, and a class comes in the same minute: what is
// counted by address is wide, and whoever is known is counted by themselves. Moves
// are counted nowhere: they must count when everything else is used up.
// docs/accounts.md has the table.
var (
	// attemptRate bounds log-ins and registrations, which hash a password each, from
	// one address or, where one has logged in before, from one browser.
	attemptRate = rate{600, 500 * time.Millisecond}
	// guessRate bounds wrong passwords for one ID: from one address, so that nobody
	// keeps a person out by guessing from elsewhere, and apart from that from a
	// browser in which this ID has logged in before, so that no classmate does either.
	guessRate = rate{20, 30 * time.Second}
	// visitorRate bounds new visitors who begin to play, by address.
	visitorRate = rate{240, 500 * time.Millisecond}
	// pairingRate and pollRate bound devices that want in, by address.
	pairingRate = rate{60, 5 * time.Second}
	pollRate    = rate{240, 50 * time.Millisecond}
	// personRate bounds everything else by account or visitor, tokenRate by access
	// token, addressRate by address where nobody is known.
	personRate  = rate{1200, 25 * time.Millisecond}
	tokenRate   = rate{600, 100 * time.Millisecond}
	addressRate = rate{6000, 5 * time.Millisecond}
	// gameRate bounds what a player does in games beside moving, by itself: who has
	// asked for too much elsewhere can still resign, and answer an offer.
	gameRate = rate{600, 100 * time.Millisecond}
)

// maxGuessed is the longest ID that is counted; accounts refuses longer ones.
const maxGuessed = 128

// maxBuckets bounds what one limiter remembers.
const maxBuckets = 10000

// limits are all limiters of a gateway.
type limits struct {
	attempts, guesses, visitors, pairings, polls, persons, tokens, addresses, games *limiter
}

func newLimits(now func() time.Time) limits {
	return limits{
		attempts: newLimiter(now, attemptRate), guesses: newLimiter(now, guessRate), visitors: newLimiter(now, visitorRate),
		pairings: newLimiter(now, pairingRate), polls: newLimiter(now, pollRate),
		persons: newLimiter(now, personRate), tokens: newLimiter(now, tokenRate), addresses: newLimiter(now, addressRate),
		games: newLimiter(now, gameRate),
	}
}

// limiter holds each key to a rate.
type limiter struct {
	now  func() time.Time
	rate rate

	mu sync.Mutex
	// full is when who has the key may do all at once again.
	full map[string]time.Time
}

func newLimiter(now func() time.Time, r rate) *limiter {
	return &limiter{now: now, rate: r, full: map[string]time.Time{}}
}

// take says how long who has the key has to wait; 0 for not at all.
func (l *limiter) take(key string) time.Duration {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	full, known := l.full[key]
	if full.Before(now) {
		full = now
	}
	full = full.Add(l.rate.every)
	if wait := full.Sub(now) - time.Duration(l.rate.burst)*l.rate.every; wait > 0 {
		return wait
	}
	if !known {
		l.makeRoom(now)
	}
	l.full[key] = full
	return 0
}

// forgive lets who has the key begin anew.
func (l *limiter) forgive(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.full, key)
}

// makeRoom drops those who may do all at once again, and without any whoever comes
// first: a crowd of addresses must not keep out everyone else.
func (l *limiter) makeRoom(now time.Time) {
	if len(l.full) < maxBuckets {
		return
	}
	for key, full := range l.full {
		if !full.After(now) {
			delete(l.full, key)
		}
	}
	for key := range l.full {
		if len(l.full) < maxBuckets {
			return
		}
		delete(l.full, key)
	}
}

// limitRegistrations bounds registrations and first log-ins, which hash a password
// each.
func (g *Gateway) limitRegistrations(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && (r.URL.Path == "/v1/accounts" || r.URL.Path == "/v1/access") && !g.mayAttempt(w, r) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// mayAttempt bounds what hashes a password.
func (g *Gateway) mayAttempt(w http.ResponseWriter, r *http.Request) bool {
	key := g.address(r)
	if device := g.deviceCookie(r); device.ID != "" {
		key = "device " + device.ID
	}
	return g.mayBy(g.limits.attempts, key, w, r)
}

// mayAsk bounds requests in general. A move is not counted.
func (g *Gateway) mayAsk(caller identity.Caller, w http.ResponseWriter, r *http.Request) bool {
	does := inGame(r)
	switch {
	case does == "moves" || does == "touch":
		return true
	case does != "" && caller.Player() != "":
		return g.mayBy(g.limits.games, caller.Player(), w, r)
	case caller.Narrowed():
		return g.mayBy(g.limits.tokens, caller.Session, w, r)
	case caller.Account != "":
		return g.mayBy(g.limits.persons, caller.Account, w, r)
	case caller.Guest:
		return g.mayBy(g.limits.persons, caller.Player(), w, r)
	}
	return g.may(g.limits.addresses, w, r)
}

// inGame is what a request does in a game, as its path ends; empty for any other.
func inGame(r *http.Request) string {
	rest, ok := strings.CutPrefix(r.URL.Path, "/v1/games/")
	if !ok || r.Method != http.MethodPost {
		return ""
	}
	_, does, _ := strings.Cut(rest, "/")
	return does
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

// mayGuess bounds passwords for one ID. It returns the keys to forgive when the
// password was right.
func (g *Gateway) mayGuess(login string, w http.ResponseWriter, r *http.Request) (keys []string, ok bool) {
	login = foldLogin(login)
	shared := g.address(r) + " " + login
	if device := g.deviceCookie(r); slices.Contains(device.Logins, loginMark(login)) {
		own := "device " + device.ID + " " + login
		if g.limits.guesses.take(own) == 0 {
			return []string{own, shared}, true
		}
	}
	return []string{shared}, g.mayBy(g.limits.guesses, shared, w, r)
}

// foldLogin is the form in which accounts looks for an ID.
func foldLogin(login string) string {
	login = strings.ToLower(strings.TrimSpace(login))
	return login[:min(len(login), maxGuessed)]
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
