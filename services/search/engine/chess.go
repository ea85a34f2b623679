package engine

import (
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/chesssearch"
)

// chessRules is chess for the search. Fifty moves and material count as draws
// where one side could claim them, since one of the two will.
type chessRules struct{ list chess.MoveList }

const chessFifty = 100 // plies

func (*chessRules) Hash(p *chess.Position) uint64 { return p.Hash() }

func (r *chessRules) Legal(p *chess.Position, into []chess.Move) []chess.Move {
	p.Legal(&r.list)
	return append(into, r.list.All()...)
}

// Forcing are all moves in check, else the captures that do not lose material
// on their square and the promotions to a queen.
func (r *chessRules) Forcing(p *chess.Position, into []chess.Move) ([]chess.Move, bool) {
	if p.InCheck() {
		return r.Legal(p, into), false
	}
	if p.Of(p.SideToMove())&^(p.Kings()|p.Pawns()) == 0 && p.Count() == 0 {
		return into, false
	}
	p.Captures(&r.list)
	for _, m := range r.list.All() {
		if role := m.Promotion(); role != chess.NoRole && role != chess.Queen {
			continue
		}
		if chesssearch.Gains(p, m, 0) {
			into = append(into, m)
		}
	}
	return into, true
}

func (*chessRules) Play(p *chess.Position, m chess.Move, next *chess.Position) { *next = p.Play(m) }

func (*chessRules) Stuck(p *chess.Position) bool { return p.InCheck() }

func (*chessRules) Drawn(p *chess.Position) bool {
	if p.Occupied().Count() <= 4 && !p.CanWin(chess.White) && !p.CanWin(chess.Black) {
		return p.Count() > 0 || !p.InCheck()
	}
	return p.Halfmove() >= chessFifty && (!p.InCheck() || p.Count() > 0)
}

// Counters looks two plies further than asked: quiescence may answer a check.
func (*chessRules) Counters(p *chess.Position, plies int) uint64 {
	if p.Halfmove()+plies+2 < chessFifty {
		return 0
	}
	return uint64(p.Halfmove()) + 1
}

func (*chessRules) Reversible(p *chess.Position) int { return p.Halfmove() }

// Pack keeps the 16 bits of a move; a1 to a1 is none, so it is never 0.
func (*chessRules) Pack(m chess.Move) uint32 { return uint32(m) }

// Gain puts the greatest victim first, then the least attacker. A capture that
// loses material on its square promises nothing.
func (*chessRules) Gain(p *chess.Position, m chess.Move) int {
	if m.IsCastling() {
		return 0
	}
	gain := 0
	if m.Promotion() == chess.Queen {
		gain = 9000
	}
	victim := p.PieceAt(m.To()).Role()
	if m.IsEnPassant() {
		victim = chess.Pawn
	}
	if victim == chess.NoRole {
		return gain
	}
	attacker := p.PieceAt(m.From()).Role()
	if chesssearch.Value(victim) < chesssearch.Value(attacker) && gain == 0 && !chesssearch.Gains(p, m, 0) {
		return 0
	}
	return gain + 16*chesssearch.Value(victim) - chesssearch.Value(attacker)/10 + 200
}

func (*chessRules) Text(p *chess.Position, m chess.Move) string { return p.UCI(m) }
