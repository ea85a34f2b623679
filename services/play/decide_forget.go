package play

// Forget says that an account was deleted: the person leaves the game, and their
// name with them.
type Forget struct{ Account string }

func (Forget) command() {}

// deletedName stands in the place of a deleted player's name.
const deletedName = "deleted"

// decideForget ends what the person has to do with the game: an open game is
// withdrawn or declined, one that was saved is aborted, one that runs is aborted or
// lost. Their name goes in any
// case; the account's id stays, which says nothing of anybody any more.
func decideForget(s State, c Forget, at int64) ([]Event, error) {
	var events []Event
	var err error
	switch {
	case s.Status == StatusOpen && s.Invited() == c.Account:
		events, err = decideDecline(s, Decline{Account: c.Account}, at)
	case s.Status == StatusOpen && s.Involves(c.Account):
		events, err = decideCancel(s, Cancel{Player: c.Account}, at)
	case s.Status == StatusSuspended && s.Involves(c.Account):
		events = s.cancel(Closed{Why: WhyAborted}, at)
	case s.Status == StatusRunning && s.Involves(c.Account):
		if events, err = decideAbort(s, Abort{Player: c.Account}, at); err != nil && len(events) == 0 {
			events, err = decideResign(s, Resign{Player: c.Account}, at)
		}
	case annulsForgotten() && s.Status == StatusFinished && s.Rated && s.Involves(c.Account):
		events, err = decideAdjudicate(s, Adjudicate{By: c.Account, Result: annul}, at)
	}
	// A refusal with events is a flag that has fallen: the game is over as well.
	if err != nil && len(events) == 0 {
		return nil, err
	}
	if s.names(c.Account) {
		events = append(events, Event{Kind: KindPlayerDeleted, At: at, Account: c.Account})
	}
	if len(events) == 0 {
		return nil, refuse("no_change", "the game has nothing of the account")
	}
	return events, nil
}

// names tells whether a seat still has the name of an account, or a ruling words
// about it.
func (s State) names(account string) bool {
	for _, seat := range s.Seats {
		if seat.Account == account && (seat.Name != deletedName || s.Ruled != nil && s.Ruled.Note != "") {
			return true
		}
	}
	return false
}

func playerDeleted(s State, e Event) State {
	s.Seats = nameless(s.Seats, e.Account)
	s.Ruled = wordless(s.Ruled)
	return s
}

// nameless are seats without the name of an account.
func nameless(seats [2]Seat, account string) [2]Seat {
	for i := range seats {
		if seats[i].Account == account {
			seats[i].Name = deletedName
		}
	}
	return seats
}

// wordless is a ruling without its note, which may tell of the person.
func wordless(r *Ruled) *Ruled {
	if r == nil || r.Note == "" {
		return r
	}
	bare := *r
	bare.Note = ""
	return &bare
}

// scrubbed is an event without the name of an account that was deleted since, as
// the log keeps it.
func (e Event) scrubbed(account string) Event {
	if e.Created != nil {
		setup := *e.Created
		setup.Seats = nameless(setup.Seats, account)
		e.Created = &setup
	}
	if e.Seats != nil {
		seats := nameless(*e.Seats, account)
		e.Seats = &seats
	}
	e.Ruled = wordless(e.Ruled)
	return e
}
