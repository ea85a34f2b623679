// Package pairing says who plays whom in a tournament and how the table is
// ordered: round robin by Berger's tables, Swiss, knock-out, and tie-breaks. It
// holds no state and draws no lots: the same input gives the same answer.
//
// Players are indices from 0 in the order of their seeds, the strongest first.
// Points are half points, so that they are whole numbers.
package pairing

// None is no player: the other side of a bye.
const None = -1

// Pair is two players; White moves first. Black is None for a bye.
type Pair struct{ White, Black int }

// Rounds is the number of rounds of a round robin of n players, once.
func Rounds(n int) int { return n - 1 + n%2 }

// Berger is a round, from 0, of a round robin of n players by Berger's tables, as
// FIDE prints them (C.05, annex 1). With an odd number of players, who is paired
// with None has a bye. In the second cycle, from round Rounds(n) on, colours are
// reversed.
func Berger(n, round int) []Pair {
	if n < 2 {
		return nil
	}
	even := n + n%2
	others := even - 1
	reversed := round/others%2 == 1
	round %= others
	// The last player meets this one; the others meet at the same distance from it.
	pivot := round * (even / 2) % others
	white, black := pivot, even-1
	if round%2 == 1 {
		white, black = black, white
	}
	pairs := []Pair{{white, black}}
	for k := 1; k < even/2; k++ {
		pairs = append(pairs, Pair{(pivot + k) % others, (pivot - k + others) % others})
	}
	for i, p := range pairs {
		if reversed {
			p.White, p.Black = p.Black, p.White
		}
		switch {
		case p.White >= n:
			p = Pair{p.Black, None}
		case p.Black >= n:
			p = Pair{p.White, None}
		}
		pairs[i] = p
	}
	return pairs
}

// Bracket is the first round of a knock-out of n players: the strongest can only
// meet the second strongest in the last round, and the byes go to the strongest.
// The winners of neighbouring pairs meet in the next round. The better seed comes
// first.
func Bracket(n int) []Pair {
	order := []int{0}
	for len(order) < n {
		size := 2 * len(order)
		next := make([]int, 0, size)
		for _, s := range order {
			next = append(next, s, size-1-s)
		}
		order = next
	}
	var pairs []Pair
	for i := 0; i+1 < len(order); i += 2 {
		a, b := min(order[i], order[i+1]), max(order[i], order[i+1])
		if b >= n {
			b = None
		}
		pairs = append(pairs, Pair{a, b})
	}
	return pairs
}

// Double is a round, from 0, of a round robin of n players twice. As FIDE advises
// (C.05, annex 1), the last two rounds of the first cycle change places, so that
// nobody has one colour three times running where the cycles meet.
func Double(n, round int) []Pair {
	switch last := Rounds(n) - 1; {
	case last >= 2 && round == last:
		round--
	case last >= 2 && round == last-1:
		round++
	}
	return Berger(n, round)
}
