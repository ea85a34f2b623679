package chesssearch

import (
	"math/rand/v2"
	"slices"

	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/chesseval"
	"tabuleiro/services/search/engine/core"
)

type rootMove = core.RootMove[chess.Move]

// Search looks for the best move of a position, in which the game goes on. past
// holds the keys of the positions before it that could come again. The table
// may be shared.
func Search(root chess.Position, past []uint64, limits core.Limits, opts core.Options, table *core.Table) core.Result {
	k, _ := table.Take(memoryName).(*kept)
	if k == nil {
		k = new(kept)
	}
	defer table.Keep(memoryName, k)
	s := &k.searcher
	s.begin(k, root, past, limits, opts, table)
	defer s.end()
	return s.run()
}

// memoryName is under which a table keeps this search's memory.
const memoryName = "chess"

func (s *searcher) begin(k *kept, root chess.Position, past []uint64, limits core.Limits, opts core.Options, table *core.Table) {
	s.memory, s.eval, s.table = &k.memory, &k.eval, table
	s.Deepening = core.Deepening[chess.Move]{Count: core.Count{Limits: limits}, Options: opts, Root: s.Root[:0]}
	s.plain = true
	for _, switched := range s.Options.Switches() {
		s.plain = s.plain && !*switched.On
	}
	s.base = len(past)
	s.keys = slices.Grow(s.keys[:0], len(past)+core.MaxPly+2)[:len(past)+core.MaxPly+2]
	copy(s.keys, past)
	s.verifying = 0
	for ply := -lead; ply <= core.MaxPly; ply++ {
		f := s.at(ply)
		f.move, f.follow, f.static, f.excluded, f.killers, f.length, f.quiet = chess.NoMove, &s.memory.none, unknown, chess.NoMove, [2]chess.Move{}, 0, false
	}
	f := s.at(0)
	f.pos, f.placement, f.still = root, chesseval.Placements(&root), root.Halfmove()
	s.keys[s.base] = root.Hash()
	f.pos.Look(&f.sight)
	if f.inCheck = f.sight.Checkers() != 0; !f.inCheck {
		f.static = s.corrected(&f.pos, s.evaluate(f))
	}
	s.rootMoves()
}

// end lets go of what belongs to the caller.
func (s *searcher) end() {
	s.table, s.Deepening = nil, core.Deepening[chess.Move]{}
}

// rootMoves lists the moves to choose from, the most promising first.
func (s *searcher) rootMoves() {
	f := s.at(0)
	f.pos.Legal(&f.picker.list)
	for _, m := range f.picker.list.All() {
		if len(s.Limits.Only) == 0 || slices.Contains(s.Limits.Only, f.pos.UCI(m)) {
			s.Root = append(s.Root, rootMove{Move: m, Line: []chess.Move{m}})
		}
	}
	if len(s.Root) == 0 {
		for _, m := range f.picker.list.All() {
			s.Root = append(s.Root, rootMove{Move: m, Line: []chess.Move{m}})
		}
	}
	rng := rand.New(rand.NewPCG(uint64(uint32(s.Options.Seed)), uint64(s.Options.Helper)))
	rng.Shuffle(len(s.Root), func(i, j int) { s.Root[i], s.Root[j] = s.Root[j], s.Root[i] })
	rank := func(m chess.Move) int32 {
		switch {
		case isQuiet(&f.pos, m):
			return 0
		case Gains(&f.pos, m, 0):
			return 1<<20 + s.captureScore(&f.pos, m)
		}
		return -1
	}
	slices.SortStableFunc(s.Root, func(a, b rootMove) int { return int(rank(b.Move)) - int(rank(a.Move)) })
	if entry, ok := s.table.Get(s.key(&f.pos)); ok {
		if i := slices.IndexFunc(s.Root, func(r rootMove) bool { return r.Move == chess.Move(entry.Move) }); i > 0 {
			r := s.Root[i]
			copy(s.Root[1:i+1], s.Root[:i])
			s.Root[0] = r
		}
	}
}

// run deepens until a limit, a proven end or the greatest depth.
func (s *searcher) run() core.Result {
	last := core.MaxDepth
	if s.Limits.Depth > 0 {
		last = min(last, s.Limits.Depth)
	}
	f := s.at(0)
	if f.pos.Count() == 1 && !s.Limits.Whole {
		last = 1 // There is nothing to choose.
	}
	score := f.static
	if score == unknown {
		score = 0
	}
	return s.Deepen(s, last, 14, core.Result{Report: core.Report{Score: score, Line: []string{f.pos.UCI(s.Root[0].Move)}}})
}

// Texts are the texts of a line from the root.
func (s *searcher) Texts(line []chess.Move) (texts []string) {
	p := s.at(0).pos
	for _, m := range line {
		texts = append(texts, p.UCI(m))
		p = p.Play(m)
	}
	return texts
}

// Fade does nothing: what was learnt fades with every new thing learnt.
func (s *searcher) Fade() {}

// Widen narrows a window from above where all is worse, and looks less deeply where a
// move is better than was expected.
func (s *searcher) Widen(w *core.Window, value int) {
	if value <= w.Alpha {
		w.Beta = (w.Alpha + w.Beta) / 2
		w.Alpha = max(value-w.Margin, -core.Infinity)
		w.Depth = s.Depth
	} else {
		w.Beta = min(value+w.Margin, core.Infinity)
		if w.Depth > s.Depth-2 && w.Depth > 1 {
			w.Depth--
		}
	}
	if w.Margin += w.Margin / 2; w.Margin > 600 {
		w.Open()
	}
}

// Sweep searches the moves from index on once within a window. Those that are no better
// than another keep their order.
func (s *searcher) Sweep(index int, w core.Window) int {
	value := s.sweep(index, w.Depth, w.Alpha, w.Beta)
	slices.SortStableFunc(s.Root[index:], func(a, b rootMove) int { return b.Score - a.Score })
	return value
}

func (s *searcher) sweep(index, depth, alpha, beta int) int {
	f := s.at(0)
	for i := index; i < len(s.Root); i++ {
		s.Root[i].Score = -core.Infinity
	}
	s.at(1).killers, s.at(2).killers = [2]chess.Move{}, [2]chess.Move{}
	s.at(1).cuts, s.at(2).cuts = 0, 0
	if !f.inCheck {
		f.pos.LookForChecks(&f.sight, &f.checks)
	}
	best, first := -core.Infinity, alpha
	for i := index; i < len(s.Root); i++ {
		r := &s.Root[i]
		before := s.Nodes
		if s.Options.Trying != nil {
			s.Options.Trying(s.Depth, i+1, func() string { return f.pos.UCI(r.Move) })
		}
		check := !f.inCheck && f.pos.GivesCheck(&f.checks, r.Move)
		quiet := isQuiet(&f.pos, r.Move)
		s.play(0, r.Move)
		value := 0
		if i > index {
			less := 0
			if s.Options.LateReductions && depth >= 3 && i > index+2 && quiet && !check {
				less = max(reductions[min(depth, 63)][min(i-index, 63)]-reductionUnit, 0) / reductionUnit
			}
			value = -s.tree(1, depth-1-less, -alpha-1, -alpha, true)
			if less > 0 && value > alpha && !s.Stopped {
				value = -s.tree(1, depth-1, -alpha-1, -alpha, true)
			}
		}
		if i == index || value > alpha && !s.Stopped {
			value = -s.tree(1, depth-1, -beta, -alpha, false)
		}
		if s.Stopped {
			return best
		}
		r.Nodes += s.Nodes - before
		if value <= best {
			continue
		}
		best = value
		if value > alpha || i == index {
			alpha = max(alpha, value)
			r.Score = value
			next := s.at(1)
			r.Line = append(append(r.Line[:0:0], r.Move), next.line[:next.length]...)
			if value >= beta {
				break
			}
		}
	}
	bound, move := core.Exact, chess.NoMove
	switch {
	case best >= beta:
		bound = core.Lower
	case best <= first:
		bound = core.Upper
	}
	if index == 0 && len(s.Limits.Only) == 0 {
		for i := range s.Root {
			if s.Root[i].Score == best {
				move = s.Root[i].Move
			}
		}
		s.keep(core.Entry{Key: s.key(&f.pos), Move: packMove(move, unknown), Score: best, Depth: depth, Bound: bound})
	}
	return best
}
