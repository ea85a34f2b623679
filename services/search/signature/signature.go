// Package signature searches fixed positions to a depth and counts the nodes, which
// only another search or evaluation changes, and the time that they take.
package signature

import (
	"fmt"
	"io"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/think"
)

// Bench is what is searched, by one thread.
type Bench struct {
	// Rules is chess or draughts.
	Rules string
	// Depth is in plies; 0 is the usual one of the game.
	Depth int
	// Hash is the size of the table in MiB, of which each position has a fresh one.
	Hash int
	// Options are the engine's switches.
	Options engine.Options
}

// positions are of all parts of a game; in chess open and closed, with and without
// queens, endings, a mate; in draughts with men alone and with kings.
func positions(rules string) (texts []string, depth int) {
	switch rules {
	case "chess":
		return []string{
			chess.StartFEN,
			"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
			"r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
			"rnbq1rk1/pp2ppbp/2pp1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R w KQ - 0 7",
			"r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/1BN1BN2/PP2QPPP/R2R2K1 b - - 0 14",
			"2rr2k1/1p3ppp/p1n1b3/4p3/4P3/1PN1BP2/P5PP/2RR2K1 w - - 0 22",
			"8/5pk1/4p1p1/1p1nP1Pp/1P1R1P1P/r5K1/8/5B2 w - - 0 40",
			"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
			"8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
			"5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1",
		}, 10
	case "draughts":
		return []string{
			draughts.Start().Text(),
			"W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,e3:Be5,g5,b6,h6,a7,g7,b8,d8,f8,h8",
			"W:We1,g1,f2,a3,c3,e3,f4,h6:Bh2,a5,c5,f6,e7,d8,f8,h8",
			"B:Wa1,c1,e1,g1,b2,d2,f2,h2,a5:Bf4,e5,b6,a7,c7,g7,b8,f8,h8",
			"W:Wa1,c1,e1,g1,f2,e3,g3,a5:Bh4,c5,d6,h6,c7,g7,d8,h8",
			"W:Wc1,g1,b2,d2,c3,e3,h4:Bh2,c5,e5,g5,d6,f6,a7,h8",
			"B:We1,g1,f2,a3,b4,d4:Bh2,g5,f6,c7,d8,h8",
			"W:Wg1,e3,b4,a5,b6:Bh2,g3,e5,f8",
			"W:Wg1,h6,a7,Kd8:Bh2,Ke5,f8",
			"B:Wa3,e1,Ka1:Bb8,h6,Kg1",
		}, 15
	}
	return nil, 0
}

// Run searches and writes a line a position, then the time, the nodes and the speed;
// the last line has both as other engines write them.
func (b Bench) Run(out io.Writer) error {
	texts, depth := positions(b.Rules)
	if texts == nil {
		return fmt.Errorf("there is no bench of %q, only of chess and draughts", b.Rules)
	}
	if b.Depth < 0 || b.Depth > engine.MaxDepth {
		return fmt.Errorf("bench takes a depth from 1 to %d", engine.MaxDepth)
	}
	if b.Depth > 0 {
		depth = b.Depth
	}
	var nodes uint64
	var spent time.Duration
	for i, text := range texts {
		problem, err := engine.Open(games.Position{Rules: b.Rules, Text: text})
		if err != nil {
			return fmt.Errorf("position %d: %w", i+1, err)
		}
		table, _ := think.NewTable(b.Hash)
		r := think.Search(problem, think.Limits{Depth: depth}, think.Config{Options: b.Options, Table: table}, nil)
		if _, err := fmt.Fprintf(out, "position %d: bestmove %s score %d nodes %d\n", i+1, r.Move, r.Score, r.Nodes); err != nil {
			return err
		}
		nodes += r.Nodes
		spent += r.Elapsed
	}
	speed := nodes * 1_000_000 / uint64(max(spent.Microseconds(), 1))
	_, err := fmt.Fprintf(out, "time %d ms\nnodes %d\nnps %d\n%d nodes %d nps\n", spent.Milliseconds(), nodes, speed, nodes, speed)
	return err
}
