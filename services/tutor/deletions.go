package tutor

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"google.golang.org/grpc"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

const (
	// followEvery is how often the list of deleted accounts is looked at.
	followEvery = time.Minute
	// followAfter is how old a deletion must be: calls for the account that were
	// under way have ended by then, as a Caller is valid for a minute.
	followAfter = 2 * time.Minute
	// followPage is how many deletions are read at once.
	followPage = 100
)

// Deletions is the list of deleted accounts.
type Deletions interface {
	ListDeletions(ctx context.Context, in *accountsv1.ListDeletionsRequest, opts ...grpc.CallOption) (*accountsv1.ListDeletionsResponse, error)
}

// Follow forgets what is kept about deleted accounts, until ctx ends.
func (s *Service) Follow(ctx context.Context, list Deletions, now func() time.Time, log *slog.Logger) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		if err := s.followOnce(ctx, list, now()); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "deleted accounts not forgotten yet", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// followOnce forgets the accounts that were deleted since the last time. Any
// number of replicas may do it at once: what one has done the others skip.
func (s *Service) followOnce(ctx context.Context, list Deletions, now time.Time) error {
	for {
		after, err := s.store.Followed(ctx)
		if err != nil {
			return err
		}
		page, err := list.ListDeletions(ctx, &accountsv1.ListDeletionsRequest{After: after, Limit: followPage})
		if err != nil {
			return fmt.Errorf("asking for deleted accounts: %w", err)
		}
		for _, d := range page.GetDeletions() {
			if now.Sub(d.GetAt().AsTime()) < followAfter {
				return nil
			}
			if err := s.store.Forget(ctx, d.GetAccount(), d.GetNumber()); err != nil {
				return fmt.Errorf("forgetting an account: %w", err)
			}
		}
		if len(page.GetDeletions()) < followPage {
			return nil
		}
	}
}
