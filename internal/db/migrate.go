package db

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
)

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
