package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"tabuleiro/bench/measure"
	"tabuleiro/internal/db"
)

// group compares what many callers write to SQLite together with what one writes
// alone: each write is durable before its caller goes on.
func group(cfg Config, run *measure.Run) (err error) {
	folder, err := os.MkdirTemp(".", "bench-group-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	d, err := db.Open(context.Background(), db.Config{Driver: db.DriverSQLite, Path: filepath.Join(folder, "group.db")}, raw, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	insert := func(ctx context.Context, _ int) error {
		var one int
		return d.Statement(ctx, []any{&one}, "INSERT INTO lone (id, body) VALUES ($1, $2) RETURNING 1", uuid.NewString(), "x")
	}
	const many, burstOfMany, burstOfOne = 64, 6400, 200
	var alone, together, ratios []float64
	for round := range cfg.Rounds + 1 {
		_, lone, err := burst(1, burstOfOne, insert)
		if err != nil {
			return err
		}
		_, crowd, err := burst(many, burstOfMany, insert)
		if err != nil {
			return err
		}
		if round == 0 {
			continue
		}
		a, b := burstOfOne/lone.Seconds(), burstOfMany/crowd.Seconds()
		alone, together, ratios = append(alone, a), append(together, b), append(ratios, b/a)
	}
	run.Figures = append(run.Figures,
		measure.NewFigure("durable writes of one caller, SQLite", "1/s", alone),
		measure.NewFigure(fmt.Sprintf("durable writes of %d callers, SQLite", many), "1/s", together),
		measure.NewFigure("group commit / lone writer", "ratio", ratios).Goals(8, 12))
	return nil
}
