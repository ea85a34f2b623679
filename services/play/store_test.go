package play

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
)

// eachStore runs a test on every implementation of Store.
func eachStore(t *testing.T, f func(t *testing.T, s Store)) {
	t.Run("memory", func(t *testing.T) { f(t, NewMemory()) })
	dbtest.Each(t, Migrations(), func(t *testing.T, d *db.DB) { f(t, NewSQL(d)) })
}

// written is a commit of a command on a state, with all obligations due at the
// moments that the core says.
func written(t *testing.T, before State, c Command, r *Ruling, ms int64) Commit {
	t.Helper()
	events, err := Decide(before, c, r, at(ms))
	if err != nil {
		t.Fatal(err)
	}
	after := Fold(before, events)
	begin, done := changeDue(before, after)
	commit := Commit{Before: before, After: after, Events: events, Done: done}
	for _, o := range begin {
		commit.Due = append(commit.Due, Due{Game: after.ID, Kind: o.Kind, Version: o.Version, At: o.At})
	}
	return commit
}

func create(t *testing.T, id string, first, second Seat, clock *Settings) Commit {
	t.Helper()
	c := Create{ID: id, Rules: "chess", Visibility: "private", Rated: true, Seats: [2]Seat{first, second}, Clock: clock, Side: "white"}
	return written(t, State{}, c, plainRuling(0), 0)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t *testing.T, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Fatalf("got error %v, want %v", got, want)
	}
}

func TestStoreKeepsGames(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		_, err := s.Load(ctx, "nothing")
		wantErr(t, err, ErrNotFound)

		first := create(t, "g1", person("white"), person("black"), &Settings{InitialMS: 60_000})
		must(t, s.Commit(ctx, first))
		second := written(t, first.After, Play{Player: "w"}, endRuling(1, "white", "checkmate"), 5)
		must(t, s.Commit(ctx, second))

		got, err := s.Load(ctx, "g1")
		must(t, err)
		if !reflect.DeepEqual(got, second.After) {
			t.Errorf("loaded %+v, want %+v", got, second.After)
		}
		all := append(append([]Event{}, first.Events...), second.Events...)
		for _, test := range []struct {
			after, limit int32
			want         []Event
		}{{0, 10, all}, {0, 2, all[:2]}, {1, 1, all[1:2]}, {2, 10, all[2:]}, {3, 10, nil}, {9, 10, nil}} {
			events, err := s.Events(ctx, "g1", test.after, test.limit)
			must(t, err)
			if len(events) != len(test.want) || len(events) > 0 && !reflect.DeepEqual(events, test.want) {
				t.Errorf("events after %d, at most %d: got %v, want %v", test.after, test.limit, events, test.want)
			}
		}
		events, err := s.Events(ctx, "nothing", 0, 10)
		must(t, err)
		if len(events) != 0 {
			t.Errorf("an unknown game has events %v", events)
		}
	})
}

func TestStoreRefusesTheStale(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		first := create(t, "g1", person("white"), person("black"), nil)
		must(t, s.Commit(ctx, first))
		wantErr(t, s.Commit(ctx, first), ErrStale)

		move := written(t, first.After, Play{Player: "w"}, plainRuling(1), 5)
		resign := written(t, first.After, Resign{Player: "b"}, nil, 6)
		resign.Command = &CommandRecord{Owner: "b", Key: "k", Hash: "h", Game: "g1", Version: 2}
		must(t, s.Commit(ctx, move))
		wantErr(t, s.Commit(ctx, resign), ErrStale)

		wantState(t, s, move.After)
		if _, found, err := s.Command(ctx, "b", "k"); err != nil || found {
			t.Errorf("the refused command was kept: %t, %v", found, err)
		}
		if due := overdue(t, s, at(1_000_000).UnixMilli()); len(due) != 0 {
			t.Errorf("the refused commit left %v", due)
		}
	})
}

func TestStoreTakesAKeyOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		first := create(t, "g1", person("white"), person("black"), nil)
		record := CommandRecord{Owner: "w", Key: "k", Hash: "h1", Game: "g1", Version: 1}
		first.Command = &record
		must(t, s.Commit(ctx, first))
		got, found, err := s.Command(ctx, "w", "k")
		must(t, err)
		if !found || got != record {
			t.Errorf("got %+v %t, want %+v", got, found, record)
		}

		again := create(t, "g2", person("white"), person("black"), nil)
		again.Command = &CommandRecord{Owner: "w", Key: "k", Hash: "h2", Game: "g2", Version: 1}
		wantErr(t, s.Commit(ctx, again), ErrKeyTaken)
		_, err = s.Load(ctx, "g2")
		wantErr(t, err, ErrNotFound)

		again.Command.Owner = "b"
		must(t, s.Commit(ctx, again))
	})
}

func TestStoreKeepsObligations(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		base := at(0).UnixMilli()
		first := create(t, "g1", engineSeat("white"), person("black"), &Settings{InitialMS: 60_000})
		must(t, s.Commit(ctx, first))
		engine := Due{Game: "g1", Kind: DueEngine, Version: 1, At: base}
		flag := Due{Game: "g1", Kind: DueFlag, Version: 1, At: base + 60_000}
		wantDue(t, s, base-1)
		wantDue(t, s, base, engine)
		wantDue(t, s, base+60_000, flag, engine)

		// A claim excludes others, counts, and ends.
		claimed, ok, err := s.Claim(ctx, engine, base+3000)
		must(t, err)
		if want := (Due{Game: "g1", Kind: DueEngine, Version: 1, At: base + 3000, Attempts: 1}); !ok || claimed != want {
			t.Fatalf("claimed %+v %t, want %+v", claimed, ok, want)
		}
		if _, ok, err := s.Claim(ctx, engine, base+4000); err != nil || ok {
			t.Fatalf("claimed twice: %t, %v", ok, err)
		}
		wantDue(t, s, base)
		wantDue(t, s, base+3000, claimed)

		// Only who holds the claim moves or drops it.
		must(t, s.Postpone(ctx, engine, base))
		must(t, s.Drop(ctx, engine))
		wantDue(t, s, base+3000, claimed)
		must(t, s.Postpone(ctx, claimed, base+5000))
		claimed.At = base + 5000
		wantDue(t, s, base+5000, claimed)

		// An event that changes no obligation leaves the claim alone.
		offer := written(t, first.After, OfferDraw{Player: "b"}, nil, 10)
		must(t, s.Commit(ctx, offer))
		wantDue(t, s, base+60_000, flag, claimed)

		// The engine's move takes its row away and moves the flag.
		move := written(t, offer.After, EnginePlay{Move: Move{Text: "m"}}, plainRuling(1), 1000)
		move.Requires = &claimed
		must(t, s.Commit(ctx, move))
		flag = Due{Game: "g1", Kind: DueFlag, Version: 3, At: base + 61_000}
		wantDue(t, s, base+90_000, flag)

		must(t, s.Drop(ctx, flag))
		wantDue(t, s, base+90_000)
	})
}

func TestStoreCommitsOnlyWhileTheObligationStands(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		first := create(t, "g1", engineSeat("white"), person("black"), nil)
		must(t, s.Commit(ctx, first))
		move := written(t, first.After, EnginePlay{Move: Move{Text: "m"}}, plainRuling(1), 5)
		move.Requires = &Due{Game: "g1", Kind: DueEngine, Version: 7}
		wantErr(t, s.Commit(ctx, move), ErrGone)
		wantState(t, s, first.After)

		engine := first.Due[0]
		must(t, s.Drop(ctx, engine))
		move.Requires = &engine
		wantErr(t, s.Commit(ctx, move), ErrGone)
		wantState(t, s, first.After)
	})
}

// An engine that answers an engine takes one obligation away and begins the next
// of the same kind.
func TestStoreRenewsAnObligation(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx, base := t.Context(), at(0).UnixMilli()
		first := create(t, "g1", engineSeat("white"), engineSeat("black"), nil)
		must(t, s.Commit(ctx, first))
		engine := first.Due[0]
		move := written(t, first.After, EnginePlay{Move: Move{Text: "m"}}, plainRuling(1), 5)
		move.Requires = &Due{Game: "g1", Kind: DueEngine, Version: 9}
		wantErr(t, s.Commit(ctx, move), ErrGone)
		wantDue(t, s, base+90_000, engine)
		wantState(t, s, first.After)

		move.Requires = &engine
		must(t, s.Commit(ctx, move))
		next := Due{Game: "g1", Kind: DueEngine, Version: 2, At: base + 5 + watchable.Milliseconds()}
		wantDue(t, s, base+90_000, next)
		wantErr(t, s.Commit(ctx, move), ErrStale)
		wantDue(t, s, base+90_000, next)
	})
}

// A command with a key that is taken changes nothing, though its game is as it was
// read; nor does one whose obligation is gone.
func TestStoreUndoesAllOfARefusedCommit(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx, base := t.Context(), at(0).UnixMilli()
		first := create(t, "g1", person("white"), engineSeat("black"), &Settings{InitialMS: 60_000})
		first.Command = &CommandRecord{Owner: "w", Key: "k", Hash: "h1", Game: "g1", Version: 1}
		must(t, s.Commit(ctx, first))
		flag := Due{Game: "g1", Kind: DueFlag, Version: 1, At: base + 60_000}
		for _, test := range []struct {
			key  string
			due  *Due
			want error
		}{{"k", nil, ErrKeyTaken}, {"k2", &Due{Game: "g1", Kind: DueEngine, Version: 1}, ErrGone}} {
			move := written(t, first.After, Play{Player: "w"}, plainRuling(1), 5)
			move.Command = &CommandRecord{Owner: "w", Key: test.key, Hash: "h2", Game: "g1", Version: 2}
			move.Requires = test.due
			wantErr(t, s.Commit(ctx, move), test.want)
			wantState(t, s, first.After)
			wantDue(t, s, base+90_000, flag)
			if events, err := s.Events(ctx, "g1", 1, 10); err != nil || len(events) > 0 {
				t.Errorf("%v left events %v, %v", test.want, events, err)
			}
			if _, found, err := s.Command(ctx, "w", "k2"); err != nil || found {
				t.Errorf("%v left its command: %t, %v", test.want, found, err)
			}
		}
	})
}

func TestStoreListsGames(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		guest := Seat{Side: "x", Kind: SeatPerson, Player: "guest:1", Name: "guest"}
		commits := []Commit{
			create(t, "01", person("white"), person("black"), nil),
			create(t, "02", person("white"), openSeat("black"), nil),
			create(t, "03", engineSeat("white"), person("black"), nil),
			written(t, State{}, Create{ID: "04", Rules: "tictactoe", Seats: [2]Seat{guest, openSeat("o")}, Side: "x"}, plainRuling(0), 0),
			create(t, "05", openSeat("white"), person("black"), nil),
			create(t, "06", person("black"), person("white"), nil),
		}
		for _, c := range commits {
			must(t, s.Commit(ctx, c))
		}
		must(t, s.Commit(ctx, written(t, commits[0].After, Resign{Player: "w"}, nil, 9)))
		must(t, s.Commit(ctx, written(t, commits[4].After, Cancel{Player: "b"}, nil, 9)))

		for i, test := range []struct {
			q    ListQuery
			want []string
		}{
			{ListQuery{Player: "w", Limit: 10}, []string{"06", "02", "01"}},
			{ListQuery{Player: "w", Limit: 2}, []string{"06", "02"}},
			{ListQuery{Player: "w", Before: "02", Limit: 10}, []string{"01"}},
			{ListQuery{Player: "b", Limit: 10}, []string{"06", "05", "03", "01"}},
			{ListQuery{Player: "b", Status: StatusFinished, Limit: 10}, []string{"01"}},
			{ListQuery{Player: "b", Status: StatusCancelled, Limit: 10}, []string{"05"}},
			{ListQuery{Player: "b", Rules: "draughts", Limit: 10}, nil},
			{ListQuery{Player: "guest:1", Limit: 10}, []string{"04"}},
			{ListQuery{Player: "c", Limit: 10}, nil},
			{ListQuery{Limit: 10}, []string{"04", "02"}},
			{ListQuery{Limit: 1}, []string{"04"}},
			{ListQuery{Before: "04", Limit: 10}, []string{"02"}},
			{ListQuery{Rules: "chess", Limit: 10}, []string{"02"}},
			{ListQuery{Guest: true, Limit: 10}, []string{"04"}},
		} {
			states, err := s.List(ctx, test.q)
			must(t, err)
			var got []string
			for _, state := range states {
				got = append(got, state.ID)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("list %d, %+v: got %v, want %v", i, test.q, got, test.want)
			}
		}
		for player, want := range map[string]int{"w": 2, "b": 2, "guest:1": 1, "c": 0} {
			if got, err := s.Live(ctx, player); err != nil || got != want {
				t.Errorf("%s has %d live games, %v; want %d", player, got, err, want)
			}
		}
	})
}

func TestStoreKeepsGatesOpen(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		isOpen := func(account, rules string, want bool) {
			t.Helper()
			if got, err := s.GateOpen(ctx, account, rules); err != nil || got != want {
				t.Errorf("gate of %s for %s: %t, %v; want %t", account, rules, got, err, want)
			}
		}
		isOpen("w", "chess", false)
		must(t, s.OpenGate(ctx, "w", "chess", 1))
		must(t, s.OpenGate(ctx, "w", "chess", 2))
		isOpen("w", "chess", true)
		isOpen("w", "draughts", false)
		isOpen("b", "chess", false)
	})
}

// TestStoreLosesNoRace lets many write one game at once: each version is
// written by exactly one of them.
func TestStoreLosesNoRace(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		ctx := t.Context()
		const plies, writers = 40, 4
		must(t, s.Commit(ctx, create(t, "g1", person("white"), person("black"), nil)))
		done := make(chan error, writers)
		for w := range writers {
			go func() { done <- raceOn(ctx, s, w, plies) }()
		}
		for range writers {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		state, err := s.Load(ctx, "g1")
		must(t, err)
		events, err := s.Events(ctx, "g1", 0, 1000)
		must(t, err)
		if len(events) != plies+1 || int(state.Version) != len(events) || !reflect.DeepEqual(Fold(State{}, events), state) {
			t.Errorf("version %d with %d events, want %d", state.Version, len(events), plies+1)
		}
	})
}

func raceOn(ctx context.Context, s Store, writer, plies int) error {
	for {
		before, err := s.Load(ctx, "g1")
		if err != nil || len(before.Plies) >= plies {
			return err
		}
		c := Play{Player: before.Seats[before.ToMove()].Player, Turn: before.Turn, Move: Move{Text: fmt.Sprint(writer)}}
		events, err := Decide(before, c, plainRuling(len(before.Plies)+1), at(0))
		if err != nil {
			return err
		}
		err = s.Commit(ctx, Commit{Before: before, After: Fold(before, events), Events: events})
		if err != nil && !errors.Is(err, ErrStale) && !errors.Is(err, ErrUnavailable) {
			return err
		}
	}
}

func TestTheStoreInMemoryFails(t *testing.T) {
	for _, test := range []struct {
		fault Fault
		want  error
		kept  bool
	}{{FaultNone, nil, true}, {FaultBefore, ErrUnavailable, false}, {FaultLost, ErrUnknown, false}, {FaultAfter, ErrUnknown, true}} {
		s := NewMemory()
		s.Faults = func(operation string) Fault {
			if operation == "Commit" {
				return test.fault
			}
			return FaultNone
		}
		if err := s.Commit(t.Context(), create(t, "g1", person("white"), person("black"), nil)); !errors.Is(err, test.want) {
			t.Errorf("fault %d: got %v, want %v", test.fault, err, test.want)
		}
		if _, err := s.Load(t.Context(), "g1"); (err == nil) != test.kept {
			t.Errorf("fault %d: kept is %t, want %t", test.fault, err == nil, test.kept)
		}
	}
}

func wantState(t *testing.T, s Store, want State) {
	t.Helper()
	got, err := s.Load(t.Context(), want.ID)
	must(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func overdue(t *testing.T, s Store, at int64) []Due {
	t.Helper()
	due, err := s.Overdue(t.Context(), at, 10)
	must(t, err)
	return due
}

func wantDue(t *testing.T, s Store, at int64, want ...Due) {
	t.Helper()
	if got := overdue(t, s, at); len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("overdue at %d: got %+v, want %+v", at, got, want)
	}
}
