package chess

import (
	"math/bits"

	"tabuleiro/games"
)

// Square is a square by number: a1 = 0, b1 = 1, ..., h8 = 63.
type Square uint8

// NoSquare stands where there is no square.
const NoSquare Square = 64

// The squares that castling names.
const (
	a1 Square = 0
	c1 Square = 2
	d1 Square = 3
	e1 Square = 4
	f1 Square = 5
	g1 Square = 6
	h1 Square = 7
)

// At is the square on a file and a rank, both counted from 0.
func At(file, rank int) Square { return Square(rank<<3 | file) }

// File is the square's file, 0 for a.
func (s Square) File() int { return int(s & 7) }

// Rank is the square's rank, 0 for White's first.
func (s Square) Rank() int { return int(s >> 3) }

// Bit is the set of this one square; empty for NoSquare.
func (s Square) Bit() Bitboard {
	if s >= NoSquare {
		return 0
	}
	return 1 << s
}

// String is the square as in "e4", or "-" for NoSquare.
func (s Square) String() string {
	if s >= NoSquare {
		return "-"
	}
	return squareNames[2*s : 2*s+2]
}

// squareNames holds the name of every square, so that none is ever made.
const squareNames = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4" +
	"a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8"

// ParseSquare reads "e4". It returns NoSquare for any other text.
func ParseSquare(text string) Square {
	if len(text) != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8' {
		return NoSquare
	}
	return At(int(text[0]-'a'), int(text[1]-'1'))
}

// Bitboard is a set of squares, one bit each.
type Bitboard uint64

const (
	fileA Bitboard = 0x0101010101010101
	fileH Bitboard = 0x8080808080808080
	rank1 Bitboard = 0xff
	rank8 Bitboard = 0xff << 56

	// lastRanks are where pawns promote; a pawn stands on neither.
	lastRanks = rank1 | rank8

	darkSquares Bitboard = 0xaa55aa55aa55aa55
)

// Count is the number of squares in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First is the lowest square of the set; NoSquare when it is empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Has tells whether the set holds a square.
func (b Bitboard) Has(s Square) bool { return b&s.Bit() != 0 }

// Names lists the squares of the set as text, sorted.
func (b Bitboard) Names() []string {
	var names []string
	for file := range 8 {
		for set := b & (fileA << file); set != 0; set &= set - 1 {
			names = append(names, set.First().String())
		}
	}
	return names
}

// rotate turns the set by k bits; with k = 8 every square moves up a rank.
func (b Bitboard) rotate(k int) Bitboard { return Bitboard(bits.RotateLeft64(uint64(b), k)) }

// Role is the kind of a piece. The values are chosen so that three bit planes
// hold a board: bit 2 marks the pieces that slide, among which bit 0 marks
// those that move like a bishop and bit 1 those that move like a rook.
type Role uint8

// The roles. The value 4 is not used.
const (
	NoRole Role = 0
	Pawn   Role = 1
	Knight Role = 2
	King   Role = 3
	Bishop Role = 5
	Rook   Role = 6
	Queen  Role = 7
)

const roleLetters = " PNK BRQ"

// Letter is the English letter in upper case: P, N, B, R, Q, K.
func (r Role) Letter() byte { return roleLetters[r&7] }

// roleOf is the role of an English upper-case letter, or NoRole.
func roleOf(letter byte) Role {
	switch letter {
	case 'P':
		return Pawn
	case 'N':
		return Knight
	case 'B':
		return Bishop
	case 'R':
		return Rook
	case 'Q':
		return Queen
	case 'K':
		return King
	}
	return NoRole
}

// Piece is a role with its side; the zero value is no piece.
type Piece uint8

// NewPiece is the piece of a side and a role.
func NewPiece(side games.Side, role Role) Piece { return Piece(uint8(side)<<3 | uint8(role)) }

// Role is what kind of piece it is.
func (p Piece) Role() Role { return Role(p & 7) }

// Side is whose piece it is; meaningless for no piece.
func (p Piece) Side() games.Side { return games.Side(p >> 3) }

// Letter is the FEN letter: upper case for White, lower case for Black.
func (p Piece) Letter() byte {
	letter := p.Role().Letter()
	if p.Side() == Black {
		letter += 'a' - 'A'
	}
	return letter
}

// The sides by their names in chess.
const (
	White = games.First
	Black = games.Second
)

// Move is a move in 16 bits: origin, destination, kind and promotion. It means
// something only together with its position. Castling is stored as the king
// taking its own rook, in standard chess too. The zero value is no move.
type Move uint16

const (
	kindPromotion Move = 1 << 14
	kindEnPassant Move = 2 << 14
	kindCastling  Move = 3 << 14
	kindMask      Move = 3 << 14
)

// NoMove is the zero value.
const NoMove Move = 0

func newMove(from, to Square) Move { return Move(from) | Move(to)<<6 }

// promotion codes, in the two bits 12 and 13.
const (
	promoteKnight Move = kindPromotion | iota<<12
	promoteBishop
	promoteRook
	promoteQueen
)

// From is the square that the piece leaves.
func (m Move) From() Square { return Square(m & 63) }

// To is the square where it goes; the rook's square when castling.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// Promotion is the new piece's role, or NoRole.
func (m Move) Promotion() Role {
	if m&kindMask != kindPromotion {
		return NoRole
	}
	return [4]Role{Knight, Bishop, Rook, Queen}[m>>12&3]
}

// IsCastling tells whether the king castles.
func (m Move) IsCastling() bool { return m&kindMask == kindCastling }

// IsEnPassant tells whether a pawn takes in passing.
func (m Move) IsEnPassant() bool { return m&kindMask == kindEnPassant }

// MoveList is a list of moves with room for those of any position: with E
// squares not held by one's own pieces, sliders reach each along at most 8
// lines and knights from at most 8 squares, a slider has at most 27 moves and a
// knight 8, which bounds them together by 446; pawns and king add less than 60.
type MoveList struct {
	n     int
	moves [512]Move
}

// Len is the number of moves.
func (l *MoveList) Len() int { return l.n }

// At is the move with an index below Len.
func (l *MoveList) At(i int) Move { return l.moves[i&511] }

// All is the moves as a slice into the list, to read or to sort in place.
func (l *MoveList) All() []Move { return l.moves[:l.n] }

// Contains tells whether a move is in the list.
func (l *MoveList) Contains(m Move) bool {
	for _, have := range l.All() {
		if have == m {
			return true
		}
	}
	return false
}

func (l *MoveList) add(m Move) {
	l.moves[l.n&511] = m
	l.n++
}

// spread adds the moves of one piece to each square of a set.
func (l *MoveList) spread(from Square, targets Bitboard) {
	n := l.n
	for ; targets != 0; targets &= targets - 1 {
		l.moves[n&511] = Move(from) | Move(targets.First())<<6
		n++
	}
	l.n = n
}

// march adds the moves of pawns that all came the same way, by shift.
func (l *MoveList) march(targets Bitboard, shift int) {
	n := l.n
	for ; targets != 0; targets &= targets - 1 {
		to := targets.First()
		l.moves[n&511] = Move(to-Square(shift)) | Move(to)<<6
		n++
	}
	l.n = n
}

// promote adds the four promotions of pawns that all came the same way.
func (l *MoveList) promote(targets Bitboard, shift int) {
	for ; targets != 0; targets &= targets - 1 {
		to := targets.First()
		m := newMove(to-Square(shift), to)
		l.add(m | promoteQueen)
		l.add(m | promoteKnight)
		l.add(m | promoteRook)
		l.add(m | promoteBishop)
	}
}
