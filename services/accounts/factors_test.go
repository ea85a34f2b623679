package accounts

import (
	"context"
	"encoding/base32"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// factored is a world with a grown person who is logged in.
type factored struct {
	*world
	account, token string
	secret         string
	keys           int
}

func newFactored(t *testing.T, change ...func(*Config, *Deps)) *factored {
	t.Helper()
	w := &factored{world: newWorld(t, change...)}
	adult := form("Rosa")
	adult.BirthDate = "1980-01-02"
	account, err := w.register("register:Rosa", adult)
	if err != nil {
		t.Fatal(err)
	}
	w.account, w.token = account.Id, w.logIn("Rosa").Token
	return w
}

func (w *factored) api() accountsv1.SecondFactorServiceClient {
	return accountsv1.NewSecondFactorServiceClient(w.conn.Dial(w.clientConfig(identity.Gateway)))
}

// me is a context of the person with a key of its own.
func (w *factored) me() context.Context {
	w.keys++
	return rpc.WithKey(w.by(w.token), "factor:"+id(w.keys))
}

// code is what the app shows now.
func (w *factored) code() string {
	w.t.Helper()
	code, err := totp.GenerateCode(w.secret, w.now)
	if err != nil {
		w.t.Fatal(err)
	}
	return code
}

// begin makes the secret, and enrol proves it too.
func (w *factored) begin() *accountsv1.BeginSecondFactorResponse {
	w.t.Helper()
	begun, err := w.api().BeginSecondFactor(w.by(w.token), &accountsv1.BeginSecondFactorRequest{Password: "segredo-123"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.secret = begun.Secret
	return begun
}

func (w *factored) enrol() []string {
	w.t.Helper()
	w.begin()
	done, err := w.api().ConfirmSecondFactor(w.me(), &accountsv1.ConfirmSecondFactorRequest{Code: w.code()})
	if err != nil {
		w.t.Fatal(err)
	}
	w.now = w.now.Add(totpPeriod)
	return done.RecoveryCodes
}

func (w *factored) try(code string) error {
	_, err := w.gateway().LogIn(w.t.Context(), &accountsv1.LogInRequest{Login: "Rosa", Password: "segredo-123", SecondFactor: code})
	return err
}

// TestTOTPOfRFC6238 has the values of appendix B for SHA-1, cut to 6 digits.
func TestTOTPOfRFC6238(t *testing.T) {
	secret := []byte("12345678901234567890")
	for at, code := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		now := time.Unix(at, 0)
		step, ok, err := totpMatch(secret, code, now, 0)
		if err != nil || !ok || step != at/30 {
			t.Errorf("at %d: step %d, %v, %v", at, step, ok, err)
		}
		if at < int64(2*totpPeriod/time.Second) {
			continue // nobody lives before 1970
		}
		for off, want := range map[time.Duration]bool{-2 * totpPeriod: false, -totpPeriod: true, totpPeriod: true, 2 * totpPeriod: false} {
			if _, ok, _ := totpMatch(secret, code, now.Add(off), 0); ok != want {
				t.Errorf("at %d, %v off: %v, want %v", at, off, ok, want)
			}
		}
		if _, ok, _ := totpMatch(secret, code, now, step); ok {
			t.Errorf("at %d: the code of a used step matches", at)
		}
	}
}

func TestWhatAnAppReads(t *testing.T) {
	w := newFactored(t)
	begun := w.begin()
	again := w.begin()
	if begun.Secret != again.Secret || !begun.ExpiresAt.AsTime().Equal(again.ExpiresAt.AsTime()) {
		t.Error("asked again, another secret")
	}
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(begun.Secret)
	if err != nil || len(secret) != 20 {
		t.Errorf("a secret of %d bytes, %v", len(secret), err)
	}
	uri, err := url.Parse(begun.Uri)
	if err != nil || uri.Scheme != "otpauth" || uri.Host != "totp" || uri.Path != "/Tabuleiro:Rosa" {
		t.Errorf("the URI is %q, %v", begun.Uri, err)
	}
	if q := uri.Query(); q.Get("secret") != begun.Secret || q.Get("issuer") != "Tabuleiro" || q.Get("digits") != "6" || q.Get("period") != "30" {
		t.Errorf("the URI has %v", q)
	}
	// The three corners that a reader looks for, in a square.
	corner := "1111111"
	for _, row := range begun.Qr {
		if len(row) != len(begun.Qr) || strings.Trim(row, "01") != "" {
			t.Fatalf("a row of %d in %d rows", len(row), len(begun.Qr))
		}
	}
	first, last := begun.Qr[0], begun.Qr[len(begun.Qr)-1]
	if !strings.HasPrefix(first, corner+"0") || !strings.HasSuffix(first, "0"+corner) || !strings.HasPrefix(last, corner+"0") {
		t.Error("the QR code lacks its corners")
	}
	// Without a first code nothing changes, and the secret does not wait for ever.
	if err := w.try(""); err != nil {
		t.Errorf("a log-in before the code was confirmed: %v", err)
	}
	w.now = w.now.Add(factorWaits)
	_, err = w.api().ConfirmSecondFactor(w.me(), &accountsv1.ConfirmSecondFactorRequest{Code: w.code()})
	wantProblem(t, "confirming too late", err, "no_second_factor")
	if w.begin().Secret == begun.Secret {
		t.Error("the same secret after its time")
	}
}

func TestSecondFactorAtTheLogIn(t *testing.T) {
	w := newFactored(t)
	other := w.logIn("Rosa").Token
	codes := w.enrol()
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes", len(codes))
	}
	w.wantLive("the session that set it up", w.token, true)
	w.wantLive("another session", other, false)
	got, err := w.api().GetSecondFactor(w.by(w.token), &accountsv1.GetSecondFactorRequest{})
	if err != nil || got.Since == nil || got.RecoveryCodes != 10 || !got.Allowed || got.Required {
		t.Errorf("got %v, %v", got, err)
	}

	wantProblem(t, "without a code", w.try(""), "second_factor_required")
	_, err = w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Rosa", Password: "another one", SecondFactor: w.code()})
	wantProblem(t, "with a code and a wrong password", err, "invalid_login")
	wantProblem(t, "with a wrong code", w.try("000000"), "second_factor_wrong", "second_factor second_factor_wrong")
	code := w.code()
	if err := w.try(" " + code[:3] + " " + code[3:]); err != nil {
		t.Errorf("with a code: %v", err)
	}
	wantProblem(t, "with the same code again", w.try(code), "second_factor_wrong", "second_factor second_factor_wrong")
	w.now = w.now.Add(totpPeriod)
	if err := w.try(w.code()); err != nil {
		t.Errorf("with the next code: %v", err)
	}

	if err := w.try(strings.ToLower(strings.ReplaceAll(codes[3], "-", " "))); err != nil {
		t.Errorf("with a recovery code: %v", err)
	}
	wantProblem(t, "with the recovery code again", w.try(codes[3]), "second_factor_wrong", "second_factor second_factor_wrong")
	got, err = w.api().GetSecondFactor(w.by(w.token), &accountsv1.GetSecondFactorRequest{})
	if err != nil || got.RecoveryCodes != 9 {
		t.Errorf("%d recovery codes left, %v", got.GetRecoveryCodes(), err)
	}
	if log := w.log.String(); strings.Contains(log, w.secret) || strings.Contains(log, code) || strings.Contains(log, codes[0]) {
		t.Error("the log has a secret")
	}
}

// A code is guessed slowly, whoever guesses from wherever, and the owner still gets
// in with a recovery code.
func TestGuessesAtASecondFactorAreCounted(t *testing.T) {
	store := NewMemory()
	shared := func(_ *Config, deps *Deps) { deps.Store = store }
	w := newFactored(t, shared)
	codes := w.enrol()
	// Another replica on the same database.
	replica, err := New(Config{}, Deps{Store: store, Hasher: w.svc.hasher, Now: func() time.Time { return w.now }, Sealer: w.svc.sealer})
	if err != nil {
		t.Fatal(err)
	}
	for n := range factorGuesses.burst {
		svc := w.svc
		if n%2 == 1 {
			svc = replica
		}
		_, err := svc.LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Rosa", Password: "segredo-123", SecondFactor: "000000"})
		wantProblem(t, "a wrong code", err, "second_factor_wrong", "second_factor second_factor_wrong")
	}
	p := wantProblem(t, "one more, though it is right", w.try(w.code()), "too_many_requests")
	if p.RetryAfter <= 0 || p.RetryAfter > time.Minute {
		t.Errorf("wait %v", p.RetryAfter)
	}
	if err := w.try(codes[0]); err != nil {
		t.Errorf("with a recovery code: %v", err)
	}
	w.now = w.now.Add(p.RetryAfter)
	if err := w.try(w.code()); err != nil {
		t.Errorf("after the wait: %v", err)
	}
}

// Wrong passwords are counted once for all gateways, by who guesses.
func TestGuessesAtAPasswordAreShared(t *testing.T) {
	w := newWorld(t)
	w.mustRegister("Ana")
	try := func(password, guesser string) error {
		_, err := w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Ana", Password: password, Guesser: guesser})
		return err
	}
	for range passwordGuesses.burst {
		wantProblem(t, "a wrong password", try("not that one", "192.0.2.1 ana"), "invalid_login")
	}
	p := wantProblem(t, "one more", try("segredo-123", "192.0.2.1 ana"), "too_many_requests")
	if p.RetryAfter <= 0 || p.RetryAfter > passwordGuesses.every {
		t.Errorf("wait %v", p.RetryAfter)
	}
	if err := try("segredo-123", "192.0.2.2 ana"); err != nil {
		t.Errorf("from elsewhere: %v", err)
	}
	w.now = w.now.Add(p.RetryAfter)
	if err := try("segredo-123", "192.0.2.1 ana"); err != nil {
		t.Errorf("after the wait: %v", err)
	}
	for range passwordGuesses.burst { // a right password has cleared the count
		wantProblem(t, "a wrong password", try("not that one", "192.0.2.1 ana"), "invalid_login")
	}
	if _, _, err := w.svc.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, "after tidying", try("segredo-123", "192.0.2.1 ana"), "too_many_requests")
}

func TestNewRecoveryCodes(t *testing.T) {
	w := newFactored(t)
	old := w.enrol()
	renew := func(ctx context.Context, password, code string) (*accountsv1.RenewRecoveryCodesResponse, error) {
		return w.api().RenewRecoveryCodes(ctx, &accountsv1.RenewRecoveryCodesRequest{Password: password, Code: code})
	}
	_, err := renew(w.me(), "not that one", w.code())
	wantProblem(t, "a wrong password", err, "wrong_password", "password wrong_password")
	_, err = renew(w.me(), "segredo-123", "000000")
	wantProblem(t, "a wrong code", err, "second_factor_wrong", "code second_factor_wrong")
	ctx := w.me()
	first, err := renew(ctx, "segredo-123", w.code())
	if err != nil {
		t.Fatal(err)
	}
	// The answer was lost: the same command, with the code that is used up by now.
	second, err := renew(ctx, "segredo-123", w.code())
	if err != nil || len(second.RecoveryCodes) != 10 {
		t.Fatalf("asked again: %v, %v", second, err)
	}
	for name, code := range map[string]string{"an old": old[0], "a lost": first.RecoveryCodes[0]} {
		wantProblem(t, name+" recovery code", w.try(code), "second_factor_wrong", "second_factor second_factor_wrong")
	}
	if err := w.try(second.RecoveryCodes[0]); err != nil {
		t.Errorf("a new recovery code: %v", err)
	}
	w.now = w.now.Add(time.Hour) // passwords are tried now and then
	third, err := renew(ctx, "segredo-123", w.code())
	if err != nil || len(third.RecoveryCodes) != 0 {
		t.Errorf("asked again after one was used: %v, %v", third, err)
	}
	if err := w.try(second.RecoveryCodes[1]); err != nil {
		t.Errorf("the codes that were seen hold no more: %v", err)
	}
}

func TestASecondFactorEnds(t *testing.T) {
	w := newFactored(t)
	w.enrol()
	end := func(password, code string) error {
		_, err := w.api().EndSecondFactor(w.me(), &accountsv1.EndSecondFactorRequest{Password: password, Code: code})
		return err
	}
	_, err := w.api().BeginSecondFactor(w.by(w.token), &accountsv1.BeginSecondFactorRequest{Password: "segredo-123"})
	wantProblem(t, "a second one", err, "second_factor_set")
	wantProblem(t, "without the password", end("not that one", w.code()), "wrong_password", "password wrong_password")
	wantProblem(t, "without a code", end("segredo-123", "000000"), "second_factor_wrong", "code second_factor_wrong")
	if err := end("segredo-123", w.code()); err != nil {
		t.Fatal(err)
	}
	if err := w.try(""); err != nil {
		t.Errorf("a log-in afterwards: %v", err)
	}
	w.now = w.now.Add(time.Hour) // passwords are tried now and then
	wantProblem(t, "once more", end("segredo-123", w.code()), "no_second_factor")

	w.enrol()
	w.makeOperator(w.mustRegister("Boss").Id)
	boss := w.logIn("Boss").Token
	reset := func(token, account string) error {
		w.keys++
		_, err := w.api().ResetSecondFactor(rpc.WithKey(w.by(token), "reset:"+id(w.keys)), &accountsv1.ResetSecondFactorRequest{Account: account})
		return err
	}
	wantProblem(t, "by the person", reset(w.token, w.account), "forbidden")
	if err := reset(boss, w.account); err != nil {
		t.Fatal(err)
	}
	w.wantLive("a session of the account", w.token, false)
	if err := w.try(""); err != nil {
		t.Errorf("a log-in afterwards: %v", err)
	}
	wantProblem(t, "once more", reset(boss, w.account), "no_second_factor")

	var actions []string
	err = w.store.View(t.Context(), func(ctx context.Context, r SchoolReader) error {
		rows, err := r.AuditRows(ctx, AuditQuery{Subject: w.account, Limit: 100})
		for _, row := range rows {
			actions = append(actions, row.Action)
		}
		return err
	})
	if want := "second_factor_ended second_factor_set second_factor_ended second_factor_set"; err != nil || strings.Join(actions, " ") != want {
		t.Errorf("the audit log has %v, %v", actions, err)
	}
}

func TestChildrenHaveNoSecondFactor(t *testing.T) {
	w := newFactored(t)
	w.mustRegister("Ana")
	token := w.logIn("Ana").Token
	_, err := w.api().BeginSecondFactor(w.by(token), &accountsv1.BeginSecondFactorRequest{Password: "segredo-123"})
	wantProblem(t, "a child", err, "adult_required")
	got, err := w.api().GetSecondFactor(w.by(token), &accountsv1.GetSecondFactorRequest{})
	if err != nil || got.Allowed || got.Since != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

// Where the installation wants it, a role gives its rights only with a second factor.
func TestARequiredSecondFactor(t *testing.T) {
	w := newFactored(t, func(cfg *Config, _ *Deps) { cfg.SecondFactor = FactorOperators })
	w.makeOperator(w.account)
	w.token = w.logIn("Rosa").Token
	roles := func() string {
		caller, err := w.caller(w.token)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(caller.Roles, " ")
	}
	if got := roles(); got != "learner" {
		t.Errorf("without one: %q", got)
	}
	got, err := w.api().GetSecondFactor(w.by(w.token), &accountsv1.GetSecondFactorRequest{})
	if err != nil || !got.Required {
		t.Errorf("got %v, %v", got, err)
	}
	w.enrol()
	if got := roles(); got != "learner operator" {
		t.Errorf("with one: %q", got)
	}
}

func TestStoreFactors(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		mustCreate(t, store, person(1, "Ana"), person(2, "Bia"))
		change := func(f func(ctx context.Context, w SchoolWriter) error) {
			t.Helper()
			if err := store.Change(t.Context(), f); err != nil {
				t.Fatal(err)
			}
		}
		wantSame2 := func(what string, got, want any, err error) {
			t.Helper()
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			wantSame(t, what, got, want)
		}
		factor := Factor{Account: id(1), Sealed: []byte{0, 1, 255}, MadeAt: monday}
		hashes := [][32]byte{{1}, {2}}
		mark := [32]byte{9}
		change(func(ctx context.Context, w SchoolWriter) error {
			_, err := w.Factor(ctx, id(1))
			wantErr(t, "no factor", err, ErrNotFound)
			if err := w.PutFactor(ctx, factor); err != nil {
				return err
			}
			got, err := w.Factor(ctx, id(1))
			wantSame2("a factor that waits", got, factor, err)
			factor.ConfirmedAt, factor.LastStep = monday.Add(time.Second), 1<<40
			if err := w.PutFactor(ctx, factor); err != nil {
				return err
			}
			if err := w.PutRecovery(ctx, id(1), [][32]byte{{7}}); err != nil {
				return err
			}
			if err := w.PutRecovery(ctx, id(1), hashes); err != nil {
				return err
			}
			if err := w.PutGuesses(ctx, mark, monday); err != nil {
				return err
			}
			return w.PutGuesses(ctx, mark, monday.Add(time.Minute))
		})
		change(func(ctx context.Context, w SchoolWriter) error {
			got, err := w.Factor(ctx, id(1))
			wantSame2("a factor", got, factor, err)
			for _, use := range []struct {
				account string
				hash    [32]byte
				want    bool
			}{{id(1), [32]byte{7}, false}, {id(2), hashes[0], false}, {id(1), hashes[0], true}, {id(1), hashes[0], false}} {
				used, err := w.UseRecovery(ctx, use.account, use.hash)
				wantSame2("using a recovery code", used, use.want, err)
			}
			left, err := w.CountRecovery(ctx, id(1))
			wantSame2("recovery codes left", left, 1, err)
			full, err := w.Guesses(ctx, mark)
			wantSame2("guesses", full, monday.Add(time.Minute), err)
			full, err = w.Guesses(ctx, [32]byte{8})
			wantSame2("guesses of nobody", full, time.Time{}, err)
			swept, err := w.SweepGuesses(ctx, monday, 10)
			wantSame2("swept too early", swept, 0, err)
			swept, err = w.SweepGuesses(ctx, monday.Add(time.Minute), 10)
			wantSame2("swept", swept, 1, err)
			if err := w.PutGuesses(ctx, mark, monday); err != nil {
				return err
			}
			if err := w.PutGuesses(ctx, mark, time.Time{}); err != nil {
				return err
			}
			full, err = w.Guesses(ctx, mark)
			wantSame2("guesses forgotten", full, time.Time{}, err)
			return nil
		})
		change(func(ctx context.Context, w SchoolWriter) error {
			had, err := w.DropFactor(ctx, id(2))
			wantSame2("dropping another's", had, false, err)
			had, err = w.DropFactor(ctx, id(1))
			wantSame2("dropping", had, true, err)
			left, err := w.CountRecovery(ctx, id(1))
			wantSame2("recovery codes left", left, 0, err)
			if err := w.PutFactor(ctx, factor); err != nil {
				return err
			}
			return w.PutRecovery(ctx, id(1), hashes)
		})
		change(func(ctx context.Context, w SchoolWriter) error { return w.Erase(ctx, id(1), monday) })
		change(func(ctx context.Context, w SchoolWriter) error {
			_, err := w.Factor(ctx, id(1))
			wantErr(t, "a factor of a deleted account", err, ErrNotFound)
			left, err := w.CountRecovery(ctx, id(1))
			wantSame2("recovery codes of a deleted account", left, 0, err)
			return nil
		})
	})
}

// Two log-ins with one code at the same moment: one gets in.
func TestOneCodeOpensOnce(t *testing.T) {
	dbtest.Each(t, Migrations(), func(t *testing.T, d *db.DB) {
		w := newFactored(t, func(_ *Config, deps *Deps) { deps.Store = NewSQL(d) })
		w.enrol()
		code, results := w.code(), make(chan error)
		for range 4 {
			go func() { results <- w.try(code) }()
		}
		in := 0
		for range 4 {
			if err := <-results; err == nil {
				in++
			} else {
				wantProblem(t, "a log-in beside it", err, "second_factor_wrong", "second_factor second_factor_wrong")
			}
		}
		if in != 1 {
			t.Errorf("%d got in", in)
		}
	})
}

// The export says that there is a second factor and never what is secret of it.
func TestTheExportTellsOfASecondFactor(t *testing.T) {
	w := newFactored(t)
	privacy := accountsv1.NewPrivacyServiceClient(w.conn.Dial(w.clientConfig(identity.Gateway)))
	export := func() *accountsv1.ExportAccountResponse {
		out, err := privacy.ExportAccount(w.by(w.token), &accountsv1.ExportAccountRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := export().SecondFactor; got != nil {
		t.Errorf("without one: %v", got)
	}
	w.begin()
	if got := export().SecondFactor; got == nil || got.ConfirmedAt != nil || got.RecoveryCodes != 0 || !got.MadeAt.AsTime().Equal(w.now) {
		t.Errorf("before it is proved: %v", got)
	}
	codes := w.enrol()
	got := export()
	if f := got.SecondFactor; f.GetConfirmedAt() == nil || int(f.RecoveryCodes) != len(codes) {
		t.Errorf("once it is proved: %v", f)
	}
	for _, secret := range append([]string{w.secret}, codes...) {
		if strings.Contains(got.String(), secret) {
			t.Errorf("the export holds a secret: %v", got)
		}
	}
}
