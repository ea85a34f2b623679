// Package tictactoe holds the rules of tic-tac-toe: its positions as small
// values, their text, and the game at the edge that package games describes.
package tictactoe

import (
	"math/bits"

	"tabuleiro/games"
)

// Square is a square of the board: a1 = 0, b1 = 1, c1 = 2, a2 = 3 ... c3 = 8.
type Square uint8

// Mask is a set of squares, bit i for Square i.
type Mask uint16

const full Mask = 1<<9 - 1

// lines are the rows, the columns and the two diagonals.
var lines = [8]Mask{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

// Position is a valid position. The zero value is the empty board. Whose turn
// it is follows from the marks: X starts and the sides alternate.
type Position struct {
	x, o Mask
}

// Marks are the squares that s has marked.
func (p Position) Marks(s games.Side) Mask {
	if s == games.First {
		return p.x
	}
	return p.o
}

// Side is to move; on an ended board, the side that would be.
func (p Position) Side() games.Side {
	if p.x.Count() == p.o.Count() {
		return games.First
	}
	return games.Second
}

// Moves are the squares that may be marked: none once the game is over.
func (p Position) Moves() Mask {
	if hasLine(p.x) || hasLine(p.o) {
		return 0
	}
	return full &^ (p.x | p.o)
}

// Play marks sq, which must be one of Moves, for the side to move.
func (p Position) Play(sq Square) Position {
	if p.Side() == games.First {
		p.x |= 1 << sq
	} else {
		p.o |= 1 << sq
	}
	return p
}

// Winner is the side with three in a row, if there is one.
func (p Position) Winner() (s games.Side, ok bool) {
	switch {
	case hasLine(p.x):
		return games.First, true
	case hasLine(p.o):
		return games.Second, true
	}
	return games.First, false
}

// Over says that there is nothing left to play.
func (p Position) Over() bool { return p.Moves() == 0 }

// Line is a winning line of the board, empty while there is none. Where one
// mark completed two lines, it is the first of rows, columns, diagonals.
func (p Position) Line() Mask {
	for _, l := range lines {
		if p.x&l == l || p.o&l == l {
			return l
		}
	}
	return 0
}

// CanWin says whether s could still win as far as the free lines tell: some
// line bears no mark of the opponent, and s has as many marks left to place as
// that line lacks. Nobody can win a game that is over.
func (p Position) CanWin(s games.Side) bool {
	left := p.Moves().Count()
	if p.Side() == s {
		left++
	}
	left /= 2
	own, other := p.Marks(s), p.Marks(s.Other())
	for _, l := range lines {
		if lacks := (l &^ own).Count(); l&other == 0 && lacks > 0 && lacks <= left {
			return true
		}
	}
	return false
}

// Perft counts the ways to play depth plies from p; a game that ended earlier
// counts for none.
func Perft(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	moves := p.Moves()
	if depth == 1 {
		return uint64(moves.Count())
	}
	var n uint64
	for m := moves; m != 0; m = m.Rest() {
		n += Perft(p.Play(m.First()), depth-1)
	}
	return n
}

// Count is the number of squares in m.
func (m Mask) Count() int { return bits.OnesCount16(uint16(m)) }

// First is the lowest square of m, which must not be empty.
func (m Mask) First() Square { return Square(bits.TrailingZeros16(uint16(m))) }

// Rest is m without its lowest square.
func (m Mask) Rest() Mask { return m & (m - 1) }

// Has says whether sq is in m.
func (m Mask) Has(sq Square) bool { return m>>sq&1 != 0 }

func hasLine(m Mask) bool {
	for _, l := range lines {
		if m&l == l {
			return true
		}
	}
	return false
}
