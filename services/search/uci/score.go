package uci

import (
	"fmt"
	"strings"

	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/think"
)

// score is a score as UCI writes it; wins in moves instead of plies.
func score(s int) string {
	switch {
	case engine.IsWin(s):
		return fmt.Sprintf("mate %d", (engine.Win-s+1)/2)
	case engine.IsLoss(s):
		return fmt.Sprintf("mate %d", -(engine.Win+s)/2)
	}
	return fmt.Sprintf("cp %d", s)
}

// info is the line on how far a search has come; bound follows the score, where that
// is not exact.
func info(i think.Info, bound string, full int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "info depth %d seldepth %d multipv %d score %s%s %s",
		i.Depth, max(i.Farthest, i.Depth), i.Index+1, score(i.Score), bound, work(i, full))
	if len(i.Line) > 0 {
		b.WriteString(" pv " + strings.Join(i.Line, " "))
	}
	return b.String()
}

// work is how much a search has done.
func work(i think.Info, full int) string {
	return fmt.Sprintf("nodes %d nps %d hashfull %d time %d", i.Nodes, perSecond(i), full, i.Elapsed.Milliseconds())
}

func perSecond(i think.Info) uint64 {
	if micro := uint64(i.Elapsed.Microseconds()); micro > 0 {
		return i.Nodes * 1_000_000 / micro
	}
	return i.Nodes
}
