package main

import (
	"context"

	"tabuleiro/services/rules/cli"
)

type applyCmd struct {
	positionFlags `embed:""`
	Draws         string   `placeholder:"SET" help:"The draw rules: cbd or fmjd64 in draughts; the game's default unless given."`
	Moves         []string `arg:"" name:"move" help:"Moves in any notation of the game."`
}

func (c applyCmd) Run(ctx context.Context, s streams) error {
	return complete(ctx, s, cli.Apply{Rules: c.Rules, FEN: c.FEN, Draws: c.Draws, Chess960: c.Chess960, Moves: c.Moves})
}
