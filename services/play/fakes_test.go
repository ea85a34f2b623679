package play

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

var errAway = status.Error(codes.Unavailable, "away")

// fakeRules judges a game in which any text is a move but "bad"; "win" and
// "draw" end it, after "claim" a draw may be claimed, and after "weak" only the
// side that moves first can still win.
type fakeRules struct {
	rulesv1.RulesServiceClient
	away bool
}

var fakeSides = map[string][]string{
	"chess": {"white", "black"}, "draughts": {"white", "black"}, "tictactoe": {"x", "o"},
}

func (f *fakeRules) ListRules(context.Context, *rulesv1.ListRulesRequest, ...grpc.CallOption) (*rulesv1.ListRulesResponse, error) {
	if f.away {
		return nil, errAway
	}
	out := &rulesv1.ListRulesResponse{}
	for _, rules := range []string{"chess", "draughts", "tictactoe"} {
		out.Rules = append(out.Rules, &rulesv1.GameRules{Rules: rules, Sides: fakeSides[rules], Draws: []string{"d"}, Values: []*rulesv1.PieceValue{{Kind: "mark", Value: 2}}})
	}
	return out, nil
}

func fakeRuling(p *commonv1.Position, ply int) *commonv1.Ruling {
	sides := fakeSides[p.GetRules()]
	return &commonv1.Ruling{
		Position: &commonv1.Position{Rules: p.GetRules(), Text: strconv.Itoa(ply), Draws: p.GetDraws(), History: p.GetHistory() + "."},
		Side:     sides[ply%2],
		Moves:    []*commonv1.Move{{Text: "m", To: "m", Path: []string{"m"}}, {Text: "n", To: "n", Path: []string{"n"}}},
		CanWin:   sides,
		Pieces:   []*commonv1.Piece{{Square: "a1", Side: sides[0], Kind: "mark"}},
	}
}

func (f *fakeRules) Inspect(_ context.Context, in *rulesv1.InspectRequest, _ ...grpc.CallOption) (*rulesv1.InspectResponse, error) {
	if f.away {
		return nil, errAway
	}
	ply := 0
	switch text := in.GetPosition().GetText(); text {
	case "":
	case "bad":
		return nil, &rpc.Problem{Code: "bad_position", Fields: []rpc.Field{{Name: "position.text", Code: "no_king"}}}
	default:
		var err error
		if ply, err = strconv.Atoi(text); err != nil {
			return nil, rpc.Fail("bad_text", "")
		}
	}
	return &rulesv1.InspectResponse{Ruling: fakeRuling(in.GetPosition(), ply)}, nil
}

// ReadRecord reads words as moves; "spoilt" cuts them short.
func (f *fakeRules) ReadRecord(_ context.Context, in *rulesv1.ReadRecordRequest, _ ...grpc.CallOption) (*rulesv1.ReadRecordResponse, error) {
	out := &rulesv1.ReadRecordResponse{}
	if in.GetSkip() > 0 {
		return out, nil
	}
	game := &rulesv1.RecordedGame{Index: 1, Rules: in.GetRules(), Start: &commonv1.Position{Rules: in.GetRules(), Text: "0"}}
	for i, word := range strings.Fields(in.GetText()) {
		if word == "spoilt" {
			game.Spoiled = true
			game.Faults = append(game.Faults, &rulesv1.RecordFault{Code: "cannot_move_so", Line: 1, Column: 7, Ply: int32(i) + 1, Message: "no"})
			break
		}
		game.Moves = append(game.Moves, word)
	}
	out.Games = append(out.Games, game)
	return out, nil
}

func (f *fakeRules) Replay(_ context.Context, in *rulesv1.ReplayRequest, _ ...grpc.CallOption) (*rulesv1.ReplayResponse, error) {
	out := &rulesv1.ReplayResponse{}
	for i, text := range in.GetMoves() {
		out.Moves = append(out.Moves, &rulesv1.ReplayedMove{
			Side: fakeSides[in.GetPosition().GetRules()][i%2], Move: &commonv1.Move{Text: text}, Taken: []string{"mark"},
		})
	}
	out.Ruling = fakeRuling(in.GetPosition(), len(in.GetMoves()))
	return out, nil
}

func (f *fakeRules) Apply(_ context.Context, in *rulesv1.ApplyRequest, _ ...grpc.CallOption) (*rulesv1.ApplyResponse, error) {
	if f.away {
		return nil, errAway
	}
	ply, err := strconv.Atoi(in.GetPosition().GetText())
	if err != nil {
		return nil, rpc.Fail("bad_position", "")
	}
	sides := fakeSides[in.GetPosition().GetRules()]
	r := fakeRuling(in.GetPosition(), ply+1)
	switch in.GetMove() {
	case "bad":
		return nil, &rpc.Problem{Code: "cannot_move_so", Squares: []string{"a1"}}
	case "win":
		r.Outcome, r.Moves = &commonv1.Outcome{Winner: &sides[ply%2], Reason: "three_in_a_row"}, nil
	case "draw":
		r.Outcome, r.Moves = &commonv1.Outcome{Reason: "board_full"}, nil
	case "claim":
		r.Claims = []string{"repetition_3"}
	case "weak":
		r.CanWin = sides[:1]
	}
	return &rulesv1.ApplyResponse{Move: &commonv1.Move{Text: in.GetMove(), Notation: in.GetMove(), To: "m"}, Ruling: r}, nil
}

type searchRequest = searchv1.BestMoveRequest

// fakeSearch plays what it is told, and does something before.
type fakeSearch struct {
	searchv1.SearchServiceClient
	mu    sync.Mutex
	move  string
	err   error
	while func(*searchv1.BestMoveRequest)
	calls int
	score int32
}

func (f *fakeSearch) BestMove(_ context.Context, in *searchv1.BestMoveRequest, _ ...grpc.CallOption) (*searchv1.BestMoveResponse, error) {
	f.mu.Lock()
	move, err, while := f.move, f.err, f.while
	f.calls++
	f.mu.Unlock()
	if while != nil {
		while(in)
	}
	if err != nil {
		return nil, err
	}
	return &searchv1.BestMoveResponse{Move: move, Depth: 1, Score: f.score}, nil
}

// fakeAccounts knows everybody, under a rating of 1500, and keeps a ledger.
type fakeAccounts struct {
	accountsv1.AccountsServiceClient
	mu    sync.Mutex
	err   error
	rated map[string]int
	last  *accountsv1.RateRequest
}

func (f *fakeAccounts) GetPlayers(_ context.Context, in *accountsv1.GetPlayersRequest, _ ...grpc.CallOption) (*accountsv1.GetPlayersResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil, f.err
	}
	out := &accountsv1.GetPlayersResponse{}
	for _, level := range in.GetLevels() {
		out.Levels = append(out.Levels, &accountsv1.Player{Name: level, Rating: &accountsv1.Rating{Rating: 900}})
	}
	for _, account := range in.GetAccounts() {
		if account != "gone" {
			out.Players = append(out.Players, &accountsv1.Player{
				Account: account, Name: "Name of " + account, Rating: &accountsv1.Rating{Rating: 1500, Provisional: true},
				PublicGames: account != "child", Protected: account == "child",
			})
		}
	}
	if login := in.GetLogin(); login != "" && login != "nobody" {
		out.Players = append(out.Players, &accountsv1.Player{
			Account: login[:1], Name: login, Rating: &accountsv1.Rating{Rating: 1600}, PublicGames: true, Protected: login == "kid",
		})
	}
	return out, nil
}

func (f *fakeAccounts) Rate(_ context.Context, in *accountsv1.RateRequest, _ ...grpc.CallOption) (*accountsv1.RateResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil, f.err
	}
	f.rated[in.GetGame()]++
	f.last = in
	return &accountsv1.RateResponse{Seats: []*accountsv1.SeatRating{
		{Before: 1500, After: 1450 + 50*in.GetFirstHalfPoints()},
		{Before: 1500, After: 1550 - 50*in.GetFirstHalfPoints()},
	}}, nil
}

// fakeAudit is an audit log; it hears the first deaf calls without an answer.
type fakeAudit struct {
	mu   sync.Mutex
	err  error
	deaf int
	keys map[string]bool
	rows []string
}

func (f *fakeAudit) RecordAudit(ctx context.Context, in *accountsv1.RecordAuditRequest, _ ...grpc.CallOption) (*accountsv1.RecordAuditResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil, f.err
	}
	if key := rpc.Key(ctx); !f.keys[key] {
		f.keys[key] = true
		f.rows = append(f.rows, fmt.Sprint(in.GetActor(), " ", in.GetAction(), " ", in.GetSubjects(), " ", in.GetObject(), " ", in.GetWhy()))
	}
	if f.deaf > 0 {
		f.deaf--
		return nil, errAway
	}
	return &accountsv1.RecordAuditResponse{}, nil
}

// fakeTutor has one verdict for everybody.
type fakeTutor struct {
	tutorv1.TutorServiceClient
	missing []string
	err     error
	calls   int
}

func (f *fakeTutor) CheckGate(context.Context, *tutorv1.CheckGateRequest, ...grpc.CallOption) (*tutorv1.CheckGateResponse, error) {
	f.calls++
	if f.err != nil {
		return nil, f.err
	}
	return &tutorv1.CheckGateResponse{Open: len(f.missing) == 0, Missing: f.missing}, nil
}

// fakeTime stands still until it is told to go on.
type fakeTime struct {
	mu          sync.Mutex
	now         time.Time
	uncertainty time.Duration
	beat        func(at int64) // of another replica that is always up; nil for none
}

func (f *fakeTime) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fakeTime) Uncertainty() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.uncertainty
}

func (f *fakeTime) pass(d time.Duration) {
	for ; d > beatEvery; d -= beatEvery {
		f.step(beatEvery)
	}
	f.step(d)
}

func (f *fakeTime) step(d time.Duration) {
	f.mu.Lock()
	f.now = f.now.Add(d)
	now, beat := f.now, f.beat
	f.mu.Unlock()
	if beat != nil {
		beat(now.UnixMilli())
	}
}

// world is a service with everything around it.
type world struct {
	*Service
	t        *testing.T
	store    Store
	rules    *fakeRules
	search   *fakeSearch
	accounts *fakeAccounts
	tutor    *fakeTutor
	audit    *fakeAudit
	time     *fakeTime
	cfg      Config
	time2    Time // instead of time, when set
	uuids    bool // real ids instead of short ones
	// relations are by viewer and subject, with a blank between them.
	relations map[string]string
	relateErr error
	teaches   map[string][]string // who teaches whom

	mu        sync.Mutex
	ids, keys int
	published []*busv1.GameEvent
	busAway   bool
}

func newWorld(t *testing.T) *world { return worldOn(t, NewMemory()) }

func worldOn(t *testing.T, store Store) *world {
	w := &world{
		t: t, store: store,
		rules: &fakeRules{}, search: &fakeSearch{move: "m"}, accounts: &fakeAccounts{rated: map[string]int{}},
		tutor: &fakeTutor{}, audit: &fakeAudit{keys: map[string]bool{}}, time: &fakeTime{now: at(0)},
	}
	w.time.beat = func(at int64) {
		if _, err := store.Beat(t.Context(), at, outageAfter.Milliseconds()); err != nil {
			t.Error(err)
		}
	}
	w.restart()
	return w
}

// restart forgets what the service has in memory.
func (w *world) restart() { w.Service = w.replica() }

func (w *world) replica() *Service { return w.replicaOn(w.store) }

func (w *world) replicaOn(store Store) *Service {
	var clock Time = w.time
	if w.time2 != nil {
		clock = w.time2
	}
	return New(w.cfg, Deps{
		Store: store, Rules: w.rules, Search: w.search, Accounts: w.accounts, Tutor: w.tutor, Audit: w.audit,
		Publish: w.publish, Time: clock,
		NewID: func() string {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.ids++
			if w.uuids {
				return fmt.Sprintf("01900000-0000-7000-8000-%012d", w.ids)
			}
			return fmt.Sprintf("%02d", w.ids)
		},
		Random: func() uint64 { return 0 },
		Relate: func(_ context.Context, viewer string, subjects []string) (map[string]string, error) {
			relations := map[string]string{}
			for _, subject := range subjects {
				relations[subject] = w.relations[viewer+" "+subject]
			}
			return relations, w.relateErr
		},
		Taught: func(_ context.Context, teacher string, others []string) ([]string, error) {
			return slices.DeleteFunc(slices.Clone(others), func(o string) bool { return !slices.Contains(w.teaches[teacher], o) }), nil
		},
	})
}

func (w *world) publish(m *busv1.GameEvent) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busAway {
		return errAway
	}
	w.published = append(w.published, m)
	return nil
}

// as is a call of a player, an account's or "guest:..."'s, with a new key.
func (w *world) as(player string) context.Context {
	w.mu.Lock()
	w.keys++
	key := fmt.Sprint("key", w.keys)
	w.mu.Unlock()
	return w.with(player, key)
}

func (w *world) with(player, key string) context.Context {
	caller := identity.Caller{Account: player, Session: "s"}
	if len(player) > 6 && player[:6] == "guest:" {
		caller = identity.Caller{Guest: true, Session: player[6:]}
	}
	return rpc.WithKey(identity.With(w.t.Context(), caller), key)
}

func (w *world) create(player string, in *playv1.CreateGameRequest) *playv1.Game {
	w.t.Helper()
	out, err := w.CreateGame(w.as(player), in)
	must(w.t, err)
	return out.GetGame()
}

func (w *world) againstEngine(player string, clock *playv1.ClockSettings) *playv1.Game {
	w.t.Helper()
	return w.create(player, &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Side: "first", Clock: clock})
}

// pair is a running game of chess of "w" and "b".
func (w *world) pair(in *playv1.CreateGameRequest) *playv1.Game {
	w.t.Helper()
	in.Rules, in.Opponent, in.Side = "chess", "person", "white"
	id := w.create("w", in).GetId()
	out, err := w.AcceptGame(w.as("b"), &playv1.AcceptGameRequest{Game: id})
	must(w.t, err)
	return out.GetGame()
}

func (w *world) move(player, game string, turn int32, text string) (*playv1.Game, error) {
	out, err := w.Move(w.as(player), &playv1.MoveRequest{Game: game, Move: text, Turn: &turn})
	return out.GetGame(), err
}

func (w *world) moved(player, game string, turn int32, text string) *playv1.Game {
	w.t.Helper()
	g, err := w.move(player, game, turn, text)
	must(w.t, err)
	return g
}

func (w *world) get(player, game string) *playv1.Game {
	w.t.Helper()
	out, err := w.GetGame(w.as(player), &playv1.GetGameRequest{Game: game})
	must(w.t, err)
	return out.GetGame()
}

// step acts on one obligation that must be there, after the engine's pause.
func (w *world) step() {
	w.t.Helper()
	acted, err := w.DueStep(w.t.Context())
	must(w.t, err)
	if !acted {
		w.time.pass(longPause)
		acted, err = w.DueStep(w.t.Context())
		must(w.t, err)
	}
	if !acted {
		w.t.Fatal("nothing was due")
	}
}

func (w *world) idle() {
	w.t.Helper()
	acted, err := w.DueStep(w.t.Context())
	must(w.t, err)
	if acted {
		w.t.Fatal("something was due")
	}
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	problem, ok := rpc.ProblemOf(err)
	if !ok || problem.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	if _, known := rpc.Lookup(code); !known {
		t.Fatalf("the catalogue does not know %s", code)
	}
}
