package chess

import "tabuleiro/games"

// Find is the legal move from one square to another, or exactly why there is
// none. Castling may be asked for as the king taking its rook or as its jump to
// the c- or g-file; promotion is NoRole for all but promotions.
//
// The squares of a refusal, by code: the origin for no_piece and
// not_your_piece; origin and destination for cannot_move_so; the destination
// for own_piece, promotion_missing and promotion_not_allowed; the pieces in the
// way for path_blocked and castling_blocked; the attackers for
// king_left_in_check and castling_in_check; the king's attacked square and its
// attackers for castling_through and castling_into; the king for
// castling_king_moved; the rook's corner for castling_rook_moved, in chess960
// the rooks on that side of the king that may not castle, or the king where there
// are none. In check,
// king_left_in_check and castling_in_check have the ways out, and
// promotion_missing always has the four promotions.
func (p *Position) Find(from, to Square, promotion Role) (Move, *games.Refusal) {
	return p.find(from, to, promotion, p.passing)
}

// find is Find with the square that a double step passed, even where no capture
// there is legal, so that such a capture is refused for what it is.
func (p *Position) find(from, to Square, promotion Role, passed Square) (Move, *games.Refusal) {
	piece := p.PieceAt(from)
	switch {
	case piece == 0:
		return NoMove, refuse(games.NoPiece, from)
	case piece.Side() != p.side:
		return NoMove, refuse(games.NotYourPiece, from)
	case from == to:
		return NoMove, refuse(games.CannotMoveSo, from)
	}
	if piece.Role() == King {
		if rook, wing, asked := p.asksCastling(from, to); asked {
			if promotion != NoRole {
				return NoMove, refuse(games.PromotionNotAllowed, to)
			}
			return p.findCastling(from, rook, wing)
		}
	}
	if p.Of(p.side).Has(to) {
		return NoMove, refuse(games.OwnPiece, to)
	}
	kind, refusal := p.reaches(piece.Role(), from, to, passed)
	if refusal != nil {
		return NoMove, refusal
	}
	if attackers := p.attackersAfter(piece.Role(), from, to, kind); attackers != 0 {
		return NoMove, p.unanswered(&games.Refusal{Code: games.KingLeftInCheck, Squares: attackers.Names()})
	}
	if piece.Role() != Pawn || lastRanks&to.Bit() == 0 {
		if promotion != NoRole {
			return NoMove, refuse(games.PromotionNotAllowed, to)
		}
		return newMove(from, to) | kind, nil
	}
	switch promotion {
	case NoRole:
		r := refuse(games.PromotionMissing, to)
		for _, letter := range "qrbn" {
			r.Moves = append(r.Moves, from.String()+to.String()+string(letter))
		}
		return NoMove, r
	case Knight:
		kind = promoteKnight
	case Bishop:
		kind = promoteBishop
	case Rook:
		kind = promoteRook
	case Queen:
		kind = promoteQueen
	default:
		return NoMove, refuse(games.PromotionNotAllowed, to)
	}
	return newMove(from, to) | kind, nil
}

func refuse(code games.Code, squares ...Square) *games.Refusal {
	r := &games.Refusal{Code: code}
	for _, s := range squares {
		r.Squares = append(r.Squares, s.String())
	}
	return r
}

// RefuseOver is why no move counts where the game is over. After mate it shows
// the king and the pieces that give check; other ends have no squares.
func (p *Position) RefuseOver() *games.Refusal {
	if checkers := p.Checkers(); checkers != 0 && !p.HasLegal() {
		return refuseAttacked(games.GameOver, p.King(p.side), checkers)
	}
	return refuse(games.GameOver)
}

// reaches tells whether a piece gets from one square to another that holds no
// piece of its own, and whether it takes in passing there.
func (p *Position) reaches(role Role, from, to, passed Square) (Move, *games.Refusal) {
	if role == Pawn {
		return p.pawnReaches(from, to, passed)
	}
	var reach Bitboard
	switch role {
	case Knight:
		reach = KnightAttacks(from)
	case Bishop:
		reach = BishopAttacks(from, 0)
	case Rook:
		reach = RookAttacks(from, 0)
	case Queen:
		reach = QueenAttacks(from, 0)
	case King:
		reach = KingAttacks(from)
	}
	if !reach.Has(to) {
		return 0, refuse(games.CannotMoveSo, from, to)
	}
	if blockers := Between(from, to) & p.Occupied(); blockers != 0 {
		return 0, &games.Refusal{Code: games.PathBlocked, Squares: blockers.Names()}
	}
	return 0, nil
}

func (p *Position) pawnReaches(from, to, passed Square) (Move, *games.Refusal) {
	if PawnAttacks(p.side, from).Has(to) {
		switch {
		case p.Occupied().Has(to):
			return 0, nil
		case to == passed:
			return kindEnPassant, nil
		}
		return 0, refuse(games.CannotMoveSo, from, to)
	}
	up := 8 - 16*int(p.side)
	steps := 0
	switch int(to) - int(from) {
	case up:
		steps = 1
	case 2 * up:
		if rank1<<8<<(40*p.side)&from.Bit() != 0 {
			steps = 2
		}
	}
	if steps == 0 {
		return 0, refuse(games.CannotMoveSo, from, to)
	}
	if blockers := (Between(from, to) | to.Bit()) & p.Occupied(); blockers != 0 {
		return 0, &games.Refusal{Code: games.PathBlocked, Squares: blockers.Names()}
	}
	return 0, nil
}

// attackersAfter are the pieces that would attack the mover's king after a move
// that is no castling.
func (p *Position) attackersAfter(role Role, from, to Square, kind Move) Bitboard {
	if kind == kindEnPassant {
		return p.attackersAfterPassing(from, to)
	}
	king := p.King(p.side)
	if role == King {
		king = to
	}
	occupied := p.Occupied()&^from.Bit() | to.Bit()
	return p.Attackers(king, p.side^1, occupied) &^ to.Bit()
}

// The wings by number.
const (
	kingsWing  = 0
	queensWing = 1
)

// asksCastling tells whether a king's move is meant as castling, and with which
// rook where it still may castle there: the king takes its own rook, or jumps
// to the file where castling ends.
func (p *Position) asksCastling(king, to Square) (rook Square, wing int, asked bool) {
	home := rank1 << (56 * p.side)
	if !home.Has(king) || !home.Has(to) {
		return NoSquare, 0, false
	}
	wing = kingsWing
	if to < king {
		wing = queensWing
	}
	atHome := king.File() == e1.File()
	if p.Pieces(p.side, Rook).Has(to) {
		if p.chess960 {
			if p.rights.Has(to) {
				return to, wing, true
			}
			return NoSquare, wing, p.rights&home != 0
		}
		if atHome && (to.File() == a1.File() || to.File() == h1.File()) {
			return p.castlingRook(king, wing), wing, true
		}
	}
	end := g1.File()
	if wing == queensWing {
		end = c1.File()
	}
	if to.File() != end || KingAttacks(king).Has(to) {
		return NoSquare, 0, false
	}
	rook = p.castlingRook(king, wing)
	return rook, wing, rook != NoSquare || atHome
}

// castlingRook is the rook of a wing that may still castle, or NoSquare.
func (p *Position) castlingRook(king Square, wing int) Square {
	rooks := p.rights & (rank1 << (56 * p.side))
	if wing == kingsWing {
		return (rooks &^ (king.Bit()<<1 - 1)).First()
	}
	return (rooks & (king.Bit() - 1)).First()
}

// findCastling is the castling move, or why it is refused.
func (p *Position) findCastling(king, rook Square, wing int) (Move, *games.Refusal) {
	if rook == NoSquare {
		return NoMove, p.whyNoRight(king, wing)
	}
	if checkers := p.Checkers(); checkers != 0 {
		return NoMove, p.unanswered(&games.Refusal{Code: games.CastlingInCheck, Squares: checkers.Names()})
	}
	kingTo, rookTo := castlingTargets(king, rook)
	pieces, ends := king.Bit()|rook.Bit(), kingTo.Bit()|rookTo.Bit()
	path := Between(king, kingTo)
	if blockers := (path | Between(rook, rookTo) | ends) &^ pieces & p.Occupied(); blockers != 0 {
		return NoMove, &games.Refusal{Code: games.CastlingBlocked, Squares: blockers.Names()}
	}
	for set := path; set != 0; set &= set - 1 {
		if attackers := p.Attackers(set.First(), p.side^1, p.Occupied()&^king.Bit()); attackers != 0 {
			return NoMove, refuseAttacked(games.CastlingThrough, set.First(), attackers)
		}
	}
	if attackers := p.Attackers(kingTo, p.side^1, p.Occupied()&^pieces|ends); attackers != 0 {
		return NoMove, refuseAttacked(games.CastlingInto, kingTo, attackers)
	}
	return newMove(king, rook) | kindCastling, nil
}

func refuseAttacked(code games.Code, s Square, attackers Bitboard) *games.Refusal {
	return &games.Refusal{Code: code, Squares: append([]string{s.String()}, attackers.Names()...)}
}

// whyNoRight tells which piece has lost a right, as far as the position shows:
// a side that keeps its other right has not moved its king.
func (p *Position) whyNoRight(king Square, wing int) *games.Refusal {
	home := Square(56 * p.side)
	corner := home + h1
	if wing == queensWing {
		corner = home + a1
	}
	kept := p.rights&(rank1<<home) != 0
	if kept && p.chess960 {
		there := rank1 << home &^ (king.Bit()<<1 - 1)
		if wing == queensWing {
			there = rank1 << home & (king.Bit() - 1)
		}
		rooks := p.Pieces(p.side, Rook) & there &^ p.rights
		if rooks == 0 {
			rooks = king.Bit()
		}
		return &games.Refusal{Code: games.CastlingRookMoved, Squares: rooks.Names()}
	}
	gone := !p.chess960 && king == home+e1 && !p.Pieces(p.side, Rook).Has(corner)
	if kept || gone {
		return refuse(games.CastlingRookMoved, corner)
	}
	return refuse(games.CastlingKingMoved, king)
}
