package chess

import "tabuleiro/games"

// magic finds a slider's attacks from one square: the blockers that matter,
// multiplied, give an index into the square's part of slides.
type magic struct {
	mask, multiplier uint64
	offset           uint32
	shift            uint8
}

// slidesSize is a power of two, so that an index can be masked rather than
// checked; 107,648 entries are used.
const slidesSize = 1 << 17

// slides holds the attack sets of all sliders. The two tables after it fill it:
// rooks first, then bishops.
var slides [slidesSize]Bitboard

var (
	rookMagics   = buildMagics(&rookMultipliers, rookSteps, 0)
	bishopMagics = buildMagics(&bishopMultipliers, bishopSteps, 102400)
)

var (
	rookSteps   = [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	bishopSteps = [4][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
)

var (
	knightAttacks = buildSteps([][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}})
	kingAttacks   = buildSteps([][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}})
	pawnAttacks   = [2][64]Bitboard{
		buildSteps([][2]int{{-1, 1}, {1, 1}}),
		buildSteps([][2]int{{-1, -1}, {1, -1}}),
	}
	between = buildBetween()
	lines   = buildLines()
)

// KnightAttacks are the squares that a knight attacks from s.
func KnightAttacks(s Square) Bitboard { return knightAttacks[s&63] }

// KingAttacks are the squares that a king attacks from s.
func KingAttacks(s Square) Bitboard { return kingAttacks[s&63] }

// PawnAttacks are the squares that a side's pawn attacks from s.
func PawnAttacks(side games.Side, s Square) Bitboard { return pawnAttacks[side&1][s&63] }

// BishopAttacks are the squares that a bishop attacks from s on a board with
// the given occupied squares, the first blocker of each line included.
func BishopAttacks(s Square, occupied Bitboard) Bitboard {
	m := &bishopMagics[s&63]
	i := m.offset + uint32((uint64(occupied)&m.mask)*m.multiplier>>(m.shift&63))
	return slides[i&(slidesSize-1)]
}

// RookAttacks is BishopAttacks for a rook.
func RookAttacks(s Square, occupied Bitboard) Bitboard {
	m := &rookMagics[s&63]
	i := m.offset + uint32((uint64(occupied)&m.mask)*m.multiplier>>(m.shift&63))
	return slides[i&(slidesSize-1)]
}

// QueenAttacks is BishopAttacks for a queen.
func QueenAttacks(s Square, occupied Bitboard) Bitboard {
	return BishopAttacks(s, occupied) | RookAttacks(s, occupied)
}

// Between is the set of squares strictly between two squares on one line;
// empty when they share none.
func Between(a, b Square) Bitboard { return between[a&63][b&63] }

// Line is the whole line through two squares, both included; empty when they
// share none.
func Line(a, b Square) Bitboard { return lines[a&63][b&63] }

// knightReach is the set of squares that any of a set of knights attacks.
func knightReach(knights Bitboard) Bitboard {
	const notA, notAB, notH, notGH = ^fileA, ^(fileA | fileA<<1), ^fileH, ^(fileH | fileH>>1)
	near := knights<<1&notA | knights>>1&notH
	far := knights<<2&notAB | knights>>2&notGH
	return near<<16 | near>>16 | far<<8 | far>>8
}

// walk is a slider's attack set the slow way, for building tables.
func walk(s Square, occupied Bitboard, steps [4][2]int) Bitboard {
	var set Bitboard
	for _, step := range steps {
		file, rank := s.File()+step[0], s.Rank()+step[1]
		for onBoard(file, rank) {
			set |= At(file, rank).Bit()
			if occupied.Has(At(file, rank)) {
				break
			}
			file, rank = file+step[0], rank+step[1]
		}
	}
	return set
}

func onBoard(file, rank int) bool { return file >= 0 && file < 8 && rank >= 0 && rank < 8 }

func buildMagics(multipliers *[64]uint64, steps [4][2]int, offset int) [64]magic {
	var magics [64]magic
	for s := a1; s < NoSquare; s++ {
		// A piece on the edge never changes what lies beyond it.
		edges := (rank1|rank8)&^(rank1<<(8*s.Rank())) | (fileA|fileH)&^(fileA<<s.File())
		mask := walk(s, 0, steps) &^ edges
		m := magic{uint64(mask), multipliers[s], uint32(offset), uint8(64 - mask.Count())}
		blockers := Bitboard(0)
		for {
			i := int(uint64(blockers) * m.multiplier >> m.shift)
			slides[offset+i] = walk(s, blockers, steps)
			blockers = (blockers - mask) & mask
			if blockers == 0 {
				break
			}
		}
		magics[s] = m
		offset += 1 << mask.Count()
	}
	return magics
}

func buildSteps(steps [][2]int) [64]Bitboard {
	var table [64]Bitboard
	for s := a1; s < NoSquare; s++ {
		for _, step := range steps {
			if file, rank := s.File()+step[0], s.Rank()+step[1]; onBoard(file, rank) {
				table[s] |= At(file, rank).Bit()
			}
		}
	}
	return table
}

func buildBetween() [64][64]Bitboard {
	var table [64][64]Bitboard
	for a := a1; a < NoSquare; a++ {
		for b := a1; b < NoSquare; b++ {
			switch {
			case walk(a, 0, rookSteps).Has(b):
				table[a][b] = walk(a, b.Bit(), rookSteps) & walk(b, a.Bit(), rookSteps)
			case walk(a, 0, bishopSteps).Has(b):
				table[a][b] = walk(a, b.Bit(), bishopSteps) & walk(b, a.Bit(), bishopSteps)
			}
		}
	}
	return table
}

func buildLines() [64][64]Bitboard {
	var table [64][64]Bitboard
	for a := a1; a < NoSquare; a++ {
		for b := a1; b < NoSquare; b++ {
			for _, steps := range [][4][2]int{rookSteps, bishopSteps} {
				if a != b && walk(a, 0, steps).Has(b) {
					table[a][b] = walk(a, 0, steps)&walk(b, 0, steps) | a.Bit() | b.Bit()
				}
			}
		}
	}
	return table
}
