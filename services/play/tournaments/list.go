package tournaments

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

const (
	defaultPage = 20
	// joinPage is how many tournaments are looked at at once for those that one may
	// join, joinPages how often for one answer.
	joinPage  = 50
	joinPages = 20
)

// ListTournaments implements playv1.TournamentsServiceServer.
func (s *Service) ListTournaments(ctx context.Context, in *playv1.ListTournamentsRequest) (*playv1.ListTournamentsResponse, error) {
	caller, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	if strings.ContainsFunc(in.GetBefore(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, badField("before", "must be the id of a tournament")
	}
	limit := int(cmp.Or(in.GetLimit(), defaultPage))
	var states []State
	switch in.GetList() {
	case "joinable":
		states, err = s.joinable(ctx, caller.Account, in.GetBefore(), limit)
	case "pupils":
		states, err = s.ofPupils(ctx, caller, in.GetBefore(), limit)
	default:
		states, err = s.deps.Store.Of(ctx, caller.Account, in.GetList() == "organising", in.GetBefore(), limit)
	}
	if err != nil {
		return nil, problemOf(err)
	}
	out := &playv1.ListTournamentsResponse{}
	for _, state := range states {
		out.Tournaments = append(out.Tournaments, wire(state, caller.Account, false))
	}
	return out, nil
}

// ofPupils are the tournaments of others in which pupils of the caller play.
func (s *Service) ofPupils(ctx context.Context, caller identity.Caller, before string, limit int) ([]State, error) {
	if !caller.Allows(identity.ScopeClassRead) {
		return nil, rpc.Fail("scope_missing", "the access token lacks the scope "+identity.ScopeClassRead)
	}
	if !slices.Contains(caller.Roles, "teacher") {
		return nil, nil
	}
	circle, err := s.deps.People.Circle(ctx, caller.Account)
	if err != nil || len(circle.Pupils) == 0 {
		return nil, err
	}
	var pupils []string
	for pupil := range circle.Pupils {
		pupils = append(pupils, pupil)
	}
	slices.Sort(pupils)
	return s.deps.Store.With(ctx, pupils, caller.Account, before, limit)
}

// joinable are the tournaments that an account may join by itself.
func (s *Service) joinable(ctx context.Context, account, before string, limit int) ([]State, error) {
	circle, err := s.deps.People.Circle(ctx, account)
	if err != nil {
		return nil, err
	}
	var found []State
	for range joinPages {
		page, err := s.deps.Store.Joinable(ctx, before, joinPage)
		if err != nil {
			return nil, err
		}
		known, err := s.organisers(ctx, account, page)
		if err != nil {
			return nil, err
		}
		for _, state := range page {
			if state.mayJoin(account, circle, known) {
				found = append(found, state)
			}
			if before = state.ID; len(found) == limit {
				return found, nil
			}
		}
		if len(page) < joinPage {
			break
		}
	}
	return found, nil
}

// acquaintance is what the organisers of a page are to an account.
type acquaintance struct {
	// protected says that the account meets no strangers.
	protected bool
	// classmates are organisers who are in a class with it.
	classmates map[string]bool
}

func (s *Service) organisers(ctx context.Context, account string, page []State) (acquaintance, error) {
	subjects := []string{account}
	for _, state := range page {
		if !slices.Contains(subjects, state.Organiser) {
			subjects = append(subjects, state.Organiser)
		}
	}
	known := acquaintance{classmates: map[string]bool{}}
	persons, err := s.deps.People.Relations(ctx, account, subjects)
	for _, p := range persons {
		known.protected = known.protected || p.Account == account && p.Protected
		known.classmates[p.Account] = p.Relation == "same_class"
	}
	return known, err
}

// mayJoin tells whether a tournament is one that an account may join by itself.
func (s *State) mayJoin(account string, circle Circle, known acquaintance) bool {
	acquainted := circle.Teachers[s.Organiser] || known.classmates[s.Organiser]
	switch {
	case !s.takes(), s.Organiser == account, s.Find(account) >= 0, len(s.Players) >= s.limit():
		return false
	case s.Entry == EntryClass:
		return circle.Teachers[s.Organiser]
	}
	return s.Entry == EntryOpen && (acquainted || !known.protected && !s.sheltered())
}
