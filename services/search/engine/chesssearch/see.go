package chesssearch

import (
	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// values is what a piece counts in an exchange, by role.
var values = [8]int{chess.Pawn: 100, chess.Knight: 320, chess.Bishop: 330, chess.Rook: 500, chess.Queen: 950, chess.King: 20000}

// Value is what a piece counts in an exchange, in centipawns; 0 for none.
func Value(r chess.Role) int { return values[r&7] }

// Gains tells whether a move, with the best exchange on its square after it,
// wins at least so much material. Both sides take with the least piece as long
// as it pays; pins are not seen.
func Gains(p *chess.Position, m chess.Move, least int) bool {
	if m.IsCastling() {
		return least <= 0
	}
	from, to := m.From()&63, m.To()&63
	us := p.SideToMove()
	standing := p.PieceAt(from).Role()
	balance := values[p.PieceAt(to).Role()] - least
	occupied := p.Occupied()&^(1<<from) | 1<<to
	switch {
	case m.IsEnPassant():
		balance += values[chess.Pawn]
		occupied &^= 1 << (to ^ 8)
	case m.Promotion() != chess.NoRole:
		standing = m.Promotion()
		balance += values[standing] - values[chess.Pawn]
	}
	if balance < 0 {
		return false
	}
	if balance -= values[standing]; balance >= 0 {
		return true // Even losing the piece leaves enough.
	}
	pawns, knights, queens := p.Pawns(), p.Knights(), p.Queens()
	diagonals, straights := p.Bishops()|queens, p.Rooks()|queens
	of := [2]chess.Bitboard{p.Of(chess.White), p.Of(chess.Black)}
	takers := chess.PawnAttacks(chess.Black, to)&pawns&of[chess.White] | chess.PawnAttacks(chess.White, to)&pawns&of[chess.Black] |
		chess.KnightAttacks(to)&knights | chess.KingAttacks(to)&p.Kings() |
		chess.BishopAttacks(to, occupied)&diagonals | chess.RookAttacks(to, occupied)&straights
	// The side that cannot or need not take back has lost the argument.
	side := us ^ 1
	for {
		takers &= occupied
		own := takers & of[side&1]
		if own == 0 {
			break
		}
		var piece chess.Bitboard
		var role chess.Role
		switch {
		case own&pawns != 0:
			piece, role = own&pawns, chess.Pawn
		case own&knights != 0:
			piece, role = own&knights, chess.Knight
		case own&diagonals&^queens != 0:
			piece, role = own&diagonals&^queens, chess.Bishop
		case own&straights&^queens != 0:
			piece, role = own&straights&^queens, chess.Rook
		case own&queens != 0:
			piece, role = own&queens, chess.Queen
		default:
			if takers&of[(side^1)&1] != 0 {
				return side != us // A king does not take what is guarded.
			}
			return side == us
		}
		occupied &^= piece & -piece
		if role != chess.Knight && role != chess.Rook {
			takers |= chess.BishopAttacks(to, occupied) & diagonals
		}
		if role >= chess.Rook {
			takers |= chess.RookAttacks(to, occupied) & straights
		}
		side ^= 1
		if balance = -balance - 1 - values[role]; balance >= 0 {
			break
		}
	}
	return side != us
}

// exchange is the greatest gain that a move is sure of: for tests and tools.
func exchange(p *chess.Position, m chess.Move) int {
	low, high := -2000, 3000
	for low < high {
		if mid := (low + high + 1) >> 1; Gains(p, m, mid) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// hasPieces tells whether a side has more than king and pawns.
func hasPieces(p *chess.Position, side games.Side) bool {
	return p.Of(side)&^(p.Kings()|p.Pawns()) != 0
}

// free tells whether a side has more than king, pawns and one minor piece: else
// having to move is often what it suffers from.
func free(p *chess.Position, side games.Side) bool {
	pieces := p.Of(side) &^ (p.Kings() | p.Pawns())
	return pieces&(pieces-1) != 0 || pieces&(p.Rooks()|p.Queens()) != 0
}
