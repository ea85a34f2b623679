package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"

	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/endings"
)

// Verify is the command that checks the tables that there are: their files by
// checksums, their values against those of the positions that the moves lead to.
type Verify struct {
	// Data is the data folder.
	Data string
	// Pieces is the most pieces; 0 is as many as there are tables of.
	Pieces int
	// Sample is how many positions of each number of pieces are drawn; 0 is all.
	Sample int
	// Seed draws them.
	Seed uint64
}

// verified is a line of output. Won, drawn and lost are those of the side to move.
type verified struct {
	Pieces    int `json:"pieces"`
	Positions int `json:"positions"`
	Won       int `json:"won"`
	Drawn     int `json:"drawn"`
	Lost      int `json:"lost"`
	Longest   int `json:"longest"`
	Faults    int `json:"faults"`
}

// faultsNamed bounds the faults of which each is said.
const faultsNamed = 10

// askEvery is how many positions are checked between two looks at the context.
const askEvery = 4096

// Run writes a line for each number of pieces, and faults to stderr.
func (c Verify) Run(ctx context.Context, stdout, stderr io.Writer) int {
	most := c.Pieces
	if most == 0 {
		most = endings.MaxPieces
	} else if err := covered(most); err != nil {
		return fail(stderr, "verify", exitInput, err)
	}
	if c.Sample < 0 {
		return fail(stderr, "verify", exitInput, fmt.Errorf("--sample: %d is less than none", c.Sample))
	}
	store := storeOf(c.Data, stderr)
	code := exitRight
	for n := endings.MinPieces; n <= most; n++ {
		err := store.Open(n)
		if errors.Is(err, fs.ErrNotExist) {
			if n <= c.Pieces || n == endings.MinPieces {
				return fail(stderr, "verify", exitInput, fmt.Errorf("there are no tables of %d pieces in this folder; `tabuleiro tables build` makes them", n))
			}
			break
		}
		if err != nil {
			return fail(stderr, "verify", exitRefused, err)
		}
		line, err := c.verify(ctx, store.Probe(), n, stderr)
		if err == nil {
			err = writeLine(stdout, line)
		}
		if err != nil {
			return fail(stderr, "verify", exitRefused, err)
		}
		if line.Faults > 0 {
			code = exitRefused
		}
	}
	return code
}

func (c Verify) verify(ctx context.Context, probe endings.Probe, n int, stderr io.Writer) (verified, error) {
	line := verified{Pieces: n}
	var moves draughts.MoveList
	for p := range c.positions(n) {
		if line.Positions%askEvery == 0 && ctx.Err() != nil {
			return line, ctx.Err()
		}
		line.Positions++
		value, distance, _ := probe.Probe(&p)
		switch value {
		case 1:
			line.Won++
		case 0:
			line.Drawn++
		default:
			line.Lost++
		}
		line.Longest = max(line.Longest, distance)
		if fault := endings.Check(probe, &p, &moves); fault != nil {
			if line.Faults++; line.Faults <= faultsNamed {
				fmt.Fprintf(stderr, "tables verify: %v\n", fault)
			}
		}
	}
	return line, nil
}

// positions are those to check.
func (c Verify) positions(n int) iter.Seq[draughts.Position] {
	if c.Sample == 0 {
		return endings.Positions(n)
	}
	return func(yield func(draughts.Position) bool) {
		random := rand.New(rand.NewPCG(c.Seed, uint64(n)))
		for range c.Sample {
			if !yield(endings.Sample(n, random)) {
				return
			}
		}
	}
}
