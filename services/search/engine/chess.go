package engine

import "tabuleiro/games/chess"

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
		if chessExchange(p, m) >= 0 {
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
	if exchangeValue[victim] < exchangeValue[attacker] && gain == 0 && chessExchange(p, m) < 0 {
		return 0
	}
	return gain + 16*exchangeValue[victim] - exchangeValue[attacker]/10 + 200
}

func (*chessRules) InCheck(p *chess.Position) bool { return p.InCheck() }

// Pass is allowed with a piece left: with pawns alone, having to move may be
// what loses.
func (*chessRules) Pass(p *chess.Position, next *chess.Position) bool {
	if p.InCheck() || p.Of(p.SideToMove())&^(p.Kings()|p.Pawns()) == 0 {
		return false
	}
	*next = p.PlayNull()
	return true
}

func (*chessRules) Text(p *chess.Position, m chess.Move) string { return p.UCI(m) }

// exchangeValue is what a piece counts in an exchange, by role.
var exchangeValue = [8]int{chess.Pawn: 100, chess.Knight: 320, chess.Bishop: 330, chess.Rook: 500, chess.Queen: 950, chess.King: 20000}

// byValue are the roles from the least to the most valuable.
var byValue = [6]chess.Role{chess.Pawn, chess.Knight, chess.Bishop, chess.Rook, chess.Queen, chess.King}

// chessExchange is the material that a capture or promotion wins when both
// sides go on taking on its square with the least piece as long as it pays.
// Pins are not seen.
func chessExchange(p *chess.Position, m chess.Move) int {
	to, from := m.To(), m.From()
	attacker, victim := p.PieceAt(from).Role(), p.PieceAt(to).Role()
	occupied := p.Occupied() &^ from.Bit()
	if m.IsEnPassant() {
		victim = chess.Pawn
		occupied &^= (to ^ 8).Bit()
	}
	var gains [34]int
	gains[0] = exchangeValue[victim]
	if role := m.Promotion(); role != chess.NoRole {
		gains[0] += exchangeValue[role] - exchangeValue[chess.Pawn]
		attacker = role
	}
	if exchangeValue[victim] >= exchangeValue[attacker] && m.Promotion() == chess.NoRole {
		return gains[0] - exchangeValue[attacker] // It cannot lose: no need to know more.
	}
	side := p.SideToMove() ^ 1
	n := 0
	for n+1 < len(gains) {
		takers := p.Attackers(to, side, occupied) & occupied
		if takers == 0 {
			break
		}
		var next chess.Role
		for _, role := range byValue {
			if set := takers & p.Pieces(side, role); set != 0 {
				next = role
				occupied &^= set & -set
				break
			}
		}
		if next == chess.King && p.Attackers(to, side^1, occupied)&occupied != 0 {
			break // A king does not take what is guarded.
		}
		n++
		gains[n] = exchangeValue[attacker] - gains[n-1]
		attacker, side = next, side^1
	}
	for ; n > 0; n-- {
		gains[n-1] = -max(-gains[n-1], gains[n])
	}
	return gains[0]
}
