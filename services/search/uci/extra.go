package uci

import (
	"strconv"
	"strings"

	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/signature"
	"tabuleiro/services/search/think"
)

// bench searches some positions to a depth with one thread and prints the nodes,
// always the same for one version, and the speed.
func (c *session) bench(words []string) {
	b := signature.Bench{Rules: "chess", Hash: c.set.hash, Options: c.set.engine}
	if len(words) > 0 {
		if b.Depth, _ = strconv.Atoi(words[0]); b.Depth == 0 {
			b.Depth = -1 // no number is refused as a wrong one is
		}
	}
	if err := b.Run(c.out); err != nil {
		c.out.Say("info string %v", err)
	}
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
