package gateway

import (
	"encoding/json"
	"net/http"

	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// logIn opens a session. The token goes into a cookie that scripts cannot read,
// never into the body.
func (g *Gateway) logIn(w http.ResponseWriter, r *http.Request) {
	if !g.mayAttempt(w, r) {
		return
	}
	var req accountsv1.LogInRequest
	if problem := decode(r.Body, &req); problem != nil {
		g.fail(w, r, problem)
		return
	}
	guesses, ok := g.mayGuess(req.GetLogin(), w, r)
	if !ok {
		return
	}
	req.Guesser = guesses[0]
	req.Device, req.Network = deviceOf(r.UserAgent()), g.network(r)
	session, err := g.accounts.LogIn(r.Context(), &req)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	for _, key := range guesses {
		g.limits.guesses.forgive(key)
	}
	opened, err := g.opened(w, r, session)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	g.rememberDevice(w, r, req.GetLogin())
	writeJSON(w, http.StatusCreated, opened)
}

// opened sets the cookie of a new session and returns what a client is told of it.
func (g *Gateway) opened(w http.ResponseWriter, r *http.Request, session *accountsv1.LogInResponse) (map[string]any, error) {
	account, err := marshal(session.GetAccount())
	if err != nil {
		return nil, err
	}
	// A new log-in leaves no older session behind in this browser.
	if c, err := r.Cookie(g.cookieName(r, "session")); err == nil && c.Value != "" {
		_ = g.end(r, c.Value) // as far as that works: it runs out by itself
	}
	expires := session.GetExpiresAt().AsTime()
	g.setCookie(w, r, "session", session.GetToken(), expires.Sub(g.deps.Now()))
	return map[string]any{"account": json.RawMessage(account), "expires_at": expires}, nil
}

// logOut ends the session and its streams. Without a session it succeeds too. An
// access token is no session: it is revoked where it was made.
func (g *Gateway) logOut(w http.ResponseWriter, r *http.Request) {
	if token := g.token(r); token != "" {
		if err := g.end(r, token); err != nil && !credentialsEnded(err) {
			g.fail(w, r, err)
			return
		}
	}
	g.setCookie(w, r, "session", "", 0)
	w.WriteHeader(http.StatusNoContent)
}

// end ends a session and its streams.
func (g *Gateway) end(r *http.Request, token string) error {
	caller, err := g.authenticate(r.Context(), token)
	if err != nil {
		return err
	}
	if caller.Narrowed() {
		return rpc.Fail("scope_missing", "an access token is no session")
	}
	if _, err := g.accounts.LogOut(r.Context(), &accountsv1.LogOutRequest{Token: token}); err != nil {
		return err
	}
	g.hub.EndSession(caller.Session)
	return nil
}

// about tells a client what installation it talks to.
func (g *Gateway) about(w http.ResponseWriter, _ *http.Request) {
	about := map[string]any{"version": g.cfg.Version, "insecure_lan": g.cfg.InsecureLAN}
	if g.cfg.RequiredFields != nil {
		about["required_fields"] = g.cfg.RequiredFields
	}
	writeJSON(w, http.StatusOK, about)
}

// health says that the process lives.
func (g *Gateway) health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// ready says whether requests can be served; it names what is not ready, not why.
func (g *Gateway) ready(w http.ResponseWriter, r *http.Request) {
	missing := []string{}
	for name := range g.deps.Ready(r.Context()) {
		missing = append(missing, name)
	}
	if len(missing) > 0 {
		writeJSON(w, http.StatusServiceUnavailable, map[string]any{"status": "not ready", "missing": missing})
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}
