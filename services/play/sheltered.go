package play

import (
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
)

// openSeats lists open seats without those that are sheltered from the caller.
func (s *Service) openSeats(ctx context.Context, caller identity.Caller, q ListQuery) ([]State, error) {
	var seats []State
	for range seatPages {
		page, err := s.deps.Store.List(ctx, q)
		if err != nil {
			return nil, err
		}
		known := s.acquaintances(ctx, caller, page)
		for _, state := range page {
			if !state.Sheltered || state.Involves(caller.Player()) || slices.ContainsFunc(state.accounts(), func(a string) bool { return known[a] }) {
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

// acquaintances are the makers of sheltered seats whom the caller knows. While it
// cannot be said, nobody is.
func (s *Service) acquaintances(ctx context.Context, caller identity.Caller, page []State) map[string]bool {
	known := map[string]bool{}
	var makers []string
	for _, state := range page {
		if state.Sheltered && !state.Involves(caller.Player()) {
			makers = append(makers, state.accounts()...)
		}
	}
	if caller.Account == "" || s.deps.Relate == nil {
		return known
	}
	slices.Sort(makers)
	for some := range slices.Chunk(slices.Compact(makers), maxRelated) {
		relations, err := s.deps.Relate(ctx, caller.Account, some)
		if err != nil {
			s.deps.Log.Warn("sheltered seats are left out", "err", err)
			return known
		}
		for account, relation := range relations {
			known[account] = known[account] || slices.Contains(acquainted, relation)
		}
	}
	return known
}
