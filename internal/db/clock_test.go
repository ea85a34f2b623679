package db

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var errAway = errors.New("away")

// server is a database's clock, off by offset, behind a network.
type server struct {
	away        atomic.Bool
	offset      time.Duration
	there, back time.Duration // how long question and answer travel
}

func (s *server) now(context.Context) (sample, error) {
	sent := time.Now()
	time.Sleep(s.there)
	if s.away.Load() {
		return sample{}, errAway
	}
	read := time.Now().Add(s.offset).Round(0)
	time.Sleep(s.back)
	return sample{sent: sent, got: time.Now(), server: read}, nil
}

// off is how far the clock is from the server's.
func (s *server) off(c *Clock) time.Duration { return c.Now().Sub(time.Now().Add(s.offset)).Abs() }

func TestMeasuredClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{offset: 90 * time.Second, there: 8 * time.Millisecond, back: 2 * time.Millisecond}
		c := newMeasuredClock(s.now)
		if err := c.measureSome(t.Context()); err != nil {
			t.Fatal(err)
		}
		check := func(what string, most time.Duration) {
			t.Helper()
			off, u := s.off(c), c.Uncertainty()
			if off > u {
				t.Errorf("%s: off by %v, and says %v", what, off, u)
			}
			if u > most {
				t.Errorf("%s: uncertainty %v, want at most %v", what, u, most)
			}
		}
		check("half the round trip", 6*time.Millisecond)

		time.Sleep(10 * time.Second)
		check("aged", 12*time.Millisecond)
		if c.Uncertainty() < 10*time.Millisecond {
			t.Errorf("uncertainty %v did not grow", c.Uncertainty())
		}

		// A faster round trip narrows it; a slower one afterwards does not widen it.
		s.there, s.back = time.Millisecond, time.Millisecond
		if err := c.measureSome(t.Context()); err != nil {
			t.Fatal(err)
		}
		check("fast", 2*time.Millisecond)
		s.there, s.back = 300*time.Millisecond, 0
		if err := c.measureSome(t.Context()); err != nil {
			t.Fatal(err)
		}
		check("slow", 3*time.Millisecond)
	})
}

// A process whose wall clock is minutes ahead of the server's knows the server's
// time from its first answer on.
func TestClockOfAProcessThatIsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{offset: -7 * time.Minute, there: time.Millisecond, back: time.Millisecond}
		c := newMeasuredClock(s.now)
		if err := c.measureSome(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if off, u := s.off(c), c.Uncertainty(); off > u || u > 50*time.Millisecond {
				t.Errorf("off by %v, and says %v", off, u)
			}
			time.Sleep(time.Second)
		}
	})
}

// A server whose clock is set back, or another one that is behind: time stands
// still, the uncertainty says so, and it goes on from where it stood.
func TestClockNeverGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{there: time.Millisecond, back: time.Millisecond}
		c := newMeasuredClock(s.now)
		if err := c.measureSome(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := c.Now()
		s.offset = -5 * time.Second
		if err := c.measureSome(t.Context()); err != nil {
			t.Fatal(err)
		}
		if now := c.Now(); now.Before(before) || now.Sub(before) > time.Second {
			t.Errorf("went from %v to %v", before, now)
		}
		if u := c.Uncertainty(); u < 4*time.Second {
			t.Errorf("uncertainty %v while it holds back 5 s", u)
		}
		time.Sleep(6 * time.Second)
		if u := c.Uncertainty(); u > 50*time.Millisecond {
			t.Errorf("uncertainty %v after the server caught up", u)
		}
		if off := s.off(c); off > c.Uncertainty() {
			t.Errorf("off by %v, and says %v", off, c.Uncertainty())
		}
		// Set forward: believed at once.
		s.offset = time.Hour
		if err := c.measureSome(t.Context()); err != nil {
			t.Fatal(err)
		}
		if off := s.off(c); off > c.Uncertainty() || c.Uncertainty() > 50*time.Millisecond {
			t.Errorf("off by %v, and says %v", off, c.Uncertainty())
		}
	})
}

func TestClockRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{offset: time.Second, there: time.Millisecond, back: time.Millisecond}
		c := newMeasuredClock(s.now)
		if err := c.measureSome(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.run(ctx, slog.New(slog.DiscardHandler))
		}()
		time.Sleep(10 * time.Minute)
		if u := c.Uncertainty(); u > 10*time.Millisecond {
			t.Errorf("uncertainty %v while it is measured", u)
		}
		s.away.Store(true)
		time.Sleep(5 * time.Minute)
		if u := c.Uncertainty(); u < 50*time.Millisecond {
			t.Errorf("uncertainty %v after five minutes without the server", u)
		}
		if err := c.measureSome(t.Context()); !errors.Is(err, errAway) {
			t.Errorf("got %v, want %v", err, errAway)
		}
		s.away.Store(false)
		time.Sleep(time.Minute)
		if u := c.Uncertainty(); u > 10*time.Millisecond {
			t.Errorf("uncertainty %v after the server came back", u)
		}
		cancel()
		<-done
	})
}

func TestProcessClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newProcessClock()
		start := c.Now()
		time.Sleep(time.Hour)
		if got := c.Now().Sub(start); got != time.Hour {
			t.Errorf("an hour took %v", got)
		}
		if u := c.Uncertainty(); u != 0 {
			t.Errorf("uncertainty %v", u)
		}
		c.run(t.Context(), nil) // has nothing to do
	})
}
