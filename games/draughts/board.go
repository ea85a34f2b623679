// Package draughts holds the rules of Brazilian draughts (8x8, flying kings,
// the law of the majority): positions and moves as small values for those that
// play millions of them, their text, and the game at the edge that package
// games describes.
package draughts

import "math/bits"

// Square is a dark square, numbered from a1 upwards by rows with one unused
// number after every odd row: a1..g1 are 0-3, b2..h2 are 5-8, a3..g3 are 9-12
// and so on to h8 = 35. The gaps make every diagonal step the same addition
// wherever it starts, and a step off the board lands in a gap.
type Square uint8

// NumSquares bounds the numbers of squares, for tables indexed by Square.
const NumSquares = 36

// NoSquare is no square at all.
const NoSquare Square = 255

// Bitboard is a set of squares, bit i for Square i.
type Bitboard uint64

const (
	row1  Bitboard = 0xF
	row8  Bitboard = 0xF << 32
	board Bitboard = 0xF | 0xFF<<5 | 0xFF<<14 | 0xFF<<23 | row8
	// edge is where a piece cannot be taken.
	edge Bitboard = row1 | row8 | 1<<9 | 1<<18 | 1<<27 | 1<<8 | 1<<17 | 1<<26
	// mainDiagonal is a1-h8, every fifth square.
	mainDiagonal Bitboard = 1 | 1<<5 | 1<<10 | 1<<15 | 1<<20 | 1<<25 | 1<<30 | 1<<35
)

// direction is one of the four diagonal ways; d^2 is the opposite one, d^1 and
// d^3 are those across.
type direction uint8

const (
	northWest direction = iota // +4
	northEast                  // +5
	southEast                  // -4
	southWest                  // -5
)

// At makes the Square of a file and a row, both from 0; NoSquare where they
// name a light square or none.
func At(file, row int) Square {
	if file < 0 || file > 7 || row < 0 || row > 7 || (file+row)%2 != 0 {
		return NoSquare
	}
	return FromIndex(row*4 + file/2)
}

// FromIndex makes the Square of a number from 0 (a1) to 31 (h8) without gaps.
func FromIndex(i int) Square { return Square(i + (i+4)/8) }

// Index counts the dark squares from a1 = 0 to h8 = 31 without gaps.
func (s Square) Index() int { return int(s) - (int(s)+5)/9 }

// File is 0 for a to 7 for h.
func (s Square) File() int {
	i := s.Index()
	return i%4*2 + i/4%2
}

// Row is 0 for row 1 to 7 for row 8.
func (s Square) Row() int { return s.Index() / 4 }

// String is the algebraic name.
func (s Square) String() string {
	if s >= NumSquares {
		return "-"
	}
	return string([]byte{'a' + byte(s.File()), '1' + byte(s.Row())})
}

// Bit is the set of s alone.
func (s Square) Bit() Bitboard { return 1 << (s & 63) }

// Count is the number of squares in b.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First is the lowest square of b, which must not be empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Rest is b without its lowest square.
func (b Bitboard) Rest() Bitboard { return b & (b - 1) }

// Has says whether s is in b.
func (b Bitboard) Has(s Square) bool { return b&s.Bit() != 0 }

// step moves every square of b by one in direction d; what leaves the board
// leaves the set only once masked with the board or a part of it.
func (b Bitboard) step(d direction) Bitboard {
	switch d {
	case northWest:
		return b << 4
	case northEast:
		return b << 5
	case southEast:
		return b >> 4
	default:
		return b >> 5
	}
}

// rays are the squares that a king on an empty board reaches, by direction.
var rays = makeRays()

func makeRays() (r [4][NumSquares]Bitboard) {
	for d := range direction(4) {
		for all := board; all != 0; all = all.Rest() {
			s := all.First()
			for b := s.Bit().step(d) & board; b != 0; b = b.step(d) & board {
				r[d][s] |= b
			}
		}
	}
	return r
}

// nearest is the square of set, taken from the ray in direction d, that the
// king meets first; empty if set is.
func nearest(d direction, set Bitboard) Bitboard {
	if d < southEast {
		return set & -set
	}
	if set == 0 {
		return 0
	}
	return 1 << (63 - bits.LeadingZeros64(uint64(set)))
}

// before is the part of ray (direction d) that lies before the first square of
// blockers, a subset of it.
func before(d direction, ray, blockers Bitboard) Bitboard {
	if d < southEast {
		return ray & (blockers&-blockers - 1)
	}
	return ray & (^Bitboard(0) << bits.Len64(uint64(blockers)))
}
