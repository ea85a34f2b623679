package gateway

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

const waitTime = 30 * time.Second

const (
	gameID    = "018f0000-0000-7000-8000-000000000001"
	privateID = "018f0000-0000-7000-8000-000000000002"
	accountID = "018f0000-0000-7000-8000-00000000000a"
	sessionID = "018f0000-0000-7000-8000-00000000000b"
	token     = "the-token-of-ana"
)

// fakePlay keeps the events of one public game and knows one private game of
// ana's. Append adds an event, on the bus or not.
type fakePlay struct {
	playv1.UnimplementedPlayServiceServer

	mu      sync.Mutex
	events  []*playv1.Event
	keys    []string
	players []string
	lag     time.Duration // of the last who asked for a game
	bus     *fakeBus
}

func newFakePlay(bus *fakeBus) *fakePlay {
	p := &fakePlay{bus: bus}
	p.add("created")
	return p
}

func (p *fakePlay) add(kind string) *playv1.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	version := int32(len(p.events) + 1)
	e := &playv1.Event{GameId: gameID, Version: version, Kind: kind, Game: &playv1.Game{Id: gameID, Version: version, Rules: "tictactoe"}}
	p.events = append(p.events, e)
	return e
}

// happen adds an event and publishes its copy.
func (p *fakePlay) happen(kind string) { p.bus.publish(p.add(kind)) }

func (p *fakePlay) GetGame(ctx context.Context, req *playv1.GetGameRequest) (*playv1.GetGameResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	caller, _ := identity.From(ctx)
	p.lag = caller.Lag
	if req.GetGame() == privateID && caller.Account == accountID {
		return &playv1.GetGameResponse{Game: &playv1.Game{Id: privateID, Version: 1, YourSide: "white"}}, nil
	}
	if req.GetGame() != gameID {
		return nil, rpc.Fail("game_not_found", "")
	}
	return &playv1.GetGameResponse{Game: &playv1.Game{Id: gameID, Version: int32(len(p.events)), Rules: "tictactoe"}}, nil
}

func (p *fakePlay) ListEvents(ctx context.Context, req *playv1.ListEventsRequest) (*playv1.ListEventsResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	caller, _ := identity.From(ctx)
	if req.GetGame() == privateID && (caller.Account == accountID || caller.Service == "gateway") {
		return &playv1.ListEventsResponse{Version: 1}, nil
	}
	if req.GetGame() != gameID {
		return nil, rpc.Fail("game_not_found", "")
	}
	out := &playv1.ListEventsResponse{Version: int32(len(p.events))}
	for _, e := range p.events {
		if e.GetVersion() > req.GetAfter() && (req.GetLimit() == 0 || int32(len(out.Events)) < req.GetLimit()) {
			out.Events = append(out.Events, e)
		}
	}
	return out, nil
}

func (p *fakePlay) CreateGame(ctx context.Context, req *playv1.CreateGameRequest) (*playv1.CreateGameResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	caller, _ := identity.From(ctx)
	p.keys = append(p.keys, rpc.Key(ctx))
	p.players = append(p.players, caller.Player())
	return &playv1.CreateGameResponse{Game: &playv1.Game{Id: gameID, Rules: req.GetRules(), Version: 1}}, nil
}

func (p *fakePlay) Move(context.Context, *playv1.MoveRequest) (*playv1.MoveResponse, error) {
	return nil, &rpc.Problem{Code: "king_left_in_check", Squares: []string{"e1", "e8"}}
}

// fakeAccounts knows ana.
type fakeAccounts struct {
	accountsv1.UnimplementedAccountsServiceServer

	mu    sync.Mutex
	ended bool
}

func (a *fakeAccounts) LogIn(_ context.Context, req *accountsv1.LogInRequest) (*accountsv1.LogInResponse, error) {
	if req.GetLogin() != "ana" || req.GetPassword() != "secret-secret" {
		return nil, rpc.Fail("invalid_login", "")
	}
	return &accountsv1.LogInResponse{
		Token: token, Account: &accountsv1.Account{Id: accountID, Login: "ana"}, ExpiresAt: timestamppb.New(time.Now().Add(time.Hour)),
	}, nil
}

func (a *fakeAccounts) Authenticate(_ context.Context, req *accountsv1.AuthenticateRequest) (*accountsv1.AuthenticateResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if req.GetToken() != token || a.ended {
		return nil, rpc.Fail("session_ended", "")
	}
	return &accountsv1.AuthenticateResponse{Account: accountID, Session: sessionID}, nil
}

func (a *fakeAccounts) LogOut(context.Context, *accountsv1.LogOutRequest) (*accountsv1.LogOutResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	return &accountsv1.LogOutResponse{}, nil
}

func (a *fakeAccounts) GetMe(ctx context.Context, _ *accountsv1.GetMeRequest) (*accountsv1.GetMeResponse, error) {
	caller, _ := identity.From(ctx)
	return &accountsv1.GetMeResponse{Account: &accountsv1.Account{Id: caller.Account, Login: "ana"}}, nil
}

type fakeRules struct {
	rulesv1.UnimplementedRulesServiceServer
}

func (fakeRules) Inspect(_ context.Context, req *rulesv1.InspectRequest) (*rulesv1.InspectResponse, error) {
	return &rulesv1.InspectResponse{Ruling: &commonv1.Ruling{Position: req.GetPosition()}}, nil
}

// fakeBus hands copies to who watches, in the publisher's goroutine. A silent
// bus drops them.
type fakeBus struct {
	mu     sync.Mutex
	silent bool
	next   int
	games  map[int]func(*busv1.GameEvent)
	lost   map[int]func()
}

func newFakeBus() *fakeBus {
	return &fakeBus{games: map[int]func(*busv1.GameEvent){}, lost: map[int]func(){}}
}

func (b *fakeBus) publish(e *playv1.Event) {
	b.mu.Lock()
	var all []func(*busv1.GameEvent)
	if !b.silent {
		for _, f := range b.games {
			all = append(all, f)
		}
	}
	b.mu.Unlock()
	for _, f := range all {
		f(&busv1.GameEvent{Event: e, Players: []string{accountID}})
	}
}

func (b *fakeBus) setSilent(silent bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.silent = silent
}

// reconnect tells all that copies may be missing.
func (b *fakeBus) reconnect() {
	b.mu.Lock()
	var all []func()
	for _, f := range b.lost {
		all = append(all, f)
	}
	b.mu.Unlock()
	for _, f := range all {
		f()
	}
}

func (b *fakeBus) watch(event func(*busv1.GameEvent), lost func()) (func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := b.next
	b.next++
	b.games[id], b.lost[id] = event, lost
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.games, id)
		delete(b.lost, id)
	}, nil
}

func (b *fakeBus) WatchGame(_ string, event func(*busv1.GameEvent), lost func()) (func(), error) {
	return b.watch(event, lost)
}

func (b *fakeBus) WatchAll(event func(*busv1.GameEvent), lost func()) (func(), error) {
	return b.watch(event, lost)
}

// world is a gateway before fakes.
type world struct {
	gateway  *Gateway
	play     *fakePlay
	accounts *fakeAccounts
	bus      *fakeBus
	kept     *fakeKept
	url      string
	client   *http.Client
}

func newWorld(t *testing.T, change func(*Config)) *world {
	t.Helper()
	accounts := &fakeAccounts{}
	w := newWorldOf(t, change, accounts, func(*Deps) {})
	w.accounts = accounts
	return w
}

// newWorldOf has other accounts, which may keep access too.
func newWorldOf(t *testing.T, change func(*Config), accounts accountsv1.AccountsServiceServer, with func(*Deps)) *world {
	t.Helper()
	keys, err := identity.Generate("gateway")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := keys.Signer("gateway")
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	bus := newFakeBus()
	w := &world{play: newFakePlay(bus), bus: bus, client: &http.Client{}}
	direct := rpc.NewDirect(rpc.ServerConfig{Service: "fake", Verify: keys.Verify, Log: quiet})
	playv1.RegisterPlayServiceServer(direct, w.play)
	accountsv1.RegisterAccountsServiceServer(direct, accounts)
	if access, ok := accounts.(accountsv1.AccessServiceServer); ok {
		accountsv1.RegisterAccessServiceServer(direct, access)
	}
	rulesv1.RegisterRulesServiceServer(direct, fakeRules{})
	w.kept = &fakeKept{play: w.play}
	w.kept.register(direct)
	conn := direct.Dial(rpc.ClientConfig{Signer: signer})
	cfg := Config{Version: "test", RequiredFields: []string{"login", "password"}, Check: time.Hour}
	if change != nil {
		change(&cfg)
	}
	deps := Deps{
		Rules: conn, Play: conn, Accounts: conn, Tutor: conn, Events: bus, Signer: signer, Keys: keys,
		Client: fstest.MapFS{"index.html": {Data: []byte("<title>Tabuleiro</title>")}, "assets/a-1.js": {Data: []byte("1")}},
		Ready:  func(context.Context) map[string]error { return nil },
		Now:    time.Now, Log: quiet,
	}
	with(&deps)
	w.gateway, err = New(cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.gateway.Run(ctx) }()
	server := httptest.NewServer(w.gateway.Handler())
	w.url = server.URL
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		server.Close()
	})
	return w
}

// call sends one request; headers are pairs.
func (w *world) call(t *testing.T, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := w.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}
