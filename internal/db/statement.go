package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Statement runs one statement that is a transaction of its own, and scans the
// one row that it returns into dest; sql.ErrNoRows where it returns none, which
// is a commit too. With PostgreSQL it is one round trip at READ COMMITTED: a row
// that another transaction changes meanwhile is waited for and its condition is
// looked at again, so the statement must state what it relies on as conditions
// of the rows that it writes. With SQLite it is one function of a batch.
//
// Errors are those of Write; a statement may run again only where the database
// says that it was undone. Nothing bounds its time with SQLite: it must be one that
// finds its rows by their keys.
func (d *DB) Statement(ctx context.Context, dest []any, query string, args ...any) error {
	if ctx.Value(insideKey{}) != nil {
		return ErrNested
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("db: write not started: %w", err)
	}
	return d.engine.statement(ctx, dest, query, args)
}

// Driver is the engine's name: DriverSQLite or DriverPostgres.
func (d *DB) Driver() string { return d.engine.driver() }

// Refusal is the word by which a statement undid itself. PostgreSQL has no way to
// end a statement with a word of one's own but an error that repeats its input:
// CAST('word' AS integer). It is empty for every other error.
func Refusal(err error) string {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || pg.Code != "22P02" {
		return ""
	}
	_, rest, _ := strings.Cut(pg.Message, `"`)
	word, _, _ := strings.Cut(rest, `"`)
	return word
}

func (d *sqliteDB) driver() string   { return DriverSQLite }
func (d *postgresDB) driver() string { return DriverPostgres }

func (d *sqliteDB) statement(ctx context.Context, dest []any, query string, args []any) error {
	return d.writer.writeSteps(ctx, []step{{Step{Query: query, Args: args}, dest}})
}

func (d *postgresDB) statement(ctx context.Context, dest []any, query string, args []any) error {
	var err error
	for attempt := range attempts {
		if attempt > 0 {
			d.repeats.Add(1)
			if !jitter(ctx, attempt) {
				return fmt.Errorf("%w: %w: %w", ErrUnavailable, ctx.Err(), err)
			}
		}
		var again bool
		if again, err = d.tryStatement(ctx, dest, query, args); !again {
			return err
		}
	}
	return fmt.Errorf("%w: undone %d times: %w", ErrUnavailable, attempts, err)
}

func (d *postgresDB) tryStatement(ctx context.Context, dest []any, query string, args []any) (again bool, err error) {
	if d.closed.Load() {
		return false, ErrClosed
	}
	if err := d.slots.Acquire(ctx, 1); err != nil {
		return false, notStarted(ctx)
	}
	defer d.slots.Release(1)
	conn, err := d.db.Conn(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return false, notStarted(ctx)
		}
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer conn.Close() // gives the connection back; its errors are the statement's
	// Once begun it ends, whatever becomes of who asked for it.
	running, cancel := context.WithTimeout(context.WithoutCancel(ctx), functionTime+commitTime)
	defer cancel()
	err = conn.QueryRowContext(running, query, args...).Scan(dest...)
	switch {
	case err == nil, errors.Is(err, sql.ErrNoRows):
		d.writes.Add(1)
		d.commits.Add(1)
		return false, err
	case postgresRepeat(err):
		return true, err
	case pgconn.SafeToRetry(err):
		// Nothing was sent: a connection that died in the pool is gone from it now.
		return true, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if _, answered := errors.AsType[*pgconn.PgError](err); answered && !postgresAway(err) {
		d.writes.Add(1)
		return false, err
	}
	d.failures.Add(1)
	return false, fmt.Errorf("%w: %w", ErrUnknown, err)
}

// jitter waits before another attempt: full jitter below 1 ms, 2 ms, ... at most
// 64 ms; false where ctx ended first.
func jitter(ctx context.Context, attempt int) bool {
	timer := time.NewTimer(rand.N(time.Millisecond << min(attempt, 6)))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
