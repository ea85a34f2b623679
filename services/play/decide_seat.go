package play

// guestRules is the only game that visitors without an account may play.
const guestRules = "tictactoe"

func decideCreate(s State, c Create, ruling *Ruling, at int64) ([]Event, error) {
	if s.Version != 0 {
		return nil, refuse("game_started", "the game exists")
	}
	if ruling == nil {
		return nil, ErrNeedsRuling
	}
	for _, seat := range c.Seats {
		if seat.Kind == SeatPerson && seat.Account == "" && (c.Rated || c.Rules != guestRules) {
			return nil, needsAccount()
		}
	}
	if ruling.Outcome != nil {
		return nil, refuse("bad_position", "the game would be over before it begins")
	}
	if c.Opponent == OpponentEngines && !isAccount(c.Maker) {
		return nil, needsAccount()
	}
	if err := mayBeRated(c); err != nil {
		return nil, err
	}
	if c.Start != "" && len(c.Plies) == 0 {
		c.Start = ruling.Position.Text // as it is written strictly
	}
	return []Event{{Kind: KindCreated, At: at, Side: c.Side, Created: &Setup{
		ID:         c.ID,
		Rules:      c.Rules,
		Visibility: c.Visibility,
		Rated:      c.Rated,
		Seats:      c.Seats,
		Clock:      c.Clock,
		Ruling:     *ruling,
		Opponent:   c.Opponent,
		Maker:      c.Maker,
		Options:    c.Options,
		Start:      c.Start,
		Plies:      c.Plies,
		MaxPlies:   c.MaxPlies,
		Values:     c.Values,
		Match:      c.Match,

		MoveSeconds: c.MoveSeconds,
		Sheltered:   c.Sheltered,
		Tournament:  c.Tournament,
	}}}, nil
}

func decideAccept(s State, c Accept, at int64) ([]Event, error) {
	if s.SeatOf(c.Player) >= 0 {
		return nil, refuse("own_game", "the caller already has a seat in this game")
	}
	free := s.OpenSeat()
	if s.Status != StatusOpen || free < 0 {
		return nil, refuse("seat_taken", "no seat of this game is open")
	}
	if c.Account == "" && (s.Rated || s.Rules != guestRules) {
		return nil, needsAccount()
	}
	if seat := s.Seats[free]; seat.Kind == SeatInvited && seat.Account != c.Account {
		return nil, refuse("not_your_seat", "the seat is kept for somebody else")
	}
	seats := s.Seats
	seats[free] = Seat{Side: seats[free].Side, Kind: SeatPerson, Player: c.Player, Account: c.Account}
	for i, profile := range c.Profiles {
		if profile.Name != "" && seats[i].Kind == SeatPerson {
			seats[i].Name, seats[i].Rating, seats[i].Provisional = profile.Name, profile.Rating, profile.Provisional
		}
	}
	return []Event{{Kind: KindAccepted, At: at, Side: seats[free].Side, Seats: &seats}}, nil
}

func decideCancel(s State, c Cancel, at int64) ([]Event, error) {
	seat := s.SeatOf(c.Player)
	switch {
	case seat < 0:
		return nil, refuse("not_your_seat", "the caller plays no side of this game")
	case s.Status == StatusCancelled:
		return nil, refuse("game_over", "the game was withdrawn before")
	case s.Status != StatusOpen:
		return nil, refuse("game_started", "a game that has begun cannot be withdrawn")
	}
	side := s.Seats[seat].Side
	return []Event{{Kind: KindCancelled, At: at, Side: side, Closed: &Closed{Why: WhyWithdrawn, Side: side}}}, nil
}

func needsAccount() error {
	return refuse("account_required", "visitors play unrated tic-tac-toe; everything else needs an account")
}
