package chesseval

import (
	"math/bits"

	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// full is the factor of an ending that is worth what it says.
const full = 64

// dead is the factor below which an ending is all but drawn.
const dead = 16

func last(set chess.Bitboard) chess.Square {
	return chess.Square(63-bits.LeadingZeros64(uint64(set))) & 63
}

// scale is how much of the ending's value the stronger side can hope for, of
// full.
func (w *work) scale(strong games.Side) int {
	weak := strong ^ 1
	pawns := w.pawns[strong]
	own := w.worth(strong)
	their := w.worth(weak)
	if pawns == 0 && own-their <= 3 {
		// Without pawns a minor piece more seldom wins.
		if own < 5 {
			return 0
		}
		if their <= 3 {
			return 14
		}
		return 10
	}
	if pawns == 0 && w.bishops[strong] == 0 && w.rooks[strong]|w.queens[strong] == 0 && their == 0 && w.knights[strong].Count() == 2 && w.pawns[weak] == 0 {
		return 0
	}
	if w.wrongBishop(strong) {
		return 0
	}
	if w.bishops[white].Count() == 1 && w.bishops[black].Count() == 1 &&
		(w.bishops[white]|w.bishops[black])&darkSquares != 0 && (w.bishops[white]|w.bishops[black])&^darkSquares != 0 {
		if own == 3 && their == 3 {
			return min(16+6*(w.pawn.passed&pawns).Count()+2*pawns.Count(), full)
		}
		return min(40+3*pawns.Count(), full)
	}
	return min(40+8*pawns.Count(), full)
}

// worth is the pieces of a side in pawns.
func (w *work) worth(side games.Side) int {
	return 3*(w.knights[side]|w.bishops[side]).Count() + 5*w.rooks[side].Count() + 9*w.queens[side].Count()
}

// wrongBishop tells whether only rook's pawns are left with at most a bishop
// that does not hold their last square, which the weaker king reaches.
func (w *work) wrongBishop(strong games.Side) bool {
	weak := strong ^ 1
	pawns := w.pawns[strong]
	if pawns == 0 || w.knights[strong]|w.rooks[strong]|w.queens[strong] != 0 || w.pawns[weak] != 0 || w.worth(weak) != 0 {
		return false
	}
	if pawns&^fileA != 0 && pawns&^fileH != 0 {
		return false
	}
	corner := chess.At(pawns.First().File(), 7*int(weak))
	if w.bishops[strong] != 0 {
		light := darkSquares>>corner&1 == 0
		if holds := w.bishops[strong]&^darkSquares != 0; holds == light || w.bishops[strong].Count() > 1 {
			return false
		}
	}
	return tables.distance[w.king[weak]][corner] <= 1
}

// driving is for White what a bare king at the edge and the other near it are
// worth, where one side can mate without pawns.
func (w *work) driving() int {
	for side := range games.Side(2) {
		if w.of[side^1]&(w.of[side^1]-1) != 0 {
			continue
		}
		heavy := w.rooks[side]|w.queens[side] != 0
		pair := w.bishops[side]&darkSquares != 0 && w.bishops[side]&^darkSquares != 0
		mixed := w.bishops[side] != 0 && w.knights[side] != 0
		if !heavy && !pair && !mixed {
			continue
		}
		own, bare := w.king[side], w.king[side^1]
		out := func(x int) int { return max(3-x, x-4) }
		value := 1000 + 20*(out(bare.File())+out(bare.Rank())) - 12*int(tables.distance[own][bare])
		if mixed && !heavy && !pair {
			// The corner must be of the bishop's colour.
			a, b := chess.At(0, 0), chess.At(7, 7)
			if w.bishops[side]&darkSquares == 0 {
				a, b = chess.At(7, 0), chess.At(0, 7)
			}
			value -= 30 * int(min(tables.distance[bare][a], tables.distance[bare][b]))
		}
		if side == black {
			return -value
		}
		return value
	}
	return 0
}
