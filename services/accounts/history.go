package accounts

import (
	"context"
	"errors"
	"slices"
	"time"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

const (
	// historyDays is how many days of a rating are shown unless asked otherwise.
	historyDays = 365
	// secondsADay is how long a day is in UTC, as Unix counts.
	secondsADay = 24 * 60 * 60
)

// GetRatingHistory implements AccessService.
func (s *Service) GetRatingHistory(ctx context.Context, req *accountsv1.GetRatingHistoryRequest) (*accountsv1.GetRatingHistoryResponse, error) {
	now := s.now()
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		me, err := self(ctx, r)
		if err != nil {
			return err
		}
		return maySeeRatings(ctx, r, me, req.GetAccount(), now)
	})
	if err != nil {
		return nil, problem(err)
	}
	days := int64(req.GetDays())
	if days == 0 {
		days = historyDays
	}
	first := now.Unix()/secondsADay - days + 1
	points, err := s.store.Points(ctx, req.GetAccount(), Pool{Rules: req.GetRules(), Speed: req.GetSpeed()},
		time.Unix(first*secondsADay, 0).UTC(), int(days))
	if err != nil {
		return nil, problem(err)
	}
	resp := &accountsv1.GetRatingHistoryResponse{}
	for _, point := range points {
		resp.Points = append(resp.Points, &accountsv1.RatingPoint{
			Day:    time.Unix(point.Day*secondsADay, 0).UTC().Format(time.DateOnly),
			Rating: rounded(point.Rating.Value), Deviation: rounded(point.Rating.Deviation), Changes: point.Changes,
		})
	}
	return resp, nil
}

// maySeeRatings is ErrNotFound where a viewer may not see how someone's rating went:
// a person's own, and an adult's, see all; a child's, those who look after it.
func maySeeRatings(ctx context.Context, r SchoolReader, viewer Account, subject string, now time.Time) error {
	_, _, err := related(ctx, r, now, viewer, subject, relationSelf, relationTeacher, relationGuardian, relationOperator)
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	found, err := r.FindAccounts(ctx, []string{subject})
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(found, func(a Account) bool { return a.alive() && !a.protected(now) }) {
		return ErrNotFound
	}
	return nil
}
