package main

import (
	"context"
	"fmt"
	"os"

	"tabuleiro/services/search/match"
)

type epdCmd struct {
	File   string `arg:"" name:"file" help:"Positions of chess with the operations bm or am."`
	Engine string `short:"e" default:"name=tabuleiro" placeholder:"ENGINE" help:"The engine, as match takes it; ours unless given."`
	Limit  string `default:"cpu 1000" placeholder:"LIMIT" help:"The limit for a position (${default})."`
	Every  int    `default:"1" placeholder:"N" help:"Take only each Nth position, from the first on (${default})."`
	Least  int    `default:"0" placeholder:"N" help:"Exit with 1 where fewer are right."`
}

func (c epdCmd) Run(ctx context.Context, s streams) error {
	usage := func(err error) error {
		return refuse(s, err)
	}
	limit, err := match.ParseLimit(c.Limit)
	if err != nil {
		return usage(err)
	}
	engine, err := match.ParseEngine(c.Engine, "chess", limit)
	if err != nil {
		return usage(err)
	}
	file, err := os.Open(c.File)
	if err != nil {
		return usage(err)
	}
	defer func() { _ = file.Close() }()
	questions, err := match.ReadEPD(file)
	if err != nil {
		return usage(err)
	}
	if c.Every < 1 {
		return usage(fmt.Errorf("--every %d: a number from 1", c.Every))
	}
	questions = every(questions, c.Every)
	right, err := match.Exam(ctx, engine, questions, s.Out)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%d of %d right\n", right, len(questions))
	if right < c.Least {
		return exit(exitError)
	}
	return nil
}

// every is each nth of a list, from the first on.
func every[T any](list []T, n int) []T {
	var out []T
	for i := 0; i < len(list); i += n {
		out = append(out, list[i])
	}
	return out
}
