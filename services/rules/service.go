// Package rules serves what positions allow, what moves do and why one is
// refused, for all games; it holds no state.
package rules

import (
	"context"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/games/tictactoe"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// Service implements rulesv1.RulesServiceServer. It is safe for concurrent use.
type Service struct {
	rulesv1.UnimplementedRulesServiceServer
	rulesv1.UnimplementedRecordsServiceServer
	// games are all that are played here, in the order in which they are listed.
	games []game
}

// game is what a game must be to be served.
type game interface {
	games.Game
	games.Explainer
}

// New makes the service of chess, draughts and tic-tac-toe.
func New() *Service {
	return &Service{games: []game{chess.Game{}, draughts.Game{}, tictactoe.Game{}}}
}

// ListRules describes the games in a fixed order.
func (s *Service) ListRules(context.Context, *rulesv1.ListRulesRequest) (*rulesv1.ListRulesResponse, error) {
	out := &rulesv1.ListRulesResponse{}
	for _, g := range s.games {
		sides := g.Sides()
		rows, columns := g.Size()
		out.Rules = append(out.Rules, &rulesv1.GameRules{
			Rules: g.Name(), Sides: sides[:], Draws: g.DrawSets(), Rows: int32(rows), Columns: int32(columns),
			Values: pieceValues[g.Name()],
		})
	}
	return out, nil
}

// Inspect rules on a position. It fails with bad_text or bad_position.
func (s *Service) Inspect(_ context.Context, req *rulesv1.InspectRequest) (*rulesv1.InspectResponse, error) {
	g, p, err := s.position(req.GetPosition())
	if err != nil {
		return nil, err
	}
	ruling, err := g.Rule(p)
	if err != nil {
		return nil, problem(err)
	}
	return &rulesv1.InspectResponse{Ruling: wireRuling(g, &ruling)}, nil
}

// Apply plays a move. It fails with bad_text or bad_position for the position,
// or with the code of the refusal of the move.
func (s *Service) Apply(_ context.Context, req *rulesv1.ApplyRequest) (*rulesv1.ApplyResponse, error) {
	g, p, err := s.position(req.GetPosition())
	if err != nil {
		return nil, err
	}
	move, ruling, err := g.Apply(p, req.GetMove())
	if err != nil {
		return nil, problem(err)
	}
	return &rulesv1.ApplyResponse{Move: wireMove(&move), Ruling: wireRuling(g, &ruling)}, nil
}

// Explain points at what a position holds. It looks at the rules alone, so it
// asks nobody whose game the position is from. It fails with bad_text or
// bad_position.
func (s *Service) Explain(_ context.Context, req *rulesv1.ExplainRequest) (*rulesv1.ExplainResponse, error) {
	g, p, err := s.position(req.GetPosition())
	if err != nil {
		return nil, err
	}
	insight, err := g.Explain(p)
	if err != nil {
		return nil, problem(err)
	}
	return &rulesv1.ExplainResponse{Insight: wireInsight(g, &insight)}, nil
}

// position finds the game of a position, and its start where the text is empty.
func (s *Service) position(wire *commonv1.Position) (game, games.Position, error) {
	g := s.game(wire.GetRules())
	if g == nil {
		return nil, games.Position{}, &rpc.Problem{Code: "unknown_rules", Fields: []rpc.Field{{
			Name: "position.rules", Code: "string.in", Detail: "there is no such game",
		}}}
	}
	p := games.Position{Rules: g.Name(), Text: wire.GetText(), Draws: wire.GetDraws(), History: wire.GetHistory()}
	if p.Text == "" {
		start, err := g.Start(p.Draws)
		if err != nil {
			return nil, games.Position{}, problem(err)
		}
		p.Text = start.Text
	}
	return g, p, nil
}

func (s *Service) game(name string) game {
	for _, g := range s.games {
		if g.Name() == name {
			return g
		}
	}
	return nil
}
