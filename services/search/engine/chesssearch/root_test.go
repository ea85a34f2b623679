package chesssearch

import (
	"testing"

	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/core"
)

// TestAFoundMoveIsKeptWhereItsWindowIsStopped: a move that came out better than was
// expected, and whose true value a search is stopped at, is still the one found.
func TestAFoundMoveIsKeptWhereItsWindowIsStopped(t *testing.T) {
	const fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1" // g3g6 mates
	begin := func() *searcher {
		k := new(kept)
		s := &k.searcher
		s.begin(k, parse(t, fen), nil, core.Limits{}, core.Full(), core.NewTable(1<<20))
		for s.depth = 1; s.depth < 5; s.depth++ {
			s.iterate(0)
		}
		s.root[0].score = -900 // so that the first window fails high
		return s
	}
	// How much the first window takes, and what it finds.
	s := begin()
	before := s.nodes
	if value := s.sweep(0, s.depth, -914, -886); value < -886 {
		t.Fatalf("the window did not fail high: %d", value)
	}
	s.sort(0)
	first, found := s.nodes-before, s.root[0].move
	stopped := 0
	for more := uint64(1); more < 4000; more += 100 {
		s := begin()
		s.limits.Nodes = s.nodes + first + more
		s.iterate(0)
		if !s.stopped {
			break
		}
		stopped++
		if s.root[0].score < -886 || more < 100 && s.root[0].move != found {
			t.Errorf("stopped %d nodes into the second window: %v at %d, want %v", more, s.root[0].move, s.root[0].score, found)
		}
		seen := map[chess.Move]bool{}
		for _, r := range s.root {
			seen[r.move] = true
		}
		if len(seen) != len(s.root) {
			t.Fatalf("%d moves of %d are left", len(seen), len(s.root))
		}
	}
	if stopped < 2 {
		t.Errorf("only %d searches were stopped in the second window", stopped)
	}
}

// TestOneLegalMoveIsSearchedWhereItsValueIsWanted: for analysis.
func TestOneLegalMoveIsSearchedWhereItsValueIsWanted(t *testing.T) {
	r := find(t, "k7/8/1R6/8/8/8/8/K6R b - - 0 1", core.Limits{Depth: 6, Whole: true}, core.Full())
	if r.Move != "a8a7" || r.Depth < 2 || !core.IsLoss(r.Score) {
		t.Errorf("%+v", r)
	}
}
