package play

// How the engine behaves beyond its moves, from the state and the score of its
// search alone. Weak levels play on to mate, so that learners practise to win;
// strong ones resign where people of their strength do. All offer draws sparingly.

// manner is what the engine wants beside its move.
type manner int

const (
	mannerMove manner = iota
	// mannerResign and mannerAccept end the game instead of the move.
	mannerResign
	mannerAccept
	// mannerOffer offers a draw with the move.
	mannerOffer
)

const (
	// steady is how many own moves in a row a score must stay.
	steady = 3
	// lateTurn is the turn from which on draws are spoken of.
	lateTurn = 40
	// offerTurn is the turn from which on the engine offers, offerAgain the turns
	// between two offers, and level the score that is one.
	offerTurn, offerAgain, level = 60, 40, 20
)

// resignBelow is the score at which a level gives up, in centipawns; 0 for never.
var resignBelow = map[string]int32{"plies-6": -1200, "full": -800}

// acceptBelow is the score up to which a level takes a draw: the weaker it is, the
// gladder.
var acceptBelow = map[string]int32{"plies-2": 100, "plies-4": 60, "plies-6": 20, "full": 0}

// manners decides for the engine to move, whose search came to a score for its own
// side.
func manners(s State, score int32) manner {
	seat, ok := s.engineTurn()
	other := s.Seats[1-s.ToMove()]
	if !ok || other.Kind != SeatPerson || s.Rules == guestRules {
		return mannerMove
	}
	scores := append(append([]int32{}, s.Scores...), score)
	if bound := resignBelow[seat.Level]; bound != 0 && lasts(scores, func(v int32) bool { return v <= bound }) {
		return mannerResign
	}
	if s.Turn < lateTurn {
		return mannerMove
	}
	if s.Offer == other.Side && score <= acceptBelow[seat.Level] {
		return mannerAccept
	}
	quiet := lasts(scores, func(v int32) bool { return v >= -level && v <= level })
	if s.Turn >= offerTurn && quiet && s.Offer == "" && (s.EngineOffer == 0 || s.Turn >= s.EngineOffer+offerAgain) {
		return mannerOffer
	}
	return mannerMove
}

// lasts tells whether the last scores are all so.
func lasts(scores []int32, is func(int32) bool) bool {
	if len(scores) < steady {
		return false
	}
	for _, v := range scores[len(scores)-steady:] {
		if !is(v) {
			return false
		}
	}
	return true
}

// decideManners is what the engine does with a move that it has found.
func (s State) decideManners(c EnginePlay, ruling *Ruling, at int64) []Event {
	own := s.Seats[s.ToMove()].Side
	what := mannerMove
	if c.Score != nil {
		what = manners(s, *c.Score)
	}
	switch what {
	case mannerResign:
		return s.finish(own, Outcome{Winner: s.Seats[1-s.ToMove()].Side, Reason: "resignation"}, at)
	case mannerAccept:
		return s.finish(own, Outcome{Reason: "agreement"}, at)
	}
	events := s.play(c.Move, ruling, nil, at)
	events[0].Score = c.Score
	if after := Fold(s, events); what == mannerOffer && after.Status == StatusRunning {
		events = append(events, Event{Kind: KindDrawOffered, At: at, Side: own})
	}
	return events
}

// scored remembers the last scores of the engine, and when it offered a draw.
func (s State) scored(e Event) State {
	switch {
	case e.Kind == KindMoved && e.Score != nil:
		scores := append(append([]int32{}, s.Scores...), *e.Score)
		s.Scores = scores[max(0, len(scores)-steady+1):]
	case e.Kind == KindDrawOffered && s.Seats[s.side(e.Side)].Kind == SeatEngine:
		s.EngineOffer = s.Turn
	}
	return s
}
