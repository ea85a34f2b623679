package main

import (
	"context"

	"tabuleiro/services/search/tables/cli"
)

type tablesCmd struct {
	Build  tablesBuildCmd  `cmd:"" help:"Build the tables that are missing or damaged."`
	Verify tablesVerifyCmd `cmd:"" help:"Check the files, and each value against those of the positions that its moves lead to."`
	Probe  tablesProbeCmd  `cmd:"" help:"Print the value of a position, how far its end is, and the best moves."`
}

type dataFlag struct {
	Data string `default:"${data}" placeholder:"FOLDER" help:"Folder of everything that is kept (${default})."`
}

type tablesBuildCmd struct {
	dataFlag `embed:""`
	Pieces   int `default:"4" placeholder:"N" help:"The most pieces, 2 to 5 (${default}); 5 take 200 MB of disk."`
}

func (c tablesBuildCmd) Run(ctx context.Context, s streams) error {
	return ended(ctx, cli.Build{Data: c.Data, Pieces: c.Pieces}.Run(ctx, s.Out, s.Err))
}

type tablesVerifyCmd struct {
	dataFlag `embed:""`
	Pieces   int    `default:"0" placeholder:"N" help:"The most pieces; all that there are unless given."`
	Sample   int    `default:"200000" placeholder:"N" help:"Positions to draw for each number of pieces (${default}); 0 checks all."`
	Seed     uint64 `default:"1" placeholder:"N" help:"Draws the positions (${default})."`
}

func (c tablesVerifyCmd) Run(ctx context.Context, s streams) error {
	return ended(ctx, cli.Verify{Data: c.Data, Pieces: c.Pieces, Sample: c.Sample, Seed: c.Seed}.Run(ctx, s.Out, s.Err))
}

type tablesProbeCmd struct {
	dataFlag `embed:""`
	FEN      string `name:"fen" required:"" placeholder:"FEN" help:"The position."`
}

func (c tablesProbeCmd) Run(ctx context.Context, s streams) error {
	return ended(ctx, cli.Probe{Data: c.Data, FEN: c.FEN}.Run(ctx, s.Out, s.Err))
}

// ended makes the error that a command's exit code stands for.
func ended(ctx context.Context, code int) error {
	switch {
	case ctx.Err() != nil:
		return exit(exitInterrupted)
	case code != 0:
		return exit(code)
	}
	return nil
}
