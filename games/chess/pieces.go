package chess

import (
	"slices"

	"tabuleiro/games"
)

// kinds are the words of the roles at the edge.
var kinds = [8]string{Pawn: "pawn", Knight: "knight", Bishop: "bishop", Rook: "rook", Queen: "queen", King: "king"}

// appendPieces adds all that stand on the board: by file and rank, which sorts
// their squares as text.
func (p *Position) appendPieces(out []games.Piece) []games.Piece {
	occupied := p.Occupied()
	out = slices.Grow(out, occupied.Count())
	for file := range 8 {
		for set := occupied & (fileA << file); set != 0; set &= set - 1 {
			s := set.First()
			out = append(out, games.Piece{Square: s.String(), Side: p.sideAt(s), Kind: kinds[p.roleAt(s)]})
		}
	}
	return out
}
