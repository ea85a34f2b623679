package play

import (
	"cmp"
	"context"
	"slices"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
)

// sheltered tells who meets no strangers: who is protected, unless somebody who may
// has allowed more.
func (p Profile) sheltered() bool { return p.Protected && !p.Public }

// acquainted tells whether one of two persons teaches or guards the other, or both
// are in one class.
func (s *Service) acquainted(ctx context.Context, a, b Profile) (bool, error) {
	if s.deps.Relate == nil || a.Account == "" || b.Account == "" {
		return false, nil
	}
	for _, pair := range [][2]string{{a.Account, b.Account}, {b.Account, a.Account}} {
		relations, err := s.deps.Relate(ctx, pair[0], pair[1:])
		if err != nil {
			return false, err
		}
		if slices.Contains(acquainted, relations[pair[1]]) {
			return true, nil
		}
	}
	return false, nil
}

// mayMeet refuses a game of somebody sheltered with a stranger. To the stranger
// there is no such game.
func (s *Service) mayMeet(ctx context.Context, own, other Profile) error {
	if !own.sheltered() && !other.sheltered() {
		return nil
	}
	may, err := s.acquainted(ctx, own, other)
	switch {
	case err != nil || may:
		return err
	case other.sheltered():
		return ErrNotFound
	}
	return meetsStrangers()
}

func meetsStrangers() error {
	return rpc.Fail("minor_private", "a protected player plays with classmates, teachers and guardians")
}

const (
	// seatPages bounds how many pages are read to fill one.
	seatPages = 10
	// maxRelated is how many accounts are asked about in one call.
	maxRelated = 64
	// maxMakers is how many makers of seats are asked for one list what they are to
	// the caller; the seats of others are left out.
	maxMakers = 64
)

// openSeats lists open seats that the caller may take: without those whose maker is
// away while a clock would run, those that are sheltered from them and, for who meets
// no strangers, those of strangers.
func (s *Service) openSeats(ctx context.Context, caller identity.Caller, q ListQuery) ([]State, error) {
	var seats []State
	known := acquaintances{service: s, caller: caller, sheltered: s.meetsNoStrangers(ctx, caller, q.Rules), known: map[string]bool{}}
	for range seatPages {
		page, err := s.deps.Store.List(ctx, q)
		if err != nil {
			return nil, err
		}
		known.meet(ctx, page)
		for _, state := range page {
			if free := state.OpenSeat(); free >= 0 && state.SeatOf(caller.Player()) < 0 && s.mustBeHere(state, 1-free) != nil {
				continue // nobody can take it now
			}
			if !known.matters(state) || slices.ContainsFunc(state.accounts(), func(a string) bool { return known.known[a] }) {
				seats = append(seats, state)
			}
		}
		if len(page) < q.Limit || len(seats) >= q.Limit {
			break
		}
		q.Before = page[len(page)-1].ID
	}
	return seats[:min(len(seats), q.Limit)], nil
}

// meetsNoStrangers tells whether the caller is sheltered. While it cannot be said
// they are not: a seat that they may not take is refused all the same.
func (s *Service) meetsNoStrangers(ctx context.Context, caller identity.Caller, rules string) bool {
	if caller.Account == "" {
		return false
	}
	profiles, err := s.profiles(ctx, cmp.Or(rules, guestRules), "", []Seat{{Account: caller.Account}}, "")
	if err != nil {
		s.deps.Log.Warn("seats of strangers may be listed to who may not take them", "err", err)
		return false
	}
	return profiles[0].sheltered()
}

// acquaintances are the makers of open seats whom the caller knows. While it cannot
// be said, nobody is.
type acquaintances struct {
	service *Service
	caller  identity.Caller
	// sheltered says that the caller meets no strangers.
	sheltered bool
	// known has those who were asked about; asked counts the makers who were.
	known map[string]bool
	asked int
}

// matters tells whether only an acquaintance of its maker may take a seat.
func (a *acquaintances) matters(state State) bool {
	return (state.Sheltered || a.sheltered) && !state.Involves(a.caller.Player())
}

// meet asks about the makers of a page of seats.
func (a *acquaintances) meet(ctx context.Context, page []State) {
	var makers []string
	for _, state := range page {
		if a.matters(state) {
			makers = append(makers, state.accounts()...)
		}
	}
	slices.Sort(makers)
	makers = slices.DeleteFunc(slices.Compact(makers), func(m string) bool { _, asked := a.known[m]; return asked })
	if a.caller.Account == "" || a.service.deps.Relate == nil {
		return
	}
	for some := range slices.Chunk(makers, maxRelated) {
		relations, err := a.service.deps.Relate(ctx, a.caller.Account, some)
		if err != nil {
			a.service.deps.Log.Warn("sheltered seats are left out", "err", err)
			return
		}
		for _, account := range some {
			a.known[account] = slices.Contains(acquainted, relations[account]) || a.sheltered && a.knows(ctx, account)
		}
	}
}

// knows tells whether a maker teaches or guards the caller.
func (a *acquaintances) knows(ctx context.Context, maker string) bool {
	if a.asked++; a.asked > maxMakers {
		return false
	}
	relations, err := a.service.deps.Relate(ctx, maker, []string{a.caller.Account})
	if err != nil {
		a.service.deps.Log.Warn("seats of teachers are left out", "err", err)
	}
	return err == nil && slices.Contains(acquainted, relations[a.caller.Account])
}
