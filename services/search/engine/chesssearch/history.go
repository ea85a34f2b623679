package chesssearch

import (
	"tabuleiro/games/chess"
)

// What moves did elsewhere in the tree, in numbers of at most mostHistory.
const mostHistory = 1 << 14

// pieceTo is a piece and the square where it goes.
type pieceTo uint16

func pieceToOf(piece chess.Piece, to chess.Square) pieceTo {
	return pieceTo(piece&15)<<6 | pieceTo(to&63)
}

// follow holds how well moves followed one move, by piece and destination.
type follow [1 << 10]int16

// memory is what a searcher learns of moves and keeps from search to search.
type memory struct {
	quiets   [2][1 << 12]int16   // by side, origin and destination
	captures [1 << 10][8]int16   // by piece, destination and victim
	follows  [1 << 10]follow     // by the move before
	counters [1 << 10]chess.Move // by the move before
	// What the evaluation was wrong by, by side to move: with these pawns, with
	// these pieces of White's and of Black's.
	wrong [2][3][wrongMemory]int16
	none  follow // stands where there was no move before
}

const (
	wrongMemory = 1 << 14
	// A correction is kept in parts of correctionUnit of a centipawn.
	correctionUnit = 256
	mostCorrection = 64 * correctionUnit
)

// adjust moves a number towards a bonus, the less the nearer it is.
func adjust(h *int16, bonus int) {
	v := int(*h)
	v += bonus - v*max(bonus, -bonus)/mostHistory
	*h = int16(v)
}

func bonusOf(depth int) int { return min(16*depth*depth+96*depth, 1900) }

// quietHistory is how well a quiet move did.
func (s *searcher) quietHistory(ply int, m chess.Move, at pieceTo) int {
	side := s.at(ply).pos.SideToMove()
	return int(s.memory.quiets[side&1][m&(1<<12-1)]) +
		int(s.at(ply - 1).follow[at]) + int(s.at(ply - 2).follow[at]) + int(s.at(ply - 4).follow[at])/2
}

// rewardQuiet remembers a quiet move that cut, and blames those before it.
func (s *searcher) rewardQuiet(ply, depth int, m chess.Move, tried []chess.Move) {
	f := s.at(ply)
	if s.Options.Killers && f.killers[0] != m {
		f.killers[0], f.killers[1] = m, f.killers[0]
	}
	if before := s.at(ply - 1); s.Options.Counters && before.move != chess.NoMove {
		s.memory.counters[before.to] = m
	}
	bonus := bonusOf(depth)
	s.adjustQuiet(ply, m, bonus)
	for _, t := range tried {
		if t != m {
			s.adjustQuiet(ply, t, -bonus)
		}
	}
}

func (s *searcher) adjustQuiet(ply int, m chess.Move, bonus int) {
	f := s.at(ply)
	if s.Options.Histories {
		adjust(&s.memory.quiets[f.pos.SideToMove()&1][m&(1<<12-1)], bonus)
	}
	if s.Options.Continuations {
		at := pieceToOf(f.pos.PieceAt(m.From()), m.To())
		for _, back := range [3]int{1, 2, 4} {
			if before := s.at(ply - back); before.move != chess.NoMove {
				adjust(&before.follow[at], bonus)
			}
		}
	}
}

// captureOf is a capture's place in the memory; promotions count as taking
// nothing.
func (s *searcher) captureOf(p *chess.Position, m chess.Move) *int16 {
	victim := p.PieceAt(m.To()).Role()
	if m.IsEnPassant() {
		victim = chess.Pawn
	}
	return &s.memory.captures[pieceToOf(p.PieceAt(m.From()), m.To())][victim]
}

// rewardCapture remembers that a move cut, which makes the captures before it
// bad ones; m is none where a quiet move cut.
func (s *searcher) rewardCapture(ply, depth int, m chess.Move, tried []chess.Move) {
	if !s.Options.CaptureHistory {
		return
	}
	p := &s.at(ply).pos
	bonus := bonusOf(depth)
	if m != chess.NoMove {
		adjust(s.captureOf(p, m), bonus)
	}
	for _, t := range tried {
		if t != m {
			adjust(s.captureOf(p, t), -bonus)
		}
	}
}

// corrections are the places of a position's pawns and of each side's pieces in
// the memory.
func (s *searcher) corrections(p *chess.Position) [3]*int16 {
	white, pawns := p.Of(chess.White), p.Pawns()
	black := p.Occupied() &^ white
	diagonals, straights := p.Bishops()|p.Queens(), p.Rooks()|p.Queens()
	place := func(a, b, c, d chess.Bitboard) int {
		key := uint64(a)*0x9e3779b97f4a7c15 ^ uint64(b)*0xbf58476d1ce4e5b9 ^ uint64(c)*0xd6e8feb86659fd93 ^ uint64(d)*0xa0761d6478bd642f
		return int((key ^ key>>29) * 0x94d049bb133111eb >> (64 - 14))
	}
	wrong := &s.memory.wrong[p.SideToMove()&1]
	return [3]*int16{
		&wrong[0][place(pawns&white, pawns&black, 0, 0)],
		&wrong[1][place(p.Knights()&white, diagonals&white, straights&white, p.Kings()&white)],
		&wrong[2][place(p.Knights()&black, diagonals&black, straights&black, p.Kings()&black)],
	}
}

// correct learns from the value that a search found where the evaluation, with
// its corrections, said static.
func (s *searcher) correct(p *chess.Position, depth, static, value int) {
	off := max(min(value-static, 256), -256) * min(depth+1, 16) / 4
	for _, c := range s.corrections(p) {
		v := int(*c)
		v += off - v*max(off, -off)/mostCorrection
		*c = int16(v)
	}
}
