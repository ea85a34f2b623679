package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/signature"
	"tabuleiro/services/search/uci"
)

type uciCmd struct {
	Words []string `arg:"" optional:"" name:"bench" help:"bench [DEPTH]: print the nodes and the speed, as the command of that name does, and end."`
}

func (c uciCmd) Run(ctx context.Context, s streams) error {
	if len(c.Words) == 0 {
		return complete(ctx, s, uci.Server{Version: builtVersion(), Book: shippedBooks(), Seed: int32(time.Now().UnixNano())})
	}
	b := signature.Bench{Rules: "chess", Hash: uci.DefaultHash, Options: engine.Full()}
	if len(c.Words) == 2 {
		// What is no number, or too much of one, is refused with the rest.
		if b.Depth, _ = strconv.Atoi(c.Words[1]); b.Depth == 0 {
			b.Depth = -1
		}
	}
	if c.Words[0] != "bench" || len(c.Words) > 2 {
		return refuse(s, fmt.Errorf("uci %s: only bench [DEPTH] may stand there; other commands are read from the input", c.Words[0]))
	}
	return bench(ctx, s, b)
}
