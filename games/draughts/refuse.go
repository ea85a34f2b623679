package draughts

import (
	"iter"

	"tabuleiro/games"
)

// spot is one of the 64 squares, dark or light, as people name them.
type spot struct{ file, row int }

func spotOf(s Square) spot { return spot{s.File(), s.Row()} }

func (s spot) String() string { return string([]byte{'a' + byte(s.file), '1' + byte(s.row)}) }

func (s spot) square() Square { return At(s.file, s.row) }

// distance is the number of diagonal steps to t; 0 where no diagonal leads
// there.
func (s spot) distance(t spot) int {
	df, dr := abs(t.file-s.file), abs(t.row-s.row)
	if df != dr {
		return 0
	}
	return dr
}

// between are the spots between s and t, which must lie on one diagonal.
func (s spot) between(t spot) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		df, dr := sign(t.file-s.file), sign(t.row-s.row)
		for i := 1; i < s.distance(t); i++ {
			if !yield(spot{s.file + i*df, s.row + i*dr}) {
				return
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

func sign(n int) int { return max(-1, min(1, n)) }

// refuse says why the squares are no legal move of p. A fault of the move
// itself comes first; what would be a move but for the compulsion to capture
// is refused with the captures that are asked for. A quiet move with the sign of
// a capture is none: nothing is there to be taken.
func (p Position) refuse(l *legal, w written) *games.Refusal {
	spots := w.spots
	from := spots[0]
	us := p.Side()
	switch s := from.square(); {
	case s == NoSquare, p.Empty().Has(s):
		return &games.Refusal{Code: games.NoPiece, Squares: []string{from.String()}}
	case !p.Pieces(us).Has(s):
		return &games.Refusal{Code: games.NotYourPiece, Squares: []string{from.String()}}
	}
	// A step to a free square is what it says, even where a longer way round would
	// capture and end there.
	if taken, fault := p.walk(spots); fault == nil && taken == 0 && !w.takes {
		return &games.Refusal{Code: games.CaptureCompulsory, Squares: l.origins(), Moves: l.texts}
	}
	if p.beginsCapture(spots) {
		return &games.Refusal{Code: games.Majority, Squares: l.origins(), Moves: l.texts}
	}
	if _, fault := p.walk(spots); fault != nil {
		return fault
	}
	// What walks without a fault and takes nothing has only the wrong sign.
	return fault(games.CannotMoveSo, from, spots[len(spots)-1])
}

// beginsCapture says whether the squares are a capture by the piece on the
// first, or the beginning of one, that another law than the majority allows.
func (p Position) beginsCapture(spots []spot) bool {
	squares := make([]Square, len(spots))
	for i, s := range spots {
		if squares[i] = s.square(); squares[i] == NoSquare {
			return false
		}
	}
	paths := []Path{}
	g := generator{opponents: p.opponent, targets: p.opponent, paths: &paths, mode: everyPrefix, goal: squares[len(squares)-1]}
	if p.kings.Has(squares[0]) {
		g.king(squares[0], p.Empty())
	} else {
		g.man(squares[0], p.Empty(), 0)
	}
	for i := range paths {
		if within(squares, paths[i].walked()) {
			return true
		}
	}
	return false
}

// walk goes from square to square with the piece on the first, which must be
// the mover's, and says what it takes, or what stops it. It asks for no more
// than that the piece moves so: nothing taken is a quiet move.
func (p Position) walk(spots []spot) (taken Bitboard, fault *games.Refusal) {
	king := p.kings.Has(spots[0].square())
	for i := range spots[1:] {
		leg := leg{position: p, origin: spots[0], from: spots[i], to: spots[i+1], taken: taken, alone: len(spots) == 2}
		victims, fault := leg.check(king)
		if fault != nil {
			return 0, fault
		}
		taken |= victims
	}
	return taken, nil
}

// leg is the part of a move between two of its squares.
type leg struct {
	position         Position
	origin, from, to spot
	taken            Bitboard
	alone            bool // the move has no other leg
}

func fault(code games.Code, spots ...spot) *games.Refusal {
	r := &games.Refusal{Code: code}
	for _, s := range spots {
		r.Squares = append(r.Squares, s.String())
	}
	return r
}

func (l *leg) check(king bool) (victims Bitboard, _ *games.Refusal) {
	distance := l.from.distance(l.to)
	own := l.own()
	if to := l.to.square(); to != NoSquare && own.Has(to) {
		return 0, fault(games.OwnPiece, l.to)
	}
	if distance == 0 || !king && distance > 2 {
		return 0, fault(games.CannotMoveSo, l.from, l.to)
	}
	opponents := l.position.Pieces(l.position.Side().Other())
	previous := false // the square before bears a piece
	for s := range l.from.between(l.to) {
		sq := s.square()
		switch {
		case own.Has(sq), opponents.Has(sq) && previous:
			return 0, fault(games.PathBlocked, s)
		case (l.taken | victims).Has(sq):
			return 0, fault(games.CapturedTwice, s)
		case opponents.Has(sq):
			victims |= sq.Bit()
		}
		previous = opponents.Has(sq)
	}
	if opponents.Has(l.to.square()) {
		return 0, fault(games.PathBlocked, l.to)
	}
	if victims != 0 {
		return victims, nil
	}
	if !l.alone || !king && distance == 2 {
		return 0, fault(games.CannotMoveSo, l.from, l.to)
	}
	forward := l.to.row > l.from.row
	if !king && forward != (l.position.Side() == games.First) {
		return 0, fault(games.ManBackwards, l.from, l.to)
	}
	return 0, nil
}

// own are the pieces of the mover that stand still.
func (l *leg) own() Bitboard {
	return l.position.Pieces(l.position.Side()) &^ l.origin.square().Bit()
}
