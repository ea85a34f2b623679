package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/pressly/goose/v3"

	"tabuleiro/internal/filelock"
)

const (
	// busyTimeout is only ever met by another process on the same file.
	busyTimeout = 5 * time.Second
	// Checkpoints of our own: SQLite's automatic one never shortens the file and
	// starves behind readers.
	checkpointEvery = time.Minute
	checkpointAbove = 8 << 20
	// SQLite's automatic checkpoint, which the writer waits for, comes at so many
	// pages of the log: the more there are, the more of them overwrite each other.
	autoCheckpoint = 4000
	// writerCache is the writer's own cache of pages, in KiB.
	writerCache = 16 << 10
)

// sqliteDB is one file: a writer with one connection, and readers.
type sqliteDB struct {
	path    string
	writeDB *sql.DB
	readDB  *sql.DB
	writer  *writer
	log     *slog.Logger
}

// sqliteDSN puts busy_timeout first, because the pragmas run in this order and
// the change to WAL may already meet a lock. Immediate transactions take the
// write lock at BEGIN: a deferred one that upgrades fails at once, in spite of
// busy_timeout.
func sqliteDSN(path string, readOnly bool, busy time.Duration) string {
	pragmas := []string{fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds())}
	q := "_txlock=immediate"
	if readOnly {
		q = "mode=ro"
		pragmas = append(pragmas, "query_only(1)")
	} else {
		pragmas = append(pragmas, "journal_mode(WAL)", "synchronous(FULL)",
			fmt.Sprintf("wal_autocheckpoint(%d)", autoCheckpoint), fmt.Sprintf("cache_size(-%d)", writerCache),
			"temp_store(MEMORY)")
	}
	pragmas = append(pragmas, "foreign_keys(1)")
	for _, p := range pragmas {
		q += "&_pragma=" + url.QueryEscape(p)
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: q}).String()
}

func openSQLite(ctx context.Context, cfg Config, migrations fs.FS, log *slog.Logger) (_ *sqliteDB, err error) {
	if cfg.Path == "" {
		return nil, errors.New("no path")
	}
	path, err := filepath.Abs(cfg.Path)
	if err != nil {
		return nil, err
	}
	// Made here so that nobody else may read it; SQLite gives its log the same
	// rights.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	d := &sqliteDB{path: path, log: log}
	if d.writeDB, err = sql.Open("sqlite", sqliteDSN(path, false, busyTimeout)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.writeDB.Close())
		}
	}()
	d.writeDB.SetMaxOpenConns(1)
	d.writeDB.SetMaxIdleConns(1)

	// Also the change to WAL, which the first connection makes, needs the file for
	// itself.
	unlock, err := filelock.Hold(ctx, path+".lock") // goose knows no lock for SQLite
	if err != nil {
		return nil, err
	}
	if err := errors.Join(d.prepare(ctx, migrations), unlock()); err != nil {
		return nil, err
	}

	if d.readDB, err = sql.Open("sqlite", sqliteDSN(path, true, busyTimeout)); err != nil {
		return nil, err
	}
	readers := max(4, runtime.GOMAXPROCS(0))
	d.readDB.SetMaxOpenConns(readers)
	d.readDB.SetMaxIdleConns(readers)
	d.writer = newWriter(d.writeDB, log)
	go d.writer.run()
	return d, nil
}

// prepare makes the file ready, alone on it.
func (d *sqliteDB) prepare(ctx context.Context, migrations fs.FS) error {
	var version string
	if err := d.writeDB.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version); err != nil {
		return err
	}
	if err := checkSQLiteVersion(version); err != nil {
		return err
	}
	return migrate(ctx, goose.DialectSQLite3, d.writeDB, migrations, d.log)
}

// checkSQLiteVersion refuses versions before 3.51.3, whose write-ahead log could
// be corrupted when it restarted.
func checkSQLiteVersion(version string) error {
	var major, minor, patch int
	if _, err := fmt.Sscanf(strings.TrimSpace(version), "%d.%d.%d", &major, &minor, &patch); err != nil {
		return fmt.Errorf("SQLite version %q: %w", version, err)
	}
	if major*1_000_000+minor*1_000+patch < 3_051_003 {
		return fmt.Errorf("SQLite %s can corrupt its write-ahead log; 3.51.3 or newer is needed", version)
	}
	return nil
}

func (d *sqliteDB) reader() Querier { return d.readDB }

func (d *sqliteDB) write(ctx context.Context, f Func) error { return d.writer.write(ctx, f) }

func (d *sqliteDB) health(context.Context) error { return d.writer.health() }

func (d *sqliteDB) stats() Stats {
	s := d.writer.stats()
	s.LogBytes = d.logBytes()
	return s
}

func (d *sqliteDB) logBytes() int64 {
	info, err := os.Stat(d.path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}

func (d *sqliteDB) run(ctx context.Context) error {
	tick := time.NewTicker(checkpointEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-d.writer.failed:
			return d.writer.health()
		case <-tick.C:
			if d.logBytes() < checkpointAbove {
				continue
			}
			if err := d.checkpoint(ctx); err != nil && ctx.Err() == nil {
				d.log.Warn("checkpoint failed", "err", err)
			}
		}
	}
}

// checkpoint empties the write-ahead log unless a reader holds it. It has a
// connection of its own with a short patience, for it may hold up the writer
// while it waits for readers.
func (d *sqliteDB) checkpoint(ctx context.Context) error {
	db, err := sql.Open("sqlite", sqliteDSN(d.path, false, 100*time.Millisecond))
	if err != nil {
		return err
	}
	var busy, pages, moved int
	err = db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	return errors.Join(err, db.Close())
}

func (d *sqliteDB) close() error {
	d.writer.close()
	// The writer goes last: the last connection moves the log into the file,
	// which a reader may not.
	return errors.Join(d.readDB.Close(), d.writeDB.Close())
}
