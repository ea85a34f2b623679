package journeys

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"tabuleiro/e2e/shapetest"
)

// Bad input gets its own code, and changes nothing.
func TestBadInput(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, rui, game := pair(t, s, "chess", nil)
		play(ana, rui, game, "e4")
		before := string(ana.Get("/v1/games/" + game).Body)
		path := "/v1/games/" + game
		missing := "/v1/games/0190a000-0000-7000-8000-000000000000"
		for _, c := range []struct {
			path   string
			body   any
			status int
			code   string
		}{
			{path + "/moves", `{"move":"e5","turn":1`, 400, "bad_json"},
			{path + "/moves", `{"move":"e5","turn":1} {}`, 400, "bad_json"},
			{path + "/moves", m{"move": "e5", "turn": 1, "speed": 9}, 400, "unknown_field"},
			{path + "/moves", m{"move": "e5", "turn": "one"}, 400, "bad_type"},
			{path + "/moves", m{"move": 5, "turn": 1}, 400, "bad_type"},
			{path + "/moves", m{"move": "e5"}, 400, "bad_field"},
			{path + "/moves", m{"turn": 1}, 400, "bad_field"},
			{path + "/moves", m{"move": strings.Repeat("e", 65), "turn": 1}, 400, "bad_field"},
			{path + "/moves", m{"move": "e5", "turn": -1}, 400, "bad_field"},
			{path + "/moves", m{"move": "e5", "turn": 0}, 409, "stale_turn"},
			{path + "/moves", m{"move": "e5", "turn": 7}, 409, "stale_turn"},
			{path + "/moves", m{"move": "what?", "turn": 1}, 422, "bad_text"},
			{path + "/moves", m{"move": "e7e4", "turn": 1}, 422, "cannot_move_so"},
			{path + "/moves", m{"move": "e2e4", "turn": 1}, 422, "no_piece"},
			{path + "/moves", m{"move": "d2d4", "turn": 1}, 422, "not_your_piece"},
			{path + "/moves", m{"move": "a8a5", "turn": 1}, 422, "path_blocked"},
			{path + "/moves", m{"move": "O-O", "turn": 1}, 422, "castling_blocked"},
			{path + "/moves", m{"move": strings.Repeat("e", 70<<10), "turn": 1}, 413, "body_too_large"},
			{missing + "/moves", m{"move": "e5", "turn": 1}, 404, "game_not_found"},
			{"/v1/games/seven/moves", m{"move": "e5", "turn": 1}, 400, "bad_field"},
			{"/v1/games", m{"rules": "go", "opponent": "engine"}, 400, "unknown_rules"},
			{"/v1/games", m{"rules": "chess", "opponent": "ghost"}, 400, "bad_field"},
			{"/v1/games", m{"rules": "chess", "opponent": "engine", "level": "god"}, 400, "bad_field"},
			{"/v1/games", m{"rules": "chess", "opponent": "engine", "side": "x"}, 400, "bad_field"},
			{"/v1/games", m{"rules": "chess", "opponent": "person", "clock": m{"initial_ms": 1}}, 400, "bad_field"},
			{"/v1/rules/inspect", m{"position": m{"rules": "chess", "text": "no position"}}, 422, "bad_text"},
			{"/v1/rules/inspect", m{"position": m{"rules": "chess", "text": "8/8/8/8/8/8/8/8 w - - 0 1"}}, 422, "bad_position"},
			{"/v1/nothing", m{}, 404, "not_found"},
		} {
			rui.Refused(c.status, c.code, rui.Post(c.path, c.body))
		}
		ana.Refused(http.StatusConflict, "not_your_turn", ana.Post(path+"/moves", m{"move": "d4", "turn": 1}))
		rui.Refused(http.StatusBadRequest, "key_missing", rui.PostKey(path+"/moves", "", m{"move": "e5", "turn": 1}))
		rui.Refused(http.StatusBadRequest, "bad_key", rui.PostKey(path+"/moves", strings.Repeat("k", 129), m{"move": "e5", "turn": 1}))
		answer, err := rui.Do(t.Context(), http.MethodPut, path, shapetest.NewKey(), m{})
		if err != nil {
			t.Fatal(err)
		}
		rui.Refused(http.StatusMethodNotAllowed, "method_not_allowed", answer)
		if after := string(ana.Get(path).Body); after != before {
			t.Errorf("bad input has changed the game from\n%s\nto\n%s", before, after)
		}
		// A key whose command was refused is free for a good one.
		key := shapetest.NewKey()
		rui.Refused(http.StatusUnprocessableEntity, "cannot_move_so", rui.PostKey(path+"/moves", key, m{"move": "e7e4", "turn": 1}))
		rui.Expect(http.StatusOK, rui.PostKey(path+"/moves", key, m{"move": "e7e5", "turn": 1}))
	})
}

// What no client of ours sends is refused at the door.
func TestDoor(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		visitor := s.Guest(t)
		for name, c := range map[string]struct {
			method, path string
			change       func(*http.Request)
			status       int
			code         string
		}{
			"another host":   {http.MethodGet, "/v1/rules", func(r *http.Request) { r.Host = "tabuleiro.example.com" }, 403, "bad_host"},
			"another site":   {http.MethodPost, "/v1/games", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403, "bad_origin"},
			"another origin": {http.MethodPost, "/v1/games", func(r *http.Request) { r.Header.Set("Origin", "https://example.com") }, 403, "bad_origin"},
			"another type":   {http.MethodPost, "/v1/games", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, "unsupported_media_type"},
			"no session":     {http.MethodGet, "/v1/me", func(r *http.Request) { r.Header.Set("Authorization", "Bearer made-up") }, 401, "session_ended"},
			"a posing header": {http.MethodGet, "/v1/me", func(r *http.Request) {
				for _, name := range []string{"Grpc-Metadata-Caller", "Caller", "Tabuleiro-Caller"} {
					r.Header.Set(name, "gateway.e30.AA")
				}
			}, 401, "not_logged_in"},
		} {
			req, err := http.NewRequestWithContext(t.Context(), c.method, s.URL()+c.path, strings.NewReader(`{"rules":"tictactoe","opponent":"engine"}`))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Idempotency-Key", shapetest.NewKey())
			c.change(req)
			response, err := visitor.HTTP.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			t.Log(name)
			visitor.Refused(c.status, c.code, shapetest.Answer{Status: response.StatusCode, Header: response.Header, Body: body})
		}
		if mine := gamesOf(t, visitor.Get("/v1/games")); len(mine) != 0 {
			t.Errorf("what was refused made %d games", len(mine))
		}
		// The description and the catalogue are there for who writes a client.
		for _, path := range []string{"/openapi.json", "/docs", "/v1/problems", "/v1/about", "/healthz", "/readyz"} {
			visitor.Expect(http.StatusOK, visitor.Get(path))
		}
	})
}
