package main

import (
	"context"

	"tabuleiro/internal/app"
)

// migrateCmd migrates PostgreSQL where its URL is given, else the files of the
// data folder.
type migrateCmd struct {
	common `embed:""`
	stores `embed:""`
}

func (c migrateCmd) Run(ctx context.Context, s streams) error {
	cfg := c.common.config(s)
	if err := c.stores.fill(&cfg); err != nil {
		return err
	}
	cfg.Embedded = cfg.PostgresURL == ""
	log, err := c.logger(s.Err)
	if err != nil {
		return err
	}
	return app.Migrate(ctx, cfg, migrations(), log)
}
