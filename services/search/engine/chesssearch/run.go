package chesssearch

import (
	"math/rand/v2"
	"slices"

	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/chesseval"
	"tabuleiro/services/search/engine/core"
)

// rootMove is a move of the root with what is known of it.
type rootMove struct {
	move  chess.Move
	score int // of this iteration; -Infinity for no better than another
	line  []chess.Move
	nodes uint64
}

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
	s.memory, s.eval, s.table, s.limits, s.opts = &k.memory, &k.eval, table, limits, opts
	s.plain = true
	for _, switched := range s.opts.Switches() {
		s.plain = s.plain && !*switched.On
	}
	s.base = len(past)
	s.keys = slices.Grow(s.keys[:0], len(past)+core.MaxPly+2)[:len(past)+core.MaxPly+2]
	copy(s.keys, past)
	s.nodes, s.stopped, s.verifying, s.depth, s.farthest = 0, false, 0, 0, 0
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
	s.table, s.limits, s.opts, s.root = nil, core.Limits{}, core.Options{}, nil
}

// rootMoves lists the moves to choose from, the most promising first.
func (s *searcher) rootMoves() {
	f := s.at(0)
	f.pos.Legal(&f.picker.list)
	s.root = s.root[:0]
	for _, m := range f.picker.list.All() {
		if len(s.limits.Only) == 0 || slices.Contains(s.limits.Only, f.pos.UCI(m)) {
			s.root = append(s.root, rootMove{move: m, line: []chess.Move{m}})
		}
	}
	if len(s.root) == 0 {
		for _, m := range f.picker.list.All() {
			s.root = append(s.root, rootMove{move: m, line: []chess.Move{m}})
		}
	}
	rng := rand.New(rand.NewPCG(uint64(uint32(s.opts.Seed)), uint64(s.opts.Helper)))
	rng.Shuffle(len(s.root), func(i, j int) { s.root[i], s.root[j] = s.root[j], s.root[i] })
	rank := func(m chess.Move) int32 {
		switch {
		case isQuiet(&f.pos, m):
			return 0
		case Gains(&f.pos, m, 0):
			return 1<<20 + s.captureScore(&f.pos, m)
		}
		return -1
	}
	slices.SortStableFunc(s.root, func(a, b rootMove) int { return int(rank(b.move)) - int(rank(a.move)) })
	if entry, ok := s.table.Get(s.key(&f.pos)); ok {
		if i := slices.IndexFunc(s.root, func(r rootMove) bool { return r.move == chess.Move(entry.Move) }); i > 0 {
			r := s.root[i]
			copy(s.root[1:i+1], s.root[:i])
			s.root[0] = r
		}
	}
}

// run deepens until a limit, a proven end or the greatest depth.
func (s *searcher) run() core.Result {
	last := core.MaxDepth
	if s.limits.Depth > 0 {
		last = min(last, s.limits.Depth)
	}
	f := s.at(0)
	if f.pos.Count() == 1 && !s.limits.Whole {
		last = 1 // There is nothing to choose.
	}
	lines := max(1, min(s.opts.Lines, len(s.root)))
	score := f.static
	if score == unknown {
		score = 0
	}
	done := core.Result{Report: core.Report{Score: score, Line: []string{f.pos.UCI(s.root[0].move)}, Lines: lines}}
	best := s.root[0].move
	for s.depth = 1; s.depth <= last; s.depth++ {
		if s.depth > 1 && s.depth < last && core.Skips(s.opts.Helper, s.depth) {
			continue
		}
		before := s.nodes
		s.farthest = 0
		for i := range s.root {
			s.root[i].nodes = 0
		}
		for index := range lines {
			s.iterate(index)
			if s.stopped {
				break
			}
		}
		if s.stopped {
			// An iteration that was stopped counts where it had found a better move.
			if r := &s.root[0]; s.depth > 1 && r.score > -core.Infinity && r.move != best {
				done.Report = s.report(0, lines, before)
				done.Depth = s.depth - 1
			} else if s.depth == 1 {
				done.Line = s.report(0, lines, before).Line
			}
			break
		}
		best = s.root[0].move
		done.Report = s.report(0, lines, before)
		distance := min(core.Win-done.Score, done.Score+core.Win)
		done.Complete = s.depth == last || distance <= s.depth && lines == 1
		if s.opts.Report != nil {
			for index := range lines {
				s.opts.Report(s.report(index, lines, before))
			}
		}
		if done.Complete || s.limits.Enough != nil && s.limits.Enough(done.Report) {
			break
		}
	}
	done.Nodes = s.nodes
	done.Move = done.Line[0]
	done.Equal = []string{done.Move}
	return done
}

// report is what is known of one of the best moves.
func (s *searcher) report(index, lines int, before uint64) core.Report {
	r := &s.root[index]
	report := core.Report{Depth: s.depth, Farthest: max(s.farthest, len(r.line)), Score: r.score, Nodes: s.nodes, Index: index, Lines: lines}
	if n := s.nodes - before; n > 0 {
		report.Share = float64(r.nodes) / float64(n)
	}
	p := s.at(0).pos
	for _, m := range r.line {
		report.Line = append(report.Line, p.UCI(m))
		p = p.Play(m)
	}
	return report
}

// iterate finds the best of the moves from index on and puts it there.
func (s *searcher) iterate(index int) {
	last := s.root[index].score
	alpha, beta, margin := -core.Infinity, core.Infinity, 14
	if s.opts.Aspiration && s.depth >= 5 && !core.IsWin(last) && !core.IsLoss(last) {
		alpha, beta = last-margin, last+margin
	}
	depth := s.depth
	var high rootMove // what was better than all that was expected
	for {
		value := s.sweep(index, depth, alpha, beta)
		s.sort(index)
		if s.stopped {
			if high.move != chess.NoMove && s.root[index].score == -core.Infinity {
				s.put(index, high)
			}
			return
		}
		high = rootMove{}
		s.failed(index, value, alpha, beta)
		switch {
		case value <= alpha && alpha > -core.Infinity:
			beta = (alpha + beta) / 2
			alpha = max(value-margin, -core.Infinity)
			depth = s.depth
		case value >= beta && beta < core.Infinity:
			high = s.root[index]
			beta = min(value+margin, core.Infinity)
			if depth > s.depth-2 && depth > 1 {
				depth--
			}
		default:
			if index > 0 {
				s.sortLines(index)
			}
			return
		}
		if margin += margin / 2; margin > 600 {
			alpha, beta = -core.Infinity, core.Infinity
		}
	}
}

// failed says that a value lies outside its window.
func (s *searcher) failed(index, value, alpha, beta int) {
	if s.opts.Failed == nil || value > alpha && value < beta {
		return
	}
	bound := core.Lower
	if value <= alpha {
		bound = core.Upper
	}
	s.opts.Failed(bound, func() core.Report {
		r := s.report(index, max(1, min(s.opts.Lines, len(s.root))), s.nodes)
		r.Score = value
		return r
	})
}

// put puts a move that is known at an index, before those that follow.
func (s *searcher) put(index int, known rootMove) {
	i := slices.IndexFunc(s.root, func(r rootMove) bool { return r.move == known.move })
	known.nodes = s.root[i].nodes
	s.root = slices.Insert(slices.Delete(s.root, i, i+1), index, known)
}

// sweep searches the moves from index on once within a window.
func (s *searcher) sweep(index, depth, alpha, beta int) int {
	f := s.at(0)
	for i := index; i < len(s.root); i++ {
		s.root[i].score = -core.Infinity
	}
	s.at(1).killers, s.at(2).killers = [2]chess.Move{}, [2]chess.Move{}
	s.at(1).cuts, s.at(2).cuts = 0, 0
	if !f.inCheck {
		f.pos.LookForChecks(&f.sight, &f.checks)
	}
	best, first := -core.Infinity, alpha
	for i := index; i < len(s.root); i++ {
		r := &s.root[i]
		before := s.nodes
		if s.opts.Trying != nil {
			s.opts.Trying(s.depth, i+1, func() string { return f.pos.UCI(r.move) })
		}
		check := !f.inCheck && f.pos.GivesCheck(&f.checks, r.move)
		quiet := isQuiet(&f.pos, r.move)
		s.play(0, r.move)
		value := 0
		if i > index {
			less := 0
			if s.opts.LateReductions && depth >= 3 && i > index+2 && quiet && !check {
				less = max(reductions[min(depth, 63)][min(i-index, 63)]-reductionUnit, 0) / reductionUnit
			}
			value = -s.tree(1, depth-1-less, -alpha-1, -alpha, true)
			if less > 0 && value > alpha && !s.stopped {
				value = -s.tree(1, depth-1, -alpha-1, -alpha, true)
			}
		}
		if i == index || value > alpha && !s.stopped {
			value = -s.tree(1, depth-1, -beta, -alpha, false)
		}
		if s.stopped {
			return best
		}
		r.nodes += s.nodes - before
		if value <= best {
			continue
		}
		best = value
		if value > alpha || i == index {
			alpha = max(alpha, value)
			r.score = value
			next := s.at(1)
			r.line = append(append(r.line[:0:0], r.move), next.line[:next.length]...)
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
	if index == 0 && len(s.limits.Only) == 0 {
		for i := range s.root {
			if s.root[i].score == best {
				move = s.root[i].move
			}
		}
		s.keep(core.Entry{Key: s.key(&f.pos), Move: packMove(move, unknown), Score: best, Depth: depth, Bound: bound})
	}
	return best
}

// sort puts the moves from index on in the order of their scores; those that
// were no better than another keep theirs.
func (s *searcher) sort(index int) {
	slices.SortStableFunc(s.root[index:], func(a, b rootMove) int { return b.score - a.score })
}

// sortLines puts the best lines in order: a later one may come out better.
func (s *searcher) sortLines(index int) {
	slices.SortStableFunc(s.root[:index+1], func(a, b rootMove) int { return b.score - a.score })
}
