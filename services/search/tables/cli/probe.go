package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/endings"
	"tabuleiro/services/search/tables"
)

// Probe is the command that reads the value of a position.
type Probe struct {
	// Data is the data folder.
	Data string
	// FEN is the position.
	FEN string
}

// probed is the line of output.
type probed struct {
	FEN string `json:"fen"`
	WDL string `json:"wdl"` // win, draw or loss of the side to move
	// Distance is the number of plies to the end; null in draws.
	Distance *int `json:"distance"`
	// Best are the moves that keep both, sorted.
	Best []string `json:"best"`
}

// Run writes a line. Tables that there are none of, but for 5 pieces, are built.
func (c Probe) Run(ctx context.Context, stdout, stderr io.Writer) int {
	p, err := draughts.Parse(c.FEN)
	if err != nil {
		return fail(stderr, "probe", exitInput, fmt.Errorf("--fen: %w", err))
	}
	n := p.Occupied().Count()
	if n > endings.MaxPieces {
		return fail(stderr, "probe", exitRefused, fmt.Errorf("the position has %d pieces; tables go to %d", n, endings.MaxPieces))
	}
	store := storeOf(c.Data, stderr)
	for i := endings.MinPieces; i <= max(n, endings.MinPieces); i++ {
		if i <= tables.FirstUse {
			_, err = store.Load(ctx, i, nil)
		} else {
			err = store.Open(i)
		}
		// In memory alone they serve as well.
		if _, unsaved := errors.AsType[*tables.UnsavedError](err); err != nil && !unsaved {
			return fail(stderr, "probe", exitRefused, fmt.Errorf("no tables of %d pieces: %w; `tabuleiro tables build --pieces %d` makes them", i, err, i))
		}
	}
	if err := writeLine(stdout, probe(store.Probe(), p)); err != nil {
		return fail(stderr, "probe", exitRefused, err)
	}
	return exitRight
}

// probe reads the value of a position that the tables cover.
func probe(t endings.Probe, p draughts.Position) probed {
	value, distance, _ := t.Probe(&p)
	line := probed{FEN: p.Text(), WDL: [3]string{"loss", "draw", "win"}[value+1], Best: []string{}}
	if value != 0 {
		line.Distance = &distance
	}
	for _, path := range p.LegalPaths() {
		next := p.Play(path.Move)
		v, d, ok := t.Probe(&next)
		if !ok || v != -value || value != 0 && d != distance-1 {
			continue
		}
		line.Best = append(line.Best, path.Text())
	}
	slices.Sort(line.Best)
	return line
}
