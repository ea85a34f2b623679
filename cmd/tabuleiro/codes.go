package main

import (
	"context"

	"tabuleiro/services/rules/cli"
)

// codesCmd takes the flags of the other commands about rules; the codes are the
// same for all games.
type codesCmd struct {
	positionFlags `embed:""`
}

func (codesCmd) Run(ctx context.Context, s streams) error { return complete(ctx, s, cli.Codes{}) }
