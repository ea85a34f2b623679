// Package epd runs suites of chess positions whose best moves are known: a smoke
// test of the engine, not a measure of its strength.
package epd

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/think"
)

// Case is a position with the moves that solve it, or those to avoid, as UCI.
type Case struct {
	ID, FEN     string
	Best, Avoid []string
}

// Read reads a file of EPD: bm, am and id count, other operations are passed
// over, and so are lines that have neither bm nor am.
func Read(r io.Reader) ([]Case, error) {
	var list []Case
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 {
			continue
		}
		c := Case{FEN: strings.Join(fields[:4], " ") + " 0 1"}
		for operation := range strings.SplitSeq(strings.Join(fields[4:], " "), ";") {
			words := strings.Fields(operation)
			if len(words) < 2 {
				continue
			}
			var err error
			switch words[0] {
			case "bm":
				c.Best, err = moves(c.FEN, words[1:])
			case "am":
				c.Avoid, err = moves(c.FEN, words[1:])
			case "id":
				c.ID = strings.Trim(strings.Join(words[1:], " "), `"`)
			}
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		}
		if len(c.Best)+len(c.Avoid) > 0 {
			list = append(list, c)
		}
	}
	return list, lines.Err()
}

func moves(fen string, texts []string) ([]string, error) {
	var list []string
	for _, text := range texts {
		m, _, err := chess.Game{}.Apply(games.Position{Rules: "chess", Text: fen}, text)
		if err != nil {
			return nil, fmt.Errorf("move %s: %w", text, err)
		}
		list = append(list, m.Text)
	}
	return list, nil
}

// Solves tells whether a move is one of the best, and none to avoid.
func (c Case) Solves(move string) bool {
	return (len(c.Best) == 0 || slices.Contains(c.Best, move)) && !slices.Contains(c.Avoid, move)
}

// Suite is a run over cases.
type Suite struct {
	Cases []Case
	// Every takes only each so manieth case, from the first on.
	Every  int
	Limits think.Limits
	// Hash is the size of the table in bytes, empty for every case.
	Hash int
}

// Run searches each case, writes a line on it and a last one with the sum, and
// returns how many were solved of how many.
func (s Suite) Run(w io.Writer) (solved, of int, err error) {
	cfg := think.Config{Options: engine.Full(), Table: engine.NewTable(s.Hash)}
	for i := 0; i < len(s.Cases); i += max(s.Every, 1) {
		c := s.Cases[i]
		problem, err := engine.Open(games.Position{Rules: "chess", Text: c.FEN})
		if err != nil {
			return solved, of, fmt.Errorf("%s: %w", c.ID, err)
		}
		cfg.Table.Clear()
		r := think.Search(problem, s.Limits, cfg, nil)
		word := "missed"
		of++
		if c.Solves(r.Move) {
			solved++
			word = "solved"
		}
		if _, err := fmt.Fprintf(w, "%s %s: %s, score %d, depth %d, nodes %d\n", c.ID, word, r.Move, r.Score, r.Depth, r.Nodes); err != nil {
			return solved, of, err
		}
	}
	_, err = fmt.Fprintf(w, "%d of %d solved\n", solved, of)
	return solved, of, err
}
