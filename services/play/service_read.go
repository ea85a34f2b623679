package play

import (
	"cmp"
	"context"
	"strings"

	"tabuleiro/internal/identity"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

const (
	visibilityPrivate = "private"
	visibilityPublic  = "public"
)

const (
	defaultList   = 20
	defaultEvents = 100
	// eventPage is how many events are read from the store at once.
	eventPage = 200
)

// GetGame implements playv1.PlayServiceServer.
func (s *Service) GetGame(ctx context.Context, in *playv1.GetGameRequest) (*playv1.GetGameResponse, error) {
	caller, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	state, err := s.visible(ctx, in.GetGame(), caller)
	if err != nil {
		return nil, problemOf(err)
	}
	return &playv1.GetGameResponse{Game: state.whole(caller.Player())}, nil
}

// ListGames implements playv1.PlayServiceServer.
func (s *Service) ListGames(ctx context.Context, in *playv1.ListGamesRequest) (*playv1.ListGamesResponse, error) {
	caller, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	// PostgreSQL fails on a text with a zero byte.
	if strings.ContainsFunc(in.GetBefore(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, badField("before", "must be the id of a game")
	}
	q := ListQuery{
		Rules: in.GetRules(), Before: in.GetBefore(), Limit: int(cmp.Or(in.GetLimit(), defaultList)),
		Speed: in.GetSpeed(), Rated: in.GetRated(),
	}
	switch in.GetList() {
	case "open":
		q.Guest = caller.Guest
	case "live":
		q.Live = true
	case "invited":
		if caller.Account == "" {
			return &playv1.ListGamesResponse{}, nil // nobody invites guests
		}
		q.Invited = caller.Account
	default:
		q.Status = in.GetStatus()
	}
	player, err := s.listed(ctx, caller, in.GetPlayer(), in.GetList())
	if err != nil {
		return nil, problemOf(err)
	}
	if in.GetList() == "" || in.GetList() == "mine" {
		q.Player = player
	}
	list := s.deps.Store.List
	if in.GetList() == "open" {
		list = func(ctx context.Context, q ListQuery) ([]State, error) { return s.openSeats(ctx, caller, q) }
	}
	states, err := list(ctx, q)
	if err != nil {
		return nil, problemOf(err)
	}
	out := &playv1.ListGamesResponse{}
	for _, state := range states {
		out.Games = append(out.Games, state.overview(caller.Player()))
	}
	return out, nil
}

// ListEvents implements playv1.PlayServiceServer.
func (s *Service) ListEvents(ctx context.Context, in *playv1.ListEventsRequest) (*playv1.ListEventsResponse, error) {
	caller, now, err := s.watched(ctx, in.GetGame())
	if err != nil {
		return nil, problemOf(err)
	}
	out := &playv1.ListEventsResponse{Version: now.Version}
	if in.GetAfter() >= now.Version {
		return out, nil
	}
	// The state before the first event that is asked for comes from the events
	// before it; games are short enough for that.
	state, err := s.stateAt(ctx, in.GetGame(), in.GetAfter())
	if err != nil {
		return nil, problemOf(err)
	}
	limit := min(cmp.Or(in.GetLimit(), defaultEvents), now.Version-in.GetAfter())
	events, err := s.deps.Store.Events(ctx, in.GetGame(), in.GetAfter(), limit)
	if err != nil {
		return nil, problemOf(err)
	}
	for _, e := range events {
		state = Evolve(state, e)
		out.Events = append(out.Events, e.wire(state, caller.Player()))
	}
	return out, nil
}

// watched loads a game whose events are asked for. The gateway asks on its own
// account for the many who watch a game, and has asked for each of them before.
func (s *Service) watched(ctx context.Context, game string) (identity.Caller, State, error) {
	if caller, ok := identity.From(ctx); ok && caller.Service == identity.Gateway {
		state, err := s.deps.Store.Load(ctx, game)
		return caller, state, err
	}
	caller, err := callerOf(ctx)
	if err != nil {
		return identity.Caller{}, State{}, err
	}
	state, err := s.visible(ctx, game, caller)
	return caller, state, err
}

// visible loads a game that the caller may see, as one of its people, as one who
// oversees them, or as one who attends its tournament; any other is not found.
func (s *Service) visible(ctx context.Context, game string, caller identity.Caller) (State, error) {
	state, err := s.deps.Store.Load(ctx, game)
	if err != nil {
		return State{}, err
	}
	if maySee(state, caller) || showForeign() {
		return state, nil
	}
	if state.Status == StatusOpen && state.Sheltered {
		if may, err := s.relatedAs(ctx, caller, acquainted, state.accounts()...); err != nil || may {
			return state, err
		}
	}
	may, err := s.oversees(ctx, caller, state.accounts()...)
	if err == nil && !may {
		may, err = s.attends(ctx, caller, state)
	}
	if err != nil {
		return State{}, err
	}
	if !may {
		return State{}, ErrNotFound
	}
	return state, nil
}

// maySee: its players always, anyone what is public, and while a seat is open
// whoever may take it; a seat that is kept for somebody only they. Whether a
// sheltered seat may be seen is for accounts to say.
func maySee(s State, caller identity.Caller) bool {
	switch {
	case s.Involves(caller.Player()), s.Visibility == visibilityPublic:
		return true
	case s.Invited() != "": // open, or once declined, withdrawn or expired
		return s.Invited() == caller.Account
	case s.Status == StatusOpen:
		return !s.Sheltered && (!caller.Guest || s.Rules == guestRules && !s.Rated)
	default:
		return false
	}
}
