package draughtssearch

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/core"
	"tabuleiro/services/search/engine/draughtseval"
)

const startText = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"

// open reads a position after moves under a draw set.
func open(t testing.TB, draws, text string, moves ...string) *Problem {
	t.Helper()
	p := games.Position{Rules: "draughts", Draws: draws, Text: text}
	for _, m := range moves {
		_, r, err := draughts.Game{}.Apply(p, m)
		if err != nil {
			t.Fatalf("%s after %v: %v", m, p, err)
		}
		p = r.Position
	}
	pos, counts, past, err := draughts.Game{}.Past(p)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return New(pos, counts, past, nil)
}

// random gives positions from games by lot, kings among them.
func random(n int) []draughts.Position {
	rng := rand.New(rand.NewPCG(3, 4))
	var list draughts.MoveList
	var out []draughts.Position
	for len(out) < n {
		p := draughts.Start()
		for range 10 + rng.IntN(90) {
			p.Legal(&list)
			if len(list) == 0 {
				break
			}
			p = p.Play(list[rng.IntN(len(list))])
		}
		if p.Legal(&list); len(list) > 1 {
			out = append(out, p)
		}
	}
	return out
}

// minimax is the value of a position by looking at everything: written apart,
// with nothing of the search but its evaluation.
func minimax(p draughts.Position, c draughts.Counts, path []uint64, depth, ply int) int {
	var list draughts.MoveList
	p.Legal(&list)
	if len(list) == 0 {
		return ply - core.Win
	}
	if ply > 0 && (c.Drawn(&p) || slices.Contains(path, p.Hash())) {
		return 0
	}
	if depth <= 0 && !p.MustCapture() {
		k := draughtseval.PatternsOf(&p)
		return draughtseval.Damp(&p, draughtseval.Evaluate(&p, &k))
	}
	best := -core.Infinity
	for _, m := range list {
		q := p.Play(m)
		best = max(best, -minimax(q, c.After(&p, m, &q), append(path, p.Hash()), depth-1, ply+1))
	}
	return best
}

func TestPlainSearchIsMinimax(t *testing.T) {
	for _, p := range random(150) {
		depth := 4
		if p.Occupied().Count() < 8 {
			depth = 3
		}
		want := minimax(p, draughts.Counts{}, nil, depth, 0)
		for name, opts := range map[string]core.Options{
			"plain":      {Exact: true},
			"aspiration": {Exact: true, Aspiration: true, Killers: true, Counters: true, Histories: true},
		} {
			got := New(p, draughts.Counts{}, nil, nil).Search(core.Limits{Depth: depth}, opts, core.NewTable(1<<18))
			if got.Score != want && !(core.IsWin(want) && core.IsWin(got.Score)) && !(core.IsLoss(want) && core.IsLoss(got.Score)) {
				t.Errorf("%s, %s: %d, want %d", name, p.Text(), got.Score, want)
			}
		}
	}
}

func TestLinesCanBePlayed(t *testing.T) {
	for _, p := range random(40) {
		got := New(p, draughts.Counts{}, nil, nil).Search(core.Limits{Nodes: 4000}, core.Full(), core.NewTable(1<<18))
		at := games.Position{Rules: "draughts", Text: p.Text()}
		if len(got.Line) == 0 || got.Line[0] != got.Move {
			t.Fatalf("%s: %+v", p.Text(), got)
		}
		for _, m := range got.Line {
			_, r, err := draughts.Game{}.Apply(at, m)
			if err != nil {
				t.Fatalf("%s: %v: %s: %v", p.Text(), got.Line, m, err)
			}
			at = r.Position
		}
	}
}

func TestOddPositions(t *testing.T) {
	for _, text := range []string{
		"W:WKa1,Kc1,Ke1,Kg1,Kb2,Kd2,Kf2,Kh2,Ka3,Kc3,Ke3,Kg3:BKb6,Kd6,Kf6,Kh6,Ka7,Kc7,Ke7,Kg7,Kb8,Kd8,Kf8,Kh8",
		"W:WKa1,Kc1,Ke1,Kg1,Kb2,Kd2,Kf2,Kh2,Ka3,Kc3,Ke3,Kg3:Bb6",
		"B:WKd4:BKa1,Kh8,Kb8,Kg1",
		"W:Wa1:Bh8", "W:Wa3,h2:Bb4,c5", "B:WKh8:Ba3",
		"W:Wa7,c7,e7,g7:Bb2,d2,f2,h2",
	} {
		p := open(t, "", text)
		for _, depth := range []int{1, 7, core.MaxDepth} {
			got := p.Search(core.Limits{Depth: depth, Nodes: 30_000}, core.Full(), core.NewTable(1<<18))
			if got.Move == "" || got.Score < -core.Win || got.Score > core.Win {
				t.Errorf("%s: %+v", text, got)
			}
		}
	}
}

func TestOneMoveIsAnsweredAtOnce(t *testing.T) {
	got := open(t, "", "W:Wc3,a1:Bd4,h8").Search(core.Limits{}, core.Full(), core.NewTable(1<<16))
	if got.Move != "c3xe5" || got.Depth != 1 || !got.Complete || got.Nodes > 100 {
		t.Errorf("%+v", got)
	}
}

// Who could claim a draw is not shown a win that comes after it.
func TestDraws(t *testing.T) {
	// Two kings against one: ten plies of it let a draw be claimed.
	shuffle := []string{"a1-b2", "h4-g3", "b2-a1", "g3-h4"}
	moves := slices.Concat(shuffle, shuffle)
	p := open(t, "", "W:WKa1,Ka7:BKh4", moves...)
	if got := p.Search(core.Limits{Depth: 6}, core.Full(), core.NewTable(1<<18)); got.Score != 0 {
		t.Errorf("after eight plies: %+v, want a draw", got)
	}
	fresh := open(t, "", "W:WKa1,Ka7:BKh4")
	if got := fresh.Search(core.Limits{Depth: 2}, core.Full(), core.NewTable(1<<18)); got.Score <= 0 {
		t.Errorf("from the start: %+v, want something for the second king", got)
	}
}

// Positions with one thread and a node limit always give the same, and how many
// nodes a depth takes changes only with the search or its weights.
func TestDeterministic(t *testing.T) {
	for _, c := range []struct {
		text  string
		depth int
		nodes uint64
	}{
		{startText, 11, 73767},
		{"W:Wa1,c1,e1,g3,h4,c5:Bb8,f8,h8,e7,h6,e5", 11, 27722},
		{"B:Wa3,e1,Ka1:Bb8,h6,Kg1", 9, 19868},
	} {
		p := open(t, "", c.text)
		first := p.Search(core.Limits{Depth: c.depth}, core.Full(), core.NewTable(1<<20))
		again := p.Search(core.Limits{Depth: c.depth}, core.Full(), core.NewTable(1<<20))
		if first.Nodes != again.Nodes || first.Score != again.Score || !slices.Equal(first.Line, again.Line) {
			t.Errorf("%s: %+v, then %+v", c.text, first, again)
		}
		if first.Nodes != c.nodes {
			t.Errorf("%s: %d nodes to depth %d, pinned %d", c.text, first.Nodes, c.depth, c.nodes)
		}
		limited := p.Search(core.Limits{Nodes: 5000}, core.Full(), core.NewTable(1<<20))
		if limited.Nodes > 5001 {
			t.Errorf("%s: %d nodes, the limit was 5000", c.text, limited.Nodes)
		}
	}
}

func TestHelpersShareATable(t *testing.T) {
	table := core.NewTable(1 << 18)
	var wg sync.WaitGroup
	for helper := range 3 {
		wg.Go(func() {
			opts := core.Full()
			opts.Helper = helper
			got := open(t, "", startText).Search(core.Limits{Nodes: 40_000}, opts, table)
			if got.Depth < 6 {
				t.Errorf("helper %d: %+v", helper, got)
			}
		})
	}
	wg.Wait()
}

func TestOnlyAndEnough(t *testing.T) {
	p := open(t, "", startText)
	asked := 0
	got := p.Search(core.Limits{Only: []string{"a3-b4", "none"}, Enough: func(r core.Report) bool { asked++; return r.Depth == 5 }},
		core.Full(), core.NewTable(1<<18))
	if got.Move != "a3-b4" {
		t.Errorf("%+v", got)
	}
	got = p.Search(core.Limits{Enough: func(r core.Report) bool { asked++; return r.Depth == 5 }}, core.Full(), core.NewTable(1<<18))
	if asked < 5 || got.Depth != 5 {
		t.Errorf("asked %d times: %+v", asked, got)
	}
}

// Combinations: each is a position and the move that begins to win men by
// force. A line of testdata/shots.tsv is the position, the move and its gain.
func TestFindsShots(t *testing.T) {
	data, err := os.ReadFile("testdata/shots.tsv")
	if err != nil {
		t.Fatal(err)
	}
	found, all := 0, 0
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 3 {
			t.Fatalf("%q", line)
		}
		all++
		got := open(t, "", fields[0]).Search(core.Limits{Nodes: 20_000}, core.Full(), core.NewTable(1<<20))
		if got.Move == fields[1] {
			found++
		} else {
			t.Logf("%s: %v with %d, want %s", fields[0], got.Line, got.Score, fields[1])
		}
	}
	if found*100 < all*95 {
		t.Errorf("%d of %d found", found, all)
	}
}

// Lines are different moves, the best first, and the first is what a search for
// one finds.
func TestLines(t *testing.T) {
	p := open(t, "", startText)
	var last []core.Report
	opts := core.Full()
	opts.Lines = 3
	opts.Report = func(r core.Report) {
		if r.Index == 0 {
			last = last[:0]
		}
		last = append(last, r)
	}
	got := p.Search(core.Limits{Depth: 7}, opts, core.NewTable(1<<20))
	if len(last) != 3 || got.Move != last[0].Line[0] || got.Depth != 7 {
		t.Fatalf("%+v, reports %+v", got, last)
	}
	seen := map[string]bool{}
	for i, r := range last {
		if r.Index != i || r.Lines != 3 || r.Depth != 7 || seen[r.Line[0]] || i > 0 && r.Score > last[i-1].Score {
			t.Errorf("line %d: %+v", i, r)
		}
		seen[r.Line[0]] = true
	}
}

// TestEverySwitchTurns: what is offered for draughts changes its search, and what is
// not offered changes nothing.
func TestEverySwitchTurns(t *testing.T) {
	nodes := func(opts core.Options) uint64 {
		var sum uint64
		for _, text := range []string{startText, "W:Wa1,c1,e1,g3,h4,c5:Bb8,f8,h8,e7,h6,e5", "B:Wa3,e1,Ka1:Bb8,h6,Kg1"} {
			sum += open(t, "", text).Search(core.Limits{Depth: 13}, opts, core.NewTable(1<<20)).Nodes
		}
		return sum
	}
	full := core.Full()
	base := nodes(full)
	offered := map[string]bool{}
	for _, s := range full.SwitchesOf("draughts") {
		offered[s.Name] = true
	}
	for i, s := range full.Switches() {
		opts := core.Full()
		*opts.Switches()[i].On = false
		if changed := nodes(opts) != base; changed != offered[s.Name] {
			t.Errorf("%s is offered: %v, changes the search: %v", s.Name, offered[s.Name], changed)
		}
	}
}
