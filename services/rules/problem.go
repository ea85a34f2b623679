package rules

import (
	"errors"
	"fmt"
	"slices"

	"tabuleiro/games"
	"tabuleiro/internal/rpc"
)

// problem is what a client is told about a position or a move that a game
// refuses. The reasons why a position is none are its fields.
func problem(err error) error {
	if refusal, ok := errors.AsType[*games.Refusal](err); ok {
		p := &rpc.Problem{
			Code: string(refusal.Code), Detail: refusal.Error(), Squares: refusal.Squares, Moves: refusal.Moves,
		}
		for _, w := range refusal.Ways {
			way := rpc.Way{Kind: w.Kind}
			for _, m := range w.Moves {
				way.Moves = append(way.Moves, m.Text)
			}
			p.Ways = append(p.Ways, way)
		}
		if refusal.Code == games.BadText {
			// Tells it from a position that cannot be read.
			p.Fields = []rpc.Field{{Name: "move", Code: string(games.BadText), Detail: games.BadText.Sentence()}}
		}
		return p
	}
	if invalid, ok := errors.AsType[*games.Invalid](err); ok {
		code := string(invalid.Code())
		if slices.Equal(invalid.Reasons, []string{"unknown_draws"}) {
			code = "bad_field" // The position is not looked at.
		}
		p := rpc.Fail(code, invalid.Detail)
		for _, reason := range invalid.Reasons {
			p.Fields = append(p.Fields, rpc.Field{Name: fieldOf(reason), Code: reason, Detail: invalid.Detail})
		}
		return p
	}
	return fmt.Errorf("ruling on a position: %w", err)
}

// fieldOf is the part of a request that a reason is about.
func fieldOf(reason string) string {
	switch reason {
	case "unknown_draws":
		return "position.draws"
	case "bad_history":
		return "position.history"
	}
	return "position.text"
}
