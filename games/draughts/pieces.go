package draughts

import "tabuleiro/games"

// Size is 8 by 8.
func (Game) Size() (rows, columns int) { return 8, 8 }

// pieces are all that stand on the board: by column and row, which sorts their
// squares as text.
func (p Position) pieces() []games.Piece {
	out := make([]games.Piece, 0, p.Occupied().Count())
	for file := range 8 {
		for row := file % 2; row < 8; row += 2 {
			s := At(file, row)
			if !p.Occupied().Has(s) {
				continue
			}
			piece := games.Piece{Square: s.String(), Side: games.First, Kind: "man"}
			if p.Pieces(games.Second).Has(s) {
				piece.Side = games.Second
			}
			if p.kings.Has(s) {
				piece.Kind = "king"
			}
			out = append(out, piece)
		}
	}
	return out
}
