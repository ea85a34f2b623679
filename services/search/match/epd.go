package match

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// Question is a position of chess with the moves that are right, or those that are
// wrong, as UCI writes them.
type Question struct {
	ID           string
	Position     games.Position
	Right, Wrong []string
}

// ReadEPD reads questions: positions with the operations bm or am, and id. Lines
// without either are left out; a line that cannot be read is an error.
func ReadEPD(in io.Reader) ([]Question, error) {
	scanner := lines(in)
	var list []Question
	for number := 1; scanner.Scan(); number++ {
		text := strings.TrimSpace(scanner.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		q, err := parseEPD(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if len(q.Right)+len(q.Wrong) > 0 {
			list = append(list, q)
		}
	}
	return list, scanner.Err()
}

func parseEPD(text string) (Question, error) {
	fields := strings.Fields(text)
	if len(fields) < 4 {
		return Question{}, errors.New("a position has four fields")
	}
	q := Question{Position: games.Position{Rules: "chess", Text: strings.Join(fields[:4], " ")}}
	p, err := chess.ReadFEN(q.Position.Text)
	if err != nil {
		return q, err
	}
	for operation := range strings.SplitSeq(strings.Join(fields[4:], " "), ";") {
		code, value, _ := strings.Cut(strings.TrimSpace(operation), " ")
		switch code {
		case "bm", "am":
			for _, san := range strings.Fields(value) {
				m, refusal := p.ParseMove(san)
				if refusal != nil {
					return q, fmt.Errorf("%s: %w", san, refusal)
				}
				if code == "bm" {
					q.Right = append(q.Right, p.UCI(m))
				} else {
					q.Wrong = append(q.Wrong, p.UCI(m))
				}
			}
		case "id":
			q.ID = strings.Trim(value, `" `)
		}
	}
	return q, nil
}

// Exam asks an engine questions one after another, each as a new game, and writes
// a line an answer. It returns how many were right.
func Exam(ctx context.Context, e Engine, questions []Question, out io.Writer) (right int, err error) {
	p, err := newPlayer(e, time.Minute)
	if err != nil {
		return 0, err
	}
	defer func() { p.close() }()
	for _, q := range questions {
		if err := ctx.Err(); err != nil {
			return right, err
		}
		ruling, err := chess.New().Rule(q.Position)
		if err != nil {
			return right, err
		}
		if err := p.newGame(ruling.Position); err != nil {
			return right, err
		}
		left := [2]time.Duration{e.Limit.Base, e.Limit.Base}
		r, err := p.move(turn{start: ruling.Position, now: ruling, left: left, increment: [2]time.Duration{e.Limit.Increment, e.Limit.Increment}})
		if err != nil {
			return right, fmt.Errorf("%s: %w", q.ID, err)
		}
		verdict := "wrong"
		if q.right(r.move) {
			verdict = "right"
			right++
		}
		fmt.Fprintf(out, "%s\t%s\t%s\tdepth %d\tscore %d\tnodes %d\n", q.ID, verdict, r.move, r.depth, r.score, r.nodes)
	}
	return right, nil
}

func (q Question) right(move string) bool {
	return move != "" && !slices.Contains(q.Wrong, move) && (len(q.Right) == 0 || slices.Contains(q.Right, move))
}
