package engine

import (
	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/chesseval"
	"tabuleiro/services/search/engine/draughtseval"
	"tabuleiro/services/search/engine/draughtssearch"
)

// Factor is one part of an evaluation, in centipawns for each side by itself.
type Factor = chesseval.Factor

// Shot is a forced shot of draughts.
type Shot = draughtssearch.Forced

// Factors tells what a position of chess or draughts is worth without searching,
// for the side to move, and what each part of the evaluation gives to each side.
// In draughts the parts are rounded, and the score may be less than their sum
// where few pieces cannot win against a king. The error is *games.Invalid.
func Factors(p games.Position) (score int, factors []Factor, err error) {
	switch p.Rules {
	case "chess":
		pos, _, err := chess.Game{}.Past(p)
		if err != nil {
			return 0, nil, err
		}
		return chesseval.Evaluate(&pos), chesseval.Factors(&pos), nil
	case "draughts":
		pos, _, _, err := draughts.Game{}.Past(p)
		if err != nil {
			return 0, nil, err
		}
		for _, part := range draughtseval.Parts(&pos) {
			factors = append(factors, Factor(part))
		}
		patterns := draughtseval.PatternsOf(&pos)
		return draughtssearch.Evaluate(&pos, &patterns), factors, nil
	}
	return 0, nil, &games.Invalid{Reasons: []string{"unknown_rules"}, Detail: "only the evaluations of chess and draughts have factors"}
}

// Shots are the forced shots of the side to move in draughts, as the founding
// program looks for them. The error is *games.Invalid.
func Shots(p games.Position) ([]Shot, error) {
	pos, _, _, err := draughts.Game{}.Past(p)
	if err != nil {
		return nil, err
	}
	return draughtssearch.ForcedShots(pos), nil
}
