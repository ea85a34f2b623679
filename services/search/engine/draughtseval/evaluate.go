package draughtseval

import (
	_ "embed"
	"encoding/binary"
	"fmt"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// The factors behind those of the patterns, by their place among the weights.
const (
	factorMan = shapes*regionSize + iota
	factorKing
	factorFurtherKing
	factorKingReach
	factorTurn
	factorExposed
	factorKingSquare
	// NumFactors is the number of weights, each of two values.
	NumFactors = factorKingSquare + 32
)

const (
	// Scale is how many units of a weight are a centipawn.
	Scale = 8
	// allPieces is the number of pieces at the start: there the first value of a
	// weight counts alone, and on an empty board the second.
	allPieces = 24
	// stride is from one region's table to the next: a power of two, so that no
	// index needs a check.
	stride = 1 << 13
	// maxPattern bounds a pattern's weight so that sums of all lanes fit in 16
	// bits.
	maxPattern = 1<<15/lanes - 1
)

// weights.bin holds what the tuner found: for each factor its two values as
// little-endian 16-bit numbers.
//
//go:embed weights.bin
var tuned []byte

var weights = mustParse(tuned)

// Weights are those of all factors as the evaluation reads them: both values of
// a pattern in one number, to be added up at once.
type Weights struct {
	patterns [shapes * stride]int32
	others   [NumFactors - factorMan][2]int32
}

// Parse reads what Bytes wrote.
func Parse(data []byte) (*Weights, error) {
	if len(data) != NumFactors*4 {
		return nil, fmt.Errorf("weights of draughts have %d bytes, not %d", NumFactors*4, len(data))
	}
	w := new(Weights)
	for i := range NumFactors {
		full := int32(int16(binary.LittleEndian.Uint16(data[4*i:])))
		empty := int32(int16(binary.LittleEndian.Uint16(data[4*i+2:])))
		if i >= factorMan {
			w.others[i-factorMan] = [2]int32{full, empty}
			continue
		}
		if max(full, empty) > maxPattern || min(full, empty) < -maxPattern {
			return nil, fmt.Errorf("weight %d of draughts is %d and %d, beyond %d", i, full, empty, maxPattern)
		}
		w.patterns[i/regionSize*stride+i%regionSize] = full<<16 + empty
	}
	return w, nil
}

// mustParse reads the embedded weights, which a test has read as well.
func mustParse(data []byte) *Weights {
	w, err := Parse(data)
	if err != nil {
		panic(err)
	}
	return w
}

// Evaluate is the value of a position for its side to move in centipawns, by
// the embedded weights. The patterns must be those of p.
func Evaluate(p *draughts.Position, t *Patterns) int { return weights.Evaluate(p, t) }

// Evaluate is the value of a position by these weights.
func (w *Weights) Evaluate(p *draughts.Position, t *Patterns) int {
	v := &w.patterns
	a, b, c := t[0], t[1], t[2]
	sum := v[a%stride] - v[a>>16%stride] +
		v[stride+a>>32%stride] - v[stride+a>>48%stride] +
		v[2*stride+b%stride] - v[2*stride+b>>16%stride] +
		v[3*stride+b>>32%stride] - v[3*stride+b>>48%stride] +
		v[4*stride+c%stride] - v[4*stride+c>>16%stride] +
		v[5*stride+c>>32%stride] + v[6*stride+c>>48%stride]
	empty := int32(int16(sum))
	full := (sum - empty) >> 16

	men := [2]int32{int32(p.Men(games.First).Count()), int32(p.Men(games.Second).Count())}
	n := men[0] - men[1]
	pieces := men[0] + men[1]
	full += n * w.others[0][0]
	empty += n * w.others[0][1]
	if kings := p.Occupied() &^ (p.Men(games.First) | p.Men(games.Second)); kings != 0 {
		f, e, k := w.kings(p)
		full += f
		empty += e
		pieces += k
	}
	turn := &w.others[factorTurn-factorMan]
	exposed := &w.others[factorExposed-factorMan]
	own := int32(p.Exposed().Count())
	if p.Side() == games.Second {
		full, empty = -full, -empty
	}
	full += turn[0] + own*exposed[0]
	empty += turn[1] + own*exposed[1]
	return int((full*pieces + empty*(allPieces-pieces)) / (allPieces * Scale))
}

// kings is what kings are worth to White, and their number.
func (w *Weights) kings(p *draughts.Position) (full, empty, count int32) {
	sign := int32(1)
	for _, side := range [2]games.Side{games.First, games.Second} {
		kings := p.Kings(side)
		if kings != 0 {
			n := int32(kings.Count())
			count += n
			add := func(factor int, times int32) {
				full += sign * times * w.others[factor-factorMan][0]
				empty += sign * times * w.others[factor-factorMan][1]
			}
			add(factorKing, 1)
			add(factorFurtherKing, n-1)
			add(factorKingReach, int32(p.Reach(side).Count()))
			for ; kings != 0; kings = kings.Rest() {
				add(factorKingSquare+turned(kings.First(), side).Index(), 1)
			}
		}
		sign = -1
	}
	return full, empty, count
}

// turned is a square as its side sees it.
func turned(s draughts.Square, side games.Side) draughts.Square {
	if side == games.Second {
		return draughts.NumSquares - 1 - s
	}
	return s
}

// Factor is one that a position has, and how often White has it more than
// Black.
type Factor struct {
	Index int
	Times int
}

// Factors appends those of a position: the sum of Times and weights is the
// value of Evaluate for White.
func Factors(p *draughts.Position, into []Factor) []Factor {
	t := PatternsOf(p)
	lane := 0
	for i, region := range regions {
		into = append(into, Factor{i*regionSize + t.lane(lane), 1})
		lane++
		if !region.self {
			into = append(into, Factor{i*regionSize + t.lane(lane), -1})
			lane++
		}
	}
	add := func(factor int, times int) {
		if times != 0 {
			into = append(into, Factor{factor, times})
		}
	}
	sign := 1
	for _, side := range [2]games.Side{games.First, games.Second} {
		add(factorMan, sign*p.Men(side).Count())
		if kings := p.Kings(side); kings != 0 {
			add(factorKing, sign)
			add(factorFurtherKing, sign*(kings.Count()-1))
			add(factorKingReach, sign*p.Reach(side).Count())
			for ; kings != 0; kings = kings.Rest() {
				add(factorKingSquare+turned(kings.First(), side).Index(), sign)
			}
		}
		sign = -1
	}
	if p.Side() == games.Second {
		sign = -1
	} else {
		sign = 1
	}
	add(factorTurn, sign)
	add(factorExposed, sign*p.Exposed().Count())
	return into
}

// Tied tells which weight stands for another, and with which sign: a region
// that the turned board has in the same place must give both sides the same.
func Tied(index int) (to, sign int) {
	if index >= factorMan || !regions[index/regionSize].self {
		return index, 1
	}
	r := &regions[index/regionSize]
	content, other := index%regionSize, 0
	for i, c := 0, content; i < len(r.squares); i++ {
		digit := c % 3
		c /= 3
		turned := draughts.NumSquares - 1 - r.squares[i]
		power := 1
		for _, s := range r.squares {
			if s == turned {
				other += power * [3]int{0, 2, 1}[digit]
			}
			power *= 3
		}
	}
	switch base := index - content; {
	case other < content:
		return base + other, -1
	case other == content:
		return index, 0
	}
	return index, 1
}

// Bytes are weights as the evaluation embeds them, from values in units of a
// centipawn's Scale-th part.
func Bytes(values [][2]float64) []byte {
	out := make([]byte, 0, 4*NumFactors)
	for i := range NumFactors {
		to, sign := Tied(i)
		for _, v := range values[to] {
			limit := 30000.0
			if i < factorMan {
				limit = maxPattern
			}
			v = min(max(v*float64(sign), -limit), limit)
			n := int16(v + 0.5)
			if v < 0 {
				n = -int16(-v + 0.5)
			}
			out = binary.LittleEndian.AppendUint16(out, uint16(n))
		}
	}
	return out
}

// Damp takes most of a value's weight where who is ahead has at most three
// pieces against a king: two never win against it by force, three not while it
// keeps the main diagonal.
func Damp(p *draughts.Position, value int) int {
	strong := p.Side()
	if value < 0 {
		strong = strong.Other()
	}
	kings := p.Kings(strong.Other())
	if kings == 0 {
		return value
	}
	switch n := p.Pieces(strong).Count(); {
	case n <= 2, n == 3 && kings&mainDiagonal != 0:
		return value / 8
	}
	return value
}

// Full is the share of the first of each weight's two values in a position.
func Full(p *draughts.Position) float64 { return float64(p.Occupied().Count()) / allPieces }

// Start are weights to begin tuning from: pieces alone, a king worth three men.
func Start() [][2]float64 {
	w := make([][2]float64, NumFactors)
	w[factorMan] = [2]float64{100 * Scale, 100 * Scale}
	w[factorKing] = [2]float64{300 * Scale, 300 * Scale}
	w[factorFurtherKing] = w[factorKing]
	return w
}
