package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/tune"
)

type tuneCmd struct {
	Fit       tuneFitCmd       `cmd:"" default:"withargs" help:"Fit the parameters of an evaluation to a file of positions (default)."`
	Positions tunePositionsCmd `cmd:"" help:"Let the engine play against itself and write the quiet positions."`
}

type tuneFitCmd struct {
	Rules     string  `enum:"chess,draughts" default:"chess" help:"The game (${enum})."`
	Positions string  `required:"" placeholder:"FILE" help:"Positions as tune positions writes them."`
	Out       string  `required:"" placeholder:"FILE" help:"The file to write: for chess a source file, for draughts the weights that are embedded."`
	Fresh     bool    `help:"Begin at round numbers instead of the present parameters, as draughts always do."`
	Epochs    int     `default:"30" placeholder:"N" help:"How often all positions are looked at (${default}); 0 writes what it began with."`
	Batch     int     `default:"8192" placeholder:"N" help:"Positions a step (${default}); with few positions take fewer."`
	Blend     float64 `default:"0.5" placeholder:"X" help:"How much a game's result counts, from 0 to 1; the rest is what the search said (${default})."`
	Pull      float64 `default:"0.002" placeholder:"X" help:"How strongly parameters that few positions have stay where they were (${default})."`
}

// ranges refuses numbers that mean nothing.
func (c tuneFitCmd) ranges() error {
	if !(c.Blend >= 0 && c.Blend <= 1) || !(c.Pull >= 0) {
		return errors.New("--blend is from 0 to 1, --pull at least 0")
	}
	return atLeast(bound{"--epochs", int64(c.Epochs), 0}, bound{"--batch", int64(c.Batch), 1})
}

func (c tuneFitCmd) Run(s streams) error {
	if err := c.ranges(); err != nil {
		return refuse(s, err)
	}
	file, err := os.Open(c.Positions)
	if err != nil {
		return err
	}
	defer file.Close()
	fit := tune.ChessSource
	if c.Rules == "draughts" {
		fit = tune.DraughtsWeights
	}
	made, err := fit(file, tune.Tuning{Fresh: c.Fresh, Blend: c.Blend, Epochs: c.Epochs, Batch: c.Batch, Pull: c.Pull}, s.Err)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Positions, err)
	}
	return os.WriteFile(c.Out, made, 0o644)
}

type tunePositionsCmd struct {
	Rules   string `enum:"chess,draughts" default:"chess" help:"The game (${enum})."`
	Games   int    `default:"1000" placeholder:"N" help:"How many games (${default})."`
	First   int    `default:"0" placeholder:"N" help:"The number of the first, to go on after an earlier run."`
	Nodes   uint64 `default:"5000" placeholder:"N" help:"The search of one move (${default})."`
	Random  int    `default:"8" placeholder:"N" help:"Plies at the start that are drawn (${default})."`
	Seed    uint64 `default:"1" placeholder:"N" help:"Draws the starts (${default})."`
	Workers int    `default:"0" placeholder:"N" help:"Games at a time; 0 is one a processor."`
	Out     string `required:"" placeholder:"FILE" help:"The file to append to."`
}

// ranges refuses numbers that mean nothing.
func (c tunePositionsCmd) ranges() error {
	if c.Nodes == 0 {
		return errors.New("--nodes must be 1 or more")
	}
	return atLeast(
		bound{"--games", int64(c.Games), 1}, bound{"--first", int64(c.First), 0},
		bound{"--random", int64(c.Random), 0}, bound{"--workers", int64(c.Workers), 0},
	)
}

func (c tunePositionsCmd) Run(ctx context.Context, s streams) error {
	if err := c.ranges(); err != nil {
		return refuse(s, err)
	}
	file, err := os.OpenFile(c.Out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	var game games.Game = chess.Game{}
	if c.Rules == "draughts" {
		game = draughts.Game{}
	}
	workers := c.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	play := tune.SelfPlay{Game: game, Games: c.Games, First: c.First, Nodes: c.Nodes, Random: c.Random, Seed: c.Seed, Workers: workers}
	if err := play.Play(ctx, file); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
