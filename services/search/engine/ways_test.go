package engine

import (
	"testing"

	"tabuleiro/games/chess"
)

// All ways give one value, and each does less work than the one before it.
func TestAllWaysGiveOneValue(t *testing.T) {
	for _, c := range []struct {
		rules, text string
		depth       int
	}{
		{"chess", chess.StartFEN, 3},
		{"chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4},
		{"draughts", startDraughts, 6},
		{"tictactoe", "3/1x1/3 o", 8},
	} {
		nodes := map[string]uint64{}
		first := 0
		for i, way := range Compare(open(t, c.rules, c.text), c.depth) {
			score, n := way.Run()
			if i == 0 {
				first = score
			}
			if score != first || n == 0 {
				t.Errorf("%s to %d, %s: %d in %d nodes, want %d", c.text, c.depth, way.Name, score, n, first)
			}
			nodes[way.Name] = n
		}
		if len(nodes) != len(Ways()) || nodes[WayMinimax] <= nodes[WayGenerated] || nodes[WayWorst] < nodes[WayBest] || nodes[WayGenerated] < nodes[WayBest] {
			t.Errorf("%s: %v", c.text, nodes)
		}
	}
}
