// Package books makes books of openings from files and the engine's own analysis,
// and finds them where they are shipped.
package books

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/engine/book"
	"tabuleiro/services/search/match"
	"tabuleiro/services/search/think"
)

// Set holds a book a game.
type Set map[string]*book.Book

// Open reads the books chess.book and draughts.book of a folder; a book that is
// not there is none.
func Open(folder fs.FS) (Set, error) {
	set := Set{}
	for _, rules := range []string{"chess", "draughts"} {
		data, err := fs.ReadFile(folder, rules+".book")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			set[rules], err = Read(rules, data)
		}
		if err != nil {
			return nil, fmt.Errorf("the book of %s: %w", rules, err)
		}
	}
	return set, nil
}

// Read is book.Read of a book of one game.
func Read(rules string, data []byte) (*book.Book, error) {
	b, err := book.Read(data)
	if err == nil && b.Rules() != rules {
		return nil, fmt.Errorf("it is a book of %s", b.Rules())
	}
	return b, err
}

// Pick draws a move for a game's position; see book.Book.Pick. A nil set knows
// none.
func (s Set) Pick(p games.Position, legal []string, seed int32) (move string, known bool) {
	if b := s[p.Rules]; b != nil {
		return b.Pick(p, legal, seed)
	}
	return "", false
}

// Recipe is how a book is made.
type Recipe struct {
	Rules string
	// Plies is how far lines count.
	Plies int
	// Least and Share are the least weight of a move, and its least part of the
	// heaviest one's; see book.Builder.Build.
	Least int
	Share float64
	// Nodes, when set, is how long the engine looks at each move that is left: those
	// that it finds worse than the best of them by more than Margin centipawns are
	// dropped.
	Nodes  uint64
	Margin int
	// Without are moves to leave out, as a review found them.
	Without []Lost
}

// Source is a file of openings or games; see match.ReadLines.
type Source struct {
	Name string
	In   io.Reader
	// Weight is what each of its lines counts.
	Weight int
}

// Make makes a book. Lines that are wrong count up to their fault.
func (r Recipe) Make(ctx context.Context, sources []Source) (*book.Book, error) {
	builder, err := r.gather(sources)
	if err != nil {
		return nil, err
	}
	if r.Nodes > 0 {
		if err := builder.Review(func(p games.Position, moves []string) ([]string, error) { return r.sound(ctx, p, moves) }); err != nil {
			return nil, err
		}
	}
	for _, l := range r.Without {
		builder.Drop(l.Position, l.Move)
	}
	return builder.Build(r.Least, r.Share), nil
}

// gather reads sources and leaves out what has too little weight.
func (r Recipe) gather(sources []Source) (*book.Builder, error) {
	builder := book.NewBuilder(r.Rules)
	if builder == nil {
		return nil, fmt.Errorf("there are no books of %q", r.Rules)
	}
	for _, s := range sources {
		list, err := match.ReadLines(r.Rules, s.Name, s.In)
		if err != nil {
			return nil, err
		}
		read := 0
		for _, o := range list {
			n, _ := builder.Add(o.Start, o.Moves, s.Weight, r.Plies) // up to a fault
			read += n
		}
		if read == 0 {
			return nil, fmt.Errorf("there are no lines of %s in %s", r.Rules, s.Name)
		}
	}
	builder.Prune(r.Least, r.Share)
	return builder, nil
}

// sound are the moves that the engine does not find much worse than the best of
// all moves.
func (r Recipe) sound(ctx context.Context, p games.Position, moves []string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	problem, err := engine.Open(p)
	if err != nil {
		return nil, nil // the game is over here: nothing is for a book
	}
	cfg := think.Config{Options: engine.Full(), Table: engine.NewTable(4 << 20)}
	best := think.Search(problem, think.Limits{Nodes: r.Nodes}, cfg, nil)
	var kept []string
	for _, m := range moves {
		score := best.Score
		if m != best.Move {
			score = think.Search(problem, think.Limits{Nodes: r.Nodes, Only: []string{m}}, cfg, nil).Score
		}
		if score >= best.Score-r.Margin {
			kept = append(kept, m)
		}
	}
	slices.Sort(kept)
	return kept, nil
}

// Position is a position given as text; nil is the start of the game.
func Position(rules string, text *string) (games.Position, error) {
	if text != nil {
		return games.Position{Rules: rules, Text: *text}, nil
	}
	for _, g := range []games.Game{chess.New(), draughts.Game{}} {
		if g.Name() == rules {
			return g.Start("")
		}
	}
	return games.Position{}, fmt.Errorf("there are no books of %q", rules)
}
