package endings

import (
	"math/bits"

	"tabuleiro/games/draughts"
)

// choose are the binomial coefficients of up to width things.
var choose = makeChoose()

func makeChoose() (c [width + 1][MaxPieces + 1]uint32) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= MaxPieces && n > 0; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}

// realm are the squares where a kind of piece may stand.
type realm struct{ first, count int }

func realmOf(k kind) realm {
	switch k {
	case whiteMan:
		return realm{0, width - 4}
	case blackMan:
		return realm{4, width - 4}
	}
	return realm{0, width}
}

func (r realm) squares() draughts.Bitboard {
	var b draughts.Bitboard
	for i := range r.count {
		b |= draughts.FromIndex(r.first + i).Bit()
	}
	return b
}

// sets is the number of sets of n squares of the realm of k.
func sets(k kind, n int) uint32 { return choose[realmOf(k).count][n] }

// terms are what the i-th square of a set, from 0 in rising order, adds to its
// rank: for kinds that start at a1, and for black men.
var terms = makeTerms()

func makeTerms() (t [2][MaxPieces][draughts.NumSquares]uint32) {
	for from, k := range [2]kind{whiteKing, blackMan} {
		r := realmOf(k)
		for i := range MaxPieces {
			for s := r.first; s < r.first+r.count; s++ {
				t[from][i][draughts.FromIndex(s)] = choose[s-r.first][i+1]
			}
		}
	}
	return t
}

// rank is the number of a set of squares among those of as many of kind k.
func rank(k kind, b draughts.Bitboard) uint32 {
	t := &terms[0]
	if k == blackMan {
		t = &terms[1]
	}
	r := uint32(0)
	for i := 0; b != 0; b = b.Rest() {
		r += t[i][b.First()]
		i++
	}
	return r
}

// ranking is the numbering of the sets of n squares of a kind, as tables.
type ranking struct {
	sets []draughts.Bitboard
	// with is the rank of the set that a square completes, by the rank of the
	// others and the square.
	with [][draughts.NumSquares]uint32
}

func newRanking(k kind, n int) ranking {
	r := ranking{sets: setsOf(k, n)}
	if n == 0 {
		return r
	}
	realm := realmOf(k).squares()
	others := setsOf(k, n-1)
	r.with = make([][draughts.NumSquares]uint32, len(others))
	for i, set := range others {
		for b := realm &^ set; b != 0; b = b.Rest() {
			r.with[i][b.First()] = rank(k, set|b.First().Bit())
		}
	}
	return r
}

// setsOf are the sets of n squares of the realm of k by rank.
func setsOf(k kind, n int) []draughts.Bitboard {
	r := realmOf(k)
	out := make([]draughts.Bitboard, sets(k, n))
	if n == 0 {
		return out
	}
	// The next number with as many bits: the order of ranks.
	for i, x := 0, uint64(1)<<n-1; i < len(out); i++ {
		for rest := x; rest != 0; rest &= rest - 1 {
			out[i] |= draughts.FromIndex(r.first + bits.TrailingZeros64(rest)).Bit()
		}
		low := x & -x
		high := x + low
		x = high | (x^high)/low>>2
	}
	return out
}

// turn is a set of squares on the board turned round.
func turn(b draughts.Bitboard) draughts.Bitboard {
	return draughts.Bitboard(bits.Reverse64(uint64(b)) >> (64 - draughts.NumSquares))
}
