package draughtssearch

import (
	"math/bits"

	"tabuleiro/services/search/engine/core"
	"tabuleiro/services/search/engine/endings"
)

// The measures of the prunings, in plies and centipawns.
const (
	probCutDepth   = 4
	probCutMargin  = 10
	probCutSlope   = 2
	futilityDepth  = 3
	futilityMargin = 60
	lateDepth      = 4
	internalDepth  = 5
	// stretchMargin is how far outside the window a threatened leaf is not looked
	// at any more.
	stretchMargin = 150
)

// tree is the value of a node for its side to move, at least exact between
// alpha and beta and a bound outside.
func (s *search) tree(ply, depth, alpha, beta int) int {
	f := &s.frames[ply]
	inPV := beta-alpha > 1
	if inPV {
		f.line = f.line[:0]
	}
	f.stretched = false
	if s.halt(ply) {
		return 0
	}
	if value, done := s.settled(f, ply); done {
		return value
	}
	if depth <= 0 || ply >= core.MaxPly-1 {
		if f.captures || ply >= core.MaxPly-1 || s.frames[ply-1].stretched || !s.Options.Threats || !f.pos.Threatened() {
			return s.leaf(ply, alpha, beta)
		}
		static := s.evaluate(f)
		if static-stretchMargin >= beta || static+stretchMargin <= alpha {
			return s.leaf(ply, alpha, beta)
		}
		depth = 1
		f.stretched = true
	}
	// Nothing here beats a win that is already nearer.
	alpha, beta = max(alpha, ply-core.Win), min(beta, core.Win-ply-1)
	if alpha >= beta {
		return alpha
	}

	key := s.key(f, depth)
	entry, hit := s.table.Get(key)
	if hit && !inPV && (entry.Depth == depth || entry.Depth > depth && !s.Options.Exact) {
		score := core.FromTable(entry.Score, ply)
		switch {
		case entry.Bound == core.Exact,
			entry.Bound == core.Lower && score >= beta,
			entry.Bound == core.Upper && score <= alpha:
			return score
		}
	}

	static, threatened := 0, false
	if !inPV && !f.captures {
		static = s.evaluate(f)
		threatened = f.pos.Threatened()
		if value, done := s.pruneWhole(ply, depth, alpha, beta, static, threatened); done {
			return value
		}
	}

	f.pos.Legal(&f.moves)
	if len(f.moves) == 0 {
		return ply - core.Win
	}
	extend := 0
	if s.Options.Extensions && len(f.moves) == 1 && ply < 3*s.Depth {
		extend = 1
	}
	if s.Options.InternalReduction && entry.Move == 0 && depth >= internalDepth && len(f.moves) > 1 {
		depth--
	}
	s.rank(ply, entry.Move)

	best, bestPack, lower := -core.Infinity, uint32(0), alpha
	for i := range f.moves {
		f.pick(i)
		m := f.moves[i]
		s.play(ply, m)
		light := i > 0 && !f.captures && !m.Promotes
		// A move that lets the other side capture is looked at, if less deeply.
		if light && !inPV && !s.frames[ply+1].captures && s.pruneLate(ply, depth, i, static, lower, best) {
			continue
		}
		value := s.child(ply, depth-1+extend, i, lower, beta, light)
		if s.Stopped {
			return 0
		}
		if value <= best {
			continue
		}
		best = value
		if value > lower {
			lower, bestPack = value, f.move
			if inPV {
				f.line = append(append(f.line[:0], m), s.frames[ply+1].line...)
			}
			if value >= beta {
				if !f.captures {
					s.reward(ply, depth, i)
				}
				break
			}
		}
	}

	bound := core.Exact
	switch {
	case best >= beta:
		bound = core.Lower
	case best <= alpha:
		bound = core.Upper
	}
	e := core.Entry{Key: key, Move: bestPack, Score: core.ToTable(best, ply), Depth: depth, Bound: bound}
	s.table.Put(e)
	if s.Options.Share != nil && depth >= s.Options.ShareDepth {
		s.Options.Share(e)
	}
	return best
}

// child is the value of the i-th move of a node, which has been played.
func (s *search) child(ply, depth, i, alpha, beta int, light bool) int {
	if i == 0 {
		return -s.tree(ply+1, depth, -beta, -alpha)
	}
	if s.Options.LateReductions && light && i >= 2 && depth >= 2 {
		if less := (bits.Len(uint(depth))*bits.Len(uint(i)) + 1) / 5; less > 0 {
			value := -s.tree(ply+1, max(depth-less, 0), -alpha-1, -alpha)
			if value <= alpha || s.Stopped {
				return value
			}
		}
	}
	value := -s.tree(ply+1, depth, -alpha-1, -alpha)
	if value > alpha && value < beta && !s.Stopped {
		value = -s.tree(ply+1, depth, -beta, -alpha)
	}
	return value
}

// settled tells of a node that needs no search: a draw by the rules' counters
// or repetition, or an ending whose value is known.
func (s *search) settled(f *frame, ply int) (int, bool) {
	reversible := f.counts.Reversible()
	if reversible >= 4 && core.Repeated(s.keys[:s.base+ply+1], s.base, reversible) {
		return 0, true
	}
	// Who cannot move has lost before any counter speaks.
	if f.counts.Drawn(&f.pos) && (f.captures || f.pos.CanMove()) {
		return 0, true
	}
	return s.known(f, ply)
}

// known is the value of an ending that can be looked up. A win that a counter
// could come before is left to the search.
func (s *search) known(f *frame, ply int) (int, bool) {
	if s.probe == nil || f.pos.Occupied().Count() > endings.MaxPieces {
		return 0, false
	}
	value, distance, ok := s.probe.Probe(&f.pos)
	switch {
	case !ok:
		return 0, false
	}
	s.Known++
	switch {
	case value == 0:
		return 0, true
	case f.counts.Near(&f.pos, distance) != 0:
		return 0, false
	case value > 0:
		return core.Win - ply - distance, true
	}
	return ply + distance - core.Win, true
}

// key is where the table keeps a node. Counters near their end make it another
// position.
func (s *search) key(f *frame, depth int) uint64 {
	key := f.pos.Hash()
	if n := f.counts.Near(&f.pos, depth); n != 0 {
		key ^= core.Mix(n)
	}
	return key
}

// pruneWhole tries to be done with a quiet node without looking at its moves.
func (s *search) pruneWhole(ply, depth, alpha, beta, static int, threatened bool) (int, bool) {
	if core.IsLoss(alpha) || core.IsWin(beta) || !s.frames[ply].pos.CanMove() {
		return 0, false
	}
	if s.Options.ReverseFutility && !threatened && depth <= futilityDepth && static-futilityMargin*depth >= beta {
		return static, true
	}
	if !s.Options.ProbCut || depth < probCutDepth {
		return 0, false
	}
	shallow := depth * 2 / 5
	margin := probCutMargin + probCutSlope*depth
	if static >= beta {
		bound := beta + margin
		if value := s.tree(ply, shallow, bound-1, bound); s.Stopped || value >= bound {
			return beta, true
		}
	} else if static <= alpha-margin {
		bound := alpha - margin
		if value := s.tree(ply, shallow, bound, bound+1); s.Stopped || value <= bound {
			return alpha, true
		}
	}
	return 0, false
}

// pruneLate tells whether a quiet move near the leaves is left out. Moves are
// never left out while the node is lost so far.
func (s *search) pruneLate(ply, depth, i, static, alpha, best int) bool {
	if core.IsLoss(best) || depth > lateDepth {
		return false
	}
	if s.Options.LateMoves && i > 3+depth*2 {
		return true
	}
	if s.Options.HistoryPruning && i > 2 && s.history[ply&1][s.frames[ply].move&(1<<12-1)] < int32(-2000*depth) {
		return true
	}
	return s.Options.Futility && depth <= futilityDepth && static+futilityMargin*(depth+1) <= alpha
}

// leaf is the value of a node where only captures are looked at.
func (s *search) leaf(ply, alpha, beta int) int {
	f := &s.frames[ply]
	if !f.captures {
		if !f.pos.CanMove() {
			return ply - core.Win
		}
		return s.evaluate(f)
	}
	if ply >= core.MaxPly-1 {
		return s.evaluate(f)
	}
	f.pos.Legal(&f.moves)
	inPV := beta-alpha > 1
	best := -core.Infinity
	for i := range f.moves {
		m := f.moves[i]
		s.play(ply, m)
		value := -s.tree(ply+1, 0, -beta, -alpha)
		if s.Stopped {
			return 0
		}
		if value > best {
			best = value
			if value > alpha {
				alpha = value
				if inPV {
					f.line = append(append(f.line[:0], m), s.frames[ply+1].line...)
				}
				if value >= beta {
					break
				}
			}
		}
	}
	return best
}
