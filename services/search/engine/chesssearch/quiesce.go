package chesssearch

import (
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/core"
)

// deltaMargin is what a capture may gain beyond its victim.
const deltaMargin = 180

// quiesce is the value of a node once captures are over: the side to move takes
// or leaves things as they are; in check it answers with any move.
func (s *searcher) quiesce(ply, alpha, beta int) int {
	f := s.at(ply)
	f.length = 0
	if s.Halt() {
		return 0
	}
	s.Farthest = max(s.Farthest, ply)
	if s.drawn(ply) {
		return 0
	}
	if ply >= core.MaxPly-1 {
		if f.pos.InCheck() {
			return 0
		}
		return s.evaluate(f)
	}

	key := s.key(&f.pos)
	entry, hit := s.table.Get(key)
	inPV := beta-alpha > 1
	if hit && !inPV && (!s.plain || entry.Depth == 0) {
		score := core.FromTable(entry.Score, ply)
		if entry.Bound == core.Exact || entry.Bound == core.Lower && score >= beta || entry.Bound == core.Upper && score <= alpha {
			return score
		}
	}
	f.pos.Look(&f.sight)
	f.inCheck = f.sight.Checkers() != 0
	if !f.inCheck && !hasPieces(&f.pos, f.pos.SideToMove()) && !f.pos.HasLegal() {
		return 0 // Only with pawns alone is stalemate worth the look.
	}
	best, raw, lower := -core.Infinity, unknown, alpha
	f.static = unknown
	if !f.inCheck {
		if hit {
			raw = unpackStatic(entry.Move)
		}
		if raw == unknown {
			raw = s.evaluate(f)
		}
		f.static = s.corrected(&f.pos, raw)
		best = f.static
		if hit && !inPV && !s.plain {
			score := core.FromTable(entry.Score, ply)
			if entry.Bound == core.Lower && score > best || entry.Bound == core.Upper && score < best {
				best = score
			}
		}
		if best >= beta {
			if !hit {
				s.table.Put(core.Entry{Key: key, Move: packMove(chess.NoMove, raw), Score: core.ToTable(best, ply), Bound: core.Lower})
			}
			return best
		}
		lower = max(lower, best)
	}

	table := chess.Move(entry.Move)
	if table != chess.NoMove && (!f.inCheck && isQuiet(&f.pos, table) || !f.pos.IsLegal(&f.sight, table)) {
		table = chess.NoMove
	}
	s.start(ply, table, true)
	bestMove := chess.NoMove
	floor := best + deltaMargin
	any, quiets := false, true
	for m := s.next(ply, quiets); m != chess.NoMove; m = s.next(ply, quiets) {
		any = true
		if !f.inCheck && s.Options.Delta && m.Promotion() == chess.NoRole {
			victim := f.pos.PieceAt(m.To()).Role()
			if m.IsEnPassant() {
				victim = chess.Pawn
			}
			if floor+values[victim] <= lower {
				best = max(best, floor+values[victim])
				continue
			}
		}
		s.play(ply, m)
		value := -s.quiesce(ply+1, -beta, -lower)
		if s.Stopped {
			return 0
		}
		if value <= best {
			continue
		}
		best = value
		// Once check is answered, further quiet answers seldom do better.
		quiets = quiets && (!s.Options.Delta || best <= -core.Win+1000)
		if value > lower {
			lower, bestMove = value, m
			if inPV {
				s.take(ply, m)
			}
			if value >= beta {
				break
			}
		}
	}
	if !any && f.inCheck {
		return ply - core.Win
	}
	bound := core.Upper
	if best >= beta {
		bound = core.Lower
	}
	s.table.Put(core.Entry{Key: key, Move: packMove(bestMove, raw), Score: core.ToTable(best, ply), Bound: bound})
	return best
}
