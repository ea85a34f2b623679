package accounts

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	"tabuleiro/services/accounts/accountstest"
)

func (w *world) access() accountsv1.AccessServiceClient {
	return accountsv1.NewAccessServiceClient(w.conn.Dial(w.clientConfig(identity.Gateway)))
}

func (w *world) logIn(login string, change ...func(*accountsv1.LogInRequest)) *accountsv1.LogInResponse {
	w.t.Helper()
	req := &accountsv1.LogInRequest{Login: login, Password: "segredo-123"}
	for _, f := range change {
		f(req)
	}
	in, err := w.gateway().LogIn(w.t.Context(), req)
	if err != nil {
		w.t.Fatal(err)
	}
	return in
}

// caller is the Caller behind a token, as the gateway makes it.
func (w *world) caller(token string) (identity.Caller, error) {
	who, err := w.gateway().Authenticate(w.t.Context(), &accountsv1.AuthenticateRequest{Token: token})
	if err != nil {
		return identity.Caller{}, err
	}
	return identity.Caller{Account: who.Account, Session: who.Session, Roles: who.Roles, Scopes: who.Scopes}, nil
}

// by is a context in which the gateway speaks for whoever has the token.
func (w *world) by(token string) context.Context {
	w.t.Helper()
	caller, err := w.caller(token)
	if err != nil {
		w.t.Fatal(err)
	}
	return identity.With(w.t.Context(), caller)
}

func (w *world) wantLive(what, token string, live bool) {
	w.t.Helper()
	_, err := w.caller(token)
	if live {
		wantErr(w.t, what, err, nil)
	} else {
		wantProblem(w.t, what, err, "session_ended")
	}
}

func (w *world) makeOperator(account string) {
	w.t.Helper()
	code, err := w.svc.NewOperatorCode(w.t.Context())
	if err != nil || code == "" {
		w.t.Fatalf("operator code %q, %v", code, err)
	}
	if _, err := w.gateway().ClaimOperator(rpc.WithKey(w.person(account), "claim"), &accountsv1.ClaimOperatorRequest{Code: code}); err != nil {
		w.t.Fatal(err)
	}
}

func TestEachKindOfSessionHasItsLimits(t *testing.T) {
	shared := func(r *accountsv1.LogInRequest) { r.Shared = true }
	for _, tc := range []struct {
		name      string
		operator  bool
		change    []func(*accountsv1.LogInRequest)
		idle, age time.Duration
	}{
		{"a person's own device", false, nil, 14 * 24 * time.Hour, 90 * 24 * time.Hour},
		{"an operator", true, nil, 12 * time.Hour, 7 * 24 * time.Hour},
		{"a shared PC", false, []func(*accountsv1.LogInRequest){shared}, 30 * time.Minute, 8 * time.Hour},
		{"an operator at a shared PC", true, []func(*accountsv1.LogInRequest){shared}, 30 * time.Minute, 8 * time.Hour},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, store Store) {
				w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
				ana := w.mustRegister("Ana")
				if tc.operator {
					w.makeOperator(ana.Id)
				}
				idle, used := w.logIn("Ana", tc.change...), w.logIn("Ana", tc.change...)
				if got := used.ExpiresAt.AsTime().Sub(monday); got != tc.age {
					t.Errorf("ends after %v, want %v", got, tc.age)
				}
				w.now = monday.Add(tc.idle - time.Millisecond)
				w.wantLive("before the idle limit", used.Token, true)
				w.now = monday.Add(tc.idle)
				w.wantLive("at the idle limit", idle.Token, false)
				w.wantLive("one that was used", used.Token, true)
				for w.now = w.now.Add(tc.idle - time.Minute); w.now.Before(monday.Add(tc.age)); w.now = w.now.Add(tc.idle * 11 / 12) {
					w.wantLive("in use", used.Token, true)
				}
				w.now = monday.Add(tc.age)
				w.wantLive("at the absolute limit", used.Token, false)
				if swept, err := w.svc.SweepSessions(t.Context()); swept != 2 || err != nil {
					t.Errorf("swept %d, %v, want 2", swept, err)
				}
			})
		})
	}
}

func TestWhoBecomesStaffIsHeldToTheLimitsOfStaff(t *testing.T) {
	w := newWorld(t)
	ana := w.mustRegister("Ana")
	in := w.logIn("Ana")
	w.makeOperator(ana.Id)
	w.now = monday.Add(12 * time.Hour)
	w.wantLive("after 12 hours without use", in.Token, false)
	if list, err := w.access().ListSessions(w.person(ana.Id), &accountsv1.ListSessionsRequest{}); err != nil || len(list.Sessions) != 0 {
		t.Errorf("listed %v, %v, want none", list, err)
	}
}

func TestListAndEndSessions(t *testing.T) {
	var told []string
	w := newWorld(t, func(_ *Config, d *Deps) { d.Ended = func(account string) { told = append(told, account) } })
	ana, rui := w.mustRegister("Ana"), w.mustRegister("Rui")
	first := w.logIn("Ana", func(r *accountsv1.LogInRequest) {
		r.Device, r.Network = "Firefox on\x00 Linux\x7f", "192.0.2.0/24"
	})
	w.now = monday.Add(time.Minute)
	second := w.logIn("Ana", func(r *accountsv1.LogInRequest) { r.Shared = true })
	third, others := w.logIn("Ana"), w.logIn("Rui")
	list, err := w.access().ListSessions(w.by(second.Token), &accountsv1.ListSessionsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	at := timestamppb.New(monday.Add(time.Minute))
	wantProto(t, "sessions", list, &accountsv1.ListSessionsResponse{Sessions: []*accountsv1.Session{
		{Id: list.Sessions[0].Id, Kind: "personal", CreatedAt: at, UsedAt: at, IdleEndsAt: timestamppb.New(at.AsTime().AddDate(0, 0, 14)), ExpiresAt: third.ExpiresAt},
		{Id: list.Sessions[1].Id, Current: true, Kind: "shared", CreatedAt: at, UsedAt: at, IdleEndsAt: timestamppb.New(at.AsTime().Add(30 * time.Minute)), ExpiresAt: second.ExpiresAt},
		{
			Id: list.Sessions[2].Id, Kind: "personal", Device: "Firefox on Linux", Network: "192.0.2.0/24",
			CreatedAt: timestamppb.New(monday), UsedAt: timestamppb.New(monday),
			IdleEndsAt: timestamppb.New(monday.AddDate(0, 0, 14)), ExpiresAt: first.ExpiresAt,
		},
	}})

	// Another's session is nobody else's to end.
	_, err = w.access().EndSession(w.by(others.Token), &accountsv1.EndSessionRequest{Session: list.Sessions[2].Id})
	wantErr(t, "another's session", err, nil)
	w.wantLive("after another asked", first.Token, true)
	told = nil
	for range 2 {
		_, err = w.access().EndSession(w.by(second.Token), &accountsv1.EndSessionRequest{Session: list.Sessions[2].Id})
		wantErr(t, "EndSession", err, nil)
	}
	w.wantLive("the session ended", first.Token, false)
	fourth := w.logIn("Ana")
	ended, err := w.access().EndOtherSessions(w.by(second.Token), &accountsv1.EndOtherSessionsRequest{})
	if err != nil || ended.Ended != 2 {
		t.Errorf("ended %v, %v, want 2", ended, err)
	}
	w.wantLive("another", third.Token, false)
	w.wantLive("another", fourth.Token, false)
	w.wantLive("the one that asked", second.Token, true)
	w.wantLive("another person's", others.Token, true)
	if _, err := w.gateway().LogOut(t.Context(), &accountsv1.LogOutRequest{Token: others.Token}); err != nil {
		t.Error(err)
	}
	if want := []string{ana.Id, ana.Id, ana.Id, rui.Id}; !slices.Equal(told, want) {
		t.Errorf("gateways were told of %v, want %v", told, want)
	}
}

func TestChangePassword(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		var told int
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store, d.Ended = store, func(string) { told++ } })
		w.mustRegister("Ana")
		one, two := w.logIn("Ana"), w.logIn("Ana")
		token, err := w.access().CreateToken(rpc.WithKey(w.by(one.Token), "t"), &accountsv1.CreateTokenRequest{Name: "bot", Scopes: []string{"games:read"}})
		if err != nil {
			t.Fatal(err)
		}
		change := func(key, before, after string, revoke bool) error {
			_, err := w.access().ChangePassword(rpc.WithKey(w.by(one.Token), key), &accountsv1.ChangePasswordRequest{
				OldPassword: before, NewPassword: after, RevokeTokens: revoke,
			})
			w.now = w.now.Add(time.Minute) // tries come back
			return err
		}
		wantProblem(t, "a wrong password", change("k1", "segredo-124", "um novo segredo", false), "wrong_password", "old_password wrong_password")
		wantProblem(t, "a short one", change("k2", "segredo-123", "curta", false), "password_short", "new_password password_short")
		wantProblem(t, "a common one", change("k3", "segredo-123", "Flamengo2024", false), "password_common", "new_password password_common")
		wantProblem(t, "a long one", change("k4", "segredo-123", strings.Repeat("ab c", 33), false), "bad_field", "new_password bad_field")
		w.wantLive("after refusals", two.Token, true)
		told = 0
		wantErr(t, "a change", change("k5", "segredo-123", "um novo segredo", false), nil)
		if told != 1 {
			t.Errorf("gateways were told %d times, want once", told)
		}
		w.wantLive("the session that asked", one.Token, false)
		w.wantLive("another", two.Token, false)
		_, err = w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Ana", Password: "segredo-123"})
		wantProblem(t, "the old password", err, "invalid_login")
		one = w.logIn("Ana", func(r *accountsv1.LogInRequest) { r.Password = "um novo segredo" })
		wantErr(t, "the same command again", change("k5", "segredo-123", "um novo segredo", false), nil)
		w.wantLive("which ends nothing again", one.Token, true)
		wantProblem(t, "its key with another password", change("k5", "um novo segredo", "mais um segredo", false), "key_reused")
		if _, err := w.caller(token.Text); err != nil {
			t.Errorf("a token after a change that spares them: %v", err)
		}
		wantErr(t, "a change that revokes tokens", change("k6", "um novo segredo", "mais um segredo", true), nil)
		_, err = w.caller(token.Text)
		wantProblem(t, "the token", err, "token_ended")
		wantNoSecrets(t, w)
	})
}

func TestGuessesAtOnesOwnPasswordAreBounded(t *testing.T) {
	w := newWorld(t)
	ana := w.mustRegister("Ana")
	var err error
	for range claimBurst + 1 {
		_, err = w.access().ChangePassword(rpc.WithKey(w.person(ana.Id), "k"), &accountsv1.ChangePasswordRequest{OldPassword: "x", NewPassword: "um novo segredo"})
	}
	if p := wantProblem(t, "one try too many", err, "too_many_requests"); p.RetryAfter <= 0 || p.RetryAfter > claimEvery {
		t.Errorf("try again in %v", p.RetryAfter)
	}
}

func TestOperatorsNeedALongerPassword(t *testing.T) {
	w := newWorld(t)
	ana := w.mustRegister("Ana")
	w.makeOperator(ana.Id)
	change := func(key, after string) error {
		_, err := w.access().ChangePassword(rpc.WithKey(w.person(ana.Id), key), &accountsv1.ChangePasswordRequest{OldPassword: "segredo-123", NewPassword: after})
		return err
	}
	wantProblem(t, "11 characters", change("k1", "onze letras"), "password_short", "new_password password_short")
	wantErr(t, "12 characters", change("k2", "doze letras!"), nil)
}

func TestCommonPasswords(t *testing.T) {
	for password, want := range map[string]bool{
		"password": true, "Password1": true, "P@ssw0rd": true, "senha123": true, "Flamengo2024": true, "qwertyui": true, "12345678": true,
		"87654321": true, "aaaaaaaa": true, "12121212": true, "abcdabcd": true, "mariana1": true, "asdfghjkl": true, "1q2w3e4r": true,
		"maria.joaquina": true, "Maria.Joaquina2020": true,
		"segredo-123": false, "o cavalo salta": false, "Xk7#pQ2m": false, "abcdefgi": false, "zebra azul 9": false,
	} {
		if got := common(password, "maria.joaquina"); got != want {
			t.Errorf("%q is common: %v, want %v", password, got, want)
		}
	}
	w := newWorld(t)
	bad := form("Ana")
	bad.Password = "palmeiras1"
	_, err := w.register("k", bad)
	wantProblem(t, "registering with a common password", err, "password_common", "password password_common")
}

func TestAccessTokens(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
		ana, rui := w.mustRegister("Ana"), w.mustRegister("Rui")
		w.makeOperator(ana.Id)
		in := w.logIn("Ana")
		req := &accountsv1.CreateTokenRequest{Name: "robô", Scopes: []string{"games:read", "account:read"}, Days: 30}
		made, err := w.access().CreateToken(rpc.WithKey(w.by(in.Token), "k1"), req)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(made.Text, "tbl_") || len(made.Text) != 47 {
			t.Errorf("the text is %q", made.Text)
		}
		want := &accountsv1.Token{
			Id: made.Token.Id, Name: "robô", Scopes: []string{"account:read", "games:read"},
			CreatedAt: timestamppb.New(monday), ExpiresAt: timestamppb.New(monday.AddDate(0, 0, 30)),
		}
		wantProto(t, "the token", made.Token, want)

		// Nobody has used it: the same command gives it another text.
		again, err := w.access().CreateToken(rpc.WithKey(w.by(in.Token), "k1"), req)
		wantErr(t, "the same command", err, nil)
		wantProto(t, "its token", again.Token, want)
		_, err = w.caller(made.Text)
		wantProblem(t, "the text before", err, "token_ended")
		who, err := w.caller(again.Text)
		wantErr(t, "the text after", err, nil)
		wantSame(t, "its caller", who, identity.Caller{Account: ana.Id, Session: made.Token.Id, Roles: []string{"learner"}, Scopes: want.Scopes})
		later, err := w.access().CreateToken(rpc.WithKey(w.by(in.Token), "k1"), req)
		wantErr(t, "the same command after a use", err, nil)
		if later.Text != "" {
			t.Error("a token in use got another text")
		}
		other := &accountsv1.CreateTokenRequest{Name: "outro", Scopes: req.Scopes, Days: 30}
		_, err = w.access().CreateToken(rpc.WithKey(w.by(in.Token), "k1"), other)
		wantProblem(t, "the key for another", err, "key_reused")

		list, err := w.access().ListTokens(w.by(in.Token), &accountsv1.ListTokensRequest{})
		wantErr(t, "ListTokens", err, nil)
		want.UsedAt = timestamppb.New(monday)
		wantProto(t, "the list", list, &accountsv1.ListTokensResponse{Tokens: []*accountsv1.Token{want}})

		// What its scopes say, and nothing that changes the account or makes tokens.
		byToken := w.by(again.Text)
		_, err = w.gateway().GetMe(byToken, &accountsv1.GetMeRequest{})
		wantErr(t, "GetMe", err, nil)
		_, err = w.access().CreateToken(rpc.WithKey(byToken, "k2"), req)
		wantProblem(t, "CreateToken by a token", err, "scope_missing")
		_, err = w.access().ListTokens(byToken, &accountsv1.ListTokensRequest{})
		wantProblem(t, "ListTokens by a token", err, "scope_missing")
		_, err = w.access().ChangePassword(rpc.WithKey(byToken, "k3"), &accountsv1.ChangePasswordRequest{OldPassword: "segredo-123", NewPassword: "um novo segredo"})
		wantProblem(t, "ChangePassword by a token", err, "scope_missing")
		_, err = w.gateway().OpenPolicy(rpc.WithKey(byToken, "k4"), &accountsv1.OpenPolicyRequest{Account: rui.Id})
		wantProblem(t, "what the operator may, by their token", err, "forbidden")

		_, err = w.access().RevokeToken(w.person(rui.Id), &accountsv1.RevokeTokenRequest{Token: made.Token.Id})
		wantErr(t, "another revokes it", err, nil)
		_, err = w.caller(again.Text)
		wantErr(t, "which changes nothing", err, nil)
		for range 2 {
			_, err = w.access().RevokeToken(w.by(in.Token), &accountsv1.RevokeTokenRequest{Token: made.Token.Id})
			wantErr(t, "RevokeToken", err, nil)
		}
		_, err = w.caller(again.Text)
		wantProblem(t, "a revoked token", err, "token_ended")
		_, err = w.access().CreateToken(rpc.WithKey(w.by(in.Token), "k1"), req)
		wantProblem(t, "its command after that", err, "key_reused")
		wantNoSecrets(t, w)
	})
}

func TestAccessTokensExpireAndAreBounded(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
		ana := w.mustRegister("Ana")
		make := func(n int, days int32) (*accountsv1.CreateTokenResponse, error) {
			return w.access().CreateToken(rpc.WithKey(w.person(ana.Id), id(n)), &accountsv1.CreateTokenRequest{Name: "a", Scopes: []string{"games:play"}, Days: days})
		}
		short, err := make(0, 1)
		wantErr(t, "one for a day", err, nil)
		for n := range maxTokens - 1 {
			_, err := make(n+1, 0)
			wantErr(t, "one more", err, nil)
		}
		_, err = make(100, 0)
		wantProblem(t, "one too many", err, "too_many_tokens")
		w.now = monday.AddDate(0, 0, 1)
		_, err = w.caller(short.Text)
		wantProblem(t, "one that expired", err, "token_ended")
		_, err = make(101, 0)
		wantErr(t, "one in its place", err, nil)
		if swept, err := w.svc.SweepSessions(t.Context()); swept != 1 || err != nil {
			t.Errorf("swept %d, %v, want 1", swept, err)
		}
		for name, req := range map[string]*accountsv1.CreateTokenRequest{
			"no name":         {Scopes: []string{"games:read"}},
			"a long name":     {Name: strings.Repeat("a", 65), Scopes: []string{"games:read"}},
			"no scope":        {Name: "a"},
			"a scope unknown": {Name: "a", Scopes: []string{"account:write"}},
			"a scope twice":   {Name: "a", Scopes: []string{"games:read", "games:read"}},
			"over a year":     {Name: "a", Scopes: []string{"games:read"}, Days: 366},
		} {
			_, err := w.access().CreateToken(rpc.WithKey(w.person(ana.Id), name[:1]), req)
			if p, _ := rpc.ProblemOf(err); p == nil || p.Code != "bad_field" {
				t.Errorf("%s: %v, want bad_field", name, err)
			}
		}
	})
}

// The contract's list of scopes is that of identity.
func TestScopesOfTheContract(t *testing.T) {
	w := newWorld(t)
	ana := w.mustRegister("Ana")
	all := &accountsv1.CreateTokenRequest{Name: "tudo", Scopes: identity.Scopes()}
	made, err := w.access().CreateToken(rpc.WithKey(w.person(ana.Id), "k"), all)
	if err != nil || len(made.Token.Scopes) != len(identity.Scopes()) {
		t.Errorf("%v, %v", made, err)
	}
}

// countingHasher counts what costs.
type countingHasher struct {
	Hasher
	hashed, verified int
}

func (h *countingHasher) Hash(ctx context.Context, password string) (string, error) {
	h.hashed++
	return h.Hasher.Hash(ctx, password)
}

func (h *countingHasher) Verify(ctx context.Context, password, hash string) (bool, error) {
	h.verified++
	return h.Hasher.Verify(ctx, password, hash)
}

// Whoever tries IDs learns nothing from answers or from how much work they take.
func TestTheLogInDoesNotTellWhichIDsThereAre(t *testing.T) {
	hasher := &countingHasher{Hasher: accountstest.Hasher{}}
	w := newWorld(t, func(_ *Config, d *Deps) { d.Hasher = hasher })
	w.mustRegister("Ana")
	var first *rpc.Problem
	for _, login := range []string{"Ana", "ninguem", "no login at all", "ana\x00", strings.Repeat("a", 120)} {
		hasher.hashed, hasher.verified = 0, 0
		_, err := w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: login, Password: "segredo-124"})
		p := wantProblem(t, login, err, "invalid_login")
		if hasher.verified != 1 || hasher.hashed != 0 {
			t.Errorf("%q: %d passwords compared and %d hashed, want one and none", login, hasher.verified, hasher.hashed)
		}
		if first == nil {
			first = p
		}
		wantSame(t, login, p, first)
	}
	// A registration hashes before it looks whether the ID is taken.
	for _, login := range []string{"Ana", "Bia"} {
		hasher.hashed = 0
		_, err := w.register("again-"+login, form(login))
		if taken := err != nil; taken != (login == "Ana") || hasher.hashed != 1 {
			t.Errorf("registering %s: %v, %d hashed", login, err, hasher.hashed)
		}
	}
}

// A log-in that began before the password was changed opens no session after it.
func TestALogInDoesNotOutliveAChangeOfThePassword(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		mustCreate(t, store, person(1, "ana"))
		session := Session{
			ID: id(100), Account: id(1), TokenHash: [32]byte{1}, Kind: SessionPersonal,
			CreatedAt: monday, ExpiresAt: monday.Add(time.Hour), SeenAt: monday, Idle: time.Hour, IfPassword: "hash of ana",
		}
		change := PasswordChange{Account: id(1), OldHash: "hash of ana", NewHash: "another"}
		wantErr(t, "ChangePassword", store.ChangePassword(t.Context(), change, keyed(id(1), "k", id(1))), nil)
		wantErr(t, "its key again", store.ChangePassword(t.Context(), change, keyed(id(1), "k", id(1))), ErrKeyUsed)
		wantErr(t, "from a hash that is old", store.ChangePassword(t.Context(), change, keyed(id(1), "k2", id(1))), ErrNotFound)
		wantErr(t, "Open with the old password", store.Open(t.Context(), session, 5), ErrNotFound)
		session.IfPassword = "another"
		wantErr(t, "Open with the new one", store.Open(t.Context(), session, 5), nil)
	})
}
