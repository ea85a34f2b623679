package play

import (
	"context"
	"errors"
	"fmt"

	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// OfferRematch implements playv1.PlayServiceServer.
func (s *Service) OfferRematch(ctx context.Context, in *playv1.OfferRematchRequest) (*playv1.OfferRematchResponse, error) {
	r, err := s.request(ctx, "OfferRematch", in)
	if err != nil {
		return nil, err
	}
	state, next, err := s.rematch(ctx, r, in.GetGame(), true, func(id string) Command {
		return OfferRematch{Player: r.player, Next: id}
	})
	if err != nil {
		return nil, err
	}
	return &playv1.OfferRematchResponse{Game: state.whole(r.player), Next: next}, nil
}

// AnswerRematch implements playv1.PlayServiceServer.
func (s *Service) AnswerRematch(ctx context.Context, in *playv1.AnswerRematchRequest) (*playv1.AnswerRematchResponse, error) {
	r, err := s.request(ctx, "AnswerRematch", in)
	if err != nil {
		return nil, err
	}
	state, next, err := s.rematch(ctx, r, in.GetGame(), in.GetAccept(), func(id string) Command {
		return AnswerRematch{Player: r.player, Accept: in.GetAccept(), Next: id}
	})
	if err != nil {
		return nil, err
	}
	return &playv1.AnswerRematchResponse{Game: state.whole(r.player), Next: next}, nil
}

// rematch carries out a command on a game that is over. Where it makes the next
// game, both are written in one transaction: the version of the one that is over
// decides which of several next games there is. Who wants one that has been made
// is answered as the one who made it.
func (s *Service) rematch(ctx context.Context, r request, game string, wanted bool, command func(id string) Command) (State, *playv1.Game, error) {
	id, lot := s.deps.NewID(), s.deps.Random()
	c := s.onGame(r, game, func(ctx context.Context, state State) (Command, error) {
		if err := state.mayFollow(r.player); err != nil {
			return nil, err
		}
		for _, seat := range state.Seats {
			if err := s.mayTake(ctx, r.caller, state.Rules, seat.Kind); err != nil && !state.Engines() {
				return nil, err
			}
		}
		return command(id), nil
	})
	var limits []Limit
	c.with = func(ctx context.Context, after State) (*Commit, error) {
		limits = nil
		if after.Next != id {
			return nil, nil
		}
		next, err := s.next(ctx, after, r, lot)
		if err == nil {
			limits = s.limits(next.After)
		}
		return next, err
	}
	c.limits = func(State) []Limit { return limits }
	state, err := s.run(ctx, c)
	if problem, ok := rpc.ProblemOf(err); ok && problem.Code == "no_rematch" && wanted {
		now, loadErr := s.visible(ctx, game, r.caller)
		switch {
		case loadErr != nil: // it cannot be seen whether the next game is there
			err = problemOf(loadErr)
		case now.Next != "" && now.Involves(r.player):
			state, err = s.stateAt(ctx, game, now.Followed)
			err = problemOf(err)
		}
	}
	if err != nil || state.Next == "" {
		return state, nil, err
	}
	next, err := s.stateAt(ctx, state.Next, 1)
	if err != nil {
		return State{}, nil, problemOf(err)
	}
	return state, next.whole(r.player), nil
}

// next is the commit that makes the game after one.
func (s *Service) next(ctx context.Context, over State, r request, lot uint64) (*Commit, error) {
	first, err := s.deps.Store.Events(ctx, over.ID, 0, 1)
	if err != nil {
		return nil, err
	}
	if len(first) == 0 || first[0].Created == nil {
		return nil, fmt.Errorf("game %s has no first event", over.ID)
	}
	profiles, err := s.profiles(ctx, over.Rules, over.Speed, over.Seats[:], "")
	if err != nil {
		return nil, err
	}
	if over.Seats[0].Kind == SeatPerson && over.Seats[1].Kind == SeatPerson && !over.Self() {
		if err := s.mayMeet(ctx, profiles[0], profiles[1]); errors.Is(err, ErrNotFound) {
			return nil, meetsStrangers() // no secret to who has met them
		} else if err != nil {
			return nil, err
		}
		if err := s.mustBeHere(over, 1-over.SeatOf(r.player)); err != nil {
			return nil, err
		}
	}
	setup := *first[0].Created
	create := over.follow(setup, [2]Profile(profiles), r.player, seedOf(0, lot))
	if err := s.timely(State{}, create); err != nil {
		return nil, err
	}
	events, err := Decide(State{}, create, &setup.Ruling, r.at)
	if err != nil {
		return nil, err
	}
	commit := s.prepare(State{}, events)
	return &commit, nil
}
