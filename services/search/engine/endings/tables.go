package endings

import (
	"fmt"
	"sync/atomic"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// Probe knows values of positions. The value is that of the side to move: 1 where
// it wins, -1 where it loses, 0 where neither can force anything. The distance is
// the number of plies to the end of a win or loss, even for losses, odd for wins,
// and 0 for draws. It is not ok where the position is not covered.
type Probe interface {
	Probe(p *draughts.Position) (value int8, distance int, ok bool)
}

// Tables are the tables that there are so far. They are safe for concurrent use,
// and the zero value covers nothing.
type Tables struct{ view atomic.Pointer[view] }

var _ Probe = (*Tables)(nil)

// Add gives the finished tables of exactly that many pieces, Size bytes of them,
// which may not change any more.
func (t *Tables) Add(pieces int, data []byte) error {
	if pieces < MinPieces || pieces > MaxPieces || len(data) != Size(pieces) {
		return fmt.Errorf("%d bytes are no tables of %d pieces", len(data), pieces)
	}
	for {
		old := t.view.Load()
		next := view{}
		if old != nil {
			next = *old
		}
		next[pieces] = data
		if t.view.CompareAndSwap(old, &next) {
			return nil
		}
	}
}

// Pieces is the most pieces up to which everything is covered; 0 where nothing is.
func (t *Tables) Pieces() int {
	v := t.view.Load()
	if v == nil || v[MinPieces] == nil {
		return 0
	}
	n := MinPieces
	for n < MaxPieces && v[n+1] != nil {
		n++
	}
	return n
}

// Probe reads the value of a position.
func (t *Tables) Probe(p *draughts.Position) (value int8, distance int, ok bool) {
	v := t.view.Load()
	if v == nil || p.Occupied().Count() > MaxPieces {
		return 0, 0, false
	}
	us := p.Side()
	switch {
	case p.Pieces(us) == 0:
		return -1, 0, true
	case p.Pieces(us.Other()) == 0: // no Position is such
		return 0, 0, false
	}
	c, ok := v.code(&pieces{
		p.Men(games.First), p.Kings(games.First), p.Men(games.Second), p.Kings(games.Second),
	}, us)
	if !ok {
		return 0, 0, false
	}
	return c.value(), c.distance(), true
}

// pieces are the squares of all pieces by kind.
type pieces [kinds]draughts.Bitboard

// code is a value as it is stored.
type code uint8

// drawn is the value that memory begins with.
const drawn code = 0

// maxDistance is the longest distance that a code holds.
const maxDistance = 254

// settled is the code of a win or loss in a number of plies.
func settled(distance int) code { return code(distance + 1) }

func (c code) value() int8 {
	switch {
	case c == drawn:
		return 0
	case c%2 == 0:
		return 1
	}
	return -1
}

// distance is 0 for draws.
func (c code) distance() int { return max(int(c)-1, 0) }

// view is the bytes of the tables by number of pieces.
type view [MaxPieces + 1][]byte

// code looks a position up in which both sides have pieces.
func (v *view) code(b *pieces, side games.Side) (code, bool) {
	m := material{
		uint8(b[0].Count()), uint8(b[1].Count()), uint8(b[2].Count()), uint8(b[3].Count()),
	}
	n := m.white() + m.black()
	if n > MaxPieces || v[n] == nil {
		return drawn, false
	}
	return v.codeOf(m, b, side), true
}

// codeOf is code where there are tables and the material is known.
func (v *view) codeOf(m material, b *pieces, side games.Side) code {
	at := &all.places[m.key()]
	c := at.class
	var turned pieces
	if at.turned {
		turned = b.turned()
		b, side = &turned, side.Other()
	}
	config, apart := uint32(0), b[c.apart]&-b[c.apart]
	for k := range kinds {
		if squares := b[k]; squares != 0 {
			if k == c.apart {
				squares ^= apart
			}
			config += rank(k, squares) * c.strides[k]
		}
	}
	return code(v[c.pieces()][c.at(side)+int(config)*width+apart.First().Index()])
}

// at is where the bytes with one side to move begin.
func (c *class) at(side games.Side) int { return c.offset + int(side)*c.size() }
