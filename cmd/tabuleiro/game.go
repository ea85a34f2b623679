package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"time"

	"tabuleiro/services/search/farm"
	"tabuleiro/services/search/terminal"
)

type gameCmd struct {
	positionFlags `embed:""`
	Draws         string        `placeholder:"SET" help:"The draw rules: cbd or fmjd64 in draughts; the game's default unless given."`
	Level         string        `placeholder:"LEVEL" help:"The engine's level: plies-2, plies-4, plies-6 or full; full unless given."`
	Side          string        `default:"first" help:"Who you are: first, second, or the name of a side (${default})."`
	Time          time.Duration `default:"1s" help:"The engine's time for a move (${default})."`
	Seed          int32         `default:"0" help:"Draws among moves that the engine finds equal (${default})."`
}

func (c gameCmd) Run(ctx context.Context, s streams) error {
	engine := farm.NewCoordinator(farm.CoordinatorConfig{Concurrent: 1}, farm.Deps{
		NewID: func() string { return "" }, // nothing is announced
		Log:   slog.New(slog.DiscardHandler),
	})
	defer engine.Close()
	game := terminal.New(terminal.Config{
		Rules: c.Rules, Level: c.Level, FEN: c.FEN, Draws: c.Draws, Chess960: c.Chess960,
		Side: c.Side, Limit: c.Time, Seed: c.Seed, Prompt: isTerminal(s.In),
	}, engine)
	return complete(ctx, s, runner(func(stdin io.Reader, stdout, stderr io.Writer) int {
		return game.Run(ctx, stdin, stdout, stderr)
	}))
}

// runner makes a cli.Command of a function.
type runner func(stdin io.Reader, stdout, stderr io.Writer) int

func (r runner) Run(stdin io.Reader, stdout, stderr io.Writer) int { return r(stdin, stdout, stderr) }

func isTerminal(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
