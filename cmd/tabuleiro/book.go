package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"tabuleiro/content"
	"tabuleiro/games"
	"tabuleiro/services/search/books"
	"tabuleiro/services/search/engine"
)

type bookCmd struct {
	Build bookBuildCmd `cmd:"" help:"Make a book of openings from files and the engine's own analysis."`
	Probe bookProbeCmd `cmd:"" help:"Print the moves of a book in a position, with their weights."`
}

type bookBuildCmd struct {
	Rules  string   `enum:"chess,draughts" default:"chess" help:"chess or draughts (${default})."`
	Out    string   `short:"o" required:"" placeholder:"FILE" help:"Where the book goes."`
	Plies  int      `default:"16" help:"How far lines count (${default})."`
	Least  int      `default:"1" placeholder:"N" help:"The least weight of a move (${default})."`
	Share  float64  `default:"0" placeholder:"PART" help:"The least part of the heaviest move's weight, 0 to 1 (${default})."`
	Nodes  uint64   `default:"0" placeholder:"N" help:"Let the engine look at each move for so many nodes and drop bad ones; 0 for not (${default})."`
	Margin int      `default:"40" placeholder:"CP" help:"How much worse than the best a move may be, in centipawns (${default})."`
	Files  []string `arg:"" name:"file" help:"Openings or games: .pgn, .pdn, .tsv with moves; FILE=WEIGHT makes its lines count more. In .tsv moves that end in ! are for the book, the others lead there."`
}

func (c bookBuildCmd) Run(ctx context.Context, s streams) error {
	recipe := books.Recipe{Rules: c.Rules, Plies: c.Plies, Least: c.Least, Share: c.Share, Nodes: c.Nodes, Margin: c.Margin}
	var sources []books.Source
	for _, name := range c.Files {
		weight := 1
		if path, number, ok := strings.Cut(name, "="); ok {
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 {
				fmt.Fprintf(s.Err, "tabuleiro: %s: the weight is a number from 1\n", name)
				return exit(exitUsage)
			}
			name, weight = path, n
		}
		file, err := os.Open(name)
		if err != nil {
			fmt.Fprintf(s.Err, "tabuleiro: %v\n", err)
			return exit(exitUsage)
		}
		defer func() { _ = file.Close() }()
		sources = append(sources, books.Source{Name: name, In: file, Weight: weight})
	}
	made, err := recipe.Make(ctx, sources)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.Out, made.Bytes(), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%d moves\n", made.Len())
	return nil
}

type bookProbeCmd struct {
	positionFlags `embed:""`
	Book          string `placeholder:"FILE" help:"The book; the one that is shipped unless given."`
	Seed          *int32 `placeholder:"N" help:"Print the move that this seed draws instead."`
}

func (c bookProbeCmd) Run(s streams) error {
	usage := func(err error) error {
		fmt.Fprintf(s.Err, "tabuleiro: %v\n", err)
		return exit(exitUsage)
	}
	set, err := books.Open(content.Openings())
	if err == nil && c.Book != "" {
		var data []byte
		if data, err = os.ReadFile(c.Book); err == nil {
			set[c.Rules], err = books.Read(c.Rules, data)
		}
	}
	if err != nil {
		return usage(err)
	}
	position, err := books.Position(c.Rules, c.FEN)
	if err != nil {
		return usage(err)
	}
	problem, err := engine.Open(position)
	if err != nil {
		return usage(err)
	}
	return c.print(s, set, position, problem.Moves())
}

func (c bookProbeCmd) print(s streams, set books.Set, position games.Position, legal []string) error {
	if c.Seed != nil {
		move, known := set.Pick(position, legal, *c.Seed)
		if !known {
			return exit(exitError)
		}
		fmt.Fprintln(s.Out, move)
		return nil
	}
	b := set[c.Rules]
	if b == nil {
		return exit(exitError)
	}
	list := b.Moves(position, legal)
	if len(list) == 0 {
		return exit(exitError)
	}
	for _, choice := range list {
		fmt.Fprintf(s.Out, "%s\t%d\n", choice.Move, choice.Weight)
	}
	return nil
}

// shippedBooks are the books in the binary; a test reads them.
func shippedBooks() books.Set {
	set, err := books.Open(content.Openings())
	if err != nil {
		panic(err)
	}
	return set
}
