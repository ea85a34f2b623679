// Package search serves the engine: the best move in a position within a limit,
// alone or with the help of workers.
package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/games/tictactoe"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/farm"
)

// defaultLimit is the time of a search that names none.
const defaultLimit = time.Second

// busyRetry is when to ask again after search_busy.
const busyRetry = time.Second

// Searcher finds best moves; *farm.Coordinator is one.
type Searcher interface {
	BestMove(ctx context.Context, req farm.Request) (farm.Answer, error)
}

// Service implements searchv1.SearchServiceServer. It is safe for concurrent
// use.
type Service struct {
	searchv1.UnimplementedSearchServiceServer
	searcher Searcher
	metrics  *Metrics
}

// New makes the service; metrics may be nil.
func New(searcher Searcher, metrics *Metrics) *Service {
	return &Service{searcher: searcher, metrics: metrics}
}

// BestMove searches. It fails with bad_text, bad_position, game_over or
// search_busy.
func (s *Service) BestMove(ctx context.Context, req *searchv1.BestMoveRequest) (*searchv1.BestMoveResponse, error) {
	position, err := positionOf(req.GetPosition())
	if err != nil {
		return nil, problem(err)
	}
	limit := defaultLimit
	if req.GetTimeMs() > 0 {
		limit = time.Duration(req.GetTimeMs()) * time.Millisecond
	}
	answer, err := s.searcher.BestMove(ctx, farm.Request{
		Position: position, Level: req.GetLevel(), Limit: limit,
		Nodes: uint64(max(req.GetNodes(), 0)), Seed: req.GetSeed(), Helpers: int(req.GetHelpers()),
	})
	s.metrics.searched(position.Rules, req.GetLevel(), answer, limit, err)
	if err != nil {
		return nil, problem(err)
	}
	return &searchv1.BestMoveResponse{
		Move:    answer.Move,
		Score:   int32(answer.Score),
		Depth:   int32(answer.Depth),
		Nodes:   int32(min(answer.Nodes, math.MaxInt32)),
		Line:    answer.Line,
		TimeMs:  int32(min(answer.Elapsed.Milliseconds(), math.MaxInt32)),
		Helpers: int32(answer.Helpers),
	}, nil
}

// ListLevels lists the levels, the weakest first.
func (*Service) ListLevels(context.Context, *searchv1.ListLevelsRequest) (*searchv1.ListLevelsResponse, error) {
	out := &searchv1.ListLevelsResponse{}
	for _, l := range farm.Levels() {
		out.Levels = append(out.Levels, &searchv1.Level{Level: l.Name, Plies: int32(l.Plies)})
	}
	return out, nil
}

// positionOf reads a position from the wire; no text is the start of the game.
// The error is *games.Invalid.
func positionOf(p *commonv1.Position) (games.Position, error) {
	position := games.Position{Rules: p.GetRules(), Text: p.GetText(), Draws: p.GetDraws(), History: p.GetHistory()}
	if position.Text != "" {
		return position, nil
	}
	for _, g := range []games.Game{chess.Game{}, draughts.Game{}, tictactoe.Game{}} {
		if g.Name() == position.Rules {
			start, err := g.Start(position.Draws)
			start.History = position.History
			return start, err
		}
	}
	return position, nil // the engine says that there is no such game
}

// problem is what a client is told.
func problem(err error) error {
	if invalid, ok := errors.AsType[*games.Invalid](err); ok {
		p := rpc.Fail(string(invalid.Code()), invalid.Detail)
		for _, reason := range invalid.Reasons {
			p.Fields = append(p.Fields, rpc.Field{Name: fieldOf(reason), Code: reason, Detail: invalid.Detail})
		}
		return p
	}
	switch {
	case errors.Is(err, engine.ErrGameOver):
		return rpc.Fail(string(games.GameOver), "The game is over in this position.")
	case errors.Is(err, farm.ErrBusy):
		return &rpc.Problem{Code: "search_busy", Detail: "The engine is busy; try again.", RetryAfter: busyRetry}
	case errors.Is(err, farm.ErrUnknownLevel):
		return &rpc.Problem{Code: "bad_field", Detail: "There is no such level.", Fields: []rpc.Field{{Name: "level", Code: "unknown", Detail: "There is no such level."}}}
	}
	return fmt.Errorf("search the best move: %w", err)
}

// fieldOf is the part of a request that a reason is about.
func fieldOf(reason string) string {
	switch reason {
	case "unknown_draws":
		return "position.draws"
	case "bad_history":
		return "position.history"
	case "unknown_rules", "wrong_rules":
		return "position.rules"
	}
	return "position.text"
}
