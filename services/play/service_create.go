package play

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

const (
	defaultLevel = "plies-4"
	// enginePlies ends a game of the engine with itself unless asked otherwise.
	enginePlies = 300
)

// CreateGame implements playv1.PlayServiceServer.
func (s *Service) CreateGame(ctx context.Context, in *playv1.CreateGameRequest) (*playv1.CreateGameResponse, error) {
	r, err := s.request(ctx, "CreateGame", in)
	if err != nil {
		return nil, err
	}
	// Drawn once: deciding again must not make another game.
	id, lot := s.deps.NewID(), s.deps.Random()
	c := change{
		request: r,
		load:    func(context.Context) (State, error) { return State{}, nil },
		command: func(ctx context.Context, _ State) (Command, error) { return s.create(ctx, r.caller, in, id, lot) },
		limits:  s.limits,
	}
	if old := in.GetReplaces(); old != nil && old.GetHow() != "keep" {
		c.with = func(ctx context.Context, _ State) (*Commit, error) { return s.replace(ctx, r, old) }
	}
	state, err := s.run(ctx, c)
	if err != nil {
		return nil, err
	}
	return &playv1.CreateGameResponse{Game: state.whole(r.player)}, nil
}

// replace is what becomes of the game that a new one takes the place of; nil
// where nothing does.
func (s *Service) replace(ctx context.Context, r request, old *playv1.Replaces) (*Commit, error) {
	state, err := s.visible(ctx, old.GetGame(), r.caller)
	if err != nil {
		return nil, err
	}
	if !state.Involves(r.player) {
		return nil, refuse("not_your_seat", "the caller plays no side of the game that is replaced")
	}
	var command Command
	switch {
	case state.Status == StatusOpen:
		command = Cancel{Player: r.player}
	case state.Status != StatusRunning && state.Status != StatusSuspended:
		return nil, nil
	case old.GetHow() == "abort", state.Engines():
		command = Abort{Player: r.player}
	default:
		command = Resign{Player: r.player}
	}
	now, credited, err := s.credited(ctx, state, command, r.at)
	if err != nil {
		return nil, err
	}
	// A refusal with events is a flag that has fallen: the game is over as well.
	events, refused := Decide(now, command, nil, r.at)
	if len(events) == 0 {
		return nil, refused
	}
	commit := s.prepare(state, append(credited, events...))
	return &commit, nil
}

func (s *Service) create(ctx context.Context, caller identity.Caller, in *playv1.CreateGameRequest, id string, lot uint64) (Command, error) {
	if err := fitting(in); err != nil {
		return nil, err
	}
	if caller.Guest && (in.GetRated() || in.GetRules() != guestRules || in.GetInvite() != "" || in.GetOpponent() == OpponentEngines) {
		return nil, needsAccount()
	}
	if how := in.GetReplaces().GetHow(); how == "" || how == "keep" {
		if err := s.room(ctx, caller); err != nil {
			return nil, err
		}
	}
	rules, err := s.gameRules(ctx, in.GetRules(), in.GetDraws())
	if err != nil {
		return nil, err
	}
	sides := [2]string(rules.GetSides())
	own, err := ownSeat(in.GetSide(), sides, lot)
	if err != nil {
		return nil, err
	}
	opponent := map[string]string{OpponentEngine: SeatEngine, OpponentPerson: SeatOpen, OpponentSelf: SeatPerson}[in.GetOpponent()]
	if err := s.mayTake(ctx, caller, in.GetRules(), opponent); err != nil {
		return nil, err
	}
	c := Create{
		ID: id, Rules: in.GetRules(), Visibility: cmp.Or(in.GetVisibility(), visibilityPrivate), Rated: in.GetRated(),
		Position: Position{Rules: in.GetRules(), Text: in.GetStart(), Draws: in.GetDraws()}, Start: in.GetStart(),
		Opponent: in.GetOpponent(), Maker: caller.Player(), Values: valuesOf(rules),
		Options: Options{
			Takebacks: in.GetOptions().GetTakebacks(), Hints: in.GetOptions().GetHints(),
			TouchMove: in.GetOptions().GetTouchMove(), ConfirmMove: in.GetOptions().GetConfirmMove(),
		},
	}
	if clock := in.GetClock(); clock != nil {
		c.Clock = &Settings{InitialMS: clock.GetInitialMs(), IncrementMS: clock.GetIncrementMs()}
	}
	c.MoveSeconds = in.GetMoveSeconds()
	if in.GetOpponent() != OpponentEngines {
		c.Side = sides[own]
	}
	if err := s.seat(ctx, caller, in, &c, sides, own, lot); err != nil {
		return nil, err
	}
	if record := in.GetRecord(); record != nil {
		if c.Position, c.Plies, c.Start, err = s.record(ctx, in.GetRules(), in.GetDraws(), record); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// fitting refuses fields that do not go together.
func fitting(in *playv1.CreateGameRequest) error {
	opponent := in.GetOpponent()
	switch {
	case opponent != OpponentEngine && in.GetLevel() != "":
		return badField("level", "only the engine has a level")
	case in.GetMoveSeconds() > 0 && (opponent != OpponentEngine && opponent != OpponentEngines || in.GetClock() != nil):
		return badField("move_seconds", "only a game without a clock against the engine has it")
	case opponent != OpponentPerson && in.GetInvite() != "":
		return badField("invite", "only a person can be invited")
	case opponent != OpponentEngines && (len(in.GetEngines()) > 0 || in.GetMaxPlies() != 0):
		return badField("engines", "only for the engine against itself")
	case len(in.GetEngines()) == 1:
		return badField("engines", "must be two")
	case in.GetStart() != "" && in.GetRecord() != nil:
		return badField("record", "not together with a start")
	case in.GetOptions().GetTouchMove() && in.GetRules() == guestRules:
		return badField("options.touch_move", "the game has no pieces to touch")
	}
	return nil
}

// seat fills the seats of a new game.
func (s *Service) seat(ctx context.Context, caller identity.Caller, in *playv1.CreateGameRequest, c *Create, sides [2]string, own int, lot uint64) error {
	var who [2]Seat
	seeds := [2]int32{in.GetSeed(), in.GetSeed()}
	for i := range who {
		who[i] = Seat{Side: sides[i], Kind: SeatPerson, Player: caller.Player(), Account: caller.Account}
	}
	other := &who[1-own]
	switch in.GetOpponent() {
	case OpponentEngine:
		*other = Seat{Side: other.Side, Kind: SeatEngine, Level: cmp.Or(in.GetLevel(), defaultLevel)}
	case OpponentPerson:
		*other = Seat{Side: other.Side, Kind: SeatOpen}
	case OpponentEngines:
		c.MaxPlies = cmp.Or(in.GetMaxPlies(), enginePlies)
		for i := range who {
			who[i] = Seat{Side: sides[i], Kind: SeatEngine, Level: defaultLevel}
			if len(in.GetEngines()) == 2 {
				who[i].Level = cmp.Or(in.GetEngines()[i].GetLevel(), defaultLevel)
				seeds[i] = in.GetEngines()[i].GetSeed()
			}
		}
	}
	profiles, err := s.profiles(ctx, c.Rules, SpeedOf(c.Clock), who[:], in.GetInvite())
	if err != nil {
		return err
	}
	if err := mayBeWatched(c.Visibility, profiles, who[:]); err != nil {
		return err
	}
	for i := range who {
		seat, profile := &who[i], profiles[i]
		switch seat.Kind {
		case SeatPerson:
			seat.Name, seat.Rating, seat.Provisional = profile.Name, profile.Rating, profile.Provisional
			if c.Opponent == OpponentSelf { // nobody's strength is tried
				seat.Rating, seat.Provisional = 0, false
			}
		case SeatEngine:
			seat.Name, seat.Rating = seat.Level, profile.Rating
			seat.Seed = seedOf(seeds[i], lot>>i)
		}
	}
	c.Sheltered = other.Kind == SeatOpen && in.GetInvite() == "" && profiles[own].sheltered()
	if in.GetInvite() != "" {
		guest := profiles[2]
		if guest.Account == caller.Account {
			return badField("invite", "must be somebody else")
		}
		if err := s.mayInvite(ctx, caller, guest); err != nil {
			return err
		}
		if own := profiles[own]; own.sheltered() {
			if may, err := s.acquainted(ctx, own, guest); err != nil || !may {
				return cmp.Or(err, meetsStrangers())
			}
		}
		*other = Seat{
			Side: other.Side, Kind: SeatInvited, Account: guest.Account,
			Name: guest.Name, Rating: guest.Rating, Provisional: guest.Provisional,
		}
	}
	c.Seats = who
	return nil
}

// mayBeWatched refuses a public game of a person who is protected. An invited
// person is asked when they accept.
func mayBeWatched(visibility string, profiles []Profile, seats []Seat) error {
	for i, seat := range seats {
		if visibility == visibilityPublic && seat.Kind == SeatPerson && !profiles[i].Public {
			return rpc.Fail("minor_private", "a player may not play where anyone may watch")
		}
	}
	return nil
}

// record reads the record that a game goes on from: its position, the plies that
// led to it, and the text of the position before them.
func (s *Service) record(ctx context.Context, rules, draws string, from *playv1.FromRecord) (Position, []Ply, string, error) {
	if rules == guestRules {
		return Position{}, nil, "", badField("record", "the game has no records")
	}
	read, err := s.deps.Rules.ReadRecord(ctx, &rulesv1.ReadRecordRequest{
		Rules: rules, Text: from.GetText(), Draws: draws, Skip: max(0, from.GetGame()-1), Limit: 1,
	})
	if err != nil {
		return Position{}, nil, "", fmt.Errorf("ask the rules for a record: %w", err)
	}
	if len(read.GetGames()) == 0 {
		return Position{}, nil, "", badRecord("record.game", "not_found", "the text has no such game")
	}
	game := read.GetGames()[0]
	moves := game.GetMoves()
	ply := int32(len(moves))
	if from.Ply != nil {
		ply = from.GetPly()
	}
	if game.GetSpoiled() && (from.Ply == nil || int(ply) > len(moves)) {
		return Position{}, nil, "", spoilt(game)
	}
	if int(ply) > len(moves) {
		return Position{}, nil, "", badField("record.ply", fmt.Sprintf("the game has %d moves", len(moves)))
	}
	if ply >= maxPlies[rules] {
		return Position{}, nil, "", badField("record.ply", "the game could not go on for long")
	}
	replayed, err := s.deps.Rules.Replay(ctx, &rulesv1.ReplayRequest{Position: game.GetStart(), Moves: moves[:ply]})
	if err != nil {
		return Position{}, nil, "", fmt.Errorf("ask the rules for a record's moves: %w", err)
	}
	var plies []Ply
	for i, m := range replayed.GetMoves() {
		plies = append(plies, Ply{Number: int32(i) + 1, Side: m.GetSide(), Move: moveOf(m.GetMove()), Taken: m.GetTaken()})
	}
	return rulingOf(replayed.GetRuling()).Position, plies, game.GetStart().GetText(), nil
}

func badRecord(field, code, detail string) error {
	return &rpc.Problem{Code: "bad_record", Detail: detail, Fields: []rpc.Field{{Name: field, Code: code, Detail: detail}}}
}

// spoilt says where a record is at fault.
func spoilt(game *rulesv1.RecordedGame) error {
	p := &rpc.Problem{Code: "bad_record", Detail: "a fault cuts the moves short"}
	for _, f := range game.GetFaults() {
		p.Fields = append(p.Fields, rpc.Field{
			Name: "record.text", Code: f.GetCode(),
			Detail: fmt.Sprintf("line %d, column %d: %s", f.GetLine(), f.GetColumn(), f.GetMessage()),
		})
	}
	return p
}

// gameRules are what the rules service says of a game. It refuses games and sets
// of draw rules that are not known.
func (s *Service) gameRules(ctx context.Context, rules, draws string) (*rulesv1.GameRules, error) {
	response, err := s.deps.Rules.ListRules(ctx, &rulesv1.ListRulesRequest{})
	if err != nil {
		return nil, fmt.Errorf("ask for the games: %w", err)
	}
	for _, r := range response.GetRules() {
		if r.GetRules() != rules || len(r.GetSides()) != 2 {
			continue
		}
		for _, set := range append([]string{""}, r.GetDraws()...) {
			if set == draws {
				return r, nil
			}
		}
		return nil, badField("draws", "the game has no such set of draw rules")
	}
	return nil, badField("rules", "the game is not played here")
}

// profiles are what a game shows of the players of seats, by their account or
// level, and of one more person by the login. Guests, who have neither, are
// nobody in particular; a game of guests alone asks nobody, so that it works
// while accounts is away.
func (s *Service) profiles(ctx context.Context, rules, speed string, seats []Seat, login string) ([]Profile, error) {
	profiles := make([]Profile, len(seats))
	in := &accountsv1.GetPlayersRequest{Rules: rules, Speed: speed, Login: login}
	for i, seat := range seats {
		switch {
		case seat.Account != "":
			in.Accounts = append(in.Accounts, seat.Account)
		case seat.Level != "":
			in.Levels = append(in.Levels, seat.Level)
		default:
			profiles[i] = Profile{Name: "guest", Public: true}
		}
	}
	if len(in.Accounts) == 0 && !(len(in.Levels) == len(seats)) {
		return profiles, nil
	}
	response, err := s.deps.Accounts.GetPlayers(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("ask for players: %w", err)
	}
	find := func(known []*accountsv1.Player, is func(*accountsv1.Player) bool) (Profile, bool) {
		for _, p := range known {
			if is(p) {
				return Profile{
					Account: p.GetAccount(), Name: p.GetName(),
					Rating: p.GetRating().GetRating(), Provisional: p.GetRating().GetProvisional(),
					Public: p.GetPublicGames(), Protected: p.GetProtected(),
				}, true
			}
		}
		return Profile{}, false
	}
	for i, seat := range seats {
		switch {
		case seat.Account != "":
			p, ok := find(response.GetPlayers(), func(p *accountsv1.Player) bool { return p.GetAccount() == seat.Account })
			if !ok {
				return nil, rpc.Fail("account_not_found", "a player's account is gone")
			}
			profiles[i] = p
		case seat.Level != "": // a level without a rating has none
			profiles[i], _ = find(response.GetLevels(), func(p *accountsv1.Player) bool { return p.GetName() == seat.Level })
		}
	}
	if login != "" {
		p, ok := find(response.GetPlayers(), func(p *accountsv1.Player) bool { return strings.EqualFold(p.GetName(), login) })
		if !ok {
			return nil, nobodyCalled()
		}
		profiles = append(profiles, p)
	}
	return profiles, nil
}

// valuesOf is what kinds of pieces are worth; nil where the game does not count
// so.
func valuesOf(r *rulesv1.GameRules) map[string]int32 {
	var values map[string]int32
	for _, v := range r.GetValues() {
		if values == nil {
			values = map[string]int32{}
		}
		values[v.GetKind()] = v.GetValue()
	}
	return values
}

// startProblem names the field of the request where a position is refused that
// came with it.
func startProblem(err error, c Create) error {
	p, ok := rpc.ProblemOf(err)
	if !ok || c.Start == "" {
		return err
	}
	named := *p
	named.Fields = nil
	for _, f := range p.Fields {
		f.Name = strings.Replace(f.Name, "position.text", "start", 1)
		named.Fields = append(named.Fields, f)
	}
	return &named
}
