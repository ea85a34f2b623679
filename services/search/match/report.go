package match

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Line is the state of a match in one line.
func (m Match) Line(s Summary) string {
	games := s.Wins + s.Draws + s.Losses
	share := 0.0
	if games > 0 {
		share = 100 * (float64(s.Wins) + float64(s.Draws)/2) / float64(games)
	}
	e := s.Pairs.Elo()
	line := fmt.Sprintf("%d games: +%d =%d -%d, %.1f %%, Elo %s [%s, %s], LOS %.1f %%, pairs %v",
		games, s.Wins, s.Draws, s.Losses, share, elo(e.Elo), elo(e.Low), elo(e.High), 100*s.Pairs.Superior(), s.Pairs)
	if m.Test != nil {
		lower, upper := m.Test.Bounds()
		line += fmt.Sprintf(", LLR %.2f (%.2f to %.2f)", m.Test.Ratio(s.Pairs), lower, upper)
	}
	return line
}

func elo(v float64) string {
	if math.IsInf(v, 0) {
		return strings.TrimSuffix(fmt.Sprintf("%+v", v), "Inf") + "inf"
	}
	return fmt.Sprintf("%+.1f", v)
}

// Text is the report on a match.
func (m Match) Text(s Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n%s\n", m.Engines[0].Name, m.Engines[1].Name, m.Line(s))
	if m.Test != nil {
		words := map[int]string{-1: fmt.Sprintf("Elo %g accepted", m.Test.Elo0), 0: "not decided", 1: fmt.Sprintf("Elo %g accepted", m.Test.Elo1)}
		fmt.Fprintf(&b, "SPRT (%g, %g): %s\n", m.Test.Elo0, m.Test.Elo1, words[s.Verdict])
	}
	for i, e := range m.Engines {
		u := s.Used[i]
		moves := float64(max(u.Moves, 1))
		fmt.Fprintf(&b, "%s: %s; a move: depth %.1f, %.0f nodes, %.1f ms CPU, %.1f ms by the clock", e.Name, e.Limit,
			float64(u.Depth)/moves, float64(u.Nodes)/moves, u.CPU.Seconds()*1000/moves, u.Spent.Seconds()*1000/moves)
		for _, kind := range slices.Sorted(maps.Keys(s.Faults[i])) {
			fmt.Fprintf(&b, "; %s %d", kind, s.Faults[i][kind])
		}
		b.WriteByte('\n')
	}
	var ends []string
	for _, reason := range slices.Sorted(maps.Keys(s.Reasons)) {
		ends = append(ends, fmt.Sprintf("%s %d", reason, s.Reasons[reason]))
	}
	fmt.Fprintf(&b, "ends: %s\n", strings.Join(ends, ", "))
	return b.String()
}
