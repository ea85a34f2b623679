package play

import (
	"encoding/binary"
	"hash/fnv"
	"time"
)

// How the engine spends its time, from the state alone: the same state, the same
// pace, in every replica and after every crash.

const (
	// watchable is between two moves of the engine against itself.
	watchable = 250 * time.Millisecond
	// shortPause and longPause are between what a person sees as an answer.
	shortPause, longPause = 300 * time.Millisecond, 1200 * time.Millisecond
	// maxThink is the longest time that anybody may give the engine for a move.
	maxThink = time.Minute
)

// engineTurn is the seat of the engine whose turn it is; false for none.
func (s State) engineTurn() (Seat, bool) {
	seat := s.Seats[s.ToMove()]
	return seat, s.Status == StatusRunning && s.Ruling.Outcome == nil && seat.Kind == SeatEngine
}

// draw is a number from 0 to 1 that the seed and the ply decide.
func (s State) draw(what string) float64 {
	h := fnv.New64a()
	var seed [8]byte
	binary.LittleEndian.PutUint32(seed[:], uint32(s.Seats[s.ToMove()].Seed))
	binary.LittleEndian.PutUint32(seed[4:], uint32(len(s.Plies)))
	h.Write(seed[:])
	h.Write([]byte(what))
	// The low bits of this hash are the better mixed ones.
	return float64(h.Sum64()%1_000_003) / 1_000_003
}

// pause is how long the engine waits before it thinks. A level that is found at
// once does not move at once in a casual game against a person; one that thinks
// needs no pause, but where it has no choice. A clock gives a fiftieth of what is
// left at most. Between two engines the moves stay watchable.
func (s State) pause() time.Duration {
	seat, ok := s.engineTurn()
	if !ok {
		return 0
	}
	wait := shortPause + time.Duration(s.draw("pause")*float64(longPause-shortPause))
	switch {
	case s.Seats[1-s.ToMove()].Kind == SeatEngine:
		wait = watchable
	case s.Rated:
		return 0
	case seat.Level == "full" && len(s.Ruling.Moves) > 1:
		return 0
	case len(s.Ruling.Moves) == 1:
		wait = shortPause
	}
	if s.Clock != nil && s.Clock.Running >= 0 {
		wait = min(wait, time.Duration(s.Clock.Remaining[s.Clock.Running]/50)*time.Millisecond)
	}
	return wait.Round(time.Millisecond)
}

// think is how long the engine may search for a move: at most, of what is left of
// its clock, and by the moment. standard is what it gets where nobody asks for
// something else; left is what its clock shows now, in milliseconds, and is ignored
// without a clock.
func (s State) think(standard time.Duration, left int32) time.Duration {
	most := standard
	if s.MoveSeconds > 0 {
		most = time.Duration(s.MoveSeconds) * time.Second
	}
	if s.Clock == nil || s.Clock.Running < 0 {
		return max(10*time.Millisecond, time.Duration(s.weight()*float64(most)))
	}
	// A thirtieth of what is left and half of the increment, more where it matters;
	// never so much that the clock could run out.
	share := time.Duration(left/30+s.Clock.IncrementMS/2) * time.Millisecond
	share = min(time.Duration(s.weight()*1.25*float64(share)), time.Duration(left/4)*time.Millisecond)
	return min(most, max(10*time.Millisecond, share))
}

// weight is the part of its time that a move deserves, from 0.1 to 1: little for
// the first moves and for the only move, more where pieces hang or the king is in
// check, less again when few pieces are left; and no two moves quite the same.
func (s State) weight() float64 {
	if len(s.Ruling.Moves) == 1 {
		return 0.1
	}
	weight := 0.8
	switch pieces := len(s.Ruling.Pieces); {
	case len(s.Plies) < 8:
		weight = 0.5
	case pieces > 0 && pieces <= 8:
		weight = 0.7
	}
	if len(s.Ruling.Check) > 0 || s.captures() {
		weight += 0.15
	}
	return weight * (0.9 + 0.15*s.draw("weight"))
}

// captures tells whether something can be taken.
func (s State) captures() bool {
	for _, m := range s.Ruling.Moves {
		if len(m.Captures) > 0 {
			return true
		}
	}
	return false
}
