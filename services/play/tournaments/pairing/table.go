package pairing

import (
	"cmp"
	"slices"
)

// Game is what came of one pair of a round, in half points.
type Game struct {
	White, Black             int
	WhitePoints, BlackPoints int
	// Played is false for byes and games that were won or lost without playing.
	Played bool
}

// The tie-breaks, by the names of FIDE's regulations (C.07).
const (
	// Buchholz is the sum of the points of all opponents. A round without a game
	// counts as one against an opponent with the player's own points.
	Buchholz = "buchholz"
	// BuchholzCut1 is Buchholz without the lowest of them.
	BuchholzCut1 = "buchholz_cut1"
	// SonnebornBerger is the sum of the points of the opponents that were beaten
	// and of half of the points of those who drew. Games that were not played do not
	// count.
	SonnebornBerger = "sonneborn_berger"
	// DirectEncounter is the points of the games among those who are level until
	// then, where all of them have met.
	DirectEncounter = "direct_encounter"
	// Wins is the number of games that were played and won.
	Wins = "wins"
)

// Standing is a player's line of the table.
type Standing struct {
	Player int
	// Place is from 1; those who are level to the last tie-break share it.
	Place int
	// Points are half points.
	Points int
	Wins   int
	// Breaks are the tie-breaks, in quarter points, in the order asked for: half of
	// half a point counts one.
	Breaks []int
	Games  int
}

// Table orders n players by their points and then by tie-breaks. rounds is the
// number of rounds that have been paired.
func Table(n, rounds int, games []Game, breaks []string) []Standing {
	t := table{n: n, rounds: rounds, games: games, points: make([]int, n), wins: make([]int, n), played: make([]int, n)}
	for _, g := range games {
		t.add(g.White, g.WhitePoints, g.BlackPoints, g.Played)
		if g.Black != None {
			t.add(g.Black, g.BlackPoints, g.WhitePoints, g.Played)
		}
	}
	standings := make([]Standing, n)
	for p := range standings {
		standings[p] = Standing{Player: p, Points: t.points[p], Wins: t.wins[p], Games: t.played[p]}
	}
	slices.SortStableFunc(standings, func(a, b Standing) int { return cmp.Compare(b.Points, a.Points) })
	for _, name := range breaks {
		t.breakBy(name, standings)
	}
	for i := range standings {
		standings[i].Place = i + 1
		if i > 0 && level(&standings[i], &standings[i-1]) {
			standings[i].Place = standings[i-1].Place
		}
	}
	return standings
}

type table struct {
	n, rounds            int
	games                []Game
	points, wins, played []int
}

func (t *table) add(p, points, other int, played bool) {
	t.points[p] += points
	if played {
		t.played[p]++
		if points > other {
			t.wins[p]++
		}
	}
}

func level(a, b *Standing) bool {
	return a.Points == b.Points && slices.Equal(a.Breaks, b.Breaks)
}

// breakBy adds a tie-break and puts those who were level in its order.
func (t *table) breakBy(name string, standings []Standing) {
	for from := 0; from < len(standings); {
		to := from + 1
		for to < len(standings) && level(&standings[from], &standings[to]) {
			to++
		}
		group := standings[from:to]
		values := t.values(name, group)
		for i := range group {
			group[i].Breaks = append(group[i].Breaks, values[i])
		}
		slices.SortStableFunc(group, func(a, b Standing) int {
			return cmp.Compare(b.Breaks[len(b.Breaks)-1], a.Breaks[len(a.Breaks)-1])
		})
		from = to
	}
}

// values are a tie-break of a group that is level, in quarter points.
func (t *table) values(name string, group []Standing) []int {
	values := make([]int, len(group))
	if name == DirectEncounter {
		return t.direct(group, values)
	}
	for i, s := range group {
		switch name {
		case Buchholz, BuchholzCut1:
			met := t.opponents(s.Player)
			for _, points := range met {
				values[i] += 2 * points
			}
			if name == BuchholzCut1 && len(met) > 0 {
				values[i] -= 2 * slices.Min(met)
			}
		case SonnebornBerger:
			values[i] = t.sonnebornBerger(s.Player)
		case Wins:
			values[i] = 4 * t.wins[s.Player]
		}
	}
	return values
}

// opponents are the points of a player's opponents, one for each round.
func (t *table) opponents(p int) []int {
	var met []int
	for _, g := range t.games {
		switch {
		case !g.Played:
		case g.White == p:
			met = append(met, t.points[g.Black])
		case g.Black == p:
			met = append(met, t.points[g.White])
		}
	}
	for len(met) < t.rounds {
		met = append(met, t.points[p])
	}
	return met
}

func (t *table) sonnebornBerger(p int) int {
	sum := 0
	for _, g := range t.games {
		if !g.Played || g.White != p && g.Black != p {
			continue
		}
		own, other, opponent := g.WhitePoints, g.BlackPoints, g.Black
		if g.Black == p {
			own, other, opponent = g.BlackPoints, g.WhitePoints, g.White
		}
		switch {
		case own > other:
			sum += 2 * t.points[opponent]
		case own == other && own > 0:
			sum += t.points[opponent]
		}
	}
	return sum
}

// direct are the points of the games among a group; all 0 where two of it have
// not met.
func (t *table) direct(group []Standing, values []int) []int {
	place := map[int]int{}
	for i, s := range group {
		place[s.Player] = i
	}
	met := map[[2]int]bool{}
	for _, g := range t.games {
		i, white := place[g.White]
		j, black := place[g.Black]
		if !white || !black || g.Black == None {
			continue
		}
		values[i] += 2 * g.WhitePoints
		values[j] += 2 * g.BlackPoints
		met[[2]int{min(i, j), max(i, j)}] = true
	}
	if len(met) < len(group)*(len(group)-1)/2 {
		clear(values)
	}
	return values
}
