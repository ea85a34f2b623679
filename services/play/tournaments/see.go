package tournaments

import (
	"context"
	"errors"
	"slices"

	"tabuleiro/internal/identity"
)

// Circle is whom an account teaches, and by whom it is taught.
type Circle struct{ Teachers, Pupils map[string]bool }

// sheltered tells that somebody is in a tournament, or organises it, who meets no
// strangers.
func (s *State) sheltered() bool {
	return s.Sheltered || slices.ContainsFunc(s.Players, func(p Player) bool { return p.Sheltered && p.Status != PlayerWithdrawn })
}

// acquainted are what organisers are to those whom they do not have to invite.
var acquainted = []string{"self", "teacher", "guardian", "same_class"}

// open loads a tournament that an account may take part in or organises; any
// other is not found. An open one in which somebody is who meets no strangers is
// open to the organiser's acquaintances.
func (s *Service) open(ctx context.Context, account, id string) (State, error) {
	state, err := s.deps.Store.Load(ctx, id)
	if err != nil {
		return State{}, err
	}
	switch {
	case state.Organiser == account, state.Find(account) >= 0, state.Entry == EntryOpen && !state.sheltered():
		return state, nil
	case state.Entry == EntryInvited:
		return State{}, ErrNotFound
	}
	persons, err := s.persons(ctx, state, []string{account}, "")
	switch {
	case err != nil:
		return State{}, err
	case len(persons) == 1 && persons[0].Relation == "teacher",
		len(persons) == 1 && state.Entry == EntryOpen && slices.Contains(acquainted, persons[0].Relation):
		return state, nil
	}
	return State{}, ErrNotFound
}

// seen loads a tournament that the caller may see: one that they may take part in
// or oversee.
func (s *Service) seen(ctx context.Context, caller identity.Caller, id string) (State, error) {
	state, err := s.open(ctx, caller.Account, id)
	if !errors.Is(err, ErrNotFound) {
		return state, err
	}
	if state, err = s.deps.Store.Load(ctx, id); err != nil {
		return State{}, err
	}
	may, err := s.oversees(ctx, caller, state)
	if err == nil && !may {
		err = ErrNotFound
	}
	if err != nil {
		return State{}, err
	}
	return state, nil
}

// oversees tells whether the caller teaches somebody in a tournament, or is an
// operator. An access token needs a scope of its own for that.
func (s *Service) oversees(ctx context.Context, caller identity.Caller, state State) (bool, error) {
	switch {
	case caller.Account == "" || !caller.Allows(identity.ScopeClassRead):
		return false, nil
	case slices.Contains(caller.Roles, "operator"):
		return true, nil
	case !slices.Contains(caller.Roles, "teacher"):
		return false, nil
	}
	circle, err := s.deps.People.Circle(ctx, caller.Account)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(state.Players, func(p Player) bool { return circle.Pupils[p.Account] }), nil
}

// Organises tells whether an account organises a tournament.
func (s *Service) Organises(ctx context.Context, account, id string) (bool, error) {
	state, err := s.deps.Store.Load(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil && account != "" && state.Organiser == account, problemOf(err)
}

// Attends tells whether the caller may see all games of a tournament: as its
// organiser, as one who plays or has played in it, or as one who oversees it. An
// error is what callers of games are told.
func (s *Service) Attends(ctx context.Context, caller identity.Caller, id string) (bool, error) {
	state, err := s.deps.Store.Load(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil || caller.Account == "" {
		return false, problemOf(err)
	}
	if i := state.Find(caller.Account); state.Organiser == caller.Account || i >= 0 && state.Players[i].Status != PlayerInvited {
		return true, nil
	}
	return s.oversees(ctx, caller, state)
}
