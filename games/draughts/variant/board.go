package variant

import (
	"math/bits"
	"strconv"
)

// Square is a dark square. The numbers run from the first side's left by rows,
// with one number left out for every two rows, so that each diagonal step adds
// the same: on the Brazilian board they are those of package draughts.
type Square uint8

// NoSquare is no square at all.
const NoSquare Square = 255

const (
	// maxSize is the largest board, maxSquares bounds its squares' numbers.
	maxSize    = 12
	maxSquares = maxSize / 2 * (maxSize + 1)
	// maxTaken is the most pieces that one move can take: all that a side has.
	maxTaken = 30
)

// Set is a set of squares.
type Set [2]uint64

// Has says whether s is in b.
func (b Set) Has(s Square) bool { return b[s>>6&1]>>(s&63)&1 != 0 }

func (b *Set) add(s Square)    { b[s>>6&1] |= 1 << (s & 63) }
func (b *Set) remove(s Square) { b[s>>6&1] &^= 1 << (s & 63) }

func (b Set) or(c Set) Set     { return Set{b[0] | c[0], b[1] | c[1]} }
func (b Set) and(c Set) Set    { return Set{b[0] & c[0], b[1] & c[1]} }
func (b Set) andNot(c Set) Set { return Set{b[0] &^ c[0], b[1] &^ c[1]} }

// Count is the number of squares in b.
func (b Set) Count() int { return bits.OnesCount64(b[0]) + bits.OnesCount64(b[1]) }

// Empty says whether there is none.
func (b Set) Empty() bool { return b == Set{} }

// First is the lowest square of b; NoSquare where b is empty.
func (b Set) First() Square {
	switch {
	case b[0] != 0:
		return Square(bits.TrailingZeros64(b[0]))
	case b[1] != 0:
		return Square(64 + bits.TrailingZeros64(b[1]))
	}
	return NoSquare
}

// Rest is b without its lowest square.
func (b Set) Rest() Set {
	if b[0] != 0 {
		return Set{b[0] & (b[0] - 1), b[1]}
	}
	return Set{0, b[1] & (b[1] - 1)}
}

// direction is one of the four diagonal ways; the first two lead up, away from
// the first side.
type direction uint8

const (
	northWest direction = iota
	northEast
	southEast
	southWest
)

// geometry is a board: which squares there are, and what lies next to each.
type geometry struct {
	size  int
	shift int // 1 where the dark squares of row 1 are b1, d1, ...
	all   Set
	next  [4][maxSquares]Square
}

func newGeometry(size int, darkRight bool) geometry {
	g := geometry{size: size}
	if darkRight {
		g.shift = 1
	}
	for row := range size {
		for file := range size {
			s := g.at(file, row)
			if s == NoSquare {
				continue
			}
			g.all.add(s)
			g.next[northWest][s] = g.at(file-1, row+1)
			g.next[northEast][s] = g.at(file+1, row+1)
			g.next[southEast][s] = g.at(file+1, row-1)
			g.next[southWest][s] = g.at(file-1, row-1)
		}
	}
	return g
}

// at is the square of a file and a row, both from 0; NoSquare where they name a
// light square or none.
func (g *geometry) at(file, row int) Square {
	if file < 0 || file >= g.size || row < 0 || row >= g.size || (file+row)%2 != g.shift {
		return NoSquare
	}
	first := row / 2 * (g.size + 1)
	if row%2 == 1 {
		// The number left out lies before these rows, or behind them.
		first += g.size/2 + 1 - g.shift
	}
	return Square(first + file/2)
}

// place is the file and the row of a square.
func (g *geometry) place(s Square) (file, row int) {
	pair, n := int(s)/(g.size+1), int(s)%(g.size+1)
	if n < g.size/2 {
		return 2*n + g.shift, 2 * pair
	}
	return 2*(n-g.size/2-1+g.shift) + 1 - g.shift, 2*pair + 1
}

// name is the algebraic name: a1 to l12.
func (g *geometry) name(s Square) string {
	file, row := g.place(s)
	return string(rune('a'+file)) + strconv.Itoa(row+1)
}

// row are the squares of a row.
func (g *geometry) row(row int) Set {
	var out Set
	for file := range g.size {
		if s := g.at(file, row); s != NoSquare {
			out.add(s)
		}
	}
	return out
}
