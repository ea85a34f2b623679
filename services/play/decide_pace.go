package play

const (
	// givenMS is what GiveTime gives; maxGiven is how often a side may.
	givenMS, maxGiven = 15_000, 40
)

func decideGiveTime(s State, c GiveTime, at int64) ([]Event, error) {
	seat, events, err := s.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	switch {
	case s.Clock == nil || s.Clock.Running < 0:
		return nil, refuse("no_clock", "the game has no clock that runs")
	case s.Given[seat] >= maxGiven:
		return nil, refuse("time_given", "the opponent has been given all the time there is to give")
	}
	left := s.Clock.Remaining
	left[1-seat] += givenMS
	return []Event{{Kind: KindTimeGiven, At: at, Side: s.Seats[seat].Side, Remaining: &left}}, nil
}

// timeGiven sets what both sides had left when the clock was looked at last: the
// running side's time goes on from there.
func timeGiven(s State, e Event) State {
	s.Clock = s.Clock.with(*e.Remaining, s.Clock.Running, s.Clock.At)
	s.Clock.Version = s.Version
	s.Given[s.side(e.Side)]++
	return s
}

func decideSuspend(s State, c Suspend, at int64) ([]Event, error) {
	seat, events, err := s.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	switch {
	case s.Clock != nil:
		return nil, refuse("has_clock", "a game with a clock cannot be saved for later")
	case s.Tournament != "":
		return nil, refuse("option_off", "a game of a tournament cannot be saved for later: its round waits for it")
	}
	return s.agree(seat, KindSuspendOffered, KindSuspended, at)
}

func decideResume(s State, c Resume, at int64) ([]Event, error) {
	seat := s.SeatOf(c.Player)
	switch {
	case seat < 0:
		return nil, refuse("not_your_seat", "the caller plays no side of this game")
	case s.Status != StatusSuspended:
		return nil, refuse("not_suspended", "the game is not saved for later")
	}
	return s.agree(seat, KindResumeOffered, KindResumed, at)
}

// agree is an offer, or what both want: the second of two persons agrees, and
// nobody else has to be asked.
func (s State) agree(seat int, offer, done string, at int64) ([]Event, error) {
	own := s.Seats[seat].Side
	if s.between() && s.Pause != s.Seats[1-seat].Side {
		if s.Pause == own {
			return nil, refuse("offer_standing", "the offer still stands")
		}
		return []Event{{Kind: offer, At: at, Side: own}}, nil
	}
	return []Event{{Kind: done, At: at, Side: own}}, nil
}

// paused is a state after an event about saving the game.
func paused(s State, e Event) State {
	switch e.Kind {
	case KindSuspendOffered, KindResumeOffered:
		s.Pause = e.Side
	case KindSuspended:
		s.Status, s.Pause = StatusSuspended, ""
	case KindResumed:
		// A new beginning of the turn: the engine, if it is to move, owes its move.
		s.Status, s.Pause, s.Began = StatusRunning, "", s.Version
	}
	return s
}
