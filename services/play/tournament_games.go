package play

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"google.golang.org/grpc"

	"tabuleiro/internal/app"
	"tabuleiro/internal/bus"
	"tabuleiro/internal/db"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play/tournaments"
)

// bindTournaments serves tournaments beside games.
func bindTournaments(env *app.Env, database *db.DB, events *bus.Conn, service *Service, classes accountsv1.ClassesServiceClient) *tournaments.Service {
	deps := service.TournamentDeps(tournaments.NewSQL(database), classes)
	deps.Publish = func(id string, version int32) {
		// Whoever watches looks again by themselves in the end.
		if err := events.Publish(bus.TournamentEvent(id), &busv1.TournamentChanged{Tournament: id, Version: version}); err != nil {
			service.deps.Log.Debug("change of a tournament not published", "tournament", id, "err", err)
		}
	}
	keeper := tournaments.New(tournaments.Config{}, deps)
	service.CompeteIn(keeper)
	env.Serve(name, func(r grpc.ServiceRegistrar) { playv1.RegisterTournamentsServiceServer(r, keeper) })
	env.Go("tournaments", keeper.Run)
	return keeper
}

// TournamentDeps are what tournaments need of the service that plays their games.
func (s *Service) TournamentDeps(store tournaments.Store, classes accountsv1.ClassesServiceClient) tournaments.Deps {
	return tournaments.Deps{
		Store:  store,
		Games:  tournamentGames{s},
		People: tournamentPeople{s, classes},
		CheckDraws: func(ctx context.Context, rules, draws string) error {
			_, err := s.gameRules(ctx, rules, draws)
			return err
		},
		SpeedOf: func(initialMS, incrementMS int32) string { return SpeedOf(settingsOf(initialMS, incrementMS)) },
		Time:    s.deps.Time,
		NewID:   s.deps.NewID,
		Random:  rand.Uint64,
		Log:     s.deps.Log,
	}
}

// settingsOf is a clock; nil for none.
func settingsOf(initialMS, incrementMS int32) *Settings {
	if initialMS == 0 {
		return nil
	}
	return &Settings{InitialMS: initialMS, IncrementMS: incrementMS}
}

// tournamentGames implements tournaments.Games.
type tournamentGames struct{ service *Service }

// Make implements tournaments.Games. The game has the id that the tournament gave
// it, so that it is made once however often it is asked for.
func (g tournamentGames) Make(ctx context.Context, n tournaments.NewGame) error {
	s := g.service
	if _, err := s.deps.Store.Load(ctx, n.ID); !errors.Is(err, ErrNotFound) {
		return err
	}
	rules, err := s.gameRules(ctx, n.Rules, n.Draws)
	if err != nil {
		return err
	}
	sides := rules.GetSides()
	c := Create{
		ID: n.ID, Rules: n.Rules, Visibility: visibilityPrivate, Rated: n.Rated, Position: Position{Rules: n.Rules, Draws: n.Draws},
		Opponent: OpponentPerson, Maker: n.Maker, Values: valuesOf(rules), Clock: settingsOf(n.InitialMS, n.IncrementMS),
		Tournament: n.Tournament,
	}
	var levels [2]bool
	for i, p := range n.Players {
		c.Seats[i] = Seat{Side: sides[i], Kind: SeatPerson, Player: p.Account, Account: p.Account}
		if levels[i] = p.Level != ""; levels[i] {
			c.Seats[i] = Seat{Side: sides[i], Kind: SeatEngine, Level: p.Level, Seed: seedOf(0, s.deps.Random())}
		}
	}
	switch {
	case levels[0] && levels[1]:
		c.Opponent, c.MaxPlies, c.Rated = OpponentEngines, enginePlies, false
	case levels[0] || levels[1]:
		c.Opponent = OpponentEngine
	}
	profiles, err := s.profiles(ctx, n.Rules, SpeedOf(c.Clock), c.Seats[:], "")
	if err != nil {
		return err
	}
	for i := range c.Seats {
		seat := &c.Seats[i]
		seat.Name, seat.Rating, seat.Provisional = profiles[i].Name, profiles[i].Rating, profiles[i].Provisional
		if seat.Kind == SeatEngine {
			seat.Name, seat.Provisional = seat.Level, false
		}
	}
	events, err := s.decide(ctx, State{}, c, s.deps.Time.Now())
	if err != nil {
		return err
	}
	commit := s.prepare(State{}, events)
	if err := s.store(ctx, commit); err != nil {
		if errors.Is(err, ErrStale) {
			return nil // another replica was faster
		}
		return err
	}
	s.committed(commit)
	return nil
}

// Over implements tournaments.Games.
func (g tournamentGames) Over(ctx context.Context, ids []string) (map[string]string, error) {
	over := map[string]string{}
	for _, id := range ids {
		state, err := g.service.deps.Store.Load(ctx, id)
		switch {
		case errors.Is(err, ErrNotFound):
		case err != nil:
			return nil, err
		case state.Status == StatusFinished, state.Status == StatusCancelled:
			over[id] = state.tournamentResult()
		}
	}
	return over, nil
}

// Progress implements tournaments.Games.
func (g tournamentGames) Progress(ctx context.Context, id string) (tournaments.Progress, error) {
	state, err := g.service.deps.Store.Load(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return tournaments.Progress{}, nil
	}
	if err != nil {
		return tournaments.Progress{}, problemOf(err)
	}
	return tournaments.Progress{Running: state.unfinished(), Side: state.ToMove(), Moved: state.bothMoved()}, nil
}

// unfinished tells of a game that has begun that it is not over. Games of
// tournaments could once be saved for later; their rounds wait for them.
func (s State) unfinished() bool { return s.Status == StatusRunning || s.Status == StatusSuspended }

// bothMoved tells that both sides have moved.
func (s State) bothMoved() bool { return len(s.Plies) >= 2 }

// End implements tournaments.Games. A game that hardly began is annulled whatever
// the result: nobody gains or loses rating by who did not come.
func (g tournamentGames) End(ctx context.Context, id, result, by string) (exists bool, err error) {
	s := g.service
	for range maxRaces {
		state, err := s.deps.Store.Load(ctx, id)
		if errors.Is(err, ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if !state.unfinished() {
			return true, nil
		}
		command := Adjudicate{By: by, Result: result, Note: "decided in the tournament"}
		if !state.bothMoved() {
			command.Result = annul
		}
		events, err := Decide(state, command, nil, s.deps.Time.Now())
		if err != nil {
			return true, fmt.Errorf("end a game of a tournament: %w", err)
		}
		commit := s.prepare(state, events)
		err = s.store(ctx, commit)
		if errors.Is(err, ErrStale) {
			continue
		}
		if err != nil {
			return true, err
		}
		s.committed(commit)
		return true, nil
	}
	return true, ErrStale
}

// tournamentPeople implements tournaments.People.
type tournamentPeople struct {
	service *Service
	classes accountsv1.ClassesServiceClient
}

// maxAsked is how many accounts are asked for in one call.
const maxAsked = 16

// Persons implements tournaments.People.
func (p tournamentPeople) Persons(ctx context.Context, viewer string, accounts []string, login, rules, speed string) ([]tournaments.Person, error) {
	var persons []tournaments.Person
	for from := 0; from < len(accounts) || from == 0; from += maxAsked {
		some := accounts[min(from, len(accounts)):min(from+maxAsked, len(accounts))]
		in := &accountsv1.GetPlayersRequest{Accounts: some, Rules: rules, Speed: speed}
		if from == 0 {
			in.Login = login
		}
		out, err := p.service.deps.Accounts.GetPlayers(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("ask for players: %w", err)
		}
		want := len(some)
		if in.Login != "" {
			want++
		}
		if len(out.GetPlayers()) != want {
			return nil, rpc.Fail("account_not_found", "")
		}
		for _, player := range out.GetPlayers() {
			persons = append(persons, tournaments.Person{
				Account: player.GetAccount(), Name: player.GetName(), Rating: player.GetRating().GetRating(),
			})
		}
	}
	subjects := make([]string, len(persons))
	for i, person := range persons {
		subjects[i] = person.Account
	}
	related, err := p.Relations(ctx, viewer, subjects)
	if err != nil {
		return nil, err
	}
	for i, r := range related {
		persons[i].Relation, persons[i].Protected = r.Relation, r.Protected
	}
	return persons, nil
}

// Circle implements tournaments.People.
func (p tournamentPeople) Circle(ctx context.Context, account string) (tournaments.Circle, error) {
	circle := tournaments.Circle{Teachers: map[string]bool{}, Pupils: map[string]bool{}}
	answer, err := p.classes.ClassesOf(ctx, &accountsv1.ClassesOfRequest{Account: account})
	if err != nil {
		return circle, fmt.Errorf("ask for classes: %w", err)
	}
	for _, class := range answer.GetClasses() {
		if class.GetTeaches() {
			for _, pupil := range class.GetPupils() {
				circle.Pupils[pupil] = true
			}
			continue
		}
		for _, teacher := range class.GetTeachers() {
			circle.Teachers[teacher] = true
		}
	}
	return circle, nil
}

// Relations implements tournaments.People.
func (p tournamentPeople) Relations(ctx context.Context, viewer string, subjects []string) ([]tournaments.Person, error) {
	var persons []tournaments.Person
	for some := range slices.Chunk(subjects, maxRelated) {
		answer, err := p.classes.Relations(ctx, &accountsv1.RelationsRequest{Viewer: viewer, Subjects: some})
		if err != nil {
			return nil, fmt.Errorf("ask for relations: %w", err)
		}
		for _, r := range answer.GetRelations() {
			persons = append(persons, tournaments.Person{
				Account: r.GetSubject(), Relation: r.GetRelation(), Protected: r.GetProtected() && !r.GetPublicGames(),
			})
		}
	}
	return persons, nil
}

// Levels implements tournaments.People.
func (p tournamentPeople) Levels(ctx context.Context, levels []string, rules, speed string) ([]tournaments.Player, error) {
	out, err := p.service.deps.Accounts.GetPlayers(ctx, &accountsv1.GetPlayersRequest{Levels: levels, Rules: rules, Speed: speed})
	if err != nil {
		return nil, fmt.Errorf("ask for levels: %w", err)
	}
	var players []tournaments.Player
	for _, level := range levels {
		at := slices.IndexFunc(out.GetLevels(), func(l *accountsv1.Player) bool { return l.GetName() == level })
		if at < 0 {
			return nil, badField("levels", "there is no level "+level)
		}
		players = append(players, tournaments.Player{Level: level, Name: level, Rating: out.GetLevels()[at].GetRating().GetRating()})
	}
	return players, nil
}

// MayPlayEngine implements tournaments.People.
func (p tournamentPeople) MayPlayEngine(ctx context.Context, account, rules string) error {
	return problemOf(p.service.mayTake(ctx, identity.Caller{Account: account}, rules, SeatEngine))
}
