package rules

import "tabuleiro/games"

// taken are the kinds of the pieces on some squares.
func taken(pieces []games.Piece, squares []string) []string {
	var kinds []string
	for _, square := range squares {
		for _, p := range pieces {
			if p.Square == square {
				kinds = append(kinds, p.Kind)
			}
		}
	}
	return kinds
}
