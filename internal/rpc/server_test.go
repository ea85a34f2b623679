package rpc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/channelz/grpc_channelz_v1" // methods without our option
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"tabuleiro/internal/identity"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// stage has fakes of three services behind the chain, on both transports.
type stage struct {
	keys    *identity.Keys
	config  ServerConfig
	logs    *lockedBuffer
	network *Network
	direct  *Direct
	// handle is what every method does.
	handle func(ctx context.Context) error
	seen   observed
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

type observed struct {
	mu    sync.Mutex
	calls []string
}

func (o *observed) ObserveRPC(service, method, code string, took time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls = append(o.calls, service+"/"+method+" "+code)
}

type fakePlay struct {
	playv1.UnimplementedPlayServiceServer
	s *stage
}

func (f fakePlay) CreateGame(ctx context.Context, _ *playv1.CreateGameRequest) (*playv1.CreateGameResponse, error) {
	return &playv1.CreateGameResponse{}, f.s.handle(ctx)
}

func (f fakePlay) GetGame(ctx context.Context, _ *playv1.GetGameRequest) (*playv1.GetGameResponse, error) {
	return &playv1.GetGameResponse{}, f.s.handle(ctx)
}

type fakeAccounts struct {
	accountsv1.UnimplementedAccountsServiceServer
	s *stage
}

func (f fakeAccounts) GetMe(ctx context.Context, _ *accountsv1.GetMeRequest) (*accountsv1.GetMeResponse, error) {
	return &accountsv1.GetMeResponse{}, f.s.handle(ctx)
}

func (f fakeAccounts) Authenticate(ctx context.Context, _ *accountsv1.AuthenticateRequest) (*accountsv1.AuthenticateResponse, error) {
	return &accountsv1.AuthenticateResponse{}, f.s.handle(ctx)
}

func (f fakeAccounts) OpenPolicy(ctx context.Context, _ *accountsv1.OpenPolicyRequest) (*accountsv1.OpenPolicyResponse, error) {
	return &accountsv1.OpenPolicyResponse{}, f.s.handle(ctx)
}

type fakeRules struct {
	rulesv1.UnimplementedRulesServiceServer
	s *stage
}

func (f fakeRules) Inspect(ctx context.Context, req *rulesv1.InspectRequest) (*rulesv1.InspectResponse, error) {
	return &rulesv1.InspectResponse{}, f.s.handle(ctx)
}

func newStage(t *testing.T) *stage {
	t.Helper()
	keys, err := identity.Generate(identity.Gateway, "play", "accounts")
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{keys: keys, logs: &lockedBuffer{}, network: NewInProcess(), handle: func(context.Context) error { return nil }}
	s.config = ServerConfig{
		Service: "test", Verify: keys.Verify, Metrics: &s.seen,
		Log: slog.New(slog.NewTextHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	server := NewServer(s.config)
	s.direct = NewDirect(s.config)
	for _, registrar := range []grpc.ServiceRegistrar{server, s.direct} {
		playv1.RegisterPlayServiceServer(registrar, fakePlay{s: s})
		accountsv1.RegisterAccountsServiceServer(registrar, fakeAccounts{s: s})
		rulesv1.RegisterRulesServiceServer(registrar, fakeRules{s: s})
	}
	healthv1.RegisterHealthServer(server, health.NewServer())
	go server.Serve(s.network.Listen("all"))
	t.Cleanup(server.Stop)
	return s
}

// each runs the test over bufconn and over Direct.
func (s *stage) each(t *testing.T, signer string, test func(t *testing.T, conn grpc.ClientConnInterface)) {
	t.Helper()
	cfg := ClientConfig{}
	if signer != "" {
		own, err := s.keys.Signer(signer)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Signer = own
	}
	conn, err := s.network.Dial("all", cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	t.Run("bufconn", func(t *testing.T) { test(t, conn) })
	t.Run("direct", func(t *testing.T) { test(t, s.direct.Dial(cfg)) })
}

func codeOf(err error) string {
	if err == nil {
		return "ok"
	}
	if p, ok := ProblemOf(err); ok {
		return p.Code
	}
	return "no problem: " + err.Error()
}

var calls = map[string]func(ctx context.Context, conn grpc.ClientConnInterface) error{
	"public": func(ctx context.Context, conn grpc.ClientConnInterface) error {
		_, err := rulesv1.NewRulesServiceClient(conn).Inspect(ctx, &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: "chess"}})
		return err
	},
	"guest": func(ctx context.Context, conn grpc.ClientConnInterface) error {
		_, err := playv1.NewPlayServiceClient(conn).GetGame(ctx, &playv1.GetGameRequest{Game: "01890a5d-ac96-774b-bcce-b302099a8057"})
		return err
	},
	"account": func(ctx context.Context, conn grpc.ClientConnInterface) error {
		_, err := accountsv1.NewAccountsServiceClient(conn).GetMe(ctx, &accountsv1.GetMeRequest{})
		return err
	},
	"service": func(ctx context.Context, conn grpc.ClientConnInterface) error {
		_, err := accountsv1.NewAccountsServiceClient(conn).Authenticate(ctx, &accountsv1.AuthenticateRequest{Token: "t"})
		return err
	},
	"role": func(ctx context.Context, conn grpc.ClientConnInterface) error {
		_, err := accountsv1.NewAccountsServiceClient(conn).OpenPolicy(ctx, &accountsv1.OpenPolicyRequest{Account: "01890a5d-ac96-774b-bcce-b302099a8057"})
		return err
	},
}

var (
	guest    = identity.Caller{Guest: true, Session: "g"}
	learner  = identity.Caller{Account: "a", Session: "s", Roles: []string{"learner"}}
	operator = identity.Caller{Account: "o", Session: "s", Roles: []string{"learner", "operator"}}
)

func TestAccess(t *testing.T) {
	s := newStage(t)
	for _, who := range []struct {
		name   string
		signer string
		caller identity.Caller
		want   map[string]string
	}{
		{"nobody", "", identity.Caller{}, map[string]string{
			"public": "ok", "guest": "not_logged_in", "account": "not_logged_in", "service": "not_logged_in", "role": "not_logged_in"}},
		{"visitor at the gateway", "gateway", identity.Caller{}, map[string]string{
			"public": "ok", "guest": "not_logged_in", "account": "not_logged_in", "service": "ok", "role": "not_logged_in"}},
		{"guest", "gateway", guest, map[string]string{
			"public": "ok", "guest": "ok", "account": "account_required", "service": "forbidden", "role": "account_required"}},
		{"learner", "gateway", learner, map[string]string{
			"public": "ok", "guest": "ok", "account": "ok", "service": "forbidden", "role": "forbidden"}},
		{"operator", "gateway", operator, map[string]string{
			"public": "ok", "guest": "ok", "account": "ok", "service": "forbidden", "role": "ok"}},
		{"another service", "play", identity.Caller{}, map[string]string{
			"public": "ok", "guest": "forbidden", "account": "forbidden", "service": "forbidden", "role": "forbidden"}},
		// A service never speaks for the person whose request it handles.
		{"another service for an operator", "play", operator, map[string]string{
			"public": "ok", "guest": "forbidden", "account": "forbidden", "service": "forbidden", "role": "forbidden"}},
	} {
		t.Run(who.name, func(t *testing.T) {
			s.each(t, who.signer, func(t *testing.T, conn grpc.ClientConnInterface) {
				ctx := WithKey(context.Background(), "key-1")
				if who.caller.Account != "" || who.caller.Guest {
					ctx = identity.With(ctx, who.caller)
				}
				got := map[string]string{}
				for kind, call := range calls {
					got[kind] = codeOf(call(ctx, conn))
				}
				if !reflect.DeepEqual(got, who.want) {
					t.Errorf("got  %v\nwant %v", got, who.want)
				}
			})
		})
	}
}

// TestTheGatewayLendsNobodyItsRights: a call that the zero Caller marks as a
// stranger's is not the gateway's own.
func TestTheGatewayLendsNobodyItsRights(t *testing.T) {
	s := newStage(t)
	s.each(t, "gateway", func(t *testing.T, conn grpc.ClientConnInterface) {
		ctx := identity.With(WithKey(context.Background(), "key-1"), identity.Caller{})
		for kind, call := range calls {
			want := "not_logged_in"
			if kind == "public" {
				want = "ok"
			}
			if got := codeOf(call(ctx, conn)); got != want {
				t.Errorf("%s: got %s, want %s", kind, got, want)
			}
		}
	})
}

func TestHandlerSeesTheCaller(t *testing.T) {
	s := newStage(t)
	var got identity.Caller
	s.handle = func(ctx context.Context) error {
		got, _ = identity.From(ctx)
		got.Expires = time.Time{}
		return nil
	}
	s.each(t, "gateway", func(t *testing.T, conn grpc.ClientConnInterface) {
		got = identity.Caller{}
		if err := calls["account"](identity.With(t.Context(), operator), conn); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, operator) {
			t.Errorf("got %+v, want %+v", got, operator)
		}
	})
}

// What a client sends in place of a proof is refused, even where no proof is needed.
func TestBadProofs(t *testing.T) {
	s := newStage(t)
	gateway, err := s.keys.Signer("gateway")
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := identity.Generate("gateway")
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := foreign.Signer("gateway")
	if err != nil {
		t.Fatal(err)
	}
	sign := func(s *identity.Signer, at time.Time) string {
		token, err := s.Sign(operator, at)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	good := sign(gateway, time.Now())
	chain := UnaryChain(s.config)
	for name, tc := range map[string]struct {
		tokens []string
		want   string
	}{
		"good":           {[]string{good}, "ok"},
		"expired":        {[]string{sign(gateway, time.Now().Add(-2*identity.Lifetime))}, "not_logged_in"},
		"tampered":       {[]string{strings.Replace(good, ".", ".A", 1)}, "not_logged_in"},
		"foreign-signed": {[]string{sign(stranger, time.Now())}, "not_logged_in"},
		"two":            {[]string{good, good}, "not_logged_in"},
		"none":           {nil, "not_logged_in"},
	} {
		ctx := metadata.NewIncomingContext(t.Context(), metadata.MD{callerHeader: tc.tokens})
		_, err := chain(ctx, &accountsv1.GetMeRequest{}, &grpc.UnaryServerInfo{FullMethod: accountsv1.AccountsService_GetMe_FullMethodName},
			func(context.Context, any) (any, error) { return &accountsv1.GetMeResponse{}, nil })
		if got := codeOf(err); got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
	}
	ctx := metadata.NewIncomingContext(t.Context(), metadata.Pairs(callerHeader, "forged"))
	_, err = chain(ctx, &rulesv1.ListRulesRequest{}, &grpc.UnaryServerInfo{FullMethod: rulesv1.RulesService_ListRules_FullMethodName},
		func(context.Context, any) (any, error) { return &rulesv1.ListRulesResponse{}, nil })
	if got := codeOf(err); got != "not_logged_in" {
		t.Errorf("forged proof on a public method: got %s", got)
	}
}

// A client's own metadata never poses as a proof: the client end replaces it.
func TestOutgoingProofIsOurs(t *testing.T) {
	s := newStage(t)
	s.each(t, "", func(t *testing.T, conn grpc.ClientConnInterface) {
		gateway, err := s.keys.Signer("gateway")
		if err != nil {
			t.Fatal(err)
		}
		token, err := gateway.Sign(operator, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		ctx := metadata.AppendToOutgoingContext(t.Context(), callerHeader, token)
		if got := codeOf(calls["account"](ctx, conn)); got != "not_logged_in" {
			t.Errorf("got %s, want not_logged_in", got)
		}
	})
}

func TestMethodWithoutOptionIsClosed(t *testing.T) {
	s := newStage(t)
	gateway, err := s.keys.Signer("gateway")
	if err != nil {
		t.Fatal(err)
	}
	token, err := gateway.Sign(operator, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"/grpc.channelz.v1.Channelz/GetServers", "/no.Such/Method", "", "/tabuleiro.play.v1.PlayService/Nope", "/tabuleiro.play.v1.Game/id"} {
		ctx := metadata.NewIncomingContext(t.Context(), metadata.Pairs(callerHeader, token))
		_, err := UnaryChain(s.config)(ctx, &rulesv1.ListRulesRequest{}, &grpc.UnaryServerInfo{FullMethod: method},
			func(context.Context, any) (any, error) { t.Errorf("%s ran", method); return nil, nil })
		if got := codeOf(err); got != "forbidden" {
			t.Errorf("%q: got %s, want forbidden", method, got)
		}
	}
	err = closeStreams(nil, nil, &grpc.StreamServerInfo{FullMethod: "/tabuleiro.play.v1.PlayService/Watch"},
		func(any, grpc.ServerStream) error { t.Error("a stream ran"); return nil })
	if got := codeOf(err); got != "forbidden" {
		t.Errorf("stream: got %s, want forbidden", got)
	}
}

func TestEveryMethodOfTheContractsIsMarked(t *testing.T) {
	for _, desc := range []grpc.ServiceDesc{playv1.PlayService_ServiceDesc, accountsv1.AccountsService_ServiceDesc, rulesv1.RulesService_ServiceDesc} {
		for _, m := range desc.Methods {
			if full := "/" + desc.ServiceName + "/" + m.MethodName; readMethod(full).access == nil {
				t.Errorf("%s has no access option", full)
			}
		}
		if len(desc.Streams) > 0 {
			t.Errorf("%s has streams; the chain has no checks for them", desc.ServiceName)
		}
	}
}

func TestHealthNeedsNoCaller(t *testing.T) {
	s := newStage(t)
	conn, err := s.network.Dial("all", ClientConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	got, err := healthv1.NewHealthClient(conn).Check(t.Context(), &healthv1.HealthCheckRequest{})
	if err != nil || got.GetStatus() != healthv1.HealthCheckResponse_SERVING {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestKeys(t *testing.T) {
	s := newStage(t)
	var seen string
	s.handle = func(ctx context.Context) error { seen = Key(ctx); return nil }
	create := func(ctx context.Context, conn grpc.ClientConnInterface) error {
		_, err := playv1.NewPlayServiceClient(conn).CreateGame(ctx, &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine"})
		return err
	}
	s.each(t, "gateway", func(t *testing.T, conn grpc.ClientConnInterface) {
		for key, want := range map[string]string{
			"": "key_missing", "k": "ok", "board:1:2": "ok", strings.Repeat("k", 128): "ok",
			strings.Repeat("k", 129): "bad_key", "a b": "bad_key",
		} {
			seen = "none"
			ctx := WithKey(identity.With(t.Context(), guest), key)
			if got := codeOf(create(ctx, conn)); got != want {
				t.Errorf("key %q: got %s, want %s", key, got, want)
			}
			if want == "ok" && seen != key {
				t.Errorf("the handler saw the key %q, want %q", seen, key)
			}
		}
		// What the gateway's HTTP layer puts into the metadata counts too.
		ctx := metadata.AppendToOutgoingContext(identity.With(t.Context(), guest), keyHeader, "from-http")
		if got := codeOf(create(ctx, conn)); got != "ok" || seen != "from-http" {
			t.Errorf("key of the metadata: got %s, saw %q", got, seen)
		}
		// A question needs none.
		if got := codeOf(calls["guest"](identity.With(t.Context(), guest), conn)); got != "ok" {
			t.Errorf("question without a key: got %s", got)
		}
	})
}

func TestValidationNamesEveryField(t *testing.T) {
	s := newStage(t)
	s.handle = func(context.Context) error { t.Error("the handler ran"); return nil }
	s.each(t, "gateway", func(t *testing.T, conn grpc.ClientConnInterface) {
		ctx := WithKey(identity.With(t.Context(), guest), "k")
		_, err := playv1.NewPlayServiceClient(conn).CreateGame(ctx, &playv1.CreateGameRequest{
			Rules: "go", Opponent: "engine", Level: "gm", Clock: &playv1.ClockSettings{InitialMs: 5},
		})
		p, ok := ProblemOf(err)
		if !ok || p.Code != "bad_field" {
			t.Fatalf("got %v, want bad_field", err)
		}
		got := map[string]string{}
		for _, f := range p.Fields {
			got[f.Name] = f.Code
			if f.Detail == "" {
				t.Errorf("%s: no sentence", f.Name)
			}
		}
		want := map[string]string{"rules": "string.in", "level": "string.in", "clock.initial_ms": "int32.gte_lte"}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestErrorsLeaveWithoutTheirText(t *testing.T) {
	s := newStage(t)
	for name, tc := range map[string]struct {
		handle func(context.Context) error
		want   string
		logged bool
	}{
		"unknown error":   {func(context.Context) error { return errors.New("SQL: secret") }, "internal", true},
		"foreign status":  {func(context.Context) error { return status.Error(codes.NotFound, "secret") }, "internal", true},
		"panic":           {func(context.Context) error { panic("secret") }, "internal", true},
		"unknown code":    {func(context.Context) error { return Fail("secret_code", "secret") }, "internal", true},
		"lost connection": {func(context.Context) error { return status.Error(codes.Unavailable, "secret") }, "unavailable", true},
		"a refusal": {func(context.Context) error {
			return fmt.Errorf("secret: %w", Fail("game_not_found", ""))
		}, "game_not_found", false},
		"a refusal of another service": {func(context.Context) error {
			return fmt.Errorf("secret: %w", Fail("no_piece", "").GRPCStatus().Err())
		}, "no_piece", false},
		"our own mistake at another service": {func(context.Context) error {
			return Fail("forbidden", "secret").GRPCStatus().Err()
		}, "internal", true},
	} {
		t.Run(name, func(t *testing.T) {
			s.handle = tc.handle
			s.each(t, "gateway", func(t *testing.T, conn grpc.ClientConnInterface) {
				id := NewRequestID()
				err := calls["account"](WithRequestID(identity.With(t.Context(), learner), id), conn)
				if got := codeOf(err); got != tc.want {
					t.Errorf("got %s, want %s", got, tc.want)
				}
				if strings.Contains(err.Error(), "secret") {
					t.Errorf("the text left: %v", err)
				}
				if got, want := strings.Count(s.logs.String(), id), map[bool]int{true: 1}[tc.logged]; got != want {
					t.Errorf("the request stands %d times in the log, want %d:\n%s", got, want, s.logs)
				}
			})
		})
	}
	if !strings.Contains(s.logs.String(), "server_test.go") {
		t.Error("no stack of the panic in the log")
	}
}

func TestMetricsCountCodes(t *testing.T) {
	s := newStage(t)
	conn := s.direct.Dial(ClientConfig{})
	if err := calls["public"](t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	_ = calls["account"](t.Context(), conn)
	want := []string{"tabuleiro.rules.v1.RulesService/Inspect ok", "tabuleiro.accounts.v1.AccountsService/GetMe not_logged_in"}
	if !reflect.DeepEqual(s.seen.calls, want) {
		t.Errorf("got %v, want %v", s.seen.calls, want)
	}
}
