package accounts

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

func (w *school) claim(account, code string) error {
	_, err := w.api().ClaimCode(w.by(account), &accountsv1.ClaimCodeRequest{Code: code})
	return err
}

func TestATeacherByCode(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newSchool(t, func(_ *Config, d *Deps) { d.Store = store })
		ctx := w.by(w.operator)
		req := &accountsv1.MakeCodeRequest{Purpose: CodeTeacher}
		first := must(w.api().MakeCode(ctx, req))
		if len(first.Code) != 14 || !first.ExpiresAt.AsTime().Equal(monday.Add(codeAge)) {
			t.Errorf("code %v", first)
		}
		second := must(w.api().MakeCode(ctx, req))
		wantProblem(t, "the code of the first answer", w.claim(w.stranger, first.Code), "bad_code")
		wantProblem(t, "a child", w.claim(w.child, second.Code), "adult_required")
		wantProblem(t, "a pupil", w.claim(w.ana, second.Code), "adult_required")

		use := w.by(w.stranger)
		for range 2 {
			got := must(w.api().ClaimCode(use, &accountsv1.ClaimCodeRequest{Code: second.Code}))
			wantProto(t, "what the code gave", got, &accountsv1.ClaimCodeResponse{Purpose: CodeTeacher})
		}
		wantProblem(t, "a used code", w.claim(w.guardian, second.Code), "bad_code")
		if third := must(w.api().MakeCode(ctx, req)); third.Code != "" {
			t.Errorf("asked again after it was used: %q, want no code", third.Code)
		}
		account := must(w.gateway().GetMe(w.by(w.stranger), &accountsv1.GetMeRequest{})).Account
		wantSame(t, "roles", account.Roles, []string{"learner", "teacher"})
		must(w.api().CreateClass(w.by(w.stranger), &accountsv1.CreateClassRequest{Name: "x"}))
		_, err := w.api().MakeCode(w.by(w.teacher), req)
		wantProblem(t, "made by a teacher", err, "forbidden")
	})
}

func TestCodesEnd(t *testing.T) {
	w := newSchool(t)
	code := must(w.api().MakeCode(w.by(w.operator), &accountsv1.MakeCodeRequest{Purpose: CodeTeacher}))
	w.now = monday.Add(codeAge)
	wantProblem(t, "a code after a week", w.claim(w.stranger, code.Code), "bad_code")
	w.now = monday.Add(accessAge)
	wantProblem(t, "a slip after thirty days", w.useSlip(w.slips[0], "segredo-123"), "bad_code")
	access := func() string {
		return must(w.api().GetClass(w.by(w.teacher), &accountsv1.GetClassRequest{Class: w.class})).Pupils[0].Access
	}
	wantSame(t, "as the teacher sees it", access(), "expired")
	w.now = w.now.Add(time.Millisecond)
	codes, _, err := w.svc.Tidy(t.Context())
	if codes != 4 || err != nil {
		t.Errorf("forgot %d codes, %v, want those of three pupils and a teacher", codes, err)
	}
	wantSame(t, "and without its row", access(), "expired")
	reset := must(w.api().ResetAccess(w.by(w.teacher), &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{w.ana}}))
	wantErr(t, "a new slip", w.useSlip(reset.Slips[0], "segredo-123"), nil)
}

// Guesses at a slip are bounded, whoever makes them from wherever; a new slip
// begins anew.
func TestAGuessedSlipEnds(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newSchool(t, func(_ *Config, d *Deps) { d.Store = store })
		guess := &accountsv1.AccessSlip{Login: w.slips[0].Login, Code: "0000-0000-0000"}
		for range maxGuesses - 1 {
			wantProblem(t, "a guess", w.useSlip(guess, "segredo-123"), "bad_code")
		}
		other := must(w.api().ResetAccess(w.by(w.teacher), &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{w.ana}})).Slips[0]
		for range maxGuesses {
			wantProblem(t, "a guess", w.useSlip(guess, "segredo-123"), "bad_code")
		}
		wantProblem(t, "the right code after them", w.useSlip(other, "segredo-123"), "bad_code")
		wantErr(t, "the slip of another", w.useSlip(w.slips[1], "segredo-123"), nil)
		entries := must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Action: actionAccessGuessed})).Entries
		if len(entries) != 1 || entries[0].Subject != w.ana || entries[0].Count != maxGuesses {
			t.Errorf("the audit log has %v", entries)
		}
	})
}

// The same is said of whatever is wrong about a slip.
func TestASlipTellsNothing(t *testing.T) {
	w := newSchool(t)
	for what, slip := range map[string]*accountsv1.AccessSlip{
		"a wrong code":         {Login: w.slips[0].Login, Code: "0000-0000-0000"},
		"nobody's login":       {Login: "nobody", Code: w.slips[0].Code},
		"another's login":      {Login: w.slips[1].Login, Code: w.slips[0].Code},
		"one without a slip":   {Login: "Teresa", Code: w.slips[0].Code},
		"no login at all":      {Login: "a b\x00", Code: w.slips[0].Code},
		"a code to be claimed": {Login: w.slips[0].Login, Code: must(w.api().MakeCode(w.by(w.operator), &accountsv1.MakeCodeRequest{Purpose: CodeTeacher})).Code},
	} {
		if p := wantProblem(t, what, w.useSlip(slip, "segredo-123"), "bad_code"); p.Detail != "" || len(p.Fields) > 0 {
			t.Errorf("%s: the problem %+v says more", what, p)
		}
	}
	wantProblem(t, "a slip claimed by somebody logged in", w.claim(w.stranger, w.slips[0].Code), "bad_code")
	_, err := w.api().UseAccessCode(rpc.WithKey(t.Context(), "k"), &accountsv1.UseAccessCodeRequest{})
	wantProblem(t, "an empty form", err, "fields_missing", "login fields_missing", "code fields_missing", "password fields_missing")
	wantProblem(t, "a short password", w.useSlip(w.slips[0], "1234567"), "password_short", "password password_short")
	wantProblem(t, "a long one", w.useSlip(w.slips[0], strings.Repeat("x", 129)), "bad_field", "password bad_field")
}

// A slip that was sent twice sets one password, and says so both times.
func TestASlipSentTwice(t *testing.T) {
	w := newSchool(t)
	ctx := rpc.WithKey(t.Context(), "one-key")
	req := &accountsv1.UseAccessCodeRequest{Login: w.slips[0].Login, Code: w.slips[0].Code, Password: "segredo-123"}
	for range 2 {
		_, err := w.api().UseAccessCode(ctx, req)
		wantErr(t, "the same", err, nil)
	}
	req.Password = "segredo-124"
	_, err := w.api().UseAccessCode(ctx, req)
	wantProblem(t, "another password under the key", err, "key_reused")
	wantErr(t, "log in", w.logIn(w.slips[0].Login, "segredo-123"), nil)
}

// Of many who claim one code at once, or use one slip, one has it.
func TestACodeIsUsedOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newSchool(t, func(_ *Config, d *Deps) { d.Store = store })
		const many = 6
		code := must(w.api().MakeCode(w.by(w.operator), &accountsv1.MakeCodeRequest{Purpose: CodeTeacher})).Code
		contexts := make([]struct{ claim, slip func() error }, many)
		for i := range contexts {
			ctx, key := w.by(w.adult(fmt.Sprint("adult", i))), rpc.WithKey(t.Context(), w.key())
			contexts[i].claim = func() error {
				_, err := w.api().ClaimCode(ctx, &accountsv1.ClaimCodeRequest{Code: code})
				return err
			}
			contexts[i].slip = func() error {
				_, err := w.api().UseAccessCode(key, &accountsv1.UseAccessCodeRequest{Login: w.slips[0].Login, Code: w.slips[0].Code, Password: fmt.Sprint("um segredo ", i)})
				return err
			}
		}
		var wg sync.WaitGroup
		var mu sync.Mutex
		counts := map[string]int{}
		for _, c := range contexts {
			for what, call := range map[string]func() error{"claim": c.claim, "slip": c.slip} {
				wg.Go(func() {
					code := "ok"
					if err := call(); err != nil {
						code = rpc.ToProblem(err).Code
					}
					mu.Lock()
					defer mu.Unlock()
					counts[what+" "+code]++
				})
			}
		}
		wg.Wait()
		wantSame(t, "outcomes", counts, map[string]int{"claim ok": 1, "claim bad_code": many - 1, "slip ok": 1, "slip bad_code": many - 1})
	})
}

func TestGuessesOfCodesAreBounded(t *testing.T) {
	w := newSchool(t)
	for range claimBurst {
		wantProblem(t, "a guess", w.claim(w.stranger, "0000"), "bad_code")
	}
	if p := wantProblem(t, "one more", w.claim(w.stranger, "0000"), "too_many_requests"); p.RetryAfter != claimEvery {
		t.Errorf("RetryAfter %v", p.RetryAfter)
	}
}

func TestTooManyCodes(t *testing.T) {
	w := newSchool(t)
	var err error
	for range maxCodes {
		if _, err = w.api().MakeCode(w.by(w.operator), &accountsv1.MakeCodeRequest{Purpose: CodeTeacher}); err != nil {
			t.Fatal(err)
		}
	}
	_, err = w.api().MakeCode(w.by(w.operator), &accountsv1.MakeCodeRequest{Purpose: CodeTeacher})
	wantProblem(t, "one more", err, "too_many_codes")
}

// Names that would be taken for the system, however they are dressed up.
func TestReservedLogins(t *testing.T) {
	for _, login := range []string{
		"guest", "Guest", "guest-12", "gue5t"[:3] + "st", "full", "FULL", "fu11", "plies-2", "plies-9", "p1ies-4", "plies_6", "admin", "ADM1N", "a.d.m.i.n",
		"operator", "0perator", "operator7", "tabuleiro", "Tabuleiro.Suporte", "tabu1eir0", "stockfish", "st0ckfish", "scan", "system-1", "level-3",
		"engine-2", "bot-7", "deleted", "deleted-1", "de1eted", "professor", "root", "me", "vvorker",
	} {
		if !reserved(login) {
			t.Errorf("%s is free", login)
		}
	}
	for _, login := range []string{"ana", "gustavo", "fuller", "adminha", "botelho", "levels", "engineer", "scania", "mestre", "memel", "rooter", "p-018f00007", "playerp0"} {
		if reserved(login) {
			t.Errorf("%s is reserved", login)
		}
	}
	w := newWorld(t)
	_, err := w.register("k", form("Tabuleiro"))
	wantProblem(t, "registering", err, "login_reserved", "login login_reserved")
}

// A generated login is one that may be registered, is told from others, and shows
// no more of a name than its first word.
func TestGeneratedLogins(t *testing.T) {
	for name, want := range map[string]string{
		"Ána Beatriz Souza": "ana", " João": "joao", "Maximilianoo Silva": "maximilian", "Ștefan": "stefan", "李小龙": "aluno", "Ñ": "aluno", "O'Brian": "obrian", "Ção": "cao",
	} {
		if got := givenName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	seen := map[string]string{}
	for _, animal := range loginAnimals {
		if other := seen[skeleton(animal)]; other != "" {
			t.Errorf("%s looks like %s", animal, other)
		}
		seen[skeleton(animal)] = animal
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		login := suggestLogin(name, rapid.Uint16().Draw(t, "animal"), rapid.Uint16().Draw(t, "number"))
		if !validLogin(login) || !strings.HasPrefix(login, givenName(name)+".") {
			t.Fatalf("%q of %q", login, name)
		}
	})
}

// The migration computes the same skeletons as the code.
func TestSkeletonIsThatOfTheMigration(t *testing.T) {
	eachSQL(t, func(t *testing.T, store *SQL) {
		for i, login := range []string{"Illinois-10", "barnvvood", "rrnn", "MODERN", "vvvv", "l1i0Oo", "r.n", "rnrn"} {
			mustCreate(t, store, person(i+1, login))
			var got string
			err := store.db.Read().QueryRowContext(t.Context(), `SELECT replace(replace(replace(replace(replace(login_folded, '0', 'o'), '1', 'l'), 'i', 'l'), 'rn', 'm'), 'vv', 'w')
				FROM account WHERE id = $1`, id(i+1)).Scan(&got)
			if err != nil || got != skeleton(login) {
				t.Errorf("%s: %q, %v, want %q", login, got, err, skeleton(login))
			}
		}
	})
}
