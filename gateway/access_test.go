package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// school is accounts with any number of people, whose IDs are their tokens.
type school struct {
	accountsv1.UnimplementedAccountsServiceServer
	accountsv1.UnimplementedAccessServiceServer

	mu     sync.Mutex
	ended  map[string]bool
	logins []*accountsv1.LogInRequest
	asked  int
	// pairing is what a device is told.
	pairing *accountsv1.TakePairingResponse
}

func (s *school) LogIn(_ context.Context, req *accountsv1.LogInRequest) (*accountsv1.LogInResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logins = append(s.logins, req)
	if req.GetPassword() != "right" {
		return nil, rpc.Fail("invalid_login", "")
	}
	return &accountsv1.LogInResponse{
		Token: req.GetLogin(), Account: &accountsv1.Account{Id: accountOf(req.GetLogin()), Login: req.GetLogin()},
		ExpiresAt: timestamppb.New(time.Now().Add(time.Hour)),
	}, nil
}

// accountOf makes a UUID of a login.
func accountOf(login string) string {
	return fmt.Sprintf("018f0000-0000-7000-8000-%012x", login)[:36]
}

func (s *school) Authenticate(_ context.Context, req *accountsv1.AuthenticateRequest) (*accountsv1.AuthenticateResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if scopes, ok := strings.CutPrefix(req.GetToken(), "tbl_"); ok {
		if s.ended[req.GetToken()] {
			return nil, rpc.Fail("token_ended", "")
		}
		return &accountsv1.AuthenticateResponse{Account: accountID, Session: sessionID, Scopes: strings.Split(scopes, ",")}, nil
	}
	if s.ended[req.GetToken()] || req.GetToken() == "" {
		return nil, rpc.Fail("session_ended", "")
	}
	return &accountsv1.AuthenticateResponse{Account: accountOf(req.GetToken()), Session: "session of " + req.GetToken()}, nil
}

func (s *school) GetMe(ctx context.Context, _ *accountsv1.GetMeRequest) (*accountsv1.GetMeResponse, error) {
	caller, _ := identity.From(ctx)
	return &accountsv1.GetMeResponse{Account: &accountsv1.Account{Id: caller.Account}}, nil
}

func (s *school) LogOut(_ context.Context, req *accountsv1.LogOutRequest) (*accountsv1.LogOutResponse, error) {
	s.end(req.GetToken())
	return &accountsv1.LogOutResponse{}, nil
}

func (s *school) end(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended[token] = true
}

func (s *school) StartPairing(_ context.Context, req *accountsv1.StartPairingRequest) (*accountsv1.StartPairingResponse, error) {
	return &accountsv1.StartPairingResponse{DeviceCode: req.GetNetwork(), UserCode: "WXYZ-2345", IntervalS: 5}, nil
}

func (s *school) TakePairing(context.Context, *accountsv1.TakePairingRequest) (*accountsv1.TakePairingResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pairing, nil
}

func (s *school) ChangePassword(context.Context, *accountsv1.ChangePasswordRequest) (*accountsv1.ChangePasswordResponse, error) {
	return &accountsv1.ChangePasswordResponse{}, nil
}

// word is a fake of the bus's word that sessions may have ended.
type word struct {
	mu    sync.Mutex
	ended func(string)
	ready chan struct{}
}

func (w *word) WatchAccess(ended func(string)) (func(), error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = ended
	close(w.ready)
	return func() {}, nil
}

func (w *word) say(account string) {
	<-w.ready
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended(account)
}

func schoolWorld(t *testing.T, change func(*Config)) (*world, *school, *word) {
	s, said := &school{ended: map[string]bool{}}, &word{ready: make(chan struct{})}
	w := newWorldOf(t, change, s, func(d *Deps) { d.Access = said })
	return w, s, said
}

func cookieOf(resp *http.Response, name string) string {
	for _, c := range resp.Cookies() {
		if strings.HasSuffix(c.Name, "tabuleiro_"+name) {
			return c.Name + "=" + c.Value
		}
	}
	return ""
}

// A session that ends on another gateway cuts its streams here as soon as word
// comes, and nobody else's.
func TestASessionThatEndsElsewhereCutsItsStreams(t *testing.T) {
	w, accounts, said := schoolWorld(t, nil)
	streams := map[string]*reader{}
	for _, token := range []string{"ana", "rui", "tbl_games:read"} {
		streams[token] = w.stream(t, "topic=game:"+gameID, "Authorization", "Bearer "+token)
		streams[token].want("snapshot", 1)
	}
	accounts.end("ana")
	accounts.end("tbl_games:read")
	said.say(accountOf("ana"))
	said.say(accountID) // the token's
	said.say(accountOf("rui"))
	for _, token := range []string{"ana", "tbl_games:read"} {
		if m, ok := streams[token].next(); ok {
			t.Errorf("%s: got %+v, want the end", token, m)
		}
	}
	w.play.happen("moved")
	streams["rui"].want("moved", 2)
}

// Forty pupils behind one address log in within the same minute, each with two
// slips of the finger, and play: nobody is held up.
func TestASchoolBehindOneAddressIsNotHeldUp(t *testing.T) {
	const pupils, moves = 40, 30
	w, _, _ := schoolWorld(t, nil)
	var wg sync.WaitGroup
	for n := range pupils {
		wg.Go(func() {
			login := fmt.Sprint("pupil-", n)
			for _, password := range []string{"wrong", "wrong", "right"} {
				resp, text := w.call(t, "POST", "/v1/sessions", `{"login":"`+login+`","password":"`+password+`","shared":true}`)
				if want := map[string]int{"wrong": 401, "right": 201}[password]; resp.StatusCode != want {
					t.Errorf("%s logs in: %d %s", login, resp.StatusCode, text)
				}
			}
			auth := []string{"Authorization", "Bearer " + login, "Idempotency-Key", "k"}
			if resp, text := w.call(t, "POST", "/v1/games", `{"rules":"tictactoe","opponent":"engine"}`, auth...); resp.StatusCode != 201 {
				t.Errorf("%s begins: %d %s", login, resp.StatusCode, text)
			}
			for range moves {
				resp, text := w.call(t, "POST", "/v1/games/"+gameID+"/moves", `{"move":"b2","turn":0}`, auth...)
				if resp.StatusCode == http.StatusTooManyRequests {
					t.Errorf("%s moves: %s", login, text)
				}
			}
		})
	}
	wg.Wait()
}

// Whoever has asked for too much may still move.
func TestAMoveIsNeverLimited(t *testing.T) {
	w, _, _ := schoolWorld(t, nil)
	auth := []string{"Authorization", "Bearer ana", "Idempotency-Key", "k"}
	key := accountOf("ana")
	now := time.Now()
	w.gateway.limits.persons.now = func() time.Time { return now }
	w.gateway.limits.games.now = w.gateway.limits.persons.now
	for w.gateway.limits.persons.take(key) == 0 {
	}
	resp, text := w.call(t, "GET", "/v1/me", "", auth...)
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" {
		t.Errorf("one request too many: %d %s", resp.StatusCode, text)
	}
	for _, command := range []string{"moves", "resign", "draw-offer", "draw-answer", "draw-claim"} {
		resp, text := w.call(t, "POST", "/v1/games/"+gameID+"/"+command, `{"move":"b2","turn":0}`, auth...)
		if resp.StatusCode == http.StatusTooManyRequests {
			t.Errorf("%s: %s", command, text)
		}
	}
	for w.gateway.limits.games.take(key) == 0 {
	}
	for command, limited := range map[string]bool{"moves": false, "touch": false, "takeback-offer": true, "rematch": true} {
		resp, text := w.call(t, "POST", "/v1/games/"+gameID+"/"+command, `{"move":"b2","turn":0}`, auth...)
		if got := resp.StatusCode == http.StatusTooManyRequests; got != limited {
			t.Errorf("%s after too many commands: %d %s", command, resp.StatusCode, text)
		}
	}
	// Another person at the same address is not touched.
	if resp, text := w.call(t, "GET", "/v1/me", "", "Authorization", "Bearer rui"); resp.StatusCode != http.StatusOK {
		t.Errorf("another person: %d %s", resp.StatusCode, text)
	}
}

// Every limit says when to come back.
func TestEveryLimitSaysWhenToComeBack(t *testing.T) {
	w, accounts, _ := schoolWorld(t, nil)
	accounts.pairing = &accountsv1.TakePairingResponse{Status: "pending"}
	for _, tc := range []struct {
		name               string
		limiter            *limiter
		key                string
		method, path, body string
		headers            []string
	}{
		{"log-ins", w.gateway.limits.attempts, "127.0.0.1", "POST", "/v1/sessions", `{"login":"ana","password":"right"}`, nil},
		{"registrations", w.gateway.limits.attempts, "127.0.0.1", "POST", "/v1/accounts", `{}`, nil},
		{"wrong passwords", w.gateway.limits.guesses, "127.0.0.1 eva", "POST", "/v1/sessions", `{"login":"eva","password":"wrong"}`, []string{"Cookie", ""}},
		{"visitors", w.gateway.limits.visitors, "127.0.0.1", "POST", "/v1/games", `{}`, nil},
		{"pairings", w.gateway.limits.pairings, "127.0.0.1", "POST", "/v1/pairings", `{"kind":"board"}`, nil},
		{"polls", w.gateway.limits.polls, "127.0.0.1", "POST", "/v1/pairings/poll", `{"device_code":"x"}`, nil},
		{"tokens", w.gateway.limits.tokens, sessionID, "GET", "/v1/games", "", []string{"Authorization", "Bearer tbl_games:read"}},
		{"games", w.gateway.limits.games, accountOf("ana"), "POST", "/v1/games/" + gameID + "/resign", "{}", []string{"Authorization", "Bearer ana", "Idempotency-Key", "k"}},
		{"nobody", w.gateway.limits.addresses, "127.0.0.1", "GET", "/v1/rules", "", nil},
		{"streams", w.gateway.limits.persons, accountOf("ana"), "GET", "/v1/events?topic=me", "", []string{"Authorization", "Bearer ana"}},
	} {
		now := time.Now()
		tc.limiter.now = func() time.Time { return now }
		for tc.limiter.take(tc.key) == 0 {
		}
		resp, text := w.call(t, tc.method, tc.path, tc.body, tc.headers...)
		if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" || resp.Header.Get("Retry-After") == "0" {
			t.Errorf("%s: %d, Retry-After %q, %s", tc.name, resp.StatusCode, resp.Header.Get("Retry-After"), text)
		}
		tc.limiter.forgive(tc.key)
	}
}

// A classmate who guesses at a pupil's password, at the same address, does not keep
// the pupil out of the browser where they have logged in before; and elsewhere never
// for longer than half a minute.
func TestAClassmatesGuessesKeepNobodyOut(t *testing.T) {
	w, _, _ := schoolWorld(t, nil)
	first, text := w.call(t, "POST", "/v1/sessions", `{"login":"Ana","password":"right"}`)
	device := cookieOf(first, "device")
	if device == "" || strings.Contains(strings.ToLower(device), "ana") {
		t.Fatalf("%s: the device's cookie is %q", text, device)
	}
	var last *http.Response
	for range 3 * guessRate.burst {
		last, _ = w.call(t, "POST", "/v1/sessions", `{"login":"ana","password":"wrong"}`)
	}
	if last.StatusCode != http.StatusTooManyRequests || len(last.Header.Get("Retry-After")) > 2 || last.Header.Get("Retry-After") > "30" {
		t.Errorf("the guesses end with %d, try again in %s s", last.StatusCode, last.Header.Get("Retry-After"))
	}
	if resp, text := w.call(t, "POST", "/v1/sessions", `{"login":"ana","password":"right"}`, "Cookie", device); resp.StatusCode != http.StatusCreated {
		t.Errorf("the pupil, at home in this browser: %d %s", resp.StatusCode, text)
	}
	// A browser in which others have logged in is no help to who guesses.
	other, _ := w.call(t, "POST", "/v1/sessions", `{"login":"rui","password":"right"}`)
	for range guessRate.burst + 1 {
		last, _ = w.call(t, "POST", "/v1/sessions", `{"login":"ana","password":"wrong"}`, "Cookie", cookieOf(other, "device"))
	}
	if last.StatusCode != http.StatusTooManyRequests {
		t.Errorf("guesses from another's browser: %d", last.StatusCode)
	}
	if resp, _ := w.call(t, "POST", "/v1/sessions", `{"login":"ana","password":"wrong"}`, "Cookie", device+"x"); resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a forged cookie: %d", resp.StatusCode)
	}
}

func TestABrowserIsKnownForTheLatestOfItsPeople(t *testing.T) {
	w, _, _ := schoolWorld(t, nil)
	cookie := ""
	for n := range maxDeviceLogins + 2 {
		resp, _ := w.call(t, "POST", "/v1/sessions", fmt.Sprintf(`{"login":"p%d","password":"right"}`, n), "Cookie", cookie)
		cookie = cookieOf(resp, "device")
	}
	_, value, _ := strings.Cut(cookie, "=")
	device, err := w.gateway.deps.Keys.VerifyDevice(value, time.Now())
	if err != nil || len(device.Logins) != maxDeviceLogins || device.Logins[0] != loginMark("p9") || slices.Contains(device.Logins, loginMark("p1")) {
		t.Errorf("%+v, %v", device, err)
	}
}

func TestALogInTellsAccountsWhereItCameFrom(t *testing.T) {
	w, accounts, _ := schoolWorld(t, nil)
	w.call(t, "POST", "/v1/sessions", `{"login":"ana","password":"right","device":"forged","network":"forged"}`,
		"User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	if got := accounts.logins[0]; got.GetDevice() != "Firefox on Linux" || got.GetNetwork() != "127.0.0.0/24" {
		t.Errorf("accounts was told %v", got)
	}
}

func TestDevices(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":           "Chrome on Windows",
		"Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0":                 "Edge on Windows",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1": "Safari on iPhone",
		"Mozilla/5.0 (Linux; Android 15; Moto G) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36":          "Chrome on Android",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36":                "Chrome on ChromeOS",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15":        "Safari on macOS",
		"curl/8.14.1": "curl", "something else": "", "": "",
	} {
		if got := deviceOf(agent); got != want {
			t.Errorf("%s: %q, want %q", agent, got, want)
		}
	}
	g := &Gateway{cfg: Config{Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}}
	for remote, want := range map[string]string{
		"192.0.2.77:1": "192.0.2.0/24", "[2001:db8:1:2::1]:1": "2001:db8:1::/48", "a socket": "",
	} {
		if got := g.network(&http.Request{RemoteAddr: remote}); got != want {
			t.Errorf("%s: %q, want %q", remote, got, want)
		}
	}
}

func TestAnAccessTokenOverHTTP(t *testing.T) {
	w, _, _ := schoolWorld(t, nil)
	bearer := func(scopes string) []string {
		return []string{"Authorization", "Bearer tbl_" + scopes, "Idempotency-Key", "k"}
	}
	for name, tc := range map[string]struct {
		method, path, body, scopes string
		status                     int
		code                       string
	}{
		"reads a game":             {"GET", "/v1/games/" + gameID, "", "games:read", 200, ""},
		"reads no game":            {"GET", "/v1/games/" + gameID, "", "account:read", 403, "scope_missing"},
		"moves":                    {"POST", "/v1/games/" + gameID + "/moves", `{"move":"b2","turn":0}`, "games:play", 422, "king_left_in_check"},
		"does not move":            {"POST", "/v1/games/" + gameID + "/moves", `{"move":"b2","turn":0}`, "games:read", 403, "scope_missing"},
		"reads its account":        {"GET", "/v1/me", "", "account:read", 200, ""},
		"changes no password":      {"POST", "/v1/me/password", `{"old_password":"a","new_password":"b"}`, "account:read", 403, "scope_missing"},
		"makes no token":           {"POST", "/v1/me/tokens", `{"name":"a","scopes":["games:read"]}`, "account:read", 403, "scope_missing"},
		"watches no game":          {"GET", "/v1/events?topic=game:" + gameID, "", "account:read", 403, "scope_missing"},
		"is no session to log out": {"DELETE", "/v1/sessions/current", "", "account:read", 403, "scope_missing"},
		"reads the rules like all": {"GET", "/v1/problems", "", "account:read", 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			resp, text := w.call(t, tc.method, tc.path, tc.body, bearer(tc.scopes)...)
			if resp.StatusCode != tc.status || tc.code != "" && !strings.Contains(text, `"`+tc.code+`"`) {
				t.Errorf("%d %s, want %d %s", resp.StatusCode, text, tc.status, tc.code)
			}
		})
	}
}

func TestPairingOverHTTP(t *testing.T) {
	w, accounts, _ := schoolWorld(t, nil)
	resp, text := w.call(t, "POST", "/v1/pairings", `{"kind":"shared_pc","name":"sala 3","network":"forged"}`)
	if resp.StatusCode != http.StatusCreated || !strings.Contains(text, `"device_code":"127.0.0.0/24"`) || !strings.Contains(text, "WXYZ-2345") {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
	poll := func() (*http.Response, map[string]any) {
		t.Helper()
		resp, text := w.call(t, "POST", "/v1/pairings/poll", `{"device_code":"x"}`)
		var got map[string]any
		if err := json.Unmarshal([]byte(text), &got); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%d %s", resp.StatusCode, text)
		}
		return resp, got
	}
	accounts.pairing = &accountsv1.TakePairingResponse{Status: "pending", IntervalS: 5}
	if resp, got := poll(); got["status"] != "pending" || got["interval_s"] != 5.0 || len(resp.Cookies()) != 0 {
		t.Errorf("pending: %v", got)
	}
	accounts.pairing = &accountsv1.TakePairingResponse{Status: "confirmed", Session: &accountsv1.LogInResponse{
		Token: "paired", Account: &accountsv1.Account{Id: accountID}, ExpiresAt: timestamppb.New(time.Now().Add(time.Hour)),
	}}
	resp, got := poll()
	if cookieOf(resp, "session") != "tabuleiro_session=paired" || got["account"] == nil || strings.Contains(fmt.Sprint(got), "paired") {
		t.Errorf("a shared PC: %v, cookies %v", got, resp.Cookies())
	}
	accounts.pairing = &accountsv1.TakePairingResponse{Status: "confirmed", Board: &accountsv1.Board{Id: gameID, Name: "b"}, BoardSecret: "tbb_x"}
	if resp, got := poll(); got["board_secret"] != "tbb_x" || got["board"] == nil || len(resp.Cookies()) != 0 {
		t.Errorf("a board: %v", got)
	}
}

// Behind a proxy of ours that ends TLS, cookies are bound to https and the host's
// plain address is another site; whoever else says so is not believed.
func TestCookiesBehindAProxyThatEndsTLS(t *testing.T) {
	trusted := func(c *Config) { c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
	for _, tc := range []struct {
		name   string
		change func(*Config)
		proto  string
		secure bool
	}{
		{"our proxy, https", trusted, "https", true},
		{"our proxy, HTTPS in two hops", trusted, "http, HTTPS", true},
		{"our proxy, http", trusted, "http", false},
		{"our proxy, which says nothing", trusted, "", false},
		{"no proxy of ours", nil, "https", false},
		{"TLS here", func(c *Config) { c.TLS = true }, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w, _, _ := schoolWorld(t, tc.change)
			resp, text := w.call(t, "POST", "/v1/sessions", `{"login":"ana","password":"right"}`, "X-Forwarded-Proto", tc.proto)
			if resp.StatusCode != http.StatusCreated {
				t.Fatalf("%d %s", resp.StatusCode, text)
			}
			for _, c := range resp.Cookies() {
				if c.Secure != tc.secure || strings.HasPrefix(c.Name, "__Host-") != tc.secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
					t.Errorf("cookie %v", c)
				}
			}
			if got := resp.Header.Get("Strict-Transport-Security") != ""; got != tc.secure {
				t.Errorf("Strict-Transport-Security: %v, want %v", got, tc.secure)
			}
			cookie := cookieOf(resp, "session")
			me, text := w.call(t, "GET", "/v1/me", "", "Cookie", cookie, "X-Forwarded-Proto", tc.proto)
			if me.StatusCode != http.StatusOK {
				t.Errorf("me: %d %s", me.StatusCode, text)
			}
			host := strings.TrimPrefix(w.url, "http://")
			plain, text := w.call(t, "POST", "/v1/me/password", `{"old_password":"a","new_password":"b"}`,
				"Cookie", cookie, "X-Forwarded-Proto", tc.proto, "Origin", "http://"+host, "Idempotency-Key", "k")
			if want := map[bool]int{true: 403, false: 200}[tc.secure]; plain.StatusCode != want {
				t.Errorf("from the plain address: %d %s, want %d", plain.StatusCode, text, want)
			}
		})
	}
}

func TestAnotherSitesPageGetsNothing(t *testing.T) {
	w, _, _ := schoolWorld(t, nil)
	for name, headers := range map[string][]string{
		"by its origin":      {"Origin", "https://evil.example"},
		"by what it fetches": {"Sec-Fetch-Site", "cross-site"},
	} {
		headers = append(headers, "Cookie", "tabuleiro_session=ana", "Idempotency-Key", "k")
		if resp, text := w.call(t, "POST", "/v1/me/password", `{"old_password":"a","new_password":"b"}`, headers...); resp.StatusCode != 403 || !strings.Contains(text, "bad_origin") {
			t.Errorf("a command, %s: %d %s", name, resp.StatusCode, text)
		}
	}
	if resp, text := w.call(t, "GET", "/v1/events?topic=me", "", "Cookie", "tabuleiro_session=ana", "Sec-Fetch-Site", "cross-site"); resp.StatusCode != 403 {
		t.Errorf("a stream: %d %s", resp.StatusCode, text)
	}
}
