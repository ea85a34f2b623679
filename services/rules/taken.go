package rules

import (
	"tabuleiro/games"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// pieceValues are what pieces are worth to people who count them, by game.
var pieceValues = map[string][]*rulesv1.PieceValue{
	"chess": {
		{Kind: "pawn", Value: 1}, {Kind: "knight", Value: 3}, {Kind: "bishop", Value: 3}, {Kind: "rook", Value: 5},
		{Kind: "queen", Value: 9},
	},
	"draughts": {{Kind: "man", Value: 1}, {Kind: "king", Value: 3}},
}

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
