package tournaments_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
	"tabuleiro/services/play"
	"tabuleiro/services/play/keyed"
	"tabuleiro/services/play/tournaments"
)

// eachStore runs a test on every implementation of Store.
func eachStore(t *testing.T, f func(t *testing.T, s tournaments.Store)) {
	t.Run("memory", func(t *testing.T) { f(t, tournaments.NewMemory()) })
	dbtest.Each(t, play.Migrations(), func(t *testing.T, d *db.DB) { f(t, tournaments.NewSQL(d)) })
}

// after is the commit of a command.
func after(t *testing.T, before tournaments.State, c tournaments.Command, now int64) tournaments.Commit {
	t.Helper()
	events, err := tournaments.Decide(before, c, now)
	must(t, err)
	return tournaments.Commit{Before: before, After: tournaments.Fold(before, events), Events: events}
}

func player(account string) tournaments.Player {
	return tournaments.Player{Account: account, Name: account, Status: tournaments.PlayerIn}
}

// What a deleted account leaves in the stores, and what it does not.
func TestDeletedPlayersAreForgotten(t *testing.T) {
	eachStore(t, func(t *testing.T, s tournaments.Store) {
		ctx := t.Context()
		games := &fakeGames{made: map[string]tournaments.NewGame{}, results: map[string]string{}, ended: map[string]string{}, fails: func() bool { return false }}
		service := tournaments.New(tournaments.Config{}, tournaments.Deps{Store: s, Games: games, People: fakePeople{}, Time: &fixedTime{ms: 50}})
		enter := tournaments.Enter{Players: []tournaments.Player{
			{Account: "ana", Name: "Ana R.", Status: tournaments.PlayerIn}, {Account: "bia", Name: "Bia S.", Status: tournaments.PlayerIn},
			{Account: "cai", Name: "Cai T.", Status: tournaments.PlayerIn},
		}}
		pair, over := tournaments.Pair{IDs: []string{"g1", "g2"}}, []tournaments.Command{tournaments.Cancel{}}
		for id, rest := range map[string][]tournaments.Command{
			"a1": {enter}, "a2": {enter, tournaments.Leave{Player: 0}}, "a3": {enter, tournaments.Start{}, pair},
			"a4": append([]tournaments.Command{enter}, over...), "a5": {enter}, "a6": {},
		} {
			organiser := map[string]string{"a5": "ana"}[id]
			state := tournaments.State{}
			for _, c := range append([]tournaments.Command{tournaments.Create{Setup: tournaments.Setup{
				ID: id, Organiser: organiser, OrganiserName: map[string]string{"ana": "Ana R."}[organiser], Kind: tournaments.RoundRobin, MaxPlayers: 9,
			}}}, rest...) {
				commit := after(t, state, c, 5)
				_, err := s.Commit(ctx, commit, nil)
				must(t, err)
				state = commit.After
			}
		}
		page, err := s.Naming(ctx, "ana", "a2", 2)
		must(t, err)
		if !slices.Equal(page, []string{"a3", "a4"}) {
			t.Errorf("the second page is %v", page)
		}
		versions := map[string]int32{}
		for round := range 2 { // the second time changes nothing
			must(t, service.Forget(ctx, "ana"))
			for id, want := range map[string]string{
				"a1": "open", "a2": "open", "a3": "running deleted", "a4": "cancelled deleted", "a5": "cancelled deleted", "a6": "open",
			} {
				state, err := s.Load(ctx, id)
				must(t, err)
				if round > 0 && versions[id] != state.Version {
					t.Errorf("%s changed again: version %d after %d", id, state.Version, versions[id])
				}
				versions[id] = state.Version
				got := state.Status
				if i := state.Find("ana"); i >= 0 {
					got += " " + state.Players[i].Name
				}
				if got != want {
					t.Errorf("%s is %s, want %s", id, got, want)
				}
				for v := int32(1); v <= state.Version; v++ {
					then, err := s.At(ctx, id, v)
					must(t, err)
					for _, p := range append(then.Players, tournaments.Player{Name: then.OrganiserName}) {
						if p.Name == "Ana R." {
							t.Errorf("%s still tells the name at version %d", id, v)
						}
					}
					if v == state.Version && !reflect.DeepEqual(then, state) {
						t.Errorf("%s: its events make %+v, its row is %+v", id, then, state)
					}
				}
				if i := state.Find("bia"); id != "a6" && state.Players[i].Name != "Bia S." {
					t.Errorf("%s lost another's name", id)
				}
			}
		}
		a3, err := s.Load(ctx, "a3")
		must(t, err)
		for _, b := range a3.Played[0].Boards {
			if a3.Players[0].Status != tournaments.PlayerWithdrawn || (b.White == 0 || b.Black == 0) && b.Result == "" {
				t.Errorf("the opponent still waits: %+v", a3)
			}
		}
	})
}

// listed is the answer of a store beside what is wanted.
type listed struct {
	states []tournaments.State
	err    error
	want   []string
}

func wanting(want ...string) func([]tournaments.State, error) listed {
	return func(states []tournaments.State, err error) listed { return listed{states, err, want} }
}

func TestStoreKeepsTournaments(t *testing.T) {
	eachStore(t, func(t *testing.T, s tournaments.Store) {
		ctx := t.Context()
		_, err := s.Load(ctx, "a1")
		if !errors.Is(err, tournaments.ErrNotFound) {
			t.Fatalf("got %v", err)
		}
		setup := tournaments.Setup{ID: "a1", Organiser: "boss", Name: "T", Rules: "chess", Kind: tournaments.RoundRobin, Entry: "open", MaxPlayers: 9}
		made := after(t, tournaments.State{}, tournaments.Create{Setup: setup}, 5)
		key := keyed.Command{Owner: "boss", Key: "k", Hash: "h"}
		answer, err := s.Commit(ctx, made, &key)
		must(t, err)
		want := tournaments.Answer{ID: "a1", Version: 1}
		again, err := s.Commit(ctx, after(t, tournaments.State{}, tournaments.Create{Setup: tournaments.Setup{ID: "a9"}}, 6), &key)
		must(t, err)
		found, ok, err := s.Answered(ctx, key)
		must(t, err)
		if answer != want || again != want || found != want || !ok {
			t.Errorf("got %v, %v, %v", answer, again, found)
		}
		other := key
		other.Hash = "x"
		if _, _, err := s.Answered(ctx, other); !errors.Is(err, keyed.ErrReused) {
			t.Errorf("got %v", err)
		}
		if _, err := s.Commit(ctx, made, nil); !errors.Is(err, tournaments.ErrStale) {
			t.Errorf("got %v", err)
		}

		entered := after(t, made.After, tournaments.Enter{Players: []tournaments.Player{player("ana"), player("bia"), player("cai")}}, 7)
		_, err = s.Commit(ctx, entered, nil)
		must(t, err)
		if _, err := s.Commit(ctx, entered, nil); !errors.Is(err, tournaments.ErrStale) {
			t.Errorf("got %v", err)
		}
		left := after(t, entered.After, tournaments.Leave{Player: 2}, 8)
		_, err = s.Commit(ctx, left, nil)
		must(t, err)
		got, err := s.Load(ctx, "a1")
		must(t, err)
		if !reflect.DeepEqual(got, left.After) {
			t.Errorf("got %+v, want %+v", got, left.After)
		}
		for version, want := range map[int32]tournaments.State{1: made.After, got.Version: got} {
			if state, err := s.At(ctx, "a1", version); err != nil || !reflect.DeepEqual(state, want) {
				t.Errorf("version %d: got %+v, %v", version, state, err)
			}
		}
		if _, err := s.At(ctx, "a1", 99); !errors.Is(err, tournaments.ErrNotFound) {
			t.Errorf("got %v", err)
		}
		_, err = s.Commit(ctx, after(t, tournaments.State{}, tournaments.Create{Setup: tournaments.Setup{ID: "a2", Organiser: "boss"}}, 9), nil)
		must(t, err)
		for name, test := range map[string]struct {
			account   string
			organises bool
			before    string
			want      []string
		}{
			"organised": {"boss", true, "", []string{"a2", "a1"}}, "next page": {"boss", true, "a2", []string{"a1"}},
			"played": {"ana", false, "", []string{"a1"}}, "left": {"cai", false, "", nil}, "no player": {"boss", false, "", nil},
		} {
			states, err := s.Of(ctx, test.account, test.organises, test.before, 9)
			must(t, err)
			var ids []string
			for _, state := range states {
				ids = append(ids, state.ID)
			}
			if !slices.Equal(ids, test.want) {
				t.Errorf("%s: got %v, want %v", name, ids, test.want)
			}
		}
		wantActive := func(want ...string) {
			t.Helper()
			ids, err := s.Active(ctx, "", 9)
			must(t, err)
			if !slices.Equal(ids, want) {
				t.Errorf("active are %v, want %v", ids, want)
			}
		}
		wantLists := func(what string, due, with, joinable []string) {
			t.Helper()
			ids, err := s.Due(ctx, 11, "", 9)
			must(t, err)
			if !slices.Equal(ids, due) {
				t.Errorf("%s: due are %v, want %v", what, ids, due)
			}
			for name, list := range map[string]listed{
				"with":       wanting(with...)(s.With(ctx, []string{"zoe", "bia"}, "ana", "", 9)),
				"with, but":  wanting()(s.With(ctx, []string{"zoe", "bia"}, "boss", "", 9)),
				"with, page": wanting()(s.With(ctx, []string{"zoe", "bia"}, "ana", "a1", 9)),
				"joinable":   wanting(joinable...)(s.Joinable(ctx, "", 9)),
			} {
				must(t, list.err)
				var ids []string
				for _, state := range list.states {
					ids = append(ids, state.ID)
				}
				if !slices.Equal(ids, list.want) {
					t.Errorf("%s: %s are %v, want %v", what, name, ids, list.want)
				}
			}
		}
		wantLists("open", nil, []string{"a1"}, []string{"a2", "a1"})
		wantActive()
		started := after(t, left.After, tournaments.Start{}, 10)
		_, err = s.Commit(ctx, started, nil)
		must(t, err)
		wantActive("a1")
		wantLists("started", []string{"a1"}, []string{"a1"}, []string{"a2"})
		paired := after(t, started.After, tournaments.Pair{IDs: []string{"g1"}}, 11)
		_, err = s.Commit(ctx, paired, nil)
		must(t, err)
		wantLists("paired", []string{"a1"}, []string{"a1"}, []string{"a2"}) // its game is to be made
		cancelled := after(t, paired.After, tournaments.Cancel{}, 12)
		_, err = s.Commit(ctx, cancelled, nil)
		must(t, err)
		wantActive("a1") // its game is still to be ended
		_, err = s.Commit(ctx, after(t, cancelled.After, tournaments.Closed{Games: []tournaments.Place{{}}}, 13), nil)
		must(t, err)
		wantActive()
		if open, err := s.Open(ctx, "boss"); err != nil || open != 1 {
			t.Errorf("open are %d, %v", open, err)
		}
	})
}
