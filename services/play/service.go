package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
	"tabuleiro/services/play/keyed"
)

// maxUncertainty is how well the time must be known where clocks run.
const maxUncertainty = 50 * time.Millisecond

// maxRaces is how often a command is decided anew when others were faster.
const maxRaces = 5

// Config bounds a Service. Zero values mean the defaults.
type Config struct {
	// MaxGames is how many open and running games an account may have (100),
	// MaxGuestGames how many a guest may (10).
	MaxGames, MaxGuestGames int
	// MaxOpen is how many games whose seat is open an account may have (10),
	// MaxGuestOpen how many a guest may (3); MaxEngines how many running games of
	// the engine with itself an account may have (2).
	MaxOpen, MaxGuestOpen, MaxEngines int
	// EnginesPerPlayer is for how many games of one player the engine thinks at
	// once in this process (4); others of theirs wait, so that nobody else does.
	EnginesPerPlayer int
	// ThinkTime is what the engine gets for a move where no clock asks for
	// less (1 s).
	ThinkTime time.Duration
	// Workers is how many obligations are acted on at once (32), Queue how many
	// may wait for a worker (256); what does not fit is left to the sweep.
	Workers, Queue int
	// SweepEvery is how often overdue obligations are looked for (200 ms).
	SweepEvery time.Duration
	// Alone says that no other process uses the database: whatever time passed
	// before the first beat was an outage.
	Alone bool
	// PurgeEvery is how often what is old is looked for (1 min); KeepFor is how
	// long commands, and games of guests that are over, are remembered (30 days).
	PurgeEvery, KeepFor time.Duration
}

func (c Config) withDefaults() Config {
	c.MaxGames = cmp.Or(c.MaxGames, 100)
	c.MaxGuestGames = cmp.Or(c.MaxGuestGames, 10)
	c.MaxOpen = cmp.Or(c.MaxOpen, 10)
	c.MaxGuestOpen = cmp.Or(c.MaxGuestOpen, 3)
	c.MaxEngines = cmp.Or(c.MaxEngines, 2)
	c.EnginesPerPlayer = cmp.Or(c.EnginesPerPlayer, 4)
	c.PurgeEvery = cmp.Or(c.PurgeEvery, time.Minute)
	c.KeepFor = cmp.Or(c.KeepFor, 30*24*time.Hour)
	c.ThinkTime = cmp.Or(c.ThinkTime, time.Second)
	c.Workers = cmp.Or(c.Workers, 32)
	c.Queue = cmp.Or(c.Queue, 256)
	c.SweepEvery = cmp.Or(c.SweepEvery, 200*time.Millisecond)
	return c
}

// Time is the database's time.
type Time interface {
	// Now never goes back.
	Now() time.Time
	// Uncertainty is how far Now may be off.
	Uncertainty() time.Duration
}

// Deps are what a Service works with.
type Deps struct {
	Store    Store
	Rules    rulesv1.RulesServiceClient
	Search   searchv1.SearchServiceClient
	Accounts accountsv1.AccountsServiceClient
	Tutor    tutorv1.TutorServiceClient
	// Taught are those of others whom an account teaches now. nil: nobody teaches.
	Taught func(ctx context.Context, teacher string, others []string) ([]string, error)
	// Audit is the audit log. nil: nobody keeps one.
	Audit AuditLog
	// Relate tells what an account is to others. nil: nothing.
	Relate Relate
	// Publish puts the copy of an event onto the bus. Its failures are ignored:
	// watchers catch up by version. nil publishes nothing.
	Publish func(*busv1.GameEvent) error
	Time    Time
	// NewID makes a UUIDv7.
	NewID func() string
	// Random draws lots: sides, and seeds of the engine.
	Random  func() uint64
	Log     *slog.Logger
	Metrics *Metrics
}

// Service is the play service. It is safe for concurrent use.
type Service struct {
	playv1.UnimplementedPlayServiceServer

	cfg  Config
	deps Deps
	// waiting are obligations that this replica has claimed and not acted on.
	waiting chan Due
	pulse   pulse
	// presence is who is at which game, as far as gateways say.
	presence *presence
	// crediting is the work after an outage.
	crediting sync.WaitGroup
	turns     *turns
	// competitions are the tournaments of games; nil for none.
	competitions Competitions
	// recent are states that commands are decided on, without reading them.
	recent *recent
}

// New makes a Service. It starts nothing: Run or DueStep works on obligations.
func New(cfg Config, deps Deps) *Service {
	cfg = cfg.withDefaults()
	if deps.Log == nil {
		deps.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{cfg: cfg, deps: deps, waiting: make(chan Due, cfg.Queue), turns: newTurns(cfg.EnginesPerPlayer), presence: newPresence(), recent: newRecent(recentBytes)}
}

// request is a command on its way through the service.
type request struct {
	caller identity.Caller
	player string
	key    string
	hash   string
	// at is when it arrived: what we need to answer takes nobody's time.
	at time.Time
}

func (s *Service) request(ctx context.Context, method string, message proto.Message) (request, error) {
	caller, err := callerOf(ctx)
	if err != nil {
		return request{}, err
	}
	command, err := keyed.Of(ctx, method, message)
	if err != nil {
		return request{}, err
	}
	return request{caller: caller, player: command.Owner, key: command.Key, hash: command.Hash, at: s.deps.Time.Now()}, nil
}

func callerOf(ctx context.Context) (identity.Caller, error) {
	caller, ok := identity.From(ctx)
	if !ok || caller.Player() == "" {
		return identity.Caller{}, rpc.Fail("not_logged_in", "the call comes from nobody who can play")
	}
	return caller, nil
}

// change is one command that is decided, and decided again when others were
// faster.
type change struct {
	request
	// game is the one that is changed, where the caller needs no more than to be
	// one of its people; empty otherwise.
	game string
	// load gives the state to decide on.
	load func(ctx context.Context) (State, error)
	// command makes the command for a state.
	command func(ctx context.Context, s State) (Command, error)
	// limits are what must hold after the change; nil for none.
	limits func(after State) []Limit
	// with is a change of another game that belongs to this one; nil for none.
	with func(ctx context.Context, after State) (*Commit, error)
}

// onGame is a change of a game that exists and that the caller may see.
func (s *Service) onGame(r request, game string, command func(context.Context, State) (Command, error)) change {
	return change{
		request: r,
		game:    game,
		command: command,
		load:    func(ctx context.Context) (State, error) { return s.visible(ctx, game, r.caller) },
	}
}

// run carries a command out once for its key, whatever goes wrong in between,
// and returns the state that answers it.
func (s *Service) run(ctx context.Context, c change) (State, error) {
	state, err := s.runRaw(ctx, c)
	return state, problemOf(err)
}

func (s *Service) runRaw(ctx context.Context, c change) (State, error) {
	var unknown *Commit
	var err error
	for attempt := range maxRaces {
		var answer State
		// Few commands are sent twice. One that was carried out before is refused
		// at its second commit, or for what it has done: then it is looked for.
		if attempt > 0 {
			var found bool
			answer, found, err = s.answered(ctx, c.request)
			if err != nil {
				return State{}, err
			}
			if found {
				if unknown != nil && s.stored(ctx, *unknown) {
					s.committed(*unknown)
				}
				return answer, nil
			}
		}
		answer, unknown, err = s.try(ctx, c)
		if err == nil {
			return answer, nil
		}
		if ctx.Err() != nil {
			return State{}, ctx.Err()
		}
		if !again(err) {
			return s.unlessAnswered(ctx, c.request, err)
		}
	}
	return State{}, err
}

// stored tells whether a commit of unknown outcome is what the store has. The
// same command, sent twice at once, may have been carried out by another replica
// an instant earlier: then its events are the truth, and not ours.
func (s *Service) stored(ctx context.Context, c Commit) bool {
	events, err := s.deps.Store.Events(ctx, c.After.ID, c.Before.Version, int32(len(c.Events)))
	return err == nil && slices.EqualFunc(events, c.Events, func(a, b Event) bool {
		return a.Kind == b.Kind && a.At == b.At
	})
}

// unlessAnswered looks once more before a command is refused: the same command,
// sent twice at once, may be what the second one is refused for. Where that
// cannot be seen the command is not refused: it may have happened.
func (s *Service) unlessAnswered(ctx context.Context, r request, refused error) (State, error) {
	answer, found, err := s.answered(ctx, r)
	switch {
	case err != nil:
		return State{}, err
	case found:
		return answer, nil
	}
	return State{}, refused
}

// again tells whether a command whose commit failed so is worth deciding again.
// A commit that may have happened cannot happen twice: the key is unique.
func again(err error) bool {
	return errors.Is(err, ErrStale) || errors.Is(err, ErrKeyTaken) || errors.Is(err, ErrUnknown)
}

// try decides and commits once, on what this replica remembers of the game where it
// remembers it. That may be old, which only the condition of a commit finds out: so
// whatever else comes of it is decided again on what the store has. A commit of
// unknown outcome is returned with its error.
func (s *Service) try(ctx context.Context, c change) (State, *Commit, error) {
	if before, ok := s.recent.get(c.game); ok && maySee(before, c.caller) {
		answer, sent, err := s.tryOn(ctx, c, before)
		if believeRecent() && errors.Is(err, ErrStale) {
			return sent.After, nil, nil
		}
		if sent != nil || away(err) {
			return answer, unknownOf(sent, err), err
		}
		s.recent.drop(c.game)
	}
	before, err := c.load(ctx)
	if err != nil {
		return State{}, nil, err
	}
	answer, sent, err := s.tryOn(ctx, c, before)
	return answer, unknownOf(sent, err), err
}

// away tells an error that says nothing about the command.
func away(err error) bool {
	if err == nil {
		return false
	}
	switch rpc.ToProblem(problemOf(err)).Code {
	case "unavailable", "timeout", "cancelled", "internal":
		return true
	}
	return false
}

func unknownOf(sent *Commit, err error) *Commit {
	if errors.Is(err, ErrUnknown) {
		return sent
	}
	return nil
}

// tryOn decides on a state and commits. The commit is returned where it was sent to
// the store, whatever came of it.
func (s *Service) tryOn(ctx context.Context, c change, before State) (State, *Commit, error) {
	command, err := c.command(ctx, before)
	if err != nil {
		return State{}, nil, err
	}
	now, credited, err := s.credited(ctx, before, command, c.at)
	if err != nil {
		return State{}, nil, err
	}
	events, refused := s.decide(ctx, now, command, c.at)
	if len(events) == 0 {
		return State{}, nil, refused
	}
	events = append(credited, events...)
	commit := s.prepare(before, events)
	if refused == nil && !ignoreKeys() {
		commit.Command = &CommandRecord{
			Owner: c.player, Key: c.key, Hash: c.hash, Game: commit.After.ID, Version: commit.After.Version,
		}
	}
	if refused == nil && c.with != nil {
		if commit.With, err = c.with(ctx, commit.After); err != nil {
			return State{}, nil, err
		}
	}
	if refused == nil && c.limits != nil {
		commit.Limits = c.limits(commit.After)
	}
	if err := s.commit(ctx, commit); err != nil {
		return State{}, &commit, err
	}
	s.committed(commit)
	return commit.After, &commit, refused
}

// decide asks the core, and the rules service when the core needs it.
func (s *Service) decide(ctx context.Context, state State, command Command, now time.Time) ([]Event, error) {
	events, err := Decide(state, command, nil, now)
	if !errors.Is(err, ErrNeedsRuling) {
		return events, err
	}
	var ruling *Ruling
	switch c := command.(type) {
	case Create:
		if ruling, err = s.inspect(ctx, c.Position); err != nil {
			err = startProblem(err, c)
		}
	case Play:
		c.Move, ruling, err = s.apply(ctx, state.Ruling.Position, c.Move.Text)
		command = c
	case EnginePlay:
		c.Move, ruling, err = s.apply(ctx, state.Ruling.Position, c.Move.Text)
		command = c
	case OfferTakeback:
		ruling, err = s.rulingAgain(ctx, state, c.Player)
	case AnswerTakeback:
		ruling, err = s.rulingAgain(ctx, state, "")
	}
	if err != nil {
		return nil, err
	}
	return Decide(state, command, ruling, now)
}

func (s *Service) inspect(ctx context.Context, p Position) (*Ruling, error) {
	response, err := s.deps.Rules.Inspect(ctx, &rulesv1.InspectRequest{Position: p.wire()})
	if err != nil {
		return nil, fmt.Errorf("ask the rules for a position: %w", err)
	}
	return rulingOf(response.GetRuling()), nil
}

func (s *Service) apply(ctx context.Context, p Position, move string) (Move, *Ruling, error) {
	response, err := s.deps.Rules.Apply(ctx, &rulesv1.ApplyRequest{Position: p.wire(), Move: move})
	if err != nil {
		return Move{}, nil, fmt.Errorf("ask the rules for a move: %w", err)
	}
	return moveOf(response.GetMove()), rulingOf(response.GetRuling()), nil
}

// timely refuses what depends on a clock while the time is not known well.
func (s *Service) timely(state State, command Command) error {
	create, _ := command.(Create)
	if state.Clock == nil && create.Clock == nil {
		return nil
	}
	if s.deps.Time.Uncertainty() > maxUncertainty {
		return rpc.Fail("clock_uncertain", "the game has a clock")
	}
	return nil
}

// prepare is the commit of events, without a command.
func (s *Service) prepare(before State, events []Event) Commit {
	after := Fold(before, events)
	begin, done := changeDue(before, after)
	c := Commit{Before: before, After: after, Events: events, Done: done}
	for _, o := range begin {
		if forgetsDue(o, after.ID) {
			continue
		}
		due := Due{Game: after.ID, Kind: o.Kind, Version: o.Version, At: o.At}
		if immediate(o.Kind) && o.At <= after.ChangedAt {
			// Claimed from the first: who commits acts. What is due later is left to
			// the sweep, so that it survives whoever commits.
			due.At += s.lease(o.Kind).Milliseconds()
			due.Attempts = 1
		}
		c.Due = append(c.Due, due)
	}
	return c
}

// store commits, and counts what did not go well.
func (s *Service) store(ctx context.Context, c Commit) error {
	err := s.deps.Store.Commit(ctx, c)
	if err != nil {
		s.recent.drop(c.After.ID)
	}
	switch {
	case errors.Is(err, ErrStale), errors.Is(err, ErrKeyTaken):
		s.deps.Metrics.raced()
	case errors.Is(err, ErrUnknown):
		s.deps.Metrics.notKnown()
	}
	return err
}

// committed does what follows a commit: copies for the bus, and the
// obligations that this replica has claimed with it.
func (s *Service) committed(c Commit) {
	if c.With != nil {
		s.committed(*c.With)
	}
	s.recent.put(c.After)
	state := c.Before
	for i, e := range c.Events {
		if i == len(c.Events)-1 {
			state = c.After
		} else {
			state = Evolve(state, e)
		}
		s.deps.Metrics.event(state.Rules, e.Kind)
		if s.deps.Publish == nil {
			continue
		}
		if err := s.deps.Publish(e.copyFor(state)); err != nil {
			s.deps.Metrics.notPublished()
			s.deps.Log.Debug("event not published", "game", state.ID, "version", state.Version, "err", err)
		}
	}
	for _, due := range c.Due {
		if due.Attempts == 0 {
			continue
		}
		select {
		case s.waiting <- due:
		default: // the sweep of any replica takes it when the claim ends
		}
	}
}

// answered finds the answer to a command that was carried out before.
func (s *Service) answered(ctx context.Context, r request) (State, bool, error) {
	if ignoreKeys() {
		return State{}, false, nil
	}
	record, found, err := s.deps.Store.Command(ctx, r.player, r.key)
	if err != nil || !found {
		return State{}, false, err
	}
	if record.Hash != r.hash {
		return State{}, false, rpc.Fail("key_reused", "the key belongs to another command of the caller")
	}
	if answerNow() {
		state, err := s.deps.Store.Load(ctx, record.Game)
		return state, err == nil, err
	}
	state, err := s.stateAt(ctx, record.Game, record.Version)
	return state, err == nil, err
}

// stateAt is the state of a game at a version, from its events.
func (s *Service) stateAt(ctx context.Context, game string, version int32) (State, error) {
	var state State
	for state.Version < version {
		events, err := s.deps.Store.Events(ctx, game, state.Version, min(eventPage, version-state.Version))
		if err != nil {
			return State{}, err
		}
		if len(events) == 0 && state.Version == 0 {
			return State{}, ErrNotFound // forgotten since
		}
		if len(events) == 0 {
			return State{}, fmt.Errorf("game %s has no version %d", game, version)
		}
		state = Fold(state, events)
	}
	return state, nil
}

// rulingAgain is the ruling of the position that stands again once moves are
// taken back: the player's own where one is named, else those of who wishes it.
func (s *Service) rulingAgain(ctx context.Context, state State, player string) (*Ruling, error) {
	seat := state.side(state.Takeback)
	switch {
	case state.Self():
		seat = 1 - state.ToMove()
	case player != "":
		seat = state.SeatOf(player)
	}
	var events []Event
	for int32(len(events)) < state.Version {
		page, err := s.deps.Store.Events(ctx, state.ID, int32(len(events)), eventPage)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break // the last ones are about to be written
		}
		events = append(events, page...)
	}
	return rulingAt(events[:min(len(events), int(state.Version))], len(state.Plies)-int(state.back(seat)))
}

// problemOf is what an error means to a client.
func problemOf(err error) error {
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*Refused](err); ok {
		p := rpc.Fail(refused.Code, refused.Detail)
		p.Squares = refused.Squares
		for _, name := range refused.Fields {
			p.Fields = append(p.Fields, rpc.Field{Name: name, Code: refused.Code, Detail: refused.Detail})
		}
		return p
	}
	if full, ok := errors.AsType[*FullError](err); ok {
		return rpc.Fail("too_many_games", fmt.Sprintf("at most %d %s", full.Limit.Most, full.Limit.Of))
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return rpc.Fail("game_not_found", "")
	case errors.Is(err, ErrStale), errors.Is(err, ErrKeyTaken):
		return rpc.Fail("conflict", "the game changed at the same time")
	case errors.Is(err, ErrUnknown), errors.Is(err, ErrUnavailable):
		return rpc.Fail("unavailable", "")
	}
	return err
}
