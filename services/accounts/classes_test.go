package accounts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// school is a world with a class in it: its operator, a teacher with a class of two
// pupils, a guardian of the first, another teacher with a class of one, a person of
// age and a child who belong to none.
type school struct {
	*world
	keys                                          int
	operator, teacher, colleague, other, guardian string
	ana, rui, eva                                 string
	stranger, child, helper                       string
	class, foreign                                string
	slips                                         []*accountsv1.AccessSlip
}

func (w *school) api() accountsv1.ClassesServiceClient {
	return accountsv1.NewClassesServiceClient(w.conn.Dial(w.clientConfig(identity.Gateway)))
}

func (w *school) privacy() accountsv1.PrivacyServiceClient {
	return accountsv1.NewPrivacyServiceClient(w.conn.Dial(w.clientConfig(identity.Gateway)))
}

// as is a person with a command's key of their own, and the roles of their account.
func (w *school) by(account string) context.Context {
	w.t.Helper()
	found, err := w.store.Accounts(w.t.Context(), []string{account})
	if err != nil || len(found) == 0 {
		w.t.Fatalf("account %s: %v, %v", account, found, err)
	}
	return rpc.WithKey(w.person(account, found[0].roles()...), w.key())
}

func (w *school) key() string {
	w.keys++
	return fmt.Sprint("key", w.keys)
}

func must[T any](resp T, err error) T {
	if err != nil {
		panic(err)
	}
	return resp
}

// adult registers someone of age.
func (w *school) adult(login string) string {
	w.t.Helper()
	req := form(login)
	req.BirthDate = "1980-05-01"
	account, err := w.register(w.key(), req)
	if err != nil {
		w.t.Fatal(err)
	}
	return account.Id
}

func newSchool(t *testing.T, change ...func(*Config, *Deps)) *school {
	t.Helper()
	w := &school{world: newWorld(t, change...)}
	w.operator = w.adult("Diretora-Ana")
	code := must(w.svc.NewOperatorCode(t.Context()))
	must(w.gateway().ClaimOperator(w.by(w.operator), &accountsv1.ClaimOperatorRequest{Code: code}))
	for login, into := range map[string]*string{"Teresa": &w.teacher, "Carla": &w.colleague, "Otto": &w.other} {
		*into = w.adult(login)
		must(w.api().GiveRole(w.by(w.operator), &accountsv1.GiveRoleRequest{Account: *into, Role: RoleTeacher}))
	}
	w.guardian, w.stranger, w.child = w.adult("Mother"), w.adult("Stranger"), w.mustRegister("Child").Id
	w.class = must(w.api().CreateClass(w.by(w.teacher), &accountsv1.CreateClassRequest{Name: " 4º B ", SchoolYear: 2026})).Class.Id
	w.foreign = must(w.api().CreateClass(w.by(w.other), &accountsv1.CreateClassRequest{Name: "5º A"})).Class.Id
	w.slips = must(w.api().AddPupils(w.by(w.teacher), &accountsv1.AddPupilsRequest{Class: w.class, Names: []string{"Ána Beatriz Souza", "Rui"}})).Slips
	w.ana, w.rui = w.slips[0].Account, w.slips[1].Account
	w.eva = must(w.api().AddPupils(w.by(w.other), &accountsv1.AddPupilsRequest{Class: w.foreign, Names: []string{"Eva"}})).Slips[0].Account
	made := must(w.api().MakeCode(w.by(w.teacher), &accountsv1.MakeCodeRequest{Purpose: CodeGuardian, Account: w.ana}))
	must(w.api().ClaimCode(w.by(w.guardian), &accountsv1.ClaimCodeRequest{Code: made.Code}))
	return w
}

// useSlip sets a pupil's password.
func (w *school) useSlip(slip *accountsv1.AccessSlip, password string) error {
	_, err := w.api().UseAccessCode(rpc.WithKey(w.t.Context(), w.key()), &accountsv1.UseAccessCodeRequest{Login: slip.Login, Code: slip.Code, Password: password})
	return err
}

func (w *school) logIn(login, password string) error {
	_, err := w.gateway().LogIn(w.t.Context(), &accountsv1.LogInRequest{Login: login, Password: password})
	return err
}

func (w *school) relation(viewer string, subjects ...string) []string {
	w.t.Helper()
	resp := must(accountsv1.NewClassesServiceClient(w.conn.Dial(w.clientConfig("play"))).
		Relations(w.t.Context(), &accountsv1.RelationsRequest{Viewer: viewer, Subjects: subjects}))
	var list []string
	for _, r := range resp.Relations {
		list = append(list, r.Relation)
	}
	return list
}

func TestAClassFromListToLogIn(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newSchool(t, func(_ *Config, d *Deps) { d.Store = store })
		first := w.slips[0]
		if first.Name != "Ána Beatriz Souza" || !strings.HasPrefix(first.Login, "ana.") || strings.Contains(first.Login, "souza") {
			t.Errorf("slip %v, want the name and a login of its first word", first)
		}
		if !validLogin(first.Login) || len(first.Code) != 14 || !first.ExpiresAt.AsTime().Equal(monday.Add(accessAge)) {
			t.Errorf("slip %v, want a login, a code in groups, and its end", first)
		}
		// The account has a name, and of the founding fields nothing else.
		account, err := store.Person(t.Context(), w.ana)
		wantErr(t, "Person", err, nil)
		wantSame(t, "the account", account, Person{Account: Account{
			ID: w.ana, Login: first.Login, FirstName: "Ána Beatriz Souza", Policy: PolicyGuided, Managed: true, CreatedAt: monday,
		}})
		wantProblem(t, "no password yet", w.logIn(first.Login, "segredo-123"), "invalid_login")

		view := must(w.api().GetClass(w.by(w.teacher), &accountsv1.GetClassRequest{Class: w.class}))
		wantProto(t, "the class", view, &accountsv1.GetClassResponse{
			Class:    &accountsv1.Class{Id: w.class, Name: "4º B", SchoolYear: 2026, CreatedAt: timestamppb.New(monday), Pupils: 2, Role: "teacher"},
			Teachers: []*accountsv1.ClassTeacher{{Account: w.teacher, Login: "Teresa"}},
			Pupils: []*accountsv1.ClassPupil{
				{Account: w.rui, Login: w.slips[1].Login, Name: "Rui", MadeByClass: true, Access: "code", Policy: "guided"},
				{Account: w.ana, Login: first.Login, Name: "Ána Beatriz Souza", MadeByClass: true, Access: "code", Policy: "guided"},
			},
		})

		typed := &accountsv1.AccessSlip{Login: " " + strings.ToUpper(first.Login), Code: strings.ToLower(strings.ReplaceAll(first.Code, "-", " "))}
		wantErr(t, "the code as a child types it", w.useSlip(typed, "segredo-da-ana"), nil)
		wantErr(t, "log in", w.logIn(first.Login, "segredo-da-ana"), nil)
		wantProblem(t, "the code again", w.useSlip(first, "other-password"), "bad_code")

		_, err = w.as("play").Rate(t.Context(), rateRequest(10, &accountsv1.RatedSeat{Account: w.ana}, &accountsv1.RatedSeat{Level: "plies-2"}, 2))
		wantErr(t, "Rate", err, nil)
		view = must(w.api().GetClass(w.by(w.teacher), &accountsv1.GetClassRequest{Class: w.class}))
		if ana := view.Pupils[1]; ana.Access != "ready" || len(ana.Ratings) != 1 || ana.Ratings[0].Wins != 1 {
			t.Errorf("the pupil is %v, want them ready and with a rating", ana)
		}
		// A classmate sees logins and nothing else.
		wantProto(t, "the class for a pupil", must(w.api().GetClass(w.by(w.rui), &accountsv1.GetClassRequest{Class: w.class})).Pupils[0],
			&accountsv1.ClassPupil{Account: w.ana, Login: first.Login})

		// A reset ends the password and the sessions at once.
		in := must(w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: first.Login, Password: "segredo-da-ana"}))
		reset := must(w.api().ResetAccess(w.by(w.teacher), &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{w.ana}}))
		_, err = w.gateway().Authenticate(t.Context(), &accountsv1.AuthenticateRequest{Token: in.Token})
		wantProblem(t, "the old session", err, "session_ended")
		wantProblem(t, "the old password", w.logIn(first.Login, "segredo-da-ana"), "invalid_login")
		wantErr(t, "the new code", w.useSlip(reset.Slips[0], "segredo-da-ana"), nil)
		wantErr(t, "log in again", w.logIn(first.Login, "segredo-da-ana"), nil)
		for _, secret := range []string{first.Code, "Beatriz", "Souza", "segredo"} {
			if strings.Contains(w.log.String(), secret) {
				t.Errorf("the log has %q in it", secret)
			}
		}
	})
}

// A list that was sent twice makes each pupil once. The codes of the first answer
// are stored nowhere, so the second has new ones, and those alone count.
func TestAddPupilsAgain(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newSchool(t, func(_ *Config, d *Deps) { d.Store = store })
		ctx := w.by(w.teacher)
		req := &accountsv1.AddPupilsRequest{Class: w.class, Names: []string{"Bia", "Bia", "Caio"}}
		first := must(w.api().AddPupils(ctx, req)).Slips
		wantErr(t, "one uses theirs", w.useSlip(first[2], "segredo-123"), nil)
		second := must(w.api().AddPupils(ctx, req)).Slips
		for i, slip := range second {
			if slip.Account != first[i].Account || slip.Login != first[i].Login || slip.Name != first[i].Name {
				t.Errorf("pupil %d is %v, then %v", i, first[i], slip)
			}
		}
		if second[2].Code != "" || second[0].Code == first[0].Code {
			t.Errorf("codes %q, want none where it was used, and else new ones", second)
		}
		wantProblem(t, "a code of the first answer", w.useSlip(first[0], "segredo-123"), "bad_code")
		wantErr(t, "a code of the second", w.useSlip(second[0], "segredo-123"), nil)
		class := must(w.api().GetClass(w.by(w.teacher), &accountsv1.GetClassRequest{Class: w.class})).Class
		if class.Pupils != 5 {
			t.Errorf("%d pupils, want 5", class.Pupils)
		}
		other := &accountsv1.AddPupilsRequest{Class: w.class, Names: []string{"Davi"}}
		_, err := w.api().AddPupils(ctx, other)
		wantProblem(t, "another list under the key", err, "key_reused")
	})
}

func TestAClassHasRoomForFourHundred(t *testing.T) {
	w := newSchool(t)
	names := slices.Repeat([]string{"José"}, 199)
	add := func(n int) error {
		_, err := w.api().AddPupils(w.by(w.teacher), &accountsv1.AddPupilsRequest{Class: w.class, Names: names[:n]})
		return err
	}
	wantErr(t, "199", add(199), nil)
	wantErr(t, "198", add(198), nil)
	wantProblem(t, "two more than fit", add(2), "class_full")
	wantErr(t, "the last", add(1), nil)
	moved := &accountsv1.MovePupilRequest{Class: w.foreign, Account: w.eva, To: w.class}
	must(w.api().AddTeacher(w.by(w.other), &accountsv1.AddTeacherRequest{Class: w.foreign, Login: "teresa"}))
	_, err := w.api().MovePupil(w.by(w.teacher), moved)
	wantProblem(t, "moving one into it", err, "class_full")
	must(w.api().UpdatePupil(w.by(w.teacher), &accountsv1.UpdatePupilRequest{Class: w.class, Account: w.rui, Archived: new(true)}))
	_, err = w.api().MovePupil(w.by(w.teacher), moved)
	wantErr(t, "moving one where another was archived", err, nil)
	_, err = w.api().UpdatePupil(w.by(w.teacher), &accountsv1.UpdatePupilRequest{Class: w.class, Account: w.rui, Archived: new(false)})
	wantProblem(t, "restoring that one", err, "class_full")
}

func TestClassRefusals(t *testing.T) {
	w := newSchool(t)
	long := strings.Repeat("é", 65)
	for what, call := range map[string]func() error{
		"name bad_field": func() error {
			_, err := w.api().CreateClass(w.by(w.teacher), &accountsv1.CreateClassRequest{Name: "  "})
			return err
		},
		"school_year bad_field": func() error {
			_, err := w.api().CreateClass(w.by(w.teacher), &accountsv1.CreateClassRequest{Name: "x", SchoolYear: 1999})
			return err
		},
		"names[1] bad_field": func() error {
			_, err := w.api().AddPupils(w.by(w.teacher), &accountsv1.AddPupilsRequest{Class: w.class, Names: []string{"Ana", long}})
			return err
		},
		"names repeated.min_items": func() error {
			_, err := w.api().AddPupils(w.by(w.teacher), &accountsv1.AddPupilsRequest{Class: w.class})
			return err
		},
		"to bad_field": func() error {
			_, err := w.api().MovePupil(w.by(w.teacher), &accountsv1.MovePupilRequest{Class: w.class, To: w.class, Account: w.ana})
			return err
		},
		"account bad_field": func() error {
			_, err := w.api().MakeCode(w.by(w.teacher), &accountsv1.MakeCodeRequest{Purpose: CodeGuardian})
			return err
		},
		"class bad_field": func() error {
			_, err := w.api().MakeCode(w.by(w.teacher), &accountsv1.MakeCodeRequest{Purpose: CodePupil})
			return err
		},
	} {
		wantProblem(t, what, call(), "bad_field", what)
	}
	_, err := w.api().RemoveTeacher(w.by(w.teacher), &accountsv1.RemoveTeacherRequest{Class: w.class, Account: w.teacher})
	wantProblem(t, "the last teacher", err, "last_teacher")
	_, err = w.api().AddTeacher(w.by(w.teacher), &accountsv1.AddTeacherRequest{Class: w.class, Login: "stranger"})
	noTeacher := wantProblem(t, "who is no teacher", err, "account_not_found")
	_, err = w.api().AddTeacher(w.by(w.teacher), &accountsv1.AddTeacherRequest{Class: w.class, Login: "nobody-at-all"})
	if nobody := wantProblem(t, "nobody", err, "account_not_found"); nobody.Detail != noTeacher.Detail {
		t.Errorf("%q tells nobody from who is no teacher: %q", nobody.Detail, noTeacher.Detail)
	}
	_, err = w.api().GiveRole(w.by(w.operator), &accountsv1.GiveRoleRequest{Account: w.child, Role: RoleTeacher})
	wantProblem(t, "a child as a teacher", err, "adult_required")
	_, err = w.api().GiveRole(w.by(w.operator), &accountsv1.GiveRoleRequest{Account: id(99), Role: RoleTeacher})
	wantProblem(t, "nobody as a teacher", err, "account_not_found")
	_, err = w.api().GiveRole(w.by(w.operator), &accountsv1.GiveRoleRequest{Account: w.stranger, Role: "operator"})
	wantProblem(t, "another operator", err, "bad_field", "role string.in")

	for n := range maxClasses - 1 {
		must(w.api().CreateClass(w.by(w.teacher), &accountsv1.CreateClassRequest{Name: fmt.Sprint(n)}))
	}
	_, err = w.api().CreateClass(w.by(w.teacher), &accountsv1.CreateClassRequest{Name: "one more"})
	wantProblem(t, "one more than a hundred", err, "too_many_classes")
}

// In an archived class nothing changes, it gives no rights, and its pupils do not
// see it; its teachers may restore it.
func TestAnArchivedClass(t *testing.T) {
	w := newSchool(t)
	wantSame(t, "before", w.relation(w.teacher, w.ana), []string{"teacher"})
	got := must(w.api().UpdateClass(w.by(w.teacher), &accountsv1.UpdateClassRequest{Class: w.class, Archived: new(true)}))
	if !got.Class.ArchivedAt.AsTime().Equal(monday) {
		t.Errorf("archived at %v", got.Class.ArchivedAt)
	}
	wantSame(t, "the teacher", w.relation(w.teacher, w.ana), []string{"none"})
	wantSame(t, "classmates", w.relation(w.rui, w.ana), []string{"none"})
	wantSame(t, "the guardian", w.relation(w.guardian, w.ana), []string{"guardian"})
	for what, call := range map[string]func() error{
		"adding": func() error {
			_, err := w.api().AddPupils(w.by(w.teacher), &accountsv1.AddPupilsRequest{Class: w.class, Names: []string{"Caio"}})
			return err
		},
		"resetting": func() error {
			_, err := w.api().ResetAccess(w.by(w.teacher), &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{w.ana}})
			return err
		},
		"removing": func() error {
			_, err := w.api().RemovePupil(w.by(w.teacher), &accountsv1.RemovePupilRequest{Class: w.class, Account: w.ana})
			return err
		},
		"renaming": func() error {
			_, err := w.api().UpdateClass(w.by(w.teacher), &accountsv1.UpdateClassRequest{Class: w.class, Name: new("x")})
			return err
		},
		"a teacher more": func() error {
			_, err := w.api().AddTeacher(w.by(w.teacher), &accountsv1.AddTeacherRequest{Class: w.class, Login: "carla"})
			return err
		},
		"a code": func() error {
			_, err := w.api().MakeCode(w.by(w.teacher), &accountsv1.MakeCodeRequest{Purpose: CodePupil, Class: w.class})
			return err
		},
	} {
		wantProblem(t, what, call(), "class_archived")
	}
	_, err := w.api().GetClass(w.by(w.rui), &accountsv1.GetClassRequest{Class: w.class})
	wantProblem(t, "a pupil looks", err, "class_not_found")
	list := func(account string, archived bool) (names []string) {
		for _, class := range must(w.api().ListClasses(w.by(account), &accountsv1.ListClassesRequest{Archived: archived})).Classes {
			names = append(names, class.Name+" "+class.Role)
		}
		return names
	}
	wantSame(t, "the teacher's list", list(w.teacher, false), nil)
	wantSame(t, "with archived ones", list(w.teacher, true), []string{"4º B teacher"})
	wantSame(t, "the pupil's", list(w.rui, true), nil)

	must(w.api().UpdateClass(w.by(w.teacher), &accountsv1.UpdateClassRequest{Class: w.class, Archived: new(false), Name: new("4º C"), SchoolYear: new(int32(0))}))
	wantSame(t, "restored", w.relation(w.teacher, w.ana), []string{"teacher"})
	wantSame(t, "the pupil's list", list(w.rui, false), []string{"4º C pupil"})
}

func TestListAllClasses(t *testing.T) {
	w := newSchool(t)
	page := func(before string) []*accountsv1.Class {
		return must(w.api().ListClasses(w.by(w.operator), &accountsv1.ListClassesRequest{All: true, Limit: 1, Before: before})).Classes
	}
	first := page("")
	if len(first) != 1 || first[0].Id != w.foreign || first[0].Role != "operator" {
		t.Errorf("the first page is %v", first)
	}
	if second := page(first[0].Id); len(second) != 1 || second[0].Id != w.class {
		t.Errorf("the second page is %v", second)
	}
	_, err := w.api().ListClasses(w.by(w.teacher), &accountsv1.ListClassesRequest{All: true})
	wantProblem(t, "a teacher", err, "forbidden")
}

func TestPupilsMoveAndLeave(t *testing.T) {
	w := newSchool(t)
	second := must(w.api().CreateClass(w.by(w.teacher), &accountsv1.CreateClassRequest{Name: "4º C"})).Class.Id
	move := func(to string) error {
		_, err := w.api().MovePupil(w.by(w.teacher), &accountsv1.MovePupilRequest{Class: w.class, Account: w.ana, To: to})
		return err
	}
	wantProblem(t, "into a class of another", move(w.foreign), "class_not_found")
	wantErr(t, "moving", move(second), nil)
	wantProblem(t, "moving again", move(second), "account_not_found")
	wantSame(t, "classmates", w.relation(w.rui, w.ana), []string{"none"})
	wantSame(t, "the teacher of both", w.relation(w.teacher, w.ana, w.rui), []string{"teacher", "teacher"})

	archived := must(w.api().UpdatePupil(w.by(w.teacher), &accountsv1.UpdatePupilRequest{Class: second, Account: w.ana, Archived: new(true), Name: new("Ana B.")}))
	if archived.Pupil.Name != "Ana B." || archived.Pupil.ArchivedAt == nil {
		t.Errorf("got %v", archived)
	}
	wantSame(t, "archived", w.relation(w.teacher, w.ana), []string{"none"})
	_, err := w.api().ResetAccess(w.by(w.teacher), &accountsv1.ResetAccessRequest{Class: second, Accounts: []string{w.ana}})
	wantProblem(t, "resetting an archived one", err, "account_not_found")
	must(w.api().UpdatePupil(w.by(w.teacher), &accountsv1.UpdatePupilRequest{Class: second, Account: w.ana, Archived: new(false)}))
	wantSame(t, "restored", w.relation(w.teacher, w.ana), []string{"teacher"})
	must(w.api().RemovePupil(w.by(w.teacher), &accountsv1.RemovePupilRequest{Class: second, Account: w.ana}))
	wantSame(t, "removed", w.relation(w.teacher, w.ana), []string{"none"})

	// Who came by a code keeps their name and password to themselves.
	code := must(w.api().MakeCode(w.by(w.teacher), &accountsv1.MakeCodeRequest{Purpose: CodePupil, Class: w.class}))
	joined := must(w.api().ClaimCode(w.by(w.child), &accountsv1.ClaimCodeRequest{Code: code.Code}))
	wantProto(t, "what the code gave", joined, &accountsv1.ClaimCodeResponse{Purpose: "pupil", Class: w.class})
	wantSame(t, "joined", w.relation(w.teacher, w.child), []string{"teacher"})
	_, err = w.api().ResetAccess(w.by(w.teacher), &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{w.rui, w.child}})
	wantProblem(t, "resetting their access", err, "not_made_by_class")
	wantErr(t, "nothing was reset", w.useSlip(w.slips[1], "segredo-123"), nil)
	_, err = w.api().UpdatePupil(w.by(w.teacher), &accountsv1.UpdatePupilRequest{Class: w.class, Account: w.child, Name: new("x")})
	wantProblem(t, "renaming them", err, "not_made_by_class")
}

// What a teacher could do ends with the class, the place in it, or the role.
func TestAFormerTeacherSeesNothing(t *testing.T) {
	for name, end := range map[string]func(w *school){
		"removed by a colleague": func(w *school) {
			must(w.api().RemoveTeacher(w.by(w.colleague), &accountsv1.RemoveTeacherRequest{Class: w.class, Account: w.teacher}))
		},
		"role taken away": func(w *school) {
			resp := must(w.api().TakeRole(w.by(w.operator), &accountsv1.TakeRoleRequest{Account: w.teacher, Role: RoleTeacher}))
			wantSame(t, "roles left", resp.Roles, []string{"learner"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newSchool(t)
			must(w.api().AddTeacher(w.by(w.teacher), &accountsv1.AddTeacherRequest{Class: w.class, Login: "Carla"}))
			add := w.by(w.teacher)
			names := &accountsv1.AddPupilsRequest{Class: w.class, Names: []string{"Caio"}}
			slip := must(w.api().AddPupils(add, names)).Slips[0]
			guardian := must(w.api().MakeCode(w.by(w.teacher), &accountsv1.MakeCodeRequest{Purpose: CodeGuardian, Account: w.rui}))
			place := must(w.api().MakeCode(w.by(w.teacher), &accountsv1.MakeCodeRequest{Purpose: CodePupil, Class: w.class}))
			stale := w.person(w.teacher, RoleLearner, RoleTeacher) // a Caller lasts a minute
			end(w)
			wantSame(t, "the relation", w.relation(w.teacher, w.ana), []string{"none"})
			for what, call := range map[string]func() error{
				"looking": func() error {
					_, err := w.api().GetClass(stale, &accountsv1.GetClassRequest{Class: w.class})
					return err
				},
				"resetting": func() error {
					_, err := w.api().ResetAccess(rpc.WithKey(stale, w.key()), &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{w.ana}})
					return err
				},
				"the audit log": func() error {
					_, err := w.privacy().ListAudit(stale, &accountsv1.ListAuditRequest{Class: w.class})
					return err
				},
				"asking again for the slips": func() error {
					_, err := w.api().AddPupils(add, names)
					return err
				},
			} {
				wantProblem(t, what, call(), "class_not_found")
			}
			_, err := w.privacy().ExportAccount(stale, &accountsv1.ExportAccountRequest{Account: w.ana})
			wantProblem(t, "exporting", err, "account_not_found")
			for what, code := range map[string]string{"guardian": guardian.Code, "place": place.Code} {
				_, err := w.api().ClaimCode(w.by(w.stranger), &accountsv1.ClaimCodeRequest{Code: code})
				wantProblem(t, "the code of a "+what+" that they made", err, "bad_code")
			}
			wantProblem(t, "a slip that they printed", w.useSlip(slip, "segredo-123"), "bad_code")
			// Whoever teaches the class now prints another.
			again := must(w.api().ResetAccess(w.by(w.colleague), &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{slip.Account}})).Slips[0]
			if err := w.useSlip(again, "segredo-123"); err != nil {
				t.Errorf("a slip of a teacher who is left: %v", err)
			}
		})
	}
}

func TestRelations(t *testing.T) {
	w := newSchool(t)
	everyone := []string{w.operator, w.teacher, w.colleague, w.guardian, w.ana, w.rui, w.eva, w.stranger, w.child, id(99)}
	for name, want := range map[string]struct {
		viewer string
		list   []string
	}{
		"operator": {w.operator, []string{"self", "operator", "operator", "operator", "operator", "operator", "operator", "operator", "operator", "none"}},
		"teacher":  {w.teacher, []string{"none", "self", "none", "none", "teacher", "teacher", "none", "none", "none", "none"}},
		"other":    {w.other, []string{"none", "none", "none", "none", "none", "none", "teacher", "none", "none", "none"}},
		"guardian": {w.guardian, []string{"none", "none", "none", "self", "guardian", "none", "none", "none", "none", "none"}},
		"pupil":    {w.ana, []string{"none", "none", "none", "none", "self", "same_class", "none", "none", "none", "none"}},
		"child":    {w.child, []string{"none", "none", "none", "none", "none", "none", "none", "none", "self", "none"}},
		"nobody":   {id(99), slices.Repeat([]string{"none"}, 10)},
	} {
		wantSame(t, name, w.relation(want.viewer, everyone...), want.list)
	}
	// The same person may be several things to another: the first that holds counts.
	must(w.api().GiveRole(w.by(w.operator), &accountsv1.GiveRoleRequest{Account: w.guardian, Role: RoleTeacher}))
	must(w.api().AddTeacher(w.by(w.teacher), &accountsv1.AddTeacherRequest{Class: w.class, Login: "mother"}))
	wantSame(t, "teacher and guardian", w.relation(w.guardian, w.ana), []string{"teacher"})

	own := must(w.api().ListRelations(w.by(w.ana), &accountsv1.ListRelationsRequest{}))
	wantProto(t, "the pupil's", own, &accountsv1.ListRelationsResponse{
		Teachers:  []*accountsv1.RelatedPerson{{Account: w.guardian, Login: "Mother"}, {Account: w.teacher, Login: "Teresa"}},
		Guardians: []*accountsv1.RelatedPerson{{Account: w.guardian, Login: "Mother"}},
		Protected: true,
	})
	own = must(w.api().ListRelations(w.by(w.guardian), &accountsv1.ListRelationsRequest{}))
	wantProto(t, "the guardian's", own, &accountsv1.ListRelationsResponse{
		Children:    []*accountsv1.RelatedPerson{{Account: w.ana, Login: w.slips[0].Login, Name: "Ána Beatriz Souza"}},
		PublicGames: true,
	})
	must(w.api().EndGuardian(w.by(w.guardian), &accountsv1.EndGuardianRequest{Account: w.ana, Guardian: w.guardian}))
	_, err := w.api().EndGuardian(w.by(w.guardian), &accountsv1.EndGuardianRequest{Account: w.ana, Guardian: w.guardian})
	wantProblem(t, "ending it again", err, "account_not_found")
}

// The classes of a teacher have their pupils, those of a pupil their teachers;
// what is archived is in neither.
func TestClassesOf(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newSchool(t, func(_ *Config, d *Deps) { d.Store = store })
		of := func(account string) []*accountsv1.ClassPeople {
			t.Helper()
			return must(accountsv1.NewClassesServiceClient(w.conn.Dial(w.clientConfig("play"))).
				ClassesOf(t.Context(), &accountsv1.ClassesOfRequest{Account: account})).Classes
		}
		pupils := []string{w.ana, w.rui}
		slices.Sort(pupils)
		taught := &accountsv1.ClassPeople{Class: w.class, Name: "4º B", Teaches: true, Teachers: []string{w.teacher}, Pupils: pupils}
		attended := &accountsv1.ClassPeople{Class: w.class, Name: "4º B", Teachers: []string{w.teacher}}
		want := func(what string, got []*accountsv1.ClassPeople, want ...*accountsv1.ClassPeople) {
			t.Helper()
			wantProto(t, what, &accountsv1.ClassesOfResponse{Classes: got}, &accountsv1.ClassesOfResponse{Classes: want})
		}
		want("the teacher's", of(w.teacher), taught)
		want("the pupil's", of(w.ana), attended)
		want("a stranger's", of(w.stranger))
		want("nobody's", of(id(99)))
		must(w.api().UpdatePupil(w.by(w.teacher), &accountsv1.UpdatePupilRequest{Class: w.class, Account: w.ana, Archived: new(true)}))
		taught.Pupils = []string{w.rui}
		want("the teacher's, with an archived pupil", of(w.teacher), taught)
		want("the archived pupil's", of(w.ana))
		must(w.api().UpdateClass(w.by(w.teacher), &accountsv1.UpdateClassRequest{Class: w.class, Archived: new(true)}))
		want("the teacher's of an archived class", of(w.teacher))
		want("the pupil's of an archived class", of(w.rui))
	})
}

// Who is protected, and until when.
func TestProtected(t *testing.T) {
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		account           Account
		protected, public bool
	}{
		"a child":                      {Account{BirthDate: "2016-02-29"}, true, false},
		"eighteen tomorrow":            {Account{BirthDate: "2008-03-16"}, true, false},
		"eighteen today":               {Account{BirthDate: "2008-03-15"}, false, true},
		"made by a class":              {Account{Managed: true}, true, false},
		"made by a class, allowed":     {Account{Managed: true, PublicAllowed: true}, true, true},
		"of unknown age":               {Account{}, true, false},
		"a teacher of unknown age":     {Account{Roles: []string{RoleTeacher}}, false, true},
		"an operator of unknown age":   {Account{Roles: []string{RoleOperator}}, false, true},
		"a child with a role, somehow": {Account{Roles: []string{RoleTeacher}, BirthDate: "2016-02-29"}, true, false},
	} {
		if p, g := test.account.protected(now), test.account.publicGames(now); p != test.protected || g != test.public {
			t.Errorf("%s: protected %v, public games %v, want %v, %v", name, p, g, test.protected, test.public)
		}
	}
	w := newSchool(t)
	player := func() *accountsv1.Player {
		return must(w.as("play").GetPlayers(t.Context(), &accountsv1.GetPlayersRequest{Accounts: []string{w.ana}})).Players[0]
	}
	if p := player(); !p.Protected || p.PublicGames {
		t.Errorf("a pupil is %v", p)
	}
	for _, allower := range []string{w.teacher, w.guardian, w.operator} {
		for _, allowed := range []bool{true, false} {
			must(w.api().AllowPublic(w.by(allower), &accountsv1.AllowPublicRequest{Account: w.ana, Allowed: allowed}))
			if p := player(); !p.Protected || p.PublicGames != allowed {
				t.Errorf("allowed %v: the pupil is %v", allowed, p)
			}
		}
	}
}

func TestATeacherOpensPlayForTheirPupilsAlone(t *testing.T) {
	w := newSchool(t)
	open := func(account string) error {
		_, err := w.gateway().OpenPolicy(w.by(w.teacher), &accountsv1.OpenPolicyRequest{Account: account})
		return err
	}
	wantErr(t, "a pupil", open(w.ana), nil)
	wantProblem(t, "a pupil of another", open(w.eva), "account_not_found")
	wantProblem(t, "a stranger", open(w.stranger), "account_not_found")
	wantProblem(t, "themselves", open(w.teacher), "account_not_found")
}
