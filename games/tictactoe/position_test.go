package tictactoe

import (
	"encoding/json"
	"os"
	"testing"

	"tabuleiro/games"
)

// counts is one line of published m,n,k figures, the fields that a walk over
// all positions and games can prove.
type counts struct {
	Positions    int      `json:"positions"`
	PositionsSym int      `json:"positions_up_to_symmetry"`
	Terminal     int      `json:"terminal"`
	TerminalSym  int      `json:"terminal_sym"`
	XWins        int      `json:"x_wins"`
	OWins        int      `json:"o_wins"`
	Draws        int      `json:"draws"`
	XWinsSym     int      `json:"x_wins_sym"`
	OWinsSym     int      `json:"o_wins_sym"`
	DrawsSym     int      `json:"draws_sym"`
	Games        int      `json:"games"`
	GamesX       int      `json:"games_x"`
	GamesO       int      `json:"games_o"`
	GamesDraw    int      `json:"games_draw"`
	Perft        []uint64 `json:"perft"`
	Value        int      `json:"value_for_first_player"`
}

func publishedCounts(t testing.TB) counts {
	t.Helper()
	data, err := os.ReadFile("testdata/mnk333.json")
	if err != nil {
		t.Fatal(err)
	}
	var c counts
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// reachable are all positions of play.
func reachable() map[Position]bool {
	seen := map[Position]bool{}
	var walk func(Position)
	walk = func(p Position) {
		if seen[p] {
			return
		}
		seen[p] = true
		for m := p.Moves(); m != 0; m = m.Rest() {
			walk(p.Play(m.First()))
		}
	}
	walk(Position{})
	return seen
}

func TestCountsOfAllPositionsAndGames(t *testing.T) {
	want := publishedCounts(t)
	all := reachable()
	classes := map[Position]bool{}
	for p := range all {
		class, _ := p.Canonical()
		classes[class] = true
	}
	ends := func(set map[Position]bool) (terminal, x, o, draws int) {
		for p := range set {
			if !p.Over() {
				continue
			}
			terminal++
			switch s, won := p.Winner(); {
			case !won:
				draws++
			case s == games.First:
				x++
			default:
				o++
			}
		}
		return terminal, x, o, draws
	}
	got := counts{Positions: len(all), PositionsSym: len(classes)}
	got.Terminal, got.XWins, got.OWins, got.Draws = ends(all)
	got.TerminalSym, got.XWinsSym, got.OWinsSym, got.DrawsSym = ends(classes)

	var play func(Position)
	play = func(p Position) {
		if p.Over() {
			got.Games++
			switch s, won := p.Winner(); {
			case !won:
				got.GamesDraw++
			case s == games.First:
				got.GamesX++
			default:
				got.GamesO++
			}
			return
		}
		for m := p.Moves(); m != 0; m = m.Rest() {
			play(p.Play(m.First()))
		}
	}
	play(Position{})
	got.Value = value(Position{})

	perft := want.Perft
	want.Perft = nil
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	if string(a) != string(b) {
		t.Errorf("counts:\ngot  %s\nwant %s", a, b)
	}
	for i, n := range perft {
		if got := Perft(Position{}, i+1); got != n {
			t.Errorf("perft %d: got %d, want %d", i+1, got, n)
		}
	}
	if got := Perft(Position{}, 0); got != 1 {
		t.Errorf("perft 0: got %d, want 1", got)
	}
	if got := Perft(Position{}, 10); got != 0 {
		t.Errorf("perft 10: got %d, want 0", got)
	}
}

// value is the result of best play for the side to move: 1, 0 or -1.
func value(p Position) int {
	if p.Over() {
		if _, won := p.Winner(); won {
			return -1
		}
		return 0
	}
	best := -1
	for m := p.Moves(); m != 0; m = m.Rest() {
		best = max(best, -value(p.Play(m.First())))
	}
	return best
}

func TestTextRoundTripsEveryPosition(t *testing.T) {
	for p := range reachable() {
		q, err := Parse(p.Text())
		if err != nil || q != p {
			t.Fatalf("%q reads as %v (%v), want %v", p.Text(), q, err, p)
		}
	}
}

// TestValidationAcceptsExactlyTheReachable checks every placement of marks.
func TestValidationAcceptsExactlyTheReachable(t *testing.T) {
	all := reachable()
	valid := 0
	for x := Mask(0); x <= full; x++ {
		for o := Mask(0); o <= full; o++ {
			for _, side := range []games.Side{games.First, games.Second} {
				p, err := Setup{x, o, side}.Position()
				if reach := all[Position{x, o}] && (Position{x, o}).Side() == side; reach != (err == nil) {
					t.Fatalf("x %o, o %o, side %d: reachable %v, error %v", x, o, side, reach, err)
				}
				if err == nil {
					valid++
					if p != (Position{x, o}) {
						t.Fatalf("x %o, o %o became %v", x, o, p)
					}
				}
			}
		}
	}
	if valid != len(all) {
		t.Errorf("%d valid positions, want %d", valid, len(all))
	}
}

// TestCanWinIsNeverFalseForAWinner plays every game and holds that whoever won
// could have won all along.
func TestCanWinIsNeverFalseForAWinner(t *testing.T) {
	type wins struct{ x, o bool }
	memo := map[Position]wins{}
	var walk func(Position) wins
	walk = func(p Position) wins {
		if w, ok := memo[p]; ok {
			return w
		}
		var w wins
		if s, won := p.Winner(); won {
			w = wins{s == games.First, s == games.Second}
		}
		for m := p.Moves(); m != 0; m = m.Rest() {
			next := walk(p.Play(m.First()))
			w.x, w.o = w.x || next.x, w.o || next.o
		}
		memo[p] = w
		return w
	}
	walk(Position{})
	for p, w := range memo {
		if p.Over() {
			continue
		}
		if w.x && !p.CanWin(games.First) || w.o && !p.CanWin(games.Second) {
			t.Errorf("%s: can win %v %v, but games are won by %+v", p.Text(), p.CanWin(games.First), p.CanWin(games.Second), w)
		}
	}
}

func BenchmarkPerft(b *testing.B) {
	for b.Loop() {
		Perft(Position{}, 9)
	}
}
