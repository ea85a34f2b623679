package play

import "slices"

// Adjudicate decides a game in a player's place. Result is as records write it,
// or "annul".
type Adjudicate struct {
	By     string
	Result string
	Note   string
}

func (Adjudicate) command() {}

const annul = "annul"

// decideAdjudicate works on running and finished games, again and again: the
// last decision counts.
func decideAdjudicate(s State, c Adjudicate, at int64) ([]Event, error) {
	annulled := s.Closed != nil && s.Closed.Why == WhyAnnulled
	switch {
	case s.Status == StatusOpen:
		return nil, refuse("game_not_started", "a seat of the game is still open")
	case s.Status == StatusCancelled && !annulled:
		return nil, refuse("game_over", "the game was withdrawn or aborted")
	case annulled && c.Result == annul, s.Status == StatusFinished && s.Result() == c.Result:
		return nil, refuse("no_change", "the game has this result")
	case owesRating(s):
		// Which revision comes next is known once the one before is in the ledger.
		return nil, refuse("rating_pending", "the game is being rated")
	}
	event := Event{Kind: KindAdjudicated, At: at, Ruled: &Ruled{By: c.By, At: at, Note: c.Note}}
	switch c.Result {
	case "1-0":
		event.Outcome = &Outcome{Winner: s.Seats[0].Side, Reason: "adjudication"}
	case "0-1":
		event.Outcome = &Outcome{Winner: s.Seats[1].Side, Reason: "adjudication"}
	case "1/2-1/2":
		event.Outcome = &Outcome{Reason: "adjudication"}
	}
	if s.Clock != nil {
		left := s.Clock.settled(at)
		event.Remaining = &left
	}
	return []Event{event}, nil
}

func adjudicated(s State, e Event) State {
	if s.FinishedAt == 0 {
		s.FinishedAt = e.At
	}
	s.Status, s.Outcome, s.Closed = StatusFinished, e.Outcome, nil
	if e.Outcome == nil {
		s.Status, s.Closed = StatusCancelled, &Closed{Why: WhyAnnulled}
	}
	if s.Counted && s.Revision == 0 {
		s.Revision = 1 // rated before revisions were kept
	}
	s.Ruled = e.Ruled
	s.Rulings++
	if len(s.accounts()) > 0 { // the log is about people
		s.Audits = append(slices.Clip(s.Audits), Audit{Version: s.Version, At: e.At, By: e.Ruled.By, Why: s.decision()})
	}
	s.Counted = false
	s.Began = s.Version
	s.Rematch = ""
	s = s.rescored()
	s = forgetOffers(s)
	if s.Clock != nil {
		s.Clock = s.Clock.with(*e.Remaining, -1, e.At)
	}
	return s
}

// owesRating tells that accounts must hear of a result, or that one they have
// heard of does not count.
func owesRating(s State) bool {
	annulled := s.Closed != nil && s.Closed.Why == WhyAnnulled
	return s.Rated && !s.Counted && (s.Status == StatusFinished || annulled && s.Revision > 0)
}
