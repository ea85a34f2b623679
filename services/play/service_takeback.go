package play

import (
	"context"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// OfferTakeback implements playv1.PlayServiceServer.
func (s *Service) OfferTakeback(ctx context.Context, in *playv1.OfferTakebackRequest) (*playv1.OfferTakebackResponse, error) {
	r, err := s.request(ctx, "OfferTakeback", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return OfferTakeback{Player: r.player, Turn: in.GetTurn()}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.OfferTakebackResponse{Game: state.whole(r.player)}, nil
}

// AnswerTakeback implements playv1.PlayServiceServer.
func (s *Service) AnswerTakeback(ctx context.Context, in *playv1.AnswerTakebackRequest) (*playv1.AnswerTakebackResponse, error) {
	r, err := s.request(ctx, "AnswerTakeback", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return AnswerTakeback{Player: r.player, Turn: in.GetTurn(), Accept: in.GetAccept()}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.AnswerTakebackResponse{Game: state.whole(r.player)}, nil
}

// TouchPiece implements playv1.PlayServiceServer.
func (s *Service) TouchPiece(ctx context.Context, in *playv1.TouchPieceRequest) (*playv1.TouchPieceResponse, error) {
	r, err := s.request(ctx, "TouchPiece", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return Touch{Player: r.player, Turn: in.GetTurn(), Square: in.GetSquare()}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.TouchPieceResponse{Game: state.whole(r.player)}, nil
}
