package play

import "cmp"

// The kinds of obligations.
const (
	DueFlag   = "flag"
	DueEngine = "engine"
	DueRate   = "rate"
	// DueAudit notes in the audit log what a person in charge has decided.
	DueAudit = "audit"
	// DueTournament tells the tournament of a game how it ended, or what a person in
	// charge made of it later.
	DueTournament = "tournament"
	// DueMatch tells the next game of a match that the score before it has changed.
	DueMatch = "match"
	// DueExpire ends a game that nobody comes back to. Its version never changes
	// with the moves, so that they need not write it: its act looks at the time of
	// the last change and waits on.
	DueExpire = "expire"
)

// Obligation is something that must still happen to a game though nobody asks.
type Obligation struct {
	Kind string
	// Version is the event that brought it about: while it is the same, so is
	// the obligation.
	Version int32
	// At is when it is due, in milliseconds since 1970.
	At int64
}

// Obligations are what a state still owes. They follow from the state alone,
// so that no event can forget one.
func Obligations(s State) []Obligation {
	var owed []Obligation
	if at, ok := s.expiry(); ok {
		owed = append(owed, Obligation{Kind: DueExpire, Version: 1, At: at})
	}
	if owesRating(s) {
		owed = append(owed, Obligation{Kind: DueRate, Version: s.Began, At: s.FinishedAt})
	}
	if len(s.Audits) > 0 {
		owed = append(owed, Obligation{Kind: DueAudit, Version: s.Audits[0].Version, At: s.Audits[0].At})
	}
	if s.Rescored > 0 {
		owed = append(owed, Obligation{Kind: DueMatch, Version: s.Rescored, At: s.ChangedAt})
	}
	if s.Tournament != "" && (s.Status == StatusFinished || s.Status == StatusCancelled) {
		owed = append(owed, Obligation{Kind: DueTournament, Version: s.Began, At: cmp.Or(s.FinishedAt, s.ChangedAt)})
	}
	if s.Status == StatusRunning {
		if s.Ruling.Outcome == nil && s.Seats[s.ToMove()].Kind == SeatEngine {
			owed = append(owed, Obligation{Kind: DueEngine, Version: s.Began, At: s.ChangedAt + s.pause().Milliseconds()})
		}
		if deadline, ok := s.Clock.Deadline(); ok {
			owed = append(owed, Obligation{Kind: DueFlag, Version: s.clockVersion(), At: deadline})
		}
	}
	return owed
}

// clockVersion is the event that set the clock as it runs.
func (s State) clockVersion() int32 {
	return max(s.Began, s.Clock.Version)
}
