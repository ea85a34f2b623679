package play

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// sweepPage is how many overdue obligations a sweep looks at.
	sweepPage = 64
	// grace is what an act may take beyond the engine's thinking; a claim lasts
	// longer still, so that two replicas rarely work on the same.
	grace = 1500 * time.Millisecond
	// storeTime bounds giving an obligation back while everything stops.
	storeTime = 2 * time.Second
	// The first and the longest wait before an obligation is tried again.
	firstRetry = 250 * time.Millisecond
	lastRetry  = 30 * time.Second
)

// lease is how long a claim of an obligation lasts.
func (s *Service) lease(kind string) time.Duration { return s.actTime(kind) + grace }

// actTime bounds one act on an obligation.
func (s *Service) actTime(kind string) time.Duration {
	switch kind {
	case DueEngine:
		return s.cfg.ThinkTime + grace
	case DueRate, DueAudit, DueTournament:
		return 5 * time.Second
	default:
		return storeTime
	}
}

// immediate tells what is due as soon as it is owed; who commits it acts.
func immediate(kind string) bool {
	return kind == DueEngine || kind == DueRate || kind == DueAudit || kind == DueTournament || kind == DueMatch
}

// Run works on obligations until ctx ends: on those of this replica's commits
// at once, and on all that are overdue by a sweep.
func (s *Service) Run(ctx context.Context) error {
	var all sync.WaitGroup
	for range s.cfg.Workers {
		all.Go(func() { s.work(ctx) })
	}
	all.Go(func() { s.beatAlways(ctx) })
	all.Go(func() { s.always(ctx, s.cfg.PurgeEvery, "old commands and games not forgotten", s.purge) })
	all.Go(func() { s.always(ctx, presenceEvery, "not noted who is gone", s.PresenceStep) })
	s.always(ctx, s.cfg.SweepEvery, "obligations not swept", s.sweep)
	all.Wait()
	s.crediting.Wait()
	s.giveBack()
	return nil
}

func (s *Service) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case due := <-s.waiting:
			s.inTurn(ctx, due)
		}
	}
}

// always does something once in a while until ctx ends. A failure is logged, and
// the next time comes all the same.
func (s *Service) always(ctx context.Context, every time.Duration, failed string, do func(context.Context) error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := do(ctx); err != nil && ctx.Err() == nil {
				s.deps.Log.Warn(failed, "err", err)
			}
		}
	}
}

// sweep claims what is overdue. Flags are cheap and must not wait behind
// engines that think, so they fall here; the rest goes to the workers.
func (s *Service) sweep(ctx context.Context) error {
	overdue, err := s.deps.Store.Overdue(ctx, s.now(), sweepPage)
	if err != nil {
		return err
	}
	for _, due := range overdue {
		if due.Kind != DueFlag && len(s.waiting) == cap(s.waiting) {
			return nil // no room for more; the next sweep finds them again
		}
		if err := s.take(ctx, due); err != nil {
			return err
		}
	}
	return nil
}

// take claims an obligation that the sweep has found, and sees that it is acted
// on.
func (s *Service) take(ctx context.Context, due Due) error {
	claimed, ok, err := s.claim(ctx, due)
	if err != nil || !ok {
		return err
	}
	if due.Kind == DueFlag {
		s.report(claimed, s.act(ctx, claimed))
		return nil
	}
	select {
	case s.waiting <- claimed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// DueStep acts on one obligation: one that this replica has claimed with a
// commit, or else the first that is overdue. It is for callers that choose every
// step themselves instead of Run; acted is false when there was nothing to do.
func (s *Service) DueStep(ctx context.Context) (acted bool, err error) {
	select {
	case due := <-s.waiting:
		return true, s.act(ctx, due)
	default:
	}
	overdue, err := s.deps.Store.Overdue(ctx, s.now(), 1)
	if err != nil || len(overdue) == 0 {
		return false, err
	}
	claimed, ok, err := s.claim(ctx, overdue[0])
	if err != nil || !ok {
		return ok, err
	}
	return true, s.act(ctx, claimed)
}

func (s *Service) claim(ctx context.Context, due Due) (Due, bool, error) {
	s.deps.Metrics.found(due.Kind, s.now()-due.At)
	return s.deps.Store.Claim(ctx, due, s.now()+s.lease(due.Kind).Milliseconds())
}

// act does what a claimed obligation asks for. When that fails the obligation
// is put off, longer each time.
func (s *Service) act(ctx context.Context, due Due) error {
	longest := s.actTime(due.Kind)
	if due.Kind == DueEngine {
		longest = maxThink + grace // it bounds itself, by the game
	}
	acting, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	err := s.actOn(acting, &due)
	if errors.Is(err, ErrGone) {
		err = nil // somebody else did it, or the game has moved on
	}
	s.deps.Metrics.acted(due.Kind, err)
	if err == nil {
		return nil
	}
	wait := min(longestWait(due.Kind), firstRetry<<min(due.Attempts, 10))
	if ctx.Err() != nil {
		err, wait = nil, 0 // stopped, not failed: another replica may act at once
	}
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	return errors.Join(err, s.deps.Store.Postpone(storing, due, s.now()+wait.Milliseconds()))
}

// longestWait is how long an obligation is put off at most: people wait for
// flags and engines while what they need is away, for ratings hardly.
func longestWait(kind string) time.Duration {
	switch kind {
	case DueFlag:
		return firstRetry
	case DueEngine:
		return 5 * time.Second
	default:
		return lastRetry
	}
}

func (s *Service) actOn(ctx context.Context, due *Due) error {
	switch due.Kind {
	case DueFlag:
		return s.flag(ctx, *due)
	case DueEngine:
		return s.engine(ctx, due)
	case DueRate:
		return s.rate(ctx, *due)
	case DueAudit:
		return s.audit(ctx, *due)
	case DueMatch:
		return s.passMatch(ctx, *due)
	case DueExpire:
		return s.expire(ctx, *due)
	case DueTournament:
		return s.tellTournament(ctx, *due)
	default:
		// A newer replica's: it will act on it.
		return errors.New("an obligation of an unknown kind")
	}
}

func (s *Service) report(due Due, err error) {
	if err != nil {
		s.deps.Log.Warn("obligation put off", "kind", due.Kind, "game", due.Game, "attempts", due.Attempts, "err", err)
	}
}

// giveBack ends the claims of what nobody here will act on any more.
func (s *Service) giveBack() {
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	for _, due := range s.turns.drain() {
		if err := s.deps.Store.Postpone(ctx, due, s.now()); err != nil {
			return
		}
	}
	for {
		select {
		case due := <-s.waiting:
			if err := s.deps.Store.Postpone(ctx, due, s.now()); err != nil {
				return
			}
		default:
			return
		}
	}
}

func (s *Service) now() int64 { return s.deps.Time.Now().UnixMilli() }
