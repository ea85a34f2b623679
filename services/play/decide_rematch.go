package play

// OfferRematch offers another game, or accepts the opponent's offer where one
// stands. Next is the id that the game will have.
type OfferRematch struct {
	Player string
	Next   string
}

// AnswerRematch answers the opponent's offer, or withdraws the own one.
type AnswerRematch struct {
	Player string
	Accept bool
	Next   string
}

func (OfferRematch) command()  {}
func (AnswerRematch) command() {}

func decideRematch(s State, c OfferRematch, at int64) ([]Event, error) {
	if err := s.mayFollow(c.Player); err != nil {
		return nil, err
	}
	if s.alone() {
		return s.rematched("", c.Next, at), nil
	}
	own := s.Seats[s.SeatOf(c.Player)].Side
	switch s.Rematch {
	case "":
		return []Event{{Kind: KindRematchOffered, At: at, Side: own}}, nil
	case own:
		return nil, refuse("rematch_standing", "the offer still stands")
	}
	return s.rematched(own, c.Next, at), nil
}

func decideRematchAnswer(s State, c AnswerRematch, at int64) ([]Event, error) {
	if err := s.mayFollow(c.Player); err != nil {
		return nil, err
	}
	if s.Rematch == "" {
		return nil, refuse("no_offer", "nobody offers another game")
	}
	own := s.Seats[s.SeatOf(c.Player)].Side
	switch {
	case !c.Accept:
		return []Event{{Kind: KindRematchDeclined, At: at, Side: own}}, nil
	case s.Rematch == own:
		return nil, refuse("no_offer", "the opponent offers no other game")
	}
	return s.rematched(own, c.Next, at), nil
}

// mayFollow refuses another game where there is nothing to repeat.
func (s State) mayFollow(player string) error {
	switch {
	case !s.Involves(player):
		return refuse("not_your_seat", "the caller plays no side of this game")
	case s.Status == StatusCancelled:
		return refuse("no_rematch", "the game was withdrawn or annulled")
	case s.Status != StatusFinished:
		return refuse("game_not_over", "the game goes on")
	case s.Next != "" && !followAgain():
		return refuse("no_rematch", "the next game has been made")
	}
	return nil
}

// alone tells that nobody else has to agree to another game.
func (s State) alone() bool {
	persons := 0
	for _, seat := range s.Seats {
		if seat.Kind == SeatPerson {
			persons++
		}
	}
	return persons < 2 || s.Self()
}

func (s State) rematched(side, next string, at int64) []Event {
	return []Event{{Kind: KindRematched, At: at, Side: side, Next: next}}
}

// nextMatch is the match as the next game has it, whose seats are exchanged.
func (s State) nextMatch() *Match {
	m := Match{ID: s.ID, Number: 1}
	if s.Match != nil {
		m = *s.Match
	}
	points := s.points()
	return &Match{ID: m.ID, Number: m.Number + 1, Points: [2]int32{points[1], points[0]}}
}

// points are the half points of the players of the seats, this game included
// once it is finished.
func (s State) points() [2]int32 {
	var p [2]int32
	if s.Match != nil {
		p = s.Match.Points
	}
	switch s.Result() {
	case "1-0":
		p[0] += 2
	case "0-1":
		p[1] += 2
	case "1/2-1/2":
		p[0]++
		p[1]++
	}
	return p
}

// follow is the command that makes the game after s, as its first event says it
// was made, with the seats exchanged and what the game shows of their players
// now.
func (s State) follow(setup Setup, profiles [2]Profile, maker string, seed int32) Create {
	c := Create{
		ID: s.Next, Rules: setup.Rules, Visibility: setup.Visibility, Rated: setup.Rated, Clock: setup.Clock,
		Position: setup.Ruling.Position, Plies: setup.Plies, Start: setup.Start,
		Opponent: setup.Opponent, Maker: maker, Options: setup.Options, MaxPlies: setup.MaxPlies, Values: setup.Values,
		MoveSeconds: setup.MoveSeconds,
		Match:       s.nextMatch(),
	}
	for i := range c.Seats {
		seat := s.Seats[1-i]
		seat.Side, seat.After = s.Seats[i].Side, 0
		if p := profiles[1-i]; p.Name != "" || seat.Kind == SeatEngine {
			seat.Rating, seat.Provisional = p.Rating, p.Provisional
			if seat.Kind == SeatPerson {
				seat.Name = p.Name
			}
			if s.Self() {
				seat.Rating, seat.Provisional = 0, false
			}
		}
		if seat.Kind == SeatEngine {
			seat.Seed = seed + int32(i)
		}
		if seat.Player == maker && c.Side == "" {
			c.Side = seat.Side
		}
		c.Seats[i] = seat
	}
	return c
}
