package draughtssearch

import (
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/core"
	"tabuleiro/services/search/engine/draughtseval"
	"tabuleiro/services/search/engine/endings"
)

// Problem is a position with its past. It may be searched by several
// goroutines at once.
type Problem struct {
	pos    draughts.Position
	counts draughts.Counts
	past   []uint64
	probe  endings.Probe
}

// New takes a position in which the game goes on, the counters of its draw
// rules, the keys of earlier positions that could come again, and the endings
// to look values up in, or nil.
func New(pos draughts.Position, counts draughts.Counts, past []uint64, probe endings.Probe) *Problem {
	return &Problem{pos: pos, counts: counts, past: past, probe: probe}
}

// Search looks for the best move. Options.Exact does not concern it.
func (p *Problem) Search(limits core.Limits, opts core.Options, table *core.Table) core.Result {
	return newSearch(p, limits, opts, table).run()
}

// texts are the exact texts of moves from a position.
func texts(p draughts.Position, line []draughts.Move) []string {
	out := make([]string, 0, len(line))
	for _, m := range line {
		out = append(out, Text(p, m))
		p = p.Play(m)
	}
	return out
}

// Text is the exact text of a legal move: the first path by its text of those
// that the move may take.
func Text(p draughts.Position, m draughts.Move) string {
	text := ""
	for _, path := range p.LegalPaths() {
		if path.Move != m {
			continue
		}
		if t := path.Text(); text == "" || t < text {
			text = t
		}
	}
	return text
}

// Evaluate is the engine's own value of a position whose patterns are t.
func Evaluate(p *draughts.Position, t *draughtseval.Patterns) int {
	return draughtseval.Damp(p, draughtseval.Evaluate(p, t))
}

// EvaluateF2 is the founding program's value of a position, within the bounds of an
// evaluation.
func EvaluateF2(p *draughts.Position) int {
	return max(min(draughtseval.F2(p), core.MaxEval), -core.MaxEval)
}

// evaluate is the static value of a node.
func (s *search) evaluate(f *frame) int {
	if s.f2 {
		return EvaluateF2(&f.pos)
	}
	return max(min(Evaluate(&f.pos, &f.patterns), core.MaxEval), -core.MaxEval)
}
