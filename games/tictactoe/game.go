package tictactoe

import (
	"slices"
	"strings"

	"tabuleiro/games"
)

// Game is tic-tac-toe at the edge of the system; it satisfies games.Game.
type Game struct{}

var _ games.Game = Game{}

const (
	rulesName = "tictactoe"
	// drawSet is the only set of draw rules: a full board without a line.
	drawSet = "standard"
)

// Name is "tictactoe".
func (Game) Name() string { return rulesName }

// Sides are x, who starts, and o.
func (Game) Sides() [2]string { return [2]string{"x", "o"} }

// DrawSets holds "standard" alone.
func (Game) DrawSets() []string { return []string{drawSet} }

// Size is 3 by 3.
func (Game) Size() (rows, columns int) { return 3, 3 }

// Start is the empty board.
func (Game) Start(draws string) (games.Position, error) {
	if draws != "" && draws != drawSet {
		return games.Position{}, games.UnknownDraws(rulesName, draws)
	}
	return edgePosition(Position{}), nil
}

// Rule reads a position and rules on it. A position without a past and the
// history that this game writes are both empty; any other is bad_history.
func (Game) Rule(p games.Position) (games.Ruling, error) {
	pos, err := read(p)
	if err != nil {
		return games.Ruling{}, err
	}
	return rule(pos), nil
}

// Apply marks a square given as a1 to c3 or 1 to 9.
func (Game) Apply(p games.Position, move string) (games.Move, games.Ruling, error) {
	pos, err := read(p)
	if err != nil {
		return games.Move{}, games.Ruling{}, err
	}
	sq, refusal := readMove(pos, move)
	if refusal != nil {
		return games.Move{}, games.Ruling{}, refusal
	}
	return edgeMove(sq), rule(pos.Play(sq)), nil
}

func read(p games.Position) (Position, error) {
	if p.Rules != "" && p.Rules != rulesName {
		return Position{}, &games.Invalid{Reasons: []string{"wrong_rules"}, Detail: "the position is not one of tic-tac-toe"}
	}
	if p.Draws != "" && p.Draws != drawSet {
		return Position{}, games.UnknownDraws(rulesName, p.Draws)
	}
	if p.History != "" {
		return Position{}, &games.Invalid{Reasons: []string{"bad_history"}, Detail: "tic-tac-toe keeps no history"}
	}
	return Parse(p.Text)
}

func readMove(p Position, text string) (Square, *games.Refusal) {
	sq, ok := ParseSquare(text)
	switch {
	case !ok:
		return 0, &games.Refusal{Code: games.BadText}
	case p.Over():
		return 0, &games.Refusal{Code: games.GameOver, Squares: names(p.Line())}
	case !p.Moves().Has(sq):
		return 0, &games.Refusal{Code: games.SquareTaken, Squares: []string{sq.String()}}
	}
	return sq, nil
}

func rule(p Position) games.Ruling {
	r := games.Ruling{
		Position:   edgePosition(p),
		Side:       p.Side(),
		CanWin:     [2]bool{p.CanWin(games.First), p.CanWin(games.Second)},
		Key:        p.Text(),
		Repetition: 1,
		LastLine:   names(p.Line()),
		Pieces:     pieces(p),
	}
	for m := p.Moves(); m != 0; m = m.Rest() {
		r.Moves = append(r.Moves, edgeMove(m.First()))
	}
	if winner, won := p.Winner(); won {
		r.Outcome = &games.Outcome{Winner: winner, Reason: "three_in_a_row"}
	} else if p.Over() {
		r.Outcome = &games.Outcome{Draw: true, Reason: "board_full"}
	}
	return r
}

func edgePosition(p Position) games.Position {
	return games.Position{Rules: rulesName, Text: p.Text(), Draws: drawSet}
}

func edgeMove(sq Square) games.Move {
	name := sq.String()
	return games.Move{Text: name, Notation: name, To: name, Path: []string{name}}
}

// names are the squares of m, sorted as text; nil where m is empty.
func names(m Mask) []string {
	var out []string
	for ; m != 0; m = m.Rest() {
		out = append(out, m.First().String())
	}
	slices.Sort(out)
	return out
}

// pieces are the marks, sorted by square as text.
func pieces(p Position) []games.Piece {
	var out []games.Piece
	for _, side := range [2]games.Side{games.First, games.Second} {
		for m := p.Marks(side); m != 0; m = m.Rest() {
			out = append(out, games.Piece{Square: m.First().String(), Side: side, Kind: "mark"})
		}
	}
	slices.SortFunc(out, func(a, b games.Piece) int { return strings.Compare(a.Square, b.Square) })
	return out
}
