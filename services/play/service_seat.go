package play

import (
	"context"
	"slices"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

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
		limits:  func(State) []Limit { return []Limit{s.liveLimit(r.caller)} },
	})
	if err != nil {
		return nil, err
	}
	return &playv1.AcceptGameResponse{Game: state.whole(r.player)}, nil
}

func (s *Service) accept(ctx context.Context, caller identity.Caller, state State) (Command, error) {
	c := Accept{Player: caller.Player(), Account: caller.Account}
	free := state.OpenSeat()
	if invited := state.Invited(); invited != "" && !maySee(state, caller) {
		return nil, ErrNotFound // it is nobody else's business
	}
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
	profiles, err := s.profiles(ctx, state.Rules, state.Speed, who, "")
	if err != nil {
		return nil, err
	}
	who[free].Kind = SeatPerson
	if err := mayBeWatched(state.Visibility, profiles, who); err != nil {
		return nil, err
	}
	if err := s.mayMeet(ctx, profiles[free], profiles[1-free]); err != nil {
		return nil, err
	}
	if err := s.mustBeHere(state, 1-free); err != nil {
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

// room refuses one more game to who has too many, before anybody is asked about
// it. The commit looks again.
func (s *Service) room(ctx context.Context, caller identity.Caller) error {
	limit := s.liveLimit(caller)
	live, err := s.deps.Store.Live(ctx, caller.Player())
	if err != nil {
		return err
	}
	if live >= limit.Most {
		return &FullError{Limit: limit}
	}
	return nil
}

func (s *Service) liveLimit(caller identity.Caller) Limit { return s.liveLimitOf(caller.Player()) }

func (s *Service) liveLimitOf(player string) Limit {
	most := s.cfg.MaxGames
	if !isAccount(player) {
		most = s.cfg.MaxGuestGames
	}
	return Limit{Player: player, Of: LimitLive, Most: most}
}

// limits are what must hold of a player once a new game is written.
func (s *Service) limits(after State) []Limit {
	if after.Engines() {
		return []Limit{s.liveLimitOf(after.Maker), {Player: after.Maker, Of: LimitEngines, Most: s.cfg.MaxEngines}}
	}
	var all []Limit
	for i, seat := range after.Seats {
		if seat.Player != "" && (i == 0 || !after.Self()) {
			all = append(all, s.liveLimitOf(seat.Player))
		}
	}
	if after.Status == StatusOpen {
		most := s.cfg.MaxOpen
		if !isAccount(after.Maker) {
			most = s.cfg.MaxGuestOpen
		}
		all = append(all, Limit{Player: after.Maker, Of: LimitOpen, Most: most})
	}
	return all
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
