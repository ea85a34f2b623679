package main

import (
	"context"

	"tabuleiro/services/rules/cli"
)

type recordCmd struct {
	Check   recordCheckCmd   `cmd:"" help:"Write a line of JSON about each game."`
	Convert recordConvertCmd `cmd:"" help:"Write the games again, strictly."`
}

// recordFlags name a file of recorded games and how it is read.
type recordFlags struct {
	positionFlags `embed:""`
	Draws         string `placeholder:"SET" help:"The draw rules: cbd or fmjd64 in draughts; the game's default unless given."`
	File          string `arg:"" name:"file" help:"The file of records, PGN for chess, PDN for draughts; - is standard input."`
}

func (f recordFlags) command(convert bool) cli.Record {
	return cli.Record{Rules: f.Rules, FEN: f.FEN, Draws: f.Draws, Chess960: f.Chess960, File: f.File, Convert: convert}
}

type recordCheckCmd struct {
	recordFlags `embed:""`
}

func (c recordCheckCmd) Run(ctx context.Context, s streams) error {
	return complete(ctx, s, c.command(false))
}

type recordConvertCmd struct {
	recordFlags `embed:""`
}

func (c recordConvertCmd) Run(ctx context.Context, s streams) error {
	return complete(ctx, s, c.command(true))
}
