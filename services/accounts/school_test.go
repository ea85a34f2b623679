package accounts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
)

// change runs f in a transaction that must succeed.
func change(t *testing.T, store Store, f func(ctx context.Context, w SchoolWriter) error) {
	t.Helper()
	if err := store.Change(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// view asks one thing.
func view[T any](t *testing.T, store Store, ask func(ctx context.Context, r SchoolReader) (T, error)) T {
	t.Helper()
	var answer T
	err := store.View(t.Context(), func(ctx context.Context, r SchoolReader) (err error) {
		answer, err = ask(ctx, r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func all(errs ...error) error { return errors.Join(errs...) }

func TestStoreChangeIsAllOrNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		mustCreate(t, store, person(1, "ana"))
		broken := errors.New("broken")
		err := store.Change(t.Context(), func(ctx context.Context, w SchoolWriter) error {
			return all(
				w.InsertAccount(ctx, person(2, "rui")),
				w.PutClass(ctx, Class{ID: id(50), Name: "4B", CreatedAt: monday}),
				w.PutTeacher(ctx, id(50), id(1)),
				w.PutPupil(ctx, Pupil{Class: id(50), Account: id(1), JoinedAt: monday}),
				w.PutGuardian(ctx, id(2), id(1), monday),
				w.PutCode(ctx, Code{Hash: [32]byte{1}, Purpose: CodeTeacher, MadeBy: id(1), Batch: "b", ExpiresAt: monday}),
				w.Append(ctx, Audit{Action: "x", At: monday}),
				w.SetRole(ctx, id(1), RoleTeacher, true),
				w.SetPassword(ctx, id(1), "other"),
				w.SetFirstName(ctx, id(1), "other"),
				w.Keep(ctx, keyed(id(1), "k", id(1))),
				w.Erase(ctx, id(2), monday),
				broken,
			)
		})
		wantErr(t, "the error of the function", err, broken)
		got, err := store.Person(t.Context(), id(1))
		wantErr(t, "Person", err, nil)
		wantSame(t, "the account", got, person(1, "ana"))
		_, err = store.Person(t.Context(), id(2))
		wantErr(t, "the other account", err, ErrNotFound)
		_, err = store.Command(t.Context(), id(1), "k")
		wantErr(t, "the command", err, ErrNotFound)
		err = store.View(t.Context(), func(ctx context.Context, r SchoolReader) error {
			_, err := r.FindClass(ctx, id(50))
			return err
		})
		wantErr(t, "the class", err, ErrNotFound)
		counts := view(t, store, func(ctx context.Context, r SchoolReader) ([]int, error) {
			rows, err1 := r.AuditRows(ctx, AuditQuery{Limit: 10})
			deletions, err2 := r.Deletions(ctx, 0, 10)
			codes, err3 := r.CountCodes(ctx, id(1))
			return []int{len(rows), len(deletions), codes}, all(err1, err2, err3)
		})
		wantSame(t, "audit rows, deletions, codes", counts, []int{0, 0, 0})
		// The names that were taken in it are free.
		mustCreate(t, store, person(3, "rui"))
	})
}

func TestStoreRefusesLoginsThatLookAlike(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		mustCreate(t, store, person(1, "Carol0"))
		for i, login := range []string{"carolo", "CAR0L0", "caro10", "caroIO"} {
			err := store.Create(t.Context(), person(10+i, login), keyed("register", id(10+i), id(10+i)))
			wantErr(t, login, err, ErrLoginTaken)
		}
		// A refused login does not end a transaction.
		change(t, store, func(ctx context.Context, w SchoolWriter) error {
			wantErr(t, "inside a transaction", w.InsertAccount(ctx, person(20, "caroLO")), ErrLoginTaken)
			return w.InsertAccount(ctx, person(21, "carola"))
		})
		if _, err := store.PersonByLogin(t.Context(), "carola"); err != nil {
			t.Error(err)
		}
		// To log in the exact login is needed.
		_, err := store.PersonByLogin(t.Context(), "carolo")
		wantErr(t, "a login that looks alike", err, ErrNotFound)
	})
}

func TestStoreClasses(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		for n, login := range []string{"teach", "second", "ana", "rui"} {
			mustCreate(t, store, person(n+1, login))
		}
		one := Class{ID: id(50), Name: "4º B", Year: 2026, CreatedAt: monday}
		two := Class{ID: id(51), Name: "5º A", CreatedAt: monday}
		change(t, store, func(ctx context.Context, w SchoolWriter) error {
			return all(
				w.PutClass(ctx, one), w.PutClass(ctx, two),
				w.PutTeacher(ctx, one.ID, id(1)), w.PutTeacher(ctx, one.ID, id(1)), w.PutTeacher(ctx, one.ID, id(2)), w.PutTeacher(ctx, two.ID, id(1)),
				w.PutPupil(ctx, Pupil{one.ID, id(4), "batch", 1, monday, time.Time{}}),
				w.PutPupil(ctx, Pupil{one.ID, id(3), "batch", 2, monday, time.Time{}}),
				w.PutPupil(ctx, Pupil{two.ID, id(3), "", 0, monday, time.Time{}}),
			)
		})
		type facts struct {
			Taught, Attended []Class
			Teachers         []string
			Pupils, Batch    []Pupil
			Places           []Pupil
		}
		read := func() facts {
			t.Helper()
			return view(t, store, func(ctx context.Context, r SchoolReader) (f facts, err error) {
				var errs [6]error
				f.Taught, errs[0] = r.ClassesTaught(ctx, id(1))
				f.Attended, errs[1] = r.ClassesAttended(ctx, id(3))
				f.Teachers, errs[2] = r.TeachersOf(ctx, one.ID)
				f.Pupils, errs[3] = r.PupilsOf(ctx, one.ID)
				f.Batch, errs[4] = r.BatchOf(ctx, "batch")
				f.Places, errs[5] = r.Places(ctx, []string{id(3), id(4), id(9)})
				return f, all(errs[:]...)
			})
		}
		ana, rui := Pupil{one.ID, id(3), "batch", 2, monday, time.Time{}}, Pupil{one.ID, id(4), "batch", 1, monday, time.Time{}}
		other := Pupil{two.ID, id(3), "", 0, monday, time.Time{}}
		wantSame(t, "as made", read(), facts{
			Taught: []Class{one, two}, Attended: []Class{one, two}, Teachers: []string{id(1), id(2)},
			Pupils: []Pupil{ana, rui}, Batch: []Pupil{rui, ana}, Places: []Pupil{ana, rui, other},
		})

		// An archived pupil has no place, nor has anybody in an archived class.
		one.Name, one.ArchivedAt = "4º C", monday.Add(time.Hour)
		archived := other
		archived.ArchivedAt = monday.Add(time.Minute)
		change(t, store, func(ctx context.Context, w SchoolWriter) error {
			return all(w.PutClass(ctx, one), w.PutPupil(ctx, archived), w.DropTeacher(ctx, one.ID, id(1)), w.DropTeacher(ctx, one.ID, id(9)))
		})
		wantSame(t, "as changed", read(), facts{
			Taught: []Class{two}, Attended: []Class{one}, Teachers: []string{id(2)},
			Pupils: []Pupil{ana, rui}, Batch: []Pupil{rui, ana},
		})
		change(t, store, func(ctx context.Context, w SchoolWriter) error {
			return all(w.DropPupil(ctx, one.ID, id(3)), w.DropPupil(ctx, one.ID, id(3)))
		})
		wantSame(t, "without one", read().Pupils, []Pupil{rui})

		pages := view(t, store, func(ctx context.Context, r SchoolReader) ([][]Class, error) {
			first, err1 := r.AllClasses(ctx, "", 1)
			second, err2 := r.AllClasses(ctx, two.ID, 9)
			none, err3 := r.AllClasses(ctx, one.ID, 9)
			return [][]Class{first, second, none}, all(err1, err2, err3)
		})
		wantSame(t, "pages", pages, [][]Class{{two}, {one}, nil})
	})
}

func TestStoreGuardiansAndRoles(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		mustCreate(t, store, person(1, "mother"), person(2, "ana"), person(3, "rui"))
		change(t, store, func(ctx context.Context, w SchoolWriter) error {
			return all(
				w.PutGuardian(ctx, id(2), id(1), monday), w.PutGuardian(ctx, id(2), id(1), monday), w.PutGuardian(ctx, id(3), id(1), monday),
				w.SetRole(ctx, id(1), RoleTeacher, true), w.SetRole(ctx, id(1), RoleOperator, true), w.SetRole(ctx, id(1), RoleTeacher, true),
			)
		})
		read := func() [][]string {
			return view(t, store, func(ctx context.Context, r SchoolReader) ([][]string, error) {
				children, err1 := r.ChildrenOf(ctx, id(1))
				guardians, err2 := r.GuardiansOf(ctx, id(2))
				accounts, err3 := r.FindAccounts(ctx, []string{id(1)})
				operators, err4 := r.Operators(ctx)
				return [][]string{children, guardians, accounts[0].Roles, {fmt.Sprint(operators)}}, all(err1, err2, err3, err4)
			})
		}
		wantSame(t, "as made", read(), [][]string{{id(2), id(3)}, {id(1)}, {RoleOperator, RoleTeacher}, {"1"}})
		change(t, store, func(ctx context.Context, w SchoolWriter) error {
			return all(w.DropGuardian(ctx, id(2), id(1)), w.SetRole(ctx, id(1), RoleOperator, false), w.SetRole(ctx, id(1), RoleTeacher, false))
		})
		wantSame(t, "as ended", read(), [][]string{{id(3)}, nil, nil, {"0"}})
	})
}

func TestStoreCodes(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		mustCreate(t, store, person(1, "teach"), person(2, "ana"))
		code := func(n byte, purpose, account string) Code {
			return Code{Hash: [32]byte{n, 255}, Purpose: purpose, Account: account, MadeBy: id(1), Batch: "batch " + fmt.Sprint(n), ExpiresAt: monday.Add(time.Duration(n) * time.Hour)}
		}
		first, second, guardian := code(1, CodeAccess, id(2)), code(2, CodeAccess, id(2)), code(3, CodeGuardian, id(2))
		change(t, store, func(ctx context.Context, w SchoolWriter) error {
			return all(w.PutCode(ctx, first), w.PutCode(ctx, guardian), w.PutCode(ctx, second), w.CountTry(ctx, id(2)), w.CountTry(ctx, id(2)))
		})
		second.Tries = 2
		got := view(t, store, func(ctx context.Context, r SchoolReader) ([]Code, error) {
			access, err1 := r.AccessCodes(ctx, []string{id(2), id(9)})
			found, err2 := r.FindCode(ctx, guardian.Hash)
			batch, err3 := r.CodesOf(ctx, "batch 3")
			n, err4 := r.CountCodes(ctx, id(1))
			if n != 1 {
				t.Errorf("%d codes besides those of access, want 1", n)
			}
			return append(append(access, found), batch...), all(err1, err2, err3, err4)
		})
		wantSame(t, "codes", got, []Code{second, guardian, guardian})
		err := store.View(t.Context(), func(ctx context.Context, r SchoolReader) error {
			_, err := r.FindCode(ctx, first.Hash)
			return err
		})
		wantErr(t, "a replaced code", err, ErrNotFound)
		for _, want := range []int{1, 0} {
			change(t, store, func(ctx context.Context, w SchoolWriter) error {
				swept, err := w.SweepCodes(ctx, monday.Add(150*time.Minute), 10)
				if swept != want {
					t.Errorf("swept %d codes, want %d", swept, want)
				}
				return err
			})
		}
		change(t, store, func(ctx context.Context, w SchoolWriter) error { return w.DropCode(ctx, guardian.Hash) })
		left := view(t, store, func(ctx context.Context, r SchoolReader) (int, error) { return r.CountCodes(ctx, id(1)) })
		wantSame(t, "codes left", left, 0)
	})
}

func TestStoreErase(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		ctx := t.Context()
		mustCreate(t, store, person(1, "teach"), person(2, "ana"), person(3, "mother"))
		wantErr(t, "Open", store.Open(ctx, Session{ID: id(90), Account: id(2), TokenHash: [32]byte{9}, CreatedAt: monday, ExpiresAt: monday.Add(time.Hour), SeenAt: monday}, 5), nil)
		if _, err := rate(ctx, store, result(10, Seat{Account: id(2)}, Seat{Account: id(1)}, 2)); err != nil {
			t.Fatal(err)
		}
		at := monday.Add(time.Hour)
		change(t, store, func(ctx context.Context, w SchoolWriter) error {
			return all(
				w.PutClass(ctx, Class{ID: id(50), Name: "4B", CreatedAt: monday}), w.PutTeacher(ctx, id(50), id(2)),
				w.PutPupil(ctx, Pupil{Class: id(50), Account: id(2), JoinedAt: monday}),
				w.PutGuardian(ctx, id(2), id(3), monday), w.PutGuardian(ctx, id(1), id(2), monday),
				w.PutCode(ctx, Code{Hash: [32]byte{1}, Purpose: CodeAccess, Account: id(2), MadeBy: id(1), ExpiresAt: at}),
				w.PutCode(ctx, Code{Hash: [32]byte{2}, Purpose: CodeTeacher, MadeBy: id(2), ExpiresAt: at}),
				w.SetRole(ctx, id(2), RoleTeacher, true), w.SetPublic(ctx, id(2), true),
				w.Keep(ctx, keyed(id(2), "k", id(1))), w.Keep(ctx, keyed(id(1), "k", id(2))), w.Keep(ctx, keyed(id(1), "k2", id(1))),
			)
		})
		change(t, store, func(ctx context.Context, w SchoolWriter) error { return w.Erase(ctx, id(2), at) })
		wantErr(t, "once more", store.Change(ctx, func(ctx context.Context, w SchoolWriter) error { return w.Erase(ctx, id(2), at) }), ErrNotFound)
		wantErr(t, "nobody", store.Change(ctx, func(ctx context.Context, w SchoolWriter) error { return w.Erase(ctx, id(99), at) }), ErrNotFound)

		got, err := store.Person(ctx, id(2))
		wantErr(t, "Person", err, nil)
		wantSame(t, "the tombstone", got, Person{Account: Account{
			ID: id(2), Login: "deleted", Policy: PolicyGuided, CreatedAt: person(2, "").CreatedAt, DeletedAt: at,
		}})
		for _, login := range []string{"ana", "deleted"} {
			_, err = store.PersonByLogin(ctx, login)
			wantErr(t, "PersonByLogin "+login, err, ErrNotFound)
		}
		_, _, err = store.Session(ctx, [32]byte{9})
		wantErr(t, "Session", err, ErrNotFound)
		for _, key := range [][2]string{{id(2), "k"}, {id(1), "k"}, {"register", id(2)}} {
			_, err = store.Command(ctx, key[0], key[1])
			wantErr(t, "Command", err, ErrNotFound)
		}
		_, err = store.Command(ctx, id(1), "k2")
		wantErr(t, "a command of another", err, nil)
		counts := view(t, store, func(ctx context.Context, r SchoolReader) ([]int, error) {
			pupils, err1 := r.PupilsOf(ctx, id(50))
			teachers, err2 := r.TeachersOf(ctx, id(50))
			guardians, err3 := r.GuardiansOf(ctx, id(2))
			children, err4 := r.ChildrenOf(ctx, id(2))
			codes, err5 := r.CountCodes(ctx, id(2))
			access, err6 := r.AccessCodes(ctx, []string{id(2)})
			return []int{len(pupils), len(teachers), len(guardians), len(children), codes, len(access)}, all(err1, err2, err3, err4, err5, err6)
		})
		wantSame(t, "what is left", counts, []int{0, 0, 0, 0, 0, 0})

		// The ledger and the ratings of both stand, and games that were under way are
		// rated.
		if _, err := rate(ctx, store, result(11, Seat{Account: id(2)}, Seat{Account: id(1)}, 0)); err != nil {
			t.Error(err)
		}
		wantLedgerSound(t, store)

		change(t, store, func(ctx context.Context, w SchoolWriter) error { return w.Erase(ctx, id(3), at.Add(time.Second)) })
		list := view(t, store, func(ctx context.Context, r SchoolReader) ([]Deletion, error) { return r.Deletions(ctx, 0, 10) })
		wantSame(t, "deletions", list, []Deletion{{1, id(2), at}, {2, id(3), at.Add(time.Second)}})
		list = view(t, store, func(ctx context.Context, r SchoolReader) ([]Deletion, error) { return r.Deletions(ctx, 1, 1) })
		wantSame(t, "deletions after the first", list, []Deletion{{2, id(3), at.Add(time.Second)}})

		// The login stays taken for a while.
		wantErr(t, "the login at once", store.Create(ctx, person(4, "ana"), keyed("register", "k4", id(4))), ErrLoginTaken)
		for _, want := range []int{1, 0} {
			change(t, store, func(ctx context.Context, w SchoolWriter) error {
				released, err := w.ReleaseLogins(ctx, at.Add(time.Millisecond))
				if released != want {
					t.Errorf("released %d logins, want %d", released, want)
				}
				return err
			})
		}
		wantErr(t, "the login later", store.Create(ctx, person(4, "ana"), keyed("register", "k4", id(4))), nil)
	})
}

func TestStoreAudit(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		rows := []Audit{
			{At: monday, Actor: id(1), Action: "class_made", Class: id(50), Times: 1},
			{At: monday.Add(time.Second), Actor: id(1), Action: "pupil_added", Class: id(50), Subject: id(2), Times: 1},
			{At: monday.Add(time.Minute), Action: "login_failed", Subject: id(2), Times: 7},
			{At: monday.Add(time.Hour), Actor: id(3), Action: "class_made", Class: id(51), Object: id(9), Why: "x", Times: 1},
		}
		for _, row := range rows {
			change(t, store, func(ctx context.Context, w SchoolWriter) error { return w.Append(ctx, row) })
		}
		list := func(q AuditQuery) []int32 {
			t.Helper()
			q.Limit = 3
			var numbers []int32
			for _, row := range view(t, store, func(ctx context.Context, r SchoolReader) ([]Audit, error) { return r.AuditRows(ctx, q) }) {
				want := rows[row.Number-1]
				want.Number, want.Hash = row.Number, row.Hash
				wantSame(t, "row", row, want)
				numbers = append(numbers, row.Number)
			}
			return numbers
		}
		for _, test := range []struct {
			query AuditQuery
			want  []int32
		}{
			{AuditQuery{}, []int32{4, 3, 2}},
			{AuditQuery{Before: 3}, []int32{2, 1}},
			{AuditQuery{Subject: id(2)}, []int32{3, 2}},
			{AuditQuery{Actor: id(1)}, []int32{2, 1}},
			{AuditQuery{Action: "class_made"}, []int32{4, 1}},
			{AuditQuery{Classes: []string{id(50)}}, []int32{2, 1}},
			{AuditQuery{Classes: []string{id(50)}, Subjects: []string{id(2)}}, []int32{3, 2, 1}},
			{AuditQuery{Subjects: []string{id(2)}}, []int32{3, 2}},
			{AuditQuery{Classes: []string{}}, nil},
		} {
			wantSame(t, fmt.Sprintf("%+v", test.query), list(test.query), test.want)
		}
		whole := view(t, store, func(ctx context.Context, r SchoolReader) ([]Audit, error) { return r.AuditAfter(ctx, 0, 10) })
		if last, err := checkChain(Audit{}, whole); err != nil || last.Number != 4 {
			t.Errorf("the chain: %d rows, %v", last.Number, err)
		}
		rest := view(t, store, func(ctx context.Context, r SchoolReader) ([]Audit, error) { return r.AuditAfter(ctx, 2, 1) })
		wantSame(t, "after the second", rest, whole[2:3])
	})
}

// Any number of replicas may append at the same moment: one chain, without gaps.
func TestStoreAppendsConcurrently(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		const writers = 8
		var wg sync.WaitGroup
		for n := range writers {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				err := store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
					return w.Append(ctx, Audit{At: monday, Action: "x", Object: id(n), Times: 1})
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		rows := view(t, store, func(ctx context.Context, r SchoolReader) ([]Audit, error) { return r.AuditAfter(ctx, 0, 100) })
		if last, err := checkChain(Audit{}, rows); err != nil || last.Number != writers {
			t.Errorf("%d rows, %v, want %d in a chain", last.Number, err, writers)
		}
	})
}

// The database itself refuses to change the log or take anything from it.
func TestTheAuditLogIsAppendOnly(t *testing.T) {
	dbtest.Each(t, Migrations(), func(t *testing.T, d *db.DB) {
		store := NewSQL(d)
		for range 2 {
			change(t, store, func(ctx context.Context, w SchoolWriter) error {
				return w.Append(ctx, Audit{At: monday, Action: "x", Times: 1})
			})
		}
		statements := []string{
			`UPDATE audit SET why = 'nothing happened' WHERE number = 1`,
			`UPDATE audit SET number = 3 WHERE number = 2`,
			`DELETE FROM audit WHERE number = 2`,
			`DELETE FROM audit`,
		}
		switch {
		case strings.HasSuffix(t.Name(), db.DriverSQLite):
			statements = append(statements, `INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE number = 1`,
				`REPLACE INTO audit SELECT number, 0, '', 'y', '', '', '', '', 1, hash FROM audit`)
		default:
			statements = append(statements, `TRUNCATE audit`)
		}
		for _, statement := range statements {
			err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
				_, err := tx.ExecContext(ctx, statement)
				return err
			})
			if err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: %v, want it refused", statement, err)
			}
		}
		rows := view(t, store, func(ctx context.Context, r SchoolReader) ([]Audit, error) { return r.AuditAfter(ctx, 0, 10) })
		if last, err := checkChain(Audit{}, rows); err != nil || last.Number != 2 {
			t.Errorf("%d rows, %v, want both as they were", last.Number, err)
		}
	})
}

// Whoever gets around the database is found out: a changed field, a row taken out,
// two exchanged, one made up.
func TestATamperedChainShows(t *testing.T) {
	var rows []Audit
	var last Audit
	for n := range 5 {
		last = Audit{At: monday.Add(time.Duration(n) * time.Second), Actor: id(1), Action: "a", Subject: id(n), Class: "c", Object: "o", Why: "w", Times: 1}.sealed(last)
		rows = append(rows, last)
	}
	if _, err := checkChain(Audit{}, rows); err != nil {
		t.Fatal(err)
	}
	for name, tamper := range map[string]func([]Audit) []Audit{
		"time":      func(r []Audit) []Audit { r[2].At = r[2].At.Add(time.Millisecond); return r },
		"actor":     func(r []Audit) []Audit { r[2].Actor = id(2); return r },
		"action":    func(r []Audit) []Audit { r[2].Action = "b"; return r },
		"subject":   func(r []Audit) []Audit { r[2].Subject = ""; return r },
		"class":     func(r []Audit) []Audit { r[2].Class = ""; return r },
		"object":    func(r []Audit) []Audit { r[2].Object = ""; return r },
		"why":       func(r []Audit) []Audit { r[2].Why = ""; return r },
		"times":     func(r []Audit) []Audit { r[2].Times = 2; return r },
		"hash":      func(r []Audit) []Audit { r[2].Hash[0]++; return r },
		"moved":     func(r []Audit) []Audit { r[2].Class, r[2].Object = "co", ""; return r },
		"taken out": func(r []Audit) []Audit { return append(r[:2], r[3:]...) },
		"exchanged": func(r []Audit) []Audit { r[2], r[3] = r[3], r[2]; return r },
		"resealed":  func(r []Audit) []Audit { r[2].Why = "x"; r[2].Hash = r[2].sum(r[1].Hash); return r },
	} {
		_, err := checkChain(Audit{}, tamper(append([]Audit(nil), rows...)))
		if broken, ok := errors.AsType[*BrokenChainError](err); !ok || broken.Number < 3 || broken.Number > 4 {
			t.Errorf("%s: %v, want the third row or the one after it", name, err)
		}
	}
}
