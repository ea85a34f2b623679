package accounts

import (
	"strings"
	"testing"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// correct corrects an account's details as somebody; a field is left out where its
// text is "-".
func (w *school) correct(by, account, first, surname, birth, sex string) (*accountsv1.PersonDetails, error) {
	req := &accountsv1.CorrectDetailsRequest{Account: account}
	for _, f := range []struct {
		text string
		into **string
	}{{first, &req.FirstName}, {surname, &req.Surname}, {birth, &req.BirthDate}, {sex, &req.Sex}} {
		if f.text != "-" {
			*f.into = &f.text
		}
	}
	resp, err := w.privacy().CorrectDetails(w.by(by), req)
	return resp.GetDetails(), err
}

// born corrects a birth date.
func (w *school) born(by, account, date string) error {
	_, err := w.correct(by, account, "-", "-", date, "-")
	return err
}

func (w *school) protects(account string) bool {
	w.t.Helper()
	return must(w.api().ListRelations(w.by(account), &accountsv1.ListRelationsRequest{})).Protected
}

func TestCorrectDetails(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newSchool(t, func(_ *Config, d *Deps) { d.Store = store })
		got, err := w.correct(w.stranger, w.stranger, " Antônia ", "-", "02/05/1981", "undisclosed")
		wantErr(t, "one's own", err, nil)
		want := &accountsv1.PersonDetails{
			Account: w.stranger, Login: "Stranger", FirstName: "Antônia", Surname: "Conceição", BirthDate: "1981-05-02", Sex: "undisclosed",
		}
		wantProto(t, "what is known now", got, want)
		wantProto(t, "what is read", must(w.privacy().GetDetails(w.by(w.stranger), &accountsv1.GetDetailsRequest{Account: w.stranger})).Details, want)
		if me := must(w.gateway().GetMe(w.by(w.stranger), &accountsv1.GetMeRequest{})).Account; me.FirstName != "Antônia" || me.BirthDate != "1981-05-02" {
			t.Errorf("the account is %v", me)
		}
		for what, f := range map[string][4]string{
			"first_name fields_missing, surname fields_missing": {"", "  ", "-", "-"},
			"birth_date fields_missing":                         {"-", "-", "", "-"},
			"birth_date bad_date":                               {"-", "-", "31/02/1980", "-"},
			"sex bad_field":                                     {"-", "-", "-", "x"},
			"first_name bad_field":                              {strings.Repeat("é", 65), "-", "-", "-"},
		} {
			_, err := w.correct(w.stranger, w.stranger, f[0], f[1], f[2], f[3])
			fields := strings.Split(what, ", ")
			wantProblem(t, what, err, strings.Fields(fields[0])[1], fields...)
		}
		// A pupil whose account a class made has the name that the teacher typed.
		got, err = w.correct(w.guardian, w.ana, "Ana Beatriz", "-", "2016-03-01", "-")
		wantErr(t, "a guardian", err, nil)
		wantProto(t, "the child", got, &accountsv1.PersonDetails{
			Account: w.ana, Login: w.slips[0].Login, FirstName: "Ana Beatriz", BirthDate: "2016-03-01", MadeByClass: true, Protected: true,
		})
		_, err = w.correct(w.teacher, w.ana, "", "-", "-", "-")
		wantProblem(t, "a pupil without a name", err, "fields_missing", "first_name fields_missing")
		wantErr(t, "a birth date taken away", w.born(w.teacher, w.ana, ""), nil)

		// The log says that, by whom and for whom, and nothing of what.
		before := len(must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Limit: 200})).Entries)
		_, err = w.correct(w.teacher, w.ana, "Ana Beatriz", "-", "-", "-")
		wantErr(t, "nothing new", err, nil)
		entries := must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Limit: 200})).Entries
		if len(entries) != before {
			t.Errorf("a correction of nothing is noted: %v", entries[0])
		}
		if e := entries[0]; e.Action != actionCorrected || e.Actor != w.teacher || e.Subject != w.ana || e.Class != w.class || e.Why != relationTeacher {
			t.Errorf("the log has %v", e)
		}
	})
}

// TestNobodyGrowsUpByTyping: a child's own correction ends no protection, nor brings
// its end nearer; a guardian, a teacher of a class that made the account, and an
// operator may.
func TestNobodyGrowsUpByTyping(t *testing.T) {
	w := newSchool(t, func(cfg *Config, _ *Deps) { cfg.RequiredFields = []string{} })
	unknown := form("Unknown")
	unknown.BirthDate = ""
	nobody := must(w.register(w.key(), unknown)).Id
	for what, c := range map[string]struct{ who, date string }{
		"a child becomes an adult":                    {w.child, "1990-01-01"},
		"a child becomes older":                       {w.child, "2016-02-28"},
		"somebody of unknown age tells an adult's":    {nobody, "1990-01-01"},
		"somebody of unknown age tells a minor's age": {nobody, "2009-01-01"},
	} {
		wantProblem(t, what, w.born(c.who, c.who, c.date), "protection_kept")
		if !w.protects(c.who) {
			t.Errorf("%s: the protection has ended", what)
		}
	}
	_, err := w.correct(w.ana, w.ana, "Rui", "-", "-", "-")
	wantProblem(t, "a pupil of a class takes another's name", err, "forbidden")
	wantProblem(t, "a pupil of a class tells an adult's date", w.born(w.ana, w.ana, "1990-01-01"), "forbidden")
	wantErr(t, "a child becomes younger", w.born(w.child, w.child, "2016-03-01"), nil)
	_, err = w.correct(w.child, w.child, "Bia", "Souza", "-", "-")
	wantErr(t, "a child's name", err, nil)
	wantProblem(t, "a child takes the date away, and is no known child", w.born(w.child, w.child, ""), "protection_kept")
	wantErr(t, "an operator takes it away", w.born(w.operator, w.child, ""), nil)
	wantProblem(t, "and the child gives another", w.born(w.child, w.child, "1990-01-01"), "protection_kept")

	wantErr(t, "an operator", w.born(w.operator, w.child, "1990-01-01"), nil)
	wantErr(t, "a teacher of a class that made the account", w.born(w.teacher, w.rui, "1990-01-01"), nil)
	wantErr(t, "a guardian", w.born(w.guardian, w.ana, "1990-01-01"), nil)
	for _, grown := range []string{w.child, w.rui, w.ana} {
		if w.protects(grown) {
			t.Error("the protection goes on")
		}
	}
	newest := must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Limit: 2})).Entries
	if newest[0].Action != actionUnshielded || newest[0].Why != relationGuardian || newest[1].Action != actionCorrected {
		t.Errorf("the log has %v", newest)
	}
	wantErr(t, "an adult who was none", w.born(w.child, w.child, "2016-03-01"), nil)
	newest = must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Limit: 1})).Entries
	if newest[0].Action != actionShielded || !w.protects(w.child) {
		t.Errorf("the log has %v", newest)
	}
	wantProblem(t, "and would be again", w.born(w.child, w.child, "1990-01-01"), "protection_kept")
}

func TestWhoAnswersForOthersIsNoMinor(t *testing.T) {
	w := newSchool(t)
	for what, account := range map[string]string{"a teacher": w.teacher, "an operator": w.operator, "a guardian": w.guardian} {
		wantProblem(t, what, w.born(account, account, "2015-01-01"), "adult_required")
		wantErr(t, what+" who is older", w.born(account, account, "1979-01-01"), nil)
	}
	must(w.api().EndGuardian(w.by(w.guardian), &accountsv1.EndGuardianRequest{Account: w.ana, Guardian: w.guardian}))
	wantErr(t, "who is no guardian any more", w.born(w.guardian, w.guardian, "2015-01-01"), nil)
}

// TestAPupilComesOfAge: the protection of an account that a class made ends with its
// birth date, and with it what guardians may; teachers of the class still help it in.
func TestAPupilComesOfAge(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newSchool(t, func(_ *Config, d *Deps) { d.Store = store })
		birthday := w.now.AddDate(-adultAge, 0, 1)
		wantErr(t, "the date", w.born(w.teacher, w.ana, birthday.Format("2006-01-02")), nil)
		if !w.protects(w.ana) {
			t.Fatal("the protection has ended a day early")
		}
		wantSame(t, "the guardian before", w.relation(w.guardian, w.ana), []string{"guardian"})
		w.now = w.now.AddDate(0, 0, 1)
		if w.protects(w.ana) {
			t.Fatal("the protection goes on")
		}
		wantSame(t, "the guardian", w.relation(w.guardian, w.ana), []string{"none"})
		own := must(w.api().ListRelations(w.by(w.ana), &accountsv1.ListRelationsRequest{}))
		if len(own.Guardians) > 0 || !own.PublicGames {
			t.Errorf("the grown pupil's relations are %v", own)
		}
		if children := must(w.api().ListRelations(w.by(w.guardian), &accountsv1.ListRelationsRequest{})).Children; len(children) > 0 {
			t.Errorf("the guardian still has %v", children)
		}
		for what, call := range map[string]func() error{
			"the guardian deletes": func() error {
				_, err := w.privacy().DeleteAccount(w.by(w.guardian), &accountsv1.DeleteAccountRequest{Account: w.ana})
				return err
			},
			"the guardian exports": func() error {
				_, err := w.privacy().ExportAccount(w.by(w.guardian), &accountsv1.ExportAccountRequest{Account: w.ana})
				return err
			},
			"the guardian allows public games": func() error {
				_, err := w.api().AllowPublic(w.by(w.guardian), &accountsv1.AllowPublicRequest{Account: w.ana, Allowed: true})
				return err
			},
		} {
			wantProblem(t, what, call(), "account_not_found")
		}
		reset := must(w.api().ResetAccess(w.by(w.teacher), &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{w.ana}}))
		wantErr(t, "a new slip", w.useSlip(reset.Slips[0], "segredo-123"), nil)
		// Whose access a teacher resets answers for nobody else.
		_, err := w.api().GiveRole(w.by(w.operator), &accountsv1.GiveRoleRequest{Account: w.ana, Role: RoleTeacher})
		wantProblem(t, "as a teacher", err, "adult_required")
		code := must(w.api().MakeCode(w.by(w.teacher), &accountsv1.MakeCodeRequest{Purpose: CodeGuardian, Account: w.rui}))
		wantProblem(t, "as a guardian", w.claim(w.ana, code.Code), "adult_required")
	})
}

// A lost answer is asked for again: who may not see the person any more is told that
// it is done, and no details.
func TestACorrectionIsRepeated(t *testing.T) {
	w := newSchool(t)
	caller := w.by(w.guardian)
	req := &accountsv1.CorrectDetailsRequest{Account: w.ana, BirthDate: new("1990-01-01")}
	for range 2 {
		resp, err := w.privacy().CorrectDetails(caller, req)
		wantErr(t, "the correction", err, nil)
		if resp.Details != nil {
			t.Errorf("a guardian who is none any more reads %v", resp.Details)
		}
	}
	rows := must(w.privacy().ListAudit(w.by(w.operator), &accountsv1.ListAuditRequest{Action: actionCorrected})).Entries
	if len(rows) != 1 {
		t.Errorf("noted %d times", len(rows))
	}
}
