package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestBadInputHasItsOwnCodeAndASentence(t *testing.T) {
	w := newWorld(t, nil)
	moves := "/v1/games/" + gameID + "/moves"
	key := []string{"Idempotency-Key", "k1"}
	with := func(more ...string) []string { return append(more, key...) }
	for name, tc := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
		code, field        string
	}{
		"malformed JSON":        {"POST", moves, `{"move":`, key, 400, "bad_json", ""},
		"two values":            {"POST", moves, `{"move":"a","turn":1} {}`, key, 400, "bad_json", ""},
		"unknown field":         {"POST", moves, `{"move":"a","turn":1,"colour":"x"}`, key, 400, "unknown_field", "colour"},
		"wrong type":            {"POST", moves, `{"move":"a","turn":"first"}`, key, 400, "bad_type", "turn"},
		"a list for an object":  {"POST", moves, `[]`, key, 400, "bad_type", ""},
		"a number as text":      {"POST", moves, `{"move":"a","turn":"1"}`, key, 400, "bad_type", "turn"},
		"a number as text deep": {"POST", "/v1/games", `{"rules":"chess","opponent":"engine","clock":{"initial_ms":"60000"}}`, key, 400, "bad_type", "clock.initial_ms"},
		"truth as text":         {"POST", "/v1/games", `{"rules":"chess","opponent":"engine","rated":"true"}`, key, 400, "bad_type", "rated"},
		"unknown game":          {"POST", "/v1/games", `{"rules":"go","opponent":"engine"}`, key, 400, "unknown_rules", "rules"},
		"unknown game to judge": {"POST", "/v1/rules/inspect", `{"position":{"rules":"go"}}`, nil, 400, "unknown_rules", "position.rules"},
		"headers too large":     {"GET", "/v1/about", "", []string{"X-Large", strings.Repeat("a", 17<<10)}, 431, "headers_too_large", ""},
		"own route's method":    {"PUT", "/v1/sessions", `{}`, nil, 405, "method_not_allowed", ""},
		"turn left out":         {"POST", moves, `{"move":"a"}`, key, 400, "bad_field", "turn"},
		"turn out of range":     {"POST", moves, `{"move":"a","turn":-1}`, key, 400, "bad_field", "turn"},
		"no game's id":          {"POST", "/v1/games/17/moves", `{"move":"a","turn":1}`, key, 400, "bad_field", "game"},
		"key left out":          {"POST", moves, `{"move":"a","turn":1}`, nil, 400, "key_missing", ""},
		"key with a blank":      {"POST", moves, `{"move":"a","turn":1}`, []string{"Idempotency-Key", "a b"}, 400, "bad_key", ""},
		"oversized":             {"POST", moves, `{"move":"` + strings.Repeat("a", 70<<10) + `","turn":1}`, key, 413, "body_too_large", ""},
		"move too long":         {"POST", moves, `{"move":"` + strings.Repeat("a", 65) + `","turn":1}`, key, 400, "bad_field", "move"},
		"not JSON by its type":  {"POST", moves, `move=a`, with("Content-Type", "application/x-www-form-urlencoded"), 415, "unsupported_media_type", ""},
		"refused move":          {"POST", moves, `{"move":"e1e2","turn":1}`, key, 422, "king_left_in_check", ""},
		"unknown address":       {"GET", "/v1/gaems", "", nil, 404, "not_found", ""},
		"unknown method":        {"PUT", "/v1/games", `{}`, nil, 405, "method_not_allowed", ""},
		"another host":          {"GET", "/v1/about", "", []string{"Host", "evil.example"}, 403, "bad_host", ""},
		"another site":          {"POST", moves, `{"move":"a","turn":1}`, with("Sec-Fetch-Site", "cross-site"), 403, "bad_origin", ""},
		"nobody":                {"GET", "/v1/me", "", nil, 401, "not_logged_in", ""},
		"an ended session":      {"GET", "/v1/me", "", []string{"Authorization", "Bearer gone"}, 401, "session_ended", ""},
		"a posing header":       {"GET", "/v1/me", "", []string{"Grpc-Metadata-Tabuleiro-Caller", "x", "Tabuleiro-Caller", "x"}, 401, "not_logged_in", ""},
		"a wrong password":      {"POST", "/v1/sessions", `{"login":"ana","password":"wrong"}`, nil, 401, "invalid_login", ""},
		"unknown log-in field":  {"POST", "/v1/sessions", `{"user":"ana"}`, nil, 400, "unknown_field", "user"},
		"a topic of no kind":    {"GET", "/v1/events?topic=news", "", nil, 400, "bad_topic", ""},
		"no topic":              {"GET", "/v1/events", "", nil, 400, "bad_topic", ""},
		"a cursor of no stream": {"GET", "/v1/events?topic=game:" + gameID, "", []string{"Last-Event-ID", "!"}, 400, "bad_cursor", ""},
		"me as nobody":          {"GET", "/v1/events?topic=me", "", nil, 401, "not_logged_in", ""},
		"a foreign game":        {"GET", "/v1/events?topic=game:" + privateID, "", nil, 404, "game_not_found", ""},
		"an unknown game":       {"GET", "/v1/games/018f0000-0000-7000-8000-0000000000ff", "", nil, 404, "game_not_found", ""},
		"a bad query":           {"GET", "/v1/games?limit=many", "", nil, 400, "bad_request", ""},
		"posting to a page":     {"POST", "/games/1", `{}`, nil, 405, "method_not_allowed", ""},
		"a missing asset":       {"GET", "/assets/b.js", "", nil, 404, "not_found", ""},
	} {
		t.Run(name, func(t *testing.T) {
			resp, text := w.call(t, tc.method, tc.path, tc.body, tc.headers...)
			var got problemJSON
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if resp.StatusCode != tc.status || got.Code != tc.code || got.Status != tc.status || got.Title == "" || got.RequestID == "" {
				t.Fatalf("got %d %s, want %d %s", resp.StatusCode, text, tc.status, tc.code)
			}
			if resp.Header.Get("Content-Type") != "application/problem+json" || resp.Header.Get("X-Request-Id") != got.RequestID {
				t.Errorf("headers %v", resp.Header)
			}
			if tc.field != "" && (len(got.Fields) == 0 || got.Fields[0].Field != tc.field) {
				t.Errorf("fields %v, want %s", got.Fields, tc.field)
			}
		})
	}
	if len(w.play.keys) != 0 {
		t.Errorf("something was created: %v", w.play.keys)
	}
}

func TestRefusedMoveShowsItsSquares(t *testing.T) {
	w := newWorld(t, nil)
	_, text := w.call(t, "POST", "/v1/games/"+gameID+"/moves", `{"move":"e1e2","turn":0}`, "Idempotency-Key", "k")
	var got problemJSON
	if err := json.Unmarshal([]byte(text), &got); err != nil || strings.Join(got.Squares, " ") != "e1 e8" {
		t.Errorf("%s %v", text, err)
	}
}

func TestLoggingInSetsACookieThatScriptsCannotRead(t *testing.T) {
	for _, tls := range []bool{false, true} {
		w := newWorld(t, func(c *Config) { c.TLS = tls })
		resp, text := w.call(t, "POST", "/v1/sessions", `{"login":"ana","password":"secret-secret"}`)
		if resp.StatusCode != http.StatusCreated || strings.Contains(text, token) || !strings.Contains(text, `"login":"ana"`) {
			t.Fatalf("%d %s", resp.StatusCode, text)
		}
		cookie := resp.Cookies()[0]
		name := "tabuleiro_session"
		if tls {
			name = "__Host-" + name
		}
		if cookie.Name != name || cookie.Value != token || !cookie.HttpOnly || cookie.Secure != tls || cookie.SameSite != http.SameSiteLaxMode {
			t.Errorf("cookie %v", cookie)
		}
		me, text := w.call(t, "GET", "/v1/me", "", "Cookie", name+"="+token)
		if me.StatusCode != http.StatusOK || !strings.Contains(text, accountID) {
			t.Errorf("me: %d %s", me.StatusCode, text)
		}
		out, _ := w.call(t, "DELETE", "/v1/sessions/current", "", "Cookie", name+"="+token)
		if out.StatusCode != http.StatusNoContent || out.Cookies()[0].MaxAge >= 0 {
			t.Errorf("log out: %d %v", out.StatusCode, out.Cookies())
		}
		again, text := w.call(t, "GET", "/v1/me", "", "Cookie", name+"="+token)
		if again.StatusCode != http.StatusUnauthorized {
			t.Errorf("after logging out: %d %s", again.StatusCode, text)
		}
	}
}

func TestAVisitorIsAGuestWithACookie(t *testing.T) {
	w := newWorld(t, nil)
	body := `{"rules":"tictactoe","opponent":"engine"}`
	first, text := w.call(t, "POST", "/v1/games", body, "Idempotency-Key", "k1")
	if first.StatusCode != http.StatusCreated {
		t.Fatalf("%d %s", first.StatusCode, text)
	}
	cookie := first.Cookies()[0]
	second, _ := w.call(t, "POST", "/v1/games", body, "Idempotency-Key", "k2", "Cookie", cookie.Name+"="+cookie.Value)
	if len(second.Cookies()) != 0 {
		t.Errorf("a known guest got %v", second.Cookies())
	}
	forged, _ := w.call(t, "POST", "/v1/games", body, "Idempotency-Key", "k3", "Cookie", cookie.Name+"="+cookie.Value+"x")
	if len(forged.Cookies()) != 1 {
		t.Errorf("a forged cookie was believed")
	}
	p := w.play.players
	if len(p) != 3 || !strings.HasPrefix(p[0], "guest:") || p[0] != p[1] || p[2] == p[0] {
		t.Errorf("players %v", p)
	}
	if got := strings.Join(w.play.keys, " "); got != "k1 k2 k3" {
		t.Errorf("keys %s", got)
	}
}

func TestLoginsFromOneAddressAreBounded(t *testing.T) {
	w := newWorld(t, nil)
	logIn := func(i int) (*http.Response, string) {
		return w.call(t, "POST", "/v1/sessions", fmt.Sprintf(`{"login":"ana-%d","password":"x"}`, i))
	}
	for i := range attemptRate.burst {
		if resp, text := logIn(i); resp.StatusCode != http.StatusUnauthorized {
			t.Fatalf("%d %s", resp.StatusCode, text)
		}
	}
	// The bucket refills while the loops run, slower than they take from it.
	resp, text := logIn(attemptRate.burst)
	for i := attemptRate.burst + 1; resp.StatusCode == http.StatusUnauthorized && i < 2*attemptRate.burst; i++ {
		resp, text = logIn(i)
	}
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" || !strings.Contains(text, "too_many_requests") {
		t.Errorf("%d %v %s", resp.StatusCode, resp.Header, text)
	}
}

func TestThePageIsServedUnderItsOwnAddresses(t *testing.T) {
	w := newWorld(t, nil)
	for path, want := range map[string]string{
		"/": "Tabuleiro", "/games/" + gameID: "Tabuleiro", "/assets/a-1.js": "1", "/docs": "REST", "/openapi.json": `"openapi"`,
		"/healthz": "ok", "/readyz": "ready", "/v1/about": "test", "/v1/problems": "stale_turn",
	} {
		resp, text := w.call(t, "GET", path, "")
		if resp.StatusCode != http.StatusOK || !strings.Contains(text, want) || resp.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d %.80s", path, resp.StatusCode, text)
		}
	}
}
