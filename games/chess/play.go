package chess

import "tabuleiro/games"

// Play is the position after a move. The move must be legal here, as Legal
// gives it; any other leaves a position that means nothing.
func (p *Position) Play(m Move) Position {
	var n Position
	p.PlayTo(&n, m)
	return n
}

// PlayTo is Play into a position that is not p itself, which spares a search
// the copying of the result.
func (p *Position) PlayTo(n *Position, m Move) {
	*n = *p
	us, from, to := p.side, m.From(), m.To()
	n.side = us ^ 1
	n.halfmove++
	n.fullmove += uint16(us)
	hash := p.hash ^ keys.side
	if p.passing != NoSquare {
		hash ^= keys.passing[p.passing&7]
		n.passing = NoSquare
	}
	if m&kindMask == kindCastling {
		n.hash = hash
		n.castle(us, from, to)
		return
	}

	moved, taken := p.roleAt(from), p.roleAt(to)
	own := Piece(us<<3) | Piece(moved)
	both := Bitboard(1)<<from | Bitboard(1)<<to
	n.low = p.low&^both | p.low>>from&1<<to
	n.mid = p.mid&^both | p.mid>>from&1<<to
	n.high = p.high&^both | p.high>>from&1<<to
	n.white = p.white&^both | p.white>>from&1<<to
	hash ^= keys.pieces[own&15][from] ^ keys.pieces[own&15][to] ^
		keys.pieces[(Piece((us^1)<<3)|Piece(taken))&15][to]

	if p.rights != 0 {
		lost := both
		if moved == King {
			lost |= rank1 << (56 * us)
		}
		for lost &= p.rights; lost != 0; lost &= lost - 1 {
			hash ^= keys.rights[lost.First()&63]
			n.rights &^= lost & -lost
		}
	}
	if taken != NoRole {
		n.halfmove = 0
	}
	if moved == Pawn {
		n.halfmove = 0
		switch {
		case m >= kindEnPassant:
			victim := to ^ 8
			n.low &^= victim.Bit()
			n.white &^= victim.Bit()
			hash ^= keys.pieces[(Piece((us^1)<<3)|Piece(Pawn))&15][victim&63]
		case m >= kindPromotion:
			role := m.Promotion()
			n.low = n.low&^to.Bit() | Bitboard(role&1)<<to
			n.mid |= Bitboard(role>>1&1) << to
			n.high |= Bitboard(role>>2&1) << to
			hash ^= keys.pieces[own&15][to] ^ keys.pieces[(Piece(us<<3)|Piece(role))&15][to]
		case from^to == 16:
			behind := (from + to) >> 1
			if PawnAttacks(us, behind)&n.Pawns()&n.Of(us^1) != 0 && n.mayPass(behind) {
				n.passing = behind
				hash ^= keys.passing[behind&7]
			}
		}
	}
	n.hash = hash
}

// PlayNull is the position with the turn passed, for a search that looks what
// doing nothing would bring. It must not be used while in check.
func (p *Position) PlayNull() Position {
	n := *p
	n.side ^= 1
	n.halfmove++
	n.fullmove += uint16(p.side)
	n.hash ^= keys.side
	if p.passing != NoSquare {
		n.hash ^= keys.passing[p.passing&7]
		n.passing = NoSquare
	}
	return n
}

// castle moves king and rook on a position whose turn has been handed on.
func (p *Position) castle(us games.Side, king, rook Square) {
	kingTo, rookTo := castlingTargets(king, rook)
	off := king.Bit() | rook.Bit()
	// A king has low and mid, a rook mid and high.
	p.low = p.low&^off | kingTo.Bit()
	p.mid = p.mid&^off | kingTo.Bit() | rookTo.Bit()
	p.high = p.high&^off | rookTo.Bit()
	if us == White {
		p.white = p.white&^off | kingTo.Bit() | rookTo.Bit()
	}
	kings, rooks := &keys.pieces[NewPiece(us, King)&15], &keys.pieces[NewPiece(us, Rook)&15]
	p.hash ^= kings[king] ^ kings[kingTo] ^ rooks[rook] ^ rooks[rookTo]
	for lost := p.rights & (rank1 << (56 * us)); lost != 0; lost &= lost - 1 {
		p.hash ^= keys.rights[lost.First()]
		p.rights &^= lost & -lost
	}
}

// castlingTargets are where king and rook stand after castling, in Chess960 as
// in standard chess.
func castlingTargets(king, rook Square) (kingTo, rookTo Square) {
	if rook > king {
		return king&^7 + g1, king&^7 + f1
	}
	return king&^7 + c1, king&^7 + d1
}

// mayPass tells whether the side to move can legally take in passing onto a
// square.
func (p *Position) mayPass(behind Square) bool {
	takers := PawnAttacks(p.side^1, behind) & p.Pawns() & p.Of(p.side)
	for ; takers != 0; takers &= takers - 1 {
		if p.passesSafely(takers.First(), behind) {
			return true
		}
	}
	return false
}

// passesSafely tells whether the king is safe after a pawn took in passing. It
// looks at the board after the capture, so it holds for every pin and check.
func (p *Position) passesSafely(from, behind Square) bool {
	return p.attackersAfterPassing(from, behind) == 0
}

func (p *Position) attackersAfterPassing(from, behind Square) Bitboard {
	victim := (behind ^ 8).Bit()
	occupied := p.Occupied()&^victim&^from.Bit() | behind.Bit()
	return p.Attackers(p.King(p.side), p.side^1, occupied) &^ victim
}
