package accounts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/db"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	"tabuleiro/services/accounts/accountstest"
)

// world is the service behind the real chain of calls, with a clock, ids and
// secrets of its own.
type world struct {
	t     *testing.T
	svc   *Service
	store Store
	now   time.Time
	keys  *identity.Keys
	conn  *rpc.Direct
	log   bytes.Buffer
	ids   int
}

func newWorld(t *testing.T, change ...func(*Config, *Deps)) *world {
	t.Helper()
	w := &world{t: t, now: monday}
	cfg, deps := Config{}, Deps{
		Store: NewMemory(), Hasher: accountstest.Hasher{}, Now: func() time.Time { return w.now },
		NewID:  func() string { w.ids++; return id(1000 + w.ids) },
		Random: rand.NewChaCha8([32]byte{}),
	}
	secret, err := identity.Generate("accounts")
	if err != nil {
		t.Fatal(err)
	}
	if deps.Sealer, err = secret.Sealer("accounts", sealPurpose); err != nil {
		t.Fatal(err)
	}
	for _, f := range change {
		f(&cfg, &deps)
	}
	if w.svc, err = New(cfg, deps); err != nil {
		t.Fatal(err)
	}
	w.store = deps.Store
	if w.keys, err = identity.Generate(identity.Gateway, "play", "tutor"); err != nil {
		t.Fatal(err)
	}
	w.conn = rpc.NewDirect(w.serverConfig())
	w.svc.RegisterWith(w.conn)
	return w
}

func (w *world) serverConfig() rpc.ServerConfig {
	return rpc.ServerConfig{
		Service: "accounts", Verify: w.keys.Verify, Now: func() time.Time { return w.now },
		Log: slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
}

// clientConfig calls as a service.
func (w *world) clientConfig(service string) rpc.ClientConfig {
	signer, err := w.keys.Signer(service)
	if err != nil {
		w.t.Fatal(err)
	}
	return rpc.ClientConfig{Signer: signer, Now: func() time.Time { return w.now }}
}

func (w *world) as(service string) accountsv1.AccountsServiceClient {
	return accountsv1.NewAccountsServiceClient(w.conn.Dial(w.clientConfig(service)))
}

func (w *world) gateway() accountsv1.AccountsServiceClient { return w.as(identity.Gateway) }

// person is a context in which the gateway speaks for an account.
func (w *world) person(account string, roles ...string) context.Context {
	return identity.With(w.t.Context(), identity.Caller{Account: account, Session: id(1), Roles: roles})
}

func form(login string) *accountsv1.RegisterRequest {
	return &accountsv1.RegisterRequest{
		Login: login, Password: "segredo-123", FirstName: "Ana", Surname: "Conceição", BirthDate: "29/02/2016", Sex: "female",
	}
}

func (w *world) register(key string, req *accountsv1.RegisterRequest) (*accountsv1.Account, error) {
	resp, err := w.gateway().Register(rpc.WithKey(w.t.Context(), key), req)
	return resp.GetAccount(), err
}

func (w *world) mustRegister(login string) *accountsv1.Account {
	w.t.Helper()
	account, err := w.register("register:"+login, form(login))
	if err != nil {
		w.t.Fatal(err)
	}
	return account
}

// wantProblem compares a problem's code and its fields, written "name code".
func wantProblem(t *testing.T, what string, err error, code string, fields ...string) *rpc.Problem {
	t.Helper()
	p, ok := rpc.ProblemOf(err)
	if !ok {
		t.Errorf("%s: got %v, want problem %s", what, err, code)
		return &rpc.Problem{}
	}
	var got []string
	for _, f := range p.Fields {
		got = append(got, f.Name+" "+f.Code)
	}
	if p.Code != code || strings.Join(got, ", ") != strings.Join(fields, ", ") {
		t.Errorf("%s: got %s with fields %q, want %s with %q", what, p.Code, got, code, fields)
	}
	return p
}

func wantProto(t *testing.T, what string, got, want proto.Message) {
	t.Helper()
	if !proto.Equal(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func TestNewRefusesAnUnknownRequiredField(t *testing.T) {
	_, err := New(Config{RequiredFields: []string{"shoe_size"}}, Deps{Store: NewMemory()})
	if unknown, ok := errors.AsType[*UnknownFieldError](err); !ok || unknown.Field != "shoe_size" {
		t.Errorf("got %v, want an error that names the field", err)
	}
}

func TestRegister(t *testing.T) {
	w := newWorld(t)
	got, err := w.register("k1", form("Ana"))
	if err != nil {
		t.Fatal(err)
	}
	want := &accountsv1.Account{
		Id: id(1001), Login: "Ana", FirstName: "Ana", Surname: "Conceição", BirthDate: "2016-02-29", Sex: "female",
		Policy: "guided", Roles: []string{"learner"}, CreatedAt: timestamppb.New(monday),
	}
	wantProto(t, "account", got, want)

	again, err := w.register("k1", form("Ana"))
	wantErr(t, "the same command", err, nil)
	wantProto(t, "the first answer", again, want)
	for name, change := range map[string]func(*accountsv1.RegisterRequest){
		"another surname":  func(r *accountsv1.RegisterRequest) { r.Surname = "Silva" },
		"another login":    func(r *accountsv1.RegisterRequest) { r.Login = "Rui" },
		"another password": func(r *accountsv1.RegisterRequest) { r.Password = "segredo-124" },
	} {
		req := form("Ana")
		change(req)
		_, err := w.register("k1", req)
		wantProblem(t, name+" under the same key", err, "key_reused")
	}
	_, err = w.register("k2", form("aNA"))
	wantProblem(t, "the login in other case", err, "login_taken", "login login_taken")
	_, err = w.gateway().Register(t.Context(), form("Rui"))
	wantProblem(t, "without a key", err, "key_missing")

	adult := form("Rui")
	adult.BirthDate, adult.Policy = "1980-05-01", "open"
	got, err = w.register("k3", adult)
	if err != nil || got.Policy != "open" {
		t.Errorf("an adult who asks for it: %v, %v, want an open policy", got, err)
	}
	wantNoSecrets(t, w)
}

// wantNoSecrets looks for names, logins and passwords in everything logged.
func wantNoSecrets(t *testing.T, w *world) {
	t.Helper()
	for _, secret := range []string{"segredo", "Ana", "Concei", "2016"} {
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("the log has %q in it", secret)
		}
	}
}

func TestRegisterRefusals(t *testing.T) {
	w := newWorld(t)
	_, err := w.register("k1", &accountsv1.RegisterRequest{})
	wantProblem(t, "an empty form", err, "fields_missing", "login fields_missing", "password fields_missing",
		"first_name fields_missing", "surname fields_missing", "birth_date fields_missing", "sex fields_missing")
	for code, change := range map[string]func(*accountsv1.RegisterRequest){
		"birth_date bad_date":     func(r *accountsv1.RegisterRequest) { r.BirthDate = "31/02/2010" },
		"password password_short": func(r *accountsv1.RegisterRequest) { r.Password = "1234567" },
		"login bad_field":         func(r *accountsv1.RegisterRequest) { r.Login = "a b" },
		"policy policy_refused":   func(r *accountsv1.RegisterRequest) { r.Policy = "open" },
	} {
		req := form("Ana")
		change(req)
		_, err := w.register("k1", req)
		wantProblem(t, code, err, code[strings.Index(code, " ")+1:], code)
	}
	// A refused form leaves its key free.
	if _, err := w.register("k1", form("Ana")); err != nil {
		t.Error(err)
	}
}

func TestRegisterUnderALaxPolicy(t *testing.T) {
	w := newWorld(t, func(c *Config, _ *Deps) { c.RequiredFields = []string{"first_name"} })
	_, err := w.register("k1", &accountsv1.RegisterRequest{})
	wantProblem(t, "an empty form", err, "fields_missing", "login fields_missing", "password fields_missing", "first_name fields_missing")
	got, err := w.register("k1", &accountsv1.RegisterRequest{Login: "ana", Password: "segredo-123", FirstName: "Ana"})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, "account", got, &accountsv1.Account{
		Id: id(1001), Login: "ana", FirstName: "Ana", Policy: "guided", Roles: []string{"learner"}, CreatedAt: timestamppb.New(monday),
	})
}

func TestLogInAndOut(t *testing.T) {
	w := newWorld(t)
	account := w.mustRegister("Ana")
	ctx := t.Context()

	_, err := w.gateway().LogIn(ctx, &accountsv1.LogInRequest{})
	wantProblem(t, "an empty form", err, "fields_missing", "login fields_missing", "password fields_missing")
	_, wrong := w.gateway().LogIn(ctx, &accountsv1.LogInRequest{Login: "Ana", Password: "segredo-124"})
	_, unknown := w.gateway().LogIn(ctx, &accountsv1.LogInRequest{Login: "Rui", Password: "segredo-123"})
	_, noText := w.gateway().LogIn(ctx, &accountsv1.LogInRequest{Login: "Ana\x00", Password: "segredo-123"})
	for what, err := range map[string]error{"wrong password": wrong, "unknown login": unknown, "a login that PostgreSQL takes for no text": noText} {
		if p := wantProblem(t, what, err, "invalid_login"); p.Detail != "" {
			t.Errorf("%s: the detail %q tells it from the other", what, p.Detail)
		}
	}

	in, err := w.gateway().LogIn(ctx, &accountsv1.LogInRequest{Login: " ana ", Password: "segredo-123"})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, "account", in.Account, account)
	if len(in.Token) != 43 || !in.ExpiresAt.AsTime().Equal(monday.Add(90*24*time.Hour)) {
		t.Errorf("token of %d characters until %v", len(in.Token), in.ExpiresAt.AsTime())
	}
	who, err := w.gateway().Authenticate(ctx, &accountsv1.AuthenticateRequest{Token: in.Token})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, "caller", who, &accountsv1.AuthenticateResponse{Account: account.Id, Session: id(1002), Roles: []string{"learner"}})
	// Only the hash is kept.
	if _, _, err := w.store.Session(ctx, sha256.Sum256([]byte(in.Token))); err != nil {
		t.Errorf("the session is not under the hash of its token: %v", err)
	}

	other, err := w.gateway().LogIn(ctx, &accountsv1.LogInRequest{Login: "ana", Password: "segredo-123"})
	if err != nil || other.Token == in.Token {
		t.Fatalf("a second session: %v, same token %v", err, other.GetToken() == in.Token)
	}
	for range 2 {
		if _, err := w.gateway().LogOut(ctx, &accountsv1.LogOutRequest{Token: in.Token}); err != nil {
			t.Error(err)
		}
	}
	_, err = w.gateway().Authenticate(ctx, &accountsv1.AuthenticateRequest{Token: in.Token})
	wantProblem(t, "after logging out", err, "session_ended")
	_, err = w.gateway().Authenticate(ctx, &accountsv1.AuthenticateRequest{Token: other.Token})
	wantErr(t, "the other session", err, nil)
	wantNoSecrets(t, w)
}

func TestSessionsEndByThemselves(t *testing.T) {
	const day = 24 * time.Hour
	w := newWorld(t)
	w.mustRegister("Ana")
	logIn := func() string {
		t.Helper()
		in, err := w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Ana", Password: "segredo-123"})
		if err != nil {
			t.Fatal(err)
		}
		return in.Token
	}
	use := func(token string) error {
		_, err := w.gateway().Authenticate(t.Context(), &accountsv1.AuthenticateRequest{Token: token})
		return err
	}

	idle, used := logIn(), logIn()
	for range 7 {
		w.now = w.now.Add(12 * day)
		wantErr(t, "a session in use", use(used), nil)
	}
	wantProblem(t, "one not used for two weeks", use(idle), "session_ended")
	w.now = monday.Add(90*day - time.Second)
	wantErr(t, "a second before its end", use(used), nil)
	w.now = monday.Add(90 * day)
	wantProblem(t, "after 90 days", use(used), "session_ended")

	fresh := logIn()
	swept, err := w.svc.SweepSessions(t.Context())
	if swept != 2 || err != nil {
		t.Errorf("swept %d, %v, want 2", swept, err)
	}
	wantErr(t, "a fresh session after the sweep", use(fresh), nil)
	wantErr(t, "an hour later", use(fresh), nil)
}

func TestAUseIsNotedOnceAnHour(t *testing.T) {
	w := newWorld(t)
	w.mustRegister("Ana")
	in, err := w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Ana", Password: "segredo-123"})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ after, seen time.Duration }{{59 * time.Minute, 0}, {time.Hour, time.Hour}, {90 * time.Minute, time.Hour}} {
		w.now = monday.Add(step.after)
		if _, err := w.gateway().Authenticate(t.Context(), &accountsv1.AuthenticateRequest{Token: in.Token}); err != nil {
			t.Fatal(err)
		}
		session, _, err := w.store.Session(t.Context(), hashToken(in.Token))
		if err != nil || !session.SeenAt.Equal(monday.Add(step.seen)) {
			t.Errorf("used after %v: seen at %v, %v, want after %v", step.after, session.SeenAt, err, step.seen)
		}
	}
}

type busyHasher struct{ accountstest.Hasher }

func (busyHasher) Verify(context.Context, string, string) (bool, error) { return false, ErrBusy }

func TestTooManyLogIns(t *testing.T) {
	w := newWorld(t, func(_ *Config, d *Deps) { d.Hasher = busyHasher{} })
	_, err := w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Ana", Password: "segredo-123"})
	if p := wantProblem(t, "a full queue", err, "too_many_logins"); p.RetryAfter != busyRetryAfter {
		t.Errorf("RetryAfter %v, want %v", p.RetryAfter, busyRetryAfter)
	}
}

func TestOperator(t *testing.T) {
	w := newWorld(t)
	code, err := w.svc.NewOperatorCode(t.Context())
	if err != nil || len(code) != 14 || code[4] != '-' || code[9] != '-' {
		t.Fatalf("code %q, %v, want XXXX-XXXX-XXXX", code, err)
	}
	if again, err := w.svc.NewOperatorCode(t.Context()); again != "" || err != nil {
		t.Errorf("a second start: %q, %v, want no code", again, err)
	}
	ana, rui := w.mustRegister("Ana"), w.mustRegister("Rui")
	claim := func(account *accountsv1.Account, key, code string) (*accountsv1.ClaimOperatorResponse, error) {
		return w.gateway().ClaimOperator(rpc.WithKey(w.person(account.Id), key), &accountsv1.ClaimOperatorRequest{Code: code})
	}

	_, err = claim(ana, "k1", "0000-0000-0000")
	wantProblem(t, "a wrong code", err, "bad_code")
	typed := strings.ToLower(strings.ReplaceAll(code, "-", " "))
	got, err := claim(ana, "k1", typed)
	if err != nil {
		t.Fatal(err)
	}
	ana.Roles = []string{"learner", "operator"}
	wantProto(t, "account", got.Account, ana)
	got, err = claim(ana, "k1", code)
	wantErr(t, "the same command", err, nil)
	wantProto(t, "the first answer", got.GetAccount(), ana)
	_, err = claim(ana, "k1", "1111-1111-1111")
	wantProblem(t, "another code under the key", err, "key_reused")
	_, err = claim(rui, "k1", code)
	wantProblem(t, "a used code", err, "bad_code")
	if again, err := w.svc.NewOperatorCode(t.Context()); again != "" || err != nil {
		t.Errorf("a later start: %q, %v, want no code", again, err)
	}

	in, err := w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Ana", Password: "segredo-123"})
	if err != nil {
		t.Fatal(err)
	}
	who, err := w.gateway().Authenticate(t.Context(), &accountsv1.AuthenticateRequest{Token: in.Token})
	wantErr(t, "Authenticate", err, nil)
	wantSame(t, "roles", who.GetRoles(), []string{"learner", "operator"})

	for n := range claimBurst - 1 {
		_, err = claim(rui, fmt.Sprint("guess", n), "0000")
		wantProblem(t, "a guess", err, "bad_code")
	}
	_, err = claim(rui, "guess", "0000")
	if p := wantProblem(t, "too many guesses", err, "too_many_requests"); p.RetryAfter != claimEvery {
		t.Errorf("RetryAfter %v, want %v", p.RetryAfter, claimEvery)
	}
	if strings.Contains(w.log.String(), code) {
		t.Error("the log has the code in it")
	}
}

func TestOpenPolicy(t *testing.T) {
	w := newWorld(t)
	ana, rui := w.mustRegister("Ana"), w.mustRegister("Rui")
	open := func(key, account string) error {
		resp, err := w.gateway().OpenPolicy(rpc.WithKey(w.person(id(5), RoleOperator), key), &accountsv1.OpenPolicyRequest{Account: account})
		if err == nil && resp.Policy != "open" {
			t.Errorf("policy %q", resp.Policy)
		}
		return err
	}
	// Commands remember accounts that exist, as the operator's does.
	for range 2 {
		wantErr(t, "opening", open("k1", ana.Id), nil)
	}
	wantErr(t, "an open one", open("k2", ana.Id), nil)
	wantProblem(t, "another account under the key", open("k1", rui.Id), "key_reused")
	wantProblem(t, "nobody", open("k3", id(99)), "account_not_found")
	wantProblem(t, "no UUID", open("k4", "ana"), "bad_field", "account string.uuid")
	me, err := w.gateway().GetMe(w.person(ana.Id), &accountsv1.GetMeRequest{})
	if err != nil || me.Account.Policy != "open" {
		t.Errorf("the account is %v, %v, want it open", me, err)
	}
}

// Who may call what, with the chain of a real server: a method missing here
// fails, and so does one whose contract opens it further.
func TestAccess(t *testing.T) {
	w := newWorld(t)
	ana := w.mustRegister("Ana")
	callers := map[string]func() (accountsv1.AccountsServiceClient, context.Context){
		"nobody": func() (accountsv1.AccountsServiceClient, context.Context) {
			return accountsv1.NewAccountsServiceClient(w.conn.Dial(rpc.ClientConfig{})), t.Context()
		},
		"guest": func() (accountsv1.AccountsServiceClient, context.Context) {
			return w.gateway(), identity.With(t.Context(), identity.Caller{Guest: true, Session: id(3)})
		},
		"learner": func() (accountsv1.AccountsServiceClient, context.Context) {
			return w.gateway(), w.person(ana.Id, "learner")
		},
		"operator": func() (accountsv1.AccountsServiceClient, context.Context) {
			return w.gateway(), w.person(ana.Id, "operator")
		},
		"teacher": func() (accountsv1.AccountsServiceClient, context.Context) {
			return w.gateway(), w.person(ana.Id, "teacher")
		},
		"gateway": func() (accountsv1.AccountsServiceClient, context.Context) { return w.gateway(), t.Context() },
		"play":    func() (accountsv1.AccountsServiceClient, context.Context) { return w.as("play"), t.Context() },
		"tutor":   func() (accountsv1.AccountsServiceClient, context.Context) { return w.as("tutor"), t.Context() },
	}
	type call func(accountsv1.AccountsServiceClient, context.Context) error
	methods := map[string]struct {
		may  string
		call call
	}{
		"Register": {"nobody guest learner operator teacher gateway play tutor", func(c accountsv1.AccountsServiceClient, ctx context.Context) error {
			_, err := c.Register(ctx, &accountsv1.RegisterRequest{})
			return err
		}},
		"LogIn": {"gateway", func(c accountsv1.AccountsServiceClient, ctx context.Context) error {
			_, err := c.LogIn(ctx, &accountsv1.LogInRequest{})
			return err
		}},
		"LogOut": {"gateway", func(c accountsv1.AccountsServiceClient, ctx context.Context) error {
			_, err := c.LogOut(ctx, &accountsv1.LogOutRequest{Token: "x"})
			return err
		}},
		"Authenticate": {"gateway", func(c accountsv1.AccountsServiceClient, ctx context.Context) error {
			_, err := c.Authenticate(ctx, &accountsv1.AuthenticateRequest{Token: "x"})
			return err
		}},
		"GetMe": {"learner operator teacher", func(c accountsv1.AccountsServiceClient, ctx context.Context) error {
			_, err := c.GetMe(ctx, &accountsv1.GetMeRequest{})
			return err
		}},
		"ListRatingChanges": {"learner operator teacher", func(c accountsv1.AccountsServiceClient, ctx context.Context) error {
			_, err := c.ListRatingChanges(ctx, &accountsv1.ListRatingChangesRequest{})
			return err
		}},
		"OpenPolicy": {"operator teacher", func(c accountsv1.AccountsServiceClient, ctx context.Context) error {
			_, err := c.OpenPolicy(ctx, &accountsv1.OpenPolicyRequest{Account: ana.Id})
			return err
		}},
		"ClaimOperator": {"learner operator teacher", func(c accountsv1.AccountsServiceClient, ctx context.Context) error {
			_, err := c.ClaimOperator(ctx, &accountsv1.ClaimOperatorRequest{Code: "x"})
			return err
		}},
		"GetPlayers": {"play tutor", func(c accountsv1.AccountsServiceClient, ctx context.Context) error {
			_, err := c.GetPlayers(ctx, &accountsv1.GetPlayersRequest{Accounts: []string{ana.Id}})
			return err
		}},
		"Rate": {"play", func(c accountsv1.AccountsServiceClient, ctx context.Context) error {
			_, err := c.Rate(ctx, rateRequest(10, &accountsv1.RatedSeat{Account: ana.Id}, &accountsv1.RatedSeat{Level: "full"}, 2))
			return err
		}},
	}
	for _, m := range accountsv1.AccountsService_ServiceDesc.Methods {
		method, ok := methods[m.MethodName]
		if !ok {
			t.Errorf("%s has no row here", m.MethodName)
			continue
		}
		for name, caller := range callers {
			client, ctx := caller()
			err := method.call(client, rpc.WithKey(ctx, "a-key"))
			p, _ := rpc.ProblemOf(err)
			kept := p != nil && (p.Code == "forbidden" || p.Code == "not_logged_in" || p.Code == "account_required")
			if may := strings.Contains(" "+method.may+" ", " "+name+" "); kept == may {
				t.Errorf("%s by %s: %v, want it allowed: %v", m.MethodName, name, err, may)
			}
		}
	}
}

// brokenStore fails as a database does.
type brokenStore struct {
	*Memory
	err error
}

func (b brokenStore) Accounts(context.Context, []string) ([]Account, error) { return nil, b.err }

func (b brokenStore) Rate(context.Context, Game, func(Account, Pool) Standing, func(Table) (Decision, error)) (Entry, error) {
	return Entry{}, b.err
}

func TestFaultsOfTheStoreDoNotLeak(t *testing.T) {
	for _, test := range []struct {
		err  error
		code string
	}{
		{fmt.Errorf("commit: %w: dial tcp 10.0.0.1", db.ErrUnavailable), "unavailable"},
		{fmt.Errorf("commit: %w: dial tcp 10.0.0.1", db.ErrUnknown), "unavailable"},
		{errors.New("no such table: account"), "internal"},
	} {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store = brokenStore{NewMemory(), test.err} })
		_, me := w.gateway().GetMe(w.person(id(1)), &accountsv1.GetMeRequest{})
		_, rated := w.as("play").Rate(t.Context(), rateRequest(10, &accountsv1.RatedSeat{Account: id(1)}, &accountsv1.RatedSeat{Level: "full"}, 2))
		for what, err := range map[string]error{"GetMe": me, "Rate": rated} {
			if p := wantProblem(t, what, err, test.code); p.Detail != "" {
				t.Errorf("%s: detail %q of the cause %v", what, p.Detail, test.err)
			}
		}
		if !strings.Contains(w.log.String(), test.err.Error()) {
			t.Errorf("the cause %v is not in the log", test.err)
		}
	}
}

func TestNoSecretWithoutRandomness(t *testing.T) {
	w := newWorld(t, func(_ *Config, d *Deps) { d.Random = io.LimitReader(rand.NewChaCha8([32]byte{}), 16) })
	w.mustRegister("Ana")
	_, err := w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Ana", Password: "segredo-123"})
	wantProblem(t, "LogIn", err, "internal")
}
