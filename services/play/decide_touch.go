package play

import "slices"

// Touch touches a piece that has to move then.
type Touch struct {
	Player string
	Turn   int32
	Square string
}

func (Touch) command() {}

func decideTouch(s State, c Touch, at int64) ([]Event, error) {
	seat, events, err := s.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	if err := s.answers(c.Turn); err != nil {
		return nil, err
	}
	own := s.Seats[seat].Side
	piece := slices.IndexFunc(s.Ruling.Pieces, func(p Piece) bool { return p.Square == c.Square })
	switch {
	case !s.Options.TouchMove:
		return nil, refuse("option_off", "the game was made without touch-move")
	case seat != s.ToMove():
		return nil, refuse("not_your_turn", "it is the other side's turn")
	case piece < 0:
		return nil, &Refused{Code: "no_piece", Detail: "there is no piece on the square", Squares: []string{c.Square}}
	case s.Ruling.Pieces[piece].Side != own:
		return nil, &Refused{Code: "not_your_piece", Detail: "the piece is the opponent's", Squares: []string{c.Square}}
	case s.Touched != "":
		return nil, &Refused{Code: "touched_piece", Detail: "a piece was touched before", Squares: []string{s.Touched}}
	case !slices.ContainsFunc(s.Ruling.Moves, func(m Move) bool { return m.From == c.Square }):
		return nil, &Refused{Code: "touched_stuck", Detail: "the piece has no legal move", Squares: []string{c.Square}}
	}
	return []Event{{Kind: KindTouched, At: at, Side: own, Square: c.Square}}, nil
}

// mayMove refuses a move of another piece than the one that was touched, which
// is known to have a legal move.
func (s State) mayMove(move Move) error {
	if s.Touched == "" || move.From == s.Touched {
		return nil
	}
	return &Refused{Code: "touched_piece", Detail: "the piece that was touched has to move", Squares: []string{s.Touched}}
}

// taken are the kinds of the pieces on some squares.
func taken(pieces []Piece, squares []string) []string {
	var kinds []string
	for _, square := range squares {
		for _, p := range pieces {
			if p.Square == square {
				kinds = append(kinds, p.Kind)
			}
		}
	}
	return kinds
}
