package main

import (
	"context"

	"tabuleiro/services/search/uci"
)

type uciCmd struct{}

func (uciCmd) Run(ctx context.Context, s streams) error {
	return complete(ctx, s, uci.Server{Version: builtVersion()})
}
