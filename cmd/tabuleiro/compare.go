package main

import (
	"fmt"
	"time"

	"tabuleiro/games"
	"tabuleiro/services/search/engine"
)

type compareCmd struct {
	Rules string `enum:"chess,draughts,tictactoe," default:"" help:"The game; all three at their usual depths unless given."`
	FEN   string `name:"fen" placeholder:"FEN" help:"The position; the game's start unless given."`
	Depth int    `placeholder:"N" help:"Plies; 4 in chess, 7 in draughts, 8 in tic-tac-toe unless given."`
}

func (c compareCmd) Run(s streams) error {
	for _, each := range []struct {
		rules, start string
		depth        int
	}{
		{"chess", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", 4},
		{"draughts", "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8", 7},
		{"tictactoe", "3/1x1/3 o", 8},
	} {
		if c.Rules != "" && c.Rules != each.rules {
			continue
		}
		position, depth := games.Position{Rules: each.rules, Text: each.start}, each.depth
		if c.FEN != "" {
			position.Text = c.FEN
		}
		if c.Depth > 0 {
			depth = c.Depth
		}
		problem, err := engine.Open(position)
		if err != nil {
			return refuse(s, err)
		}
		if err := compare(s, problem, position, depth); err != nil {
			return err
		}
	}
	return nil
}

// compare prints one table. Values that differ are a fault.
func compare(s streams, problem engine.Problem, position games.Position, depth int) error {
	fmt.Fprintf(s.Out, "%s, depth %d, %s\n%-32s %8s %12s %10s %8s\n", position.Rules, depth, position.Text, "", "value", "nodes", "ms", "saved")
	var first, most = 0, uint64(0)
	for i, way := range engine.Compare(problem, depth) {
		begin := time.Now()
		score, nodes := way.Run()
		if i == 0 {
			first, most = score, nodes
		}
		fmt.Fprintf(s.Out, "%-32s %8d %12d %10.1f %7.2f%%\n", way.Name, score, nodes, float64(time.Since(begin).Microseconds())/1000, 100*(1-float64(nodes)/float64(most)))
		if score != first {
			fmt.Fprintf(s.Err, "tabuleiro: %s says %d, not %d\n", way.Name, score, first)
			return exit(exitError)
		}
	}
	fmt.Fprintln(s.Out)
	return nil
}
