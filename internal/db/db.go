// Package db keeps a service's truth: one SQLite file or one PostgreSQL schema
// behind one small interface, with durable writes and the database's time.
//
// The same portable SQL runs on both: $1 placeholders, TEXT ids, BIGINT
// milliseconds, BOOLEAN, BYTEA, ON CONFLICT and RETURNING. Every Write is one
// serializable transaction on both engines; a Statement is one statement alone. What differs is who runs it: SQLite
// has one writer that commits many callers' functions at once, PostgreSQL gives
// each caller a transaction of its own and runs it again when it collided.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"
)

// The engines, as Config.Driver names them.
const (
	DriverSQLite   = "sqlite"
	DriverPostgres = "postgres"
)

// functionTime bounds one function inside a transaction: it holds the writer or
// row locks, so it may compute and query, never wait for somebody else.
const functionTime = 10 * time.Second

// Config says where the data are.
type Config struct {
	// Driver is DriverSQLite or DriverPostgres.
	Driver string
	// Path is the SQLite file; its folder must exist.
	Path string
	// URL is PostgreSQL's, postgres://user:password@host/database.
	URL string
	// Schema is the service's schema in PostgreSQL, made when missing; lower
	// case letters, digits and underscores.
	Schema string
	// MaxConns bounds PostgreSQL's pool; 0 means 16.
	MaxConns int
}

// Querier reads.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Tx is a transaction as a function of Write sees it. After a statement has
// failed no other runs, on both engines, and nothing of the function stays: what
// may collide is written with ON CONFLICT. A Tx ends with its function.
type Tx interface {
	Querier
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Func is what Write runs. It may run more than once before Write returns, so it
// must set anew whatever it hands out, and touch nothing but tx. Its ctx has the
// caller's values but not its end: it lasts 10 s at most.
type Func func(ctx context.Context, tx Tx) error

// engine is what SQLite and PostgreSQL do each in their own way.
type engine interface {
	reader() Querier
	write(ctx context.Context, f Func) error
	statement(ctx context.Context, dest []any, query string, args []any) error
	series(ctx context.Context, series []Step) error
	driver() string
	run(ctx context.Context) error
	health(ctx context.Context) error
	stats() Stats
	close() error
}

// DB is an open database.
type DB struct {
	engine engine
	clock  *Clock
	log    *slog.Logger
}

// Open opens the database and migrates it under a lock, so that any number of
// processes may start at once. The root of migrations holds goose's *.sql files;
// those that end in .sqlite.sql or .postgres.sql are for that engine alone.
// For SQLite it starts the writer, which Close ends; background work is Run's.
func Open(ctx context.Context, cfg Config, migrations fs.FS, log *slog.Logger) (*DB, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	switch cfg.Driver {
	case DriverSQLite:
		e, err := openSQLite(ctx, cfg, migrations, log)
		if err != nil {
			return nil, fmt.Errorf("open SQLite: %w", err)
		}
		return &DB{engine: e, clock: newProcessClock(), log: log}, nil
	case DriverPostgres:
		e, err := openPostgres(ctx, cfg, migrations, log)
		if err != nil {
			return nil, fmt.Errorf("open PostgreSQL: %w", err)
		}
		clock := newMeasuredClock(e.now)
		if err := clock.measureSome(ctx); err != nil {
			return nil, errors.Join(fmt.Errorf("open PostgreSQL: read its clock: %w", err), e.close())
		}
		return &DB{engine: e, clock: clock, log: log}, nil
	}
	return nil, fmt.Errorf("db: unknown driver %q", cfg.Driver)
}

// Close lets what was already handed to the writer end, then closes the
// database. Reads and writes after it fail.
func (d *DB) Close() error { return d.engine.close() }

// Read gives the readers: what it returns is committed. Inside a function of
// Write use the function's tx instead. Close rows before doing anything else.
func (d *DB) Read() Querier { return d.engine.reader() }

// Write runs f in one serializable transaction and returns when its outcome is
// durable.
//
//   - f's own error undoes f alone and is returned as it is.
//   - ctx ends before f started: f never runs, and ctx's error is returned.
//     Once f has started, the end of ctx changes nothing.
//   - ErrUnknown: the transaction may have been committed; read again, or repeat
//     under the same idempotency key.
//   - ErrUnavailable: it was not committed, and trying again later may help.
//   - A panic in f undoes f and becomes a *PanicError.
//
// A Write inside a function of Write is refused with ErrNested.
func (d *DB) Write(ctx context.Context, f Func) error {
	if ctx.Value(insideKey{}) != nil {
		return ErrNested
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("db: write not started: %w", err)
	}
	return d.engine.write(ctx, f)
}

// Clock is the database's time.
func (d *DB) Clock() *Clock { return d.clock }

// Run works in the background until ctx ends: it measures the clock and keeps
// the write-ahead log short. It returns early, with an error, when the database
// has failed for good, so that the process restarts.
func (d *DB) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	clockDone := make(chan struct{})
	go func() {
		defer close(clockDone)
		d.clock.run(ctx, d.log)
	}()
	err := d.engine.run(ctx)
	cancel()
	<-clockDone
	return err
}

// Health says why the database cannot take writes now; nil when it can, as far
// as is known.
func (d *DB) Health(ctx context.Context) error { return d.engine.health(ctx) }

// Stats counts what Write did since Open.
type Stats struct {
	// Writes is the number of functions whose transaction was committed, those
	// that undid themselves included.
	Writes int64
	// Commits is the number of transactions committed; Writes/Commits is what
	// group commit saves.
	Commits int64
	// Repeats is the number of functions that ran again after a collision.
	Repeats int64
	// Failures is the number of commits that failed or whose outcome is unknown.
	Failures int64
	// LogBytes is the size of SQLite's write-ahead log.
	LogBytes int64
}

// Stats reads the counters.
func (d *DB) Stats() Stats { return d.engine.stats() }
