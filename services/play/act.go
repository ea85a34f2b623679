package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
)

// flag ends a game whose time is up.
func (s *Service) flag(ctx context.Context, due Due) error {
	return s.settle(ctx, due, Flag{})
}

// engine thinks and plays. What it found counts for the turn that it was asked
// for and only while the obligation stands. Its claim grows with what it may think.
func (s *Service) engine(ctx context.Context, due *Due) error {
	state, owed, err := s.owed(ctx, *due)
	if err != nil || !owed {
		return err
	}
	think := s.thinkTime(state)
	ctx, cancel := context.WithTimeout(ctx, think+grace)
	defer cancel()
	if think > s.cfg.ThinkTime {
		until := s.now() + (think + 2*grace).Milliseconds()
		if err := s.deps.Store.Postpone(ctx, *due, until); err != nil {
			return fmt.Errorf("claim for longer: %w", err)
		}
		due.At = until
	}
	seat := state.Seats[state.ToMove()]
	best, err := s.deps.Search.BestMove(ctx, &searchv1.BestMoveRequest{
		Position: state.Ruling.Position.wire(),
		Level:    seat.Level,
		TimeMs:   int32(think.Milliseconds()),
		Seed:     seat.Seed,
		Helpers:  helpersFor(seat.Level),
	})
	if err != nil {
		return fmt.Errorf("ask for the best move: %w", err)
	}
	command := EnginePlay{Turn: state.Turn, Move: Move{Text: best.GetMove()}}
	if best.GetDepth() > 0 { // where no depth was finished the score says nothing
		score := best.GetScore()
		command.Score = &score
	}
	return s.settle(ctx, *due, command)
}

// fullHelpers are the workers wanted by the level that thinks as deep as it can.
const fullHelpers = 4

// helpersFor: the classic levels search a fixed depth, which help would not
// change.
func helpersFor(level string) int32 {
	if level == "full" {
		return fullHelpers
	}
	return 0
}

// thinkTime is what the engine may search for in a state, now.
func (s *Service) thinkTime(state State) time.Duration {
	left := int32(0)
	if state.Clock != nil && state.Clock.Running >= 0 {
		left = state.Clock.settled(s.now())[state.Clock.Running]
	}
	return state.think(s.cfg.ThinkTime, left)
}

// rate tells accounts the result, and the game what became of the ratings.
func (s *Service) rate(ctx context.Context, due Due) error {
	state, owed, err := s.owed(ctx, due)
	if err != nil || !owed {
		return err
	}
	in := &accountsv1.RateRequest{
		Game:            state.ID,
		Revision:        state.Revision,
		Annulled:        state.Status == StatusCancelled,
		Rules:           state.Rules,
		Speed:           state.Speed,
		FirstHalfPoints: map[string]int32{"1-0": 2, "1/2-1/2": 1, "0-1": 0}[state.Result()],
		FinishedAt:      stamp(state.FinishedAt),
	}
	for _, seat := range state.Seats {
		in.Seats = append(in.Seats, &accountsv1.RatedSeat{Account: seat.Account, Level: seat.Level})
	}
	rated, err := s.deps.Accounts.Rate(ctx, in)
	if problem, ok := rpc.ProblemOf(err); ok && (problem.Code == "account_not_found" || problem.Code == "rating_conflict") {
		// Asking again would not change it: the game stays unrated.
		s.deps.Log.Error("game cannot be rated", "game", state.ID, "err", err)
		return s.deps.Store.Drop(ctx, due)
	}
	if err != nil {
		return fmt.Errorf("rate a game: %w", err)
	}
	if len(rated.GetSeats()) != len(state.Seats) {
		return fmt.Errorf("rate a game: ratings of %d seats", len(rated.GetSeats()))
	}
	var command Rate
	for i, seat := range state.Seats {
		if seat.Account != "" {
			command.After[i] = rated.GetSeats()[i].GetAfter()
		}
	}
	return s.settle(ctx, due, command)
}

// expire ends a game that nobody comes back to. Where somebody did, it waits on.
func (s *Service) expire(ctx context.Context, due Due) error {
	state, owed, err := s.owed(ctx, due)
	if err != nil || !owed {
		return err
	}
	if until, _ := state.expiry(); until > s.now() {
		return s.deps.Store.Postpone(ctx, due, until)
	}
	return s.settle(ctx, due, Expire{})
}

// owed loads the game of an obligation. An obligation that its game no longer
// has is dropped.
func (s *Service) owed(ctx context.Context, due Due) (State, bool, error) {
	state, err := s.deps.Store.Load(ctx, due.Game)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return State{}, false, err
	}
	if err == nil && contains(Obligations(state), Obligation{Kind: due.Kind, Version: due.Version}) {
		return state, true, nil
	}
	return State{}, false, s.deps.Store.Drop(ctx, due)
}

// settle carries out the command that an obligation asks for, deciding again
// when others were faster. The commit requires that the obligation stands.
func (s *Service) settle(ctx context.Context, due Due, command Command) error {
	return untilCurrent(func() error { return s.settleOnce(ctx, due, command) })
}

// untilCurrent decides again where others were faster, a few times.
func untilCurrent(once func() error) error {
	var err error
	for range maxRaces {
		if err = once(); !errors.Is(err, ErrStale) {
			return err
		}
	}
	return err
}

func (s *Service) settleOnce(ctx context.Context, due Due, command Command) error {
	state, owed, err := s.owed(ctx, due)
	if err != nil || !owed {
		return err
	}
	at, now := s.deps.Time.Now(), state
	var credited []Event
	if due.Kind == DueFlag || due.Kind == DueEngine { // the others need no clock
		if now, credited, err = s.credited(ctx, state, command, at); err != nil {
			return err
		}
	}
	events, refused := s.decide(ctx, now, command, at)
	if len(events) == 0 && (due.Kind != DueFlag || len(credited) == 0) {
		return refused
	}
	// A flag that does not fall after all, for its clock got time back, is due later.
	events = append(credited, events...)
	// A refusal with events is the engine's move after its flag has fallen.
	commit := s.prepare(state, events)
	commit.Requires = &due
	if err := s.store(ctx, commit); err != nil {
		return fmt.Errorf("commit what was due: %w", err)
	}
	s.committed(commit)
	return nil
}
