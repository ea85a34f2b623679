package draughtssearch

import (
	"math/rand/v2"
	"slices"

	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/core"
)

// rootMove is a move of the root with what the iteration found of it: its value
// where it is among the best lines, its line, and the work that it made.
type rootMove struct {
	move  draughts.Move
	score int
	line  []draughts.Move
	nodes uint64
}

// rootMoves lists the moves to choose from, by lot but for the one that the
// table knows.
func (s *search) rootMoves(p *Problem) {
	f := &s.frames[0]
	for _, m := range f.moves {
		s.root = append(s.root, rootMove{move: m, line: []draughts.Move{m}})
	}
	if chosen := slices.DeleteFunc(slices.Clone(s.root), func(r rootMove) bool {
		return !slices.Contains(s.limits.Only, Text(p.pos, r.move))
	}); len(chosen) > 0 {
		s.root = chosen
	}
	rng := rand.New(rand.NewPCG(uint64(uint32(s.opts.Seed)), uint64(s.opts.Helper)))
	rng.Shuffle(len(s.root), func(i, j int) { s.root[i], s.root[j] = s.root[j], s.root[i] })
	if entry, ok := s.table.Get(s.key(f, core.MaxDepth)); ok {
		if i := slices.IndexFunc(s.root, func(r rootMove) bool { return pack(r.move) == entry.Move }); i > 0 {
			r := s.root[i]
			copy(s.root[1:i+1], s.root[:i])
			s.root[0] = r
		}
	}
}

// promise is how a move of the root looks without any search.
func (s *search) promise(r rootMove) int {
	s.play(0, r.move)
	return -s.evaluate(&s.frames[1])
}

// run deepens until a limit, a proven end or the greatest depth.
func (s *search) run() core.Result {
	last := core.MaxDepth
	if s.limits.Depth > 0 {
		last = min(last, s.limits.Depth)
	}
	f := &s.frames[0]
	if len(f.moves) == 1 && !s.limits.Whole {
		last = 1 // There is nothing to choose.
	}
	switch value, known := s.known(f, 0); {
	case known && value != 0:
		last = 1 // The way to the end is known.
	case known:
		// All moves that hold the draw are alike to the search.
		slices.SortStableFunc(s.root, func(a, b rootMove) int { return s.promise(b) - s.promise(a) })
	}
	lines := max(1, min(s.opts.Lines, len(s.root)))
	done := core.Result{Report: core.Report{Score: s.evaluate(f), Line: texts(f.pos, s.root[0].line), Lines: lines}}
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
		s.fade()
	}
	done.Nodes = s.nodes
	done.Move = done.Line[0]
	done.Equal = []string{done.Move}
	return done
}

// report is what is known of one of the best moves.
func (s *search) report(index, lines int, before uint64) core.Report {
	r := &s.root[index]
	report := core.Report{
		Depth: s.depth, Farthest: max(s.farthest, len(r.line)), Score: r.score, Nodes: s.nodes,
		Line: texts(s.frames[0].pos, r.line), Known: s.hits, Index: index, Lines: lines,
	}
	if n := s.nodes - before; n > 0 {
		report.Share = float64(r.nodes) / float64(n)
	}
	return report
}

// iterate finds the best of the moves from index on and puts it there.
func (s *search) iterate(index int) {
	last := s.root[index].score
	alpha, beta, margin := -core.Infinity, core.Infinity, 12
	if s.opts.Aspiration && s.depth >= 5 && !core.IsWin(last) && !core.IsLoss(last) {
		alpha, beta = last-margin, last+margin
	}
	var high *rootMove // what was better than all that was expected
	for {
		value := s.sweep(index, alpha, beta)
		s.sort(index)
		if s.stopped {
			if high != nil && s.root[index].score == -core.Infinity {
				s.put(index, *high)
			}
			return
		}
		margin *= 3
		high = nil
		s.failed(index, value, alpha, beta)
		switch {
		case value <= alpha && alpha > -core.Infinity:
			alpha = max(value-margin, -core.Infinity)
		case value >= beta && beta < core.Infinity:
			first := s.root[index]
			high = &first
			beta = min(value+margin, core.Infinity)
		default:
			for ; index > 0 && s.root[index].score > s.root[index-1].score; index-- {
				s.root[index], s.root[index-1] = s.root[index-1], s.root[index]
			}
			return
		}
		if margin > 400 {
			alpha, beta = -core.Infinity, core.Infinity
		}
	}
}

// failed says that a value lies outside its window.
func (s *search) failed(index, value, alpha, beta int) {
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
func (s *search) put(index int, known rootMove) {
	i := slices.IndexFunc(s.root, func(r rootMove) bool { return r.move == known.move })
	known.nodes = s.root[i].nodes
	s.root = slices.Insert(slices.Delete(s.root, i, i+1), index, known)
}

// sweep searches the moves from index on once within a window.
func (s *search) sweep(index, alpha, beta int) int {
	for i := index; i < len(s.root); i++ {
		s.root[i].score = -core.Infinity
	}
	best := -core.Infinity
	for i := index; i < len(s.root); i++ {
		r := &s.root[i]
		before := s.nodes
		if s.opts.Trying != nil {
			s.opts.Trying(s.depth, i+1, func() string { return Text(s.frames[0].pos, r.move) })
		}
		s.play(0, r.move)
		value := 0
		if i == index {
			value = -s.tree(1, s.depth-1, -beta, -alpha)
		} else {
			value = -s.tree(1, s.depth-1, -alpha-1, -alpha)
			if value > alpha && value < beta && !s.stopped {
				value = -s.tree(1, s.depth-1, -beta, -alpha)
			}
		}
		r.nodes += s.nodes - before
		if s.stopped {
			return best
		}
		if value <= best {
			continue
		}
		best = value
		if value > alpha || i == index {
			r.score = value
			r.line = append(append(r.line[:0:0], r.move), s.frames[1].line...)
		}
		if value > alpha {
			alpha = value
			if value >= beta {
				return best
			}
		}
	}
	return best
}

// sort puts the best of the moves from index on first and the others by the
// work that they made.
func (s *search) sort(index int) {
	slices.SortStableFunc(s.root[index:], func(a, b rootMove) int {
		switch {
		case a.score != b.score:
			return b.score - a.score
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
