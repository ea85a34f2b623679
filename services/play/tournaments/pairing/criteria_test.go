package pairing

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// pairings are all ways to pair players, as sorted lists of two; a player who is
// paired with None has the bye.
func pairings(players []int) [][][2]int {
	if len(players) == 0 {
		return [][][2]int{nil}
	}
	var all [][][2]int
	first, others := players[0], players[1:]
	with := func(p int, left []int) {
		for _, rest := range pairings(left) {
			all = append(all, append([][2]int{{first, p}}, rest...))
		}
	}
	for i, p := range others {
		with(p, slices.Delete(slices.Clone(others), i, i+1))
	}
	if len(players)%2 == 1 {
		with(None, others)
	}
	return all
}

// lawful tells whether a pairing keeps the absolute criteria of C.04.3: no rematch
// (C1), no second bye (C2), and nobody in the need of a colour that the opponent
// needs too (C3).
func lawful(entries []Entry, pairing [][2]int) bool {
	for _, p := range pairing {
		a := &entries[p[0]]
		if p[1] == None {
			if a.Bye {
				return false
			}
			continue
		}
		b := &entries[p[1]]
		if slices.Contains(a.Met, p[1]) || needs(a) != 0 && needs(a) == needs(b) {
			return false
		}
	}
	return true
}

// needs is the colour that a player must get, by C.04.1: not a third time the same
// one running, and not three times more often than the other.
func needs(e *Entry) int8 {
	sum := 0
	for _, c := range e.Colours {
		sum += int(c)
	}
	n := len(e.Colours)
	switch {
	case sum >= 2 || n >= 2 && e.Colours[n-1] == White && e.Colours[n-2] == White:
		return Black
	case sum <= -2 || n >= 2 && e.Colours[n-1] == Black && e.Colours[n-2] == Black:
		return White
	}
	return 0
}

// judged is a pairing by the criteria of C.04.3 in their order: the points of who
// has the bye (C5), how many float down from each group of equal points, from the
// highest on (C6), and the squares of the differences (C7).
func judged(entries []Entry, pairing [][2]int) []int {
	points := map[int]bool{}
	for _, e := range entries {
		points[e.Points] = true
	}
	bye, squares := 0, 0
	var groups []int
	for p := range points {
		groups = append(groups, p)
	}
	slices.SortFunc(groups, func(a, b int) int { return cmp.Compare(b, a) })
	floats := make([]int, len(groups))
	for _, p := range pairing {
		if p[1] == None {
			bye = entries[p[0]].Points
			continue
		}
		a, b := entries[p[0]].Points, entries[p[1]].Points
		squares += (a - b) * (a - b)
		for i, g := range groups {
			if max(a, b) >= g && min(a, b) < g {
				floats[i]++
			}
		}
	}
	return append(append([]int{bye}, floats...), squares)
}

// TestSwissIsTheBestByFIDEsCriteria compares each round of small tournaments with all
// pairings that there are: where one keeps the absolute criteria ours does, and none
// is better by the criteria on points.
func TestSwissIsTheBestByFIDEsCriteria(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	lawfulRounds, forced := 0, 0
	for game := range 150 {
		n := 3 + random.IntN(6)
		entries := make([]Entry, n)
		for round := range 2 + random.IntN(n) {
			name := fmt.Sprintf("tournament %d of %d, round %d", game, n, round+1)
			var players []int
			for p := range entries {
				if random.IntN(12) == 0 && round > 0 {
					entries[p].Out = true
				}
				if !entries[p].Out {
					players = append(players, p)
				}
			}
			if len(players) < 2 {
				break
			}
			var best []int
			for _, pairing := range pairings(players) {
				if lawful(entries, pairing) {
					if is := judged(entries, pairing); best == nil || slices.Compare(is, best) < 0 {
						best = is
					}
				}
			}
			pairs := Swiss(entries, White)
			var ours [][2]int
			for _, p := range pairs {
				ours = append(ours, [2]int{p.White, p.Black})
			}
			switch {
			case best == nil:
				forced++
			case !lawful(entries, ours):
				t.Fatalf("%s: %v breaks an absolute criterion, and needed not to: %+v", name, pairs, entries)
			case slices.Compare(judged(entries, ours), best) != 0:
				t.Fatalf("%s: %v is %v, the best is %v: %+v", name, pairs, judged(entries, ours), best, entries)
			default:
				lawfulRounds++
			}
			for _, p := range pairs {
				if best != nil && p.Black != None && (needs(&entries[p.White]) == Black || needs(&entries[p.Black]) == White) {
					t.Fatalf("%s: somebody does not get the colour that they need: %v", name, p)
				}
				if p.Black == None {
					entries[p.White].Bye = true
				}
				points := random.IntN(3)
				play(entries, p, points, 2-points)
			}
		}
	}
	if lawfulRounds < 300 || forced < 10 {
		t.Errorf("only %d rounds with a lawful pairing and %d without were looked at", lawfulRounds, forced)
	}
}

// TestColoursOfADoubleRoundRobin: nobody has one colour three times running, but where
// the cycles meet, and there as rarely as their number allows.
func TestColoursOfADoubleRoundRobin(t *testing.T) {
	for n := 3; n <= 40; n++ {
		colours := make([][]int8, n)
		for r := range 2 * Rounds(n) {
			for _, p := range Double(n, r) {
				if p.Black == None {
					continue
				}
				colours[p.White], colours[p.Black] = append(colours[p.White], White), append(colours[p.Black], Black)
			}
		}
		for p, list := range colours {
			sum := 0
			for i, c := range list {
				sum += int(c)
				if i >= 2 && list[i-1] == c && list[i-2] == c {
					t.Errorf("%d of %d players: player %d has one colour three times running: %v", p, n, p, list)
				}
			}
			if sum != 0 {
				t.Errorf("%d players: player %d has one colour %d times more often", n, p, sum)
			}
		}
	}
}
