package chesssearch

import (
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/chesseval"
)

// The stages in which moves are made: most nodes cut before the last.
const (
	stageTable = iota
	stageMakeCaptures
	stageCaptures
	stageKiller
	stageSecond
	stageCounter
	stageMakeQuiets
	stageQuiets
	stageLosers
	stageMakeAll
	stageAll
	stageDone
)

// picker gives a node's legal moves one by one, the most promising first.
type picker struct {
	stage uint8
	// sharp leaves out all but captures and promotions that lose no material,
	// except in check.
	sharp bool

	table, killer, second, counter chess.Move
	// at is where the next move of the list lies, losers are captures that lose
	// material, left for the end.
	at, losers, given int
	list              chess.MoveList
	scores            [512]int32
	lost              [64]chess.Move
}

// isQuiet tells whether a move neither takes nor promotes.
func isQuiet(p *chess.Position, m chess.Move) bool {
	if m.IsCastling() {
		return true
	}
	return m.Promotion() == chess.NoRole && !m.IsEnPassant() && p.Occupied()>>(m.To()&63)&1 == 0
}

// start prepares the picker of a node; table is its move from the table, or
// none, and must be legal.
func (s *searcher) start(ply int, table chess.Move, sharp bool) {
	f := s.at(ply)
	k := &f.picker
	k.sharp = sharp
	k.table, k.at, k.losers, k.given = table, 0, 0, 0
	k.stage = stageMakeCaptures
	k.killer, k.second, k.counter = chess.NoMove, chess.NoMove, chess.NoMove
	if f.sight.Checkers() != 0 {
		k.stage = stageMakeAll
	} else {
		k.killer, k.second = f.killers[0], f.killers[1]
		if before := s.at(ply - 1); before.move != chess.NoMove {
			k.counter = s.memory.counters[before.to]
		}
	}
	if table != chess.NoMove {
		k.stage |= 16 // The table's move comes before that stage.
	}
}

// next is the next move, none at the end. Without quiets it leaves quiet moves
// out that were not given yet.
func (s *searcher) next(ply int, quiets bool) chess.Move {
	f := s.at(ply)
	k, p := &f.picker, &f.pos
	if k.stage&16 != 0 {
		k.stage &^= 16
		return k.table
	}
	for {
		switch k.stage {
		case stageMakeCaptures:
			p.CapturesSeen(&f.sight, &k.list)
			s.scoreCaptures(f)
			k.at, k.stage = 0, stageCaptures
		case stageCaptures:
			for k.at < k.list.Len() {
				m, _ := k.best()
				if m == k.table || k.sharp && m.Promotion() != chess.NoRole && m.Promotion() != chess.Queen {
					continue
				}
				if !Gains(p, m, 0) {
					if k.sharp {
						continue
					}
					if k.losers < len(k.lost) {
						k.lost[k.losers] = m
						k.losers++
						continue
					}
				}
				return m
			}
			if k.stage = stageKiller; k.sharp {
				k.stage = stageDone
			}
		case stageKiller:
			k.stage = stageSecond
			if quiets && s.fits(f, k.killer) {
				return k.killer
			}
			k.killer = chess.NoMove
		case stageSecond:
			k.stage = stageCounter
			if quiets && s.fits(f, k.second) {
				return k.second
			}
			k.second = chess.NoMove
		case stageCounter:
			k.stage = stageMakeQuiets
			if quiets && k.counter != k.killer && k.counter != k.second && s.fits(f, k.counter) {
				return k.counter
			}
			k.counter = chess.NoMove
		case stageMakeQuiets:
			k.at, k.stage = 0, stageQuiets
			if quiets {
				p.QuietsSeen(&f.sight, &k.list)
				s.scoreQuiets(ply)
			}
		case stageQuiets:
			for quiets && k.at < k.list.Len() {
				if m, _ := k.best(); m != k.table && m != k.killer && m != k.second && m != k.counter {
					return m
				}
			}
			k.stage = stageLosers
		case stageLosers:
			if k.given < k.losers {
				k.given++
				return k.lost[k.given-1]
			}
			k.stage = stageDone
		case stageMakeAll:
			p.LegalSeen(&f.sight, &k.list)
			s.scoreAll(ply)
			k.at, k.stage = 0, stageAll
		case stageAll:
			for k.at < k.list.Len() {
				m, _ := k.best()
				if m == k.table || !quiets && isQuiet(p, m) {
					continue
				}
				return m
			}
			k.stage = stageDone
		default:
			return chess.NoMove
		}
	}
}

// fits tells whether a remembered quiet move can be given here.
func (s *searcher) fits(f *frame, m chess.Move) bool {
	return m != chess.NoMove && m != f.picker.table && f.pos.IsLegal(&f.sight, m) && isQuiet(&f.pos, m)
}

// best takes the best move from the rest of the list.
func (k *picker) best() (chess.Move, int32) {
	moves := k.list.All()
	scores := k.scores[:len(moves)]
	best, top := k.at, scores[k.at]
	for i := k.at + 1; i < len(scores); i++ {
		if scores[i] > top {
			best, top = i, scores[i]
		}
	}
	m := moves[best]
	moves[best], scores[best] = moves[k.at], scores[k.at]
	k.at++
	return m, top
}

// victimRank puts victims in order: a much greater one comes first whatever
// the history says.
var victimRank = [8]int32{chess.Pawn: 1, chess.Knight: 3, chess.Bishop: 3, chess.Rook: 5, chess.Queen: 9}

func (s *searcher) captureScore(p *chess.Position, m chess.Move) int32 {
	victim := p.PieceAt(m.To()).Role()
	if m.IsEnPassant() {
		victim = chess.Pawn
	}
	attacker := p.PieceAt(m.From())
	score := victimRank[victim]<<13 - victimRank[attacker.Role()]<<5 + int32(s.memory.captures[pieceToOf(attacker, m.To())][victim])
	switch m.Promotion() {
	case chess.NoRole:
	case chess.Queen:
		score += 9 << 13
	default:
		score -= 9 << 13
	}
	return score
}

func (s *searcher) scoreCaptures(f *frame) {
	k := &f.picker
	for i, m := range k.list.All() {
		k.scores[i&511] = s.captureScore(&f.pos, m)
	}
}

func (s *searcher) scoreQuiets(ply int) {
	f := s.at(ply)
	k, p := &f.picker, &f.pos
	quiets := &s.memory.quiets[p.SideToMove()&1]
	one, two, four := s.at(ply-1).follow, s.at(ply-2).follow, s.at(ply-4).follow
	var unsafe [8]chess.Bitboard
	if s.Options.Threats {
		unsafe = threatened(p)
	}
	for i, m := range k.list.All() {
		piece := p.PieceAt(m.From())
		at := pieceToOf(piece, m.To()) & (1<<10 - 1)
		score := int32(quiets[m&(1<<12-1)]) + int32(one[at]) + int32(two[at]) + int32(four[at])/2
		if bad := unsafe[piece.Role()&7]; bad != 0 {
			score += escapes[piece.Role()&7] * (int32(bad>>(m.From()&63)&1) - int32(bad>>(m.To()&63)&1))
		}
		k.scores[i&511] = score
	}
}

// escapes is what leaving a square counts where a lesser piece attacks one, and
// what going there costs, by role and in parts of a history.
var escapes = [8]int32{chess.Knight: 7000, chess.Bishop: 7000, chess.Rook: 12000, chess.Queen: 20000}

// threatened are the squares where a lesser piece of the other side attacks what
// the side to move has there, by role.
func threatened(p *chess.Position) (unsafe [8]chess.Bitboard) {
	them := p.SideToMove() ^ 1
	theirs, occupied := p.Of(them), p.Occupied()
	attacked := chesseval.PawnAttacks(p.Pawns()&theirs, them)
	unsafe[chess.Knight], unsafe[chess.Bishop] = attacked, attacked
	for set := p.Knights() & theirs; set != 0; set &= set - 1 {
		attacked |= chess.KnightAttacks(set.First() & 63)
	}
	for set := p.Bishops() & theirs; set != 0; set &= set - 1 {
		attacked |= chess.BishopAttacks(set.First()&63, occupied)
	}
	unsafe[chess.Rook] = attacked
	for set := p.Rooks() & theirs; set != 0; set &= set - 1 {
		attacked |= chess.RookAttacks(set.First()&63, occupied)
	}
	unsafe[chess.Queen] = attacked
	return unsafe
}

// scoreAll puts captures before quiet moves.
func (s *searcher) scoreAll(ply int) {
	f := s.at(ply)
	k, p := &f.picker, &f.pos
	for i, m := range k.list.All() {
		if isQuiet(p, m) {
			k.scores[i&511] = int32(s.quietHistory(ply, m, pieceToOf(p.PieceAt(m.From()), m.To())))
		} else {
			k.scores[i&511] = 1<<20 + s.captureScore(p, m)
		}
	}
}
