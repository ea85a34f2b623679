package draughtseval

import (
	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// The constants of the founding program. It counts pieces in men and all else
// in hundredths of one, as its worth of a captured man, 100, tells.
const (
	f2Hundredths = 100
	f2Man        = 1
	f2King       = 3
	f2TakenMan   = 100
	f2TakenKing  = 10000
	f2Square     = 10 // f4, c5 and the guard on e1
	f2Advance    = 5  // each of a1 and h2, once left
	f2Exposed    = 5  // each man that can be taken
	f2Diagonal   = 10 // a king on its diagonal; the source gives no number
)

// Phases by the number of pieces on the board. The source gives 18 or more,
// 14-18, 10-14 and 10 or fewer; where bounds meet, the number of pieces is of
// the phase with more pieces, but 10 is of the ending.
const (
	f2Opening   = 18
	f2Middle    = 14
	f2PreEnding = 11
)

var (
	f2Squares = makeF2Squares()

	squareA1, squareH2 = draughts.At(0, 0), draughts.At(7, 1)
	mainDiagonal       = diagonal(0, 0)
	// doubleDiagonal are the two beside the corners without dark squares.
	doubleDiagonal = diagonal(6, 0) | diagonal(7, 1)
)

// makeF2Squares are the values of squares for White's men. Those of f4, c5 and
// e1 are the source's. Its table of the others is lost: they are ours, a little
// more for each row, and for the centre.
func makeF2Squares() (out [draughts.NumSquares]int) {
	for i := range 32 {
		s := draughts.FromIndex(i)
		out[s] = [8]int{0, 0, 1, 2, 3, 5, 8, 0}[s.Row()] + min(s.File(), 7-s.File(), 2)
	}
	for _, s := range []draughts.Square{draughts.At(5, 3), draughts.At(2, 4), draughts.At(4, 0)} {
		out[s] += f2Square
	}
	return out
}

// diagonal are the dark squares from an edge's square along the board: upwards
// right from the left edge, upwards left from elsewhere.
func diagonal(file, row int) (b draughts.Bitboard) {
	step := 1
	if file > 0 {
		step = -1
	}
	for s := draughts.At(file, row); s != draughts.NoSquare; s = draughts.At(file, row) {
		b |= s.Bit()
		file += step
		row++
	}
	return b
}

// F2 is the value of a position for its side to move as the Brazilian draughts
// program of 2002 had it: in four phases by the number of pieces,
//
//	opening     Q*Pe + PeCa + max(T) - Su
//	middle      Q*Pe + PeCa + max(T) + AvAt
//	pre-ending  Q*Pe + PeCa + max(T) + AvAt - Su
//	ending      the same
//
// with Q pieces of worth Pe, values of squares PeCa, T for what the side to
// move takes at once, AvAt for men that left a1 and h2, Su for men that can be
// taken. A lone king keeps the main diagonal, two kings the double diagonal.
func F2(p *draughts.Position) int {
	pieces := p.Occupied().Count()
	us := p.Side()
	value := f2Side(p, us, pieces) - f2Side(p, us.Other(), pieces)
	if pieces >= f2Opening || pieces < f2Middle {
		value -= f2Exposed * (p.Exposed() & p.Men(us)).Count()
	}
	return value + f2Taken(p)
}

// f2Side is what a side has without what it takes or loses at once.
func f2Side(p *draughts.Position, side games.Side, pieces int) int {
	men, kings := p.Men(side), p.Kings(side)
	value := f2Hundredths * (f2Man*men.Count() + f2King*kings.Count())
	for b := men; b != 0; b = b.Rest() {
		value += f2Squares[turned(b.First(), side)]
	}
	if pieces < f2Opening {
		for _, s := range [2]draughts.Square{squareA1, squareH2} {
			if !men.Has(turned(s, side)) {
				value += f2Advance
			}
		}
	}
	if kings != 0 && pieces < f2PreEnding {
		switch kings.Count() {
		case 1:
			value += f2Diagonal * (kings & mainDiagonal).Count()
		case 2:
			value += f2Diagonal * (kings & doubleDiagonal).Count()
		}
	}
	return value
}

// f2Taken is the most that the side to move takes at once.
func f2Taken(p *draughts.Position) int {
	if !p.MustCapture() {
		return 0
	}
	var list draughts.MoveList
	p.Legal(&list)
	kings := p.Kings(p.Side().Other())
	best := 0
	for _, m := range list {
		taken := (m.Captured & kings).Count()
		best = max(best, f2TakenKing*taken+f2TakenMan*(m.Captured.Count()-taken))
	}
	return min(best, f2TakenKing)
}
