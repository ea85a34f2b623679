package play

import (
	"context"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// DeclineGame implements playv1.PlayServiceServer.
func (s *Service) DeclineGame(ctx context.Context, in *playv1.DeclineGameRequest) (*playv1.DeclineGameResponse, error) {
	r, err := s.request(ctx, "DeclineGame", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return Decline{Account: r.caller.Account, Reason: in.GetReason()}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.DeclineGameResponse{Game: state.whole(r.player)}, nil
}

// AbortGame implements playv1.PlayServiceServer.
func (s *Service) AbortGame(ctx context.Context, in *playv1.AbortGameRequest) (*playv1.AbortGameResponse, error) {
	r, err := s.request(ctx, "AbortGame", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return Abort{Player: r.player}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.AbortGameResponse{Game: state.whole(r.player)}, nil
}

// Adjudicate implements playv1.PlayServiceServer. Who decided, when and why stays
// in the game's events, which nothing changes.
func (s *Service) Adjudicate(ctx context.Context, in *playv1.AdjudicateRequest) (*playv1.AdjudicateResponse, error) {
	r, err := s.request(ctx, "Adjudicate", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, change{
		request: r,
		load:    func(ctx context.Context) (State, error) { return s.deps.Store.Load(ctx, in.GetGame()) },
		command: func(ctx context.Context, state State) (Command, error) {
			if err := s.mayRule(ctx, r, state); err != nil {
				return nil, err
			}
			return Adjudicate{By: r.caller.Account, Result: in.GetResult(), Note: in.GetNote()}, nil
		},
	})
	if err != nil {
		return nil, err
	}
	s.deps.Log.Info("game adjudicated", "game", state.ID, "version", state.Version, "by", r.caller.Account, "result", in.GetResult())
	return &playv1.AdjudicateResponse{Game: state.whole(r.player)}, nil
}

// mayRule: an operator decides every game; a teacher those in which everybody is a
// pupil of theirs, and in a tournament that they organise those of one pupil: nobody's
// rating is in the hands of the other side's teacher. Nobody decides a game of their
// own. To whoever teaches nobody in it there is no such game.
func (s *Service) mayRule(ctx context.Context, r request, state State) error {
	if state.Involves(r.player) {
		return ErrNotFound
	}
	if r.caller.Has("operator") {
		return nil
	}
	var persons []string
	guests := false
	for _, seat := range state.Seats {
		switch {
		case seat.Kind != SeatPerson:
		case seat.Account == "":
			guests = true
		default:
			persons = append(persons, seat.Account)
		}
	}
	if !r.caller.Has("teacher") || s.deps.Taught == nil || len(persons) == 0 {
		return ErrNotFound
	}
	taught, err := s.deps.Taught(ctx, r.caller.Account, persons)
	switch {
	case err != nil:
		return err
	case len(taught) == 0:
		return ErrNotFound
	case len(taught) == len(persons) && !guests:
		return nil
	}
	if state.Tournament != "" && s.competitions != nil {
		if organises, err := s.competitions.Organises(ctx, r.caller.Account, state.Tournament); err != nil || organises {
			return err
		}
	}
	return refuse("not_your_pupils", "somebody in it is no pupil of yours")
}
