package chess

import (
	"slices"
	"strings"

	"tabuleiro/games"
)

// Setup is any content of a FEN, possible or not.
type Setup struct {
	// Board holds the piece of each square, by Square.
	Board [64]Piece
	Side  games.Side
	// Rights are the castling rights as read.
	Rights Rights
	// EnPassant is the square as read, whether or not a capture is possible.
	EnPassant          Square
	Halfmove, Fullmove int
	// Chess960 makes the position one of Chess960 even where its rights could be
	// standard ones.
	Chess960 bool
}

// Rights are castling rights that are not yet tied to rooks.
type Rights struct {
	// Outer holds by side whether the outermost rook of the king's wing (0) and
	// the queen's wing (1) may castle: K and Q of FEN and X-FEN.
	Outer [2][2]bool
	// Files holds by side the files named by letter, bit 0 for a.
	Files [2]uint8
}

// Faults is a set of things that are wrong with a setup.
type Faults uint16

// The faults. Those up to BadEnPassant break the rules themselves; the rest
// only say that no game leads there.
const (
	MissingKing Faults = 1 << iota
	TooManyKings
	PawnsOnEdge
	OppositeCheck
	BadCastling
	BadEnPassant
	TooMuchMaterial
	ImpossibleCheck

	fatal = MissingKing | TooManyKings | PawnsOnEdge | OppositeCheck | BadCastling | BadEnPassant
)

// Fatal leaves those faults with which a position cannot be played.
func (f Faults) Fatal() Faults { return f & fatal }

// Words are the stable words of the faults, sorted.
func (f Faults) Words() []string {
	var words []string
	for i, word := range []string{
		"missing_king", "too_many_kings", "pawns_on_edge", "opposite_check", "bad_castling",
		"bad_en_passant", "too_much_material", "impossible_check",
	} {
		if f>>i&1 != 0 {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return words
}

// Error makes *games.Invalid of the faults; nil when there are none.
func (f Faults) Error() *games.Invalid {
	if f == 0 {
		return nil
	}
	words := f.Words()
	detail := "not a chess position: " + strings.ReplaceAll(strings.Join(words, ", "), "_", " ")
	return &games.Invalid{Reasons: words, Detail: detail}
}

// Faults lists everything that is wrong, both what makes it unplayable and what
// no game can reach.
func (s *Setup) Faults() Faults {
	_, faults := s.build()
	return faults
}

// Position validates leniently: positions that no game reaches but in which the
// rules work are accepted. The error is *games.Invalid.
func (s *Setup) Position() (Position, error) {
	p, faults := s.build()
	if err := faults.Fatal().Error(); err != nil {
		return Position{}, err
	}
	return p, nil
}

// StrictPosition accepts only what has no faults at all. The error is
// *games.Invalid.
func (s *Setup) StrictPosition() (Position, error) {
	p, faults := s.build()
	if err := faults.Error(); err != nil {
		return Position{}, err
	}
	return p, nil
}

// build makes the position as far as it can be made, with its faults. Without
// fatal faults the position is whole.
func (s *Setup) build() (Position, Faults) {
	p := Position{
		side:     s.Side,
		halfmove: uint16(min(max(s.Halfmove, 0), maxCounter)),
		fullmove: uint16(min(max(s.Fullmove, 1), maxCounter)),
		passing:  NoSquare,
		chess960: s.Chess960,
	}
	for sq, piece := range s.Board {
		if piece != 0 {
			p.put(Square(sq), piece)
		}
	}
	var faults Faults
	for _, side := range []games.Side{White, Black} {
		switch kings := p.Pieces(side, King).Count(); {
		case kings == 0:
			faults |= MissingKing
		case kings > 1:
			faults |= TooManyKings
		}
	}
	if p.Pawns()&lastRanks != 0 {
		faults |= PawnsOnEdge
	}
	if faults&(MissingKing|TooManyKings) != 0 {
		// Not whole, but all that is wrong is told at once.
		if !s.tieRights(&p) {
			faults |= BadCastling
		}
		if s.EnPassant != NoSquare && !s.passingStands(&p) {
			faults |= BadEnPassant
		}
		return p, faults
	}
	if p.Attackers(p.King(p.side^1), p.side, p.Occupied()) != 0 {
		faults |= OppositeCheck
	}
	if !s.tieRights(&p) {
		faults |= BadCastling
	}
	if s.EnPassant != NoSquare {
		if !s.passingStands(&p) {
			faults |= BadEnPassant
		} else if p.mayPass(s.EnPassant) {
			p.passing = s.EnPassant
		}
	}
	faults |= unreachable(&p, s.EnPassant, faults&BadEnPassant == 0)
	p.hash = p.freshHash()
	return p, faults
}

// tieRights finds the rook of each right. It tells whether there was one.
func (s *Setup) tieRights(p *Position) bool {
	for _, side := range []games.Side{White, Black} {
		if s.Rights.Outer[side] == [2]bool{} && s.Rights.Files[side] == 0 {
			continue
		}
		// A side has one king. Where it has several, one that fits is enough.
		tied := false
		for kings := p.Pieces(side, King); kings != 0 && !tied; kings &= kings - 1 {
			tied = s.tieSide(p, side, kings.First())
		}
		if !tied {
			return false
		}
	}
	return true
}

// tieSide finds the rooks of a side's rights beside one king.
func (s *Setup) tieSide(p *Position, side games.Side, king Square) bool {
	home := rank1 << (56 * side)
	rooks := p.Pieces(side, Rook) & home
	// A king off its home rank has no wings, and no rights.
	right := ^(king.Bit()<<1 - 1)
	wings := [2]Bitboard{rooks & right, rooks &^ right}
	for wing, has := range s.Rights.Outer[side] {
		if has {
			if wings[wing] == 0 || !home.Has(king) {
				return false
			}
			p.rights |= outermost(wings[wing], wing)
		}
	}
	for file := range 8 {
		if s.Rights.Files[side]>>file&1 != 0 {
			rook := home & (fileA << file)
			if rook&rooks == 0 || !home.Has(king) {
				return false
			}
			p.rights |= rook
		}
	}
	corners := (a1.Bit() | h1.Bit()) << (56 * side)
	standard := king == e1+56*Square(side) && p.rights&home&^corners == 0
	if p.rights&home != 0 && !standard {
		p.chess960 = true
	}
	// One right a wing: a king that has not moved has one rook on each side
	// that may castle.
	return (p.rights&wings[0]).Count() <= 1 && (p.rights&wings[1]).Count() <= 1
}

// outermost is the rook of a wing that stands nearest to the edge: the king's
// wing is 0, the queen's 1.
func outermost(rooks Bitboard, wing int) Bitboard {
	if wing == 1 {
		return rooks & -rooks
	}
	for rooks&(rooks-1) != 0 {
		rooks &= rooks - 1
	}
	return rooks
}

// passingStands tells whether the en passant square can have been left by a
// double step: the right rank, empty with the square behind it, and the pawn.
func (s *Setup) passingStands(p *Position) bool {
	sq := s.EnPassant
	rank := 5
	if p.side == Black {
		rank = 2
	}
	if sq.Rank() != rank {
		return false
	}
	pawn, origin := sq^8, sq+8
	if p.side == Black {
		origin = sq - 8
	}
	return p.Occupied()&(sq.Bit()|origin.Bit()) == 0 && p.PieceAt(pawn) == NewPiece(p.side^1, Pawn)
}

// unreachable finds the faults of positions that no game leads to.
func unreachable(p *Position, passing Square, passingStands bool) Faults {
	var faults Faults
	for _, side := range []games.Side{White, Black} {
		own := p.Of(side)
		pawns := (p.Pawns() & own).Count()
		bishops := p.Bishops() & own
		promoted := max((p.Queens()&own).Count()-1, 0) + max((p.Rooks()&own).Count()-2, 0) +
			max((p.Knights()&own).Count()-2, 0) + max((bishops&darkSquares).Count()-1, 0) +
			max((bishops&^darkSquares).Count()-1, 0)
		if pawns+promoted > 8 {
			faults |= TooMuchMaterial
		}
	}
	king, checkers := p.King(p.side), p.Checkers()
	if checkers == 0 {
		return faults
	}
	first, others := checkers.First(), checkers&(checkers-1)
	switch {
	case passing != NoSquare && passingStands:
		// The double step is the last move, so it gives the check itself or
		// uncovers one.
		pawn := passing ^ 8
		origin := passing + passing - pawn
		before := p.Occupied()&^pawn.Bit() | origin.Bit()
		uncovered := p.Attackers(king, p.side^1, before)&^pawn.Bit() == 0
		if others != 0 || (first != pawn && !uncovered) {
			faults |= ImpossibleCheck
		}
	case checkers.Count() > 2, others != 0 && Line(first, others.First()).Has(king):
		faults |= ImpossibleCheck
	}
	return faults
}
