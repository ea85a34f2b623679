package accounts

import (
	"context"
	"log/slog"
	"reflect"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

const (
	// auditJob is the name of the nightly recomputation of ratings.
	auditJob = "ratings"
	// auditHour is when it may begin (UTC): after midnight in Brazil, before lessons.
	auditHour = 5
	// auditReads is how often an account has to look wrong in the same way. A game
	// that is rated between two reads of one account looks wrong once.
	auditReads = 3
	// auditPause lets others at the database between two pages of accounts.
	auditPause = 100 * time.Millisecond
	// auditTold bounds the discrepancies that are logged one by one.
	auditTold = 100
)

// audited is what an audit found.
type audited struct {
	Accounts, Discrepancies int
	At                      time.Time
}

// AuditRatings computes every rating again from the ledger, once a day and on one of
// all replicas, and says whether it was this one. It changes nothing: a rating that
// is wrong is for people to look at. tell gets each discrepancy; pause is called
// between pages.
func (s *Service) AuditRatings(ctx context.Context, tell func(Discrepancy), pause func(context.Context) error) (audited, bool, error) {
	now := s.now()
	if now.Hour() < auditHour {
		return audited{}, false, nil
	}
	mine, err := s.store.ClaimDay(ctx, auditJob, now.Format(time.DateOnly), now)
	if err != nil || !mine {
		return audited{}, false, err
	}
	result := audited{}
	result.Accounts, err = checkPages(ctx, s.store, func(ids []string) error {
		for _, id := range ids {
			found, err := s.auditAccount(ctx, id)
			if err != nil {
				return err
			}
			for _, discrepancy := range found {
				tell(discrepancy)
			}
			result.Discrepancies += len(found)
		}
		return pause(ctx)
	})
	result.At = s.now()
	return result, true, err
}

// auditAccount is what is wrong with an account every time that one looks.
func (s *Service) auditAccount(ctx context.Context, id string) ([]Discrepancy, error) {
	var found []Discrepancy
	for read := range auditReads {
		again, err := checkOne(ctx, s.store, id)
		if err != nil || len(again) == 0 {
			return nil, err
		}
		if read > 0 && !reflect.DeepEqual(found, again) {
			return nil, nil // it is being rated: tomorrow
		}
		found = again
	}
	return found, nil
}

// auditMetrics tell an operator how the last audit of this process went.
type auditMetrics struct{ accounts, discrepancies, finished prometheus.Gauge }

func newAuditMetrics(register func(prometheus.Collector) error) (*auditMetrics, error) {
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: "tabuleiro_accounts_" + name, Help: help})
	}
	m := &auditMetrics{
		accounts:      gauge("audit_accounts", "Accounts whose ratings the last nightly audit computed again."),
		discrepancies: gauge("audit_discrepancies", "Places where the last nightly audit found a rating that is not what the ledger says."),
		finished:      gauge("audit_finished_seconds", "When the last nightly audit of this process ended, in Unix seconds; 0 for none yet."),
	}
	for _, c := range []prometheus.Collector{m.accounts, m.discrepancies, m.finished} {
		if err := register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// auditRatings is the audit as a part of the housekeeping.
func (h housekeeping) auditRatings(ctx context.Context) {
	told := 0
	result, mine, err := h.service.AuditRatings(ctx, func(d Discrepancy) {
		if told++; told <= auditTold {
			h.log.ErrorContext(ctx, "a rating is not what the ledger says", slog.String("account", d.Account),
				slog.String("rules", d.Pool.Rules), slog.String("speed", d.Pool.Speed), slog.String("game", d.Game), slog.String("what", d.What))
		}
	}, func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(auditPause):
			return nil
		}
	})
	switch {
	case ctx.Err() != nil:
	case err != nil:
		h.log.WarnContext(ctx, "ratings not audited to the end", slog.Any("error", err))
	case mine:
		h.log.InfoContext(ctx, "ratings audited", slog.Int("accounts", result.Accounts), slog.Int("discrepancies", result.Discrepancies))
		if h.audits != nil {
			h.audits.accounts.Set(float64(result.Accounts))
			h.audits.discrepancies.Set(float64(result.Discrepancies))
			h.audits.finished.Set(float64(result.At.Unix()))
		}
	}
}
