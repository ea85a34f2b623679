package play

import "strings"

// How long a game waits, in milliseconds: an open seat for somebody to take it,
// and a running game of guests alone for its next move. Guests come and go
// without a trace, so nothing of theirs may stay for ever.
const (
	seatWait      = int64(7 * 24 * 3600 * 1000)
	guestSeatWait = int64(30 * 60 * 1000)
	guestGameWait = int64(24 * 3600 * 1000)
	// A game that guests have saved for later waits as long as they are remembered.
	guestSavedWait = int64(30 * 24 * 3600 * 1000)
)

// Decline refuses an invitation.
type Decline struct {
	Account string
	Reason  string
}

// Abort ends a game that has hardly begun without a result.
type Abort struct{ Player string }

// Expire says that nobody may have come for too long.
type Expire struct{}

func (Decline) command() {}
func (Abort) command()   {}
func (Expire) command()  {}

func decideDecline(s State, c Decline, at int64) ([]Event, error) {
	switch {
	case s.Status == StatusCancelled:
		return nil, refuse("game_over", "the game was withdrawn before")
	case s.Status != StatusOpen:
		return nil, refuse("game_started", "an invitation that was accepted cannot be declined")
	case c.Account == "" || s.Invited() != c.Account:
		return nil, refuse("not_your_seat", "the caller is not invited to this game")
	}
	side := s.Seats[s.OpenSeat()].Side
	return s.cancel(Closed{Why: WhyDeclined, Side: side, Reason: c.Reason}, at), nil
}

// decideAbort: a player may abort before each side has made its first move, its
// maker at any time a game in which nobody else plays.
func decideAbort(s State, c Abort, at int64) ([]Event, error) {
	if s.Status == StatusRunning && s.Engines() && s.Involves(c.Player) {
		return s.cancel(Closed{Why: WhyAborted}, at), nil
	}
	seat, events, err := s.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	if !s.abortable() {
		return nil, refuse("abort_late", "each side has made its first move")
	}
	return s.cancel(Closed{Why: WhyAborted, Side: s.Seats[seat].Side}, at), nil
}

// abortable tells whether the players may abort the game, time left aside.
func (s State) abortable() bool {
	if s.Status != StatusRunning {
		return false
	}
	return s.Self() || s.Engines() || int32(len(s.Plies))-s.Loaded < 2
}

// expiry is when a game that nobody moves ends by itself, and whether it does.
func (s State) expiry() (at int64, ok bool) {
	switch {
	case s.Status == StatusOpen && s.ofGuests():
		return s.ChangedAt + guestSeatWait, true
	case s.Status == StatusOpen:
		return s.ChangedAt + seatWait, true
	case s.Status == StatusRunning && s.ofGuests():
		return s.ChangedAt + guestGameWait, true
	case s.Status == StatusSuspended && s.ofGuests():
		return s.ChangedAt + guestSavedWait, true
	}
	return 0, false
}

// ofGuests tells a game that guests play and no account does.
func (s State) ofGuests() bool {
	first, second := s.owners()
	return first+second != "" && !isAccount(first) && !isAccount(second) && s.Invited() == ""
}

func decideExpire(s State, at int64) ([]Event, error) {
	until, ok := s.expiry()
	if !ok || at < until {
		return nil, refuse("not_due", "the game may wait longer")
	}
	return s.cancel(Closed{Why: WhyExpired}, at), nil
}

func (s State) cancel(why Closed, at int64) []Event {
	event := Event{Kind: KindCancelled, At: at, Side: why.Side, Closed: &why}
	if s.Clock != nil {
		left := s.Clock.settled(at)
		event.Remaining = &left
	}
	return []Event{event}
}

func cancelled(s State, e Event) State {
	s.Status = StatusCancelled
	s.Closed = e.Closed
	s.Began = s.Version
	s = forgetOffers(s)
	if s.Clock != nil && e.Remaining != nil {
		s.Clock = s.Clock.with(*e.Remaining, -1, e.At)
	}
	return s
}

// forgetOffers drops what only a running game has.
func forgetOffers(s State) State {
	s.Offer, s.Takeback, s.Touched, s.Pause = "", "", "", ""
	return s
}

// isAccount tells the player of an account from a guest and from nobody.
func isAccount(player string) bool {
	return player != "" && !strings.HasPrefix(player, "guest:")
}
