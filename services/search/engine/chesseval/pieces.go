package chesseval

import (
	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// attackUnits are what a piece that attacks the ring around a king adds, by
// role.
var attackUnits = [6]int{knight: 3, bishop: 3, rook: 4, queen: 5}

// note takes in what a piece attacks.
func (w *work) note(us games.Side, role int, reach chess.Bitboard) {
	w.twice[us] |= w.attacks[us] & reach
	w.attacks[us] |= reach
	w.byRole[us][role] |= reach
	if hit := reach & w.ring[us^1]; hit != 0 {
		w.units[us] += attackUnits[role] + (hit & w.byRole[us^1][king]).Count()
	}
}

// pieceTerms are mobility, files, outposts and what else a piece's square means.
func pieceTerms[T mode](w *work, us games.Side) (sum Score) {
	them := us ^ 1
	area := w.area[us]
	for role := knight; role <= queen; role++ {
		w.byRole[us][role] = 0
	}
	posts := rank1<<24 | rank1<<32 | rank1<<40
	if us == black {
		posts = rank1<<32 | rank1<<24 | rank1<<16
	}
	posts &= w.pawnAttacks[us] &^ w.pawn.spans[them]
	sheltered := forward(w.pawns[white]|w.pawns[black], them)

	for set := w.knights[us]; set != 0; set &= set - 1 {
		s := set.First() & 63
		reach := chess.KnightAttacks(s)
		w.note(us, knight, reach)
		sum += term[T](w, us, knightMobility+(reach&area).Count(), 1)
		if posts>>s&1 != 0 {
			sum += term[T](w, us, knightOutpost, 1)
		} else if reach&posts&^w.of[us] != 0 {
			sum += term[T](w, us, outpostReach, 1)
		}
	}
	for set := w.bishops[us]; set != 0; set &= set - 1 {
		s := set.First() & 63
		reach := chess.BishopAttacks(s, w.occupied&^w.queens[us])
		w.note(us, bishop, reach)
		sum += term[T](w, us, bishopMobility+(reach&area).Count(), 1)
		if posts>>s&1 != 0 {
			sum += term[T](w, us, bishopOutpost, 1)
		}
		colour := darkSquares
		if colour>>s&1 == 0 {
			colour = ^colour
		}
		sum += term[T](w, us, badBishop, (w.pawns[us] & colour).Count())
		if (longDarkLine|longLight)>>s&1 != 0 && (reach&centreFour).Count() >= 2 {
			sum += term[T](w, us, longDiagonal, 1)
		}
	}
	if w.bishops[us]&darkSquares != 0 && w.bishops[us]&^darkSquares != 0 {
		sum += term[T](w, us, bishopPair, 1)
	}
	if n := (sheltered & (w.knights[us] | w.bishops[us])).Count(); n != 0 {
		sum += term[T](w, us, behindPawn, n)
	}
	for set := w.rooks[us]; set != 0; set &= set - 1 {
		s := set.First() & 63
		reach := chess.RookAttacks(s, w.occupied&^(w.queens[us]|w.rooks[us]))
		w.note(us, rook, reach)
		sum += term[T](w, us, rookMobility+(reach&area).Count(), 1)
		file := fileA << (s & 7)
		switch {
		case file&w.pawns[us] != 0:
			if file&w.pawns[us]&forward(w.occupied, them) != 0 {
				sum += term[T](w, us, rookShut, 1)
			}
		case file&w.pawns[them] == 0:
			sum += term[T](w, us, rookOpen, 1)
		default:
			sum += term[T](w, us, rookHalfOpen, 1)
		}
		if rankOf(s, us) == 6 && rankOf(w.king[them], us) >= 6 {
			sum += term[T](w, us, rookSeventh, 1)
		}
	}
	for set := w.queens[us]; set != 0; set &= set - 1 {
		s := set.First() & 63
		reach := chess.QueenAttacks(s, w.occupied)
		w.note(us, queen, reach)
		sum += term[T](w, us, queenMobility+(reach&area).Count(), 1)
	}
	return sum
}

// kingTerms is the danger that a side's king is in.
func kingTerms[T mode](w *work, us games.Side) (sum Score) {
	them := us ^ 1
	units := w.units[them]
	if units == 0 {
		return sum
	}
	k := w.king[us]
	// Squares by the king that only king or queen hold, and once.
	weak := w.attacks[them] &^ w.twice[us] & (^w.attacks[us] | w.byRole[us][king] | w.byRole[us][queen])
	units += 2 * (weak & w.ring[us]).Count()
	// Checks that cannot simply be answered by taking.
	safe := ^w.of[them] & (^w.attacks[us] | weak&w.twice[them])
	straight := chess.RookAttacks(k, w.occupied&^w.queens[us])
	diagonal := chess.BishopAttacks(k, w.occupied&^w.queens[us])
	if straight&safe&w.byRole[them][rook] != 0 {
		units += 6
	}
	if (straight|diagonal)&safe&w.byRole[them][queen]&^w.byRole[us][queen] != 0 {
		units += 5
	}
	if diagonal&safe&w.byRole[them][bishop] != 0 {
		units += 4
	}
	if chess.KnightAttacks(k)&safe&w.byRole[them][knight] != 0 {
		units += 6
	}
	if w.queens[them] == 0 {
		units -= 12
	}
	if units > 0 {
		sum += term[T](w, us, danger+min(units, dangerUnits-1), 1)
	}
	return sum
}

// threatTerms are attacks on what is not well held, and space.
func threatTerms[T mode](w *work, us games.Side) (sum Score) {
	them := us ^ 1
	pieces := w.of[them] &^ w.pawns[them] &^ w.king[them].Bit()
	held := w.pawnAttacks[them] | w.twice[them]&^w.twice[us]
	weak := w.of[them] &^ held & w.attacks[us] &^ w.king[them].Bit()

	if prey := (pieces&held | weak) & (w.byRole[us][knight] | w.byRole[us][bishop]); prey != 0 {
		sum += preyTerms[T](w, us, minorThreat, prey)
	}
	if prey := weak & w.byRole[us][rook]; prey != 0 {
		sum += preyTerms[T](w, us, rookThreat, prey)
	}
	if weak&w.byRole[us][king] != 0 {
		sum += term[T](w, us, kingThreat, 1)
	}
	if n := (weak & (^w.attacks[them] | pieces&w.twice[us])).Count(); n != 0 {
		sum += term[T](w, us, hanging, n)
	}
	if n := (w.attacks[us] & w.attacks[them] &^ held).Count(); n != 0 {
		sum += term[T](w, us, restricted, n)
	}
	sound := w.attacks[us] | ^w.attacks[them]
	if prey := PawnAttacks(w.pawns[us]&sound, us) & pieces; prey != 0 {
		sum += preyTerms[T](w, us, pawnThreat, prey)
	}
	third := rank1 << 16
	if us == black {
		third = rank1 << 40
	}
	push := forward(w.pawns[us], us) &^ w.occupied
	push |= forward(push&third, us) &^ w.occupied
	push &= sound &^ w.pawnAttacks[them]
	if n := (PawnAttacks(push, us) & pieces).Count(); n != 0 {
		sum += term[T](w, us, pushThreat, n)
	}

	count := (w.of[us] &^ w.pawns[us]).Count() - 3
	if count <= 0 {
		return sum
	}
	home := rank1<<8 | rank1<<16 | rank1<<24
	if us == black {
		home = rank1<<48 | rank1<<40 | rank1<<32
	}
	room := home & centreFiles &^ w.pawns[us] &^ w.pawnAttacks[them]
	behind := forward(w.pawns[us], them)
	behind |= forward(behind, them)
	n := (room.Count() + (room & behind &^ w.attacks[them]).Count()) * count / 4
	return sum + term[T](w, us, space, n)
}

// preyTerms are the threats on each role of a set.
func preyTerms[T mode](w *work, us games.Side, block int, prey chess.Bitboard) (sum Score) {
	them := us ^ 1
	for role, set := range [5]chess.Bitboard{w.pawns[them], w.knights[them], w.bishops[them], w.rooks[them], w.queens[them]} {
		if n := (prey & set).Count(); n != 0 {
			sum += term[T](w, us, block+role, n)
		}
	}
	return sum
}
