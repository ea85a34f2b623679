package play

import "math"

// Clock is the time of both sides at one moment. It runs from the moment at
// which both seats are taken: the side that moves first spends its own time on
// its first move.
type Clock struct {
	InitialMS   int32 `json:"initial_ms"`
	IncrementMS int32 `json:"increment_ms"`
	// Remaining is what was left at At, never negative.
	Remaining [2]int32 `json:"remaining"`
	// Running is the index of the side whose time runs, -1 while none does.
	Running int   `json:"running"`
	At      int64 `json:"at"`
	// Version is the last event that set the clock in the middle of a turn; 0 for
	// none.
	Version int32 `json:"version,omitempty"`
	// Lag is the latency of each side's client at its last move, in milliseconds;
	// Quota what each side may still get back for it.
	Lag   [2]int32 `json:"lag"`
	Quota [2]int32 `json:"quota"`
}

// Settings are the times that a game is made with, in milliseconds.
type Settings struct {
	InitialMS   int32 `json:"initial_ms"`
	IncrementMS int32 `json:"increment_ms"`
}

func newClock(settings Settings, at int64) *Clock {
	return &Clock{
		InitialMS:   settings.InitialMS,
		IncrementMS: settings.IncrementMS,
		Remaining:   [2]int32{settings.InitialMS, settings.InitialMS},
		Running:     -1,
		At:          at,
		Quota:       [2]int32{firstQuota, firstQuota},
	}
}

// elapsed is the time since At that the running side has used.
func (c *Clock) elapsed(now int64) int64 {
	if c == nil || c.Running < 0 {
		return 0
	}
	return max(0, now-c.At)
}

// Deadline is when the flag of the running side falls: when its time is used up,
// and a move that is on its way has had time to arrive.
func (c *Clock) Deadline() (at int64, ok bool) {
	if c == nil || c.Running < 0 {
		return 0, false
	}
	return c.At + int64(c.Remaining[c.Running]) + c.allowance(c.Running), true
}

// fallen tells whether the running side has used all its time.
func (c *Clock) fallen(now int64) bool {
	deadline, ok := c.Deadline()
	return ok && now >= deadline
}

// settled is what both sides have left now.
func (c *Clock) settled(now int64) [2]int32 {
	left := c.Remaining
	if c.Running >= 0 {
		left[c.Running] = int32(max(0, int64(left[c.Running])-c.elapsed(now)))
	}
	return left
}

// afterMove is what both sides have left when the running side moves now and gets
// some of what the move took back.
func (c *Clock) afterMove(now, credit int64) [2]int32 {
	left := c.settled(now - credit)
	if c.Running >= 0 {
		left[c.Running] = int32(min(math.MaxInt32, int64(left[c.Running])+int64(c.IncrementMS)))
	}
	return left
}

// with is the clock at a later moment.
func (c *Clock) with(remaining [2]int32, running int, at int64) *Clock {
	next := *c
	next.Remaining, next.Running, next.At = remaining, running, at
	return &next
}

// SpeedOf names the speed of a game by its estimated length, the initial time
// and forty increments; a game without a clock is "none".
func SpeedOf(settings *Settings) string {
	if settings == nil {
		return "none"
	}
	const minute = 60_000
	switch length := int64(settings.InitialMS) + 40*int64(settings.IncrementMS); {
	case length < 3*minute:
		return "bullet"
	case length < 8*minute:
		return "blitz"
	case length < 25*minute:
		return "rapid"
	default:
		return "classical"
	}
}
