package draughtssearch

import (
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/core"
	"tabuleiro/services/search/engine/draughtseval"
	"tabuleiro/services/search/engine/endings"
)

// frame is what a search keeps for one ply.
type frame struct {
	pos      draughts.Position
	counts   draughts.Counts
	patterns draughtseval.Patterns
	// captures tells that the side to move has to capture.
	captures bool
	// stretched tells that the node was a leaf until it was looked at once more.
	stretched bool
	// move is the pack of the move that is being searched.
	move    uint32
	killers [2]uint32
	moves   draughts.MoveList
	ranks   []int32
	line    []draughts.Move
}

// search is one run. It is used once, by one goroutine.
type search struct {
	core.Deepening[draughts.Move]
	table *core.Table
	probe endings.Probe
	f2    bool

	frames [core.MaxPly + 2]frame
	// keys are the hashes of the past, the root's at base, and those of the path.
	keys []uint64
	base int
	// history is what moves did elsewhere, by side, origin and destination;
	// counters are the moves that answered a move well.
	history  [2][1 << 12]int32
	counters [2][1 << 12]uint32
}

func newSearch(p *Problem, limits core.Limits, opts core.Options, table *core.Table) *search {
	s := &search{table: table, probe: p.probe, f2: opts.Evaluator == core.EvaluatorF2, base: len(p.past)}
	s.Limits, s.Options = limits, opts
	s.keys = make([]uint64, len(p.past)+core.MaxPly+2)
	copy(s.keys, p.past)
	f := &s.frames[0]
	f.pos, f.counts, f.patterns = p.pos, p.counts, draughtseval.PatternsOf(&p.pos)
	f.captures = p.pos.MustCapture()
	s.keys[s.base] = p.pos.Hash()
	p.pos.Legal(&f.moves)
	s.rootMoves(p)
	return s
}

// play enters the next ply.
func (s *search) play(ply int, m draughts.Move) {
	f, next := &s.frames[ply], &s.frames[ply+1]
	next.pos = f.pos.Play(m)
	next.counts = f.counts.After(&f.pos, m, &next.pos)
	next.patterns = f.patterns
	next.patterns.Play(&f.pos, m)
	next.captures = next.pos.MustCapture()
	f.move = pack(m)
	s.keys[s.base+ply+1] = next.pos.Hash()
}

// pack is a move in 32 bits, never 0: origin and destination in the lowest 12,
// above them the captured squares, folded.
func pack(m draughts.Move) uint32 {
	return uint32(m.From) | uint32(m.To)<<6 | uint32((m.Captured^m.Captured>>19)&(1<<19-1))<<12 | 1<<31
}

// halt counts a node and tells whether the search must end.
func (s *search) halt(ply int) bool {
	s.Farthest = max(s.Farthest, ply)
	return s.Halt()
}
