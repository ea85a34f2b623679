package db

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	measureEvery = 10 * time.Second
	measureTime  = 2 * time.Second
	// samples a measurement takes; the shortest round trip decides.
	samples = 3
	// driftPerSecond bounds how far two clocks part in a second: the 500 ppm at
	// which NTP may turn one of them, and the quartz of the other.
	driftPerSecond = 600 * time.Microsecond
)

// sample is one reading of the server's clock, between two of ours.
type sample struct {
	sent, got, server time.Time
}

// Clock is the database's time as this process knows it. It never goes back.
type Clock struct {
	measure func(context.Context) (sample, error) // nil: the process's own clock
	origin  time.Time                             // everything is counted from here, monotonically

	mu   sync.Mutex
	low  time.Duration // the server's time is origin + our time since + low..high,
	high time.Duration // as known at
	at   time.Duration // after origin
	// last is the highest answer given, after origin, once one was: the server's time
	// may well be before the process's own, from which origin is.
	last     time.Duration
	answered bool
}

// newProcessClock counts from the wall clock at start by the monotonic clock, so
// that a wall clock that is set does not matter.
func newProcessClock() *Clock { return &Clock{origin: time.Now()} }

// newMeasuredClock needs a measurement before its first use.
func newMeasuredClock(measure func(context.Context) (sample, error)) *Clock {
	return &Clock{origin: time.Now(), measure: measure}
}

// bounds are the limits of the offset now: knowledge ages by drift.
func (c *Clock) bounds(since time.Duration) (low, high time.Duration) {
	if c.measure == nil {
		return 0, 0
	}
	aged := time.Duration(float64(since-c.at) * float64(driftPerSecond) / float64(time.Second))
	return c.low - aged, c.high + aged
}

// Now is the database's time, in UTC. It never goes back, also when the database's
// own clock does: then it stands still, and Uncertainty tells.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	since := time.Since(c.origin)
	low, high := c.bounds(since)
	if now := since + low + (high-low)/2; !c.answered || now > c.last {
		c.last, c.answered = now, true
	}
	// Round drops the monotonic reading, which knows nothing of the offset.
	return c.origin.Add(c.last).Round(0).UTC()
}

// Uncertainty is how far Now may be from the database's time: half the best round
// trip, what drift may have added since, and how far Now had to hold back.
func (c *Clock) Uncertainty() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	since := time.Since(c.origin)
	low, high := c.bounds(since)
	held := time.Duration(0)
	if c.answered {
		held = max(0, c.last-(since+low+(high-low)/2))
	}
	return (high-low)/2 + held
}

// learn takes one sample: the server read its clock after it was asked and before
// its answer came. What both the sample and the aged knowledge allow is known
// from then on; when they contradict each other the server's clock was set, or it
// is another server, and the sample alone counts.
func (c *Clock) learn(s sample) {
	server := s.server.Sub(c.origin.Round(0))
	low, high := server-s.got.Sub(c.origin), server-s.sent.Sub(c.origin)
	if low > high {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	since := time.Since(c.origin)
	if c.at > 0 {
		l, h := c.bounds(since)
		if max(l, low) <= min(h, high) {
			low, high = max(l, low), min(h, high)
		}
	}
	c.low, c.high, c.at = low, high, max(since, 1)
}

// measureSome takes a few samples; one is enough.
func (c *Clock) measureSome(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, measureTime)
	defer cancel()
	var last error
	learnt := false
	for range samples {
		s, err := c.measure(ctx)
		if err != nil {
			last = err
			continue
		}
		c.learn(s)
		learnt = true
	}
	if learnt {
		return nil
	}
	return last
}

// run measures until ctx ends. Failures only let the uncertainty grow.
func (c *Clock) run(ctx context.Context, log *slog.Logger) {
	if c.measure == nil {
		return
	}
	tick := time.NewTicker(measureEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := c.measureSome(ctx); err != nil && ctx.Err() == nil {
				log.Warn("database clock not measured", "uncertainty", c.Uncertainty(), "err", err)
			}
		}
	}
}
