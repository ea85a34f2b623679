package engine

import (
	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/chesseval"
)

// Factor is one part of an evaluation, in centipawns for each side by itself.
type Factor = chesseval.Factor

// Factors tells what a position of chess is worth without searching, for the
// side to move, and what each part of the evaluation gives to each side. The
// error is *games.Invalid.
func Factors(p games.Position) (score int, factors []Factor, err error) {
	if p.Rules != "chess" {
		return 0, nil, &games.Invalid{Reasons: []string{"unknown_rules"}, Detail: "only the evaluation of chess has factors"}
	}
	pos, _, err := chess.Game{}.Past(p)
	if err != nil {
		return 0, nil, err
	}
	return chesseval.Evaluate(&pos), chesseval.Factors(&pos), nil
}
