package books

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tabuleiro/games"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/think"
)

// Lost is a move of a book that loses by the engine's word.
type Lost struct {
	Position games.Position
	// Move is the exact text.
	Move string
	// Score is for the side that moves, in centipawns.
	Score int
}

// Review looks at every move that the recipe's book would have for so many nodes
// and tells those that leave their side behind by more than so many centipawns. A
// list of them, unlike the engine, does not change from version to version: Without
// makes a book by it.
func (r Recipe) Review(ctx context.Context, sources []Source, nodes uint64, worse int) ([]Lost, error) {
	builder, err := r.gather(sources)
	if err != nil {
		return nil, err
	}
	cfg := think.Config{Options: engine.Full(), Table: engine.NewTable(16 << 20)}
	var lost []Lost
	err = builder.Review(func(p games.Position, moves []string) ([]string, error) {
		// The same position from another way: what came before it does not count.
		p.History = ""
		problem, err := engine.Open(p)
		if err != nil {
			return nil, err
		}
		for _, m := range moves {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			cfg.Table.Clear()
			score := think.Search(problem, think.Limits{Nodes: nodes, Only: []string{m}}, cfg, nil).Score
			if score < -worse {
				lost = append(lost, Lost{p, m, score})
			}
		}
		return moves, nil
	})
	return lost, err
}

// heading is the first line of a table of lost moves.
const heading = "fen\tmove\tscore"

// WriteLost writes a table of lost moves.
func WriteLost(out io.Writer, list []Lost) error {
	text := heading + "\n"
	for _, l := range list {
		text += fmt.Sprintf("%s\t%s\t%d\n", l.Position.Text, l.Move, l.Score)
	}
	_, err := io.WriteString(out, text)
	return err
}

// ReadLost reads what WriteLost wrote.
func ReadLost(rules string, in io.Reader) ([]Lost, error) {
	scanner := bufio.NewScanner(in)
	if !scanner.Scan() || scanner.Text() != heading {
		return nil, errors.Join(errors.New("this is no table of lost moves"), scanner.Err())
	}
	var list []Lost
	for scanner.Scan() {
		cells := strings.Split(scanner.Text(), "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("%q has not three columns", scanner.Text())
		}
		score, err := strconv.Atoi(cells[2])
		if err != nil {
			return nil, fmt.Errorf("%q: %w", scanner.Text(), err)
		}
		list = append(list, Lost{games.Position{Rules: rules, Text: cells[0]}, cells[1], score})
	}
	return list, scanner.Err()
}
