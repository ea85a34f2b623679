package engine

import (
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/chesseval"
)

// chessEvaluator is package chesseval without its memory: several searches may
// use one.
type chessEvaluator struct{}

func (chessEvaluator) Evaluate(p *chess.Position) int { return chesseval.Evaluate(p) }
