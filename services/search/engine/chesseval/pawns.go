package chesseval

import (
	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// pawnSlots is the number of pawn structures that an Evaluator remembers.
const pawnSlots = 1 << 13

// pawnEntry is what the pawns and the kings behind them alone tell.
type pawnEntry struct {
	pawns [2]chess.Bitboard
	king  [2]chess.Square
	known bool
	score Score
	// passed are the passed pawns of both sides, spans what a side's pawns attack
	// or may once come to attack.
	passed chess.Bitboard
	spans  [2]chess.Bitboard
}

func (w *work) pawnKey() uint64 {
	key := uint64(w.pawns[white])*0x9e3779b97f4a7c15 ^ uint64(w.pawns[black])*0xbf58476d1ce4e5b9
	key ^= uint64(w.king[white])<<13 ^ uint64(w.king[black])<<26
	return key * 0x94d049bb133111eb >> 40
}

// pawnTerms are the pawns' structure and the kings' shelter, for White; with a
// trace nothing is remembered.
func pawnTerms[T mode](w *work) Score {
	e := w.pawn
	if !tracing[T]() && e.known && e.pawns == w.pawns && e.king == w.king {
		return e.score
	}
	*e = pawnEntry{pawns: w.pawns, king: w.king, known: true}
	e.score = structure[T](w, white) - structure[T](w, black) + shelterTerms[T](w, white) - shelterTerms[T](w, black)
	return e.score
}

func structure[T mode](w *work, us games.Side) (sum Score) {
	e, them := w.pawn, us^1
	own, their := w.pawns[us], w.pawns[them]
	theirAttacks := PawnAttacks(their, them)
	for set := own; set != 0; set &= set - 1 {
		s := set.First() & 63
		rank := rankOf(s, us)
		ahead, front := tables.ahead[us][s], tables.front[us][s]
		beside := tables.beside[s&7] & own
		stoppers := front & their
		e.spans[us] |= front &^ ahead
		open := 0
		if (ahead|tables.ahead[them][s])&their == 0 {
			open = 1
		}
		support := chess.PawnAttacks(them, s) & own
		level := beside & (rank1 << (s &^ 7))
		if ahead&own != 0 {
			sum += term[T](w, us, doubled, 1)
		}
		if support != 0 {
			sum += term[T](w, us, supported+rank, 1)
		}
		if level != 0 {
			sum += term[T](w, us, phalanx+rank, 1)
		}
		switch {
		case beside == 0:
			sum += term[T](w, us, isolated+open, 1)
		case support|level == 0 && tables.behind[us][s]&own == 0 && forward(s.Bit(), us)&(theirAttacks|their) != 0:
			sum += term[T](w, us, backward+open, 1)
		}
		switch {
		case stoppers == 0 && ahead&own == 0:
			e.passed |= s.Bit()
			sum += term[T](w, us, passed+rank, 1)
		case stoppers&ahead == 0 && ahead&own == 0 && (tables.behind[us][s]&own).Count() >= stoppers.Count():
			sum += term[T](w, us, candidate+rank, 1)
		}
	}
	return sum
}

// shelterTerms are the pawns before a king, its own and those that come.
func shelterTerms[T mode](w *work, us games.Side) (sum Score) {
	k, them := w.king[us], us^1
	level := rank1 << (k &^ 7)
	centre := max(min(k.File(), 6), 1)
	for file := centre - 1; file <= centre+1; file++ {
		edge := min(file, 7-file)
		column := fileA << file
		field := column & (level | tables.front[us][k] | tables.front[us][k&^7|chess.Square(centre)])
		mine, theirs := 0, 0
		if set := field & w.pawns[us]; set != 0 {
			mine = rankOf(nearest(set, us), us)
		}
		if set := field & w.pawns[them]; set != 0 {
			theirs = rankOf(nearest(set, us), us)
		}
		sum += term[T](w, us, shelter+8*edge+mine, 1)
		if mine != 0 && theirs == mine+1 {
			sum += term[T](w, us, stormBlocked+theirs, 1)
		} else {
			sum += term[T](w, us, storm+8*edge+theirs, 1)
		}
	}
	if fileA<<(k&7)&w.pawns[us] == 0 {
		sum += term[T](w, us, kingOpenFile, 1)
	}
	return sum
}

// nearest is the square of a set that lies lowest as a side sees it.
func nearest(set chess.Bitboard, us games.Side) chess.Square {
	if us == white {
		return set.First() & 63
	}
	return last(set)
}

// passedTerms are what stands around the passed pawns.
func passedTerms[T mode](w *work, us games.Side) (sum Score) {
	them := us ^ 1
	for set := w.pawn.passed & w.of[us]; set != 0; set &= set - 1 {
		s := set.First() & 63
		rank := rankOf(s, us)
		stop := forward(s.Bit(), us)
		path := tables.ahead[us][s]
		if stop&w.occupied != 0 {
			sum += term[T](w, us, passedBlocked+rank, 1)
		} else if path&(w.of[them]|w.attacks[them]) == 0 {
			sum += term[T](w, us, passedFree+rank, 1)
		}
		if stop&w.attacks[us] != 0 {
			sum += term[T](w, us, passedGuarded+rank, 1)
		}
		if rank >= 3 {
			front := stop.First() & 63
			sum += term[T](w, us, passedOwnKing+int(tables.distance[w.king[us]][front]), rank-2)
			sum += term[T](w, us, passedTheirKing+int(tables.distance[w.king[them]][front]), rank-2)
		}
		behind := tables.ahead[them][s]
		if behind&w.rooks[us] != 0 {
			sum += term[T](w, us, passedRook, 1)
		}
		if behind&w.rooks[them] != 0 {
			sum += term[T](w, us, passedTheirRook, 1)
		}
	}
	return sum
}
