package pairing

import (
	"cmp"
	"slices"
)

// The colours of a game, as Entry.Colours holds them.
const (
	White int8 = 1
	Black int8 = -1
)

// The directions of a float, as Entry.Floats holds them.
const (
	Up   int8 = 1
	Down int8 = -1
)

// Entry is a player before a round of a Swiss tournament.
type Entry struct {
	// Points are half points.
	Points int
	// Colours are those of the games that were played, the first one first.
	Colours []int8
	// Met are the players that it was paired with.
	Met []int
	// Bye says that it had a bye or won without playing.
	Bye bool
	// Floats are the directions in which it floated in the last round and the
	// round before; 0 for none.
	Floats [2]int8
	// Out says that it is not to be paired.
	Out bool
}

// The parts of the cost of a pair, the greatest first: each outweighs all below it
// in a whole round of up to 200 players.
const (
	maxScore   = 40 // half points that a difference counts at most
	scoreBits  = 18
	colourBits = 10
	floatBits  = 9
	orderBits  = 18
	fineStep   = 31 // how far from its ideal a pair counts, at most
	roughBits  = 14
	roughStep  = 7
)

// How far a pairing may go when there is none that keeps all rules.
type freedom int

const (
	strict    freedom = iota
	colours           // somebody has one colour too often
	rematches         // somebody meets an opponent again
)

// Swiss pairs a round. The pairing is the best by these rules, each of which
// counts only where those before it leave a choice:
//
//  1. Nobody meets an opponent twice.
//  2. With an odd number, the bye goes to a player who had none, of these to the
//     one with the fewest points, of these to the lowest seed.
//  3. Nobody gets a colour for the third time in a row, nor three times more often
//     than the other.
//  4. Opponents have equal points: the sum of the squares of the differences is
//     the smallest.
//  5. Colours balance and alternate: as few as can be get the colour that they had
//     last or more often.
//  6. Who floated in one of the two last rounds does not float the same way again.
//  7. Within a group of equal points the upper half meets the lower half in order;
//     who floats down is the lowest of its group, and meets the highest of the next.
//
// Where no pairing keeps rule 3, it is given up first, then rule 1. first is the
// colour of the highest seed in the first round.
func Swiss(entries []Entry, first int8) []Pair {
	s := swiss{entries: entries, first: first}
	for i := range entries {
		if !entries[i].Out {
			s.players = append(s.players, i)
		}
	}
	slices.SortStableFunc(s.players, func(a, b int) int { return cmp.Compare(entries[b].Points, entries[a].Points) })
	if len(s.players) < 2 {
		if len(s.players) == 1 {
			return []Pair{{s.players[0], None}}
		}
		return nil
	}
	for _, free := range []freedom{strict, colours, rematches} {
		for _, bye := range s.byes() {
			if pairs, ok := s.pair(bye, free); ok {
				return pairs
			}
		}
	}
	return nil // with rematches everybody can be paired
}

type swiss struct {
	entries []Entry
	first   int8
	// players are those to be paired, by points and seed.
	players []int
}

// byes are who may have the bye, the first choice first; None alone with an even
// number.
func (s *swiss) byes() []int {
	if len(s.players)%2 == 0 {
		return []int{None}
	}
	var fresh, others []int
	for _, p := range slices.Backward(s.players) {
		if s.entries[p].Bye {
			others = append(others, p)
		} else {
			fresh = append(fresh, p)
		}
	}
	return append(fresh, others...)
}

// spot is where a player stands in its group of equal points.
type spot struct{ place, size int }

func (s *swiss) pair(bye int, free freedom) ([]Pair, bool) {
	players := slices.DeleteFunc(slices.Clone(s.players), func(p int) bool { return p == bye })
	spots := make([]spot, len(players))
	for i := 0; i < len(players); {
		j := i
		for j < len(players) && s.entries[players[j]].Points == s.entries[players[i]].Points {
			j++
		}
		for k := i; k < j; k++ {
			spots[k] = spot{k - i, j - i}
		}
		i = j
	}
	base := int64(1) << (scoreBits + colourBits + floatBits + orderBits + 1)
	mate := heaviest(len(players), func(u, v int) int64 {
		cost, ok := s.cost(players[u-1], players[v-1], spots[u-1], spots[v-1], free)
		if !ok {
			return 0
		}
		return base - cost
	})
	var pairs []Pair
	for u := 1; u <= len(players); u++ {
		switch v := mate[u]; {
		case v == 0:
			return nil, false
		case u < v:
			pairs = append(pairs, Pair{players[u-1], players[v-1]})
		}
	}
	slices.SortStableFunc(pairs, func(a, b Pair) int {
		return cmp.Or(
			cmp.Compare(s.entries[b.White].Points, s.entries[a.White].Points),
			cmp.Compare(s.entries[b.Black].Points, s.entries[a.Black].Points),
		)
	})
	for i, p := range pairs {
		if s.colour(p.White, p.Black, i) == Black {
			pairs[i] = Pair{p.Black, p.White}
		}
	}
	if bye != None {
		pairs = append(pairs, Pair{bye, None})
	}
	return pairs, true
}

// cost is how bad a pair is; false where it may not be. The upper player comes
// first.
func (s *swiss) cost(upper, lower int, at, under spot, free freedom) (int64, bool) {
	a, b := &s.entries[upper], &s.entries[lower]
	broken := int64(0)
	if slices.Contains(a.Met, lower) {
		if free < rematches {
			return 0, false
		}
		broken++
	}
	clash := a.clash(b)
	if clash == absolute {
		if free == strict {
			return 0, false
		}
		if free == colours {
			broken++
		}
	}
	difference := min(int64(a.Points-b.Points), maxScore)
	floated := int64(0)
	away, limit := int64(under.place-at.place-at.size/2), int64(fineStep)
	if free != strict {
		limit = roughStep
	}
	far := square(away, limit)
	if difference > 0 {
		floated = a.again(Down) + b.again(Up)
		far = square(int64(at.size-1-at.place), limit) + square(int64(under.place), limit)
	}
	colour := [...]int64{none: 0, mild: 1, strong: 4, absolute: 8}[clash]
	if free == strict {
		cost := difference * difference
		cost = cost<<colourBits + colour
		cost = cost<<floatBits + floated
		return cost<<orderBits + far, true
	}
	cost := broken<<scoreBits + difference*difference
	cost = cost<<colourBits + colour
	return cost<<roughBits + far, true
}

func square(n, limit int64) int64 {
	n = max(-limit, min(n, limit))
	return n * n
}

// again weighs that a player floats as it did: more where it was the last round.
func (e *Entry) again(direction int8) int64 {
	switch direction {
	case e.Floats[0]:
		return 2
	case e.Floats[1]:
		return 1
	}
	return 0
}

// strength is how much a player is due a colour.
type strength int

const (
	none     strength = iota
	mild              // it had both equally often, the other one last
	strong            // it had the other one once more often
	absolute          // it had the other one twice running, or twice more often
)

// due is the colour that a player is due.
func (e *Entry) due() (colour int8, how strength) {
	n := len(e.Colours)
	if n == 0 {
		return 0, none
	}
	difference := 0
	for _, c := range e.Colours {
		difference += int(c)
	}
	last := e.Colours[n-1]
	switch {
	case difference > 1:
		return Black, absolute
	case difference < -1:
		return White, absolute
	case n > 1 && e.Colours[n-2] == last:
		return -last, absolute
	case difference == 1:
		return Black, strong
	case difference == -1:
		return White, strong
	}
	return -last, mild
}

// clash is how much the one gives up who does not get the colour that both are
// due: none where they are due different ones.
func (e *Entry) clash(o *Entry) strength {
	a, how := e.due()
	b, other := o.due()
	if a == 0 || a != b {
		return none
	}
	return min(how, other)
}

// colour is that of the upper player of a pair on a board, from 0.
func (s *swiss) colour(upper, lower, board int) int8 {
	a, b := &s.entries[upper], &s.entries[lower]
	due, how := a.due()
	other, otherHow := b.due()
	switch {
	case due == 0 && other == 0:
		if board%2 == 1 {
			return -s.first
		}
		return s.first
	case due == 0:
		return -other
	case other == 0 || due != other:
		return due
	case how > otherHow:
		return due
	case how < otherHow:
		return -other
	}
	// As they did not have when they last had different colours.
	for i := 1; i <= min(len(a.Colours), len(b.Colours)); i++ {
		x, y := a.Colours[len(a.Colours)-i], b.Colours[len(b.Colours)-i]
		if x != y {
			return -x
		}
	}
	return due
}
