package play

import "slices"

// Evolve is the state after one more event. It trusts the event: only Decide
// makes them.
func Evolve(s State, e Event) State {
	if e.Kind == KindCreated {
		return created(e)
	}
	s.Version++
	s.ChangedAt = e.At
	s = s.stirred(e).scored(e)
	switch e.Kind {
	case KindAccepted:
		s.Seats = *e.Seats
		s = begin(s, e.At)
	case KindCancelled:
		s = cancelled(s, e)
	case KindMoved:
		s = moved(s, e)
	case KindDrawOffered:
		s.Offer = e.Side
		s.Offered[s.side(e.Side)] = true
	case KindDrawDeclined:
		s.Offer = ""
	case KindFinished:
		s.Status = StatusFinished
		s.Outcome = e.Outcome
		s.FinishedAt = e.At
		s.Began = s.Version
		s = forgetOffers(s)
		if s.Clock != nil {
			s.Clock = s.Clock.with(*e.Remaining, -1, e.At)
		}
	case KindGone:
		s.Gone[s.side(e.Side)] = e.SinceMS
	case KindTimeGiven:
		s = timeGiven(s, e)
	case KindSuspendOffered, KindSuspended, KindResumeOffered, KindResumed:
		s = paused(s, e)
	case KindTimeCredited:
		s = timeCredited(s, e)
	case KindTakebackOffered:
		s.Takeback = e.Side
		s.Wished[s.side(e.Side)] = true
	case KindTakebackDeclined:
		s.Takeback = ""
	case KindTakenBack:
		s = takenBack(s, e)
	case KindTouched:
		s.Touched = e.Square
	case KindRematchOffered:
		s.Rematch = e.Side
	case KindRematchDeclined:
		s.Rematch = ""
	case KindRematched:
		s.Rematch, s.Next, s.Followed = "", e.Next, s.Version
	case KindMatchChanged:
		s = matchChanged(s, e)
	case KindMatchPassed:
		s.Rescored = 0
	case KindAdjudicated:
		s = adjudicated(s, e)
	case KindAudited:
		s.Audits = s.unheard(e.Decision)
	case KindPlayerDeleted:
		s = playerDeleted(s, e)
	case KindRated:
		s.Counted = true
		s.Revision++
		for i := range s.Seats {
			s.Seats[i].After = e.After[i]
		}
	}
	return s
}

// Fold is the state after a run of events.
func Fold(s State, events []Event) State {
	for _, e := range events {
		s = Evolve(s, e)
	}
	return s
}

func created(e Event) State {
	setup := e.Created
	s := State{
		ID:         setup.ID,
		Rules:      setup.Rules,
		Status:     StatusOpen,
		Visibility: setup.Visibility,
		Speed:      SpeedOf(setup.Clock),
		Rated:      setup.Rated,
		Version:    1,
		Seats:      setup.Seats,
		Ruling:     setup.Ruling,
		CreatedAt:  e.At,
		ChangedAt:  e.At,
		Opponent:   setup.Opponent,
		Maker:      setup.Maker,
		Options:    setup.Options,
		Start:      setup.Start,
		Plies:      setup.Plies,
		Loaded:     int32(len(setup.Plies)),
		MaxPlies:   setup.MaxPlies,
		Values:     setup.Values,
		Match:      setup.Match,

		MoveSeconds: setup.MoveSeconds,
		Sheltered:   setup.Sheltered,
		Tournament:  setup.Tournament,
	}
	if s.Start == "" {
		s.Start = setup.Ruling.Position.Text
	}
	if setup.Clock != nil {
		s.Clock = newClock(*setup.Clock, e.At)
	}
	if s.OpenSeat() < 0 {
		s = begin(s, e.At)
	}
	return s
}

// begin starts a game whose seats are both taken, and its clock.
func begin(s State, at int64) State {
	s.Status = StatusRunning
	s.Began = s.Version
	if s.Clock != nil && s.Ruling.Outcome == nil {
		s.Clock = s.Clock.with(s.Clock.Remaining, s.ToMove(), at)
	}
	return s
}

func moved(s State, e Event) State {
	mover := s.side(e.Side)
	// A copy: another state may share what lies behind the slice.
	ply := *e.Ply
	ply.Taken = taken(s.Ruling.Pieces, ply.Move.Captures)
	s.Plies = append(slices.Clip(s.Plies), ply)
	s.Turn++
	s.Takeback, s.Touched = "", ""
	s.Wished[mover] = false
	s.Began = s.Version
	s.Ruling = *e.Ruling
	s.Offered[mover] = false
	s.Pause = ""
	if s.Offer != "" && s.Offer != e.Side {
		s.Offer = ""
	}
	if s.Clock != nil {
		running := s.ToMove()
		if s.Ruling.Outcome != nil {
			running = -1
		}
		s.Clock = s.Clock.with(*e.Remaining, running, e.At).learn(mover, e.Lag)
	}
	return s
}

func (s State) side(name string) int {
	if name == s.Seats[1].Side {
		return 1
	}
	return 0
}
