package engine

import (
	"errors"
	"slices"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
)

const startDraughts = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"

func open(t testing.TB, rules, text string) Problem {
	t.Helper()
	p, err := Open(games.Position{Rules: rules, Text: text})
	if err != nil {
		t.Fatalf("%s %q: %v", rules, text, err)
	}
	return p
}

func gameOf(rules string) games.Game {
	switch rules {
	case "chess":
		return chess.Game{}
	case "draughts":
		return draughts.Game{}
	}
	return nil
}

// after plays moves from a position and gives the last position with its
// history.
func after(t testing.TB, p games.Position, moves ...string) games.Position {
	t.Helper()
	for _, m := range moves {
		_, r, err := gameOf(p.Rules).Apply(p, m)
		if err != nil {
			t.Fatalf("%q after %v: %v", m, p, err)
		}
		p = r.Position
	}
	return p
}

func TestFindsMates(t *testing.T) {
	for _, c := range []struct {
		text, move string
		plies      int
	}{
		{"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1},
		{"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", "h5f7", 1},
		{"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 3},
		{"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 5},
	} {
		for _, opts := range []Options{{Exact: true}, Full()} {
			p := open(t, "chess", c.text)
			depth := 6
			if !opts.Exact {
				depth = 14 // A sacrifice is pruned at first.
			}
			got := p.Search(Limits{Depth: depth}, opts, NewTable(1<<22))
			if got.Move != c.move || got.Score != Win-c.plies {
				t.Errorf("%s exact %v: %s with %d, want %s with %d", c.text, opts.Exact, got.Move, got.Score, c.move, Win-c.plies)
			}
			if len(got.Line) != c.plies {
				t.Errorf("%s: the line %v has not %d plies", c.text, got.Line, c.plies)
			}
		}
	}
}

func TestGameOver(t *testing.T) {
	for _, p := range []games.Position{
		{Rules: "chess", Text: "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"},
		{Rules: "chess", Text: "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"},
		{Rules: "chess", Text: "7k/8/6K1/8/8/8/8/8 b - - 0 1"},
		{Rules: "draughts", Text: "W:W:Ba7"},
		{Rules: "tictactoe", Text: "xxx/oo1/3 o"},
		{Rules: "tictactoe", Text: "xox/xxo/oxo o"},
	} {
		if _, err := Open(p); !errors.Is(err, ErrGameOver) {
			t.Errorf("%v: %v, want ErrGameOver", p, err)
		}
	}
}

func TestOpenRefusesWhatIsNoPosition(t *testing.T) {
	for _, p := range []games.Position{
		{Rules: "chess", Text: "not a position"},
		{Rules: "chess", Text: "8/8/8/8/8/8/8/8 w - - 0 1"},
		{Rules: "draughts", Text: "W:Wb1:Ba7"},
		{Rules: "tictactoe", Text: "xxx/3/3 o"},
		{Rules: "go", Text: ""},
		{Rules: "chess", Text: chess.StartFEN, History: "1.2.3"},
	} {
		var invalid *games.Invalid
		if _, err := Open(p); !errors.As(err, &invalid) {
			t.Errorf("%v: %v, want *games.Invalid", p, err)
		}
	}
}

func TestOneLegalMoveIsAnsweredAtOnce(t *testing.T) {
	p := open(t, "draughts", "W:Wc3,a1:Bd4,h8")
	got := p.Search(Limits{}, Full(), NewTable(1<<16))
	if got.Move != "c3xe5" || got.Depth != 1 || !got.Complete || got.Score < 20 {
		t.Errorf("%+v", got)
	}
}

func TestStopAtOnceStillAnswers(t *testing.T) {
	for _, c := range [][2]string{{"chess", chess.StartFEN}, {"draughts", startDraughts}} {
		p := open(t, c[0], c[1])
		for _, opts := range []Options{Full(), {Exact: true}} {
			got := p.Search(Limits{Nodes: 1}, opts, NewTable(1<<16))
			if !slices.Contains(p.Moves(), got.Move) || got.Complete || !slices.Equal(got.Line, []string{got.Move}) {
				t.Errorf("%s: %+v", c[0], got)
			}
			got = p.Search(Limits{Stop: func(uint64) bool { return true }}, opts, NewTable(1<<16))
			if !slices.Contains(p.Moves(), got.Move) || got.Complete {
				t.Errorf("%s: %+v", c[0], got)
			}
		}
	}
	// Tic-tac-toe is played to its end all the same: it must never lose.
	p := open(t, "tictactoe", "3/3/3 x")
	got := p.Search(Limits{Nodes: 1, Stop: func(uint64) bool { return true }}, Full(), NewTable(1<<16))
	if !got.Complete || got.Depth != 9 || got.Score != 0 || got.Nodes > 50_000 {
		t.Errorf("tic-tac-toe: %+v", got)
	}
}

// Values pinned: whoever changes the search or an evaluation sees it here.
func TestSameSeedSameNodesSameAnswer(t *testing.T) {
	for _, c := range [][2]string{
		{"chess", "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"},
		{"draughts", startDraughts},
	} {
		p := open(t, c[0], c[1])
		for _, seed := range []int32{0, 1, -7} {
			opts := Full()
			opts.Seed = seed
			a := p.Search(Limits{Nodes: 30_000}, opts, NewTable(1<<20))
			b := p.Search(Limits{Nodes: 30_000}, opts, NewTable(1<<20))
			if a.Move != b.Move || a.Score != b.Score || a.Depth != b.Depth || a.Nodes != b.Nodes || !slices.Equal(a.Line, b.Line) {
				t.Errorf("%s: %+v and then %+v", c[0], a, b)
			}
			if !slices.Equal(p.Line(a.Line), a.Line) {
				t.Errorf("%s: the line %v cannot be played", c[0], a.Line)
			}
		}
	}
}

func TestSeedDrawsAmongAllEqualMoves(t *testing.T) {
	// Both rooks mate on the eighth rank.
	p := open(t, "chess", "7k/8/6K1/8/8/8/8/RR6 w - - 0 1")
	drawn := map[string]bool{}
	var equal []string
	for seed := range int32(40) {
		r := p.Search(Limits{Depth: 4}, Options{Exact: true, Seed: seed}, NewTable(1<<20))
		if seed == 0 {
			equal = r.Equal
		} else if !slices.Equal(equal, r.Equal) {
			t.Fatalf("seed %d: equal moves %v, before %v", seed, r.Equal, equal)
		}
		if !slices.Contains(r.Equal, r.Move) {
			t.Fatalf("%s is not among %v", r.Move, r.Equal)
		}
		drawn[r.Move] = true
	}
	if len(equal) < 2 || len(drawn) != len(equal) {
		t.Errorf("drawn %v of %v", drawn, equal)
	}
}

// Black is lost but for checks without end. Where they came twice already, one
// ply shows the draw; before that, the search must see the circle itself.
func TestRepeatsToDraw(t *testing.T) {
	p := games.Position{Rules: "chess", Text: "5rk1/5ppp/8/8/8/7q/PPP2P2/R1Q2RK1 b - - 0 1"}
	r := openPosition(t, p).Search(Limits{Depth: 10}, Full(), NewTable(1<<22))
	if r.Score != 0 || r.Move != "h3g4" {
		t.Errorf("%+v", r)
	}
	p = after(t, p, "h3g4", "g1h1", "g4f3", "h1g1", "f3g4", "g1h1", "g4f3", "h1g1")
	r = openPosition(t, p).Search(Limits{Depth: 1}, Options{Exact: true}, NewTable(1<<16))
	if r.Score != 0 || r.Move != "f3g4" {
		t.Errorf("%+v", r)
	}
	p.History = ""
	if r = openPosition(t, p).Search(Limits{Depth: 1}, Options{Exact: true}, NewTable(1<<16)); r.Score > -200 {
		t.Errorf("without its past: %+v", r)
	}
}

// White, far ahead, must not let the fiftieth move pass.
func TestCountersEndInDraws(t *testing.T) {
	p := open(t, "chess", "7k/8/8/8/8/8/R7/K7 w - - 99 90")
	if r := p.Search(Limits{Depth: 3}, Options{Exact: true}, NewTable(1<<16)); r.Score != 0 {
		t.Errorf("%+v", r)
	}
	p = open(t, "chess", "7k/R7/6K1/8/8/8/8/8 w - - 99 90")
	if r := p.Search(Limits{Depth: 3}, Options{Exact: true}, NewTable(1<<16)); r.Score != Win-1 {
		t.Errorf("mate comes before the draw: %+v", r)
	}
	// Two kings against one: after five moves each a draw may be claimed. The
	// history says that four are over.
	q := games.Position{Rules: "draughts", Text: "W:WKc1,Ke1:BKh8", History: "8.0.0."}
	if r := openPosition(t, q).Search(Limits{Depth: 4}, Options{Exact: true}, NewTable(1<<16)); r.Score != 0 {
		t.Errorf("two plies before the claim: %+v", r)
	}
	q.History = ""
	if r := openPosition(t, q).Search(Limits{Depth: 4}, Options{Exact: true}, NewTable(1<<16)); r.Score <= 0 {
		t.Errorf("with all the time: %+v", r)
	}
}

// The classic levels' answers at the start, pinned: whoever changes the search
// or an evaluation must see that values changed.
func TestPinnedValues(t *testing.T) {
	for _, c := range []struct {
		rules, text string
		depth       int
		score       int
		equal       []string
	}{
		{"chess", chess.StartFEN, 2, 29, []string{"g1f3"}},
		{"draughts", startDraughts, 4, 1, []string{"c3-d4"}},
	} {
		r := open(t, c.rules, c.text).Search(Limits{Depth: c.depth}, Options{Exact: true}, NewTable(1<<20))
		if r.Score != c.score || !slices.Equal(r.Equal, c.equal) {
			t.Errorf("%s at %d plies: %d by %v, want %d by %v", c.rules, c.depth, r.Score, r.Equal, c.score, c.equal)
		}
	}
}

// An exact search must not depend on what the table happens to keep: one that
// keeps nearly nothing gives the same values and the same equal moves.
func TestExactWhateverTheTableKeeps(t *testing.T) {
	for _, c := range []struct {
		rules, text string
		depth       int
	}{
		{"chess", chess.StartFEN, 5},
		{"chess", "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9", 4},
		{"chess", "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50", 6},
		{"chess", "6k1/5ppp/8/8/8/7q/PPP2P2/R1Q2RK1 b - - 0 1", 6},
		// In these, moves that transpose leave different positions to repeat.
		{"chess", "8/4R1N1/k7/8/K7/8/8/3r2n1 w - - 0 90", 6},
		{"chess", "5K2/r7/8/8/4k3/8/8/2R5 w - - 0 90", 6},
		{"chess", "8/8/8/8/3k4/5r2/8/2K1R3 w - - 0 90", 6},
		{"draughts", startDraughts, 8},
		{"draughts", "W:WKc1,Ke1,a5:BKa1,Kh8,b8", 6},
	} {
		p := open(t, c.rules, c.text)
		large := p.Search(Limits{Depth: c.depth}, Options{Exact: true}, NewTable(1<<23))
		small := p.Search(Limits{Depth: c.depth}, Options{Exact: true}, NewTable(1))
		if large.Score != small.Score || !slices.Equal(large.Equal, small.Equal) || large.Move != small.Move {
			t.Errorf("%s at %d: %d by %v, with a small table %d by %v", c.text, c.depth, large.Score, large.Equal, small.Score, small.Equal)
		}
	}
}

// Whole games from random openings at a few nodes a move: the search meets
// every kind of end and never fails to give a legal move.
func TestPlaysWholeGames(t *testing.T) {
	table := NewTable(1 << 18)
	for _, start := range []games.Position{{Rules: "chess", Text: chess.StartFEN}, {Rules: "draughts", Text: startDraughts}, {Rules: "draughts", Text: startDraughts, Draws: "fmjd64"}} {
		for seed := range int32(6) {
			r, err := gameOf(start.Rules).Rule(start)
			if err != nil {
				t.Fatal(err)
			}
			for ply := 0; r.Outcome == nil && ply < 200; ply++ {
				opts := Full()
				opts.Exact = seed%2 == 0
				opts.Seed = seed + int32(ply)
				table.Age()
				got := openPosition(t, r.Position).Search(Limits{Nodes: 300, Depth: 2 * int(1-seed%2)}, opts, table)
				if _, r, err = gameOf(start.Rules).Apply(r.Position, got.Move); err != nil {
					t.Fatalf("%q in %v: %v", got.Move, r.Position, err)
				}
			}
		}
	}
}

// Boards on which captures hardly end: quiescence must stop when told to.
func TestStopsInCrowdedPositions(t *testing.T) {
	for _, c := range [][2]string{
		{"chess", "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1"},
		{"chess", "6nk/6pp/1q1q1q2/Q1Q1Q1Q1/1q1q1q1q/Q1Q1Q1Q1/PP6/KN6 w - - 0 1"},
		{"draughts", "W:WKa1,Kc1,Ke1,Kg1,Kb2,Kd2,Kf2,Kh2:BKa7,Kc7,Ke7,Kg7,Kb8,Kd8,Kf8,Kh8"},
	} {
		p := open(t, c[0], c[1])
		for _, opts := range []Options{Full(), {Exact: true}} {
			got := p.Search(Limits{Nodes: 50_000}, opts, NewTable(1<<18))
			if !slices.Contains(p.Moves(), got.Move) || got.Nodes > 50_001 {
				t.Errorf("%s: %+v", c[1], got)
			}
		}
	}
}

// The table must tell positions apart whose counters could soon differ.
func TestCountersNearTheirEnd(t *testing.T) {
	var r chessRules
	for _, c := range []struct {
		halfmove string
		plies    int
		near     bool
	}{{"90", 5, false}, {"90", 8, true}, {"99", 0, true}, {"0", 97, false}} {
		p, err := chess.ReadFEN("7k/8/8/8/8/8/R7/K7 w - - " + c.halfmove + " 90")
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Counters(&p, c.plies) != 0; got != c.near {
			t.Errorf("%s plies without progress, %d to come: near is %v", c.halfmove, c.plies, got)
		}
	}
}

func TestDoesNotAllocateInTheTree(t *testing.T) {
	p := open(t, "chess", "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9")
	table := NewTable(1 << 20)
	allocs := func(nodes uint64) float64 {
		return testing.AllocsPerRun(3, func() { p.Search(Limits{Nodes: nodes}, Full(), table) })
	}
	if few, many := allocs(20_000), allocs(60_000); many > few+400 {
		t.Errorf("%v allocations for 20,000 nodes, %v for 60,000", few, many)
	}
}

func openPosition(t testing.TB, p games.Position) Problem {
	t.Helper()
	q, err := Open(p)
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	return q
}

func TestOnlyTheMovesAskedForAreSearched(t *testing.T) {
	p := open(t, "chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
	for _, opts := range []Options{{Exact: true}, Full()} {
		got := p.Search(Limits{Depth: 3, Only: []string{"e1e2", "e1d1", "z9z9"}}, opts, NewTable(1<<16))
		if got.Move != "e1e2" && got.Move != "e1d1" {
			t.Errorf("exact %v: %s was not asked for", opts.Exact, got.Move)
		}
		if got := p.Search(Limits{Depth: 3, Only: []string{"z9z9"}}, opts, NewTable(1<<16)); got.Move != "a1a8" {
			t.Errorf("exact %v: %s with no legal move asked for, want the best of all", opts.Exact, got.Move)
		}
	}
}

func TestEnoughEndsASearchAfterAnIteration(t *testing.T) {
	for rules, text := range map[string]string{"chess": chess.StartFEN, "draughts": startDraughts} {
		for _, opts := range []Options{{Exact: true}, Full()} {
			got := open(t, rules, text).Search(Limits{Enough: func(r Report) bool { return r.Depth == 4 }}, opts, NewTable(1<<20))
			if got.Depth != 4 {
				t.Errorf("%s exact %v: ended at depth %d, want 4", rules, opts.Exact, got.Depth)
			}
		}
	}
}

// TestF2HoldsUnderExact: the evaluation that is named is that of exact searches too.
func TestF2HoldsUnderExact(t *testing.T) {
	p := open(t, "draughts", startDraughts)
	own := p.Search(Limits{Depth: 5}, Options{Exact: true}, NewTable(1<<20))
	f2 := p.Search(Limits{Depth: 5}, Options{Exact: true, Evaluator: EvaluatorF2}, NewTable(1<<20))
	if own.Score == f2.Score && own.Nodes == f2.Nodes {
		t.Errorf("both are %+v", f2)
	}
	again := p.Search(Limits{Depth: 5}, Options{Exact: true, Evaluator: EvaluatorF2}, NewTable(1<<10))
	if again.Score != f2.Score {
		t.Errorf("with another table %+v, want %+v", again, f2)
	}
}
