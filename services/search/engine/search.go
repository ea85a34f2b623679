package engine

import (
	"math/rand/v2"
	"slices"

	"tabuleiro/services/search/engine/core"
)

// frame is what a search keeps for one ply.
type frame[P, M any] struct {
	pos     P
	hash    uint64
	moves   []M
	packs   []uint32
	ranks   []int32
	line    []M
	killers [2]uint32
}

// rootMove is a move of the root with what is known of it.
type rootMove[M any] struct {
	move  M
	index int // in the order of Rules.Legal
	line  []M
	nodes uint64
}

// search is one run of the exact search. It is used once, by one goroutine.
type search[P, M any] struct {
	core.Count
	rules Rules[P, M]
	eval  Evaluator[P]
	table *Table
	opts  Options

	frames [core.MaxPly + 2]frame[P, M]
	// keys are the hashes of the past, the root's at base, and those of the path.
	keys []uint64
	base int
	// first is the depth of the first iteration, depth that of the current one.
	first   int
	depth   int
	history [2][1 << 12]int32

	root []rootMove[M]
}

func newSearch[P, M any](rules Rules[P, M], eval Evaluator[P], root P, past []uint64, table *Table, limits Limits, opts Options) *search[P, M] {
	s := &search[P, M]{rules: rules, eval: eval, table: table, opts: opts, base: len(past)}
	s.Limits = limits
	s.keys = make([]uint64, len(past)+core.MaxPly+2)
	copy(s.keys, past)
	f := &s.frames[0]
	f.pos, f.hash = root, rules.Hash(&root)
	s.keys[s.base] = f.hash
	f.moves = rules.Legal(&f.pos, nil)
	for i, m := range f.moves {
		s.root = append(s.root, rootMove[M]{move: m, index: i, line: []M{m}})
	}
	return s
}

// outcome is the best that a search has so far.
type outcome[M any] struct {
	depth, score int
	best         rootMove[M]
	equal        []M
	complete     bool
}

// run deepens until a limit, a proven end or the greatest depth. There must be
// a legal move.
func (s *search[P, M]) run(report func(outcome[M]) (enough bool)) outcome[M] {
	last := MaxDepth
	if s.Limits.Depth > 0 {
		last = min(last, s.Limits.Depth)
	}
	rng := rand.New(rand.NewPCG(uint64(uint32(s.opts.Seed)), uint64(s.opts.Helper)))
	pos := &s.frames[0].pos
	slices.SortStableFunc(s.root, func(a, b rootMove[M]) int {
		return s.rules.Gain(pos, b.move) - s.rules.Gain(pos, a.move)
	})
	out := outcome[M]{best: s.root[0], score: s.eval.Evaluate(pos)}
	if len(s.root) == 1 {
		last = 1
	}
	for s.depth = min(s.first, last); s.depth <= last; s.depth++ {
		if s.depth > 1 && s.depth < last && core.Skips(s.opts.Helper, s.depth) {
			continue
		}
		if !s.iterate(&out, rng) {
			return out
		}
		out.depth = s.depth
		distance := min(Win-out.score, out.score+Win)
		out.complete = s.depth == last || distance <= s.depth
		if enough := report(out); out.complete || enough {
			break
		}
		s.sortRoot(out.best.index)
		s.fade()
	}
	return out
}

// iterate finds the value of the root and all moves that have it: each
// further move is first asked whether it is at least as good as the best.
func (s *search[P, M]) iterate(out *outcome[M], rng *rand.Rand) bool {
	best := -core.Infinity
	var equal []rootMove[M]
	for i := range s.root {
		r := &s.root[i]
		before := s.Nodes
		if s.opts.Trying != nil {
			s.opts.Trying(s.depth, i+1, func() string { return s.rules.Text(&s.frames[0].pos, r.move) })
		}
		var value int
		if i == 0 {
			value = s.try(r, s.depth-1, -core.Infinity, core.Infinity)
		} else if value = s.try(r, s.depth-1, best-1, best); value >= best && !s.Stopped {
			value = s.try(r, s.depth-1, best-1, core.Infinity)
		}
		if s.Stopped {
			return false
		}
		r.nodes = s.Nodes - before
		if value < best {
			continue
		}
		if value > best {
			best, equal = value, equal[:0]
		}
		s.keepLine(r)
		equal = append(equal, *r)
	}
	slices.SortFunc(equal, func(a, b rootMove[M]) int { return a.index - b.index })
	out.score, out.best = best, equal[rng.IntN(len(equal))]
	out.equal = out.equal[:0]
	for _, r := range equal {
		out.equal = append(out.equal, r.move)
	}
	return true
}

// try is the value of a move of the root.
func (s *search[P, M]) try(r *rootMove[M], depth, alpha, beta int) int {
	s.play(0, r.move)
	return -s.tree(1, depth, -beta, -alpha)
}

func (s *search[P, M]) keepLine(r *rootMove[M]) {
	r.line = append(append(r.line[:0:0], r.move), s.frames[1].line...)
}

// sortRoot puts a move first and the others by the work that they made.
func (s *search[P, M]) sortRoot(first int) {
	slices.SortStableFunc(s.root, func(a, b rootMove[M]) int {
		switch {
		case a.index == b.index:
			return 0
		case a.index == first:
			return -1
		case b.index == first:
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
func (s *search[P, M]) fade() {
	for side := range s.history {
		for i := range s.history[side] {
			s.history[side][i] /= 2
		}
	}
}

// play enters the next ply.
func (s *search[P, M]) play(ply int, m M) {
	f, next := &s.frames[ply], &s.frames[ply+1]
	s.rules.Play(&f.pos, m, &next.pos)
	next.hash = s.rules.Hash(&next.pos)
	s.keys[s.base+ply+1] = next.hash
}

// key is where the table keeps a node. Counters near their end make it another
// position. So do those positions of the path that could still come again within
// the depth: the value depends on them.
func (s *search[P, M]) key(ply, depth int) uint64 {
	f := &s.frames[ply]
	key := f.hash
	if n := s.rules.Counters(&f.pos, depth); n != 0 {
		key ^= core.Mix(n)
	}
	if s.depth > 4 {
		first := max(1, ply-s.rules.Reversible(&f.pos))
		for k := first; k < ply && k <= s.depth-4; k++ {
			key ^= core.Mix(s.keys[s.base+k])
		}
	}
	return key
}
