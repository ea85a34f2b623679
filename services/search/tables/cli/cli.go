// Package cli is the code behind the command tables, which builds, verifies and
// reads the tables of draughts endings.
//
// Exit codes are 0 right, 1 refused or faults found, 2 bad usage or input.
// Results go to stdout, progress and sentences about what is wrong to stderr.
package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"

	"tabuleiro/services/search/engine/endings"
	"tabuleiro/services/search/tables"
)

// The exit codes.
const (
	exitRight   = 0
	exitRefused = 1
	exitInput   = 2
)

// storeOf is the tables of a data folder; what becomes of them is written to
// stderr.
func storeOf(data string, stderr io.Writer) *tables.Store {
	return tables.New(data, slog.New(slog.NewTextHandler(stderr, nil)))
}

func fail(stderr io.Writer, command string, code int, err error) int {
	fmt.Fprintf(stderr, "tables %s: %v\n", command, err)
	return code
}

// covered says whether there can be tables of that many pieces.
func covered(pieces int) error {
	if pieces < endings.MinPieces || pieces > endings.MaxPieces {
		return fmt.Errorf("--pieces: %d is not from %d to %d", pieces, endings.MinPieces, endings.MaxPieces)
	}
	return nil
}

func writeLine(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// Build is the command that builds the tables that are not there yet.
type Build struct {
	// Data is the data folder.
	Data string
	// Pieces is the most pieces.
	Pieces int
}

// built is a line of output.
type built struct {
	Pieces int    `json:"pieces"`
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	Built  bool   `json:"built"`
}

// Run writes a line for each number of pieces, and progress to stderr.
func (c Build) Run(ctx context.Context, stdout, stderr io.Writer) int {
	if err := covered(c.Pieces); err != nil {
		return fail(stderr, "build", exitInput, err)
	}
	store := storeOf(c.Data, stderr)
	for n := endings.MinPieces; n <= c.Pieces; n++ {
		last := -1
		anew, err := store.Load(ctx, n, func(done, total int) {
			if percent := 100 * done / total; percent/10 != last/10 || last < 0 {
				last = percent
				fmt.Fprintf(stderr, "%d pieces: %d %%\n", n, percent)
			}
		})
		if err != nil {
			return fail(stderr, "build", exitRefused, err)
		}
		file, size, err := store.File(n)
		if err != nil {
			return fail(stderr, "build", exitRefused, err)
		}
		if err := writeLine(stdout, built{n, file, size, anew}); err != nil {
			return fail(stderr, "build", exitRefused, err)
		}
	}
	return exitRight
}
