package draughtseval

import (
	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

const (
	// regionSize is the number of contents of a region.
	regionSize = 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3
	// lanes is the number of regions.
	lanes = 12
	// shapes is the number of regions that are not others turned round.
	shapes = 7
)

// Patterns are the contents of all regions of a position, as numbers in lanes
// of 16 bits.
type Patterns [lanes / 4]uint64

// shape is a region as White reads it, and whether the turned board has it in
// the same place; if not, Black's lane follows White's.
type shape struct {
	squares [8]draughts.Square
	self    bool
}

// regions are the shapes in the order of their tables. The first five have two
// lanes each, the last two one.
var regions = makeRegions()

func makeRegions() (out [shapes]shape) {
	block := func(row, file, rows, files int) (s [8]draughts.Square) {
		n := 0
		for r := row; r < row+rows; r++ {
			for f := file; f < file+files; f++ {
				if q := draughts.At(f, r); q != draughts.NoSquare {
					s[n] = q
					n++
				}
			}
		}
		return s
	}
	for i, corner := range [4][2]int{{0, 0}, {0, 2}, {0, 4}, {2, 0}} {
		out[i] = shape{block(corner[0], corner[1], 4, 4), false}
	}
	out[4] = shape{block(0, 0, 2, 8), false}
	out[5] = shape{block(2, 2, 4, 4), true}
	out[6] = shape{block(3, 0, 2, 8), true}
	return out
}

// deltas are what a man on a square adds to the patterns, by side and square.
// There are more numbers than squares, so that any six bits are an index.
var deltas = makeDeltas()

func makeDeltas() (out [2][64]Patterns) {
	add := func(lane int, side games.Side, s draughts.Square, n uint64) {
		out[side][s][lane/4] += n << (lane % 4 * 16)
	}
	lane := 0
	for _, region := range regions {
		power := uint64(1)
		for _, s := range region.squares {
			add(lane, games.First, s, power)
			add(lane, games.Second, s, 2*power)
			if !region.self {
				turned := draughts.NumSquares - 1 - s
				add(lane+1, games.Second, turned, power)
				add(lane+1, games.First, turned, 2*power)
			}
			power *= 3
		}
		lane++
		if !region.self {
			lane++
		}
	}
	return out
}

// PatternsOf reads a position.
func PatternsOf(p *draughts.Position) (t Patterns) {
	for _, side := range [2]games.Side{games.First, games.Second} {
		for men := p.Men(side); men != 0; men = men.Rest() {
			t.add(side, men.First())
		}
	}
	return t
}

// Play changes the patterns of p to those after m, a legal move.
func (t *Patterns) Play(p *draughts.Position, m draughts.Move) {
	us := p.Side()
	if !p.Kings(us).Has(m.From) {
		t.remove(us, m.From)
		if !m.Promotes {
			t.add(us, m.To)
		}
	}
	if m.Captured != 0 {
		them := us.Other()
		for taken := m.Captured & p.Men(them); taken != 0; taken = taken.Rest() {
			t.remove(them, taken.First())
		}
	}
}

func (t *Patterns) add(side games.Side, s draughts.Square) {
	d := &deltas[side&1][s&63]
	t[0] += d[0]
	t[1] += d[1]
	t[2] += d[2]
}

func (t *Patterns) remove(side games.Side, s draughts.Square) {
	d := &deltas[side&1][s&63]
	t[0] -= d[0]
	t[1] -= d[1]
	t[2] -= d[2]
}

// lane is the number in the i-th lane.
func (t *Patterns) lane(i int) int { return int(t[i/4] >> (i % 4 * 16) & 0xFFFF) }
