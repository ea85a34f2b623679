package chess

// IsLegal tells of any 16 bits whether they are a legal move, with what Look saw
// of the position. It serves moves that come from another position, such as
// those of a table.
func (p *Position) IsLegal(v *Sight, m Move) bool {
	from, to := m.From(), m.To()
	if v.us>>from&1 == 0 {
		return false
	}
	kind := m & kindMask
	if kind != kindPromotion && m>>12&3 != 0 {
		return false
	}
	if kind == kindCastling {
		return from == v.king && v.checkers == 0 && (p.rights&v.us)>>to&1 != 0 && p.mayCastle(v, to)
	}
	if v.us>>to&1 != 0 {
		return false
	}
	role := p.roleAt(from)
	switch {
	case kind == kindEnPassant:
		return role == Pawn && to == p.passing && PawnAttacks(p.side, from).Has(to) && p.passesSafely(from, to)
	case role == King:
		return kind == 0 && kingAttacks[from]>>to&1 != 0 && p.Attackers(to, p.side^1, v.occupied&^(1<<v.king)) == 0
	case v.target>>to&1 == 0:
		return false
	case v.pinned>>from&1 != 0 && lines[v.king][from]>>to&1 == 0:
		return false
	case role == Pawn:
		if (kind == kindPromotion) != (lastRanks>>to&1 != 0) {
			return false
		}
		if v.them>>to&1 != 0 {
			return PawnAttacks(p.side, from).Has(to)
		}
		up := 8 - 16*int(p.side)
		one := Bitboard(1<<from).rotate(up) &^ v.occupied
		third := rank1 << 16 << (24 * p.side)
		return (one|(one&third).rotate(up))>>to&1 != 0
	case kind != 0:
		return false
	case role == Knight:
		return knightAttacks[from]>>to&1 != 0
	}
	reach := Bitboard(0)
	if role != Rook {
		reach = BishopAttacks(from, v.occupied)
	}
	if role != Bishop {
		reach |= RookAttacks(from, v.occupied)
	}
	return reach>>to&1 != 0
}

// Checks is where the side to move's pieces would give check.
type Checks struct {
	// by holds the squares from which a piece of a role checks.
	by [8]Bitboard
	// masks are the own pieces that alone hide a slider from the enemy's king.
	masks Bitboard
	king  Square
}

// By are the squares from which a piece of a role, not a king, would check.
func (c *Checks) By(role Role) Bitboard { return c.by[role&7] }

// LookForChecks finds where checks can be given, with what Look saw.
func (p *Position) LookForChecks(v *Sight, c *Checks) {
	king := (p.Kings() & v.them).First() & 63
	c.king = king
	c.by[Pawn] = PawnAttacks(p.side^1, king)
	c.by[Knight] = knightAttacks[king]
	diagonal, straight := BishopAttacks(king, v.occupied), RookAttacks(king, v.occupied)
	c.by[Bishop], c.by[Rook], c.by[Queen] = diagonal, straight, diagonal|straight
	c.masks = 0
	// Sliders that would see the king over one of their own pieces.
	hidden := v.occupied &^ ((diagonal | straight) & v.us)
	snipers := (BishopAttacks(king, hidden)&^diagonal&p.diagonals() | RookAttacks(king, hidden)&^straight&p.straights()) & v.us
	for ; snipers != 0; snipers &= snipers - 1 {
		c.masks |= between[king][snipers.First()&63] & v.us
	}
}

// GivesCheck tells whether a legal move gives check, with what LookForChecks
// found.
func (p *Position) GivesCheck(c *Checks, m Move) bool {
	from, to := m.From(), m.To()
	if m&kindMask != 0 {
		// Castling, promotion and en passant clear or fill more than two squares.
		var n Position
		p.PlayTo(&n, m)
		return n.InCheck()
	}
	if c.by[p.roleAt(from)]>>to&1 != 0 {
		return true
	}
	return c.masks>>from&1 != 0 && lines[c.king][from]>>to&1 == 0
}
