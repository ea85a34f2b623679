package accounts

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tabuleiro/internal/db"
)

const (
	classColumns = `class.id, class.name, class.school_year, class.created_ms, class.archived_ms`
	selectClass  = `SELECT ` + classColumns + ` FROM class WHERE id = $1`
	selectTaught = `SELECT ` + classColumns + ` FROM class
		JOIN class_teacher ON class_teacher.class = class.id WHERE class_teacher.account = $1 ORDER BY class.id`
	selectAttended = `SELECT ` + classColumns + ` FROM class
		JOIN class_pupil ON class_pupil.class = class.id
		WHERE class_pupil.account = $1 AND class_pupil.archived_ms = 0 ORDER BY class.id`
	selectAllClasses = `SELECT ` + classColumns + ` FROM class WHERE $1 = '' OR id < $1 ORDER BY id DESC LIMIT $2`
	upsertClass      = `INSERT INTO class (id, name, school_year, created_ms, archived_ms) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (id) DO UPDATE SET
			name = excluded.name, school_year = excluded.school_year, archived_ms = excluded.archived_ms`

	selectTeachers = `SELECT account FROM class_teacher WHERE class = $1 ORDER BY account`
	insertTeacher  = `INSERT INTO class_teacher (class, account) VALUES ($1, $2) ON CONFLICT (class, account) DO NOTHING`
	deleteTeacher  = `DELETE FROM class_teacher WHERE class = $1 AND account = $2`

	pupilColumns = `class_pupil.class, class_pupil.account, class_pupil.batch, class_pupil.place,
		class_pupil.joined_ms, class_pupil.archived_ms`
	selectPupils = `SELECT ` + pupilColumns + ` FROM class_pupil WHERE class = $1 ORDER BY account`
	selectBatch  = `SELECT ` + pupilColumns + ` FROM class_pupil WHERE batch = $1 AND batch <> '' ORDER BY place`
	selectPlaces = `SELECT ` + pupilColumns + ` FROM class_pupil
		JOIN class ON class.id = class_pupil.class AND class.archived_ms = 0
		WHERE class_pupil.archived_ms = 0 AND class_pupil.account IN `
	upsertPupil = `INSERT INTO class_pupil (class, account, batch, place, joined_ms, archived_ms)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (class, account) DO UPDATE SET archived_ms = excluded.archived_ms`
	deletePupil = `DELETE FROM class_pupil WHERE class = $1 AND account = $2`

	selectGuardians = `SELECT account FROM guardian WHERE child = $1 ORDER BY account`
	selectChildren  = `SELECT child FROM guardian WHERE account = $1 ORDER BY child`
	insertGuardian  = `INSERT INTO guardian (child, account, at_ms) VALUES ($1, $2, $3) ON CONFLICT (child, account) DO NOTHING`
	deleteGuardian  = `DELETE FROM guardian WHERE child = $1 AND account = $2`

	selectSessions = `SELECT id, account, token_hash, created_ms, expires_ms, seen_ms, device, network
		FROM session WHERE account = $1 ORDER BY created_ms, id`
	selectWithoutPassword = `SELECT id FROM account WHERE password_hash = '' AND id IN `
	countOperators        = `SELECT COUNT(*) FROM account_role WHERE role = 'operator'`

	updatePassword  = `UPDATE account SET password_hash = $2 WHERE id = $1`
	updateFirstName = `UPDATE account SET first_name = $2 WHERE id = $1`
	updateDetails   = `UPDATE account SET first_name = $2, surname = $3, birth_date = $4, sex = $5 WHERE id = $1`
	updatePublic    = `UPDATE account SET public_allowed = $2 WHERE id = $1`
	deleteRole      = `DELETE FROM account_role WHERE account = $1 AND role = $2`
	endAllSessions  = `DELETE FROM session WHERE account = $1`

	selectDeletions = `SELECT number, account, at_ms FROM deletion WHERE number > $1 ORDER BY number LIMIT $2`
	insertDeletion  = `INSERT INTO deletion (number, account, at_ms)
		SELECT COALESCE(MAX(number), 0) + 1, $1, $2 FROM deletion`
	eraseAccount = `UPDATE account SET login = '` + deletedLogin + `', login_folded = $2, password_hash = '', first_name = '',
		surname = '', birth_date = '', sex = '', public_allowed = FALSE, seen_ms = 0, noticed_ms = 0, deleted_ms = $3
		WHERE id = $1 AND deleted_ms = 0`
	freeName     = `UPDATE login_name SET account = '', freed_ms = $2 WHERE account = $1`
	releaseNames = `DELETE FROM login_name WHERE freed_ms > 0 AND freed_ms < $1`
)

// erasing is what goes with a deleted account, besides what eraseAccount blanks.
var erasing = []string{
	`DELETE FROM session WHERE account = $1`,
	`DELETE FROM access_token WHERE account = $1`,
	`DELETE FROM board WHERE account = $1`,
	`DELETE FROM pairing WHERE account = $1`,
	deleteFactor,
	deleteRecovery,
	`DELETE FROM account_role WHERE account = $1`,
	`DELETE FROM class_teacher WHERE account = $1`,
	`DELETE FROM class_pupil WHERE account = $1`,
	`DELETE FROM guardian WHERE account = $1`,
	`DELETE FROM guardian WHERE child = $1`,
	`DELETE FROM one_time_code WHERE account = $1`,
	`DELETE FROM one_time_code WHERE made_by = $1`,
	`DELETE FROM command WHERE account = $1 AND scope NOT LIKE '` + servicePrefix + `%'`,
	`DELETE FROM command WHERE scope = $1`,
}

// schoolTx is a transaction on the tables of School; exec is nil for a View.
type schoolTx struct {
	db.Querier
	exec func(ctx context.Context, query string, args ...any) (int64, error)
}

var _ SchoolWriter = schoolTx{}

// View implements School.
func (s *SQL) View(ctx context.Context, f func(ctx context.Context, r SchoolReader) error) error {
	_, err := db.Ask(ctx, func() (struct{}, error) {
		return struct{}{}, f(ctx, schoolTx{Querier: s.db.Read()})
	})
	return err
}

// Change implements School.
func (s *SQL) Change(ctx context.Context, f func(ctx context.Context, w SchoolWriter) error) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error { return f(ctx, writing(tx)) })
}

func writing(tx db.Tx) schoolTx {
	return schoolTx{Querier: tx, exec: func(ctx context.Context, query string, args ...any) (int64, error) {
		return affected(tx.ExecContext(ctx, query, args...))
	}}
}

// do runs a statement.
func (t schoolTx) do(ctx context.Context, doing, query string, args ...any) error {
	if _, err := t.exec(ctx, query, args...); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// ask reads all rows of a query.
func ask[T any](ctx context.Context, t schoolTx, doing string, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	list, err := collect(ctx, t, scan, query, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return list, nil
}

func (t schoolTx) texts(ctx context.Context, doing, query string, args ...any) ([]string, error) {
	return ask(ctx, t, doing, func(scan scanner) (text string, err error) {
		err = scan(&text)
		return text, err
	}, query, args...)
}

func (t schoolTx) count(ctx context.Context, doing, query string, args ...any) (int, error) {
	var n int
	if err := t.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	return n, nil
}

// FindCommand implements SchoolReader.
func (t schoolTx) FindCommand(ctx context.Context, scope, key string) (Command, error) {
	return findCommand(ctx, t, scope, key)
}

// FindAccounts implements SchoolReader.
func (t schoolTx) FindAccounts(ctx context.Context, ids []string) ([]Account, error) {
	return findAccounts(ctx, t, ids)
}

// FindLogin implements SchoolReader.
func (t schoolTx) FindLogin(ctx context.Context, login string) (Person, error) {
	var person Person
	account, err := scanAccount(t.QueryRowContext(ctx, selectPersonByLogin, foldLogin(login)).Scan, &person.PasswordHash)
	if err != nil {
		return Person{}, orNotFound("finding a login", err)
	}
	person.Account = account
	roles, err := rolesOf(ctx, t, []string{account.ID})
	person.Roles = roles[account.ID]
	return person, err
}

// WithoutPassword implements SchoolReader.
func (t schoolTx) WithoutPassword(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return t.texts(ctx, "finding accounts without a password",
		selectWithoutPassword+placeholders(len(ids))+` ORDER BY id`, anys(ids)...)
}

// Operators implements SchoolReader.
func (t schoolTx) Operators(ctx context.Context) (int, error) {
	return t.count(ctx, "counting operators", countOperators)
}

// SessionsOf implements SchoolReader.
func (t schoolTx) SessionsOf(ctx context.Context, account string) ([]Session, error) {
	return ask(ctx, t, "listing sessions", func(scan scanner) (Session, error) {
		var session Session
		var hash []byte
		var created, expires, seen int64
		err := scan(&session.ID, &session.Account, &hash, &created, &expires, &seen, &session.Device, &session.Network)
		copy(session.TokenHash[:], hash)
		session.CreatedAt, session.ExpiresAt, session.SeenAt = fromMilli(created), fromMilli(expires), fromMilli(seen)
		return session, err
	}, selectSessions, account)
}

func scanClass(scan scanner) (Class, error) {
	var c Class
	var created, archived int64
	err := scan(&c.ID, &c.Name, &c.Year, &created, &archived)
	c.CreatedAt, c.ArchivedAt = fromMilli(created), orZero(archived)
	return c, err
}

// FindClass implements SchoolReader.
func (t schoolTx) FindClass(ctx context.Context, id string) (Class, error) {
	class, err := scanClass(t.QueryRowContext(ctx, selectClass, id).Scan)
	if err != nil {
		return Class{}, orNotFound("finding a class", err)
	}
	return class, nil
}

// ClassesTaught implements SchoolReader.
func (t schoolTx) ClassesTaught(ctx context.Context, teacher string) ([]Class, error) {
	return ask(ctx, t, "listing the classes of a teacher", scanClass, selectTaught, teacher)
}

// ClassesAttended implements SchoolReader.
func (t schoolTx) ClassesAttended(ctx context.Context, pupil string) ([]Class, error) {
	return ask(ctx, t, "listing the classes of a pupil", scanClass, selectAttended, pupil)
}

// AllClasses implements SchoolReader.
func (t schoolTx) AllClasses(ctx context.Context, before string, limit int) ([]Class, error) {
	return ask(ctx, t, "listing classes", scanClass, selectAllClasses, before, limit)
}

// PutClass implements SchoolWriter.
func (t schoolTx) PutClass(ctx context.Context, c Class) error {
	return t.do(ctx, "storing a class", upsertClass, c.ID, c.Name, c.Year, c.CreatedAt.UnixMilli(), milliOrZero(c.ArchivedAt))
}

// TeachersOf implements SchoolReader.
func (t schoolTx) TeachersOf(ctx context.Context, class string) ([]string, error) {
	return t.texts(ctx, "listing teachers", selectTeachers, class)
}

// PutTeacher implements SchoolWriter.
func (t schoolTx) PutTeacher(ctx context.Context, class, account string) error {
	return t.do(ctx, "adding a teacher", insertTeacher, class, account)
}

// DropTeacher implements SchoolWriter.
func (t schoolTx) DropTeacher(ctx context.Context, class, account string) error {
	return t.do(ctx, "removing a teacher", deleteTeacher, class, account)
}

func scanPupil(scan scanner) (Pupil, error) {
	var p Pupil
	var joined, archived int64
	err := scan(&p.Class, &p.Account, &p.Batch, &p.Place, &joined, &archived)
	p.JoinedAt, p.ArchivedAt = fromMilli(joined), orZero(archived)
	return p, err
}

// PupilsOf implements SchoolReader.
func (t schoolTx) PupilsOf(ctx context.Context, class string) ([]Pupil, error) {
	return ask(ctx, t, "listing pupils", scanPupil, selectPupils, class)
}

// BatchOf implements SchoolReader.
func (t schoolTx) BatchOf(ctx context.Context, batch string) ([]Pupil, error) {
	return ask(ctx, t, "listing the pupils of a command", scanPupil, selectBatch, batch)
}

// Places implements SchoolReader.
func (t schoolTx) Places(ctx context.Context, accounts []string) ([]Pupil, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	return ask(ctx, t, "listing places in classes", scanPupil,
		selectPlaces+placeholders(len(accounts))+` ORDER BY class_pupil.class, class_pupil.account`, anys(accounts)...)
}

// PutPupil implements SchoolWriter.
func (t schoolTx) PutPupil(ctx context.Context, p Pupil) error {
	return t.do(ctx, "storing a pupil", upsertPupil,
		p.Class, p.Account, p.Batch, p.Place, p.JoinedAt.UnixMilli(), milliOrZero(p.ArchivedAt))
}

// DropPupil implements SchoolWriter.
func (t schoolTx) DropPupil(ctx context.Context, class, account string) error {
	return t.do(ctx, "removing a pupil", deletePupil, class, account)
}

// GuardiansOf implements SchoolReader.
func (t schoolTx) GuardiansOf(ctx context.Context, child string) ([]string, error) {
	return t.texts(ctx, "listing guardians", selectGuardians, child)
}

// ChildrenOf implements SchoolReader.
func (t schoolTx) ChildrenOf(ctx context.Context, guardian string) ([]string, error) {
	return t.texts(ctx, "listing children", selectChildren, guardian)
}

// PutGuardian implements SchoolWriter.
func (t schoolTx) PutGuardian(ctx context.Context, child, guardian string, at time.Time) error {
	return t.do(ctx, "adding a guardian", insertGuardian, child, guardian, at.UnixMilli())
}

// DropGuardian implements SchoolWriter.
func (t schoolTx) DropGuardian(ctx context.Context, child, guardian string) error {
	return t.do(ctx, "removing a guardian", deleteGuardian, child, guardian)
}

// Keep implements SchoolWriter.
func (t schoolTx) Keep(ctx context.Context, command Command) error {
	kept, err := t.exec(ctx, insertCommand,
		command.Scope, command.Key, command.Body[:], command.Account, command.At.UnixMilli(), command.Object)
	if err != nil {
		return fmt.Errorf("inserting a command: %w", err)
	}
	if kept == 0 {
		return ErrKeyUsed
	}
	return nil
}

// InsertAccount implements SchoolWriter.
func (t schoolTx) InsertAccount(ctx context.Context, person Person) error {
	return createAccount(ctx, t, person)
}

// SetPassword implements SchoolWriter.
func (t schoolTx) SetPassword(ctx context.Context, account, hash string) error {
	return t.do(ctx, "setting a password", updatePassword, account, hash)
}

// EndAll implements SchoolWriter.
func (t schoolTx) EndAll(ctx context.Context, account string) error {
	if err := t.do(ctx, "ending sessions", endAllSessions, account); err != nil {
		return err
	}
	return t.do(ctx, "revoking tokens", dropTokens, account)
}

// SetFirstName implements SchoolWriter.
func (t schoolTx) SetFirstName(ctx context.Context, account, name string) error {
	return t.do(ctx, "renaming an account", updateFirstName, account, name)
}

// SetDetails implements SchoolWriter.
func (t schoolTx) SetDetails(ctx context.Context, account string, d Details) error {
	return t.do(ctx, "correcting an account", updateDetails, account, d.FirstName, d.Surname, d.BirthDate, d.Sex)
}

// SetPublic implements SchoolWriter.
func (t schoolTx) SetPublic(ctx context.Context, account string, allowed bool) error {
	return t.do(ctx, "allowing public games", updatePublic, account, allowed)
}

// SetRole implements SchoolWriter.
func (t schoolTx) SetRole(ctx context.Context, account, role string, has bool) error {
	query := deleteRole
	if has {
		query = insertRole
	}
	return t.do(ctx, "changing a role", query, account, role)
}

// Erase implements SchoolWriter.
func (t schoolTx) Erase(ctx context.Context, account string, at time.Time) error {
	erased, err := t.exec(ctx, eraseAccount, account, "deleted:"+account, at.UnixMilli())
	if err != nil {
		return fmt.Errorf("erasing an account: %w", err)
	}
	if erased == 0 {
		return ErrNotFound
	}
	for _, query := range erasing {
		if err := t.do(ctx, "erasing what belongs to an account", query, account); err != nil {
			return err
		}
	}
	if err := t.do(ctx, "freeing a login", freeName, account, at.UnixMilli()); err != nil {
		return err
	}
	return t.do(ctx, "listing a deletion", insertDeletion, account, at.UnixMilli())
}

// ReleaseLogins implements SchoolWriter.
func (t schoolTx) ReleaseLogins(ctx context.Context, before time.Time) (int, error) {
	released, err := t.exec(ctx, releaseNames, before.UnixMilli())
	if err != nil {
		return 0, fmt.Errorf("releasing logins: %w", err)
	}
	return int(released), nil
}

// Deletions implements SchoolReader.
func (t schoolTx) Deletions(ctx context.Context, after int32, limit int) ([]Deletion, error) {
	return ask(ctx, t, "listing deletions", func(scan scanner) (Deletion, error) {
		var d Deletion
		var at int64
		err := scan(&d.Number, &d.Account, &at)
		d.At = fromMilli(at)
		return d, err
	}, selectDeletions, after, limit)
}

func milliOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// numbered is "($first, ...)" with n places.
func numbered(first, n int) string {
	places := make([]string, n)
	for i := range places {
		places[i] = "$" + strconv.Itoa(first+i)
	}
	return "(" + strings.Join(places, ", ") + ")"
}
