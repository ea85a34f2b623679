package play

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Each replica notes that it can write. A time in which none could is an outage,
// and what clocks ran in it is given back before any flag falls: a replica decides
// on a clock only while its own last beat is younger than the shortest outage, so
// that none can have ended that it does not know of.
const (
	beatEvery = time.Second
	beatFresh = 2 * time.Second
	// outageAfter is the shortest outage; replicas' clocks differ by less than what
	// lies between it and beatFresh.
	outageAfter = 3 * time.Second
	// clockedPage is how many games are read at once after an outage.
	clockedPage = 100
)

// pulse is what a replica knows of the beats.
type pulse struct {
	mu      sync.Mutex
	at      int64 // of its own last beat, 0 before the first
	outages []Outage
	// owed says that an outage has ended and clocks may still wait for their time.
	owed bool
}

// fresh tells whether none of the outages that concern a clock can be unknown here.
func (p *pulse) fresh(now int64) ([]Outage, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.outages, p.at > 0 && now-p.at < beatFresh.Milliseconds()
}

// Beat notes that this replica can write. Run does so by itself; it is for callers
// that choose every step themselves.
func (s *Service) Beat(ctx context.Context) error {
	// A store that hung and answers again carries out what it was asked meanwhile: the
	// beat is dated when the store has answered, or an outage would begin with a beat
	// that was asked in it, or end before it was over.
	if _, err := s.deps.Store.Overdue(ctx, 0, 1); err != nil {
		return err
	}
	at := s.now()
	s.pulse.mu.Lock()
	gap := outageAfter.Milliseconds()
	if s.cfg.Alone && s.pulse.at == 0 {
		gap = 0 // nobody else was there before
	}
	s.pulse.mu.Unlock()
	outages, err := s.deps.Store.Beat(ctx, at, gap)
	if err != nil {
		return err
	}
	s.pulse.mu.Lock()
	defer s.pulse.mu.Unlock()
	s.pulse.at = max(s.pulse.at, at)
	if n := len(outages); n > 0 && outages[n-1].Until > lastUntil(s.pulse.outages) {
		last := outages[n-1]
		s.pulse.outages = outages
		if last.Until == at {
			s.pulse.owed = true
			s.deps.Metrics.outage(last.Until - last.From)
			s.deps.Log.Warn("play was away; clocks get it back", "milliseconds", last.Until-last.From)
		}
	}
	return nil
}

func lastUntil(outages []Outage) int64 {
	if len(outages) == 0 {
		return 0
	}
	return outages[len(outages)-1].Until
}

// outages are all that may still concern a clock; it makes sure that they are.
func (s *Service) outages(ctx context.Context) ([]Outage, error) {
	if known, fresh := s.pulse.fresh(s.now()); fresh {
		return known, nil
	}
	if err := s.Beat(ctx); err != nil {
		return nil, err
	}
	s.pulse.mu.Lock()
	defer s.pulse.mu.Unlock()
	return s.pulse.outages, nil
}

// beatAlways beats until ctx ends, and once more then: what follows is an outage
// where nobody else is there.
func (s *Service) beatAlways(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := s.beatAndCredit(ctx); err != nil && ctx.Err() == nil {
			s.deps.Log.Warn("no beat noted", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	if err := s.Beat(last); err != nil {
		s.deps.Log.Warn("no last beat noted", "err", err)
	}
}

func (s *Service) beatAndCredit(ctx context.Context) error {
	beating, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	if err := s.Beat(beating); err != nil {
		return err
	}
	s.pulse.mu.Lock()
	owed := s.pulse.owed
	s.pulse.mu.Unlock()
	if !owed {
		return nil
	}
	// Beside the beats, which must not wait for it.
	s.pulse.mu.Lock()
	s.pulse.owed = false
	s.pulse.mu.Unlock()
	s.crediting.Go(func() {
		if err := s.creditAll(ctx); err != nil && ctx.Err() == nil {
			s.deps.Log.Warn("clocks wait for their time until they are looked at", "err", err)
			s.pulse.mu.Lock()
			s.pulse.owed = true
			s.pulse.mu.Unlock()
		}
	})
	return nil
}

// creditAll shows in every game at once what its clock gets back; whoever looks at
// a clock would do it anyway.
func (s *Service) creditAll(ctx context.Context) error {
	for after := ""; ; {
		games, err := s.deps.Store.Clocked(ctx, after, clockedPage)
		if err != nil || len(games) == 0 {
			return err
		}
		for _, game := range games {
			after = game
			if err := s.creditGame(ctx, game); err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
		}
	}
}

func (s *Service) creditGame(ctx context.Context, game string) error {
	return untilCurrent(func() error {
		state, err := s.deps.Store.Load(ctx, game)
		if err != nil {
			return err
		}
		_, credited, err := s.credited(ctx, state, Flag{}, s.deps.Time.Now())
		if err != nil || len(credited) == 0 {
			return err
		}
		return s.add(ctx, state, credited)
	})
}

// add commits events that nobody asked for, and tells of them.
func (s *Service) add(ctx context.Context, state State, events []Event) error {
	commit := s.prepare(state, events)
	err := s.store(ctx, commit)
	if err == nil {
		s.committed(commit)
	}
	return err
}

// credited is a state after its clock has got back what it lost to our outages,
// with the events of that. It refuses what depends on a clock while the time is
// not known well.
func (s *Service) credited(ctx context.Context, state State, command Command, now time.Time) (State, []Event, error) {
	if err := s.timely(state, command); err != nil {
		return state, nil, err
	}
	if state.Clock == nil || state.Status != StatusRunning {
		return state, nil, nil
	}
	outages, err := s.outages(ctx)
	if err != nil {
		return state, nil, err
	}
	events := creditOutages(state, outages, now.UnixMilli())
	return Fold(state, events), events, nil
}
