package play

import (
	"context"
	"errors"
	"fmt"
)

// passMatch gives the next game of a match the score as it is. That game passes
// it on to the one after it in the same way, so that a decision on one game goes
// through the whole match, one game at a time.
func (s *Service) passMatch(ctx context.Context, due Due) error {
	return untilCurrent(func() error { return s.passMatchOnce(ctx, due) })
}

// passMatchOnce writes both games or none: a decision that comes in between makes
// the obligation another, and then neither is written.
func (s *Service) passMatchOnce(ctx context.Context, due Due) error {
	state, owed, err := s.owed(ctx, due)
	if err != nil || !owed {
		return err
	}
	now := s.deps.Time.Now()
	passed, err := Decide(state, PassMatch{}, nil, now)
	if err != nil {
		return err
	}
	commit := s.prepare(state, passed)
	commit.Requires = &due
	next, err := s.deps.Store.Load(ctx, state.Next)
	if err != nil && !errors.Is(err, ErrNotFound) { // it may have been forgotten
		return fmt.Errorf("load the next game of a match: %w", err)
	}
	if err == nil {
		// A refusal says that the score is right already.
		if changed, _ := Decide(next, ChangeMatch{Points: state.nextMatch().Points}, nil, now); len(changed) > 0 {
			with := s.prepare(next, changed)
			commit.With = &with
		}
	}
	if err := s.store(ctx, commit); err != nil {
		return fmt.Errorf("pass the score of a match on: %w", err)
	}
	s.committed(commit)
	return nil
}
