package cli

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// checkPerft compares the last line of the command, plain and divided.
func checkPerft(t *testing.T, c Perft, want uint64) {
	t.Helper()
	for _, c.Divide = range []bool{false, true} {
		out, stderr, code := run(c, "")
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if code != 0 || stderr != "" || lines[len(lines)-1] != strconv.FormatUint(want, 10) {
			t.Errorf("%s: exit %d, %s, %s, want %d", text(c), code, stderr, out, want)
		}
		if !c.Divide {
			continue
		}
		var sum uint64
		for _, line := range lines[:len(lines)-1] {
			var name string
			var n uint64
			if _, err := fmt.Sscanf(strings.Replace(line, ":", "", 1), "%s %d", &name, &n); err != nil {
				t.Errorf("%s: line %q: %v", text(c), line, err)
			}
			sum += n
		}
		if c.Depth > 0 && sum != want {
			t.Errorf("%s: the lines sum to %d, want %d", text(c), sum, want)
		}
	}
}

func TestPerft(t *testing.T) {
	for _, tt := range []struct {
		c    Perft
		want uint64
	}{
		{Perft{Depth: 0}, 1},
		{Perft{Depth: 4}, 197281},
		{Perft{Depth: 3, Count: "paths", NoBulk: true}, 8902},
		{Perft{FEN: new("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), Depth: 3}, 97862},
		{Perft{FEN: new("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"), Depth: 3}, 12189},
		{Perft{FEN: new("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), Depth: 1, Chess960: true}, 16},
		{Perft{FEN: new("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), Depth: 1}, 0},
		{Perft{FEN: new("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), Depth: 0}, 1},
		// Dead material and the counters end a game, but no perft.
		{Perft{FEN: new("8/8/4k3/8/8/4K3/8/8 w - - 150 90"), Depth: 1}, 8},
		{Perft{Rules: "draughts", Depth: 6}, 37628},
		{Perft{Rules: "draughts", Depth: 8}, 907830},
		{Perft{Rules: "draughts", Depth: 8, Count: "paths"}, 907836},
		{Perft{Rules: "draughts", Depth: 5, Count: "moves", NoBulk: true}, 7473},
		{Perft{Rules: "tictactoe", Depth: 0}, 1},
		{Perft{Rules: "tictactoe", Depth: 5}, 15120},
		{Perft{Rules: "tictactoe", Depth: 6}, 54720},
		{Perft{Rules: "tictactoe", Depth: 9, NoBulk: true}, 127872},
		{Perft{Rules: "tictactoe", Depth: 10}, 0},
		{Perft{Rules: "tictactoe", FEN: new("xxx/oo1/3 o"), Depth: 1}, 0},
	} {
		checkPerft(t, tt.c, tt.want)
	}
}

func TestDivide(t *testing.T) {
	for _, tt := range []struct {
		c    Perft
		want string
	}{
		{Perft{FEN: new("7k/P7/8/8/8/8/8/K6r w - - 4 30"), Depth: 1}, "a1a2: 1\na1b2: 1\n2\n"},
		{Perft{Rules: "draughts", Depth: 1}, "a3-b4: 1\nc3-b4: 1\nc3-d4: 1\ne3-d4: 1\ne3-f4: 1\ng3-f4: 1\ng3-h4: 1\n7\n"},
		{Perft{Rules: "draughts", FEN: new("W:Wc1:Bd2,d4,d6,f6,f4,f2"), Depth: 1}, "c1xg1: 1\n1\n"},
		{Perft{Rules: "draughts", FEN: new("W:Wc1:Bd2,d4,d6,f6,f4,f2"), Depth: 1, Count: "paths"},
			"c1xe3xc5xe7xg5xe3xg1: 1\nc1xe3xg5xe7xc5xe3xg1: 1\n2\n"},
		{Perft{Rules: "tictactoe", FEN: new("xox/xoo/1x1 o"), Depth: 2}, "a1: 1\nc1: 1\n2\n"},
	} {
		tt.c.Divide = true
		if got, stderr, code := run(tt.c, ""); code != 0 || got != tt.want {
			t.Errorf("%s: exit %d, %s\ngot  %s\nwant %s", text(tt.c), code, stderr, got, tt.want)
		}
	}
}
