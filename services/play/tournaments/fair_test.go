package tournaments_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play/tournaments"
)

// begun is a tournament of boss whose first games are being played.
func begun(t *testing.T, in *playv1.CreateTournamentRequest, accounts ...string) *world {
	t.Helper()
	w := newWorld(t, 3, fakePeople{})
	w.create(in)
	must(t, w.add(accounts))
	for _, account := range accounts {
		if account != "boss" && !strings.HasPrefix(account, "pupil") {
			must(t, w.join(account))
		}
	}
	must(t, w.start())
	w.sweep()
	w.sweep()
	return w
}

// boardOf is the board of a player in a round, and who plays there as White and
// Black, by their names.
func (w *world) boardOf(round int, name string) (board *playv1.TournamentBoard, white, black string) {
	w.t.Helper()
	one := w.get()
	names := map[int32]string{}
	for _, p := range one.GetPlayers() {
		names[p.GetNumber()] = p.GetName()
	}
	for _, b := range one.GetPlayed()[round-1].GetBoards() {
		if names[b.GetWhite()] == name || names[b.GetBlack()] == name {
			return b, names[b.GetWhite()], names[b.GetBlack()]
		}
	}
	w.t.Fatalf("%s does not play in round %d: %v", name, round, one)
	return nil, "", ""
}

func (w *world) gameOf(round int, name string) string {
	w.t.Helper()
	board, _, _ := w.boardOf(round, name)
	return board.GetGames()[len(board.GetGames())-1].GetId()
}

// decideAs decides a board as the organiser with roles.
func (w *world) decideAs(round int, board int32, result string, roles ...string) error {
	ctx := identity.With(w.t.Context(), identity.Caller{Account: "boss", Session: "s", Roles: roles})
	_, err := w.replicas[0].DecideBoard(rpc.WithKey(ctx, w.key()), &playv1.DecideBoardRequest{Tournament: w.id, Round: int32(round), Board: board, Result: result})
	return err
}

// TestAnOrganiserDecidesNoBoardOfTheirOwn, neither while its game runs nor later;
// the boards of others they do.
func TestAnOrganiserDecidesNoBoardOfTheirOwn(t *testing.T) {
	w := begun(t, &playv1.CreateTournamentRequest{Kind: "round_robin", Rated: true}, "boss", "pupil1001", "pupil1002", "pupil1003")
	own, white, _ := w.boardOf(1, "boss")
	wins := "0-1"
	if white == "boss" {
		wins = "1-0"
	}
	for _, roles := range [][]string{nil, {"teacher"}, {"operator"}} {
		wantCode(t, fmt.Sprint("their own, as ", roles), w.decideAs(1, own.GetNumber(), wins, roles...), "forbidden")
	}
	w.over(1, int(own.GetNumber()), 1, "1/2-1/2")
	wantCode(t, "their own, played", w.decideAs(1, own.GetNumber(), wins, "teacher"), "forbidden")
	must(t, w.decideAs(1, 3-own.GetNumber(), "1-0"))
}

// TestWhatAnOrganiserDecidesIsRatedByTeachersAndOperatorsOnly: anybody may
// organise, and would give away rating by deciding running games.
func TestWhatAnOrganiserDecidesIsRatedByTeachersAndOperatorsOnly(t *testing.T) {
	for _, test := range []struct {
		name    string
		unrated bool
		players []string
		roles   []string
		leaves  bool // the organiser takes a player out instead
		want    string
	}{
		{name: "anybody", players: []string{"ana", "bia"}, want: "annul"},
		{name: "a teacher of nobody there", players: []string{"ana", "bia"}, roles: []string{"teacher"}, want: "annul"},
		{name: "who is no teacher", players: []string{"ana", "pupil1001"}, want: "annul"},
		{name: "a teacher of one", players: []string{"ana", "pupil1001"}, roles: []string{"teacher"}, want: "1-0"},
		{name: "an operator", players: []string{"ana", "bia"}, roles: []string{"operator"}, want: "1-0"},
		{name: "an unrated game", unrated: true, players: []string{"ana", "bia"}, want: "1-0"},
		{name: "who takes the other out", players: []string{"ana", "bia"}, leaves: true, want: "annul"},
		{name: "a teacher who takes the opponent out", players: []string{"boss", "pupil1001"}, roles: []string{"teacher"}, leaves: true, want: "annul"},
		{name: "a teacher who takes a pupil out", players: []string{"ana", "pupil1001"}, roles: []string{"teacher"}, leaves: true, want: "1-0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := begun(t, &playv1.CreateTournamentRequest{Kind: "round_robin", Rated: !test.unrated}, test.players...)
			game := w.gameOf(1, test.players[1])
			w.games.moved[game] = true
			if test.leaves {
				board, white, _ := w.boardOf(1, test.players[1])
				number := board.GetBlack()
				if white == test.players[1] {
					number = board.GetWhite()
				}
				ctx := identity.With(t.Context(), identity.Caller{Account: "boss", Session: "s", Roles: test.roles})
				_, err := w.replicas[0].WithdrawPlayer(rpc.WithKey(ctx, w.key()), &playv1.WithdrawPlayerRequest{Tournament: w.id, Player: number})
				must(t, err)
			} else {
				must(t, w.decideAs(1, 1, "0-1", test.roles...))
				must(t, w.decideAs(1, 1, "1-0", test.roles...)) // before the game has ended
			}
			w.sweep()
			got := w.games.ended[game]
			if test.want == "1-0" && test.leaves && got == "0-1" {
				got = "1-0" // whoever has White
			}
			if got != test.want {
				t.Errorf("the game ends with %q, want %q", got, test.want)
			}
			if b, _, _ := w.boardOf(1, test.players[1]); b.GetResult() == "" {
				t.Errorf("the board is %v", b)
			}
		})
	}
}

// TestCancellingTakesBackNoGame: what has begun is played to its end, whoever is
// losing; what has not is annulled.
func TestCancellingTakesBackNoGame(t *testing.T) {
	w := begun(t, &playv1.CreateTournamentRequest{Kind: "round_robin", Rated: true}, "boss", "pupil1001", "pupil1002", "pupil1003")
	own, _, _ := w.boardOf(1, "boss")
	game := w.gameOf(1, "boss")
	w.games.moved[game] = true
	must(t, w.cancel())
	w.sweep()
	w.sweep()
	if end, ended := w.games.ended[game]; ended {
		t.Errorf("the organiser's game ends with %q", end)
	}
	other := w.get().GetPlayed()[0].GetBoards()[2-own.GetNumber()].GetGames()[0].GetId()
	if end := w.games.ended[other]; end != "annul" {
		t.Errorf("a game that has not begun ends with %q", end)
	}
	w.over(1, int(own.GetNumber()), 1, "0-1")
	if got := w.get(); got.GetStatus() != "cancelled" || got.GetPlayed()[0].GetBoards()[own.GetNumber()-1].GetResult() != "" {
		t.Errorf("when it has ended: %v", got)
	}
	state, err := w.store.Load(t.Context(), w.id)
	must(t, err)
	if owed := tournaments.Owes(state, w.time.ms); len(owed.Close) > 0 {
		t.Errorf("still owed is %+v", owed)
	}
}

// TestWhoGivesUpByLeavingLosesRating: to leave is no way out of a lost game.
func TestWhoGivesUpByLeavingLosesRating(t *testing.T) {
	w := begun(t, &playv1.CreateTournamentRequest{Kind: "round_robin", Rated: true}, "boss", "bia")
	game := w.gameOf(1, "boss")
	w.games.moved[game] = true
	must(t, w.withdraw("boss", 0))
	w.sweep()
	if got := w.games.ended[game]; got != "1-0" && got != "0-1" {
		t.Errorf("the game ends with %q", got)
	}
}

// TestWhoAbortsMoreOftenLoses: after three games of a board that were aborted it is
// lost by who did so more often, whatever the colours.
func TestWhoAbortsMoreOftenLoses(t *testing.T) {
	const white, black, nobody = tournaments.AbortedByWhite, tournaments.AbortedByBlack, tournaments.Aborted
	for _, test := range []struct {
		kind   string
		games  int32
		ends   []string
		result string
		// late is the result when the time of the round is up.
		late string
	}{
		{kind: "round_robin", ends: []string{black, black, black}, result: "1-0!"},
		{kind: "round_robin", ends: []string{white, white, white}, result: "0-1!"},
		{kind: "swiss", ends: []string{white, black, black}, result: "1-0!"},
		{kind: "round_robin", ends: []string{white, black, nobody}, late: "0-0!"},
		{kind: "round_robin", ends: []string{nobody, nobody, nobody}, late: "0-0!"},
		{kind: "round_robin", ends: []string{nobody, nobody, black}, result: "1-0!"},
		{kind: "knockout", ends: []string{nobody, white, black}, late: "seed"},
		{kind: "knockout", ends: []string{black, white, white}, result: "0-1!"},
		// The second game of a match has the colours reversed.
		{kind: "knockout", games: 2, ends: []string{"1/2-1/2", white, white, white}, result: "1-0!"},
		{kind: "knockout", games: 2, ends: []string{"1-0", nobody, nobody, nobody}, late: "1-0"},
	} {
		t.Run(fmt.Sprint(test.kind, test.ends), func(t *testing.T) {
			in := &playv1.CreateTournamentRequest{Kind: test.kind, Games: test.games, RoundMinutes: 1, Rounds: map[string]int32{"swiss": 1}[test.kind]}
			w := begun(t, in, "pupil1001", "pupil1002")
			board := func() string { return boards(w.get(), 1)[0][len("1-2 "):] }
			for i, end := range test.ends {
				if got := board(); got != "" {
					t.Fatalf("after %d games: %s", i, got)
				}
				w.over(1, 1, i+1, end)
				w.over(1, 1, i+1, end) // word comes twice
				w.sweep()
				w.sweep()
			}
			if got := board(); got != test.result {
				t.Errorf("got %q, want %q", got, test.result)
			}
			if games := w.get().GetPlayed()[0].GetBoards()[0].GetGames(); len(games) != len(test.ends) {
				t.Errorf("the games are %v", games)
			}
			if test.late == "" {
				return
			}
			w.time.ms += 60_000
			w.sweep()
			want := test.late
			if want == "seed" {
				want = "0-1!"
				one := w.get()
				for _, p := range one.GetPlayers() {
					if p.GetNumber() == one.GetPlayed()[0].GetBoards()[0].GetWhite() && p.GetSeed() == 1 {
						want = "1-0!"
					}
				}
			}
			if got := board(); got != want {
				t.Errorf("when the time is up: got %q, want %q", got, want)
			}
		})
	}
}

// TestTakingOutAPlayerWhoLeftHitsNobodyElse: numbers stay with their players, also
// before the start, through it and in the table.
func TestTakingOutAPlayerWhoLeftHitsNobodyElse(t *testing.T) {
	w := newWorld(t, 3, fakePeople{})
	w.create(&playv1.CreateTournamentRequest{Kind: "swiss", Rounds: 1, Late: true})
	must(t, w.add(pupils(4)))
	must(t, w.withdraw("pupil1000", 0))
	wantCode(t, "who left", w.withdraw("boss", 1), "player_not_found")
	must(t, w.withdraw("pupil1003", 0))
	must(t, w.add([]string{"pupil1003"}))
	wantCode(t, "the number that was the last", w.withdraw("boss", 4), "player_not_found")
	must(t, w.add([]string{"ana"}))
	must(t, w.join("ana"))
	players := func() (list []string) {
		one := w.get()
		for _, p := range one.GetPlayers() {
			list = append(list, fmt.Sprint(p.GetNumber(), " ", p.GetName(), " ", p.GetStatus()))
		}
		return list
	}
	want := []string{"2 pupil1001 in", "3 pupil1002 in", "5 pupil1003 in", "6 ana in"}
	if got := players(); !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	must(t, w.start())
	w.sweep()
	w.sweep()
	for _, b := range w.get().GetPlayed()[0].GetBoards() {
		for _, n := range []int32{b.GetWhite(), b.GetBlack()} {
			if n != 2 && n != 3 && n != 5 && n != 6 {
				t.Errorf("nobody has the number of a board: %v", b)
			}
		}
	}
	wantCode(t, "who left, after the start", w.withdraw("boss", 1), "player_not_found")
	must(t, w.withdraw("boss", 6))
	want[3] = "6 ana withdrawn"
	if got := players(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if b, white, _ := w.boardOf(1, "ana"); (b.GetResult() == "0-1") != (white == "ana") || b.GetResult() == "" {
		t.Errorf("who was taken out has not lost: %v", b)
	}
	must(t, w.add([]string{"pupil1007"}))
	one, err := w.replicas[0].GetTournament(w.as("pupil1007", ""), &playv1.GetTournamentRequest{Tournament: w.id})
	must(t, err)
	if you := one.GetTournament().GetYou(); you != 7 {
		t.Errorf("who came last is %d", you)
	}
	for _, line := range one.GetTournament().GetTable() {
		if n := line.GetPlayer(); n != 2 && n != 3 && n < 5 || n > 7 {
			t.Errorf("nobody has the number of a line: %v", line)
		}
	}
	state, err := w.store.Load(t.Context(), w.id)
	must(t, err)
	again, err := w.store.At(t.Context(), w.id, state.Version)
	must(t, err)
	if got, want := fmt.Sprint(again), fmt.Sprint(state); got != want {
		t.Errorf("events %s\nstored %s", got, want)
	}
}

// TestNumbersOfBefore: a tournament of before numbers were kept goes on with the
// places of its players, which nobody else gets from then on.
func TestNumbersOfBefore(t *testing.T) {
	old := tournaments.State{Setup: tournaments.Setup{ID: "t", Kind: tournaments.Swiss, MaxPlayers: 9}, Status: tournaments.StatusOpen, Version: 3}
	for _, name := range []string{"ana", "bia", "cai"} {
		old.Players = append(old.Players, tournaments.Player{Account: name, Status: tournaments.PlayerIn})
	}
	for name, commands := range map[string][]tournaments.Command{
		"one leaves": {tournaments.Leave{Player: 0}, tournaments.Enter{Players: []tournaments.Player{{Account: "dan", Status: tournaments.PlayerIn}}}},
		"one enters": {tournaments.Enter{Players: []tournaments.Player{{Account: "dan", Status: tournaments.PlayerIn}}}, tournaments.Leave{Player: 0}},
	} {
		s := old
		for _, c := range commands {
			events, err := tournaments.Decide(s, c, 9)
			must(t, err)
			s = tournaments.Fold(s, events)
		}
		var got []string
		for _, p := range s.Players {
			got = append(got, fmt.Sprint(p.Number, p.Account))
		}
		if want := []string{"2bia", "3cai", "4dan"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// TestAGameThatWasPlayedCounts, however it ended: its players have met, with these
// colours, and nobody has won without playing.
func TestAGameThatWasPlayedCounts(t *testing.T) {
	for name, end := range map[string]func(w *world){
		"by the deadline": func(w *world) { w.time.ms += 60_000 },
		"by a withdrawal": func(w *world) { must(w.t, w.withdraw("pupil1002", 0)) },
		"by the organiser's withdrawal": func(w *world) {
			one := w.get()
			at := slices.IndexFunc(one.GetPlayers(), func(p *playv1.TournamentPlayer) bool { return p.GetName() == "pupil1002" })
			must(w.t, w.withdraw("boss", one.GetPlayers()[at].GetNumber()))
		},
		"by the organiser":        func(w *world) { must(w.t, w.decide(1, 1, "1-0")) },
		"by a deleted account":    func(w *world) { must(w.t, w.replicas[0].Forget(w.t.Context(), "pupil1002")) },
		"at the board, corrected": func(w *world) { w.over(1, 1, 1, "1-0"); must(w.t, w.decide(1, 1, "0-1")) },
	} {
		for _, moved := range []bool{true, false} {
			t.Run(fmt.Sprint(name, moved), func(t *testing.T) {
				w := begun(t, &playv1.CreateTournamentRequest{Kind: "swiss", Rounds: 1, RoundMinutes: 1}, "pupil1001", "pupil1002")
				w.games.moved[w.gameOf(1, "pupil1002")] = moved
				end(w)
				w.sweep()
				w.sweep()
				one := w.get()
				b := one.GetPlayed()[0].GetBoards()[0]
				games := one.GetTable()[0].GetGames()
				if b.GetResult() == "" || b.GetDecided() == moved || (games == 1) != moved {
					t.Errorf("got %v with %d games that count", b, games)
				}
			})
		}
	}
}

// TestWhatTheOrganiserHasDecidedStandsThoughItCounts against a correction.
func TestWhatTheOrganiserHasDecidedStandsThoughItCounts(t *testing.T) {
	w := begun(t, &playv1.CreateTournamentRequest{Kind: "round_robin"}, "pupil1001", "pupil1002")
	w.games.moved[w.gameOf(1, "pupil1001")] = true
	w.over(1, 1, 1, "1-0")
	must(t, w.decide(1, 1, "0-1"))
	w.over(1, 1, 1, "1/2-1/2")
	if got := boards(w.get(), 1)[0]; got[len(got)-3:] != "0-1" {
		t.Errorf("got %s", got)
	}
}

// awayGames are games whose store is away when their progress is asked for.
type awayGames struct{ *fakeGames }

func (awayGames) Progress(context.Context, string) (tournaments.Progress, error) {
	return tournaments.Progress{}, rpc.Fail("unavailable", "")
}

// TestNothingIsDecidedOfGamesThatNobodyKnows: while play's store is away the
// organiser and who leaves are told so.
func TestNothingIsDecidedOfGamesThatNobodyKnows(t *testing.T) {
	w := begun(t, &playv1.CreateTournamentRequest{Kind: "round_robin"}, "pupil1001", "pupil1002")
	s := tournaments.New(tournaments.Config{}, tournaments.Deps{
		Store: w.store, Games: awayGames{w.games}, People: fakePeople{}, Time: w.time, Random: w.random.Uint64,
		SpeedOf: func(int32, int32) string { return "none" }, NewID: w.key,
	})
	_, err := s.DecideBoard(w.as("boss", w.key()), &playv1.DecideBoardRequest{Tournament: w.id, Round: 1, Board: 1, Result: "1-0"})
	wantCode(t, "deciding", err, "unavailable")
	_, err = s.WithdrawPlayer(w.as("pupil1001", w.key()), &playv1.WithdrawPlayerRequest{Tournament: w.id})
	wantCode(t, "leaving", err, "unavailable")
	if err := s.Forget(t.Context(), "pupil1001"); err == nil {
		t.Error("a deleted account has left")
	}
	if b := w.get().GetPlayed()[0].GetBoards()[0]; b.GetResult() != "" {
		t.Errorf("got %v", b)
	}
}
