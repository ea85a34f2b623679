package gateway

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/google/uuid"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// guestLife is how long a visitor keeps their games without logging in.
const guestLife = 24 * time.Hour

// secure says whether a request came over https: to here or, where it comes from a
// proxy of ours, to that proxy.
func (g *Gateway) secure(r *http.Request) bool {
	if g.cfg.TLS {
		return true
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !g.isProxy(ip) {
		return false
	}
	// Of several proxies the one nearest to us wrote the last word; it knows how it
	// was reached itself.
	said := strings.Split(strings.Join(r.Header.Values("X-Forwarded-Proto"), ","), ",")
	return strings.EqualFold(strings.TrimSpace(said[len(said)-1]), "https")
}

// cookieName binds the name to https where there is https: __Host- cookies
// cannot be set by a neighbour or over plain http.
func (g *Gateway) cookieName(r *http.Request, name string) string {
	if g.secure(r) {
		return "__Host-tabuleiro_" + name
	}
	return "tabuleiro_" + name
}

func (g *Gateway) setCookie(w http.ResponseWriter, r *http.Request, name, value string, life time.Duration) {
	c := &http.Cookie{
		Name: g.cookieName(r, name), Value: value, Path: "/", HttpOnly: true, Secure: g.secure(r), SameSite: http.SameSiteLaxMode,
		MaxAge: int(life.Seconds()),
	}
	if value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// token is the session's token of a request; empty without one.
func (g *Gateway) token(r *http.Request) string {
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	if c, err := r.Cookie(g.cookieName(r, "session")); err == nil {
		return c.Value
	}
	return ""
}

// caller finds who a request comes from; false without any credentials.
func (g *Gateway) caller(r *http.Request) (identity.Caller, bool, error) {
	if token := g.token(r); token != "" {
		caller, err := g.authenticate(r.Context(), token)
		return caller, err == nil, err
	}
	c, err := r.Cookie(g.cookieName(r, "guest"))
	if err != nil {
		return identity.Caller{}, false, nil
	}
	id, err := g.deps.Keys.VerifyGuest(c.Value, g.deps.Now())
	if err != nil { // old or forged: a visitor like any other
		return identity.Caller{}, false, nil
	}
	return identity.Caller{Guest: true, Session: id}, true, nil
}

func (g *Gateway) authenticate(ctx context.Context, token string) (identity.Caller, error) {
	if len(token) > 128 {
		return identity.Caller{}, rpc.Fail("session_ended", "")
	}
	session, err := g.accounts.Authenticate(ctx, &accountsv1.AuthenticateRequest{Token: token})
	if err != nil {
		return identity.Caller{}, err
	}
	return identity.Caller{
		Account: session.GetAccount(), Session: session.GetSession(), Roles: session.GetRoles(), Scopes: session.GetScopes(),
	}, nil
}

// credentialsEnded says whether an error means that a session or an access token
// holds no more.
func credentialsEnded(err error) bool {
	code := rpc.ToProblem(err).Code
	return code == "session_ended" || code == "token_ended"
}

// withCaller puts the Caller into the context of a request and bounds its time.
// A visitor without credentials is a guest where games are concerned: for one
// request, or with a cookie when they begin to play.
func (g *Gateway) withCaller(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), restTime)
		defer cancel()
		r = r.WithContext(ctx)
		caller, known, err := g.caller(r)
		switch {
		case err != nil && credentialsEnded(err):
			// Whoever guesses at tokens is counted by address.
			if !forgivesEndedSession(r) {
				if g.may(g.limits.addresses, w, r) {
					g.setCookie(w, r, "session", "", 0)
					g.fail(w, r, err)
				}
				return
			}
		case err != nil:
			g.fail(w, r, err)
			return
		}
		if !g.mayAsk(caller, w, r) {
			return
		}
		if !known && concernsGames(r.URL.Path) {
			// Each visitor may play a few games; visitors themselves are bounded
			// here, by address. Who has a cookie is not touched.
			if r.Method == http.MethodPost && !g.may(g.limits.visitors, w, r) {
				return
			}
			caller = identity.Caller{Guest: true, Session: uuid.NewString()}
			if r.Method == http.MethodPost {
				g.setCookie(w, r, "guest", g.deps.Signer.SignGuest(caller.Session, g.deps.Now(), guestLife), guestLife)
			}
		}
		caller.Lag = g.lags.of(caller.Session)
		// Where nobody is known the Caller is the zero one: the rights of the gateway
		// itself are not a stranger's.
		next.ServeHTTP(w, r.WithContext(identity.With(ctx, caller)))
	})
}

func concernsGames(path string) bool {
	return path == "/v1/games" || strings.HasPrefix(path, "/v1/games/") || path == "/v1/events"
}

// forgivesEndedSession: an old cookie must not keep anyone from registering or
// from what is public.
func forgivesEndedSession(r *http.Request) bool {
	return r.URL.Path == "/v1/accounts" || r.URL.Path == "/v1/access" || strings.HasPrefix(r.URL.Path, "/v1/rules")
}
