package chesseval

import (
	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// The sides as indices.
const (
	white = chess.White
	black = chess.Black
)

const (
	fileA chess.Bitboard = 0x0101010101010101
	fileH chess.Bitboard = 0x8080808080808080
	rank1 chess.Bitboard = 0xff

	darkSquares  chess.Bitboard = 0xaa55aa55aa55aa55
	centreFour   chess.Bitboard = 0x0000001818000000
	longDarkLine chess.Bitboard = 0x8040201008040201
	longLight    chess.Bitboard = 0x0102040810204080
	centreFiles  chess.Bitboard = fileA<<2 | fileA<<3 | fileA<<4 | fileA<<5
)

// masks are the sets that pawns and kings ask for, by side and square.
type masks struct {
	// ahead are the squares before one on its file, front those on the
	// neighbouring files too; behind are those on the neighbouring files that are
	// not before it.
	ahead, front, behind [2][64]chess.Bitboard
	beside               [8]chess.Bitboard // the neighbouring files
	ring                 [2][64]chess.Bitboard
	distance             [64][64]uint8 // in king's steps
}

var tables = makeMasks()

func makeMasks() *masks {
	m := new(masks)
	for file := range 8 {
		if file > 0 {
			m.beside[file] |= fileA << (file - 1)
		}
		if file < 7 {
			m.beside[file] |= fileA << (file + 1)
		}
	}
	for s := range chess.Square(64) {
		own, beside := fileA<<s.File(), m.beside[s.File()]
		above := ^chess.Bitboard(0) << (8 * s.Rank()) << 8
		below := chess.Bitboard(1)<<(8*s.Rank()) - 1
		m.ahead[white][s], m.ahead[black][s] = own&above, own&below
		m.front[white][s], m.front[black][s] = (own|beside)&above, (own|beside)&below
		m.behind[white][s], m.behind[black][s] = beside&^above, beside&^below
		zone := chess.KingAttacks(s) | s.Bit()
		m.ring[white][s], m.ring[black][s] = zone|zone<<8, zone|zone>>8
		for t := range chess.Square(64) {
			files, ranks := s.File()-t.File(), s.Rank()-t.Rank()
			m.distance[s][t] = uint8(max(files, -files, ranks, -ranks))
		}
	}
	return m
}

// PawnAttacks are the squares that the pawns of a side attack.
func PawnAttacks(pawns chess.Bitboard, side games.Side) chess.Bitboard {
	if side == white {
		return pawns&^fileA<<7 | pawns&^fileH<<9
	}
	return pawns&^fileA>>9 | pawns&^fileH>>7
}

// forward moves a set one rank on for a side.
func forward(set chess.Bitboard, side games.Side) chess.Bitboard {
	if side == white {
		return set << 8
	}
	return set >> 8
}

// rankOf is the rank of a square as a side counts it, from 0.
func rankOf(s chess.Square, side games.Side) int { return int(s>>3) ^ 7*int(side) }
