package authz

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"tabuleiro/internal/identity"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
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
	// boards has the verdicts on boards that call with their secret.
	boards string
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
	watchers = seenBy + "else:game_not_found"
)

var routes = []route{
	{name: "POST /v1/sessions", boards: "paired:invalid_login unpaired:invalid_login", arrange: newcomer, kind: jsonType, body: `{"login":"$login","password":"not that one"}`, verdicts: "else:invalid_login"},
	{name: "DELETE /v1/sessions/current", boards: anyBoard, verdicts: public},
	{name: "GET /v1/about", boards: anyBoard, verdicts: public},
	{name: "GET /v1/events", boards: noBoards, about: "of a game", arrange: running, path: "/v1/events?topic=game:$game", verdicts: watchers},
	{name: "GET /v1/events", boards: noBoards, about: "of a game from a version", arrange: running, path: "/v1/events?topic=game:$game&since=game:$game:1", verdicts: watchers},
	{name: "GET /v1/events", boards: noBoards, about: "of a game that is kept for somebody", arrange: invited, path: "/v1/events?topic=game:$game", verdicts: watchers},
	{name: "GET /v1/events", boards: noBoards, about: "of a tournament", arrange: tournament, path: "/v1/events?topic=tournament:$tournament",
		verdicts: "self:ok classmate:ok teacher:ok operator:ok guest:account_required nobody:account_required else:tournament_not_found"},
	{name: "GET /v1/events", boards: noBoards, about: "of a game of a tournament", arrange: competing, path: "/v1/events?topic=game:$game", verdicts: competitors + "else:game_not_found"},
	{name: "GET /v1/games/{game}/record", boards: noBoards, about: "of a tournament", arrange: competing, path: "/v1/games/$game/record", verdicts: competitors + "else:game_not_found"},
	{name: "GET /v1/events", boards: noBoards, about: "of oneself", path: "/v1/events?topic=me", verdicts: "nobody:not_logged_in else:ok"},
	{name: "POST /v1/events/echo", boards: anyBoard, kind: jsonType, body: `{"nonce":"x"}`, verdicts: public},
	{name: "GET /v1/problems", boards: anyBoard, verdicts: public},
	{name: "POST /v1/collections/{collection}/imports", boards: noBoards, arrange: collection, path: "/v1/collections/$collection/imports", kind: pgnType, body: "1. e4 *\n", verdicts: mineOnly},
	{name: "GET /v1/collections/{collection}/export", boards: noBoards, arrange: record, path: "/v1/collections/$collection/export", verdicts: mineOnly},
	{name: "GET /v1/collections/{collection}/export", boards: noBoards, about: "that a class sees", arrange: shared, path: "/v1/collections/$collection/export",
		verdicts: "self:ok classmate:ok teacher:ok guest:account_required nobody:not_logged_in else:collection_not_found"},
	{name: "GET /v1/games/{game}/record", boards: noBoards, arrange: finished, path: "/v1/games/$game/record", verdicts: watchers},
	{name: "POST /v1/pairings", boards: anyBoard, kind: jsonType, body: `{"kind":"board"}`, verdicts: public},
	{name: "POST /v1/pairings/poll", boards: "paired:pairing_not_found unpaired:pairing_not_found", arrange: pairing, kind: jsonType, body: `{"device_code":"not that one"}`, verdicts: "else:pairing_not_found"},
	{name: "GET /v1/me/export", boards: noBoards, verdicts: mine},
	{name: "GET /v1/accounts/{account}/export", boards: noBoards, arrange: pupil, path: "/v1/accounts/$account/export",
		verdicts: "self:ok teacher:ok guardian:ok operator:ok guest:account_required nobody:not_logged_in else:account_not_found"},
	{name: "GET /v1/tournaments/{tournament}/table.csv", boards: noBoards, arrange: tournament, path: "/v1/tournaments/$tournament/table.csv",
		verdicts: "self:ok classmate:ok teacher:ok operator:ok guest:account_required nobody:not_logged_in else:tournament_not_found"},
	{name: "GET /v1/me/games.pgn", boards: noBoards, verdicts: mine},
	{name: "GET /v1/me/games.pdn", boards: noBoards, verdicts: mine},
	{name: "GET /openapi.json", boards: anyBoard, verdicts: public},
	{name: "GET /docs", boards: anyBoard, verdicts: public},
	{name: "GET /docs/docs.js", boards: anyBoard, verdicts: public},
	{name: "GET /docs/docs.css", boards: anyBoard, verdicts: public},
	{name: "GET /healthz", boards: anyBoard, verdicts: public},
	{name: "GET /readyz", boards: anyBoard, verdicts: public},
}

// Who may ask what of the addresses that are not generated.
func TestAuthorizationOfRoutes(t *testing.T) {
	w := newWorld(t)
	w.pairBoards()
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
			for _, who := range boards {
				s := sceneOf(who)
				got, text := w.ask(t, who, verb, made[s].fill(path), r.kind, made[s].fill(r.body))
				if want := verdict(r.boards, who); got != want {
					t.Errorf("a board (%s) hears %s, want %s: %.300s", who, got, want, text)
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

// A board speaks only for itself, over the bus: its secret opens no address of the
// gateway, while it is paired and afterwards, and neither does that of a program
// whose token is gone.
func TestABoardsSecretOpensNothing(t *testing.T) {
	w := newWorld(t)
	f := running(w, sceneOf("self"))
	started := pairing(w, scene{})
	do(w.access().ConfirmPairing(w.by("self"), &accountsv1.ConfirmPairingRequest{UserCode: started["code"], Kind: "board"}))
	taken := do(w.access().TakePairing(t.Context(), &accountsv1.TakePairingRequest{DeviceCode: started["device"]}))
	if taken.GetBoardSecret() == "" {
		t.Fatalf("no board is paired: %v", taken)
	}
	token := do(w.access().CreateToken(w.by("self"), &accountsv1.CreateTokenRequest{Name: "x", Scopes: identity.Scopes()}))
	secrets := map[string]string{
		"board": taken.GetBoardSecret(), "device code": started["device"], "nonsense": "tbb_x", "token": token.GetText(),
	}
	hear := func(secret, want string) {
		t.Helper()
		w.people["secret"] = &person{token: secrets[secret]}
		for _, path := range []string{"/v1/me", f.fill("/v1/games/$game"), "/v1/games", f.fill("/v1/events?topic=game:$game"), "/v1/me/games.pgn"} {
			if got, text := w.ask(t, "secret", http.MethodGet, path, "", ""); got != want {
				t.Errorf("%s at %s: %s, want %s: %.200s", secret, path, got, want, text)
			}
		}
		move := f.fill("/v1/games/$game/moves")
		if got, text := w.ask(t, "secret", http.MethodPost, move, jsonType, `{"move":"e2e4","turn":0}`); want != "ok" && got != want {
			t.Errorf("%s at %s: %s, want %s: %.200s", secret, move, got, want, text)
		}
	}
	hear("board", "session_ended")
	hear("device code", "session_ended")
	hear("nonsense", "session_ended")
	hear("token", "ok")
	do(w.access().RevokeBoard(w.by("self"), &accountsv1.RevokeBoardRequest{Board: taken.GetBoard().GetId()}))
	do(w.access().RevokeToken(w.by("self"), &accountsv1.RevokeTokenRequest{Token: token.GetToken().GetId()}))
	hear("board", "session_ended")
	hear("token", "token_ended")
}

// An access token opens of the addresses made by hand what its scopes say.
func TestAccessTokensAtRoutes(t *testing.T) {
	w := newWorld(t)
	f := finished(w, sceneOf("self"))
	for name, value := range record(w, sceneOf("self")) {
		f[name] = value
	}
	for _, c := range []struct{ path, scope string }{
		{"/v1/events?topic=game:$game", "games:read"},
		{"/v1/events?topic=me", "games:read"},
		{"/v1/games/$game/record", "games:read"},
		{"/v1/me/games.pgn", "games:read"},
		{"/v1/me/games.pdn", "games:read"},
		{"/v1/collections/$collection/export", "records:read"},
		{"/v1/me/export", ""},
	} {
		for _, has := range []bool{false, true} {
			scopes, want := slices.DeleteFunc(identity.Scopes(), func(s string) bool { return s == c.scope }), "scope_missing"
			if has && c.scope == "" {
				continue
			}
			if has {
				scopes, want = []string{c.scope}, "ok"
			}
			token := do(w.access().CreateToken(w.by("self"), &accountsv1.CreateTokenRequest{Name: "x", Scopes: scopes}))
			w.people["token"] = &person{token: token.GetText()}
			if got, text := w.ask(t, "token", http.MethodGet, f.fill(c.path), "", ""); got != want {
				t.Errorf("GET %s with %v: %s, want %s: %.200s", c.path, scopes, got, want, text)
			}
		}
	}
}

// Ids of others end nothing: the sessions, tokens and boards of self outlive what
// everybody else asks.
func TestNobodyEndsWhatIsNotTheirs(t *testing.T) {
	w := newWorld(t)
	started := pairing(w, scene{})
	board := do(w.access().ConfirmPairing(w.by("self"), &accountsv1.ConfirmPairingRequest{UserCode: started["code"], Kind: "board"})).GetBoard()
	token := do(w.access().CreateToken(w.by("self"), &accountsv1.CreateTokenRequest{Name: "x", Scopes: identity.Scopes()})).GetToken()
	for _, who := range persons[1:] {
		do(w.access().EndSession(w.by(who), &accountsv1.EndSessionRequest{Session: w.people["self"].session}))
		do(w.access().EndOtherSessions(w.by(who), &accountsv1.EndOtherSessionsRequest{}))
		do(w.access().RevokeToken(w.by(who), &accountsv1.RevokeTokenRequest{Token: token.GetId()}))
		do(w.access().RevokeBoard(w.by(who), &accountsv1.RevokeBoardRequest{Board: board.GetId()}))
	}
	if code, text := w.ask(t, "self", http.MethodGet, "/v1/me", "", ""); code != "ok" {
		t.Errorf("the session of self has ended: %s", text)
	}
	if list := do(w.access().ListTokens(w.by("self"), &accountsv1.ListTokensRequest{})).GetTokens(); len(list) != 1 || list[0].GetId() != token.GetId() {
		t.Errorf("the tokens of self are %v", list)
	}
	if list := do(w.access().ListBoards(w.by("self"), &accountsv1.ListBoardsRequest{})).GetBoards(); len(list) != 1 || list[0].GetId() != board.GetId() {
		t.Errorf("the boards of self are %v", list)
	}
}

// A tournament in which pupils play that somebody else organises stands in the list
// of their teachers and of nobody else.
func TestTheListOfPupilsTournaments(t *testing.T) {
	w := newWorld(t)
	f := foreign(w, scene{})
	for _, who := range append([]string{"guest", "nobody"}, persons...) {
		code, text := w.ask(t, who, http.MethodGet, "/v1/tournaments?list=pupils", "", "")
		if want := map[string]string{"guest": "account_required", "nobody": "not_logged_in"}[who]; want != "" && code != want || want == "" && code != "ok" {
			t.Errorf("%s asks for them: %s %s", who, code, text)
		}
		if got, want := strings.Contains(string(text), f["tournament"]), who == "teacher"; got != want {
			t.Errorf("%s sees the tournament of a pupil: %v, want %v", who, got, want)
		}
	}
}

// A private game stands in the lists of its players and of nobody else.
func TestListsShowNoPrivateGames(t *testing.T) {
	w := newWorld(t)
	games := map[string]fixture{
		"running": running(w, sceneOf("self")), "invited": invited(w, sceneOf("self")), "finished": finished(w, sceneOf("self")),
	}
	for _, who := range append([]string{"guest", "nobody"}, persons...) {
		for _, list := range []string{"mine", "open", "invited", "live"} {
			code, text := w.ask(t, who, http.MethodGet, "/v1/games?limit=100&list="+list, "", "")
			if code != "ok" {
				t.Errorf("%s asks for %s: %s", who, list, text)
			}
			for name, f := range games {
				want := list == "mine" && (who == "self" || who == "opponent" && name != "invited") ||
					list == "invited" && who == "opponent" && name == "invited"
				if got := strings.Contains(string(text), f["game"]); got != want {
					t.Errorf("%s sees the %s game in %q: %v, want %v", who, name, list, got, want)
				}
			}
		}
	}
}
