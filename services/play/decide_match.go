package play

// ChangeMatch corrects the score that a game of a match began with: the half
// points of the players of its seats.
type ChangeMatch struct{ Points [2]int32 }

// PassMatch says that the next game has the score as it is.
type PassMatch struct{}

func (ChangeMatch) command() {}
func (PassMatch) command()   {}

func decideChangeMatch(s State, c ChangeMatch, at int64) ([]Event, error) {
	if s.Match == nil || s.Match.Points == c.Points {
		return nil, refuse("no_change", "the match has this score")
	}
	return []Event{{Kind: KindMatchChanged, At: at, Points: &c.Points}}, nil
}

func decidePassMatch(s State, at int64) ([]Event, error) {
	if s.Rescored == 0 {
		return nil, refuse("not_due", "the next game has the score as it is")
	}
	return []Event{{Kind: KindMatchPassed, At: at}}, nil
}

func matchChanged(s State, e Event) State {
	m := *s.Match
	m.Points = *e.Points
	s.Match = &m
	return s.rescored()
}

// rescored notes that the score after this game has changed: the next game began
// with another, and so did all that came after it.
func (s State) rescored() State {
	if s.Next != "" && !keepsScore() {
		s.Rescored = s.Version
	}
	return s
}
