package chess

import "tabuleiro/games"

// kinds are the words of the roles at the edge.
var kinds = [8]string{Pawn: "pawn", Knight: "knight", Bishop: "bishop", Rook: "rook", Queen: "queen", King: "king"}

// pieces are all that stand on the board: by file and rank, which sorts their
// squares as text.
func (p *Position) pieces() []games.Piece {
	occupied := p.Occupied()
	out := make([]games.Piece, 0, occupied.Count())
	for file := range 8 {
		for set := occupied & (fileA << file); set != 0; set &= set - 1 {
			s := set.First()
			out = append(out, games.Piece{Square: s.String(), Side: p.sideAt(s), Kind: kinds[p.roleAt(s)]})
		}
	}
	return out
}
