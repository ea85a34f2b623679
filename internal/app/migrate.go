package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
)

// Migrate brings the databases of services, each with its migrations, to what
// this version needs, and ends. Starting does the same; this is for operators
// who want it done before.
func Migrate(ctx context.Context, cfg Config, migrations map[string]fs.FS, log *slog.Logger) (err error) {
	if err := cfg.Validate(); err != nil {
		return err
	}
	p := &process{cfg: cfg, log: log}
	defer func() { err = errors.Join(err, p.closers.unwind()) }()
	if err := p.openFolder(); err != nil {
		return err
	}
	for _, service := range sortedKeys(migrations) {
		d, err := p.openDB(ctx, service, migrations[service])
		if err != nil {
			return err
		}
		p.closers.push("database of "+service, d.Close)
		if cfg.Stdout != nil {
			fmt.Fprintln(cfg.Stdout, "migrated", service)
		}
	}
	return nil
}
