package play

import (
	"context"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// Move implements playv1.PlayServiceServer.
func (s *Service) Move(ctx context.Context, in *playv1.MoveRequest) (*playv1.MoveResponse, error) {
	r, err := s.request(ctx, "Move", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(_ context.Context, state State) (Command, error) {
		return Play{Player: r.player, Turn: in.GetTurn(), Move: Move{Text: in.GetMove()}, LagMS: s.lagOf(r, state)}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.MoveResponse{Game: state.whole(r.player)}, nil
}

// Resign implements playv1.PlayServiceServer.
func (s *Service) Resign(ctx context.Context, in *playv1.ResignRequest) (*playv1.ResignResponse, error) {
	r, err := s.request(ctx, "Resign", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return Resign{Player: r.player}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.ResignResponse{Game: state.whole(r.player)}, nil
}

// OfferDraw implements playv1.PlayServiceServer.
func (s *Service) OfferDraw(ctx context.Context, in *playv1.OfferDrawRequest) (*playv1.OfferDrawResponse, error) {
	r, err := s.request(ctx, "OfferDraw", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return OfferDraw{Player: r.player, Turn: in.GetTurn()}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.OfferDrawResponse{Game: state.whole(r.player)}, nil
}

// AnswerDraw implements playv1.PlayServiceServer.
func (s *Service) AnswerDraw(ctx context.Context, in *playv1.AnswerDrawRequest) (*playv1.AnswerDrawResponse, error) {
	r, err := s.request(ctx, "AnswerDraw", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return AnswerDraw{Player: r.player, Turn: in.GetTurn(), Accept: in.GetAccept()}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.AnswerDrawResponse{Game: state.whole(r.player)}, nil
}

// ClaimDraw implements playv1.PlayServiceServer.
func (s *Service) ClaimDraw(ctx context.Context, in *playv1.ClaimDrawRequest) (*playv1.ClaimDrawResponse, error) {
	r, err := s.request(ctx, "ClaimDraw", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return ClaimDraw{Player: r.player, Turn: in.GetTurn()}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.ClaimDrawResponse{Game: state.whole(r.player)}, nil
}
