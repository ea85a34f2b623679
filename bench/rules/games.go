package rules

import (
	"math/rand/v2"

	"tabuleiro/games/chess"
)

// random plays up to a number of legal moves from the start.
func random(rng *rand.Rand, plies int) []chess.Move {
	var moves []chess.Move
	var list chess.MoveList
	p := chess.Start()
	for range plies {
		if p.Legal(&list); list.Len() == 0 {
			break
		}
		m := list.At(rng.IntN(list.Len()))
		moves = append(moves, m)
		p = p.Play(m)
	}
	return moves
}
