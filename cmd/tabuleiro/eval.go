package main

import (
	"encoding/json"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine"
)

type evalCmd struct {
	Rules string `enum:"chess,draughts" default:"chess" help:"chess or draughts (${default})."`
	FEN   string `name:"fen" placeholder:"FEN" help:"The position; the start unless given."`
}

// evalLine is what eval prints: centipawns, the score for the side to move.
type evalLine struct {
	FEN     string       `json:"fen"`
	Score   int          `json:"score"`
	Factors []evalFactor `json:"factors"`
	// Shots are those of draughts, where chess has none.
	Shots *[]evalShot `json:"shots,omitempty"`
}

type evalFactor struct {
	Name  string `json:"name"`
	White int    `json:"white"`
	Black int    `json:"black"`
}

// evalShot is a forced shot: a move that leaves one reply, and the capture then.
type evalShot struct {
	Move    string `json:"move"`
	Reply   string `json:"reply"`
	Capture string `json:"capture"`
	Taken   int    `json:"taken"`
	Given   int    `json:"given"`
}

func (c evalCmd) Run(s streams) error {
	fen := c.FEN
	if fen == "" {
		fen = map[string]string{"chess": chess.StartFEN, "draughts": draughts.Start().Text()}[c.Rules]
	}
	position := games.Position{Rules: c.Rules, Text: fen}
	score, factors, err := engine.Factors(position)
	if err != nil {
		return refuse(s, err)
	}
	line := evalLine{FEN: fen, Score: score}
	for _, f := range factors {
		line.Factors = append(line.Factors, evalFactor(f))
	}
	if c.Rules == "draughts" {
		shots, err := engine.Shots(position)
		if err != nil {
			return err
		}
		line.Shots = &[]evalShot{}
		for _, shot := range shots {
			*line.Shots = append(*line.Shots, evalShot(shot))
		}
	}
	return json.NewEncoder(s.Out).Encode(line)
}
