package endings

import (
	"fmt"
	"iter"
	"math/rand/v2"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// Fault is a position whose value is not what its moves make it.
type Fault struct {
	Position draughts.Position
	// Value and Distance are what the tables say, WantValue and WantDistance what
	// follows from the positions that the moves lead to.
	Value, WantValue       int8
	Distance, WantDistance int
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s has the value %d in %d plies, and by its moves %d in %d",
		f.Position.Text(), f.Value, f.Distance, f.WantValue, f.WantDistance)
}

// Check compares the value of a position with those of the positions that its
// moves lead to, the moves as package draughts has them. If all positions pass,
// all values are right: each win and loss rests on shorter ones, and who is said
// to draw has a move that keeps the draw and none that wins. It returns nil where
// p is not covered. Moves is memory for it to use.
func Check(t Probe, p *draughts.Position, moves *draughts.MoveList) *Fault {
	value, distance, ok := t.Probe(p)
	if !ok {
		return nil
	}
	p.Legal(moves)
	best := bestOf{}
	for _, m := range *moves {
		next := p.Play(m)
		v, d, _ := t.Probe(&next)
		after := drawn
		if v != 0 {
			after = settled(d)
		}
		if after.value() != v {
			return &Fault{next, v, after.value(), d, d}
		}
		best.add(after)
	}
	want := settled(0)
	if len(*moves) > 0 {
		want = best.code()
	}
	if value != want.value() || distance != want.distance() {
		return &Fault{*p, value, want.value(), distance, want.distance()}
	}
	return nil
}

// Positions are all positions with that many pieces, of both sides, with either
// to move.
func Positions(pieces int) iter.Seq[draughts.Position] {
	return func(yield func(draughts.Position) bool) {
		for i := range all.classes[pieces] {
			c := &all.classes[pieces][i]
			for p := range c.placements() {
				for _, q := range [2]draughts.Position{p.position(games.First), p.position(games.Second)} {
					if !yield(q) {
						return
					}
				}
				if c.material == c.material.turned() {
					continue
				}
				turned := p.turned()
				for _, q := range [2]draughts.Position{turned.position(games.First), turned.position(games.Second)} {
					if !yield(q) {
						return
					}
				}
			}
		}
	}
}

// Sample is a position with that many pieces, of both sides, drawn so that all
// are as likely.
func Sample(pieces int, random *rand.Rand) draughts.Position {
	for {
		// Each position can be drawn in as many orders of its pieces as any other.
		if p, ok := draw(pieces, random); ok {
			return p.position(games.Side(random.IntN(2)))
		}
	}
}

// draw puts pieces anywhere. It is not ok where two share a square, a man stands
// where it cannot, or one side has nothing.
func draw(n int, random *rand.Rand) (pieces, bool) {
	var p pieces
	var taken draughts.Bitboard
	for range n {
		k := kind(random.IntN(int(kinds)))
		s := draughts.FromIndex(random.IntN(width))
		if taken.Has(s) || realmOf(k).squares()&s.Bit() == 0 {
			return p, false
		}
		taken |= s.Bit()
		p[k] |= s.Bit()
	}
	return p, p[whiteMan]|p[whiteKing] != 0 && p[blackMan]|p[blackKing] != 0
}

// placements are the ways to put the pieces of a class on the board.
func (c *class) placements() iter.Seq[pieces] {
	return func(yield func(pieces) bool) {
		var all [kinds][]draughts.Bitboard
		for k := range kinds {
			all[k] = setsOf(k, int(c.material[k]))
		}
		for _, a := range all[0] {
			for _, b := range all[1] {
				if a&b != 0 {
					continue
				}
				for _, c := range all[2] {
					if (a|b)&c != 0 {
						continue
					}
					for _, d := range all[3] {
						if (a|b|c)&d == 0 && !yield(pieces{a, b, c, d}) {
							return
						}
					}
				}
			}
		}
	}
}

func (p *pieces) turned() pieces {
	return pieces{turn(p[blackMan]), turn(p[blackKing]), turn(p[whiteMan]), turn(p[whiteKing])}
}

// position is always valid: men are not on their last row, and both sides have
// pieces.
func (p *pieces) position(side games.Side) draughts.Position {
	q, err := draughts.Setup{
		Men:   [2]draughts.Bitboard{p[whiteMan], p[blackMan]},
		Kings: [2]draughts.Bitboard{p[whiteKing], p[blackKing]},
		Side:  side,
	}.Position()
	if err != nil {
		panic(err) // not reached
	}
	return q
}
