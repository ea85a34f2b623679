package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"syscall"
	"time"

	"github.com/pressly/goose/v3"
)

// lockPoll is how often a process that waits for another one's migration looks
// again; flock cannot be interrupted, so it is asked without waiting.
const lockPoll = 20 * time.Millisecond

func migrate(ctx context.Context, dialect goose.Dialect, db *sql.DB, migrations fs.FS, log *slog.Logger, opts ...goose.ProviderOption) error {
	opts = append(opts, goose.WithDisableGlobalRegistry(true), goose.WithSlog(log))
	p, err := goose.NewProvider(dialect, db, forDialect(migrations, dialect), opts...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	done, err := p.Up(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, m := range done {
		log.Info("migrated", "migration", m.Source.Path, "took", m.Duration)
	}
	return nil
}

// lockFile holds path's lock until the returned function is called: goose knows
// no lock for SQLite. The file stays; removing it would let two hold "the" lock.
func lockFile(ctx context.Context, path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f.Close, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("wait for another process's migration: %w", ctx.Err()), f.Close())
		case <-tick.C:
		}
	}
}
