package draughts

import "tabuleiro/games"

// Board are all squares.
const Board = board

// LastRow are the squares where the men of side are crowned.
func LastRow(side games.Side) Bitboard {
	if side == games.First {
		return row8
	}
	return row1
}

// LegalOf is Legal for pieces given as sets, by callers that number millions of
// positions and need no Position of them. The kings are those of both sides.
func LegalOf(own, opponent, kings Bitboard, side games.Side, list *MoveList) {
	if side == games.Second {
		kings |= secondMoves
	}
	Position{own: own, opponent: opponent, kings: kings}.Legal(list)
}
