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
	if !g.may(g.logins, w, r) {
		return
	}
	var req accountsv1.LogInRequest
	if problem := decode(r.Body, &req); problem != nil {
		g.fail(w, r, problem)
		return
	}
	guess := g.guessed(r, req.GetLogin())
	if !g.mayBy(g.guesses, guess, w, r) {
		return
	}
	session, err := g.accounts.LogIn(r.Context(), &req)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	g.guesses.forgive(guess)
	account, err := marshal(session.GetAccount())
	if err != nil {
		g.fail(w, r, err)
		return
	}
	// A new log-in leaves no older session behind in this browser.
	if old := g.token(r); old != "" {
		_ = g.end(r, old) // as far as that works: it runs out by itself
	}
	expires := session.GetExpiresAt().AsTime()
	g.setCookie(w, "session", session.GetToken(), expires.Sub(g.deps.Now()))
	writeJSON(w, http.StatusCreated, map[string]any{"account": json.RawMessage(account), "expires_at": expires})
}

// logOut ends the session and its streams. Without a session it succeeds too.
func (g *Gateway) logOut(w http.ResponseWriter, r *http.Request) {
	if token := g.token(r); token != "" {
		if err := g.end(r, token); err != nil && rpc.ToProblem(err).Code != "session_ended" {
			g.fail(w, r, err)
			return
		}
	}
	g.setCookie(w, "session", "", 0)
	w.WriteHeader(http.StatusNoContent)
}

// end ends a session and its streams.
func (g *Gateway) end(r *http.Request, token string) error {
	caller, err := g.authenticate(r.Context(), token)
	if err != nil {
		return err
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
