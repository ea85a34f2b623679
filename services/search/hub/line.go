package hub

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/engine/core"
	"tabuleiro/services/search/lines"
	"tabuleiro/services/search/tables"
	"tabuleiro/services/search/think"
)

// Line answers questions of one line, "FEN ms N" or "FEN nodes N", with
// "bestmove f4xd6xb8 score S depth D nodes N", S in centipawns for the side to
// move. What cannot be answered is answered "error WHY", with a sentence.
//
// With nodes an answer depends on its line alone. With ms the engine keeps what it
// knows from line to line, and takes a position that one move from its last
// answer leads to as the same game going on, so that it sees repetitions.
type Line struct {
	// Hash is the size of the table in MiB, Threads how many searchers use it.
	Hash, Threads int
	// Options are the engine's.
	Options engine.Options
	// Open opens positions; nil is engine.Open.
	Open func(games.Position) (engine.Problem, error)
	// Ready waits for tables of endings that are still being built; nil where there
	// are none. An answer that depends on nothing but its question needs them, and so
	// does an exact one.
	Ready func()
}

// Run answers until the input ends.
func (l Line) Run(stdin io.Reader, stdout, stderr io.Writer) int {
	if l.Open == nil {
		l.Open = func(p games.Position) (engine.Problem, error) { return engine.Open(p) }
	}
	table, _ := think.NewTable(max(l.Hash, 1))
	a := answerer{Line: l, table: table}
	out := lines.NewWriter(stdout)
	return lines.Serve(stdin, out, stderr, func(text string, tooLong bool) bool {
		if tooLong {
			out.Say("error the line is too long")
		} else if strings.TrimSpace(text) != "" {
			answer, err := a.answer(text)
			if err != nil {
				answer = "error " + err.Error()
			}
			out.Say("%s", answer)
		}
		return true
	})
}

type answerer struct {
	Line
	table *engine.Table
	// after is where the last answer led.
	after games.Ruling
}

func (a *answerer) answer(text string) (string, error) {
	words := strings.Fields(text)
	if len(words) < 3 {
		return "", errors.New("a line is FEN ms N or FEN nodes N")
	}
	kind := words[len(words)-2]
	n, err := strconv.ParseUint(words[len(words)-1], 10, 40)
	if err != nil || n == 0 || kind != "ms" && kind != "nodes" {
		return "", errors.New("a line is FEN ms N or FEN nodes N, N from 1")
	}
	start := time.Now()
	ruling, err := draughts.Game{}.Rule(games.Position{Rules: "draughts", Text: strings.Join(words[:len(words)-2], " ")})
	if err != nil {
		return "", err
	}
	if a.Ready != nil && (kind == "nodes" || len(ruling.Pieces) <= tables.FirstUse) {
		a.Ready()
		start = time.Now()
	}
	limits := think.Limits{}
	if kind == "nodes" {
		limits.Nodes = n
		a.table.Clear()
	} else {
		ruling = a.goesOn(ruling)
		a.table.Age()
	}
	problem, err := a.Open(ruling.Position)
	if err != nil {
		return "", err
	}
	if kind == "ms" {
		limits.Budget = core.Fixed(time.Duration(n)*time.Millisecond, time.Since(start))
	}
	r := think.Search(problem, limits, think.Config{Threads: a.Threads, Options: a.Options, Table: a.table}, nil)
	if kind == "ms" {
		if _, after, err := (draughts.Game{}).Apply(ruling.Position, r.Move); err == nil {
			a.after = after
		}
	}
	return fmt.Sprintf("bestmove %s score %d depth %d nodes %d", r.Move, r.Score, r.Depth, r.Nodes), nil
}

// goesOn is a position with the past that it has where a move leads to it from
// the last answer.
func (a *answerer) goesOn(now games.Ruling) games.Ruling {
	for _, m := range a.after.Moves {
		_, next, err := draughts.Game{}.Apply(a.after.Position, m.Text)
		if err == nil && next.Position.Text == now.Position.Text && next.Outcome == nil {
			return next
		}
	}
	return now
}
