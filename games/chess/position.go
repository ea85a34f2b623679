package chess

import "tabuleiro/games"

// Position is a legal position as a value: copy it freely, compare it with ==.
// The zero value is no position; positions come from Setup and from Play.
//
// The board is three bit planes that spell each square's Role and a fourth that
// marks White's pieces, so that a copy is seven words.
type Position struct {
	low, mid, high Bitboard
	white          Bitboard
	// rights holds the rooks that may still castle.
	rights Bitboard
	hash   uint64

	halfmove, fullmove uint16
	side               games.Side
	// passing is the en passant square, set only when the capture is legal.
	passing  Square
	chess960 bool
}

// SideToMove is the side to move.
func (p *Position) SideToMove() games.Side { return p.side }

// Hash is the Zobrist key of placement, side, castling rights and the en
// passant square where the capture is legal. It is the repetition key.
func (p *Position) Hash() uint64 { return p.hash }

// Halfmove counts the plies since the last capture or pawn move.
func (p *Position) Halfmove() int { return int(p.halfmove) }

// Fullmove is the number of the move, as in records.
func (p *Position) Fullmove() int { return int(p.fullmove) }

// Chess960 tells whether castling is read and written as in Chess960.
func (p *Position) Chess960() bool { return p.chess960 }

// EnPassant is the square behind a pawn that can legally be taken in passing,
// or NoSquare.
func (p *Position) EnPassant() Square { return p.passing }

// CastlingRooks are the rooks of both sides that may still castle.
func (p *Position) CastlingRooks() Bitboard { return p.rights }

// Occupied is the set of squares with a piece.
func (p *Position) Occupied() Bitboard { return p.low | p.mid | p.high }

// Of is the set of a side's pieces.
func (p *Position) Of(side games.Side) Bitboard {
	if side == White {
		return p.white
	}
	return p.Occupied() &^ p.white
}

// Pawns are the pawns of both sides.
func (p *Position) Pawns() Bitboard { return p.low &^ p.mid &^ p.high }

// Knights are the knights of both sides.
func (p *Position) Knights() Bitboard { return p.mid &^ p.low &^ p.high }

// Bishops are the bishops of both sides.
func (p *Position) Bishops() Bitboard { return p.high & p.low &^ p.mid }

// Rooks are the rooks of both sides.
func (p *Position) Rooks() Bitboard { return p.high & p.mid &^ p.low }

// Queens are the queens of both sides.
func (p *Position) Queens() Bitboard { return p.high & p.mid & p.low }

// Kings are both kings.
func (p *Position) Kings() Bitboard { return p.low & p.mid &^ p.high }

// diagonals are the bishops and queens, straights the rooks and queens.
func (p *Position) diagonals() Bitboard { return p.high & p.low }
func (p *Position) straights() Bitboard { return p.high & p.mid }

// Pieces is the set of one side's pieces of one role.
func (p *Position) Pieces(side games.Side, role Role) Bitboard {
	set := p.Of(side)
	for bit, plane := range [3]Bitboard{p.low, p.mid, p.high} {
		if role>>bit&1 != 0 {
			set &= plane
		} else {
			set &^= plane
		}
	}
	return set
}

// King is a side's king's square.
func (p *Position) King(side games.Side) Square { return (p.Kings() & p.Of(side)).First() }

// roleAt is the role on a square, without a branch.
func (p *Position) roleAt(s Square) Role {
	s &= 63
	return Role(p.low>>s&1 | p.mid>>s&1<<1 | p.high>>s&1<<2)
}

// PieceAt is the piece on a square; 0 for none.
func (p *Position) PieceAt(s Square) Piece {
	role := p.roleAt(s)
	if role == NoRole {
		return 0
	}
	return NewPiece(p.sideAt(s), role)
}

// sideAt is whose piece stands on an occupied square.
func (p *Position) sideAt(s Square) games.Side { return games.Side(^p.white >> (s & 63) & 1) }

// Attackers are the pieces of a side that attack a square on a board with the
// given occupied squares; pieces missing from them still count as attackers,
// so mask the answer when some were taken off.
func (p *Position) Attackers(s Square, by games.Side, occupied Bitboard) Bitboard {
	return (PawnAttacks(by^1, s)&p.Pawns() |
		KnightAttacks(s)&p.Knights() |
		KingAttacks(s)&p.Kings() |
		BishopAttacks(s, occupied)&p.diagonals() |
		RookAttacks(s, occupied)&p.straights()) & p.Of(by)
}

// Checkers are the pieces that give check to the side to move.
func (p *Position) Checkers() Bitboard {
	return p.Attackers(p.King(p.side), p.side^1, p.Occupied())
}

// InCheck tells whether the side to move is in check.
func (p *Position) InCheck() bool { return p.Checkers() != 0 }

// put places a piece on an empty square, without the hash.
func (p *Position) put(s Square, piece Piece) {
	role, bit := piece.Role(), s.Bit()
	if role&1 != 0 {
		p.low |= bit
	}
	if role&2 != 0 {
		p.mid |= bit
	}
	if role&4 != 0 {
		p.high |= bit
	}
	if piece.Side() == White {
		p.white |= bit
	}
}

// freshHash computes from nothing what Play keeps up to date.
func (p *Position) freshHash() uint64 {
	var hash uint64
	for set := p.Occupied(); set != 0; set &= set - 1 {
		s := set.First()
		hash ^= keys.pieces[p.PieceAt(s)&15][s]
	}
	for set := p.rights; set != 0; set &= set - 1 {
		hash ^= keys.rights[set.First()]
	}
	if p.passing != NoSquare {
		hash ^= keys.passing[p.passing.File()]
	}
	if p.side == Black {
		hash ^= keys.side
	}
	return hash
}

// zobrist holds the random numbers of the hash. The rows of no piece are zero.
type zobrist struct {
	pieces  [16][64]uint64
	rights  [64]uint64
	passing [8]uint64
	side    uint64
}

var keys = buildKeys()

// buildKeys draws the numbers from splitmix64 with a fixed seed: the keys are
// stored in histories, so they must never change.
func buildKeys() zobrist {
	state := uint64(0x7ab01e1705eed)
	next := func() uint64 {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	var k zobrist
	for _, side := range []games.Side{White, Black} {
		for _, role := range []Role{Pawn, Knight, Bishop, Rook, Queen, King} {
			for s := range 64 {
				k.pieces[NewPiece(side, role)][s] = next()
			}
		}
	}
	for s := range k.rights {
		k.rights[s] = next()
	}
	for file := range k.passing {
		k.passing[file] = next()
	}
	k.side = next()
	return k
}
