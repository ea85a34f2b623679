package main

import (
	"context"
	"errors"
	"io"

	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/signature"
)

type benchCmd struct {
	Rules string `enum:"chess,draughts" default:"chess" help:"chess or draughts (${default})."`
	Depth int    `default:"0" placeholder:"N" help:"Plies; 10 in chess, 15 in draughts unless given."`
	Hash  int    `default:"16" placeholder:"MIB" help:"The table in MiB (${default})."`
}

func (c benchCmd) Run(ctx context.Context, s streams) error {
	if c.Hash < 1 || c.Hash > 1<<15 {
		return refuse(s, errors.New("--hash is from 1 to 32768"))
	}
	return bench(ctx, s, signature.Bench{Rules: c.Rules, Depth: c.Depth, Hash: c.Hash, Options: engine.Full()})
}

// bench runs until it is done or interrupted.
func bench(ctx context.Context, s streams, b signature.Bench) error {
	var refused error
	err := complete(ctx, s, runner(func(_ io.Reader, stdout, _ io.Writer) int {
		if refused = b.Run(stdout); refused != nil {
			return exitUsage
		}
		return 0
	}))
	if code, ok := errors.AsType[exit](err); ok && code == exitUsage {
		return refuse(s, refused)
	}
	return err
}
