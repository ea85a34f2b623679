package endings

import (
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// reference are values found as plainly as they can be: all positions of up to
// three pieces in a list, with where their moves lead, gone through again and
// again until nothing changes. It shares nothing with the tables.
type reference struct {
	positions []draughts.Position
	index     map[draughts.Position]int32
	next      [][]int32
	value     []int8
	distance  []int
}

// put adds the positions of some pieces and up to n more, on squares from s on.
func (r *reference) put(set draughts.Setup, s, n int) {
	for _, side := range [2]games.Side{games.First, games.Second} {
		set.Side = side
		if p, err := set.Position(); err == nil {
			r.index[p] = int32(len(r.positions))
			r.positions = append(r.positions, p)
		}
	}
	if n == 0 {
		return
	}
	for ; s < 32; s++ {
		for side := range 2 {
			man, king := set, set
			man.Men[side] |= draughts.FromIndex(s).Bit()
			king.Kings[side] |= draughts.FromIndex(s).Bit()
			r.put(man, s+1, n-1)
			r.put(king, s+1, n-1)
		}
	}
}

func newReference(pieces int) *reference {
	r := &reference{index: map[draughts.Position]int32{}}
	r.put(draughts.Setup{}, 0, pieces)
	r.next = make([][]int32, len(r.positions))
	r.value, r.distance = make([]int8, len(r.positions)), make([]int, len(r.positions))
	var moves draughts.MoveList
	for i, p := range r.positions {
		p.Legal(&moves)
		for _, m := range moves {
			r.next[i] = append(r.next[i], r.index[p.Play(m)])
		}
	}
	// Even plies lose, odd ones win; until two in a row have changed nothing.
	for plies, idle := 0, 0; idle < 2; plies++ {
		idle++
		for i := range r.positions {
			if r.value[i] != 0 {
				continue
			}
			if plies%2 == 0 && r.allWin(r.next[i]) {
				r.value[i], r.distance[i], idle = -1, plies, 0
			}
			if plies%2 == 1 && r.oneLoses(r.next[i]) {
				r.value[i], r.distance[i], idle = 1, plies, 0
			}
		}
	}
	return r
}

// allWin and oneLoses see only positions of the other parity, which the pass does
// not change.
func (r *reference) allWin(next []int32) bool {
	for _, j := range next {
		if r.value[j] != 1 {
			return false
		}
	}
	return true
}

func (r *reference) oneLoses(next []int32) bool {
	for _, j := range next {
		if r.value[j] == -1 {
			return true
		}
	}
	return false
}

func TestAllValuesAreThoseOfTheReference(t *testing.T) {
	r := newReference(3)
	compared := 0
	for i, p := range r.positions {
		value, distance, ok := upToFour().Probe(&p)
		if !ok {
			if p.Occupied().Count() >= MinPieces {
				t.Fatalf("%s is not covered", p.Text())
			}
			continue
		}
		compared++
		if value != r.value[i] || distance != r.distance[i] {
			t.Fatalf("%s: got %d in %d, want %d in %d", p.Text(), value, distance, r.value[i], r.distance[i])
		}
	}
	if compared < 2*(3488+196032) {
		t.Errorf("%d positions compared", compared)
	}
}
