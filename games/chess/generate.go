package chess

// Sight is what the generators must know about the side to move's king. A
// search that asks several things of one position looks once, with [Position.Look].
type Sight struct {
	us, them, occupied Bitboard
	checkers, pinned   Bitboard
	// target is where pieces other than the king may go: anywhere without check,
	// onto or before the checker with one, nowhere with two.
	target Bitboard
	king   Square
}

// Checkers are the pieces that give check to the side to move.
func (v *Sight) Checkers() Bitboard { return v.checkers }

// Pinned are the pieces of both sides that alone stand between the side to
// move's king and an enemy slider.
func (v *Sight) Pinned() Bitboard { return v.pinned }

// Look finds checkers and pins in one pass over the enemy's sliders that would
// see the king if only their own side's pieces stood on the board.
func (p *Position) Look(v *Sight) {
	v.occupied = p.Occupied()
	v.us = p.Of(p.side)
	v.them = v.occupied ^ v.us
	v.king = (p.Kings() & v.us).First() & 63
	checkers := (PawnAttacks(p.side, v.king)&p.Pawns() | KnightAttacks(v.king)&p.Knights()) & v.them
	pinned := Bitboard(0)
	snipers := (BishopAttacks(v.king, v.them)&p.diagonals() | RookAttacks(v.king, v.them)&p.straights()) & v.them
	for ; snipers != 0; snipers &= snipers - 1 {
		shields := between[v.king][snipers.First()&63] & v.occupied
		switch {
		case shields == 0:
			checkers |= snipers & -snipers
		case shields&(shields-1) == 0:
			pinned |= shields
		}
	}
	v.checkers, v.pinned = checkers, pinned
	v.target = ^v.us
	if v.checkers != 0 {
		if v.checkers&(v.checkers-1) != 0 {
			v.target = 0
		} else {
			v.target = between[v.king][v.checkers.First()&63] | v.checkers
		}
	}
}

// kingSteps are the wanted squares where the king may step. Sliders come last
// and only while a step is left that they could forbid.
func (p *Position) kingSteps(v *Sight, wanted Bitboard) Bitboard {
	steps := kingAttacks[v.king] & wanted &^ v.us
	if steps == 0 {
		return 0
	}
	pawns := p.Pawns() & v.them
	down := 16*int(p.side) - 8
	seen := (pawns &^ fileA).rotate(down-1) | (pawns &^ fileH).rotate(down+1) |
		knightReach(p.Knights()&v.them) | kingAttacks[(p.Kings()&v.them).First()&63]
	steps &^= seen
	occupied := v.occupied &^ (1 << v.king)
	for set := p.diagonals() & v.them; set != 0 && steps != 0; set &= set - 1 {
		steps &^= BishopAttacks(set.First(), occupied)
	}
	for set := p.straights() & v.them; set != 0 && steps != 0; set &= set - 1 {
		steps &^= RookAttacks(set.First(), occupied)
	}
	return steps
}

// mayCastle tells whether the king may castle with a rook that has the right
// to, for a king that is not in check.
func (p *Position) mayCastle(v *Sight, rook Square) bool {
	kingTo, rookTo := castlingTargets(v.king, rook)
	path := Between(v.king, kingTo) | kingTo.Bit()
	pieces := v.king.Bit() | rook.Bit()
	if (path|Between(rook, rookTo)|rookTo.Bit())&^pieces&v.occupied != 0 {
		return false
	}
	if kingTo == v.king {
		path = 0
	}
	for set := path; set != 0; set &= set - 1 {
		if p.Attackers(set.First(), p.side^1, v.occupied&^v.king.Bit()) != 0 {
			return false
		}
	}
	// In Chess960 the rook may have shielded the king's new square.
	after := v.occupied&^pieces | kingTo.Bit() | rookTo.Bit()
	return !p.chess960 || p.Attackers(kingTo, p.side^1, after) == 0
}

// Legal sets list to all legal moves.
func (p *Position) Legal(list *MoveList) {
	var v Sight
	p.Look(&v)
	p.LegalSeen(&v, list)
}

// Captures sets list to the legal captures and promotions; in check too.
func (p *Position) Captures(list *MoveList) {
	var v Sight
	p.Look(&v)
	p.CapturesSeen(&v, list)
}

// Quiets sets list to the legal moves that Captures leaves out.
func (p *Position) Quiets(list *MoveList) {
	var v Sight
	p.Look(&v)
	p.QuietsSeen(&v, list)
}

// LegalSeen is Legal with what Look saw.
func (p *Position) LegalSeen(v *Sight, list *MoveList) { p.generate(list, v, ^Bitboard(0), true, true) }

// CapturesSeen is Captures with what Look saw.
func (p *Position) CapturesSeen(v *Sight, list *MoveList) { p.generate(list, v, v.them, false, true) }

// QuietsSeen is Quiets with what Look saw.
func (p *Position) QuietsSeen(v *Sight, list *MoveList) {
	p.generate(list, v, ^v.occupied, true, false)
}

// generate sets list to the legal moves onto the wanted squares, where sharp
// with all promotions and en passant captures, else without any, and where
// quiet with castling. A queen moves once as a diagonal and once as a straight.
func (p *Position) generate(list *MoveList, v *Sight, wanted Bitboard, quiet, sharp bool) {
	list.n = 0
	list.spread(v.king, p.kingSteps(v, wanted))
	if v.target == 0 {
		return
	}
	p.generatePawns(list, v, wanted, sharp)
	target := v.target & wanted
	free := v.us &^ v.pinned
	for set := p.Knights() & free; set != 0; set &= set - 1 {
		from := set.First()
		list.spread(from, KnightAttacks(from)&target)
	}
	for set := p.diagonals() & free; set != 0; set &= set - 1 {
		from := set.First()
		list.spread(from, BishopAttacks(from, v.occupied)&target)
	}
	for set := p.straights() & free; set != 0; set &= set - 1 {
		from := set.First()
		list.spread(from, RookAttacks(from, v.occupied)&target)
	}
	if v.checkers != 0 {
		return // A pinned piece cannot help against a check.
	}
	if pinned := v.us & v.pinned; pinned != 0 {
		for set := p.diagonals() & pinned; set != 0; set &= set - 1 {
			from := set.First()
			list.spread(from, BishopAttacks(from, v.occupied)&target&lines[v.king][from&63])
		}
		for set := p.straights() & pinned; set != 0; set &= set - 1 {
			from := set.First()
			list.spread(from, RookAttacks(from, v.occupied)&target&lines[v.king][from&63])
		}
	}
	if rooks := p.rights & v.us; rooks != 0 && quiet {
		for ; rooks != 0; rooks &= rooks - 1 {
			if p.mayCastle(v, rooks.First()) {
				list.add(newMove(v.king, rooks.First()) | kindCastling)
			}
		}
	}
}

// pawnMoves are the destinations of pawns, by the way they came.
type pawnMoves struct{ one, two, west, east Bitboard }

// pawnsReach is where a set of pawns may go as far as checks tell.
func (p *Position) pawnsReach(v *Sight, pawns Bitboard) pawnMoves {
	up := 8 - 16*int(p.side)
	third := rank1 << 16 << (24 * p.side)
	one := pawns.rotate(up) &^ v.occupied
	prey := v.them & v.target
	return pawnMoves{
		one:  one & v.target,
		two:  (one & third).rotate(up) &^ v.occupied & v.target,
		west: (pawns &^ fileA).rotate(up-1) & prey,
		east: (pawns &^ fileH).rotate(up+1) & prey,
	}
}

func (m pawnMoves) within(set Bitboard) pawnMoves {
	return pawnMoves{m.one & set, m.two & set, m.west & set, m.east & set}
}

func (m pawnMoves) count() int {
	n := m.one.Count() + m.two.Count() + m.west.Count() + m.east.Count()
	if (m.one|m.west|m.east)&lastRanks != 0 {
		n += 3 * ((m.one & lastRanks).Count() + (m.west & lastRanks).Count() + (m.east & lastRanks).Count())
	}
	return n
}

func (p *Position) generatePawns(list *MoveList, v *Sight, wanted Bitboard, sharp bool) {
	pawns := p.Pawns() & v.us
	p.addPawns(list, p.pawnsReach(v, pawns&^v.pinned), wanted, sharp)
	if v.checkers == 0 {
		for set := pawns & v.pinned; set != 0; set &= set - 1 {
			moves := p.pawnsReach(v, set&-set)
			p.addPawns(list, moves.within(lines[v.king][set.First()&63]), wanted, sharp)
		}
	}
	if sharp && p.passing != NoSquare {
		for takers := PawnAttacks(p.side^1, p.passing) & pawns; takers != 0; takers &= takers - 1 {
			if from := takers.First(); p.passesSafely(from, p.passing) {
				list.add(newMove(from, p.passing) | kindEnPassant)
			}
		}
	}
}

func (p *Position) addPawns(list *MoveList, m pawnMoves, wanted Bitboard, sharp bool) {
	up := 8 - 16*int(p.side)
	if (m.one|m.west|m.east)&lastRanks != 0 {
		if sharp {
			list.promote(m.one&lastRanks, up)
			list.promote(m.west&lastRanks, up-1)
			list.promote(m.east&lastRanks, up+1)
		}
		m = m.within(^lastRanks)
	}
	m = m.within(wanted)
	list.march(m.one, up)
	list.march(m.two, 2*up)
	list.march(m.west, up-1)
	list.march(m.east, up+1)
}

// Count is the number of legal moves, without listing them. A queen is among
// the diagonals and the straights, and counts by the lines of each.
func (p *Position) Count() int {
	var v Sight
	p.Look(&v)
	n := p.kingSteps(&v, ^Bitboard(0)).Count()
	if v.target == 0 {
		return n
	}
	pawns := p.Pawns() & v.us
	n += p.pawnsReach(&v, pawns&^v.pinned).count()
	free := v.us &^ v.pinned
	for set := p.Knights() & free; set != 0; set &= set - 1 {
		n += (KnightAttacks(set.First()) & v.target).Count()
	}
	for set := p.diagonals() & free; set != 0; set &= set - 1 {
		n += (BishopAttacks(set.First(), v.occupied) & v.target).Count()
	}
	for set := p.straights() & free; set != 0; set &= set - 1 {
		n += (RookAttacks(set.First(), v.occupied) & v.target).Count()
	}
	if p.passing != NoSquare {
		for takers := PawnAttacks(p.side^1, p.passing) & pawns; takers != 0; takers &= takers - 1 {
			if p.passesSafely(takers.First(), p.passing) {
				n++
			}
		}
	}
	if v.checkers != 0 {
		return n
	}
	if v.pinned&v.us != 0 {
		n += p.countPinned(&v)
	}
	for rooks := p.rights & v.us; rooks != 0; rooks &= rooks - 1 {
		if p.mayCastle(&v, rooks.First()) {
			n++
		}
	}
	return n
}

// countPinned counts the moves of pinned pieces along their pins.
func (p *Position) countPinned(v *Sight) int {
	n := 0
	pinned := v.us & v.pinned
	for set := p.Pawns() & pinned; set != 0; set &= set - 1 {
		n += p.pawnsReach(v, set&-set).within(lines[v.king][set.First()&63]).count()
	}
	for set := p.diagonals() & pinned; set != 0; set &= set - 1 {
		from := set.First()
		n += (BishopAttacks(from, v.occupied) & v.target & lines[v.king][from&63]).Count()
	}
	for set := p.straights() & pinned; set != 0; set &= set - 1 {
		from := set.First()
		n += (RookAttacks(from, v.occupied) & v.target & lines[v.king][from&63]).Count()
	}
	return n
}

// HasLegal tells whether there is a legal move.
func (p *Position) HasLegal() bool { return p.Count() != 0 }
