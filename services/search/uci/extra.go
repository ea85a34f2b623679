package uci

import (
	"strconv"
	"strings"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/think"
)

// benchDepth is how deep bench looks unless told.
const benchDepth = 10

// benchPositions are of all parts of a game: open and closed, with and without
// queens, endings, a mate.
var benchPositions = []string{
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
}

// bench searches some positions to a depth with one thread and prints the nodes,
// always the same for one version, and the speed.
func (c *session) bench(words []string) {
	depth := benchDepth
	if len(words) > 0 {
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 1 || n > engine.MaxDepth {
			c.out.Say("info string bench takes a depth from 1 to %d", engine.MaxDepth)
			return
		}
		depth = n
	}
	var nodes uint64
	start := time.Now()
	for i, fen := range benchPositions {
		table, _ := think.NewTable(c.set.hash)
		problem, err := engine.Open(games.Position{Rules: "chess", Text: fen})
		if err != nil {
			c.out.Say("info string position %d: %v", i+1, err)
			return
		}
		r := think.Search(problem, think.Limits{Depth: depth}, think.Config{Options: c.set.engine, Table: table}, nil)
		c.out.Say("position %d: bestmove %s score %s nodes %d", i+1, r.Move, score(r.Score), r.Nodes)
		nodes += r.Nodes
	}
	spent := time.Since(start)
	c.out.Say("time %d ms", spent.Milliseconds())
	c.out.Say("nodes %d", nodes)
	c.out.Say("nps %d", nodes*1_000_000/uint64(max(spent.Microseconds(), 1)))
}

// show draws the position.
func (c *session) show() {
	board, _, _ := strings.Cut(c.at.Position.Text, " ")
	for row := range strings.SplitSeq(board, "/") {
		var b strings.Builder
		for _, r := range row {
			if r >= '1' && r <= '8' {
				b.WriteString(strings.Repeat(" .", int(r-'0')))
			} else {
				b.WriteString(" " + string(r))
			}
		}
		c.out.Say("%s", b.String())
	}
	c.out.Say("Fen: %s", c.at.Position.Text)
	c.out.Say("Key: %s", c.at.Key)
}

// eval prints what quiescence says of the position.
func (c *session) eval() {
	problem, err := engine.Open(c.at.Position)
	if err != nil {
		c.out.Say("info string no evaluation: %v", err)
		return
	}
	r := think.Search(problem, think.Limits{Depth: 1}, think.Config{Options: engine.Options{Exact: true}, Table: engine.NewTable(1 << 16)}, nil)
	c.out.Say("Evaluation: %s for the side to move after one ply", score(r.Score))
}
