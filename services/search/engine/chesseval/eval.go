package chesseval

import (
	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// Max bounds what Evaluate says, in centipawns.
const Max = 20000

// The roles in the order of the parameters.
const (
	pawn = iota
	knight
	bishop
	rook
	queen
	king
)

// roleIndex is the order of the parameters by chess.Role.
var roleIndex = [8]int{chess.Pawn: pawn, chess.Knight: knight, chess.Bishop: bishop, chess.Rook: rook, chess.Queen: queen, chess.King: king}

// phases is the weight of a full set of pieces: 1 a minor piece, 2 a rook, 4 a
// queen.
const phases = 24

// placements holds material and square by piece, Black's negative.
var placements = makePlacements(&params)

func makePlacements(p *[Count]Score) *[16][64]Score {
	t := new([16][64]Score)
	for _, role := range []chess.Role{chess.Pawn, chess.Knight, chess.Bishop, chess.Rook, chess.Queen, chess.King} {
		i := roleIndex[role]
		for s := range 64 {
			value := p[squares+64*i+s]
			if i != king {
				value += p[material+i]
			}
			t[chess.NewPiece(white, role)][s] = value
			t[chess.NewPiece(black, role)][s^56] = -value
		}
	}
	return t
}

// Placement is what a piece on a square counts for White: a search adds and
// takes these as pieces move.
func Placement(piece chess.Piece, s chess.Square) Score { return placements[piece&15][s&63] }

// Placements is the sum over all pieces of a position.
func Placements(p *chess.Position) (sum Score) {
	for set := p.Occupied(); set != 0; set &= set - 1 {
		s := set.First()
		sum += Placement(p.PieceAt(s), s)
	}
	return sum
}

// Evaluator evaluates positions, remembering pawn structures. It is for one
// goroutine; the zero value is ready.
type Evaluator struct {
	pawns [pawnSlots]pawnEntry
	work  work
}

// Evaluate is the value for the side to move, given Placements of the position.
func (e *Evaluator) Evaluate(p *chess.Position, placement Score) int {
	w := &e.work
	w.begin(p)
	sum := placement + terms[without](w, &e.pawns[w.pawnKey()%pawnSlots])
	return w.finish(sum)
}

// Evaluate is the value of a position for its side to move, for callers that
// evaluate seldom.
func Evaluate(p *chess.Position) int {
	var w work
	w.begin(p)
	return w.finish(Placements(p) + terms[without](&w, new(pawnEntry)))
}

// mode makes two programs of one: with a trace and without. Which it is can be
// told when it is compiled, by the length of the array.
type mode interface{ without | with }

type (
	without [0]struct{}
	with    [1]struct{}
)

func tracing[T mode]() bool {
	var t T
	return len(t) == 1
}

// term is a parameter taken n times for a side.
func term[T mode](w *work, us games.Side, i, n int) Score {
	if tracing[T]() {
		w.trace.Counts[us][i] += int16(n)
	}
	return params[i] * Score(n)
}

// work is what the terms of one position share, by side.
type work struct {
	trace *Trace
	p     *chess.Position

	occupied                               chess.Bitboard
	of                                     [2]chess.Bitboard
	pawns, knights, bishops, rooks, queens [2]chess.Bitboard
	king                                   [2]chess.Square
	pawnAttacks, ring, area                [2]chess.Bitboard
	// attacks and twice are what all pieces attack, at least once and twice.
	attacks, twice [2]chess.Bitboard
	byRole         [2][6]chess.Bitboard
	// units add up the attack of a side on the enemy's king.
	units [2]int
	pawn  *pawnEntry
}

func (w *work) begin(p *chess.Position) {
	w.p = p
	w.occupied = p.Occupied()
	w.of[white] = p.Of(white)
	w.of[black] = w.occupied ^ w.of[white]
	pawns, knights, bishops, rooks, queens, kings := p.Pawns(), p.Knights(), p.Bishops(), p.Rooks(), p.Queens(), p.Kings()
	for side := range 2 {
		own := w.of[side]
		w.pawns[side], w.knights[side], w.bishops[side] = pawns&own, knights&own, bishops&own
		w.rooks[side], w.queens[side] = rooks&own, queens&own
		w.king[side] = (kings & own).First() & 63
	}
	w.units = [2]int{}
}

// terms sums up all but the placement, for White.
func terms[T mode](w *work, slot *pawnEntry) Score {
	w.pawn = slot
	sum := pawnTerms[T](w)
	for side := range games.Side(2) {
		own, attacks := w.pawns[side], PawnAttacks(w.pawns[side], side)
		w.pawnAttacks[side] = attacks
		w.byRole[side][pawn] = attacks
		reach := chess.KingAttacks(w.king[side])
		w.byRole[side][king] = reach
		w.attacks[side] = attacks | reach
		// Squares attacked by two pawns, or by a pawn and the king.
		var west, east chess.Bitboard
		if side == white {
			west, east = own&^fileA<<7, own&^fileH<<9
		} else {
			west, east = own&^fileA>>9, own&^fileH>>7
		}
		w.twice[side] = west&east | attacks&reach
		w.ring[side] = tables.ring[side][w.king[side]]
	}
	for side := range games.Side(2) {
		// Blocked pawns and those at home, king and queen take room.
		low := rank1 << 8
		if side == black {
			low = rank1 << 48
		}
		stuck := w.pawns[side] & (low | forward(w.occupied, side^1))
		w.area[side] = ^(stuck | w.king[side].Bit() | w.queens[side] | w.pawnAttacks[side^1])
	}
	sum += pieceTerms[T](w, white) - pieceTerms[T](w, black)
	sum += kingTerms[T](w, white) - kingTerms[T](w, black)
	sum += threatTerms[T](w, white) - threatTerms[T](w, black)
	if w.pawn.passed != 0 {
		sum += passedTerms[T](w, white) - passedTerms[T](w, black)
	}
	if us := w.p.SideToMove(); us == white {
		sum += term[T](w, white, tempo, 1)
	} else {
		sum -= term[T](w, black, tempo, 1)
	}
	return sum
}

// phase is how much of a middle game it is, from 0 to phases.
func (w *work) phase() int {
	minors := w.knights[white] | w.knights[black] | w.bishops[white] | w.bishops[black]
	n := minors.Count() + 2*(w.rooks[white]|w.rooks[black]).Count() + 4*(w.queens[white]|w.queens[black]).Count()
	return min(n, phases)
}

// finish mixes, scales and turns a sum to the side to move.
func (w *work) finish(sum Score) int {
	ending := sum.Ending()
	strong := white
	if ending < 0 {
		strong = black
	}
	phase, scale, middle := w.phase(), w.scale(strong), full
	if scale < dead {
		middle = scale // Hardly a win is left, whatever stands on the board.
	}
	value := (sum.Middle()*phase*middle + ending*scale*(phases-phase)) / (phases * full)
	value += w.driving()
	// Far from a capture or a pawn's move little will come of it.
	value -= value * min(w.p.Halfmove(), 100) / 220
	value = max(min(value, Max), -Max)
	if w.p.SideToMove() == black {
		value = -value
	}
	return value
}
