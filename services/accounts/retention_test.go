package accounts

import (
	"context"
	"strings"
	"testing"
	"time"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// newKeeping is a school whose accounts without use go after two years.
func newKeeping(t *testing.T, store Store) *school {
	t.Helper()
	return newSchool(t, func(cfg *Config, d *Deps) { cfg.Retention, d.Store = DefaultRetention, store })
}

func (w *school) retain(want retained) {
	w.t.Helper()
	got, err := w.svc.Retain(w.t.Context())
	wantErr(w.t, "Retain", err, nil)
	wantSame(w.t, "announced and deleted at "+w.now.Format(time.DateOnly), got, want)
}

// comesBack logs a pupil in with a new slip.
func (w *school) comesBack(account string) {
	w.t.Helper()
	reset := must(w.api().ResetAccess(w.by(w.teacher), &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{account}}))
	wantErr(w.t, "the slip", w.useSlip(reset.Slips[0], "segredo-123"), nil)
	wantErr(w.t, "a log-in", w.logIn(reset.Slips[0].Login, "segredo-123"), nil)
}

func (w *school) lives(account string) bool {
	w.t.Helper()
	return view(w.t, w.store, func(ctx context.Context, r SchoolReader) (bool, error) {
		found, err := r.FindAccounts(ctx, []string{account})
		return len(found) == 1 && found[0].alive(), err
	})
}

// What a class made and nobody uses is announced and, two months later, deleted; who
// logs in or is kept stays, and so do all others.
func TestUnusedPupilsLeaveAfterNotice(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newKeeping(t, store)
		more := must(w.api().AddPupils(w.by(w.teacher), &accountsv1.AddPupilsRequest{Class: w.class, Names: []string{"Bia", "Caio"}})).Slips
		slips := append(w.slips, more...)
		made := len(slips) + 1 // Eva, of another class
		w.retain(retained{})
		w.now = w.now.Add(DefaultRetention - noticePeriod)
		w.retain(retained{})
		// One of them has logged in a day before.
		w.comesBack(w.ana)
		w.now = w.now.Add(24 * time.Hour)
		w.retain(retained{Noticed: made - 1})
		w.retain(retained{}) // once a day

		got := must(w.api().GetClass(w.by(w.teacher), &accountsv1.GetClassRequest{Class: w.class}))
		if got.Class.GetLeaving() != 3 || !got.Class.LeavesAt.AsTime().Equal(w.now.Add(noticePeriod)) {
			t.Errorf("the class says %d leave at %v", got.Class.GetLeaving(), got.Class.LeavesAt.AsTime())
		}
		for _, pupil := range got.Pupils {
			if (pupil.LeavesAt == nil) != (pupil.Account == w.ana) {
				t.Errorf("%s leaves at %v", pupil.Login, pupil.LeavesAt)
			}
		}
		if classmate := must(w.api().GetClass(w.by(w.ana), &accountsv1.GetClassRequest{Class: w.class})); classmate.Class.Leaving != 0 {
			t.Error("a pupil is told who leaves")
		}
		newest := must(w.privacy().ListAudit(w.by(w.teacher), &accountsv1.ListAuditRequest{Class: w.class, Limit: 1})).Entries[0]
		if newest.Action != actionUnused || newest.Actor != "service:accounts" {
			t.Errorf("the teacher reads %v", newest)
		}

		// One more comes back in time.
		w.comesBack(w.rui)
		w.now = w.now.Add(noticePeriod - time.Millisecond)
		w.retain(retained{})
		w.now = w.now.Add(24 * time.Hour)
		w.retain(retained{Deleted: made - 2})
		for i, slip := range slips {
			if got, want := w.lives(slip.Account), i < 2; got != want {
				t.Errorf("pupil %d lives: %v", i, got)
			}
		}
		for _, other := range []string{w.teacher, w.operator, w.guardian, w.stranger} {
			if !w.lives(other) {
				t.Error("an account that no class made was deleted")
			}
		}
		newest = must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Action: actionDeleted, Limit: 1})).Entries[0]
		if newest.Why != whyUnused || newest.Actor != "service:accounts" {
			t.Errorf("the audit log has %v", newest)
		}
	})
}

// A teacher keeps the pupils of a class, of an archived one too.
func TestPupilsAreKept(t *testing.T) {
	w := newKeeping(t, NewMemory())
	must(w.api().UpdateClass(w.by(w.teacher), &accountsv1.UpdateClassRequest{Class: w.class, Archived: new(true)}))
	w.now = w.now.Add(DefaultRetention - noticePeriod + 24*time.Hour)
	w.retain(retained{Noticed: len(w.slips) + 1}) // Eva, of another class
	if rows := must(w.privacy().ListAudit(w.by(w.teacher), &accountsv1.ListAuditRequest{Class: w.class, Action: actionUnused})); len(rows.Entries) != len(w.slips) {
		t.Errorf("the teacher of an archived class reads %d notices", len(rows.Entries))
	}
	kept := must(w.api().KeepPupils(w.by(w.teacher), &accountsv1.KeepPupilsRequest{Class: w.class}))
	if kept.Class.Leaving != 0 || kept.Class.LeavesAt != nil {
		t.Errorf("the class says %v", kept.Class)
	}
	w.now = w.now.Add(noticePeriod + 24*time.Hour)
	w.retain(retained{Deleted: 1})
	w.now = w.now.Add(DefaultRetention)
	w.retain(retained{Noticed: len(w.slips)})
}

func TestNothingLeavesWhereEverythingIsKept(t *testing.T) {
	w := newSchool(t)
	w.now = w.now.Add(20 * DefaultRetention)
	w.retain(retained{})
	w.now = w.now.Add(20 * DefaultRetention)
	w.retain(retained{})
}

// The audit log tells names to who may know them, and to nobody else.
func TestAuditNames(t *testing.T) {
	w := newSchool(t)
	must(w.api().AllowPublic(w.by(w.guardian), &accountsv1.AllowPublicRequest{Account: w.ana, Allowed: true}))
	must(w.api().AllowPublic(w.by(w.operator), &accountsv1.AllowPublicRequest{Account: w.ana, Allowed: false}))
	names := func(viewer string, req *accountsv1.ListAuditRequest) (people map[string]string, classes string) {
		answer := must(w.privacy().ListAudit(w.by(viewer), req))
		people = map[string]string{}
		for _, person := range answer.People {
			people[person.Account] = strings.TrimSpace(person.Login + " " + person.Name)
		}
		for _, class := range answer.Classes {
			classes += class.Name + " "
		}
		return people, classes
	}
	of := func(account string) Account {
		return must(w.store.Accounts(t.Context(), []string{account}))[0]
	}
	ana := of(w.ana)

	people, classes := names(w.teacher, &accountsv1.ListAuditRequest{Class: w.class, Limit: 200})
	wantSame(t, "the pupil", people[w.ana], ana.Login+" "+ana.FirstName)
	wantSame(t, "the guardian", people[w.guardian], of(w.guardian).Login)
	wantSame(t, "the teacher", people[w.teacher], of(w.teacher).Login)
	wantSame(t, "the operator, whom a teacher need not know", people[w.operator], "")
	if !strings.Contains(classes, must(w.api().GetClass(w.by(w.teacher), &accountsv1.GetClassRequest{Class: w.class})).Class.Name) {
		t.Errorf("classes %q", classes)
	}

	people, _ = names(w.operator, &accountsv1.ListAuditRequest{Limit: 200})
	wantSame(t, "the pupil to an operator", people[w.ana], ana.Login+" "+ana.FirstName)
	wantSame(t, "the guardian to an operator", people[w.guardian], strings.TrimSpace(of(w.guardian).Login+" "+of(w.guardian).FirstName))

	must(w.api().UpdateClass(w.by(w.teacher), &accountsv1.UpdateClassRequest{Class: w.class, Archived: new(true)}))
	people, _ = names(w.teacher, &accountsv1.ListAuditRequest{Class: w.class, Limit: 200})
	wantSame(t, "the pupil of an archived class", people[w.ana], "")

	must(w.privacy().DeleteAccount(w.by(w.operator), &accountsv1.DeleteAccountRequest{Account: w.ana}))
	people, _ = names(w.operator, &accountsv1.ListAuditRequest{Limit: 200})
	wantSame(t, "a deleted account", people[w.ana], deletedLogin)
}

func TestFindPerson(t *testing.T) {
	w := newSchool(t)
	find := func(login string) (*accountsv1.FindPersonResponse, error) {
		return w.api().FindPerson(w.by(w.operator), &accountsv1.FindPersonRequest{Login: login})
	}
	got, err := find(strings.ToUpper(must(w.store.Accounts(t.Context(), []string{w.teacher}))[0].Login))
	if err != nil || got.Account != w.teacher || strings.Join(got.Roles, " ") != "learner teacher" || got.MadeByClass || got.SecondFactor {
		t.Errorf("a teacher: %v, %v", got, err)
	}
	got, err = find(w.slips[0].Login)
	if err != nil || !got.MadeByClass || !got.Minor {
		t.Errorf("a pupil: %v, %v", got, err)
	}
	for _, login := range []string{"nobody-here", "x", "a\x00b"} {
		_, err := find(login)
		wantProblem(t, login, err, "account_not_found")
	}
}
