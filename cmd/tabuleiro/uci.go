package main

import (
	"context"
	"time"

	"tabuleiro/services/search/uci"
)

type uciCmd struct{}

func (uciCmd) Run(ctx context.Context, s streams) error {
	return complete(ctx, s, uci.Server{Version: builtVersion(), Book: shippedBooks(), Seed: int32(time.Now().UnixNano())})
}
