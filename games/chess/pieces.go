package chess

import "tabuleiro/games"

// kinds are the words of the roles at the edge.
var kinds = [8]string{Pawn: "pawn", Knight: "knight", Bishop: "bishop", Rook: "rook", Queen: "queen", King: "king"}

// pieces are all that stand on the board: by file and rank, which sorts their
// squares as text.
func (p *Position) pieces() []games.Piece {
	out := make([]games.Piece, 0, p.Occupied().Count())
	for file := range 8 {
		for rank := range 8 {
			s := At(file, rank)
			if piece := p.PieceAt(s); piece != 0 {
				out = append(out, games.Piece{Square: s.String(), Side: piece.Side(), Kind: kinds[piece.Role()]})
			}
		}
	}
	return out
}
