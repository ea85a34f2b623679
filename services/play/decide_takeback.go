package play

import (
	"fmt"
	"math"
)

// OfferTakeback asks to take the player's last move back. Beside the ruling of
// the position that would stand again it happens, where nobody has to agree.
type OfferTakeback struct {
	Player string
	Turn   int32
}

// AnswerTakeback answers the opponent's wish.
type AnswerTakeback struct {
	Player string
	Turn   int32
	Accept bool
}

func (OfferTakeback) command()  {}
func (AnswerTakeback) command() {}

// decideTakeback: a wish stands until it is answered or a move is made. Nobody
// wishes twice between two moves of their own, so that wishes cannot pester.
func decideTakeback(s State, c OfferTakeback, ruling *Ruling, at int64) ([]Event, error) {
	seat, events, err := s.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	if err := s.answers(c.Turn); err != nil {
		return nil, err
	}
	if !s.Options.Takebacks {
		return nil, refuse("option_off", "the game was made without take-backs")
	}
	if s.Self() {
		seat = 1 - s.ToMove() // who moved last
	}
	own := s.Seats[seat].Side
	back := s.back(seat)
	switch {
	case back == 0:
		return nil, refuse("no_takeback", "there is no own move to take back")
	case s.Self() || s.Seats[1-seat].Kind == SeatEngine:
		return s.takeBack(own, back, ruling, at)
	case s.Takeback != "":
		return nil, refuse("takeback_standing", "a wish still stands")
	case s.Wished[seat]:
		return nil, refuse("takeback_standing", "the next wish may come after the next own move")
	}
	return []Event{{Kind: KindTakebackOffered, At: at, Side: own}}, nil
}

func decideTakebackAnswer(s State, c AnswerTakeback, ruling *Ruling, at int64) ([]Event, error) {
	seat, events, err := s.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	if err := s.answers(c.Turn); err != nil {
		return nil, err
	}
	own := s.Seats[seat].Side
	if s.Takeback == "" || s.Takeback == own {
		return nil, refuse("no_offer", "the opponent wishes to take nothing back")
	}
	if !c.Accept {
		return []Event{{Kind: KindTakebackDeclined, At: at, Side: own}}, nil
	}
	return s.takeBack(own, s.back(1-seat), ruling, at)
}

// back is how many plies go when a seat takes its last move back; 0 where it has
// none in this game.
func (s State) back(seat int) int32 {
	for n := int32(1); n <= 2 && int32(len(s.Plies))-n >= s.Loaded; n++ {
		if s.Plies[int32(len(s.Plies))-n].Side == s.Seats[seat].Side {
			return n
		}
	}
	return 0
}

func (s State) takeBack(side string, back int32, ruling *Ruling, at int64) ([]Event, error) {
	if ruling == nil {
		return nil, ErrNeedsRuling
	}
	event := Event{Kind: KindTakenBack, At: at, Side: side, Back: back, Ruling: ruling}
	if s.Clock != nil {
		left := s.given(back)
		event.Remaining = &left
	}
	return []Event{event}, nil
}

// given is what both sides have left once plies are taken back: the time that
// those took is given back, their increments go, and the turn that runs has cost
// nothing. Nobody gets more than the game began with and all increments since.
func (s State) given(back int32) [2]int32 {
	left := s.Clock.Remaining
	for _, ply := range s.Plies[int32(len(s.Plies))-back:] {
		i := s.side(ply.Side)
		sum := int64(left[i]) + int64(ply.TookMS) - int64(s.Clock.IncrementMS)
		left[i] = int32(min(math.MaxInt32, max(1000, sum)))
	}
	return left
}

func takenBack(s State, e Event) State {
	left := int32(len(s.Plies)) - e.Back
	if s.Plies = s.Plies[:left:left]; left == 0 {
		s.Plies = nil // as it is read again
	}
	if !keepTurn() {
		s.Turn++
	}
	s.Began = s.Version
	s.Ruling = *e.Ruling
	s = forgetOffers(s)
	if s.Clock != nil {
		s.Clock = s.Clock.with(*e.Remaining, s.ToMove(), e.At)
	}
	return s
}

// rulingAt is the ruling after so many plies of a game that events tell of,
// which is nil where they do not tell it: those of a record have none.
func rulingAt(events []Event, plies int) (*Ruling, error) {
	var state State
	var stack []*Ruling // of the plies from the first of the game on
	for _, e := range events {
		state = Evolve(state, e)
		switch e.Kind {
		case KindCreated:
			stack = []*Ruling{&e.Created.Ruling}
		case KindMoved:
			stack = append(stack, e.Ruling)
		case KindTakenBack:
			stack = stack[:len(stack)-int(e.Back)]
		}
	}
	i := plies - int(state.Loaded)
	if i < 0 || i >= len(stack) {
		return nil, fmt.Errorf("no ruling after %d plies", plies)
	}
	return stack[i], nil
}
