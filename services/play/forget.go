package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

const (
	// forgetEvery is how often the list of deleted accounts is looked at.
	forgetEvery = time.Minute
	// forgetAfter is how old a deletion must be: calls for the account that were
	// under way have ended by then, as a Caller is valid for a minute.
	forgetAfter = 2 * time.Minute
	// forgetPage is how many deletions, and how many games, are read at once.
	forgetPage = 100
)

// Deletions is the list of deleted accounts.
type Deletions interface {
	ListDeletions(ctx context.Context, in *accountsv1.ListDeletionsRequest, opts ...grpc.CallOption) (*accountsv1.ListDeletionsResponse, error)
}

// ForgetStore takes out of the store what was kept about deleted accounts.
type ForgetStore interface {
	// Followed is the number of the last deletion that was followed; 0 for none.
	Followed(ctx context.Context) (int32, error)
	// GamesOf lists the ids of games in which an account has a seat or is invited
	// to one, or that it made, in order, above an id.
	GamesOf(ctx context.Context, account, after string, limit int) ([]string, error)
	// Scrub takes the name of an account out of the events of a game.
	Scrub(ctx context.Context, game, account string) error
	// Forget drops an account's commands and gates and, in the same transaction,
	// keeps the number of its deletion where it is higher.
	Forget(ctx context.Context, account string, number int32) error
}

// Forgetter follows the list of deleted accounts.
type Forgetter struct {
	Service   *Service
	Deletions Deletions
	// Collections drops the collections of an account, Tournaments takes it out of
	// tournaments; nil for none.
	Collections, Tournaments func(ctx context.Context, account string) error
}

// Run forgets deleted accounts until ctx ends.
func (f Forgetter) Run(ctx context.Context) error {
	tick := time.NewTicker(forgetEvery)
	defer tick.Stop()
	for {
		if err := f.Once(ctx); err != nil && ctx.Err() == nil {
			f.Service.deps.Log.Warn("deleted accounts not forgotten yet", "err", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Once forgets the accounts that were deleted since the last time. Any number of
// replicas may do it at once, and any may break off: each step can be done again,
// and the number is kept after the last.
func (f Forgetter) Once(ctx context.Context) error {
	s := f.Service
	for {
		after, err := s.deps.Store.Followed(ctx)
		if err != nil {
			return err
		}
		page, err := f.Deletions.ListDeletions(ctx, &accountsv1.ListDeletionsRequest{After: after, Limit: forgetPage})
		if err != nil {
			return fmt.Errorf("ask for deleted accounts: %w", err)
		}
		for _, d := range page.GetDeletions() {
			if s.deps.Time.Now().Sub(d.GetAt().AsTime()) < forgetAfter {
				return nil
			}
			if err := f.forget(ctx, d.GetAccount()); err != nil {
				return fmt.Errorf("forget account %s: %w", d.GetAccount(), err)
			}
			if err := s.deps.Store.Forget(ctx, d.GetAccount(), d.GetNumber()); err != nil {
				return err
			}
		}
		if len(page.GetDeletions()) < forgetPage {
			return nil
		}
	}
}

func (f Forgetter) forget(ctx context.Context, account string) error {
	s := f.Service
	for after, more := "", true; more; {
		games, err := s.deps.Store.GamesOf(ctx, account, after, forgetPage)
		if err != nil {
			return err
		}
		for _, game := range games {
			if err := s.forgetIn(ctx, game, account); err != nil {
				return fmt.Errorf("game %s: %w", game, err)
			}
			after = game
		}
		more = len(games) == forgetPage
	}
	for _, also := range []func(context.Context, string) error{f.Tournaments, f.Collections} {
		if also == nil {
			continue
		}
		if err := also(ctx, account); err != nil {
			return err
		}
	}
	return nil
}

// forgetIn takes a person out of one game: first out of its state, by an event like
// any other, so that nobody who decides on an older state brings the name back;
// then out of its past.
func (s *Service) forgetIn(ctx context.Context, game, account string) error {
	var err error
	for range maxRaces {
		if err = s.forgetOnce(ctx, game, account); !again(err) {
			break
		}
	}
	if _, refused := errors.AsType[*Refused](err); err != nil && !refused {
		return err
	}
	return s.deps.Store.Scrub(ctx, game, account)
}

func (s *Service) forgetOnce(ctx context.Context, game, account string) error {
	state, err := s.deps.Store.Load(ctx, game)
	if err != nil {
		return err
	}
	// A flag that falls here falls like any other: once our outages are given back.
	command, at := Forget{Account: account}, s.deps.Time.Now()
	now, credited, err := s.credited(ctx, state, command, at)
	if err != nil {
		return err
	}
	events, err := Decide(now, command, nil, at)
	if err != nil {
		return err
	}
	commit := s.prepare(state, append(credited, events...))
	if err := s.store(ctx, commit); err != nil {
		return err
	}
	s.committed(commit)
	return nil
}
