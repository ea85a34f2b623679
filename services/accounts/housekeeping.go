package accounts

import (
	"context"
	"log/slog"
	"time"
)

const (
	// sweepEvery is how often ended sessions are forgotten; they are refused at
	// once in any case.
	sweepEvery = time.Hour
	// codeRetry is how often a process that is not ready yet looks again whether
	// it may make the operator code.
	codeRetry = 50 * time.Millisecond
	// lastTidy bounds what is still noted when the process stops.
	lastTidy = 2 * time.Second
)

// housekeeping is what the role does besides answering calls.
type housekeeping struct {
	service  *Service
	notReady func(context.Context) map[string]error
	announce func(line string)
	log      *slog.Logger
	audits   *auditMetrics // nil: nobody asks
}

// run ends with ctx.
func (h housekeeping) run(ctx context.Context) error {
	retry := time.NewTicker(codeRetry)
	defer retry.Stop()
	for !h.operatorCode(ctx) {
		select {
		case <-ctx.Done():
			return nil
		case <-retry.C:
		}
	}
	retry.Stop()

	sweep := time.NewTicker(sweepEvery)
	defer sweep.Stop()
	for {
		swept, err := h.service.SweepSessions(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			h.log.WarnContext(ctx, "ended sessions not forgotten", slog.Any("error", err))
		case swept > 0:
			h.log.InfoContext(ctx, "ended sessions forgotten", slog.Int("sessions", swept))
		}
		h.tidy(ctx)
		h.retain(ctx)
		h.auditRatings(ctx)
		select {
		case <-ctx.Done():
			// What was counted since would be lost with the process.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTidy)
			defer cancel()
			h.note(ctx)
			return nil
		case <-sweep.C:
		}
	}
}

// tidy forgets what ended, and notes failed log-ins.
func (h housekeeping) tidy(ctx context.Context) {
	codes, logins, err := h.service.Tidy(ctx)
	switch {
	case err != nil && ctx.Err() == nil:
		h.log.WarnContext(ctx, "ended codes not forgotten", slog.Any("error", err))
	case codes+logins > 0:
		h.log.InfoContext(ctx, "ended codes forgotten", slog.Int("codes", codes), slog.Int("logins", logins))
	}
	h.note(ctx)
}

// retain looks after accounts that nobody uses.
func (h housekeeping) retain(ctx context.Context) {
	did, err := h.service.Retain(ctx)
	if err != nil && ctx.Err() == nil {
		h.log.WarnContext(ctx, "unused accounts not looked at to the end", slog.Any("error", err))
	}
	if did != (retained{}) {
		h.log.InfoContext(ctx, "unused accounts", slog.Int("announced", did.Noticed), slog.Int("deleted", did.Deleted))
	}
}

func (h housekeeping) note(ctx context.Context) {
	if _, err := h.service.NoteFailures(ctx); err != nil && ctx.Err() == nil {
		h.log.WarnContext(ctx, "failed log-ins not noted", slog.Any("error", err))
	}
}

// operatorCode makes the code of a first start, and says whether that is done. A
// code that nobody saw would be lost for ever, so a process that may still fail
// to start makes none.
func (h housekeeping) operatorCode(ctx context.Context) bool {
	if len(h.notReady(ctx)) > 0 {
		return false
	}
	code, err := h.service.NewOperatorCode(ctx)
	if err != nil {
		if ctx.Err() == nil {
			h.log.WarnContext(ctx, "operator code not made, trying again", slog.Any("error", err))
		}
		return false
	}
	if code != "" {
		h.announce("operator code: " + code + " (one time: POST /v1/operator)")
	}
	return true
}
