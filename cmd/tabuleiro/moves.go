package main

import (
	"context"

	"tabuleiro/services/rules/cli"
)

// positionFlags name a position; all commands about rules have them.
type positionFlags struct {
	Rules    string  `enum:"chess,draughts,tictactoe" default:"chess" help:"chess, draughts or tictactoe (${default})."`
	FEN      *string `name:"fen" placeholder:"FEN" help:"The position; the start unless given."`
	Chess960 bool    `name:"chess960" help:"Read the position as Chess960."`
}

type movesCmd struct {
	positionFlags `embed:""`
	JSON          bool `name:"json" help:"Write one line of JSON."`
	Stdin         bool `help:"Read positions as lines of JSON and answer each with one."`
}

func (c movesCmd) Run(ctx context.Context, s streams) error {
	return complete(ctx, s, cli.Moves{Rules: c.Rules, FEN: c.FEN, JSON: c.JSON, Stdin: c.Stdin, Chess960: c.Chess960})
}

// complete runs a command of package cli. It cannot be stopped in between, so
// the first Ctrl-C ends the process under it.
func complete(ctx context.Context, s streams, c cli.Command) error {
	done := make(chan int, 1)
	go func() { done <- c.Run(s.In, s.Out, s.Err) }()
	select {
	case code := <-done:
		if code == 0 {
			return nil
		}
		return exit(code)
	case <-ctx.Done():
		return exit(exitInterrupted)
	}
}
