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

// Answer is what an engine says of a position.
type Answer struct {
	Move         string
	Score, Depth int
	Nodes        uint64
	// CPU is the processor time, Spent that of the clock.
	CPU, Spent time.Duration
}

// Ask asks an engine positions one after another, each as a new game.
func Ask(ctx context.Context, e Engine, positions []games.Position) ([]Answer, error) {
	p, err := newPlayer(e, "chess", nil, time.Minute)
	if err != nil {
		return nil, err
	}
	defer func() { p.close() }()
	var list []Answer
	for _, position := range positions {
		if err := ctx.Err(); err != nil {
			return list, err
		}
		game, err := rulesOf(position.Rules)
		if err != nil {
			return list, err
		}
		ruling, err := game.Rule(position)
		if err != nil {
			return list, err
		}
		if err := p.newGame(ruling.Position); err != nil {
			return list, err
		}
		t := turn{start: ruling.Position, now: ruling}
		for side := range t.left {
			t.left[side], t.increment[side] = e.Limit.Base, e.Limit.Increment
		}
		r, err := p.move(t)
		if err != nil {
			return list, fmt.Errorf("%s: %w", position.Text, err)
		}
		list = append(list, Answer{Move: r.move, Score: r.score, Depth: r.depth, Nodes: r.nodes, CPU: r.cpu, Spent: r.spent})
	}
	return list, nil
}

// Exam asks an engine questions and writes a line an answer. It returns how many
// were right.
func Exam(ctx context.Context, e Engine, questions []Question, out io.Writer) (right int, err error) {
	positions := make([]games.Position, len(questions))
	for i, q := range questions {
		positions[i] = q.Position
	}
	answers, err := Ask(ctx, e, positions)
	for i, a := range answers {
		verdict := "wrong"
		if questions[i].right(a.Move) {
			verdict = "right"
			right++
		}
		fmt.Fprintf(out, "%s\t%s\t%s\tdepth %d\tscore %d\tnodes %d\n", questions[i].ID, verdict, a.Move, a.Depth, a.Score, a.Nodes)
	}
	return right, err
}

func (q Question) right(move string) bool {
	return move != "" && !slices.Contains(q.Wrong, move) && (len(q.Right) == 0 || slices.Contains(q.Right, move))
}
