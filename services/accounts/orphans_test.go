package accounts

import (
	"testing"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// TestTheLastTeacherDeletesNoClass: an account that is a class's only teacher stays
// until somebody else can help the pupils, or the class is archived.
func TestTheLastTeacherDeletesNoClass(t *testing.T) {
	w := newSchool(t)
	_, err := w.privacy().DeleteMe(w.by(w.other), &accountsv1.DeleteMeRequest{Password: "segredo-123"})
	wantProblem(t, "the only teacher", err, "last_teacher")
	archived := true
	must(w.api().UpdateClass(w.by(w.other), &accountsv1.UpdateClassRequest{Class: w.foreign, Archived: &archived}))
	if _, err := w.privacy().DeleteMe(w.by(w.other), &accountsv1.DeleteMeRequest{Password: "segredo-123"}); err != nil {
		t.Errorf("after the class was archived: %v", err)
	}
}

// TestNoClassIsLeftWithoutATeacher: whatever an operator does to somebody who is the
// only teacher of classes, they get another before.
func TestNoClassIsLeftWithoutATeacher(t *testing.T) {
	ways := map[string]func(w *school) error{
		"the role is taken": func(w *school) error {
			_, err := w.api().TakeRole(w.by(w.operator), &accountsv1.TakeRoleRequest{Account: w.other, Role: RoleTeacher})
			return err
		},
		"the account is deleted": func(w *school) error {
			_, err := w.privacy().DeleteAccount(w.by(w.operator), &accountsv1.DeleteAccountRequest{Account: w.other})
			return err
		},
		"taken out by an operator": func(w *school) error {
			_, err := w.api().RemoveTeacher(w.by(w.operator), &accountsv1.RemoveTeacherRequest{Class: w.foreign, Account: w.other})
			return err
		},
	}
	for name, end := range ways {
		t.Run(name, func(t *testing.T) {
			w := newSchool(t)
			want := []string{"5º A"}
			if name != "taken out by an operator" {
				must(w.api().CreateClass(w.by(w.other), &accountsv1.CreateClassRequest{Name: "4º A"}))
				want = []string{"4º A", "5º A"}
			}
			refused := wantProblem(t, "the only teacher", end(w), "last_teacher")
			wantSame(t, "the classes named", refused.Classes, want)
			wantSame(t, "still their teacher", w.relation(w.other, w.eva), []string{"teacher"})

			list := must(w.api().ListClasses(w.by(w.other), &accountsv1.ListClassesRequest{}))
			for _, class := range list.Classes {
				must(w.api().AddTeacher(w.by(w.operator), &accountsv1.AddTeacherRequest{Class: class.Id, Login: "carla"}))
			}
			wantErr(t, "with another teacher", end(w), nil)
			wantSame(t, "who is left", append(w.relation(w.other, w.eva), w.relation(w.colleague, w.eva)...), []string{"none", "teacher"})
		})
	}
}

// An archived class may lose its teachers; it gets one before it goes on.
func TestAnArchivedClassWithoutTeachersIsRestoredWithOne(t *testing.T) {
	w := newSchool(t)
	must(w.api().UpdateClass(w.by(w.other), &accountsv1.UpdateClassRequest{Class: w.foreign, Archived: new(true)}))
	must(w.privacy().DeleteAccount(w.by(w.operator), &accountsv1.DeleteAccountRequest{Account: w.other}))
	restore := func() error {
		_, err := w.api().UpdateClass(w.by(w.operator), &accountsv1.UpdateClassRequest{Class: w.foreign, Archived: new(false)})
		return err
	}
	refused := wantProblem(t, "restoring it", restore(), "last_teacher")
	wantSame(t, "the class named", refused.Classes, []string{"5º A"})
	must(w.api().AddTeacher(w.by(w.operator), &accountsv1.AddTeacherRequest{Class: w.foreign, Login: "carla"}))
	_, err := w.api().AddTeacher(w.by(w.operator), &accountsv1.AddTeacherRequest{Class: w.foreign, Login: "teresa"})
	wantProblem(t, "a second one while it is archived", err, "class_archived")
	wantErr(t, "with a teacher", restore(), nil)
	wantSame(t, "the pupil has a teacher", w.relation(w.colleague, w.eva), []string{"teacher"})
}
