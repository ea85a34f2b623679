package accounts

import (
	"context"
	"time"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// OptionRetention is the name of Config.Retention among the options, in days.
const OptionRetention = "--accounts-retention-days"

const (
	// DefaultRetention is how long an account that a class made is kept without a
	// log-in unless the installation says otherwise: two school years.
	DefaultRetention = 730 * 24 * time.Hour
	// MinRetention is the least: a school year's holidays must not count.
	MinRetention = 180 * 24 * time.Hour
	// noticePeriod is how long before the deletion its teachers are told.
	noticePeriod = 60 * 24 * time.Hour
	// retentionJob is the name of the daily look, and retentionBatch how many accounts
	// one transaction handles.
	retentionJob   = "retention"
	retentionBatch = 50
	// whyUnused is why an account was deleted.
	whyUnused = "unused"
)

// retained is what a look at unused accounts did.
type retained struct{ Noticed, Deleted int }

// Retain announces and deletes accounts that classes made and that nobody uses: what
// is kept of a child without a purpose has to go (LGPD, arts. 15 and 16). Once a day,
// on one of all replicas. Nothing is deleted that was not announced noticePeriod
// before.
func (s *Service) Retain(ctx context.Context) (retained, error) {
	var did retained
	if s.retention == 0 {
		return did, nil
	}
	now := s.now()
	mine, err := s.store.ClaimDay(ctx, retentionJob, now.Format(time.DateOnly), now)
	if err != nil || !mine {
		return did, err
	}
	for _, step := range []struct {
		count *int
		find  func(context.Context, SchoolReader) ([]string, error)
		do    func(context.Context, SchoolWriter, *carried, Account) error
	}{
		{&did.Deleted, func(ctx context.Context, r SchoolReader) ([]string, error) {
			return r.Noticed(ctx, now.Add(-noticePeriod), retentionBatch)
		}, eraseUnused},
		{&did.Noticed, func(ctx context.Context, r SchoolReader) ([]string, error) {
			return r.Unused(ctx, now.Add(noticePeriod-s.retention), retentionBatch)
		}, noticeUnused},
	} {
		for {
			n := 0
			err := s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
				ids, err := step.find(ctx, w)
				n = len(ids)
				if err != nil || n == 0 {
					return err
				}
				c := &carried{Command: Command{At: now}, me: Account{ID: servicePrefix + "accounts"}}
				for _, id := range ids {
					account, err := living(ctx, w, id)
					if err != nil {
						return err
					}
					if err := step.do(ctx, w, c, account); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return did, err
			}
			*step.count += n
			if n < retentionBatch {
				break
			}
		}
	}
	return did, nil
}

// eraseUnused deletes an account for want of use. Who was given a role or a task since
// is in use, whatever it looks like.
func eraseUnused(ctx context.Context, w SchoolWriter, c *carried, account Account) error {
	if account.staff() {
		return w.Seen(ctx, []string{account.ID}, c.At)
	}
	return erase(ctx, w, c, account, whyUnused)
}

// noticeUnused announces it where the account's teachers look: in every class that it
// is a pupil of, archived ones too.
func noticeUnused(ctx context.Context, w SchoolWriter, c *carried, account Account) error {
	if err := w.Notice(ctx, account.ID, c.At); err != nil {
		return err
	}
	classes, err := w.ClassesAttended(ctx, account.ID)
	if err != nil {
		return err
	}
	if len(classes) == 0 {
		return c.note(ctx, w, Audit{Action: actionUnused, Subject: account.ID})
	}
	for _, class := range classes {
		if err := c.note(ctx, w, Audit{Action: actionUnused, Subject: account.ID, Class: class.ID}); err != nil {
			return err
		}
	}
	return nil
}

// leavesAt is when an account that had notice is deleted.
func leavesAt(noticed time.Time) time.Time { return noticed.Add(noticePeriod) }

// KeepPupils implements ClassesService.
func (s *Service) KeepPupils(ctx context.Context, req *accountsv1.KeepPupilsRequest) (*accountsv1.KeepPupilsResponse, error) {
	var resp *accountsv1.KeepPupilsResponse
	err := s.carry(ctx, "KeepPupils", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := classFor(ctx, w, req.GetClass(), true)
		if err != nil {
			return err
		}
		pupils, err := w.PupilsOf(ctx, class.ID)
		if err != nil {
			return err
		}
		ids := make([]string, len(pupils))
		for i, pupil := range pupils {
			ids[i] = pupil.Account
		}
		if err := w.Seen(ctx, ids, c.At); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionPupilsKept, Class: class.ID})
	}, func(ctx context.Context, w SchoolWriter, c *carried) (err error) {
		resp = &accountsv1.KeepPupilsResponse{}
		class, err := classFor(ctx, w, req.GetClass(), true)
		if err != nil {
			return err
		}
		resp.Class, err = class.shownTo(ctx, w, c.me)
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}
