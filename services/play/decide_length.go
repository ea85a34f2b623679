package play

// maxPlies bounds games by their rules, so that none grows for ever. Chess ends
// long before by its own count of moves without progress; the draws of draughts
// are only claimed, so two players may go on for ever.
var maxPlies = map[string]int32{"chess": 2000, "draughts": 1000}

// ended is how the game has ended with its last move: by the rules, by a claim
// that nobody is there to make, or by its length. nil while it goes on.
//
// Between engines a claim is made as soon as it stands. In the longest games one
// that stands is made too, and where none does the game is drawn.
func (s State) ended() *Outcome {
	if s.Ruling.Outcome != nil {
		return s.Ruling.Outcome
	}
	limit := s.MaxPlies
	if most := maxPlies[s.Rules]; limit == 0 || most > 0 && most < limit {
		limit = most
	}
	long := limit > 0 && int32(len(s.Plies)) >= limit
	switch {
	case len(s.Ruling.Claims) > 0 && (s.Engines() || long):
		return &Outcome{Reason: s.Ruling.Claims[0]}
	case long:
		return &Outcome{Reason: "length"}
	}
	return nil
}
