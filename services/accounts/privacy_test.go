package accounts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// eachSQL runs a test on both databases.
func eachSQL(t *testing.T, f func(t *testing.T, store *SQL)) {
	t.Helper()
	dbtest.Each(t, Migrations(), func(t *testing.T, d *db.DB) { f(t, NewSQL(d)) })
}

func TestExport(t *testing.T) {
	w := newSchool(t)
	wantErr(t, "the slip", w.useSlip(w.slips[0], "segredo-123"), nil)
	must(w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: w.slips[0].Login, Password: "segredo-123"}))
	for n := range exportPage + 1 {
		game := rateRequest(100+n, &accountsv1.RatedSeat{Account: w.ana}, &accountsv1.RatedSeat{Level: "plies-2"}, int32(n%3))
		must(w.as("play").Rate(t.Context(), game))
	}
	token := AccessToken{ID: id(60), Account: w.ana, Name: "robô", Scopes: []string{"games:read"}, CreatedAt: monday, ExpiresAt: monday.AddDate(1, 0, 0)}
	wantErr(t, "a token", w.svc.store.CreateToken(t.Context(), token, 1, Command{Scope: w.ana, Key: "t", Account: w.ana, At: monday}), nil)
	wantErr(t, "a pairing", w.svc.store.OpenPairing(t.Context(), Pairing{
		DeviceHash: [32]byte{1}, UserCode: "A", Kind: DeviceBoard, Name: "mesa", Status: PairingOpen, CreatedAt: monday, ExpiresAt: monday.AddDate(1, 0, 0),
	}, 1), nil)
	wantErr(t, "a board", w.svc.store.AnswerPairing(t.Context(), PairingAnswer{
		UserCode: "A", Status: PairingConfirmed, Account: w.ana, Board: Board{ID: id(61), Account: w.ana, CreatedAt: monday}, Now: monday,
	}, 1, Command{Scope: w.ana, Key: "b", Account: w.ana, At: monday}), nil)
	first := must(w.privacy().ExportAccount(w.by(w.ana), &accountsv1.ExportAccountRequest{}))
	if len(first.Tokens) != 1 || len(first.Boards) != 1 {
		t.Fatalf("tokens %v, boards %v", first.Tokens, first.Boards)
	}
	wantProto(t, "the token", first.Tokens[0], token.proto())
	wantProto(t, "the board", first.Boards[0], Board{ID: id(61), Name: "mesa", CreatedAt: monday}.proto())
	if first.Account.GetFirstName() != "Ána Beatriz Souza" || len(first.Account.Ratings) != 1 || first.NextPage != 1 || len(first.RatingChanges) != exportPage {
		t.Errorf("the first page: account %v, %d changes, next %d", first.Account, len(first.RatingChanges), first.NextPage)
	}
	if len(first.Sessions) != 1 || !first.Sessions[0].ExpiresAt.AsTime().Equal(monday.Add(sessionLimits[SessionPersonal].age)) {
		t.Errorf("sessions %v", first.Sessions)
	}
	wantProto(t, "relations", first.Relations, must(w.api().ListRelations(w.by(w.ana), &accountsv1.ListRelationsRequest{})))
	if len(first.Classes) != 1 || first.Classes[0].Id != w.class || first.Classes[0].Role != "pupil" {
		t.Errorf("classes %v", first.Classes)
	}
	var actions []string
	for _, entry := range first.Audit {
		actions = append(actions, entry.Action)
	}
	wantSame(t, "what was done to the account", actions, []string{"device_paired", "token_made", actionAccessSet, actionGuardianAdded, actionCodeMade, actionPupilAdded})

	second := must(w.privacy().ExportAccount(w.by(w.ana), &accountsv1.ExportAccountRequest{Page: 1}))
	if second.Account != nil || second.Relations != nil || len(second.Tokens) > 0 || len(second.Boards) > 0 || len(second.RatingChanges) != 1 || second.NextPage != 0 {
		t.Errorf("the second page: %v", second)
	}
	for viewer, as := range map[string]string{w.guardian: "guardian", w.teacher: "teacher", w.operator: "operator"} {
		must(w.privacy().ExportAccount(w.by(viewer), &accountsv1.ExportAccountRequest{Account: w.ana}))
		newest := must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Limit: 1})).Entries[0]
		if newest.Action != actionExported || newest.Actor != viewer || newest.Subject != w.ana || newest.Why != as {
			t.Errorf("the audit log notes %v of the %s", newest, as)
		}
	}
}

// TestTheExportHasTheWholeAuditLog: however long it is.
func TestTheExportHasTheWholeAuditLog(t *testing.T) {
	w := newSchool(t)
	change(t, w.store, func(ctx context.Context, tx SchoolWriter) error {
		for range 2*auditPage - 3 { // three are there
			if err := tx.Append(ctx, Audit{At: monday, Action: actionLoginFailed, Subject: w.ana, Times: 1}); err != nil {
				return err
			}
		}
		return nil
	})
	whole := view(t, w.store, func(ctx context.Context, r SchoolReader) ([]Audit, error) {
		return r.AuditRows(ctx, AuditQuery{Subject: w.ana, Limit: 10000})
	})
	var want, got []int32
	for _, row := range whole {
		want = append(want, row.Number)
	}
	pages := 0
	for page := must(w.privacy().ExportAccount(w.by(w.guardian), &accountsv1.ExportAccountRequest{Account: w.ana})); ; pages++ {
		for _, entry := range page.Audit {
			got = append(got, entry.Number)
		}
		if page.AuditNext == 0 {
			break
		}
		page = must(w.privacy().ExportAccount(w.by(w.guardian), &accountsv1.ExportAccountRequest{Account: w.ana, AuditBefore: page.AuditNext}))
		if page.Account != nil || len(page.RatingChanges)+len(page.Sessions) > 0 {
			t.Errorf("a page of the audit log has more: %v", page)
		}
	}
	wantSame(t, "the rows", got, want)
	if len(want) != 2*auditPage || pages != 1 {
		t.Errorf("%d rows in %d more pages, want %d in one", len(want), pages, 2*auditPage)
	}
	_, err := w.privacy().ExportAccount(w.by(w.stranger), &accountsv1.ExportAccountRequest{Account: w.ana, AuditBefore: 10})
	wantProblem(t, "a page for a stranger", err, "account_not_found")
}

// Deleted at once: no way in, no name anywhere, no place; the ratings of others
// and the log stay.
func TestDeleteMe(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newSchool(t, func(_ *Config, d *Deps) { d.Store = store })
		in := must(w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Mother", Password: "segredo-123"}))
		must(w.as("play").Rate(t.Context(), rateRequest(10, &accountsv1.RatedSeat{Account: w.guardian}, &accountsv1.RatedSeat{Account: w.stranger}, 2)))
		before := must(w.gateway().GetMe(w.by(w.stranger), &accountsv1.GetMeRequest{}))

		remove := func(password string) error {
			_, err := w.privacy().DeleteMe(w.by(w.guardian), &accountsv1.DeleteMeRequest{Password: password})
			return err
		}
		wantProblem(t, "without the password", remove(""), "fields_missing", "password fields_missing")
		wantProblem(t, "with a wrong one", remove("segredo-124"), "invalid_login")
		caller := w.by(w.guardian)
		wantErr(t, "deleting", remove("segredo-123"), nil)
		_, err := w.privacy().DeleteMe(caller, &accountsv1.DeleteMeRequest{Password: "segredo-123"})
		wantErr(t, "asked again within the Caller's minute", err, nil)

		_, err = w.gateway().Authenticate(t.Context(), &accountsv1.AuthenticateRequest{Token: in.Token})
		wantProblem(t, "the session", err, "session_ended")
		wantProblem(t, "logging in", w.logIn("Mother", "segredo-123"), "invalid_login")
		_, err = w.register(w.key(), form("mother"))
		wantProblem(t, "registering the login", err, "login_taken", "login login_taken")
		for what, call := range map[string]func() error{
			"commands": func() error {
				_, err := w.api().ClaimCode(caller, &accountsv1.ClaimCodeRequest{Code: "x"})
				return err
			},
			"lists": func() error {
				_, err := w.api().ListRelations(caller, &accountsv1.ListRelationsRequest{})
				return err
			},
		} {
			wantProblem(t, what+" of a Caller that is still valid", call(), "session_ended")
		}
		players := must(w.as("play").GetPlayers(t.Context(), &accountsv1.GetPlayersRequest{Accounts: []string{w.guardian}}))
		wantProto(t, "as a player", players, &accountsv1.GetPlayersResponse{})
		wantSame(t, "relations", append(w.relation(w.guardian, w.ana, w.guardian), w.relation(w.operator, w.guardian)...), []string{"none", "none", "none"})

		after := must(w.gateway().GetMe(w.by(w.stranger), &accountsv1.GetMeRequest{}))
		wantProto(t, "who played them", after, before)
		// A game that was under way is rated for the one who is left.
		must(w.as("play").Rate(t.Context(), rateRequest(11, &accountsv1.RatedSeat{Account: w.guardian}, &accountsv1.RatedSeat{Account: w.stranger}, 0)))
		wantLedgerSound(t, store)

		list := must(accountsv1.NewPrivacyServiceClient(w.conn.Dial(w.clientConfig("play"))).ListDeletions(t.Context(), &accountsv1.ListDeletionsRequest{}))
		wantProto(t, "the list of deletions", list, &accountsv1.ListDeletionsResponse{Deletions: []*accountsv1.Deletion{
			{Number: 1, Account: w.guardian, At: timestamppb.New(monday)},
		}})
		entries := must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Subject: w.guardian})).Entries
		if newest := entries[0]; newest.Action != actionDeleted || newest.Actor != w.guardian || newest.Why != "self" {
			t.Errorf("the audit log notes %v", newest)
		}
		w.now = w.now.Add(loginKept + time.Millisecond)
		if _, logins, err := w.svc.Tidy(t.Context()); logins != 1 || err != nil {
			t.Errorf("released %d logins, %v, want one", logins, err)
		}
		_, err = w.register(w.key(), form("mother"))
		wantErr(t, "registering the login a year later", err, nil)
	})
}

func TestPasswordsToDeleteAreBounded(t *testing.T) {
	w := newSchool(t)
	remove := func() error {
		_, err := w.privacy().DeleteMe(w.by(w.stranger), &accountsv1.DeleteMeRequest{Password: "guess-guess"})
		return err
	}
	for range claimBurst {
		wantProblem(t, "a guess", remove(), "invalid_login")
	}
	wantProblem(t, "one more", remove(), "too_many_requests")
}

func TestDeletingOthers(t *testing.T) {
	w := newSchool(t)
	remove := func(by, account string) error {
		_, err := w.privacy().DeleteAccount(w.by(by), &accountsv1.DeleteAccountRequest{Account: account})
		return err
	}
	wantProblem(t, "oneself", remove(w.stranger, w.stranger), "bad_field", "account bad_field")
	code := must(w.api().MakeCode(w.by(w.teacher), &accountsv1.MakeCodeRequest{Purpose: CodePupil, Class: w.class})).Code
	wantErr(t, "a pupil by code", w.claim(w.child, code), nil)
	wantProblem(t, "a pupil whose account is their own, by their teacher", remove(w.teacher, w.child), "account_not_found")
	wantProblem(t, "a pupil of another", remove(w.teacher, w.eva), "account_not_found")
	wantProblem(t, "a child of another", remove(w.guardian, w.rui), "account_not_found")
	wantErr(t, "a pupil that a class made, by a teacher", remove(w.teacher, w.rui), nil)
	wantProblem(t, "again", remove(w.teacher, w.rui), "account_not_found")
	wantErr(t, "a child, by a guardian", remove(w.guardian, w.ana), nil)
	wantErr(t, "anyone, by an operator", remove(w.operator, w.child), nil)
	wantProblem(t, "the last operator", func() error {
		_, err := w.privacy().DeleteMe(w.by(w.operator), &accountsv1.DeleteMeRequest{Password: "segredo-123"})
		return err
	}(), "last_operator")
	class := must(w.api().GetClass(w.by(w.teacher), &accountsv1.GetClassRequest{Class: w.class}))
	if len(class.Pupils) != 0 {
		t.Errorf("the class has %v", class.Pupils)
	}
	// The teacher's log keeps what happened in the class.
	entries := must(w.privacy().ListAudit(w.by(w.teacher), &accountsv1.ListAuditRequest{Action: actionDeleted})).Entries
	if len(entries) != 3 || entries[2].Subject != w.rui || entries[2].Class != w.class {
		t.Errorf("the teacher sees %v", entries)
	}
}

// Everything of this page that somebody did, in the order done.
func TestWhatTheAuditLogNotes(t *testing.T) {
	w := newSchool(t)
	begin := must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Limit: 1})).Entries[0].Number
	must(w.api().AddTeacher(w.by(w.teacher), &accountsv1.AddTeacherRequest{Class: w.class, Login: "carla"}))
	must(w.api().UpdatePupil(w.by(w.colleague), &accountsv1.UpdatePupilRequest{Class: w.class, Account: w.rui, Name: new("Rui P.")}))
	must(w.gateway().OpenPolicy(w.by(w.colleague), &accountsv1.OpenPolicyRequest{Account: w.rui}))
	must(w.api().ResetAccess(w.by(w.colleague), &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{w.rui}}))
	must(w.api().RemovePupil(w.by(w.colleague), &accountsv1.RemovePupilRequest{Class: w.class, Account: w.rui}))
	for range 3 {
		wantProblem(t, "a wrong password", w.logIn("Stranger", "guess-guess"), "invalid_login")
	}
	wantProblem(t, "a wrong login", w.logIn("nobody-here", "guess-guess"), "invalid_login")
	if rows, err := w.svc.NoteFailures(t.Context()); rows != 2 || err != nil {
		t.Errorf("noted %d rows, %v, want one for nobody and one for the account", rows, err)
	}
	if rows, err := w.svc.NoteFailures(t.Context()); rows != 0 || err != nil {
		t.Errorf("noted %d rows again, %v", rows, err)
	}
	play := accountsv1.NewPrivacyServiceClient(w.conn.Dial(w.clientConfig("play")))
	record := &accountsv1.RecordAuditRequest{Actor: w.teacher, Action: "game_adjudicated", Subjects: []string{w.ana}, Object: id(70), Why: "result_wrong"}
	for range 2 {
		must(play.RecordAudit(rpc.WithKey(t.Context(), "g70"), record))
	}
	_, err := play.RecordAudit(rpc.WithKey(t.Context(), "g70"), &accountsv1.RecordAuditRequest{Actor: w.teacher, Action: "gate_opened", Subjects: []string{w.ana}})
	wantProblem(t, "another under the key", err, "key_reused")
	_, err = play.RecordAudit(rpc.WithKey(t.Context(), "g71"), &accountsv1.RecordAuditRequest{Actor: w.teacher, Action: "gate_opened", Subjects: []string{w.ana}, Why: "Ana was good"})
	wantProblem(t, "free text", err, "bad_field", "why string.pattern")

	var got []string
	for _, e := range slices.Backward(must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Limit: 200})).Entries) {
		if e.Number > begin {
			got = append(got, fmt.Sprint(e.Action, " ", w.name(e.Actor), " ", w.name(e.Subject), " ", w.name(e.Class), " ", w.name(e.Object), " ", e.Why, " ", e.Count))
		}
	}
	wantSame(t, "the audit log", got, []string{
		"teacher_added teacher colleague class   1",
		"pupil_changed colleague rui class   1",
		"policy_opened colleague rui    1",
		"access_reset colleague rui class   1",
		"pupil_removed colleague rui class   1",
		"login_failed      1",
		"login_failed  stranger    3",
		"game_adjudicated teacher ana class " + id(70) + " result_wrong 1",
	})
	for _, secret := range []string{"Rui P", "segredo", w.slips[0].Code} {
		for _, row := range view(t, w.store, func(ctx context.Context, r SchoolReader) ([]Audit, error) { return r.AuditAfter(ctx, 0, 1000) }) {
			if strings.Contains(fmt.Sprint(row), secret) {
				t.Errorf("row %d has %q in it", row.Number, secret)
			}
		}
	}
}

// TestADecisionIsNotedOnceAcrossADeletion: the account of who decided may be gone when
// play asks again after a crash.
func TestADecisionIsNotedOnceAcrossADeletion(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newSchool(t, func(_ *Config, d *Deps) { d.Store = store })
		play := accountsv1.NewPrivacyServiceClient(w.conn.Dial(w.clientConfig("play")))
		tell := func() {
			must(play.RecordAudit(rpc.WithKey(t.Context(), "g72"), &accountsv1.RecordAuditRequest{
				Actor: w.colleague, Action: "game_adjudicated", Subjects: []string{w.ana}, Object: id(72), Why: "annulled",
			}))
		}
		tell()
		must(w.privacy().DeleteAccount(w.by(w.operator), &accountsv1.DeleteAccountRequest{Account: w.colleague}))
		tell()
		rows := 0
		for _, e := range must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Limit: 200})).Entries {
			if e.Action == "game_adjudicated" {
				rows++
			}
		}
		if rows != 1 {
			t.Errorf("the decision was noted %d times", rows)
		}
	})
}

// name is what an id stands for in a test.
func (w *school) name(id string) string {
	for name, known := range map[string]string{
		"teacher": w.teacher, "colleague": w.colleague, "stranger": w.stranger, "ana": w.ana, "rui": w.rui, "class": w.class,
	} {
		if id == known {
			return name
		}
	}
	return id
}

func TestCheckAudit(t *testing.T) {
	w := newSchool(t)
	whole := must(w.privacy().CheckAudit(w.by(w.operator), &accountsv1.CheckAuditRequest{}))
	newest := must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Limit: 1})).Entries[0]
	wantProto(t, "the whole log", whole, &accountsv1.CheckAuditResponse{Checked: newest.Number, Hash: newest.Hash})
	wantProto(t, "from the end", must(w.privacy().CheckAudit(w.by(w.operator), &accountsv1.CheckAuditRequest{After: newest.Number})), whole)
	beyond := must(w.privacy().CheckAudit(w.by(w.operator), &accountsv1.CheckAuditRequest{After: newest.Number + 1}))
	wantProto(t, "beyond the end: cut off", beyond, &accountsv1.CheckAuditResponse{Broken: newest.Number + 1})

	// As somebody does who gets around the database.
	memory := w.store.(*Memory)
	memory.school.audit[3].Why = "nothing"
	broken := must(w.privacy().CheckAudit(w.by(w.operator), &accountsv1.CheckAuditRequest{}))
	if broken.Broken != 4 || broken.Checked != 3 {
		t.Errorf("got %v, want the fourth named", broken)
	}
}

func TestCheckAuditGoesOn(t *testing.T) {
	store := NewMemory()
	for n := range checkBatch + 5 {
		store.school.append(Audit{At: monday, Action: "x", Object: fmt.Sprint(n), Times: 1})
	}
	for after, want := range map[int32]struct {
		last int32
		more bool
	}{0: {checkBatch, true}, checkBatch: {checkBatch + 5, false}} {
		err := store.View(t.Context(), func(ctx context.Context, r SchoolReader) error {
			last, more, err := checkAudit(ctx, r, after)
			if last.Number != want.last || more != want.more {
				t.Errorf("after %d: checked to %d, more %v", after, last.Number, more)
			}
			return err
		})
		wantErr(t, "checkAudit", err, nil)
	}
}

// Failed log-ins that cannot be noted now are noted later.
func TestFailuresOutliveTheDatabase(t *testing.T) {
	store := &flakySchool{Memory: NewMemory()}
	w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
	ana := w.mustRegister("Ana")
	for range 2 {
		_, err := w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Ana", Password: "guess-guess"})
		wantProblem(t, "a wrong password", err, "invalid_login")
	}
	store.err = errors.New("away")
	_, err := w.svc.NoteFailures(t.Context())
	wantErr(t, "NoteFailures", err, store.err)
	store.err = nil
	rows, err := w.svc.NoteFailures(t.Context())
	if got := store.school.audit; rows != 1 || err != nil || got[0].Subject != ana.Id || got[0].Times != 2 {
		t.Errorf("noted %d, %v: %v", rows, err, got)
	}
}

type flakySchool struct {
	*Memory
	err error
}

func (f *flakySchool) Change(ctx context.Context, change func(context.Context, SchoolWriter) error) error {
	if f.err != nil {
		return f.err
	}
	return f.Memory.Change(ctx, change)
}
