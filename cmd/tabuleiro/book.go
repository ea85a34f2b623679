package main

import (
	"bytes"
	"context"
	"errors"
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
	Build  bookBuildCmd  `cmd:"" help:"Make a book of openings from files and the engine's own analysis."`
	Review bookReviewCmd `cmd:"" help:"Let the engine look at the moves that a book would have, and print those that lose."`
	Probe  bookProbeCmd  `cmd:"" help:"Print the moves of a book in a position, with their weights."`
}

// bookFlags say what a book is made of.
type bookFlags struct {
	Rules string   `enum:"chess,draughts" default:"chess" help:"chess or draughts (${default})."`
	Plies int      `default:"16" help:"How far lines count (${default})."`
	Least int      `default:"1" placeholder:"N" help:"The least weight of a move (${default})."`
	Share float64  `default:"0" placeholder:"PART" help:"The least part of the heaviest move's weight, 0 to 1 (${default})."`
	Files []string `arg:"" name:"file" help:"Openings or games: .pgn, .pdn, .tsv with moves; FILE=WEIGHT makes its lines count more. In .tsv moves that end in ! are for the book, the others lead there."`
}

// open opens the files; what is wrong with them is a matter of usage.
func (f bookFlags) open() (sources []books.Source, closeAll func(), err error) {
	if f.Plies < 1 || f.Least < 1 || f.Share < 0 || f.Share > 1 {
		return nil, func() {}, errors.New("--plies and --least are at least 1, --share is from 0 to 1")
	}
	var files []*os.File
	closeAll = func() {
		for _, file := range files {
			_ = file.Close() // it was only read
		}
	}
	for _, name := range f.Files {
		weight := 1
		if path, number, ok := strings.Cut(name, "="); ok {
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 {
				closeAll()
				return nil, nil, fmt.Errorf("%s: the weight is a number from 1", name)
			}
			name, weight = path, n
		}
		file, err := os.Open(name)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		files = append(files, file)
		sources = append(sources, books.Source{Name: name, In: file, Weight: weight})
	}
	return sources, closeAll, nil
}

func (f bookFlags) recipe() books.Recipe {
	return books.Recipe{Rules: f.Rules, Plies: f.Plies, Least: f.Least, Share: f.Share}
}

type bookBuildCmd struct {
	bookFlags `embed:""`
	Out       string `short:"o" required:"" placeholder:"FILE" help:"Where the book goes."`
	Nodes     uint64 `default:"0" placeholder:"N" help:"Let the engine look at each move for so many nodes and drop bad ones; 0 for not (${default})."`
	Margin    int    `default:"40" placeholder:"CP" help:"How much worse than the best a move may be, in centipawns (${default})."`
	Without   string `placeholder:"FILE" help:"Leave out the moves that a review printed."`
}

func (c bookBuildCmd) Run(ctx context.Context, s streams) error {
	recipe := c.recipe()
	recipe.Nodes, recipe.Margin = c.Nodes, c.Margin
	sources, closeAll, err := c.open()
	if err != nil {
		return refuse(s, err)
	}
	defer closeAll()
	if c.Without != "" {
		text, err := os.ReadFile(c.Without)
		if err == nil {
			recipe.Without, err = books.ReadLost(c.Rules, bytes.NewReader(text))
		}
		if err != nil {
			return refuse(s, fmt.Errorf("--without: %w", err))
		}
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

type bookReviewCmd struct {
	bookFlags `embed:""`
	Nodes     uint64 `default:"100000" placeholder:"N" help:"How long the engine looks at each move (${default})."`
	Worse     int    `default:"80" placeholder:"CP" help:"A move loses that leaves its side behind by more than so many centipawns (${default})."`
}

func (c bookReviewCmd) Run(ctx context.Context, s streams) error {
	sources, closeAll, err := c.open()
	if err != nil {
		return refuse(s, err)
	}
	defer closeAll()
	lost, err := c.recipe().Review(ctx, sources, max(c.Nodes, 1), c.Worse)
	if err != nil {
		return err
	}
	return books.WriteLost(s.Out, lost)
}

type bookProbeCmd struct {
	positionFlags `embed:""`
	Book          string `placeholder:"FILE" help:"The book; the one that is shipped unless given."`
	Seed          *int32 `placeholder:"N" help:"Print the move that this seed draws instead."`
}

func (c bookProbeCmd) Run(s streams) error {
	set, err := books.Open(content.Openings())
	if err == nil && c.Book != "" {
		var data []byte
		if data, err = os.ReadFile(c.Book); err == nil {
			set[c.Rules], err = books.Read(c.Rules, data)
		}
	}
	if err != nil {
		return refuse(s, err)
	}
	position, err := books.Position(c.Rules, c.FEN)
	if err != nil {
		return refuse(s, err)
	}
	problem, err := engine.Open(position)
	if err != nil {
		return refuse(s, err)
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
