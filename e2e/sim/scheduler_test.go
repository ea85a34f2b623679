package sim

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"
)

// verdict is what becomes of a step.
type verdict int

const (
	// proceed: it happens.
	proceed verdict = iota
	// refused: it does not happen, and whoever asked is told so.
	refused
	// vanished: it does not happen, and whoever asked does not know.
	vanished
	// unheard: it happens, and whoever asked does not know.
	unheard
	// expired: the time of whoever asked was over.
	expired
)

func (v verdict) String() string {
	return [...]string{"", "REFUSED", "VANISHED", "UNHEARD", "EXPIRED"}[v]
}

// parked is something that waits to be allowed its next step.
type parked struct {
	label, point string
	faults       []verdict
	wake         chan verdict
}

// scheduler decides which step is next and what becomes of it. It runs in the
// bubble's first goroutine; all others only park.
type scheduler struct {
	rng   *rand.Rand
	began time.Time
	step  int
	lines []string
	// faults is how many of 1000 steps go wrong; 0 once the world is calm.
	faults int

	mu     sync.Mutex
	parked map[string]*parked
}

func newScheduler(seed uint64) *scheduler {
	return &scheduler{rng: rand.New(rand.NewPCG(seed, 0x7ab)), began: time.Now(), parked: map[string]*parked{}}
}

// park waits for the scheduler. The label names who waits, the same in every
// run; faults are what may become of the step beside proceed.
func (s *scheduler) park(ctx context.Context, label, point string, faults ...verdict) verdict {
	p := &parked{label: label, point: point, faults: faults, wake: make(chan verdict, 1)}
	s.mu.Lock()
	key := label
	for s.parked[key] != nil {
		key += "'"
	}
	s.parked[key] = p
	s.mu.Unlock()
	select {
	case v := <-p.wake:
		return v
	case <-ctx.Done():
		s.mu.Lock()
		delete(s.parked, key)
		s.mu.Unlock()
		return expired
	}
}

// settle lets everything run until it waits.
func (s *scheduler) settle() { synctest.Wait() }

// waiting lists who is parked, in one order, once all that was begun since the
// last step is.
func (s *scheduler) waiting() []string {
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.parked))
}

// tells says whether who is parked is about to read a tournament for an obligation
// of a game.
func (s *scheduler) tells(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.HasPrefix(key, "due.") && s.parked[key].point == "cups.Load"
}

// resume lets one parked step happen, or not.
func (s *scheduler) resume(key string) {
	s.mu.Lock()
	p := s.parked[key]
	delete(s.parked, key)
	s.mu.Unlock()
	v := proceed
	if len(p.faults) > 0 && s.chance(s.faults) {
		v = p.faults[s.rng.IntN(len(p.faults))]
	}
	s.note("%s %s %s", key, p.point, v)
	p.wake <- v
}

// chance is true so many times of 1000.
func (s *scheduler) chance(perMille int) bool { return s.rng.IntN(1000) < perMille }

// note writes a line of the trace.
func (s *scheduler) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	s.lines = append(s.lines, fmt.Sprintf("%d %d %s", s.step, time.Since(s.began).Milliseconds(), strings.TrimSpace(line)))
}

// lot draws one of a list.
func lot[T any](s *scheduler, of []T) T { return of[s.rng.IntN(len(of))] }
