package tournaments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play/keyed"
)

// Config bounds a Service. Zero values mean the defaults.
type Config struct {
	// MaxOpen is how many tournaments an organiser may have that are not over (20).
	MaxOpen int
	// SweepEvery is how often the service looks for tournaments whose time has come
	// (1 s), LookEvery how often at all that are not over, for word of their games
	// that was lost (30 s).
	SweepEvery, LookEvery time.Duration
}

func (c Config) withDefaults() Config {
	c.MaxOpen = cmp.Or(c.MaxOpen, 20)
	c.SweepEvery = cmp.Or(c.SweepEvery, time.Second)
	c.LookEvery = cmp.Or(c.LookEvery, 30*time.Second)
	return c
}

// maxRaces is how often a command is decided anew when others were faster.
const maxRaces = 8

// Time is the database's time.
type Time interface{ Now() time.Time }

// Person is what a tournament shows of a person, and what the organiser, or
// whoever asks, is to them.
type Person struct {
	Account, Name string
	Rating        int32
	// Relation is what the organiser is to the person: "self", "teacher",
	// "operator", "guardian", "same_class" or "none".
	Relation string
	// Protected persons meet no strangers, unless somebody who may has allowed it.
	Protected bool
}

// People knows who plays.
type People interface {
	// Persons are what tournaments show of accounts, and of the one with a login
	// where that is not empty; unknown ones are account_not_found. viewer is the
	// organiser.
	Persons(ctx context.Context, viewer string, accounts []string, login, rules, speed string) ([]Person, error)
	// Levels are what tournaments show of levels of the engine; unknown ones are
	// bad_field.
	Levels(ctx context.Context, levels []string, rules, speed string) ([]Player, error)
	// Circle is whom an account teaches, and by whom it is taught.
	Circle(ctx context.Context, account string) (Circle, error)
	// Relations are what a viewer is to others, without names and ratings.
	Relations(ctx context.Context, viewer string, subjects []string) ([]Person, error)
	// MayPlayEngine refuses a person whose gate to the engine is closed.
	MayPlayEngine(ctx context.Context, account, rules string) error
}

// Deps are what a Service works with.
type Deps struct {
	Store  Store
	Games  Games
	People People
	// CheckDraws refuses draw rules that a game does not have.
	CheckDraws func(ctx context.Context, rules, draws string) error
	// SpeedOf is the name of a clock's speed.
	SpeedOf func(initialMS, incrementMS int32) string
	Time    Time
	// NewID makes a UUIDv7.
	NewID func() string
	// Random draws lots.
	Random func() uint64
	// Publish says that a tournament has a new version; nil says nothing.
	Publish func(id string, version int32)
	Log     *slog.Logger
}

// Service holds tournaments. It is safe for concurrent use.
type Service struct {
	playv1.UnimplementedTournamentsServiceServer

	cfg  Config
	deps Deps
	// changed are tournaments that this replica has changed, for Run to look at.
	changed chan string
}

// New makes a Service. It starts nothing: Run does what tournaments owe.
func New(cfg Config, deps Deps) *Service {
	if deps.Log == nil {
		deps.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{cfg: cfg.withDefaults(), deps: deps, changed: make(chan string, changedQueue)}
}

func (s *Service) now() int64 { return s.deps.Time.Now().UnixMilli() }

// problemOf is what an error means to a client.
func problemOf(err error) error {
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*Refused](err); ok {
		return rpc.Fail(refused.Code, refused.Detail)
	}
	if p, ok := keyed.Problem(err); ok {
		return p
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return rpc.Fail("tournament_not_found", "")
	case errors.Is(err, ErrStale):
		return rpc.Fail("conflict", "the tournament changed at the same time")
	}
	return err
}

func badField(name, detail string) error {
	return &rpc.Problem{
		Code: "bad_field", Detail: detail,
		Fields: []rpc.Field{{Name: name, Code: "not_allowed", Detail: detail}},
	}
}

// change is a command of an account on a tournament.
type change struct {
	method  string
	message proto.Message
	id      string
	// command makes the command for a state that the account may see.
	command func(ctx context.Context, account string, s State) (Command, error)
}

// run carries a command out once for its key, and is the tournament as it
// answers.
func (s *Service) run(ctx context.Context, c change) (*playv1.Tournament, error) {
	caller, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	account := caller.Account
	command, err := keyed.Of(ctx, c.method, c.message)
	if err != nil {
		return nil, err
	}
	for range maxRaces {
		var answer Answer
		var found bool
		answer, found, err = s.deps.Store.Answered(ctx, command)
		if err == nil && !found {
			answer, err = s.try(ctx, c, account, command)
		}
		if errors.Is(err, ErrStale) {
			continue
		}
		if err != nil {
			return nil, problemOf(err)
		}
		state, err := s.deps.Store.At(ctx, answer.ID, answer.Version)
		if err != nil {
			return nil, problemOf(err)
		}
		return wire(state, account, true), nil
	}
	return nil, problemOf(err)
}

func (s *Service) try(ctx context.Context, c change, account string, key keyed.Command) (Answer, error) {
	var before State
	var err error
	if c.id != "" {
		if before, err = s.open(ctx, account, c.id); err != nil {
			return Answer{}, err
		}
	}
	command, err := c.command(ctx, account, before)
	if err != nil {
		return Answer{}, err
	}
	events, err := Decide(before, command, s.now())
	if err != nil {
		return Answer{}, err
	}
	answer, err := s.deps.Store.Commit(ctx, Commit{Before: before, After: Fold(before, events), Events: events}, &key)
	if err == nil {
		s.committed(answer.ID, answer.Version)
	}
	return answer, err
}

// committed tells those who watch, and Run, that a tournament has changed.
func (s *Service) committed(id string, version int32) {
	if s.deps.Publish != nil {
		s.deps.Publish(id, version)
	}
	select {
	case s.changed <- id:
	default: // the sweep finds it
	}
}

func callerOf(ctx context.Context) (identity.Caller, error) {
	caller, ok := identity.From(ctx)
	if !ok || caller.Account == "" {
		return caller, rpc.Fail("account_required", "")
	}
	return caller, nil
}

func (s *Service) persons(ctx context.Context, state State, accounts []string, login string) ([]Person, error) {
	return s.deps.People.Persons(ctx, state.Organiser, accounts, login, state.Rules, s.deps.SpeedOf(state.InitialMS, state.IncrementMS))
}

// organised is a change that only the organiser may make.
func organised(command func(ctx context.Context, s State) (Command, error)) func(context.Context, string, State) (Command, error) {
	return func(ctx context.Context, account string, s State) (Command, error) {
		if s.Organiser != account {
			return nil, rpc.Fail("forbidden", "only the organiser may do this")
		}
		return command(ctx, s)
	}
}

// CreateTournament implements playv1.TournamentsServiceServer.
func (s *Service) CreateTournament(ctx context.Context, in *playv1.CreateTournamentRequest) (*playv1.CreateTournamentResponse, error) {
	id, lot := s.deps.NewID(), s.deps.Random()
	t, err := s.run(ctx, change{method: "CreateTournament", message: in, command: func(ctx context.Context, account string, _ State) (Command, error) {
		return s.create(ctx, in, account, id, lot)
	}})
	return &playv1.CreateTournamentResponse{Tournament: t}, err
}

func (s *Service) create(ctx context.Context, in *playv1.CreateTournamentRequest, account, id string, lot uint64) (Command, error) {
	name := strings.TrimSpace(in.GetName())
	switch {
	case name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return nil, badField("name", "a name is one line of text")
	case in.GetKind() != Swiss && (in.GetRounds() != 0 || in.GetLate()):
		return nil, badField("rounds", "only of Swiss tournaments")
	case in.GetKind() != Knockout && (in.GetGames() != 0 || in.GetTie() != ""):
		return nil, badField("games", "only of knock-outs")
	case in.GetMaxPlayers() == 1:
		return nil, badField("max_players", "a tournament has at least two players")
	}
	if err := s.deps.CheckDraws(ctx, in.GetRules(), in.GetDraws()); err != nil {
		return nil, err
	}
	persons, err := s.deps.People.Persons(ctx, account, []string{account}, "", in.GetRules(), "")
	if err != nil {
		return nil, err
	}
	open, err := s.deps.Store.Open(ctx, account)
	if err != nil {
		return nil, err
	}
	if open >= s.cfg.MaxOpen {
		return nil, rpc.Fail("too_many_tournaments", fmt.Sprintf("at most %d that are not over", s.cfg.MaxOpen))
	}
	setup := Setup{
		ID: id, Organiser: account, Name: name, Rules: in.GetRules(), Draws: in.GetDraws(), Kind: in.GetKind(),
		Entry: cmp.Or(in.GetEntry(), EntryInvited), Rated: in.GetRated(), Rounds: int(in.GetRounds()), Auto: in.GetAuto(),
		RoundMS: int64(in.GetRoundMinutes()) * 60_000, MaxPlayers: int(cmp.Or(in.GetMaxPlayers(), MaxPlayers)), Late: in.GetLate(),
		Alternate: in.GetKind() == DoubleRoundRobin,
		Seed:      int64(lot >> 1), OrganiserName: persons[0].Name, Sheltered: persons[0].Protected,
	}
	if clock := in.GetClock(); clock != nil {
		setup.InitialMS, setup.IncrementMS = clock.GetInitialMs(), clock.GetIncrementMs()
	}
	if setup.Kind == Knockout {
		setup.Games, setup.Tie = int(cmp.Or(in.GetGames(), 1)), cmp.Or(in.GetTie(), TieMore)
	}
	if setup.Kind == RoundRobin || setup.Kind == DoubleRoundRobin {
		setup.MaxPlayers = min(setup.MaxPlayers, MaxRobin)
	}
	return Create{setup}, nil
}

// GetTournament implements playv1.TournamentsServiceServer.
func (s *Service) GetTournament(ctx context.Context, in *playv1.GetTournamentRequest) (*playv1.GetTournamentResponse, error) {
	// The gateway asks for the many who watch a tournament, and asks for each of
	// them before.
	if caller, ok := identity.From(ctx); ok && caller.Service == identity.Gateway {
		state, err := s.deps.Store.Load(ctx, in.GetTournament())
		if err != nil {
			return nil, problemOf(err)
		}
		return &playv1.GetTournamentResponse{Tournament: wire(state, "", true)}, nil
	}
	caller, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	state, err := s.seen(ctx, caller, in.GetTournament())
	if err != nil {
		return nil, problemOf(err)
	}
	return &playv1.GetTournamentResponse{Tournament: wire(state, caller.Account, true)}, nil
}

// JoinTournament implements playv1.TournamentsServiceServer.
func (s *Service) JoinTournament(ctx context.Context, in *playv1.JoinTournamentRequest) (*playv1.JoinTournamentResponse, error) {
	t, err := s.run(ctx, change{method: "JoinTournament", message: in, id: in.GetTournament(), command: s.join})
	return &playv1.JoinTournamentResponse{Tournament: t}, err
}

func (s *Service) join(ctx context.Context, account string, state State) (Command, error) {
	persons, err := s.persons(ctx, state, []string{account}, "")
	if err != nil {
		return nil, err
	}
	p := persons[0]
	invited := state.Find(account) >= 0 || state.Organiser == account
	switch {
	case invited, p.Relation == "teacher":
	case state.Entry != EntryOpen:
		return nil, rpc.Fail("forbidden", "the tournament is for those who are invited")
	case p.Protected && p.Relation != "guardian" && p.Relation != "same_class":
		return nil, rpc.Fail("forbidden", "protected players join tournaments of their teachers, or where they are invited")
	}
	if err := s.gate(ctx, state, []string{account}, nil); err != nil {
		return nil, err
	}
	return Enter{[]Player{{Account: p.Account, Name: p.Name, Rating: p.Rating, Status: PlayerIn, Sheltered: p.Protected}}}, nil
}

// gate refuses persons who would meet the engine with their gate closed.
func (s *Service) gate(ctx context.Context, state State, accounts, levels []string) error {
	engines := len(levels) > 0
	for _, p := range state.Players {
		engines = engines || p.Level != ""
	}
	if !engines {
		return nil
	}
	if len(levels) > 0 {
		for _, p := range state.Players {
			if p.Account != "" {
				accounts = append(accounts, p.Account)
			}
		}
	}
	for _, account := range accounts {
		if err := s.deps.People.MayPlayEngine(ctx, account, state.Rules); err != nil {
			return err
		}
	}
	return nil
}

// AddPlayers implements playv1.TournamentsServiceServer.
func (s *Service) AddPlayers(ctx context.Context, in *playv1.AddPlayersRequest) (*playv1.AddPlayersResponse, error) {
	t, err := s.run(ctx, change{method: "AddPlayers", message: in, id: in.GetTournament(), command: organised(func(ctx context.Context, state State) (Command, error) {
		return s.add(ctx, state, in)
	})})
	return &playv1.AddPlayersResponse{Tournament: t}, err
}

func (s *Service) add(ctx context.Context, state State, in *playv1.AddPlayersRequest) (Command, error) {
	var c Enter
	var accounts []string
	if len(in.GetAccounts()) > 0 || in.GetLogin() != "" {
		persons, err := s.persons(ctx, state, in.GetAccounts(), in.GetLogin())
		if err != nil {
			return nil, err
		}
		for _, p := range persons {
			status := PlayerInvited
			switch p.Relation {
			case "teacher", "self":
				status = PlayerIn
			case "none", "operator":
				if p.Protected {
					return nil, rpc.Fail("forbidden", "protected players are invited by those who know them")
				}
			}
			c.Players = append(c.Players, Player{Account: p.Account, Name: p.Name, Rating: p.Rating, Status: status, Sheltered: p.Protected})
			accounts = append(accounts, p.Account)
		}
	}
	if len(in.GetLevels()) > 0 {
		levels, err := s.deps.People.Levels(ctx, in.GetLevels(), state.Rules, s.deps.SpeedOf(state.InitialMS, state.IncrementMS))
		if err != nil {
			return nil, err
		}
		for _, p := range levels {
			p.Status = PlayerIn
			for _, o := range append(state.Players, c.Players...) {
				if o.Level == p.Level {
					return nil, rpc.Fail("already_joined", "the level plays in the tournament")
				}
			}
			c.Players = append(c.Players, p)
		}
	}
	if err := s.gate(ctx, state, accounts, in.GetLevels()); err != nil {
		return nil, err
	}
	return c, nil
}

// StartTournament implements playv1.TournamentsServiceServer.
func (s *Service) StartTournament(ctx context.Context, in *playv1.StartTournamentRequest) (*playv1.StartTournamentResponse, error) {
	t, err := s.run(ctx, change{method: "StartTournament", message: in, id: in.GetTournament(), command: organised(func(context.Context, State) (Command, error) {
		return Start{}, nil
	})})
	return &playv1.StartTournamentResponse{Tournament: t}, err
}

// PairRound implements playv1.TournamentsServiceServer.
func (s *Service) PairRound(ctx context.Context, in *playv1.PairRoundRequest) (*playv1.PairRoundResponse, error) {
	t, err := s.run(ctx, change{method: "PairRound", message: in, id: in.GetTournament(), command: organised(func(_ context.Context, state State) (Command, error) {
		return Pair{s.ids(len(state.Players))}, nil
	})})
	return &playv1.PairRoundResponse{Tournament: t}, err
}

// CancelTournament implements playv1.TournamentsServiceServer.
func (s *Service) CancelTournament(ctx context.Context, in *playv1.CancelTournamentRequest) (*playv1.CancelTournamentResponse, error) {
	t, err := s.run(ctx, change{method: "CancelTournament", message: in, id: in.GetTournament(), command: organised(func(context.Context, State) (Command, error) {
		return Cancel{}, nil
	})})
	return &playv1.CancelTournamentResponse{Tournament: t}, err
}
