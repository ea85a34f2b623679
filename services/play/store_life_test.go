package play

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
)

// plain is a commit that makes a game, changed by f.
func plain(t *testing.T, id string, first, second Seat, f func(*Create)) Commit {
	t.Helper()
	c := Create{ID: id, Rules: "chess", Visibility: "private", Seats: [2]Seat{first, second}, Side: first.Side, Opponent: OpponentPerson, Maker: "w"}
	if f != nil {
		f(&c)
	}
	return written(t, State{}, c, plainRuling(0), 0)
}

func TestStoreKeepsLimits(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		live := Limit{Player: "w", Of: LimitLive, Most: 2}
		must(t, s.Commit(ctx, plain(t, "g1", person("white"), person("black"), nil)))
		second := plain(t, "g2", person("black"), person("white"), nil)
		second.Limits = []Limit{live}
		must(t, s.Commit(ctx, second))

		third := plain(t, "g3", person("white"), openSeat("black"), nil)
		third.Command = &CommandRecord{Owner: "w", Key: "k", Hash: "h", Game: "g3", Version: 1}
		third.Limits = []Limit{live}
		err := s.Commit(ctx, third)
		var full *FullError
		if !errors.Is(err, ErrFull) || !errors.As(err, &full) || full.Limit != live {
			t.Fatalf("got %v, want %v", err, live)
		}
		if _, err := s.Load(ctx, "g3"); !errors.Is(err, ErrNotFound) {
			t.Errorf("the refused game: %v", err)
		}
		if _, found, err := s.Command(ctx, "w", "k"); err != nil || found {
			t.Errorf("the refused command was kept: %t, %v", found, err)
		}

		// A game that ends in the same transaction makes room.
		over := written(t, second.After, Resign{Player: "w"}, nil, 5)
		third.With = &over
		must(t, s.Commit(ctx, third))
		wantState(t, s, over.After)
		wantState(t, s, third.After)

		for _, test := range []struct {
			limit Limit
			fits  bool
		}{
			{Limit{"w", LimitOpen, 2}, true}, {Limit{"w", LimitOpen, 1}, false},
			{Limit{"w", LimitLive, 3}, true}, {Limit{"b", LimitLive, 1}, true}, {Limit{"b", LimitLive, 0}, false},
			{Limit{"w", LimitEngines, 0}, true},
		} {
			try := plain(t, fmt.Sprint("try", test.limit), person("white"), openSeat("black"), nil)
			try.Limits = []Limit{test.limit, {Player: "nobody", Of: LimitLive, Most: -1}}
			err := s.Commit(ctx, try) // the second limit always fails
			if errors.As(err, &full); full.Limit.Player == "nobody" != test.fits {
				t.Errorf("%+v: %v", test.limit, err)
			}
		}
	})
}

// TestStoreCountsEnginesByTheirMaker: and a game on one screen once.
func TestStoreCountsEnginesByTheirMaker(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		engines := func(id string) Commit {
			return plain(t, id, engineSeat("white"), engineSeat("black"), func(c *Create) { c.Opponent, c.Side = OpponentEngines, "" })
		}
		must(t, s.Commit(ctx, engines("01")))
		must(t, s.Commit(ctx, plain(t, "02", person("white"), Seat{Side: "black", Kind: SeatPerson, Player: "w", Account: "w"}, func(c *Create) {
			c.Opponent = OpponentSelf
		})))
		if n, err := s.Live(ctx, "w"); err != nil || n != 2 {
			t.Errorf("%d live games, %v; want 2", n, err)
		}
		wantList(t, s, ListQuery{Player: "w", Limit: 9}, "02", "01")
		one := engines("03")
		one.Limits = []Limit{{Player: "w", Of: LimitEngines, Most: 1}}
		wantErr(t, s.Commit(ctx, one), ErrFull)
		one.Limits[0].Most = 2
		must(t, s.Commit(ctx, one))
	})
}

func wantList(t *testing.T, s Store, q ListQuery, want ...string) {
	t.Helper()
	states, err := s.List(t.Context(), q)
	must(t, err)
	var got []string
	for _, state := range states {
		got = append(got, state.ID)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v: got %v, want %v", q, got, want)
	}
}

func TestStoreListsInvitationsAndPublicGames(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		public := func(c *Create) { c.Visibility = visibilityPublic }
		blitz := func(c *Create) { c.Clock, c.Rated = &Settings{InitialMS: 300_000}, true }
		for _, c := range []Commit{
			plain(t, "01", person("white"), invited("black", "b"), nil),
			plain(t, "02", person("white"), invited("black", "c"), public),
			plain(t, "03", person("white"), openSeat("black"), public),
			plain(t, "04", person("white"), person("black"), public),
			plain(t, "05", person("white"), person("black"), nil),
			plain(t, "06", person("white"), openSeat("black"), blitz),
			plain(t, "07", person("white"), invited("black", "b"), blitz),
			plain(t, "08", person("white"), person("black"), func(c *Create) { public(c); blitz(c) }),
		} {
			must(t, s.Commit(ctx, c))
		}
		declined := plain(t, "09", person("white"), invited("black", "b"), nil)
		must(t, s.Commit(ctx, declined))
		must(t, s.Commit(ctx, written(t, declined.After, Decline{Account: "b"}, nil, 5)))

		wantList(t, s, ListQuery{Invited: "b", Limit: 9}, "07", "01")
		wantList(t, s, ListQuery{Invited: "b", Before: "07", Limit: 9}, "01")
		wantList(t, s, ListQuery{Invited: "b", Speed: "none", Limit: 9}, "01")
		wantList(t, s, ListQuery{Invited: "b", Rated: "yes", Limit: 9}, "07")
		wantList(t, s, ListQuery{Invited: "w", Limit: 9})
		wantList(t, s, ListQuery{Limit: 9}, "06", "03")
		wantList(t, s, ListQuery{Speed: "blitz", Limit: 9}, "06")
		wantList(t, s, ListQuery{Rated: "no", Limit: 9}, "03")
		wantList(t, s, ListQuery{Live: true, Limit: 9}, "08", "04")
		wantList(t, s, ListQuery{Live: true, Speed: "blitz", Rated: "yes", Rules: "chess", Limit: 9}, "08")
		wantList(t, s, ListQuery{Live: true, Rules: "draughts", Limit: 9})
	})
}

// TestStoreCommitsTogether: two games change or neither does.
func TestStoreCommitsTogether(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		first := plain(t, "g1", person("white"), person("black"), nil)
		must(t, s.Commit(ctx, first))
		over := written(t, first.After, Resign{Player: "w"}, nil, 5)
		must(t, s.Commit(ctx, over))
		rematch := written(t, over.After, OfferRematch{Player: "w"}, nil, 6)
		must(t, s.Commit(ctx, rematch))
		next := plain(t, "g2", person("white"), engineSeat("black"), nil)
		agreed := written(t, rematch.After, OfferRematch{Player: "b", Next: "g2"}, nil, 7)
		agreed.With = &next
		agreed.Command = &CommandRecord{Owner: "b", Key: "k", Hash: "h", Game: "g1", Version: agreed.After.Version}

		stale := agreed
		again := plain(t, "g1", person("white"), person("black"), nil)
		stale.With = &again
		wantErr(t, s.Commit(ctx, stale), ErrStale)
		wantState(t, s, rematch.After)

		must(t, s.Commit(ctx, agreed))
		wantState(t, s, agreed.After)
		wantState(t, s, next.After)
		other := plain(t, "g3", person("white"), person("black"), nil)
		agreed.With, agreed.Command = &other, nil
		wantErr(t, s.Commit(ctx, agreed), ErrStale)
		if _, err := s.Load(ctx, "g3"); !errors.Is(err, ErrNotFound) {
			t.Errorf("a second next game: %v", err)
		}
	})
}

// TestStoreLimitsHoldInARace: games made at the same instant do not overstep.
func TestStoreLimitsHoldInARace(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		const makers, most = 12, 5
		var all sync.WaitGroup
		var mu sync.Mutex
		made := 0
		for i := range makers {
			c := plain(t, fmt.Sprintf("g%02d", i), person("white"), openSeat("black"), nil)
			c.Limits = []Limit{{Player: "w", Of: LimitLive, Most: most}}
			all.Go(func() {
				err := s.Commit(t.Context(), c)
				for errors.Is(err, ErrUnavailable) {
					err = s.Commit(t.Context(), c)
				}
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					made++
				} else if !errors.Is(err, ErrFull) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n, err := s.Live(t.Context(), "w"); err != nil || n != most || made != most {
			t.Errorf("%d made, %d live, %v; want %d", made, n, err, most)
		}
	})
}

func TestStoreForgetsWhatIsOld(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx, base := t.Context(), at(0).UnixMilli()
		tictactoe := func(c *Create) { c.Rules, c.Maker = guestRules, "guest:x" }
		commits := map[string]Commit{
			"guests":  plain(t, "g1", guest("x"), guest("o"), tictactoe),
			"running": plain(t, "g2", guest("x"), engineSeat("o"), tictactoe),
			"account": plain(t, "g3", guest("x"), person("o"), tictactoe),
			"later":   plain(t, "g4", guest("x"), engineSeat("o"), tictactoe),
		}
		n := 0
		for _, name := range []string{"guests", "running", "account", "later"} {
			c := commits[name]
			n++
			c.Command = &CommandRecord{Owner: "guest:x", Key: name, Hash: "h", Game: c.After.ID, Version: 1}
			must(t, s.Commit(ctx, c))
		}
		for name, ms := range map[string]int64{"guests": 1000, "account": 1000, "later": 3000} {
			c := written(t, commits[name].After, Resign{Player: "guest:x"}, nil, ms)
			c.Command = &CommandRecord{Owner: "guest:x", Key: name + " over", Hash: "h", Game: c.After.ID, Version: 2}
			must(t, s.Commit(ctx, c))
		}
		for _, want := range []int{3, 1, 0} { // four were made at 0, of which three fit
			if got, err := s.PurgeCommands(ctx, base+1000, 3); err != nil || got != want {
				t.Errorf("forgot %d commands, %v; want %d", got, err, want)
			}
		}
		for key, want := range map[string]bool{"guests": false, "later": false, "guests over": true, "later over": true} {
			if _, found, err := s.Command(ctx, "guest:x", key); err != nil || found != want {
				t.Errorf("command %q is there: %t, %v; want %t", key, found, err, want)
			}
		}
		if got, err := s.PurgeGuests(ctx, base+2000, 10); err != nil || got != 1 {
			t.Errorf("forgot %d games, %v; want 1", got, err)
		}
		if _, err := s.Load(ctx, "g1"); !errors.Is(err, ErrNotFound) {
			t.Errorf("the old game: %v", err)
		}
		if events, err := s.Events(ctx, "g1", 0, 9); err != nil || len(events) > 0 {
			t.Errorf("its events: %v, %v", events, err)
		}
		for _, id := range []string{"g2", "g3", "g4"} {
			if _, err := s.Load(ctx, id); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	})
}
