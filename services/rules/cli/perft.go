package cli

import (
	"bufio"
	"fmt"
	"io"
)

// maxDepth bounds --depth, far beyond what can be counted.
const maxDepth = 99

// Perft is the command that counts the ways to play a number of plies.
type Perft struct {
	// Rules is chess (also when empty), draughts or tictactoe.
	Rules string
	// FEN is the position; nil is the start.
	FEN *string
	// Depth is the number of plies, 0 to 99.
	Depth int
	// Divide writes a line for each first move before the sum.
	Divide bool
	// Count is "moves" (also when empty) or "paths": whether the paths of one
	// capture set of draughts count once.
	Count string
	// NoBulk plays the moves of the last ply instead of counting them.
	NoBulk bool
	// Chess960 reads the position as Chess960.
	Chess960 bool
}

// Run counts. The last line is the number alone.
func (c Perft) Run(_ io.Reader, stdout, stderr io.Writer) int {
	g, err := gameOf(c.Rules, c.Chess960)
	if err != nil {
		return fail(stderr, "perft", err)
	}
	if c.Depth < 0 || c.Depth > maxDepth {
		return fail(stderr, "perft", fmt.Errorf("--depth is 0 to %d, not %d", maxDepth, c.Depth))
	}
	if c.Count != "" && c.Count != "moves" && c.Count != "paths" {
		return fail(stderr, "perft", fmt.Errorf("--count is moves or paths, not %q", c.Count))
	}
	p, err := readOption(g, c.FEN, c.Chess960)
	if err != nil {
		return fail(stderr, "perft", err)
	}
	paths, bulk := c.Count == "paths", !c.NoBulk
	out := bufio.NewWriter(stdout)
	var nodes uint64
	if c.Divide && c.Depth > 0 {
		for _, b := range p.branches(paths) {
			n := b.after.perft(c.Depth-1, paths, bulk)
			nodes += n
			fmt.Fprintf(out, "%s: %d\n", b.name, n)
		}
	} else {
		nodes = p.perft(c.Depth, paths, bulk)
	}
	fmt.Fprintln(out, nodes)
	if err := out.Flush(); err != nil {
		return fail(stderr, "perft", err)
	}
	return exitRight
}
