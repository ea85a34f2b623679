package play

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

const defaultLevel = "plies-4"

// CreateGame implements playv1.PlayServiceServer.
func (s *Service) CreateGame(ctx context.Context, in *playv1.CreateGameRequest) (*playv1.CreateGameResponse, error) {
	r, err := s.request(ctx, "CreateGame", in)
	if err != nil {
		return nil, err
	}
	// Drawn once: deciding again must not make another game.
	id, lot := s.deps.NewID(), s.deps.Random()
	state, err := s.run(ctx, change{
		request: r,
		load:    func(context.Context) (State, error) { return State{}, nil },
		command: func(ctx context.Context, _ State) (Command, error) { return s.create(ctx, r.caller, in, id, lot) },
	})
	if err != nil {
		return nil, err
	}
	return &playv1.CreateGameResponse{Game: state.whole(r.player)}, nil
}

func (s *Service) create(ctx context.Context, caller identity.Caller, in *playv1.CreateGameRequest, id string, lot uint64) (Command, error) {
	engine := in.GetOpponent() == SeatEngine
	if !engine && in.GetLevel() != "" {
		return nil, badField("level", "only the engine has a level")
	}
	if caller.Guest && (in.GetRated() || in.GetRules() != guestRules) {
		return nil, needsAccount()
	}
	if err := s.room(ctx, caller); err != nil {
		return nil, err
	}
	sides, err := s.sides(ctx, in.GetRules(), in.GetDraws())
	if err != nil {
		return nil, err
	}
	own, err := ownSeat(in.GetSide(), sides, lot)
	if err != nil {
		return nil, err
	}
	opponent := SeatOpen
	if engine {
		opponent = SeatEngine
	}
	if err := s.mayTake(ctx, caller, in.GetRules(), opponent); err != nil {
		return nil, err
	}

	c := Create{
		ID:         id,
		Rules:      in.GetRules(),
		Visibility: cmp.Or(in.GetVisibility(), visibilityPrivate),
		Rated:      in.GetRated(),
		Position:   Position{Rules: in.GetRules(), Draws: in.GetDraws()},
		Side:       sides[own],
	}
	if clock := in.GetClock(); clock != nil {
		c.Clock = &Settings{InitialMS: clock.GetInitialMs(), IncrementMS: clock.GetIncrementMs()}
	}
	who := []Seat{{Account: caller.Account}, {}}
	if engine {
		who[1].Level = cmp.Or(in.GetLevel(), defaultLevel)
	}
	profiles, err := s.profiles(ctx, c.Rules, SpeedOf(c.Clock), who)
	if err != nil {
		return nil, err
	}
	profile := profiles[0]
	c.Seats[own] = Seat{
		Side: sides[own], Kind: SeatPerson, Player: caller.Player(), Account: caller.Account,
		Name: profile.Name, Rating: profile.Rating, Provisional: profile.Provisional,
	}
	c.Seats[1-own] = Seat{Side: sides[1-own], Kind: opponent}
	if engine {
		level := who[1].Level
		c.Seats[1-own].Level, c.Seats[1-own].Name, c.Seats[1-own].Rating = level, level, profiles[1].Rating
		c.Seats[1-own].Seed = seedOf(in.GetSeed(), lot)
	}
	return c, nil
}

// AcceptGame implements playv1.PlayServiceServer.
func (s *Service) AcceptGame(ctx context.Context, in *playv1.AcceptGameRequest) (*playv1.AcceptGameResponse, error) {
	r, err := s.request(ctx, "AcceptGame", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, change{
		request: r,
		// Not only what the caller may see: who comes second should hear that
		// the seat is taken, and a guest that an account is needed.
		load:    func(ctx context.Context) (State, error) { return s.deps.Store.Load(ctx, in.GetGame()) },
		command: func(ctx context.Context, state State) (Command, error) { return s.accept(ctx, r.caller, state) },
	})
	if err != nil {
		return nil, err
	}
	return &playv1.AcceptGameResponse{Game: state.whole(r.player)}, nil
}

func (s *Service) accept(ctx context.Context, caller identity.Caller, state State) (Command, error) {
	c := Accept{Player: caller.Player(), Account: caller.Account}
	free := state.OpenSeat()
	if state.Status != StatusOpen || free < 0 || state.SeatOf(c.Player) >= 0 {
		return c, nil // Decide says why not
	}
	if err := s.room(ctx, caller); err != nil {
		return nil, err
	}
	if err := s.mayTake(ctx, caller, state.Rules, state.Seats[1-free].Kind); err != nil {
		return nil, err
	}
	who := slices.Clone(state.Seats[:])
	who[free].Account = caller.Account
	profiles, err := s.profiles(ctx, state.Rules, state.Speed, who)
	if err != nil {
		return nil, err
	}
	c.Profiles = [2]Profile(profiles)
	return c, nil
}

// CancelGame implements playv1.PlayServiceServer.
func (s *Service) CancelGame(ctx context.Context, in *playv1.CancelGameRequest) (*playv1.CancelGameResponse, error) {
	r, err := s.request(ctx, "CancelGame", in)
	if err != nil {
		return nil, err
	}
	state, err := s.run(ctx, s.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return Cancel{Player: r.player}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.CancelGameResponse{Game: state.whole(r.player)}, nil
}

// mayTake is the one place that decides whether a person may take a seat: every
// way of filling one asks it. Against the engine, chess and draughts need the
// gate of their lessons; a gate that was once seen open stays open.
func (s *Service) mayTake(ctx context.Context, caller identity.Caller, rules, opponent string) error {
	if opponent != SeatEngine || rules == guestRules || ignoreGate() {
		return nil
	}
	if caller.Account == "" {
		return needsAccount()
	}
	open, err := s.deps.Store.GateOpen(ctx, caller.Account, rules)
	if err != nil {
		return err
	}
	if open {
		return nil
	}
	verdict, err := s.deps.Tutor.CheckGate(ctx, &tutorv1.CheckGateRequest{Account: caller.Account, Rules: rules})
	if err != nil {
		s.deps.Log.Warn("gate not checked", "rules", rules, "err", err)
		return rpc.Fail("gate_unavailable", "")
	}
	if !verdict.GetOpen() {
		return &rpc.Problem{
			Code:    "gate_closed",
			Detail:  "the lessons of this game come before a game against the engine",
			Lessons: verdict.GetMissing(),
		}
	}
	return s.deps.Store.OpenGate(ctx, caller.Account, rules, s.deps.Time.Now().UnixMilli())
}

// room refuses one more game to who has too many.
func (s *Service) room(ctx context.Context, caller identity.Caller) error {
	limit := s.cfg.MaxGames
	if caller.Guest {
		limit = s.cfg.MaxGuestGames
	}
	live, err := s.deps.Store.Live(ctx, caller.Player())
	if err != nil {
		return err
	}
	if live >= limit {
		return rpc.Fail("too_many_games", fmt.Sprintf("at most %d open and running games", limit))
	}
	return nil
}

// sides are the names of the sides of a game, the one that moves first first.
// It refuses games and sets of draw rules that are not known.
func (s *Service) sides(ctx context.Context, rules, draws string) ([2]string, error) {
	response, err := s.deps.Rules.ListRules(ctx, &rulesv1.ListRulesRequest{})
	if err != nil {
		return [2]string{}, fmt.Errorf("ask for the games: %w", err)
	}
	for _, r := range response.GetRules() {
		if r.GetRules() != rules || len(r.GetSides()) != 2 {
			continue
		}
		if draws != "" && !slices.Contains(r.GetDraws(), draws) {
			return [2]string{}, badField("draws", "the game has no such set of draw rules")
		}
		return [2]string(r.GetSides()), nil
	}
	return [2]string{}, badField("rules", "the game is not played here")
}

// profiles are what a game shows of the players of seats, by their account or
// level. Guests, who have neither, are nobody in particular; a game of guests
// alone asks nobody, so that it works while accounts is away.
func (s *Service) profiles(ctx context.Context, rules, speed string, seats []Seat) ([]Profile, error) {
	profiles := make([]Profile, len(seats))
	in := &accountsv1.GetPlayersRequest{Rules: rules, Speed: speed}
	for i, seat := range seats {
		switch {
		case seat.Account != "":
			in.Accounts = append(in.Accounts, seat.Account)
		case seat.Level != "":
			in.Levels = append(in.Levels, seat.Level)
		default:
			profiles[i].Name = "guest"
		}
	}
	if len(in.Accounts) == 0 {
		return profiles, nil
	}
	response, err := s.deps.Accounts.GetPlayers(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("ask for players: %w", err)
	}
	for i, seat := range seats {
		known := response.GetPlayers()
		if seat.Account == "" {
			known = response.GetLevels()
		}
		at := slices.IndexFunc(known, func(p *accountsv1.Player) bool {
			return p.GetAccount() == seat.Account && (seat.Account != "" || p.GetName() == seat.Level)
		})
		if at < 0 {
			if seat.Account != "" {
				return nil, rpc.Fail("account_not_found", "a player's account is gone")
			}
			continue // a level without a rating, or a guest
		}
		p := known[at]
		profiles[i] = Profile{
			Name: p.GetName(), Rating: p.GetRating().GetRating(), Provisional: p.GetRating().GetProvisional(),
		}
	}
	return profiles, nil
}

// ownSeat is the seat of who makes a game.
func ownSeat(side string, sides [2]string, lot uint64) (int, error) {
	switch side {
	case "", "random":
		return int(lot & 1), nil
	case "first", sides[0]:
		return 0, nil
	case "second", sides[1]:
		return 1, nil
	default:
		return 0, badField("side", "the game has no such side")
	}
}

// seedOf is the engine's seed: what was asked for, or else a lot from 1 on.
func seedOf(asked int32, lot uint64) int32 {
	if asked != 0 {
		return asked
	}
	return int32(lot>>33) | 1
}

func badField(name, detail string) error {
	return &rpc.Problem{
		Code: "bad_field", Detail: detail,
		Fields: []rpc.Field{{Name: name, Code: "not_allowed", Detail: detail}},
	}
}
