package play

// decideOffer: an offer stands until it is answered or the opponent moves; the
// engine never answers, its next move is its no. Nobody offers twice between
// two moves of their own, so that offers cannot pester.
func decideOffer(s State, c OfferDraw, at int64) ([]Event, error) {
	seat, events, err := s.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	if err := s.answers(c.Turn); err != nil {
		return nil, err
	}
	own := s.Seats[seat].Side
	switch {
	case s.Self(): // both are at the screen
		return s.finish(own, Outcome{Reason: "agreement"}, at), nil
	case s.Offer == s.Seats[1-seat].Side:
		return s.finish(own, Outcome{Reason: "agreement"}, at), nil
	case s.Offer == own:
		return nil, refuse("offer_standing", "the offer still stands")
	case s.Offered[seat]:
		return nil, refuse("offer_standing", "the next offer may come after the next own move")
	}
	return []Event{{Kind: KindDrawOffered, At: at, Side: own}}, nil
}

func decideAnswer(s State, c AnswerDraw, at int64) ([]Event, error) {
	seat, events, err := s.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	if err := s.answers(c.Turn); err != nil {
		return nil, err
	}
	own := s.Seats[seat].Side
	if s.Offer != s.Seats[1-seat].Side {
		return nil, refuse("no_offer", "the opponent has offered nothing")
	}
	if !c.Accept {
		return []Event{{Kind: KindDrawDeclined, At: at, Side: own}}, nil
	}
	return s.finish(own, Outcome{Reason: "agreement"}, at), nil
}

func decideClaim(s State, c ClaimDraw, at int64) ([]Event, error) {
	seat, events, err := s.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	if err := s.answers(c.Turn); err != nil {
		return nil, err
	}
	if seat != s.ToMove() {
		return nil, refuse("not_your_turn", "only the side to move may claim")
	}
	if len(s.Ruling.Claims) == 0 {
		return nil, refuse("no_claim", "the position allows no claim")
	}
	return s.finish(s.Seats[seat].Side, Outcome{Reason: s.Ruling.Claims[0]}, at), nil
}
