package tournaments_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play/keyed"
	"tabuleiro/services/play/tournaments"
)

// boards are "white-black result" of a round, decided ones with a mark.
func boards(t *playv1.Tournament, round int) []string {
	var all []string
	for _, b := range t.GetPlayed()[round-1].GetBoards() {
		text := fmt.Sprintf("%d-%d %s", b.GetWhite(), b.GetBlack(), b.GetResult())
		if b.GetDecided() {
			text += "!"
		}
		all = append(all, text)
	}
	return all
}

func points(t *playv1.Tournament) map[int32]float64 {
	all := map[int32]float64{}
	for _, line := range t.GetTable() {
		all[line.GetPlayer()] = line.GetPoints()
	}
	return all
}

// over lets the n-th game of a board end, or end otherwise, as play tells it.
func (w *world) over(round, board, game int, result string) {
	w.t.Helper()
	id := w.get().GetPlayed()[round-1].GetBoards()[board-1].GetGames()[game-1].GetId()
	w.games.results[id] = result
	must(w.t, w.replicas[0].GameOver(w.t.Context(), w.id, id))
}

func (w *world) want(what string, round int, want ...string) {
	w.t.Helper()
	if got := boards(w.get(), round); !slices.Equal(got, want) {
		w.t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// TestCorrectionsAreFollowed: what a person in charge makes of a game after it has
// ended changes the board and the table, while the round goes on, later, and when
// the tournament is over.
func TestCorrectionsAreFollowed(t *testing.T) {
	w := newWorld(t, 3, fakePeople{})
	w.create(&playv1.CreateTournamentRequest{Kind: "round_robin", Auto: true})
	must(t, w.add(pupils(2)))
	must(t, w.start())
	w.sweep()
	w.sweep()
	before := w.get().GetVersion()
	w.over(1, 1, 1, "1-0")
	first := boards(w.get(), 1)[0]
	w.want("the game has ended", 1, first[:4]+"1-0")
	w.over(1, 1, 1, "1-0")
	if after := w.get().GetVersion(); after != before+1 {
		t.Errorf("the same word twice makes version %d of %d", after, before)
	}
	w.over(1, 1, 1, "1/2-1/2")
	w.want("corrected while the round goes on", 1, first[:4]+"1/2-1/2")
	w.sweep()
	if got := w.get(); got.GetStatus() != "finished" || points(got)[1] != 0.5 {
		t.Fatalf("after the last round: %v", got)
	}
	w.over(1, 1, 1, "0-1")
	w.want("corrected when all is over", 1, first[:4]+"0-1")
	if got := w.get(); got.GetStatus() != "finished" || points(got)[w.get().GetPlayed()[0].GetBoards()[0].GetBlack()] != 1 {
		t.Errorf("the table is %v", got.GetTable())
	}
	w.over(1, 1, 1, "aborted")
	w.want("annulled when all is over", 1, first[:4]+"0-0!")
}

// TestAnOldResultIsNotACorrectionOfANewerOne: a replica has looked at a game and is
// slow; meanwhile a person in charge decides the game otherwise, and another replica
// tells the tournament. What the slow one brings then is not the last word.
func TestAnOldResultIsNotACorrectionOfANewerOne(t *testing.T) {
	w := newWorld(t, 3, fakePeople{})
	w.create(&playv1.CreateTournamentRequest{Kind: "round_robin"})
	must(t, w.add(pupils(4)))
	must(t, w.start())
	w.sweep()
	w.sweep()
	first := boards(w.get(), 1)
	id := w.get().GetPlayed()[0].GetBoards()[0].GetGames()[0].GetId()
	w.games.results[id] = "1-0"
	w.games.answering = func() {
		w.games.results[id] = "0-1"
		must(t, w.replicas[1].GameOver(t.Context(), w.id, id))
		w.want("told of the decision", 1, first[0][:4]+"0-1", first[1])
	}
	must(t, w.replicas[0].GameOver(t.Context(), w.id, id))
	w.want("told late", 1, first[0][:4]+"0-1", first[1])
}

// TestAnAnnulledGameIsPlayedAnew: in the round that goes on; of an earlier round it
// counts for nobody until the organiser decides.
func TestAnAnnulledGameIsPlayedAnew(t *testing.T) {
	w := newWorld(t, 3, fakePeople{})
	w.create(&playv1.CreateTournamentRequest{Kind: "round_robin"})
	must(t, w.add(pupils(4)))
	must(t, w.start())
	w.sweep()
	w.sweep()
	w.over(1, 1, 1, "1-0")
	w.over(1, 1, 1, "aborted")
	w.sweep()
	if games := w.get().GetPlayed()[0].GetBoards()[0].GetGames(); len(games) != 2 || games[0].GetResult() != "aborted" {
		t.Fatalf("the games of the board are %v", games)
	}
	w.sweep()
	w.over(1, 1, 2, "0-1")
	w.over(1, 2, 1, "1-0")
	must(t, w.pair())
	w.over(1, 2, 1, "aborted")
	if got := boards(w.get(), 1)[1]; got[len(got)-4:] != "0-0!" {
		t.Errorf("annulled in an earlier round: %s", got)
	}
	must(t, w.decide(1, 2, "1-0"))
	if got := boards(w.get(), 1)[1]; got[len(got)-4:] != "1-0!" {
		t.Errorf("decided in an earlier round: %s", got)
	}
	w.over(1, 2, 1, "0-1")
	if got := boards(w.get(), 1)[1]; got[len(got)-4:] != "1-0!" {
		t.Errorf("what the organiser has decided does not stand: %s", got)
	}
}

// TestACorrectionInAKnockoutChangesNobodysRound: who went on has played since, but
// the last match may turn.
func TestACorrectionInAKnockoutChangesNobodysRound(t *testing.T) {
	w := newWorld(t, 3, fakePeople{})
	w.create(&playv1.CreateTournamentRequest{Kind: "knockout", Auto: true, Tie: "seed"})
	must(t, w.add(pupils(4)))
	must(t, w.start())
	w.sweep()
	w.sweep()
	for board := 1; board <= 2; board++ {
		w.over(1, board, 1, "1-0")
	}
	w.sweep()
	w.sweep()
	then, final := boards(w.get(), 1), boards(w.get(), 2)
	w.over(1, 1, 1, "0-1")
	w.want("an earlier round", 1, then...)
	w.want("the final", 2, final...)
	wantCode(t, "deciding an earlier round", w.decide(1, 1, "0-1"), "round_over")
	w.over(2, 1, 1, "1-0")
	w.sweep()
	w.over(2, 1, 1, "0-1")
	w.want("the final, corrected", 2, final[0]+"0-1")
	w.over(2, 1, 1, "aborted")
	w.want("the final, annulled", 2, final[0]+"0-1")
	if got := w.get(); got.GetStatus() != "finished" {
		t.Errorf("the tournament is %s", got.GetStatus())
	}
}

// TestWhoSeesATournamentAndItsGames by what they are to it.
func TestWhoSeesATournamentAndItsGames(t *testing.T) {
	w := newWorld(t, 3, fakePeople{})
	w.create(&playv1.CreateTournamentRequest{Kind: "round_robin"})
	must(t, w.add(append(pupils(3), "guest")))
	must(t, w.start())
	must(t, w.withdraw("boss", 1))
	all := identity.Scopes()
	without := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == identity.ScopeClassRead })
	for _, test := range []struct {
		name          string
		caller        identity.Caller
		sees, attends bool
	}{
		{"the organiser", identity.Caller{Account: "boss"}, true, true},
		{"a player", identity.Caller{Account: "pupil1001"}, true, true},
		{"who has left", identity.Caller{Account: "pupil1000"}, true, true},
		{"who is invited", identity.Caller{Account: "guest"}, true, false},
		{"a pupil who does not play", identity.Caller{Account: "pupil1008"}, false, false},
		{"another teacher of the class", identity.Caller{Account: "colleague", Roles: []string{"teacher"}}, true, true},
		{"their token for classes", identity.Caller{Account: "colleague", Roles: []string{"teacher"}, Scopes: all}, true, true},
		{"their other token", identity.Caller{Account: "colleague", Roles: []string{"teacher"}, Scopes: without}, false, false},
		{"a teacher of others", identity.Caller{Account: "stranger", Roles: []string{"teacher"}}, false, false},
		{"an operator", identity.Caller{Account: "root", Roles: []string{"operator"}}, true, true},
		{"a stranger", identity.Caller{Account: "stranger"}, false, false},
	} {
		test.caller.Session = "s"
		_, err := w.replicas[0].GetTournament(identity.With(t.Context(), test.caller), &playv1.GetTournamentRequest{Tournament: w.id})
		if p, _ := rpc.ProblemOf(err); test.sees != (err == nil) || err != nil && p.Code != "tournament_not_found" {
			t.Errorf("%s looks at it: %v", test.name, err)
		}
		if attends, err := w.replicas[0].Attends(t.Context(), test.caller, w.id); err != nil || attends != test.attends {
			t.Errorf("%s may see its games: %v, %v", test.name, attends, err)
		}
	}
	for account, want := range map[string]bool{"boss": true, "colleague": false, "": false} {
		if got, err := w.replicas[0].Organises(t.Context(), account, w.id); err != nil || got != want {
			t.Errorf("%q organises it: %v, %v", account, got, err)
		}
	}
	if got, err := w.replicas[0].Organises(t.Context(), "boss", "nothing"); got || err != nil {
		t.Errorf("who organises no tournament: %v, %v", got, err)
	}
	if may, err := w.replicas[0].Attends(t.Context(), identity.Caller{Account: "boss"}, "nothing"); may || err != nil {
		t.Errorf("games of no tournament: %v, %v", may, err)
	}
}

// TestGamesOfATournamentOutOfReachAreUnavailable, and not an internal error: whoever
// asks for a game whose tournament cannot be read is told to ask again.
func TestGamesOfATournamentOutOfReachAreUnavailable(t *testing.T) {
	s := tournaments.New(tournaments.Config{}, tournaments.Deps{Store: awayStore{}})
	_, err := s.Attends(t.Context(), identity.Caller{Account: "ana"}, "t")
	wantCode(t, "the store is away", err, "unavailable")
	_, err = s.Organises(t.Context(), "ana", "t")
	wantCode(t, "who asks to decide one", err, "unavailable")
}

// awayStore is a store out of reach.
type awayStore struct{ tournaments.Store }

func (awayStore) Load(context.Context, string) (tournaments.State, error) {
	return tournaments.State{}, keyed.ErrUnavailable
}

// TestLists: what one may join by oneself, and where one's pupils play.
func TestLists(t *testing.T) {
	w := newWorld(t, 3, fakePeople{})
	list := func(caller identity.Caller, name string) []string {
		t.Helper()
		caller.Session = "s"
		out, err := w.replicas[0].ListTournaments(identity.With(t.Context(), caller), &playv1.ListTournamentsRequest{List: name})
		must(t, err)
		var names []string
		for _, one := range out.GetTournaments() {
			if one.GetOrganiserName() == "" || len(one.GetPlayers()) > 0 {
				t.Errorf("a list shows %v", one)
			}
			names = append(names, one.GetId())
		}
		return names
	}
	ids := map[string]string{}
	for _, entry := range []string{"invited", "class", "open"} {
		w.create(&playv1.CreateTournamentRequest{Kind: "swiss", Entry: entry})
		ids[entry] = w.id
	}
	want := func(what string, got []string, entries ...string) {
		t.Helper()
		var want []string
		for _, entry := range entries {
			want = append(want, ids[entry])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v of %v", what, got, want, ids)
		}
	}
	ana, pupil, colleague := identity.Caller{Account: "ana"}, identity.Caller{Account: "pupil1001"}, identity.Caller{Account: "colleague", Roles: []string{"teacher"}}
	want("a pupil may join", list(pupil, "joinable"), "open", "class")
	want("a grown-up may join", list(ana, "joinable"), "open")
	want("somebody else's child may join", list(identity.Caller{Account: "child"}, "joinable"))
	want("the organiser may join", list(identity.Caller{Account: "boss"}, "joinable"))
	want("a colleague's pupils play", list(colleague, "pupils"))
	must(t, w.join("pupil1001")) // the open one: from now on somebody is in it who meets no strangers
	want("a pupil who is in may join", list(pupil, "joinable"), "class")
	want("another pupil may join", list(identity.Caller{Account: "pupil1002"}, "joinable"), "open", "class")
	want("a grown-up may join it no more", list(ana, "joinable"))
	wantCode(t, "a grown-up joins all the same", w.join("ana"), "tournament_not_found")
	want("a colleague's pupil plays", list(colleague, "pupils"), "open")
	want("the organiser's own are no pupils' list", list(identity.Caller{Account: "boss", Roles: []string{"teacher"}}, "pupils"))
	want("no teacher has pupils", list(ana, "pupils"))
}

// TestChangesAreTold: each change is published with its version, so that those who
// watch look again.
func TestChangesAreTold(t *testing.T) {
	var told []int32
	store := tournaments.NewMemory()
	games := &fakeGames{made: map[string]tournaments.NewGame{}, results: map[string]string{}, ended: map[string]string{}, fails: func() bool { return false }}
	ids := 0
	s := tournaments.New(tournaments.Config{}, tournaments.Deps{
		Store: store, Games: games, People: fakePeople{}, Time: &fixedTime{ms: 50}, Random: func() uint64 { return 4 },
		CheckDraws: func(context.Context, string, string) error { return nil },
		SpeedOf:    func(int32, int32) string { return "none" },
		NewID:      func() string { ids++; return fmt.Sprint("id", ids) },
		Publish: func(id string, version int32) {
			if state, err := store.Load(t.Context(), id); err != nil || state.Version != version {
				t.Errorf("version %d of %s is told, the store has %d, %v", version, id, state.Version, err)
			}
			told = append(told, version)
		},
	})
	as := func(key string) context.Context {
		return rpc.WithKey(identity.With(t.Context(), identity.Caller{Account: "boss", Session: "s"}), key)
	}
	made, err := s.CreateTournament(as("1"), &playv1.CreateTournamentRequest{Name: "T", Rules: "chess", Kind: "round_robin", Auto: true})
	must(t, err)
	id := made.GetTournament().GetId()
	_, err = s.AddPlayers(as("2"), &playv1.AddPlayersRequest{Tournament: id, Accounts: []string{"pupil1", "pupil2"}})
	must(t, err)
	_, err = s.StartTournament(as("3"), &playv1.StartTournamentRequest{Tournament: id})
	must(t, err)
	for range 3 { // it pairs, makes the game, and has nothing more to do
		must(t, s.Sweep(t.Context()))
	}
	for game := range games.made {
		games.results[game] = "1-0"
		must(t, s.GameOver(t.Context(), id, game))
	}
	for range 2 {
		must(t, s.Sweep(t.Context()))
	}
	state, err := store.Load(t.Context(), id)
	must(t, err)
	if state.Status != tournaments.StatusFinished || len(games.made) != 1 {
		t.Errorf("without asking for its games the tournament is %s with %d games", state.Status, len(games.made))
	}
	if want := []int32{1, 3, 4, 5, 6, 7, 8}; !slices.Equal(told, want) {
		t.Errorf("told are %v, want %v", told, want)
	}
}
