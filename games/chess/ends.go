package chess

import "tabuleiro/games"

// The limits of the rules on draws, in plies and occurrences.
const (
	fiftyMoves       = 100
	seventyFiveMoves = 150
	threefold        = 3
	fivefold         = 5
)

// outcome is how the game has ended with this position, given the number of its
// legal moves and of its occurrences; nil while it goes on. Mate comes before
// all draws.
func (p *Position) outcome(moves, occurrences int) *games.Outcome {
	switch {
	case moves == 0 && p.InCheck():
		return &games.Outcome{Winner: p.side ^ 1, Reason: "checkmate"}
	case moves == 0:
		return &games.Outcome{Draw: true, Reason: "stalemate"}
	case !p.CanWin(White) && !p.CanWin(Black):
		return &games.Outcome{Draw: true, Reason: "insufficient_material"}
	case occurrences >= fivefold:
		return &games.Outcome{Draw: true, Reason: "repetition_5"}
	case p.halfmove >= seventyFiveMoves:
		return &games.Outcome{Draw: true, Reason: "moves_75"}
	}
	return nil
}

// claims are the draws that the side to move may claim while the game goes on.
func (p *Position) claims(occurrences int) []string {
	var claims []string
	if p.halfmove >= fiftyMoves {
		claims = append(claims, "moves_50")
	}
	if occurrences >= threefold {
		claims = append(claims, "repetition_3")
	}
	return claims
}

// CanWin tells whether a side could still mate by some series of legal moves,
// the opponent helping, as far as material tells. It decides what a fallen flag
// means: a bishop wins on time against a bishop and a pawn, since the pawn may
// become the piece that smothers its own king.
//
// A pawn, rook or queen can always win, and so can two pieces unless both are
// bishops of one colour. A lone knight needs an enemy piece other than queens,
// which would have to guard every square of the mate. Bishops of one colour need
// any pawn or knight, or a bishop of the other colour, on either side.
func (p *Position) CanWin(side games.Side) bool {
	own := p.Of(side)
	if own&(p.Pawns()|p.Rooks()|p.Queens()) != 0 {
		return true
	}
	if own&p.Knights() != 0 {
		helpers := p.Of(side^1) &^ (p.Kings() | p.Queens())
		return own.Count() > 2 || helpers != 0
	}
	if own&p.Bishops() != 0 {
		bishops := p.Bishops()
		return p.Pawns()|p.Knights() != 0 || (bishops&darkSquares != 0 && bishops&^darkSquares != 0)
	}
	return false
}
