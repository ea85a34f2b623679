package tournaments

import (
	"context"
	"errors"
	"fmt"
)

// deletedName stands in the place of a deleted player's name.
const deletedName = "deleted"

// forgetPage is how many tournaments are read at once.
const forgetPage = 100

// Forget says that an account was deleted. A tournament of theirs that is not over
// is cancelled, for nobody is left who decides in it; as a player they leave. The
// account's id stays, which says nothing of anybody any more.
type Forget struct {
	Account string
	// Counts is of the board that they leave, as of any ruling.
	Counts bool
}

func (Forget) command() {}

func decideForget(s State, c Forget, at int64) ([]Event, error) {
	var events []Event
	after := s
	add := func(more ...Event) {
		events = append(events, more...)
		after = Fold(after, more)
	}
	if s.Organiser == c.Account && !s.over() {
		add(Event{Kind: KindCancelled, At: at})
	}
	if i := after.Find(c.Account); i >= 0 && !after.over() && after.Players[i].Status != PlayerWithdrawn {
		left, err := decideLeave(after, Leave{Player: i, Counts: c.Counts}, at)
		if err != nil {
			return nil, err
		}
		add(left...)
	}
	if s.Organiser == c.Account && s.OrganiserName != "" && s.OrganiserName != deletedName {
		add(Event{Kind: KindOrganiserDeleted, At: at})
	}
	if i := after.Find(c.Account); i >= 0 && after.Players[i].Name != deletedName {
		add(Event{Kind: KindPlayerDeleted, At: at, Number: i})
	}
	if len(events) == 0 {
		return nil, refuse("no_change", "the tournament has nothing of the account")
	}
	return events, nil
}

// scrubbed is an event without the name of an account that was deleted since, as
// the log keeps it.
func (e Event) scrubbed(account string) Event {
	if e.Player != nil && e.Player.Account == account {
		p := *e.Player
		p.Name = deletedName
		e.Player = &p
	}
	if e.Setup != nil && e.Setup.Organiser == account && e.Setup.OrganiserName != "" {
		setup := *e.Setup
		setup.OrganiserName = deletedName
		e.Setup = &setup
	}
	return e
}

// names tells whether an event of a log has the name of an account.
func (e Event) names(account string) bool {
	return e.Player != nil && e.Player.Account == account || e.Setup != nil && e.Setup.Organiser == account
}

// Forget takes a deleted account out of all tournaments: out of their states by
// events like any other, so that nobody who decides on an older state brings the
// name back, then out of their pasts. It may be done again.
func (s *Service) Forget(ctx context.Context, account string) error {
	for after := ""; ; {
		ids, err := s.deps.Store.Naming(ctx, account, after, forgetPage)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.forgetIn(ctx, id, account); err != nil {
				return fmt.Errorf("tournament %s: %w", id, err)
			}
			after = id
		}
		if len(ids) < forgetPage {
			return nil
		}
	}
}

func (s *Service) forgetIn(ctx context.Context, id, account string) error {
	err := ErrStale
	for try := 0; try < maxRaces && errors.Is(err, ErrStale); try++ {
		var state State
		if state, err = s.deps.Store.Load(ctx, id); err != nil {
			break
		}
		var counts bool
		if _, b := state.playing(state.Find(account)); b != nil {
			if counts, err = s.moved(ctx, b); err != nil {
				break
			}
		}
		err = s.commit(ctx, &state, Forget{Account: account, Counts: counts})
	}
	if err != nil {
		return err
	}
	return s.deps.Store.Scrub(ctx, id, account)
}
