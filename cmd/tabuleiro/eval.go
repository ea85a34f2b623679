package main

import (
	"encoding/json"
	"fmt"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine"
)

type evalCmd struct {
	FEN string `name:"fen" placeholder:"FEN" help:"The position of chess; the start unless given."`
}

// evalLine is what eval prints: centipawns, the score for the side to move.
type evalLine struct {
	FEN     string       `json:"fen"`
	Score   int          `json:"score"`
	Factors []evalFactor `json:"factors"`
}

type evalFactor struct {
	Name  string `json:"name"`
	White int    `json:"white"`
	Black int    `json:"black"`
}

func (c evalCmd) Run(s streams) error {
	fen := c.FEN
	if fen == "" {
		fen = chess.StartFEN
	}
	score, factors, err := engine.Factors(games.Position{Rules: "chess", Text: fen})
	if err != nil {
		fmt.Fprintf(s.Err, "tabuleiro: %v\n", err)
		return exit(exitUsage)
	}
	line := evalLine{FEN: fen, Score: score}
	for _, f := range factors {
		line.Factors = append(line.Factors, evalFactor(f))
	}
	return json.NewEncoder(s.Out).Encode(line)
}
