package tournaments_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play/keyed"
	"tabuleiro/services/play/tournaments"
)

var errAway = errors.New("away")

// fakeGames are games that end when the test says so.
type fakeGames struct {
	made    map[string]tournaments.NewGame
	results map[string]string
	ended   map[string]string
	// moved are games in which both sides have moved.
	moved map[string]bool
	// fails says whether the next call fails.
	fails func() bool
	// meanwhile happens once, before the next game is made; answering once, when a
	// result was looked up and the answer is on its way.
	meanwhile, answering func()
}

func (g *fakeGames) Make(_ context.Context, n tournaments.NewGame) error {
	if g.fails() {
		return errAway
	}
	if meanwhile := g.meanwhile; meanwhile != nil {
		g.meanwhile = nil
		meanwhile()
	}
	if old, ok := g.made[n.ID]; ok && !reflect.DeepEqual(old, n) {
		panic("a game is made twice, differently")
	}
	g.made[n.ID] = n
	if g.fails() {
		return errAway // and yet it is made
	}
	return nil
}

func (g *fakeGames) Over(_ context.Context, ids []string) (map[string]string, error) {
	if g.fails() {
		return nil, errAway
	}
	over := map[string]string{}
	for _, id := range ids {
		if result, ok := g.results[id]; ok {
			over[id] = result
		}
	}
	if answering := g.answering; answering != nil {
		g.answering = nil
		answering()
	}
	return over, nil
}

func (g *fakeGames) Progress(_ context.Context, id string) (tournaments.Progress, error) {
	if g.fails() {
		return tournaments.Progress{}, rpc.Fail("unavailable", "")
	}
	_, made := g.made[id]
	_, over := g.results[id]
	return tournaments.Progress{Running: made && !over, Side: 1, Moved: g.moved[id]}, nil
}

func (g *fakeGames) End(_ context.Context, id, result, _ string) (bool, error) {
	if g.fails() {
		return false, errAway
	}
	if _, made := g.made[id]; !made {
		return false, nil
	}
	if _, over := g.results[id]; !over {
		g.results[id], g.ended[id] = "aborted", result
	}
	return true, nil
}

// fakePeople knows everybody: a name begins with what the organiser is to them.
type fakePeople struct{ closed bool }

func (fakePeople) Persons(_ context.Context, viewer string, accounts []string, login, _, _ string) ([]tournaments.Person, error) {
	var persons []tournaments.Person
	if login != "" {
		accounts = append(accounts, login)
	}
	for _, a := range accounts {
		p := tournaments.Person{Account: a, Name: a, Relation: "none"}
		_, _ = fmt.Sscanf(a, "pupil%d", &p.Rating)
		switch {
		case a == viewer:
			p.Relation = "self"
		case len(a) > 5 && a[:5] == "pupil":
			p.Relation, p.Protected = "teacher", true
		case a == "child":
			p.Protected = true
		case a == "nobody":
			return nil, rpc.Fail("account_not_found", "")
		}
		persons = append(persons, p)
	}
	return persons, nil
}

func (fakePeople) Levels(_ context.Context, levels []string, _, _ string) ([]tournaments.Player, error) {
	var players []tournaments.Player
	for _, l := range levels {
		players = append(players, tournaments.Player{Level: l, Name: l, Rating: 1200})
	}
	return players, nil
}

// Circle: boss and colleague teach the pupils.
func (fakePeople) Circle(_ context.Context, account string) (tournaments.Circle, error) {
	all := map[string]bool{}
	switch {
	case account == "boss", account == "colleague":
		for _, p := range pupils(9) {
			all[p] = true
		}
		return tournaments.Circle{Pupils: all}, nil
	case strings.HasPrefix(account, "pupil"):
		return tournaments.Circle{Teachers: map[string]bool{"boss": true, "colleague": true}}, nil
	}
	return tournaments.Circle{}, nil
}

// Relations: the child and the pupils meet no strangers.
func (fakePeople) Relations(_ context.Context, viewer string, subjects []string) ([]tournaments.Person, error) {
	var persons []tournaments.Person
	for _, a := range subjects {
		relation := "none"
		if viewer == "boss" && strings.HasPrefix(a, "pupil") {
			relation = "teacher"
		}
		persons = append(persons, tournaments.Person{Account: a, Relation: relation, Protected: a == "child" || strings.HasPrefix(a, "pupil")})
	}
	return persons, nil
}

func (p fakePeople) MayPlayEngine(context.Context, string, string) error {
	if p.closed {
		return rpc.Fail("gate_closed", "")
	}
	return nil
}

type fixedTime struct{ ms int64 }

func (t *fixedTime) Now() time.Time { return time.UnixMilli(t.ms) }

// world is two replicas of the service on one store.
type world struct {
	t        *testing.T
	time     *fixedTime
	store    *tournaments.Memory
	games    *fakeGames
	replicas [2]*tournaments.Service
	random   *rand.Rand
	faults   bool
	keys     int
	id       string
}

func newWorld(t *testing.T, seed uint64, people fakePeople) *world {
	w := &world{
		t: t, time: &fixedTime{ms: 1_000_000}, store: tournaments.NewMemory(), random: rand.New(rand.NewPCG(seed, 1)),
		games: &fakeGames{made: map[string]tournaments.NewGame{}, results: map[string]string{}, ended: map[string]string{}, moved: map[string]bool{}},
	}
	chance := func(of int) bool { return w.faults && w.random.IntN(of) == 0 }
	w.games.fails = func() bool { return chance(6) }
	w.store.Fails = func() (bool, bool) { fails := chance(5); return fails, !fails || chance(2) }
	ids := 0
	for i := range w.replicas {
		w.replicas[i] = tournaments.New(tournaments.Config{MaxOpen: 3}, tournaments.Deps{
			Store: w.store, Games: w.games, People: people, Time: w.time, Random: w.random.Uint64,
			CheckDraws: func(_ context.Context, _, draws string) error {
				if draws == "bad" {
					return rpc.Fail("bad_field", "")
				}
				return nil
			},
			SpeedOf: func(int32, int32) string { return "none" },
			NewID:   func() string { ids++; return fmt.Sprintf("id%05d", ids) },
		})
	}
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// as is a context of an account with a key.
func (w *world) as(account, key string) context.Context {
	ctx := identity.With(w.t.Context(), identity.Caller{Account: account, Session: "s"})
	return rpc.WithKey(ctx, key)
}

func (w *world) key() string { w.keys++; return fmt.Sprint("k", w.keys) }

// insist repeats a command with its key until it is carried out, as clients do.
func insist[In, Out any](w *world, account string, call func(*tournaments.Service) func(context.Context, In) (Out, error), in In) (Out, error) {
	ctx := w.as(account, w.key())
	for {
		out, err := call(w.replicas[w.random.IntN(2)])(ctx, in)
		if p, ok := rpc.ProblemOf(err); ok && p.Code == "unavailable" {
			continue
		}
		return out, err
	}
}

func (w *world) create(in *playv1.CreateTournamentRequest) {
	w.t.Helper()
	in.Name, in.Rules = "T", "chess"
	out, err := insist(w, "boss", func(s *tournaments.Service) func(context.Context, *playv1.CreateTournamentRequest) (*playv1.CreateTournamentResponse, error) {
		return s.CreateTournament
	}, in)
	must(w.t, err)
	w.id = out.GetTournament().GetId()
}

func (w *world) add(accounts []string, levels ...string) error {
	_, err := insist(w, "boss", func(s *tournaments.Service) func(context.Context, *playv1.AddPlayersRequest) (*playv1.AddPlayersResponse, error) {
		return s.AddPlayers
	}, &playv1.AddPlayersRequest{Tournament: w.id, Accounts: accounts, Levels: levels})
	return err
}

func (w *world) start() error {
	_, err := insist(w, "boss", func(s *tournaments.Service) func(context.Context, *playv1.StartTournamentRequest) (*playv1.StartTournamentResponse, error) {
		return s.StartTournament
	}, &playv1.StartTournamentRequest{Tournament: w.id})
	return err
}

func (w *world) pair() error {
	_, err := insist(w, "boss", func(s *tournaments.Service) func(context.Context, *playv1.PairRoundRequest) (*playv1.PairRoundResponse, error) {
		return s.PairRound
	}, &playv1.PairRoundRequest{Tournament: w.id})
	return err
}

func (w *world) withdraw(account string, player int32) error {
	_, err := insist(w, account, func(s *tournaments.Service) func(context.Context, *playv1.WithdrawPlayerRequest) (*playv1.WithdrawPlayerResponse, error) {
		return s.WithdrawPlayer
	}, &playv1.WithdrawPlayerRequest{Tournament: w.id, Player: player})
	return err
}

func (w *world) decide(round, board int32, result string) error {
	_, err := insist(w, "boss", func(s *tournaments.Service) func(context.Context, *playv1.DecideBoardRequest) (*playv1.DecideBoardResponse, error) {
		return s.DecideBoard
	}, &playv1.DecideBoardRequest{Tournament: w.id, Round: round, Board: board, Result: result})
	return err
}

func (w *world) join(account string) error {
	_, err := insist(w, account, func(s *tournaments.Service) func(context.Context, *playv1.JoinTournamentRequest) (*playv1.JoinTournamentResponse, error) {
		return s.JoinTournament
	}, &playv1.JoinTournamentRequest{Tournament: w.id})
	return err
}

func (w *world) cancel() error {
	_, err := insist(w, "boss", func(s *tournaments.Service) func(context.Context, *playv1.CancelTournamentRequest) (*playv1.CancelTournamentResponse, error) {
		return s.CancelTournament
	}, &playv1.CancelTournamentRequest{Tournament: w.id})
	return err
}

func (w *world) get() *playv1.Tournament {
	w.t.Helper()
	out, err := w.replicas[0].GetTournament(w.as("boss", ""), &playv1.GetTournamentRequest{Tournament: w.id})
	must(w.t, err)
	return out.GetTournament()
}

func (w *world) sweep() {
	w.t.Helper()
	if err := w.replicas[w.random.IntN(2)].Look(w.t.Context()); err != nil && !errors.Is(err, keyed.ErrUnavailable) {
		w.t.Fatal(err)
	}
}

// playOut lets games end by chance until the tournament is over.
func (w *world) playOut() *playv1.Tournament {
	w.t.Helper()
	for range 20_000 {
		w.sweep()
		t := w.get()
		if t.GetStatus() == "finished" {
			return t
		}
		for _, id := range slices.Sorted(maps.Keys(w.games.made)) {
			if _, over := w.games.results[id]; !over && w.random.IntN(3) == 0 {
				w.games.results[id] = []string{"1-0", "0-1", "1/2-1/2", "1-0", "0-1", "aborted"}[w.random.IntN(6)]
			}
			// Word of a result comes once, several times, or never.
			if _, over := w.games.results[id]; over && w.random.IntN(3) == 0 {
				if err := w.replicas[w.random.IntN(2)].GameOver(w.t.Context(), w.id, id); err != nil && !errors.Is(err, keyed.ErrUnavailable) && !errors.Is(err, errAway) {
					w.t.Fatal(err)
				}
			}
		}
		if r := t.GetPlayed(); len(r) > 0 {
			for _, b := range r[len(r)-1].GetBoards() {
				if b.GetResult() == "" && len(b.GetGames()) >= 3 && w.random.IntN(4) == 0 {
					_ = w.decide(int32(len(r)), b.GetNumber(), "1-0") // where it is over by now, it is refused
				}
			}
		}
	}
	w.t.Fatalf("the tournament has no end: %v", w.get())
	return nil
}

func pupils(n int) []string {
	var accounts []string
	for i := range n {
		accounts = append(accounts, fmt.Sprint("pupil", 1000+i))
	}
	return accounts
}

// TestTournamentsUnderFaults plays whole tournaments of all kinds while stores and
// games fail before and after what they do, on two replicas, and looks at what
// came of it by rules of its own.
func TestTournamentsUnderFaults(t *testing.T) {
	for seed := range uint64(80) {
		kind := []string{"round_robin", "double_round_robin", "swiss", "knockout"}[seed%4]
		t.Run(fmt.Sprint(kind, seed), func(t *testing.T) {
			w := newWorld(t, seed, fakePeople{})
			w.faults = true
			n := 2 + w.random.IntN(9)
			in := &playv1.CreateTournamentRequest{Kind: kind, Auto: true}
			if kind == "knockout" {
				in.Games, in.Tie = int32(1+w.random.IntN(3)), []string{"seed", "more"}[w.random.IntN(2)]
			}
			w.create(in)
			must(t, w.add(pupils(n)))
			if seed%3 == 0 {
				must(t, w.add(nil, "plies-4"))
				n++
			}
			must(t, w.start())
			check(t, w, w.playOut(), n)
		})
	}
}

func check(t *testing.T, w *world, tournament *playv1.Tournament, n int) {
	t.Helper()
	met, known := map[[2]int32]int{}, map[string]bool{}
	points := make([]float64, n+1)
	for _, r := range tournament.GetPlayed() {
		seen := map[int32]bool{}
		for _, b := range r.GetBoards() {
			if seen[b.GetWhite()] || b.GetBlack() != 0 && seen[b.GetBlack()] {
				t.Errorf("round %d: a player plays twice: %v", r.GetNumber(), r)
			}
			seen[b.GetWhite()], seen[b.GetBlack()] = true, true
			switch b.GetResult() {
			case "1-0", "bye":
				points[b.GetWhite()]++
			case "0-1":
				points[b.GetBlack()]++
			case "1/2-1/2":
				points[b.GetWhite()] += 0.5
				points[b.GetBlack()] += 0.5
			case "":
				t.Errorf("a board without a result: %v", b)
			}
			if b.GetBlack() != 0 && !(b.GetDecided() && tournament.GetKind() == "swiss") {
				// In a Swiss tournament those whose game was not played may meet again.
				met[[2]int32{min(b.GetWhite(), b.GetBlack()), max(b.GetWhite(), b.GetBlack())}]++
			}
			for _, g := range b.GetGames() {
				if known[g.GetId()] {
					t.Errorf("a game of two boards: %v", g)
				}
				known[g.GetId()] = true
				if made, ok := w.games.made[g.GetId()]; g.GetResult() != "" {
					white, black := tournament.GetPlayers()[b.GetWhite()-1], tournament.GetPlayers()[b.GetBlack()-1]
					if g.GetReversed() {
						white, black = black, white
					}
					if !ok || w.games.results[g.GetId()] != g.GetResult() || made.Players[0].Name != white.GetName() || made.Players[1].Name != black.GetName() {
						t.Errorf("the board says %v, the game is %v with %s", g, made, w.games.results[g.GetId()])
					}
				}
			}
		}
	}
	for id := range w.games.made {
		if !known[id] {
			t.Errorf("a game of no board: %s", id)
		}
	}
	times := map[string]int{"round_robin": 1, "double_round_robin": 2}[tournament.GetKind()]
	for a := int32(1); a <= int32(n); a++ {
		for b := a + 1; b <= int32(n); b++ {
			switch got := met[[2]int32{a, b}]; {
			case times > 0 && got != times:
				t.Errorf("%d and %d met %d times", a, b, got)
			case tournament.GetKind() == "swiss" && got > 1:
				t.Errorf("%d and %d met %d times", a, b, got)
			}
		}
	}
	last := 1e9
	for _, line := range tournament.GetTable() {
		if line.GetPoints() != points[line.GetPlayer()] || line.GetPoints() > last {
			t.Errorf("the table says %v, the boards %v", line, points[line.GetPlayer()])
		}
		last = line.GetPoints()
	}
	if len(tournament.GetTable()) != n {
		t.Errorf("%d lines for %d players", len(tournament.GetTable()), n)
	}
	// What is stored is what the events say.
	state, err := w.store.Load(t.Context(), w.id)
	must(t, err)
	again, err := w.store.At(t.Context(), w.id, state.Version)
	must(t, err)
	if !reflect.DeepEqual(state, again) {
		t.Errorf("stored %+v\nevents %+v", state, again)
	}
}

func wantCode(t *testing.T, name string, err error, code string) {
	t.Helper()
	if p, ok := rpc.ProblemOf(err); !ok || p.Code != code {
		t.Errorf("%s: got %v, want %s", name, err, code)
	}
}

func TestRefusals(t *testing.T) {
	w := newWorld(t, 1, fakePeople{})
	create := func(in *playv1.CreateTournamentRequest) error {
		in.Rules = "chess"
		_, err := w.replicas[0].CreateTournament(w.as("boss", w.key()), in)
		return err
	}
	wantCode(t, "no name", create(&playv1.CreateTournamentRequest{Name: " ", Kind: "swiss"}), "bad_field")
	wantCode(t, "rounds", create(&playv1.CreateTournamentRequest{Name: "x", Kind: "knockout", Rounds: 3}), "bad_field")
	wantCode(t, "games", create(&playv1.CreateTournamentRequest{Name: "x", Kind: "swiss", Games: 3}), "bad_field")
	wantCode(t, "draws", create(&playv1.CreateTournamentRequest{Name: "x", Kind: "swiss", Draws: "bad"}), "bad_field")
	w.create(&playv1.CreateTournamentRequest{Kind: "swiss", Rounds: 3, MaxPlayers: 6})
	wantCode(t, "alone", w.start(), "too_few_players")
	wantCode(t, "not invited", w.join("ana"), "tournament_not_found")
	must(t, w.add([]string{"ana"}))
	wantCode(t, "invited twice", w.add([]string{"ana"}), "already_joined")
	wantCode(t, "a stranger's child", w.add([]string{"child"}), "forbidden")
	wantCode(t, "nobody", w.add([]string{"nobody"}), "account_not_found")
	wantCode(t, "no players", w.add(nil), "bad_field")
	must(t, w.add(pupils(2)))
	wantCode(t, "three rounds of two", w.start(), "too_few_players")
	must(t, w.join("ana"))
	wantCode(t, "joined twice", w.join("ana"), "already_joined")
	must(t, w.add(pupils(5)[2:]))
	wantCode(t, "too many", w.add([]string{"bia"}), "tournament_full")
	wantCode(t, "pairing before the start", w.pair(), "tournament_not_started")
	wantCode(t, "others' players", w.withdraw("ana", 2), "forbidden")
	for name, call := range map[string]func() error{
		"start": func() error {
			_, err := w.replicas[0].StartTournament(w.as("ana", w.key()), &playv1.StartTournamentRequest{Tournament: w.id})
			return err
		},
		"add": func() error {
			_, err := w.replicas[0].AddPlayers(w.as("ana", w.key()), &playv1.AddPlayersRequest{Tournament: w.id, Accounts: []string{"x"}})
			return err
		},
		"pair": func() error {
			_, err := w.replicas[0].PairRound(w.as("ana", w.key()), &playv1.PairRoundRequest{Tournament: w.id})
			return err
		},
		"decide": func() error {
			_, err := w.replicas[0].DecideBoard(w.as("ana", w.key()), &playv1.DecideBoardRequest{Tournament: w.id, Round: 1, Board: 1, Result: "1-0"})
			return err
		},
		"cancel": func() error {
			_, err := w.replicas[0].CancelTournament(w.as("ana", w.key()), &playv1.CancelTournamentRequest{Tournament: w.id})
			return err
		},
	} {
		wantCode(t, name+" by a player", call(), "forbidden")
	}
	_, err := w.replicas[0].GetTournament(w.as("bia", ""), &playv1.GetTournamentRequest{Tournament: w.id})
	wantCode(t, "a stranger looks", err, "tournament_not_found")
	must(t, w.start())
	wantCode(t, "started twice", w.start(), "tournament_started")
	wantCode(t, "too late", w.add([]string{"bia"}), "tournament_started")
	w.sweep()
	wantCode(t, "the round runs", w.pair(), "round_not_complete")
	wantCode(t, "no such round", w.decide(2, 1, "1-0"), "board_not_found")
	wantCode(t, "no such board", w.decide(1, 9, "1-0"), "board_not_found")
	must(t, w.decide(1, 1, "1-0"))
	wantCode(t, "decided twice", w.decide(1, 1, "1-0"), "no_change")
	must(t, w.withdraw("ana", 0))
	wantCode(t, "left twice", w.withdraw("ana", 0), "player_not_found")
	must(t, w.cancel())
	wantCode(t, "cancelled twice", w.cancel(), "tournament_over")
	wantCode(t, "over", w.pair(), "tournament_over")
	w.sweep()
	for id := range w.games.made {
		if _, over := w.games.results[id]; !over {
			t.Errorf("game %s goes on in a tournament that was cancelled", id)
		}
	}
	w.create(&playv1.CreateTournamentRequest{Kind: "swiss"})
	w.create(&playv1.CreateTournamentRequest{Kind: "swiss"})
	w.create(&playv1.CreateTournamentRequest{Kind: "swiss"})
	wantCode(t, "a fourth", create(&playv1.CreateTournamentRequest{Name: "x", Kind: "swiss"}), "too_many_tournaments")
}

// TestEntries: who may join what.
func TestEntries(t *testing.T) {
	for _, test := range []struct{ entry, account, code string }{
		{"invited", "boss", ""}, {"invited", "pupil1000", "tournament_not_found"},
		{"class", "pupil1000", ""}, {"class", "ana", "tournament_not_found"},
		{"open", "ana", ""}, {"open", "child", "forbidden"}, {"open", "pupil1000", ""},
	} {
		w := newWorld(t, 1, fakePeople{})
		w.create(&playv1.CreateTournamentRequest{Kind: "swiss", Entry: test.entry})
		if err := w.join(test.account); test.code == "" {
			must(t, err)
		} else {
			wantCode(t, test.entry+" "+test.account, err, test.code)
		}
	}
	w := newWorld(t, 1, fakePeople{closed: true})
	w.create(&playv1.CreateTournamentRequest{Kind: "swiss", Entry: "open"})
	must(t, w.join("ana"))
	wantCode(t, "the engine with a closed gate", w.add(nil, "plies-4"), "gate_closed")
}

// TestDeadlineAndWithdrawal: a round whose time is up is decided against the side
// to move, a player who leaves loses the running game and those to come.
func TestDeadlineAndWithdrawal(t *testing.T) {
	w := newWorld(t, 3, fakePeople{})
	w.create(&playv1.CreateTournamentRequest{Kind: "round_robin", RoundMinutes: 1})
	must(t, w.add(pupils(4)))
	must(t, w.start())
	w.sweep()
	w.sweep()
	w.time.ms += 60_000
	w.sweep()
	w.sweep()
	for _, b := range w.get().GetPlayed()[0].GetBoards() {
		if b.GetResult() != "1-0" || !b.GetDecided() { // the fake's side to move is Black
			t.Errorf("after the deadline: %v", b)
		}
	}
	if len(w.games.ended) != 2 {
		t.Errorf("games that were ended: %v", w.games.ended)
	}
	must(t, w.pair())
	must(t, w.withdraw("boss", 1))
	must(t, w.withdraw("pupil1001", 0))
	lost := 0
	for _, b := range w.get().GetPlayed()[1].GetBoards() {
		if b.GetWhite() <= 2 && b.GetResult() == "0-1" || b.GetBlack() <= 2 && b.GetResult() == "1-0" {
			lost++
		}
	}
	if lost == 0 {
		t.Errorf("who left has not lost: %v", w.get().GetPlayed()[1])
	}
}

// A replica makes a game while another one cancels the tournament and looks for
// what is to be ended: the game is not there yet, and ends all the same.
func TestAGameThatIsMadeTooLateIsEnded(t *testing.T) {
	w := newWorld(t, 1, fakePeople{})
	w.create(&playv1.CreateTournamentRequest{Kind: tournaments.RoundRobin, Auto: true})
	must(t, w.add(pupils(2)))
	must(t, w.start())
	must(t, w.replicas[0].Sweep(t.Context())) // pairs
	w.games.meanwhile = func() {
		must(t, w.cancel())
		must(t, w.replicas[1].Sweep(t.Context()))
	}
	must(t, w.replicas[0].Sweep(t.Context()))
	if len(w.games.made) != 1 || len(w.games.ended) != 1 {
		t.Errorf("%d games were made and %d ended", len(w.games.made), len(w.games.ended))
	}
	must(t, w.replicas[1].Sweep(t.Context()))
	if ids, err := w.store.Active(t.Context(), "", 9); err != nil || len(ids) > 0 {
		t.Errorf("still active: %v, %v", ids, err)
	}
}
