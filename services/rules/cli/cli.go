// Package cli is the code behind the commands moves, perft, apply, record and
// codes, through which others test the rules from outside.
//
// Each command is a struct of its flags with one method,
// Run(stdin, stdout, stderr), which returns the exit code: 0 right, 1 something
// was refused, 2 bad usage or input. Results go to stdout, sentences about what
// is wrong to stderr.
package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tabuleiro/games"
)

// The exit codes.
const (
	exitRight   = 0
	exitRefused = 1
	exitInput   = 2
)

// Command is what all commands have in common.
type Command interface {
	Run(stdin io.Reader, stdout, stderr io.Writer) int
}

// Codes is the command that prints the table of refusal codes.
type Codes struct{}

// Run prints a line a code: the code, a tab, its sentence.
func (Codes) Run(_ io.Reader, stdout, stderr io.Writer) int {
	for _, c := range games.Codes() {
		if _, err := fmt.Fprintf(stdout, "%s\t%s\n", c.Code, c.Sentence); err != nil {
			return fail(stderr, "codes", err)
		}
	}
	return exitRight
}

// fault is an error as the commands write it in JSON.
type fault struct {
	Code    games.Code `json:"code"`
	Message string     `json:"message"`
	// Reasons are why a text is no position; empty for moves.
	Reasons []string `json:"reasons"`
	Squares []string `json:"squares,omitempty"`
	Moves   []string `json:"moves,omitempty"`
	// Ways are the ways out of check by kind: capture, flee, block.
	Ways map[string][]string `json:"ways,omitempty"`
}

// faultOf makes a fault of the error of a game; of any other one bad_text.
func faultOf(err error) *fault {
	if r, ok := errors.AsType[*games.Refusal](err); ok {
		f := &fault{Code: r.Code, Message: r.Error(), Reasons: []string{}, Squares: r.Squares, Moves: r.Moves}
		for _, w := range r.Ways {
			if f.Ways == nil {
				f.Ways = map[string][]string{}
			}
			for _, m := range w.Moves {
				f.Ways[w.Kind] = append(f.Ways[w.Kind], m.Text)
			}
		}
		return f
	}
	if i, ok := errors.AsType[*games.Invalid](err); ok {
		return &fault{Code: i.Code(), Message: i.Detail, Reasons: i.Reasons}
	}
	return &fault{Code: games.BadText, Message: err.Error(), Reasons: []string{}}
}

// outcome is the end of a game in JSON.
type outcome struct {
	Winner *string `json:"winner"`
	Reason string  `json:"reason"`
}

func outcomeOf(o *games.Outcome, sides [2]string) *outcome {
	if o == nil {
		return nil
	}
	out := &outcome{Reason: o.Reason}
	if !o.Draw {
		out.Winner = &sides[o.Winner]
	}
	return out
}

// fail says what went wrong and is the exit code for bad usage or input.
func fail(stderr io.Writer, command string, err error) int {
	explain(stderr, command, err)
	return exitInput
}

// optionFault is what is wrong with the position that an option gives.
type optionFault struct {
	option string
	err    error
}

func (f *optionFault) Error() string {
	return f.option + ": " + string(faultOf(f.err).Code) + ": " + f.err.Error()
}

func (f *optionFault) Unwrap() error { return f.err }

// checkDraws refuses a set of draw rules that the game does not have; no name is
// the game's default.
func checkDraws(g games.Game, draws string) error {
	if draws == "" || slices.Contains(g.DrawSets(), draws) {
		return nil
	}
	return fmt.Errorf("--draws is %s in %s, not %q", strings.Join(g.DrawSets(), " or "), g.Name(), draws)
}

// explain writes one line, whatever the error says. That stderr may be closed
// changes nothing.
func explain(stderr io.Writer, command string, err error) {
	text := err.Error()
	if _, named := errors.AsType[*optionFault](err); !named && isRuling(err) {
		text = string(faultOf(err).Code) + ": " + text
	}
	_, _ = fmt.Fprintf(stderr, "%s: %s\n", command, strings.ReplaceAll(text, "\n", " "))
}

// isRuling tells the errors that a game returns from those of reading and
// writing.
func isRuling(err error) bool {
	_, refused := errors.AsType[*games.Refusal](err)
	_, invalid := errors.AsType[*games.Invalid](err)
	return refused || invalid
}

// list makes of no items an empty list in JSON instead of null.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
