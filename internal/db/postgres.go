package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"golang.org/x/sync/semaphore"
)

const (
	defaultMaxConns = 16
	connectTime     = 5 * time.Second
	// commitTime comes on top of functionTime, so that a function which used all
	// of its own still learns its outcome.
	commitTime = 5 * time.Second
	// attempts bounds the runs of one function. From patience collisions on it runs
	// alone in this process, so that only other processes can collide with it.
	attempts = 20
	patience = 2
)

var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

// postgresDB is one schema of a PostgreSQL database.
//
// PostgreSQL finds collisions by page where a table is small or its keys lie side
// by side, as those of the games being played do. So a crowd of writers collides
// though no two want the same row, and running all of them again would collide
// again: who collided twice gets all of the slots.
type postgresDB struct {
	db    *sql.DB
	slots *semaphore.Weighted
	conns int64
	log   *slog.Logger

	closed                             atomic.Bool
	writes, commits, repeats, failures atomic.Int64
}

func openPostgres(ctx context.Context, cfg Config, migrations fs.FS, log *slog.Logger) (*postgresDB, error) {
	if !schemaName.MatchString(cfg.Schema) {
		return nil, fmt.Errorf("schema %q is no plain lower-case name", cfg.Schema)
	}
	conf, err := pgx.ParseConfig(cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("read its address: %w", err)
	}
	if conf.ConnectTimeout == 0 {
		conf.ConnectTimeout = connectTime
	}
	conf.RuntimeParams["search_path"] = cfg.Schema
	conf.RuntimeParams["application_name"] = "tabuleiro " + cfg.Schema
	conf.RuntimeParams["timezone"] = "UTC"
	if err := migratePostgres(ctx, *conf, cfg.Schema, migrations, log); err != nil {
		return nil, err
	}
	// The server gives up a transaction whose client is gone, so that its locks go.
	conf.RuntimeParams["statement_timeout"] = milliseconds(functionTime + commitTime)
	conf.RuntimeParams["idle_in_transaction_session_timeout"] = milliseconds(functionTime + commitTime)
	conns := cfg.MaxConns
	if conns == 0 {
		conns = defaultMaxConns
	}
	d := &postgresDB{db: stdlib.OpenDB(*conf), slots: semaphore.NewWeighted(int64(conns)), conns: int64(conns), log: log}
	d.db.SetMaxOpenConns(conns)
	d.db.SetMaxIdleConns(conns)
	d.db.SetConnMaxIdleTime(5 * time.Minute)
	d.db.SetConnMaxLifetime(time.Hour)
	if err := d.db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, d.db.Close())
	}
	return d, nil
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// migratePostgres makes the schema and migrates it, on connections of its own:
// a migration may take longer than any statement afterwards.
func migratePostgres(ctx context.Context, conf pgx.ConnConfig, schema string, migrations fs.FS, log *slog.Logger) (err error) {
	db := stdlib.OpenDB(conf)
	defer func() { err = errors.Join(err, db.Close()) }()
	h := fnv.New32a()
	h.Write([]byte("tabuleiro " + schema))
	id := int64(h.Sum32())

	// CREATE SCHEMA IF NOT EXISTS fails when two do it at once.
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", id+1<<32)
	if err == nil {
		_, err = tx.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS "+schema)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("make schema %s: %w", schema, err), tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("make schema %s: %w", schema, err)
	}

	return migrate(ctx, goose.DialectPostgres, db, migrations, log, goose.WithSessionLocker(sessionLock(id)))
}

// sessionLock is goose's lock for PostgreSQL. goose has one that asks again every
// second at best; this one waits in the server, and gets it at once.
type sessionLock int64

func (l sessionLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", int64(l))
	return err
}

func (l sessionLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", int64(l))
	return err
}

func (d *postgresDB) reader() Querier { return d.db }

func (d *postgresDB) write(ctx context.Context, f Func) error {
	var err error
	for attempt := range attempts {
		if attempt > 0 {
			d.repeats.Add(1)
			if !jitter(ctx, attempt) {
				return fmt.Errorf("%w: %w: %w", ErrUnavailable, ctx.Err(), err)
			}
		}
		slots := int64(1)
		if attempt >= patience {
			slots = d.conns
		}
		var again bool
		if again, err = d.try(ctx, slots, f); !again {
			return err
		}
	}
	return fmt.Errorf("%w: %d collisions: %w", ErrUnavailable, attempts, err)
}

// try runs f once. again says that others undid it.
func (d *postgresDB) try(ctx context.Context, slots int64, f Func) (again bool, err error) {
	if d.closed.Load() {
		return false, ErrClosed
	}
	if err := d.slots.Acquire(ctx, slots); err != nil {
		return false, notStarted(ctx)
	}
	defer d.slots.Release(slots)
	conn, err := d.db.Conn(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return false, notStarted(ctx)
		}
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer conn.Close() // gives the connection back; its errors are the transaction's

	fctx, cancel := functionContext(ctx)
	defer cancel()
	txctx, cancelTx := context.WithTimeout(context.WithoutCancel(ctx), functionTime+commitTime)
	defer cancelTx()
	stillWanted := context.AfterFunc(ctx, cancelTx) // until f starts
	tx, err := conn.BeginTx(txctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if !stillWanted() {
		if err == nil {
			d.rollback(tx)
		}
		return false, notStarted(ctx)
	}
	if err != nil {
		// f has not run. A connection that died in the pool is gone from it now.
		return postgresAway(err), fmt.Errorf("%w: begin: %w", ErrUnavailable, err)
	}
	if err := call(fctx, tx, f, postgresSpoils, func(error) { d.rollback(tx) }); err != nil {
		d.rollback(tx)
		switch {
		case postgresRepeat(err):
			return true, err
		case postgresAway(err):
			return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		d.writes.Add(1)
		return false, err
	}
	switch err := tx.Commit(); {
	case err == nil:
		d.writes.Add(1)
		d.commits.Add(1)
		return false, nil
	case postgresRepeat(err):
		return true, err
	default:
		d.failures.Add(1)
		if _, answered := errors.AsType[*pgconn.PgError](err); answered && !postgresAway(err) || errors.Is(err, pgx.ErrTxCommitRollback) {
			return false, fmt.Errorf("db: commit: %w", err)
		}
		return false, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
}

func (d *postgresDB) rollback(tx *sql.Tx) {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) && !postgresAway(err) {
		d.log.Warn("rollback failed", "err", err)
	}
}

// now asks the server for its time.
func (d *postgresDB) now(ctx context.Context) (sample, error) {
	conn, err := d.db.Conn(ctx) // the wait for a connection is no part of the round trip
	if err != nil {
		return sample{}, err
	}
	defer conn.Close()
	const query = "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint"
	var micros int64
	before := time.Now()
	if err := conn.QueryRowContext(ctx, query).Scan(&micros); err != nil {
		return sample{}, err
	}
	return sample{sent: before, got: time.Now(), server: time.UnixMicro(micros)}, nil
}

func (d *postgresDB) run(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

func (d *postgresDB) health(ctx context.Context) error {
	if d.closed.Load() {
		return ErrClosed
	}
	if err := d.db.PingContext(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

func (d *postgresDB) stats() Stats {
	return Stats{Writes: d.writes.Load(), Commits: d.commits.Load(), Repeats: d.repeats.Load(), Failures: d.failures.Load()}
}

func (d *postgresDB) close() error {
	d.closed.Store(true)
	return d.db.Close()
}
