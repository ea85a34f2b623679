package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"tabuleiro/games"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/hub"
	"tabuleiro/services/search/tables"
	"tabuleiro/services/search/think"
)

type hubCmd struct {
	dataFlag `embed:""`
	Line     bool              `help:"Answer lines FEN ms N and FEN nodes N instead of speaking the Hub protocol."`
	Hash     int               `default:"64" placeholder:"MIB" help:"The table of --line in MiB (${default})."`
	Threads  int               `default:"1" placeholder:"N" help:"The threads of --line (${default})."`
	Options  map[string]string `name:"engine-option" placeholder:"NAME=VALUE;..." help:"Switches of the engine for --line, such as evaluator=f2."`
}

func (c hubCmd) Run(ctx context.Context, s streams) error {
	// What tables there are help from the first position on; those of few pieces
	// are built once somebody needs them.
	store := tables.New(c.Data, slog.New(slog.NewTextHandler(s.Err, &slog.HandlerOptions{Level: slog.LevelWarn})))
	store.Present()
	known := tables.OnDemand(store)
	ctx, stop := context.WithCancel(ctx)
	built := make(chan error, 1)
	go func() { built <- known.Run(ctx) }()
	defer func() { stop(); <-built }()
	open := func(p games.Position) (engine.Problem, error) { return engine.Open(p, engine.WithEndings(known)) }
	if !c.Line {
		return complete(ctx, s, hub.Server{
			Version: builtVersion(), Book: shippedBooks(), Seed: int32(time.Now().UnixNano()), Open: open, Ready: func() { known.Wait(ctx) },
		})
	}
	if c.Hash < 1 || c.Hash > 1<<15 || c.Threads < 1 || c.Threads > 256 {
		fmt.Fprintln(s.Err, "tabuleiro: --hash is from 1 to 32768, --threads from 1 to 256")
		return exit(exitUsage)
	}
	line := hub.Line{Hash: c.Hash, Threads: c.Threads, Options: engine.Full(), Open: open, Ready: func() { known.Wait(ctx) }}
	for name, value := range c.Options {
		if err := think.SetOption(&line.Options, "draughts", name, value); err != nil {
			fmt.Fprintf(s.Err, "tabuleiro: --engine-option: %v\n", err)
			return exit(exitUsage)
		}
	}
	return complete(ctx, s, line)
}
