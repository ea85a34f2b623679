package engine

import "tabuleiro/services/search/engine/core"

// tree is the value of a node for its side to move, at least exact between
// alpha and beta and a bound outside.
func (s *search[P, M]) tree(ply, depth, alpha, beta int) int {
	f := &s.frames[ply]
	f.line = f.line[:0]
	if s.rules.Drawn(&f.pos) || core.Repeated(s.keys[:s.base+ply+1], s.base, s.rules.Reversible(&f.pos)) {
		s.Nodes++
		return 0
	}
	if depth <= 0 || ply >= core.MaxPly-MaxDepth {
		return s.quiesce(ply, alpha, beta)
	}
	if s.Halt() {
		return 0
	}
	inPV := beta-alpha > 1
	key := s.key(ply, depth)
	entry, hit := s.table.Get(key)
	if hit && !inPV && entry.Depth == depth {
		score := core.FromTable(entry.Score, ply)
		switch {
		case entry.Bound == Exact,
			entry.Bound == Lower && score >= beta,
			entry.Bound == Upper && score <= alpha:
			return score
		}
	}

	f.moves = s.rules.Legal(&f.pos, f.moves[:0])
	if len(f.moves) == 0 {
		return s.ended(ply)
	}
	s.rank(ply, entry.Move)
	best, bestPack, lower := -core.Infinity, uint32(0), alpha
	for i := range f.moves {
		s.pick(f, i)
		m, pack := f.moves[i], f.packs[i]
		quiet := f.ranks[i] < quietBelow
		s.play(ply, m)
		value := s.child(ply, depth-1, i, lower, beta)
		if s.Stopped {
			return 0
		}
		if value <= best {
			continue
		}
		best = value
		if value > lower {
			lower, bestPack = value, pack
			if inPV {
				f.line = append(append(f.line[:0], m), s.frames[ply+1].line...)
			}
			if value >= beta {
				if quiet {
					s.reward(ply, depth, i)
				}
				break
			}
		}
	}

	bound := Exact
	switch {
	case best >= beta:
		bound = Lower
	case best <= alpha:
		bound = Upper
	}
	e := Entry{Key: key, Move: bestPack, Score: core.ToTable(best, ply), Depth: depth, Bound: bound}
	s.table.Put(e)
	if s.opts.Share != nil && depth >= s.opts.ShareDepth {
		s.opts.Share(e)
	}
	return best
}

// child is the value of the i-th move of a node, which has been played.
func (s *search[P, M]) child(ply, depth, i, alpha, beta int) int {
	if i == 0 {
		return -s.tree(ply+1, depth, -beta, -alpha)
	}
	value := -s.tree(ply+1, depth, -alpha-1, -alpha)
	if value > alpha && value < beta && !s.Stopped {
		value = -s.tree(ply+1, depth, -beta, -alpha)
	}
	return value
}

// ended is the value of a node without a legal move.
func (s *search[P, M]) ended(ply int) int {
	if s.rules.Stuck(&s.frames[ply].pos) {
		return ply - Win
	}
	return 0
}

// quiesce is the value of a node where only forcing moves are looked at.
func (s *search[P, M]) quiesce(ply, alpha, beta int) int {
	f := &s.frames[ply]
	f.line = f.line[:0]
	if s.Halt() {
		return 0
	}
	if ply >= core.MaxPly {
		return s.eval.Evaluate(&f.pos)
	}
	best, quiet := -core.Infinity, false
	f.moves, quiet = s.rules.Forcing(&f.pos, f.moves[:0])
	if !quiet && len(f.moves) == 0 {
		return s.ended(ply)
	}
	lower := alpha
	if quiet {
		best = s.eval.Evaluate(&f.pos)
		if best >= beta {
			return best
		}
		lower = max(lower, best)
	}
	f.packs, f.ranks = f.packs[:0], f.ranks[:0]
	for _, m := range f.moves {
		f.packs = append(f.packs, 0)
		f.ranks = append(f.ranks, int32(s.rules.Gain(&f.pos, m)))
	}
	for i := range f.moves {
		s.pick(f, i)
		m := f.moves[i]
		s.play(ply, m)
		value := 0
		if !s.rules.Drawn(&s.frames[ply+1].pos) {
			value = -s.quiesce(ply+1, -beta, -lower)
		} else {
			s.Nodes++
			s.frames[ply+1].line = s.frames[ply+1].line[:0]
		}
		if s.Stopped {
			return 0
		}
		if value <= best {
			continue
		}
		best = value
		if value > lower {
			lower = value
			if value >= beta {
				break
			}
			f.line = append(append(f.line[:0], m), s.frames[ply+1].line...)
		}
	}
	return best
}
