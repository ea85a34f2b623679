package engine

import (
	"math/bits"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/core"
)

// chessEvaluator weighs material, squares, pawns, mobility and the king's
// shelter, each for the middle game and the ending, and mixes the two by the
// pieces left. The weights are ours, set by hand.
type chessEvaluator struct{}

// taper is a value for the middle game and one for the ending.
type taper struct{ middle, ending int32 }

func (t *taper) add(u taper, n int32) {
	t.middle += u.middle * n
	t.ending += u.ending * n
}

var chessMaterial = [8]taper{
	chess.Pawn: {90, 115}, chess.Knight: {325, 310}, chess.Bishop: {340, 330},
	chess.Rook: {480, 540}, chess.Queen: {980, 970},
}

// chessPhase is how much of a middle game a piece makes; all together 24.
var chessPhase = [8]int32{chess.Knight: 1, chess.Bishop: 1, chess.Rook: 2, chess.Queen: 4}

const chessPhases = 24

var (
	bishopPair    = taper{28, 45}
	rookOpen      = taper{22, 8}
	rookHalfOpen  = taper{11, 5}
	doubledPawn   = taper{-8, -16}
	isolatedPawn  = taper{-11, -9}
	shelterPawn   = taper{11, 0}
	kingAttack    = taper{9, 0}
	tempo         = taper{12, 6}
	passedByRank  = [8]taper{{}, {4, 10}, {6, 16}, {12, 30}, {28, 55}, {55, 95}, {85, 150}, {}}
	mobilityUnit  = [8]taper{chess.Knight: {4, 4}, chess.Bishop: {4, 4}, chess.Rook: {2, 4}, chess.Queen: {1, 2}}
	mobilityUsual = [8]int32{chess.Knight: 4, chess.Bishop: 6, chess.Rook: 7, chess.Queen: 13}
)

// chessSquares holds material and square values by role for White; Black reads
// them mirrored.
var chessSquares = makeChessSquares()

func makeChessSquares() (t [8][64]taper) {
	for s := range chess.Square(64) {
		file, rank := int32(s.File()), int32(s.Rank())
		// edge is 0 in the middle four files or ranks' centre and 3 on the rim.
		edge := func(x int32) int32 { return max(3-x, x-4) }
		away := edge(file) + edge(rank)
		centre := 6 - 2*away // 6 in the centre, -6 in a corner
		t[chess.Pawn][s] = taper{[8]int32{0, -2, 0, 5, 12, 22, 40, 0}[rank] + (3-edge(file))*rank - 4*edge(file), [8]int32{0, 0, 2, 8, 18, 35, 60, 0}[rank]}
		t[chess.Knight][s] = taper{4*centre + min(rank, 5)*2, 3 * centre}
		t[chess.Bishop][s] = taper{2*centre + min(rank, 4), 2 * centre}
		t[chess.Rook][s] = taper{6 - 3*edge(file), 0}
		t[chess.Queen][s] = taper{centre / 2, 2 * centre}
		home := int32(0)
		if file == 1 || file == 2 || file == 6 {
			home = 18
		}
		t[chess.King][s] = taper{home - 14*min(rank, 4) - 6*(3-edge(file)), 5 * centre}
		if rank == 6 {
			t[chess.Rook][s].add(taper{16, 18}, 1)
		}
		for role, material := range chessMaterial {
			t[role][s].add(material, 1)
		}
	}
	return t
}

// pawnMasks are, by side and square, the squares before a pawn on its own and
// the neighbouring files; by file, the neighbouring files and the file itself.
var pawnFronts, besideFiles, ownFiles = makePawnMasks()

func makePawnMasks() (fronts [2][64]chess.Bitboard, beside, own [8]chess.Bitboard) {
	for s := range chess.Square(64) {
		own[s.File()] |= s.Bit()
	}
	for file := range 8 {
		if file > 0 {
			beside[file] |= own[file-1]
		}
		if file < 7 {
			beside[file] |= own[file+1]
		}
	}
	for s := range chess.Square(64) {
		span := own[s.File()] | beside[s.File()]
		for rank := range 8 {
			row := chess.Bitboard(0xff) << (8 * rank)
			if rank > s.Rank() {
				fronts[chess.White][s] |= span & row
			}
			if rank < s.Rank() {
				fronts[chess.Black][s] |= span & row
			}
		}
	}
	return fronts, beside, own
}

func (chessEvaluator) Evaluate(p *chess.Position) int {
	var score taper
	var phase int32
	us := p.SideToMove()
	for _, side := range [2]games.Side{us, us ^ 1} {
		own, weight := chessSide(p, side)
		phase += weight
		if side == us {
			score.add(own, 1)
		} else {
			score.add(own, -1)
		}
	}
	score.add(tempo, 1)
	phase = min(phase, chessPhases)
	value := (score.middle*phase + score.ending*(chessPhases-phase)) / chessPhases
	// Without pawns a small surplus seldom wins.
	if value > 0 && p.Pawns()&p.Of(us) == 0 || value < 0 && p.Pawns()&p.Of(us^1) == 0 {
		if value < 400 && value > -400 {
			value /= 4
		}
	}
	return int(max(min(value, core.MaxEval), -core.MaxEval))
}

// chessSide is what one side has, and its part of the phase.
func chessSide(p *chess.Position, side games.Side) (score taper, phase int32) {
	flip := chess.Square(56 * side)
	own, occupied := p.Of(side), p.Occupied()
	pawns, theirPawns := p.Pawns()&own, p.Pawns()&^own
	safe := ^own &^ pawnAttacks(theirPawns, side^1)
	theirKing := p.King(side ^ 1)
	ring := chess.KingAttacks(theirKing) | theirKing.Bit()

	for set := pawns; set != 0; set &= set - 1 {
		s := set.First()
		file := s.File()
		score.add(chessSquares[chess.Pawn][s^flip], 1)
		front := pawnFronts[side][s]
		if front&ownFiles[file]&pawns != 0 {
			score.add(doubledPawn, 1)
		} else if front&theirPawns == 0 {
			rank := s.Rank()
			if side == chess.Black {
				rank = 7 - rank
			}
			score.add(passedByRank[rank], 1)
		}
		if besideFiles[file]&pawns == 0 {
			score.add(isolatedPawn, 1)
		}
	}
	pieces := func(role chess.Role, set chess.Bitboard, attacks func(chess.Square) chess.Bitboard) {
		for ; set != 0; set &= set - 1 {
			s := set.First()
			score.add(chessSquares[role][s^flip], 1)
			phase += chessPhase[role]
			reach := attacks(s)
			score.add(mobilityUnit[role], int32((reach&safe).Count())-mobilityUsual[role])
			score.add(kingAttack, int32((reach & ring).Count()))
		}
	}
	pieces(chess.Knight, p.Knights()&own, chess.KnightAttacks)
	bishops := p.Bishops() & own
	if bishops&(bishops-1) != 0 {
		score.add(bishopPair, 1)
	}
	diagonal := func(s chess.Square) chess.Bitboard { return chess.BishopAttacks(s, occupied) }
	straight := func(s chess.Square) chess.Bitboard { return chess.RookAttacks(s, occupied) }
	pieces(chess.Bishop, bishops, diagonal)
	pieces(chess.Rook, p.Rooks()&own, straight)
	pieces(chess.Queen, p.Queens()&own, func(s chess.Square) chess.Bitboard { return diagonal(s) | straight(s) })
	for set := p.Rooks() & own; set != 0; set &= set - 1 {
		file := ownFiles[set.First().File()]
		if file&pawns == 0 {
			if file&theirPawns == 0 {
				score.add(rookOpen, 1)
			} else {
				score.add(rookHalfOpen, 1)
			}
		}
	}
	king := p.King(side)
	score.add(chessSquares[chess.King][king^flip], 1)
	near := pawnFronts[side][king] & chess.Bitboard(bits.RotateLeft64(0xffffff, 8*(king.Rank()-1)))
	score.add(shelterPawn, int32((near & pawns).Count()))
	return score, phase
}

// pawnAttacks are the squares that the pawns of a side attack.
func pawnAttacks(pawns chess.Bitboard, side games.Side) chess.Bitboard {
	west, east := pawns&^ownFiles[0], pawns&^ownFiles[7]
	if side == chess.White {
		return west<<7 | east<<9
	}
	return west>>9 | east>>7
}
