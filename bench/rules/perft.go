package rules

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"tabuleiro/bench/measure"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
)

// count is a position of which the leaves are counted.
type count struct {
	name, text string
	depth      int
	nodes      uint64
	// times it is counted in a round, so that no part of a round is too short to
	// be timed.
	times int
}

// chessCount is a position with a depth for bulk counting and a lower one for
// playing every leaf, which takes as long for a tenth of them.
type chessCount struct{ bulk, leaf count }

// chessCounts are the six positions that everybody compares on.
func chessCounts() []chessCount {
	var out []chessCount
	for _, c := range []struct {
		name, text  string
		depth       int
		bulk        uint64
		times, less int
		leaf        uint64
		leafTimes   int
	}{
		{"start", chess.StartFEN, 6, 119060324, 1, 1, 4865609, 2},
		{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690, 1, 1, 4085603, 2},
		{"position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083, 3, 0, 11030083, 1},
		{"position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292, 3, 0, 15833292, 1},
		{"position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89941194, 1, 1, 2103487, 4},
		{"position 6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164075551, 1, 1, 3894594, 2},
	} {
		out = append(out, chessCount{
			bulk: count{c.name, c.text, c.depth, c.bulk, c.times},
			leaf: count{c.name, c.text, c.depth - c.less, c.leaf, c.leafTimes},
		})
	}
	return out
}

// draughtsCounts count distinct moves.
func draughtsCounts() []count {
	return []count{
		{"start", "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8", 10, 21560022, 1},
		{"four kings each", "W:WKa1,Kc1,Ke1,Kg1:BKb8,Kd8,Kf8,Kh8", 6, 7976515, 2},
		{"three kings to one", "W:WKc1,Ke1,Kg1:BKa1", 6, 1409172, 10},
	}
}

// perft compares the move generators with Stockfish's, in the same rounds and,
// in chess, on the same positions. Every count is checked.
func perft(cfg Config, run *measure.Run) (err error) {
	fish, err := startStockfish()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fish.stop()) }()
	run.Notes = append(run.Notes, "Perft: one thread, processor time, against "+fish.name+" from Debian (bulk counting), every count checked.")

	var s series
	for range cfg.Rounds {
		if err := perftRound(fish, &s); err != nil {
			return err
		}
	}
	run.Figures = append(run.Figures, s.figures(map[string][2]float64{
		"chess perft bulk / Stockfish, in all":            {0.6, 1.2},
		"chess perft leaf-make / Stockfish, in all":       {0.25, 0.35},
		"draughts perft bulk / Stockfish's chess, in all": {0.45, 0.9},
		"draughts perft bulk / Stockfish's chess, start":  {0.45, 0.9},
	})...)
	return nil
}

// perftRound counts everything once. Times are those of a node, so that in a sum
// every position weighs the same, whatever its depth.
func perftRound(fish *stockfish, s *series) error {
	var fishAll, bulkAll, leafAll float64
	positions := chessCounts()
	for _, c := range positions {
		p, err := chess.ReadFEN(c.bulk.text)
		if err != nil {
			return fmt.Errorf("%s: %w", c.bulk.name, err)
		}
		theirs, err := c.bulk.timed(func() (uint64, time.Duration, error) { return fish.perft(c.bulk.text, c.bulk.depth) })
		if err != nil {
			return fmt.Errorf("stockfish, %s: %w", c.bulk.name, err)
		}
		bulk, err := c.bulk.timed(own(func() uint64 { return chess.Perft(p, c.bulk.depth, true) }))
		if err != nil {
			return fmt.Errorf("chess, %s: %w", c.bulk.name, err)
		}
		leaf, err := c.leaf.timed(own(func() uint64 { return chess.Perft(p, c.leaf.depth, false) }))
		if err != nil {
			return fmt.Errorf("chess leaf by leaf, %s: %w", c.bulk.name, err)
		}
		s.add("chess perft bulk / Stockfish, "+c.bulk.name, "ratio", theirs/bulk)
		s.add("chess perft leaf-make / Stockfish, "+c.bulk.name, "ratio", theirs/leaf)
		fishAll, bulkAll, leafAll = fishAll+theirs, bulkAll+bulk, leafAll+leaf
	}
	s.add("chess perft bulk / Stockfish, in all", "ratio", fishAll/bulkAll)
	s.add("chess perft leaf-make / Stockfish, in all", "ratio", fishAll/leafAll)
	n := float64(len(positions))
	s.add("Stockfish's chess", "Mnodes/s", n/fishAll/1e6)
	s.add("chess perft bulk", "Mnodes/s", n/bulkAll/1e6)
	s.add("chess perft leaf-make", "Mnodes/s", n/leafAll/1e6)

	var all float64
	for _, c := range draughtsCounts() {
		p, err := draughts.Parse(c.text)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		used, err := c.timed(own(func() uint64 { return draughts.Perft(p, c.depth, false, true) }))
		if err != nil {
			return fmt.Errorf("draughts, %s: %w", c.name, err)
		}
		s.add("draughts perft bulk / Stockfish's chess, "+c.name, "ratio", fishAll/n/used)
		all += used
	}
	m := float64(len(draughtsCounts()))
	s.add("draughts perft bulk / Stockfish's chess, in all", "ratio", fishAll/n/(all/m))
	s.add("draughts perft bulk", "Mnodes/s", m/all/1e6)
	return nil
}

// timed is the seconds of processor time that a node takes.
func (c count) timed(counted func() (uint64, time.Duration, error)) (float64, error) {
	var spent time.Duration
	for range c.times {
		nodes, took, err := counted()
		if err != nil {
			return 0, err
		}
		if nodes != c.nodes {
			return 0, fmt.Errorf("counted %d leaves at depth %d, want %d", nodes, c.depth, c.nodes)
		}
		spent += took
	}
	return spent.Seconds() / float64(c.times) / float64(c.nodes), nil
}

// own times a count of ours. What the collector owes from before is paid first.
func own(counted func() uint64) func() (uint64, time.Duration, error) {
	return func() (nodes uint64, took time.Duration, err error) {
		runtime.GC()
		took, err = measure.Spent(func() error { nodes = counted(); return nil })
		return nodes, took, err
	}
}
