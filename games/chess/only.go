package chess

// Only is the one legal move by which a piece of a role goes from some of the
// origins to a square, which is what a SAN says; castling is left out. NoMove
// means that there is none, or more than one. It looks back from the
// destination instead of listing moves, allocates nothing and gives no reason:
// ParseSAN does.
func (p *Position) Only(role Role, origins Bitboard, to Square, promotion Role) Move {
	to &= 63
	if role == Pawn {
		return p.onlyPawn(origins, to, promotion)
	}
	occupied := p.Occupied()
	us := p.Of(p.side)
	if us>>to&1 != 0 || promotion != NoRole {
		return NoMove
	}
	var set Bitboard
	switch role {
	case Knight:
		set = knightAttacks[to] & p.Knights()
	case Bishop:
		set = BishopAttacks(to, occupied) & p.Bishops()
	case Rook:
		set = RookAttacks(to, occupied) & p.Rooks()
	case Queen:
		set = QueenAttacks(to, occupied) & p.Queens()
	case King:
		set = kingAttacks[to] & p.Kings()
	}
	king := p.King(p.side)
	found := NoMove
	for set &= us & origins; set != 0; set &= set - 1 {
		from := set.First() & 63
		if role == King {
			king = to
		}
		if p.attackedAfter(king, occupied&^(1<<from)|1<<to, 1<<to) {
			continue
		}
		if found != NoMove {
			return NoMove
		}
		found = newMove(from, to)
	}
	return found
}

// onlyPawn is Only for pawns.
func (p *Position) onlyPawn(origins Bitboard, to Square, promotion Role) Move {
	kind := NoMove
	switch promotion {
	case NoRole:
	case Knight:
		kind = promoteKnight
	case Bishop:
		kind = promoteBishop
	case Rook:
		kind = promoteRook
	case Queen:
		kind = promoteQueen
	default:
		return NoMove
	}
	if (lastRanks>>to&1 != 0) != (kind != NoMove) {
		return NoMove
	}
	occupied := p.Occupied()
	pawns := p.Pawns() & p.Of(p.side)
	var set Bitboard
	switch {
	case occupied>>to&1 == 0:
		down := 16*int(p.side) - 8
		one := Bitboard(1 << to).rotate(down)
		set = one & pawns
		// A double step ends on the fourth rank of its side and jumps no piece.
		if fourth := rank1 << 24 << (8 * p.side); fourth>>to&1 != 0 && one&occupied == 0 {
			set = one.rotate(down) & pawns
		}
		if to == p.passing {
			set |= pawnAttacks[(p.side^1)&1][to] & pawns
		}
	case p.Of(p.side^1)>>to&1 != 0:
		set = pawnAttacks[(p.side^1)&1][to] & pawns
	}
	king := p.King(p.side)
	found := NoMove
	for set &= origins; set != 0; set &= set - 1 {
		from := set.First() & 63
		m := newMove(from, to) | kind
		if to == p.passing && from&7 != to&7 {
			if !p.passesSafely(from, to) {
				continue
			}
			m |= kindEnPassant
		} else if p.attackedAfter(king, occupied&^(1<<from)|1<<to, 1<<to) {
			continue
		}
		if found != NoMove {
			return NoMove
		}
		found = m
	}
	return found
}

// attackedAfter tells whether the opponent attacks a square once the board is
// occupied so and without its piece on the taken square.
func (p *Position) attackedAfter(s Square, occupied, taken Bitboard) bool {
	s &= 63
	them := p.Of(p.side^1) &^ taken
	near := pawnAttacks[p.side&1][s]&p.Pawns() | knightAttacks[s]&p.Knights() | kingAttacks[s]&p.Kings()
	if near&them != 0 {
		return true
	}
	if set := p.diagonals() & them; set != 0 && BishopAttacks(s, occupied)&set != 0 {
		return true
	}
	set := p.straights() & them
	return set != 0 && RookAttacks(s, occupied)&set != 0
}
