package main

import (
	"context"

	"tabuleiro/services/rules/cli"
)

type perftCmd struct {
	positionFlags `embed:""`
	Depth         int    `required:"" placeholder:"N" help:"Plies to play."`
	Divide        bool   `help:"Write a line for each first move before the sum."`
	Count         string `enum:"moves,paths" default:"moves" help:"Whether the paths of one capture set count once, moves, or each, paths (${default})."`
	NoBulk        bool   `name:"no-bulk" help:"Play the last ply too instead of counting its moves."`
}

func (c perftCmd) Run(ctx context.Context, s streams) error {
	return complete(ctx, s, cli.Perft{
		Rules: c.Rules, FEN: c.FEN, Depth: c.Depth, Divide: c.Divide, Count: c.Count, NoBulk: c.NoBulk, Chess960: c.Chess960,
	})
}
