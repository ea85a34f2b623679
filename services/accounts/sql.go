package accounts

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"tabuleiro/internal/db"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations are the files that make the tables of NewSQL.
func Migrations() fs.FS {
	root, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the name is a valid path
	}
	return root
}

// SQL is the Store of an installation, on SQLite or PostgreSQL.
type SQL struct{ db *db.DB }

// NewSQL makes a store of a database with Migrations.
func NewSQL(database *db.DB) *SQL { return &SQL{db: database} }

var _ Store = (*SQL)(nil)

const (
	accountColumns = `id, login, first_name, surname, birth_date, sex, policy, adult, created_ms,
		managed, public_allowed, deleted_ms, noticed_ms`

	insertAccount = `INSERT INTO account
		(id, login, login_folded, password_hash, first_name, surname, birth_date, sex, policy, adult, created_ms,
		managed, seen_ms)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $11)`
	countLogins = `SELECT (SELECT COUNT(*) FROM login_name WHERE skeleton = $1) +
		(SELECT COUNT(*) FROM account WHERE login_folded = $2)`
	insertName          = `INSERT INTO login_name (skeleton, account, freed_ms) VALUES ($1, $2, 0)`
	selectPersonByID    = `SELECT ` + accountColumns + `, password_hash FROM account WHERE id = $1`
	selectPersonByLogin = `SELECT ` + accountColumns + `, password_hash FROM account WHERE login_folded = $1`
	selectAccounts      = `SELECT ` + accountColumns + ` FROM account WHERE id IN `
	openPolicy          = `UPDATE account SET policy = 'open' WHERE id = $1`

	insertRole  = `INSERT INTO account_role (account, role) VALUES ($1, $2) ON CONFLICT (account, role) DO NOTHING`
	selectRoles = `SELECT account, role FROM account_role WHERE account IN `

	insertCommand = `INSERT INTO command (scope, idempotency_key, body, account, at_ms, object)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (scope, idempotency_key) DO NOTHING`
	selectCommand = `SELECT body, account, at_ms, object FROM command WHERE scope = $1 AND idempotency_key = $2`

	insertCode = `INSERT INTO operator_code (id, hash, made_ms, used_by, used_ms)
		SELECT 1, $1, $2, '', 0 WHERE NOT EXISTS (SELECT 1 FROM account_role WHERE role = 'operator')
		ON CONFLICT (id) DO NOTHING`
	selectCode = `SELECT hash FROM operator_code WHERE id = 1 AND used_by = ''`
	useCode    = `UPDATE operator_code SET used_by = $1, used_ms = $2 WHERE id = 1 AND used_by = ''`
)

// Create implements People.
func (s *SQL) Create(ctx context.Context, person Person, command Command) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		// A repeat finds its own login taken, so the key is looked at first.
		if _, err := findCommand(ctx, tx, command.Scope, command.Key); !errors.Is(err, ErrNotFound) {
			return orUsed(err)
		}
		if err := createAccount(ctx, writing(tx), person); err != nil {
			return err
		}
		return keepCommand(ctx, tx, command)
	})
}

// createAccount stores an account. Errors: ErrLoginTaken, after which the
// transaction may go on.
func createAccount(ctx context.Context, t schoolTx, person Person) error {
	name, folded := skeleton(person.Login), foldLogin(person.Login)
	taken, err := t.count(ctx, "looking for a login", countLogins, name, folded)
	if err != nil {
		return err
	}
	if taken > 0 {
		return ErrLoginTaken
	}
	if err := t.do(ctx, "inserting a login", insertName, name, person.ID); err != nil {
		return err
	}
	return t.do(ctx, "inserting an account", insertAccount,
		person.ID, person.Login, folded, person.PasswordHash,
		person.FirstName, person.Surname, person.BirthDate, person.Sex,
		person.Policy, person.Adult, person.CreatedAt.UnixMilli(), person.Managed)
}

// Command implements People.
func (s *SQL) Command(ctx context.Context, scope, key string) (Command, error) {
	return db.Ask(ctx, func() (Command, error) { return findCommand(ctx, s.db.Read(), scope, key) })
}

func findCommand(ctx context.Context, q db.Querier, scope, key string) (Command, error) {
	command := Command{Scope: scope, Key: key}
	var body []byte
	var at int64
	err := q.QueryRowContext(ctx, selectCommand, scope, key).Scan(&body, &command.Account, &at, &command.Object)
	if err != nil {
		return Command{}, orNotFound("finding a command", err)
	}
	copy(command.Body[:], body)
	command.At = fromMilli(at)
	return command, nil
}

// keepCommand stores a command. Errors: ErrKeyUsed.
func keepCommand(ctx context.Context, tx db.Tx, command Command) error {
	return writing(tx).Keep(ctx, command)
}

// Person implements People.
func (s *SQL) Person(ctx context.Context, id string) (Person, error) {
	return db.Ask(ctx, func() (Person, error) { return s.person(ctx, selectPersonByID, id) })
}

// PersonByLogin implements People.
func (s *SQL) PersonByLogin(ctx context.Context, login string) (Person, error) {
	return db.Ask(ctx, func() (Person, error) { return s.person(ctx, selectPersonByLogin, foldLogin(login)) })
}

func (s *SQL) person(ctx context.Context, query, by string) (Person, error) {
	var person Person
	account, err := scanAccount(s.db.Read().QueryRowContext(ctx, query, by).Scan, &person.PasswordHash)
	if err != nil {
		return Person{}, orNotFound("finding an account", err)
	}
	person.Account = account
	roles, err := rolesOf(ctx, s.db.Read(), []string{account.ID})
	if err != nil {
		return Person{}, err
	}
	person.Roles = roles[account.ID]
	return person, nil
}

// Accounts implements People.
func (s *SQL) Accounts(ctx context.Context, ids []string) ([]Account, error) {
	return db.Ask(ctx, func() ([]Account, error) { return findAccounts(ctx, s.db.Read(), ids) })
}

func findAccounts(ctx context.Context, q db.Querier, ids []string) ([]Account, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	accounts, err := collect(ctx, q, func(scan scanner) (Account, error) { return scanAccount(scan) },
		selectAccounts+placeholders(len(ids)), anys(ids)...)
	if err != nil {
		return nil, fmt.Errorf("finding accounts: %w", err)
	}
	roles, err := rolesOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	for i := range accounts {
		accounts[i].Roles = roles[accounts[i].ID]
	}
	return accounts, nil
}

func rolesOf(ctx context.Context, q db.Querier, ids []string) (map[string][]string, error) {
	type given struct{ account, role string }
	list, err := collect(ctx, q, func(scan scanner) (g given, err error) {
		err = scan(&g.account, &g.role)
		return g, err
	}, selectRoles+placeholders(len(ids))+` ORDER BY role`, anys(ids)...)
	if err != nil {
		return nil, fmt.Errorf("finding roles: %w", err)
	}
	roles := map[string][]string{}
	for _, g := range list {
		roles[g.account] = append(roles[g.account], g.role)
	}
	return roles, nil
}

// OpenPolicy implements People.
func (s *SQL) OpenPolicy(ctx context.Context, account string, command Command) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		opened, err := affected(tx.ExecContext(ctx, openPolicy, account))
		if err != nil {
			return fmt.Errorf("opening a policy: %w", err)
		}
		if opened == 0 {
			// A key that was used says more than an account that is not there.
			if _, err := findCommand(ctx, tx, command.Scope, command.Key); !errors.Is(err, ErrNotFound) {
				return orUsed(err)
			}
			return ErrNotFound
		}
		if err := appendAudit(ctx, tx, auditOf(command, actionPolicyOpened)); err != nil {
			return err
		}
		return keepCommand(ctx, tx, command)
	})
}

// KeepCode implements Operators.
func (s *SQL) KeepCode(ctx context.Context, hash [32]byte, now time.Time) (bool, error) {
	var fresh bool
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		kept, err := affected(tx.ExecContext(ctx, insertCode, hash[:], now.UnixMilli()))
		fresh = kept > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("keeping the operator code: %w", err)
	}
	return fresh, nil
}

// Claim implements Operators.
func (s *SQL) Claim(ctx context.Context, account string, hash [32]byte, command Command) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := findCommand(ctx, tx, command.Scope, command.Key); !errors.Is(err, ErrNotFound) {
			return orUsed(err)
		}
		found, err := findAccounts(ctx, tx, []string{account})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return ErrNotFound
		}
		var stored []byte
		err = tx.QueryRowContext(ctx, selectCode).Scan(&stored)
		if errors.Is(err, sql.ErrNoRows) || err == nil && subtle.ConstantTimeCompare(stored, hash[:]) != 1 {
			return ErrWrongCode
		}
		if err != nil {
			return fmt.Errorf("finding the operator code: %w", err)
		}
		if _, err := tx.ExecContext(ctx, useCode, account, command.At.UnixMilli()); err != nil {
			return fmt.Errorf("using the operator code: %w", err)
		}
		if _, err := tx.ExecContext(ctx, insertRole, account, RoleOperator); err != nil {
			return fmt.Errorf("giving the role of operator: %w", err)
		}
		if err := appendAudit(ctx, tx, auditOf(command, actionOperatorClaimed)); err != nil {
			return err
		}
		return keepCommand(ctx, tx, command)
	})
}

// scanner is the Scan of a row.
type scanner func(into ...any) error

// scanAccount reads accountColumns and what follows them.
func scanAccount(scan scanner, more ...any) (Account, error) {
	var a Account
	var created, deleted, noticed int64
	err := scan(append([]any{
		&a.ID, &a.Login, &a.FirstName, &a.Surname, &a.BirthDate, &a.Sex, &a.Policy, &a.Adult, &created,
		&a.Managed, &a.PublicAllowed, &deleted, &noticed,
	}, more...)...)
	a.CreatedAt, a.DeletedAt, a.NoticedAt = fromMilli(created), orZero(deleted), orZero(noticed)
	return a, err
}

// collect reads all rows of a query.
func collect[T any](ctx context.Context, q db.Querier, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		item, err := scan(rows.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, rows.Err()
}

// placeholders is "($1, ..., $n)".
func placeholders(n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString(", $" + strconv.Itoa(i+1))
	}
	return "(" + strings.TrimPrefix(text.String(), ", ") + ")"
}

func anys(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

func affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func orNotFound(doing string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// orUsed is the error of a command that was found: ErrKeyUsed unless finding it
// failed.
func orUsed(err error) error {
	if err == nil {
		return ErrKeyUsed
	}
	return err
}

// orZero is the zero time for 0.
func orZero(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return fromMilli(ms)
}

func fromMilli(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
