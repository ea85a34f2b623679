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

// The cost of a pair is a weight. Its numbers are, in their order, how many rules
// it breaks and, where it is a bye, the points of who has it; how many boundaries between groups of equal points it crosses, from the
// highest on, so many to a number; and the rest. Each outweighs all below it in a
// whole round of up to 200 players.
const (
	crossingBits   = 7
	crossingsInOne = 8
	crossingParts  = 5
	rest           = 1 + crossingParts

	maxScore   = 40 // half points that a difference counts at most
	colourBits = 10
	floatBits  = 9
	orderBits  = 18
	fineStep   = 31 // how far from its ideal a pair counts, at most
)

// worth is what it is worth to pair two players at all, broken what it costs to
// break a rule.
const (
	worth  = 1 << 40
	broken = 1 << 20
)

// How far a pairing may go when there is none that keeps all rules.
type freedom int

const (
	strict    freedom = iota
	colours           // somebody has one colour too often
	byes              // and somebody has a second bye
	rematches         // and somebody meets an opponent again
)

// Swiss pairs a round. The pairing is the best by these rules, each of which
// counts only where those before it leave a choice:
//
//  1. Nobody meets an opponent twice.
//  2. With an odd number, the bye goes to a player who had none, of these to one
//     with the fewest points; the lowest seed where the rules below leave a choice.
//  3. Nobody gets a colour for the third time in a row, nor three times more often
//     than the other.
//  4. Opponents have equal points: as few players as can be float down from the
//     group with the most points; then, with those who came down to it, from the
//     next, and so on.
//  5. Where somebody floats, the sum of the squares of the differences is the
//     smallest.
//  6. Colours balance and alternate: as few as can be get the colour that they had
//     last or more often.
//  7. Who floated in one of the two last rounds does not float the same way again.
//  8. Within a group of equal points the upper half meets the lower half in order;
//     who floats down is the lowest of its group, and meets the highest of the next.
//
// Where no pairing keeps rules 1 to 3, rule 3 is given up first, then that nobody has
// a second bye, then rule 1. first is the
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
	for _, free := range []freedom{strict, colours, byes} {
		if pairs, ok := s.pair(free); ok {
			return pairs
		}
	}
	pairs, _ := s.pair(rematches) // like this everybody can be paired
	return pairs
}

type swiss struct {
	entries []Entry
	first   int8
	// players are those to be paired, by points and seed.
	players []int
}

// spot is where a player stands in its group of equal points, and which group that
// is, from 0 for the most points.
type spot struct{ place, size, group int }

// pair finds the best pairing, if there is one. With an odd number one more vertex
// stands for the bye.
func (s *swiss) pair(free freedom) ([]Pair, bool) {
	players := s.players
	spots := make([]spot, len(players))
	for i, group := 0, 0; i < len(players); group++ {
		j := i
		for j < len(players) && s.entries[players[j]].Points == s.entries[players[i]].Points {
			j++
		}
		for k := i; k < j; k++ {
			spots[k] = spot{k - i, j - i, group}
		}
		i = j
	}
	n := len(players) + len(players)%2
	mate := heaviest(n, func(u, v int) weight {
		var cost weight
		var ok bool
		if v > len(players) {
			cost, ok = s.byeCost(players[u-1], spots[u-1], free)
		} else {
			cost, ok = s.cost(players[u-1], players[v-1], spots[u-1], spots[v-1], free)
		}
		if !ok {
			return weight{}
		}
		return weight{worth}.minus(cost)
	})
	var pairs []Pair
	bye := None
	for u := 1; u <= len(players); u++ {
		switch v := mate[u]; {
		case v == 0:
			return nil, false
		case v > len(players):
			bye = players[u-1]
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

// byeCost is how bad it is that a player has the bye; false where it may not be.
func (s *swiss) byeCost(player int, at spot, free freedom) (weight, bool) {
	var cost weight
	if s.entries[player].Bye {
		if free < byes {
			return cost, false
		}
		cost[0] += broken
	}
	cost[0] += int64(s.entries[player].Points)
	cost[rest] = square(int64(at.size-1-at.place), fineStep)
	return cost, true
}

// cost is how bad a pair is; false where it may not be. The upper player comes
// first.
func (s *swiss) cost(upper, lower int, at, under spot, free freedom) (weight, bool) {
	a, b := &s.entries[upper], &s.entries[lower]
	var cost weight
	if slices.Contains(a.Met, lower) {
		if free < rematches {
			return cost, false
		}
		cost[0] += broken
	}
	clash := a.clash(b)
	if clash == absolute {
		if free == strict {
			return cost, false
		}
		cost[0] += broken
	}
	for crossed := at.group; crossed < min(under.group, crossingsInOne*crossingParts); crossed++ {
		cost[1+crossed/crossingsInOne] += 1 << (crossingBits * (crossingsInOne - 1 - crossed%crossingsInOne))
	}
	difference := min(int64(a.Points-b.Points), maxScore)
	floated := int64(0)
	far := square(int64(under.place-at.place-at.size/2), fineStep)
	if difference > 0 {
		floated = a.again(Down) + b.again(Up)
		far = square(int64(at.size-1-at.place), fineStep) + square(int64(under.place), fineStep)
	}
	colour := [...]int64{none: 0, mild: 1, strong: 4, absolute: 8}[clash]
	cost[rest] = ((difference*difference<<colourBits+colour)<<floatBits+floated)<<orderBits + far
	return cost, true
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
