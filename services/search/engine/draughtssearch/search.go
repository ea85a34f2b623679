package draughtssearch

import (
	"math/rand/v2"
	"slices"

	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/core"
	"tabuleiro/services/search/engine/draughtseval"
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

// rootMove is a move of the root with the work that it made.
type rootMove struct {
	move  draughts.Move
	index int
	nodes uint64
}

// outcome is the best that a search has so far.
type outcome struct {
	depth, score int
	line         []draughts.Move
	index        int
	complete     bool
}

// search is one run. It is used once, by one goroutine.
type search struct {
	table  *core.Table
	probe  Probe
	limits core.Limits
	opts   core.Options
	f2     bool

	frames [core.MaxPly + 2]frame
	// keys are the hashes of the past, the root's at base, and those of the path.
	keys    []uint64
	base    int
	depth   int
	nodes   uint64
	stopped bool
	// history is what moves did elsewhere, by side, origin and destination;
	// counters are the moves that answered a move well.
	history  [2][1 << 12]int32
	counters [2][1 << 12]uint32

	root []rootMove
	out  outcome
}

func newSearch(p *Problem, limits core.Limits, opts core.Options, table *core.Table) *search {
	s := &search{table: table, probe: p.probe, limits: limits, opts: opts, f2: opts.Evaluator == core.EvaluatorF2, base: len(p.past)}
	s.keys = make([]uint64, len(p.past)+core.MaxPly+2)
	copy(s.keys, p.past)
	f := &s.frames[0]
	f.pos, f.counts, f.patterns = p.pos, p.counts, draughtseval.PatternsOf(&p.pos)
	f.captures = p.pos.MustCapture()
	s.keys[s.base] = p.pos.Hash()
	p.pos.Legal(&f.moves)
	for i, m := range f.moves {
		s.root = append(s.root, rootMove{move: m, index: i})
	}
	s.root = only(p.pos, s.root, limits.Only)
	return s
}

// run deepens until a limit, a proven end or the greatest depth.
func (s *search) run(report func() (enough bool)) {
	last := core.MaxDepth
	if s.limits.Depth > 0 {
		last = min(last, s.limits.Depth)
	}
	if len(s.root) == 1 {
		last = 1
	}
	rng := rand.New(rand.NewPCG(uint64(uint32(s.opts.Seed)), uint64(s.opts.Helper)))
	rng.Shuffle(len(s.root), func(i, j int) { s.root[i], s.root[j] = s.root[j], s.root[i] })
	s.out = outcome{score: s.evaluate(&s.frames[0]), line: []draughts.Move{s.root[0].move}, index: s.root[0].index}
	for s.depth = 1; s.depth <= last; s.depth++ {
		if s.depth > 1 && s.depth < last && core.Skips(s.opts.Helper, s.depth) {
			continue
		}
		if !s.iterate() {
			return
		}
		s.out.depth = s.depth
		distance := min(core.Win-s.out.score, s.out.score+core.Win)
		s.out.complete = s.depth == last || distance <= s.depth
		if report() || s.out.complete {
			return
		}
		s.sortRoot()
		s.fade()
	}
}

// iterate is one iteration. An iteration that was stopped still counts where it
// had found a better move.
func (s *search) iterate() bool {
	alpha, beta, margin := -core.Infinity, core.Infinity, 12
	if s.opts.Aspiration && s.depth >= 5 && !core.IsWin(s.out.score) && !core.IsLoss(s.out.score) {
		alpha, beta = s.out.score-margin, s.out.score+margin
	}
	for {
		best := s.sweep(alpha, beta)
		switch {
		case s.stopped:
			return false
		case best <= alpha && alpha > -core.Infinity:
			margin *= 3
			alpha = max(best-margin, -core.Infinity)
		case best >= beta && beta < core.Infinity:
			margin *= 3
			beta = min(best+margin, core.Infinity)
		default:
			s.out.score = best
			return true
		}
		if margin > 400 {
			alpha, beta = -core.Infinity, core.Infinity
		}
		s.sortRoot()
	}
}

// sweep searches all moves of the root once within a window.
func (s *search) sweep(alpha, beta int) int {
	best := -core.Infinity
	for i := range s.root {
		r := &s.root[i]
		before := s.nodes
		s.play(0, r.move)
		value := 0
		if i == 0 {
			value = -s.tree(1, s.depth-1, -beta, -alpha)
		} else {
			value = -s.tree(1, s.depth-1, -alpha-1, -alpha)
			if value > alpha && value < beta && !s.stopped {
				value = -s.tree(1, s.depth-1, -beta, -alpha)
			}
		}
		if s.stopped {
			return best
		}
		r.nodes = s.nodes - before
		if value <= best {
			continue
		}
		best = value
		if value > alpha {
			alpha = value
			s.out.score, s.out.index = value, r.index
			s.out.line = append(append(s.out.line[:0:0], r.move), s.frames[1].line...)
			if value >= beta {
				return best
			}
		}
	}
	return best
}

// sortRoot puts the best move first and the others by the work that they made.
func (s *search) sortRoot() {
	slices.SortStableFunc(s.root, func(a, b rootMove) int {
		switch {
		case a.index == b.index:
			return 0
		case a.index == s.out.index:
			return -1
		case b.index == s.out.index:
			return 1
		case a.nodes > b.nodes:
			return -1
		case a.nodes < b.nodes:
			return 1
		}
		return 0
	})
}

// fade halves what earlier iterations have said of quiet moves.
func (s *search) fade() {
	for side := range s.history {
		for i := range s.history[side] {
			s.history[side][i] /= 2
		}
	}
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
func (s *search) halt() bool {
	s.nodes++
	if s.nodes&1023 == 0 && s.limits.Stop != nil && s.limits.Stop() {
		s.stopped = true
	}
	if s.limits.Nodes > 0 && s.nodes > s.limits.Nodes {
		s.stopped = true
	}
	return s.stopped
}

// repeated tells whether a position has come again since the root or, together
// with what came before the root, for the third time.
func (s *search) repeated(ply int) bool {
	at := s.base + ply
	key := s.keys[at]
	earlier := 0
	for i := at - 4; i >= max(0, at-s.frames[ply].counts.Reversible()); i -= 2 {
		if s.keys[i] != key {
			continue
		}
		if i >= s.base {
			return true
		}
		if earlier++; earlier == 2 {
			return true
		}
	}
	return false
}
