package pairing

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestBergerTables: the tables of FIDE's handbook (C.05, annex 1) for 3 to 8
// players, numbered from 1.
func TestBergerTables(t *testing.T) {
	for n, rounds := range map[int][]string{
		4: {"1-4 2-3", "4-3 1-2", "2-4 3-1"},
		6: {"1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"},
		8: {"1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3", "3-8 4-2 5-1 6-7", "8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1"},
	} {
		if Rounds(n) != len(rounds) || Rounds(n-1) != len(rounds) {
			t.Errorf("%d players: %d rounds", n, Rounds(n))
		}
		for r, want := range rounds {
			if got := text(Berger(n, r)); got != want {
				t.Errorf("%d players, round %d: got %s, want %s", n, r+1, got, want)
			}
		}
	}
	if got := text(Berger(3, 0)); got != "1-0 2-3" {
		t.Errorf("3 players, round 1: got %s", got)
	}
	if got := text(Berger(4, 3)); got != "4-1 3-2" {
		t.Errorf("the second cycle: got %s", got)
	}
}

func text(pairs []Pair) string {
	out := ""
	for i, p := range pairs {
		if i > 0 {
			out += " "
		}
		out += fmt.Sprintf("%d-%d", p.White+1, p.Black+1)
	}
	return out
}

// TestEverybodyMeetsEverybody: in any round robin all meet once a cycle, with
// colours that differ by at most one, and in two cycles by none.
func TestEverybodyMeetsEverybody(t *testing.T) {
	for n := 2; n <= 41; n++ {
		met, balance := map[[2]int]int{}, make([]int, n)
		for r := range 2 * Rounds(n) {
			seen := make([]bool, n)
			for _, p := range Berger(n, r) {
				for _, player := range []int{p.White, p.Black} {
					if player != None && seen[player] {
						t.Fatalf("%d players, round %d: %d plays twice", n, r, player)
					}
					if player != None {
						seen[player] = true
					}
				}
				if p.Black != None {
					met[[2]int{min(p.White, p.Black), max(p.White, p.Black)}]++
					balance[p.White]++
					balance[p.Black]--
				}
			}
			if slices.Contains(seen, false) {
				t.Fatalf("%d players, round %d: somebody is missing", n, r)
			}
			if r+1 == Rounds(n) && (slices.Max(balance) > 1 || slices.Min(balance) < -1) {
				t.Errorf("%d players: colours %v", n, balance)
			}
		}
		for pair, times := range met {
			if times != 2 {
				t.Errorf("%d players: %v met %d times", n, pair, times)
			}
		}
		if len(met) != n*(n-1)/2 || slices.Max(balance) != 0 {
			t.Errorf("%d players: %d pairs, colours %v", n, len(met), balance)
		}
	}
}

func TestBracket(t *testing.T) {
	for n, want := range map[int]string{
		2: "1-2", 3: "1-0 2-3", 4: "1-4 2-3", 5: "1-0 4-5 2-0 3-0", 8: "1-8 4-5 2-7 3-6",
		6: "1-0 4-5 2-0 3-6",
	} {
		if got := text(Bracket(n)); got != want {
			t.Errorf("%d players: got %s, want %s", n, got, want)
		}
	}
	for n := 2; n <= 200; n++ {
		byes, last := 0, -1
		for _, p := range Bracket(n) {
			if p.Black == None {
				byes++
				last = max(last, p.White)
			}
		}
		if byes > 0 && last != byes-1 {
			t.Errorf("%d players: %d byes, the lowest to %d", n, byes, last)
		}
	}
}

// The first two rounds of a Swiss tournament of eight, as FIDE's Dutch system
// pairs them where all whites win and all draw.
func TestSwissByHand(t *testing.T) {
	entries := make([]Entry, 8)
	if got := text(Swiss(entries, White)); got != "1-5 6-2 3-7 8-4" {
		t.Errorf("round 1: got %s", got)
	}
	for _, p := range Swiss(entries, White) {
		play(entries, p, 2, 0)
	}
	// 1, 6, 3, 8 have a point; 5, 2, 7, 4 none. All winners had White: 1 meets 6
	// and 3 meets 8, the higher seed gets the colour that it is due.
	if got := text(Swiss(entries, White)); got != "6-1 8-3 2-5 4-7" {
		t.Errorf("round 2: got %s", got)
	}
}

// TestByeOfTheLowest: the bye goes to the lowest who had none.
func TestByeOfTheLowest(t *testing.T) {
	entries := make([]Entry, 5)
	entries[4].Bye, entries[3].Points, entries[2].Points = true, 2, 2
	pairs := Swiss(entries, White)
	if got := pairs[len(pairs)-1]; got != (Pair{1, None}) {
		t.Errorf("the bye goes to %v of %v", got, pairs)
	}
}

// play adds what came of a pair.
func play(entries []Entry, p Pair, white, black int) {
	if p.Black == None {
		entries[p.White].Points += 2
		entries[p.White].Bye = true
		entries[p.White].Floats = [2]int8{Down, entries[p.White].Floats[0]}
		return
	}
	w, b := &entries[p.White], &entries[p.Black]
	float := func(e *Entry, other int) {
		direction := int8(0)
		switch {
		case e.Points > other:
			direction = Down
		case e.Points < other:
			direction = Up
		}
		e.Floats = [2]int8{direction, e.Floats[0]}
	}
	a, c := w.Points, b.Points
	float(w, c)
	float(b, a)
	w.Points += white
	b.Points += black
	w.Colours, b.Colours = append(w.Colours, White), append(b.Colours, Black)
	w.Met, b.Met = append(w.Met, p.Black), append(b.Met, p.White)
}

// TestSwissKeepsItsRules plays tournaments of all sizes to half as many rounds as
// players, where a pairing without rematches always exists, and looks at every
// round with rules of its own.
func TestSwissKeepsItsRules(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for game := range 120 {
		n := 2 + random.IntN(39)
		entries := make([]Entry, n)
		byes := make([]int, n)
		for round := range min(9, max(1, n/2)) {
			pairs := Swiss(entries, White)
			if again := Swiss(entries, White); !reflect.DeepEqual(again, pairs) {
				t.Fatalf("the same input, another pairing: %v, %v", pairs, again)
			}
			checkRound(t, fmt.Sprintf("tournament %d of %d, round %d", game, n, round+1), entries, pairs, byes)
			for _, p := range pairs {
				if p.Black == None {
					byes[p.White]++
				}
				points := random.IntN(3)
				play(entries, p, points, 2-points)
			}
		}
	}
}

func checkRound(t *testing.T, name string, entries []Entry, pairs []Pair, byes []int) {
	t.Helper()
	seen := make([]bool, len(entries))
	use := func(p int) {
		if p == None {
			return
		}
		if seen[p] {
			t.Fatalf("%s: %d is paired twice: %v", name, p, pairs)
		}
		seen[p] = true
	}
	odd := 0
	for _, p := range pairs {
		use(p.White)
		use(p.Black)
		if p.Black == None {
			odd++
			if byes[p.White] > 0 {
				t.Errorf("%s: %d has a second bye", name, p.White)
			}
			for other := range entries {
				if byes[other] == 0 && entries[other].Points < entries[p.White].Points {
					t.Errorf("%s: %d has the bye with more points than %d", name, p.White, other)
				}
			}
			continue
		}
		w, b := entries[p.White], entries[p.Black]
		if slices.Contains(w.Met, p.Black) {
			t.Errorf("%s: %v meet again", name, p)
		}
		for _, side := range []struct {
			e      Entry
			colour int8
		}{{w, White}, {b, Black}} {
			run, sum := 1, int(side.colour)
			for _, c := range slices.Backward(side.e.Colours) {
				if c != side.colour {
					break
				}
				run++
			}
			for _, c := range side.e.Colours {
				sum += int(c)
			}
			if len(entries) > 12 && (run > 2 || sum > 2 || sum < -2) {
				t.Errorf("%s: %v: a colour %d times running, difference %d", name, p, run, sum)
			}
		}
	}
	if slices.Contains(seen, false) || odd != len(entries)%2 {
		t.Errorf("%s: somebody is missing, or there are %d byes: %v", name, odd, pairs)
	}
	// No two pairs would have a smaller sum of squares the other way round, were
	// it allowed.
	for i, p := range pairs {
		for _, q := range pairs[i+1:] {
			if p.Black == None || q.Black == None {
				continue
			}
			now := gap(entries, p.White, p.Black) + gap(entries, q.White, q.Black)
			for _, other := range [][2]Pair{
				{{p.White, q.White}, {p.Black, q.Black}}, {{p.White, q.Black}, {p.Black, q.White}},
			} {
				if allowed(entries, other[0]) && allowed(entries, other[1]) && gap(entries, other[0].White, other[0].Black)+gap(entries, other[1].White, other[1].Black) < now {
					t.Errorf("%s: %v and %v instead of %v", name, p, q, other)
				}
			}
		}
	}
}

func gap(entries []Entry, a, b int) int {
	d := entries[a].Points - entries[b].Points
	return d * d
}

func allowed(entries []Entry, p Pair) bool {
	a, b := entries[p.White], entries[p.Black]
	return !slices.Contains(a.Met, p.Black) && a.clash(&b) != absolute
}

// chance lets the stronger of a pair win mostly.
func chance(random *rand.Rand, p Pair) (white, black int) {
	switch x := random.IntN(10); {
	case x < 2:
		return 1, 1
	case (x < 8) == (p.White < p.Black):
		return 2, 0
	}
	return 0, 2
}

// TestSwissOfTwoHundred is as large as a tournament may be, with a bye and without,
// to its last round: nobody meets twice, has a second bye, a colour three times
// running or three times more often than the other; and of each group of equal
// points no more float than must.
func TestSwissOfTwoHundred(t *testing.T) {
	for _, n := range []int{199, 200} {
		random := rand.New(rand.NewPCG(5, 6))
		entries, byes := make([]Entry, n), make([]int, n)
		for round := range 11 {
			pairs := Swiss(entries, Black)
			name := fmt.Sprintf("%d players, round %d", n, round+1)
			checkRound(t, name, entries, pairs, byes)
			checkGroups(t, name, entries, pairs)
			for _, p := range pairs {
				if p.Black == None {
					byes[p.White]++
				}
				white, black := chance(random, p)
				play(entries, p, white, black)
			}
		}
		met, colours, had := 0, 0, 0
		for i, e := range entries {
			sum, opponents := 0, slices.Clone(e.Met)
			for _, c := range e.Colours {
				sum += int(c)
			}
			slices.Sort(opponents)
			met += len(slices.Compact(opponents))
			colours += len(e.Colours)
			had += byes[i]
			if byes[i] > 1 || sum < -2 || sum > 2 || len(e.Colours)+byes[i] != 11 {
				t.Errorf("%d players: %d has %d byes and the colours %v", n, i, byes[i], e.Colours)
			}
		}
		if met != colours || had != 11*(n%2) {
			t.Errorf("%d players: %d games, %d opponents, %d byes", n, colours, met, had)
		}
	}
}

// checkGroups: between those who have more than some points and the others there
// are no more games than must be, where that is known without trying all pairings:
// those above are an odd number, and one of them floats; or even, and nobody does.
// Where the best of them have all met, more may have to.
func checkGroups(t *testing.T, name string, entries []Entry, pairs []Pair) {
	t.Helper()
	levels := map[int]bool{}
	for _, e := range entries {
		levels[e.Points] = true
	}
	for level := range levels {
		above, floats := 0, 0
		for _, e := range entries {
			if e.Points >= level {
				above++
			}
		}
		for _, p := range pairs {
			if p.Black == None {
				if entries[p.White].Points >= level {
					above--
				}
				continue
			}
			if (entries[p.White].Points >= level) != (entries[p.Black].Points >= level) {
				floats++
			}
		}
		// Of so many there is always a pairing without rematches.
		if most := above % 2; above > 2*len(entries[0].Met)+4 && floats != most {
			t.Errorf("%s: %d have %d half points or more, and %d of them float down", name, above, level, floats)
		}
	}
}

// BenchmarkSwissOfTwoHundred pairs the ninth round of 200 players.
func BenchmarkSwissOfTwoHundred(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 6))
	entries := make([]Entry, 200)
	for range 8 {
		for _, p := range Swiss(entries, Black) {
			white, black := chance(random, p)
			play(entries, p, white, black)
		}
	}
	for b.Loop() {
		Swiss(entries, Black)
	}
}

// TestSwissWithoutAWayOut: three pairs who have all met but among themselves can
// only be paired again.
func TestSwissWithoutAWayOut(t *testing.T) {
	entries := make([]Entry, 6)
	for i := range entries {
		for j := range entries {
			if i%2 != j%2 {
				entries[i].Met = append(entries[i].Met, j)
			}
		}
	}
	pairs := Swiss(entries, White)
	seen, rematches := map[int]bool{}, 0
	for _, p := range pairs {
		seen[p.White], seen[p.Black] = true, true
		if p.White%2 != p.Black%2 {
			rematches++
		}
	}
	if len(pairs) != 3 || len(seen) != 6 || rematches != 1 {
		t.Errorf("got %v", pairs)
	}
	if got := Swiss([]Entry{{Out: true}, {}}, White); !reflect.DeepEqual(got, []Pair{{1, None}}) {
		t.Errorf("one who is left: got %v", got)
	}
}

// TestTable: a round robin of four by hand. A and B are level with 2 points; A
// beat B.
func TestTable(t *testing.T) {
	games := []Game{
		{0, 1, 2, 0, true}, {2, 3, 1, 1, true}, // A beat B, C and D drew
		{0, 2, 0, 2, true}, {1, 3, 2, 0, true}, // C beat A, B beat D
		{0, 3, 2, 0, true}, {1, 2, 2, 0, true}, // A beat D, B beat C
	}
	got := Table(4, 3, games, []string{DirectEncounter, SonnebornBerger, Wins})
	want := []Standing{
		{Player: 0, Place: 1, Points: 4, Wins: 2, Games: 3, Breaks: []int{4, 2*4 + 2*1, 8}},
		{Player: 1, Place: 2, Points: 4, Wins: 2, Games: 3, Breaks: []int{0, 2*3 + 2*1, 8}},
		{Player: 2, Place: 3, Points: 3, Wins: 1, Games: 3, Breaks: []int{0, 2*4 + 1, 4}},
		{Player: 3, Place: 4, Points: 1, Wins: 0, Games: 3, Breaks: []int{0, 3, 0}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	// Buchholz with a bye: the round without a game counts as the own points.
	swiss := Table(3, 2, []Game{{0, 1, 2, 0, true}, {2, None, 2, 0, false}, {0, 2, 1, 1, true}, {1, None, 2, 0, false}}, []string{Buchholz, BuchholzCut1})
	wantBreaks := [][]int{{2 * (3 + 3), 2 * 3}, {2 * (2 + 3), 2 * 3}, {2 * (3 + 2), 2 * 3}}
	for i, s := range swiss {
		if !slices.Equal(s.Breaks, wantBreaks[i]) {
			t.Errorf("place %d, player %d: got %v, want %v", s.Place, s.Player, s.Breaks, wantBreaks[i])
		}
	}
}
