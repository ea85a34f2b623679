package authz

import (
	"net/http"
	"strings"
	"testing"
)

// route has the verdicts on an address that the gateway serves by hand.
type route struct {
	name    string // "GET /v1/about"
	about   string
	arrange func(w *world, s scene) fixture
	// path is what is asked for; empty for that of the name.
	path       string
	kind, body string
	verdicts   string
}

const (
	jsonType = "application/json"
	pgnType  = "application/vnd.chess-pgn"
	// Anybody may ask, known or not.
	public = "else:ok"
	// One's own.
	mine = "guest:account_required nobody:not_logged_in else:ok"
	// The files of self.
	mineOnly = "self:ok guest:account_required nobody:not_logged_in else:collection_not_found"
	// A game of self and opponent.
	watchers = "self:ok opponent:ok spectator:ok else:game_not_found"
)

var routes = []route{
	{name: "POST /v1/sessions", arrange: newcomer, kind: jsonType, body: `{"login":"$login","password":"not that one"}`, verdicts: "else:invalid_login"},
	{name: "DELETE /v1/sessions/current", verdicts: public},
	{name: "GET /v1/about", verdicts: public},
	{name: "GET /v1/events", about: "of a game", arrange: running, path: "/v1/events?topic=game:$game", verdicts: watchers},
	{name: "GET /v1/events", about: "of a game from a version", arrange: running, path: "/v1/events?topic=game:$game&since=game:$game:1", verdicts: watchers},
	{name: "GET /v1/events", about: "of a game that is kept for somebody", arrange: invited, path: "/v1/events?topic=game:$game", verdicts: watchers},
	{name: "GET /v1/events", about: "of oneself", path: "/v1/events?topic=me", verdicts: "nobody:not_logged_in else:ok"},
	{name: "POST /v1/events/echo", kind: jsonType, body: `{"nonce":"x"}`, verdicts: public},
	{name: "GET /v1/problems", verdicts: public},
	{name: "POST /v1/collections/{collection}/imports", arrange: collection, path: "/v1/collections/$collection/imports", kind: pgnType, body: "1. e4 *\n", verdicts: mineOnly},
	{name: "GET /v1/collections/{collection}/export", arrange: record, path: "/v1/collections/$collection/export", verdicts: mineOnly},
	{name: "GET /v1/games/{game}/record", arrange: finished, path: "/v1/games/$game/record", verdicts: watchers},
	{name: "GET /v1/me/games.pgn", verdicts: mine},
	{name: "GET /v1/me/games.pdn", verdicts: mine},
	{name: "GET /openapi.json", verdicts: public},
	{name: "GET /docs", verdicts: public},
	{name: "GET /docs/docs.js", verdicts: public},
	{name: "GET /docs/docs.css", verdicts: public},
	{name: "GET /healthz", verdicts: public},
	{name: "GET /readyz", verdicts: public},
}

// Who may ask what of the addresses that are not generated.
func TestAuthorizationOfRoutes(t *testing.T) {
	w := newWorld(t)
	for _, r := range routes {
		t.Run(strings.TrimSpace(r.name+" "+r.about), func(t *testing.T) {
			verb, path, _ := strings.Cut(r.name, " ")
			if r.path != "" {
				path = r.path
			}
			made := map[scene]fixture{}
			for _, who := range append([]string{"guest", "nobody"}, persons...) {
				s := sceneOf(who)
				if made[s] == nil && r.arrange != nil {
					made[s] = r.arrange(w, s)
				}
				got, text := w.ask(t, who, verb, made[s].fill(path), r.kind, made[s].fill(r.body))
				if want := verdict(r.verdicts, who); got != want {
					t.Errorf("%s hears %s, want %s: %.300s", who, got, want, text)
				}
				if verb == http.MethodDelete && w.people[who] != nil {
					w.logIn(who) // the session is gone
				}
			}
			for s, f := range made {
				if f["game"] != "" {
					w.drop(f["game"], s.self, s.opponent)
				}
			}
		})
	}
}
