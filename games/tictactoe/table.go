package tictactoe

import "sync"

// Value is what perfect play brings to the side to move.
type Value struct {
	// Result is 1 for a win, 0 for a draw, -1 for a loss.
	Result int8
	// Plies are those to the end: the winner hurries, the loser delays, and a
	// draw always fills the board.
	Plies uint8
}

// before is the value one ply earlier, for the side that moved here.
func (v Value) before() Value { return Value{-v.Result, v.Plies + 1} }

// better says whether the side to move prefers v to w.
func (v Value) better(w Value) bool {
	switch {
	case v.Result != w.Result:
		return v.Result > w.Result
	case v.Result > 0:
		return v.Plies < w.Plies
	}
	return v.Plies > w.Plies
}

// Value looks p up among the 5,478 positions of the game.
func (p Position) Value() Value { return perfect().values[p.index()] }

// Best are the squares that keep the value and its distance; empty once the
// game is over.
func (p Position) Best() Mask {
	want := p.Value()
	var best Mask
	for m := p.Moves(); m != 0; m = m.Rest() {
		if p.Play(m.First()).Value().before() == want {
			best |= 1 << m.First()
		}
	}
	return best
}

// index spells the board in base 3, so that no two positions share it.
func (p Position) index() int {
	n := 0
	for sq := Square(0); sq < 9; sq++ {
		n = 3*n + int(p.x>>sq&1) + 2*int(p.o>>sq&1)
	}
	return n
}

// table holds the value of every position, by index.
type table struct {
	values [19683]Value
	known  [19683]bool
	count  int
}

// perfect computes the table when it is first asked for.
var perfect = sync.OnceValue(func() *table {
	t := &table{}
	t.fill(Position{})
	return t
})

// fill computes the value of p and of all that can follow.
func (t *table) fill(p Position) Value {
	i := p.index()
	if t.known[i] {
		return t.values[i]
	}
	var best Value
	if _, won := p.Winner(); won {
		best.Result = -1
	}
	for m := p.Moves(); m != 0; m = m.Rest() {
		if v := t.fill(p.Play(m.First())).before(); best.Plies == 0 || v.better(best) {
			best = v
		}
	}
	t.known[i], t.values[i] = true, best
	t.count++
	return best
}
