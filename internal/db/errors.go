package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var (
	// ErrUnknown means that the transaction may or may not have been committed.
	ErrUnknown = errors.New("db: outcome of the commit is unknown")
	// ErrUnavailable means that nothing was committed because the database could
	// not take the write now: away, full, failed, closed, or too contended.
	ErrUnavailable = errors.New("db: unavailable")
	// ErrClosed is the ErrUnavailable of a closed database.
	ErrClosed = fmt.Errorf("%w: closed", ErrUnavailable)
	// ErrNested refuses a Write inside a function of Write, which would wait for
	// itself.
	ErrNested = errors.New("db: write inside a write")

	errTxDone = errors.New("db: transaction used after its function returned")
)

// PanicError is a panic inside a function of Write.
type PanicError struct {
	// Value is what it panicked with.
	Value any
	// Stack is where, as debug.Stack prints it.
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("db: function panicked: %v", e.Value) }

// IsUnique says whether err comes from a value that must be unique and was not.
func IsUnique(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == "23505"
	}
	switch sqliteCode(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	}
	return false
}

// sqliteCode is SQLite's extended code, 0 for other errors.
func sqliteCode(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}

// sqliteFatal says whether SQLite can no longer be trusted in this process. After
// a failed fsync the kernel forgets the dirty pages, so a later success proves
// nothing about what was written before.
func sqliteFatal(err error) bool {
	switch sqliteCode(err) & 0xff {
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		return true
	}
	return false
}

func sqliteFull(err error) bool { return sqliteCode(err)&0xff == sqlite3.SQLITE_FULL }

func sqliteConstraint(err error) bool { return sqliteCode(err)&0xff == sqlite3.SQLITE_CONSTRAINT }

// sqliteSpoils says whether err is the engine's trouble, not the statement's. An
// interrupted statement has taken the whole transaction with it.
func sqliteSpoils(err error) bool {
	return sqliteFull(err) || sqliteFatal(err) || sqliteCode(err)&0xff == sqlite3.SQLITE_INTERRUPT
}

// postgresSpoils says the same of PostgreSQL.
func postgresSpoils(err error) bool { return postgresRepeat(err) || postgresAway(err) }

// postgresRepeat says whether PostgreSQL undid the transaction because of others,
// so that running it again is the right answer.
func postgresRepeat(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pg.Code == "40001" || pg.Code == "40P01")
}

// IsAway says whether a query failed because the database is away rather than
// the query wrong. A query that was given up for its time is neither.
func IsAway(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	return errors.Is(err, ErrUnavailable) || postgresAway(err) || poolClosed(err)
}

// poolClosed says whether a pool of connections was closed under the query; the
// library names that error only by its text.
func poolClosed(err error) bool {
	return err != nil && strings.Contains(err.Error(), "sql: database is closed")
}

// Ask runs a question outside a transaction. A connection may have died in the
// pool with a server that is back, so one that finds the database away is asked
// once more; what is away then too is ErrUnavailable, and nothing else is.
func Ask[T any](ctx context.Context, question func() (T, error)) (T, error) {
	answer, err := question()
	if IsAway(err) && ctx.Err() == nil {
		answer, err = question()
	}
	if IsAway(err) && !errors.Is(err, ErrUnavailable) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return answer, err
}

// postgresAway says whether the connection or the server is gone rather than the
// statement wrong.
func postgresAway(err error) bool {
	if err == nil {
		return false
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		if pg.Severity == "FATAL" || pg.Severity == "PANIC" {
			return true
		}
		switch pg.Code[:min(2, len(pg.Code))] {
		case "08", "53", "57", "58": // connection, resources, operator, system
			return true
		}
		return false
	}
	for _, e := range []error{driver.ErrBadConn, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed} {
		if errors.Is(err, e) {
			return true
		}
	}
	if _, network := errors.AsType[net.Error](err); network {
		return true
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	return connecting || pgconn.Timeout(err) || pgconn.SafeToRetry(err)
}
