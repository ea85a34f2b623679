package play

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// TestTwoReplicasOnOneDatabase lets both players send every move through two
// replicas at once, each twice under its key: each acknowledged move is in the
// game exactly once, and both answers are the same.
func TestTwoReplicasOnOneDatabase(t *testing.T) {
	eachPair(t, func(t *testing.T, store, other Store) {
		const plies = 30
		w := worldOn(t, store)
		replicas := [2]*Service{w.Service, w.replicaOn(other)}
		id := w.pair(&playv1.CreateGameRequest{Rated: true}).GetId()

		var mu sync.Mutex
		acknowledged := map[string]int32{} // move by version
		var all sync.WaitGroup
		for i := range 4 {
			player := []string{"w", "b"}[i%2]
			all.Go(func() {
				for n := int32(i % 2); n < plies; n += 2 {
					version, err := insist(w, replicas[i/2], player, id, n)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					text := fmt.Sprint("m", n)
					if before, ok := acknowledged[text]; ok && before != version {
						t.Errorf("%s was acknowledged at versions %d and %d", text, before, version)
					}
					acknowledged[text] = version
					mu.Unlock()
				}
			})
		}
		all.Wait()

		for _, s := range replicas {
			for range 2 {
				_, err := s.Resign(w.with("w", "resign"), &playv1.ResignRequest{Game: id})
				must(t, err)
			}
		}
		w.step()
		for _, s := range replicas {
			for {
				acted, err := s.DueStep(t.Context())
				must(t, err)
				if !acted {
					break
				}
			}
		}

		state, err := store.Load(t.Context(), id)
		must(t, err)
		events, err := store.Events(t.Context(), id, 0, 1000)
		must(t, err)
		if want := 2 + plies + 2; len(events) != want || int(state.Version) != want {
			t.Errorf("version %d, %d events, want %d", state.Version, len(events), want)
		}
		if !reflect.DeepEqual(Fold(State{}, events), state) {
			t.Error("the events do not give the state")
		}
		var played []string
		for i, ply := range state.Plies {
			played = append(played, ply.Move.Text)
			if got := acknowledged[ply.Move.Text]; got != int32(i)+3 {
				t.Errorf("%s has version %d and was acknowledged at %d", ply.Move.Text, i+3, got)
			}
		}
		var want []string
		for n := range plies {
			want = append(want, fmt.Sprint("m", n))
		}
		if !slices.Equal(played, want) {
			t.Errorf("played %v", played)
		}
	})
}

// eachPair runs a test on two stores that are one database: in PostgreSQL each with
// connections of its own, as replicas have them.
func eachPair(t *testing.T, f func(t *testing.T, one, other Store)) {
	t.Run("memory", func(t *testing.T) {
		s := NewMemory()
		f(t, s, s)
	})
	t.Run(db.DriverSQLite, func(t *testing.T) {
		s := NewSQL(dbtest.SQLite(t, Migrations()))
		f(t, s, s)
	})
	t.Run(db.DriverPostgres, func(t *testing.T) {
		cfg := dbtest.PostgresConfig(t)
		f(t, NewSQL(dbtest.Open(t, cfg, Migrations())), NewSQL(dbtest.Open(t, cfg, Migrations())))
	})
}

// TestReplicasRaceForAnObligation: of two that commit the same act at once, one
// succeeds, and the other hears that the game has moved on or the act is done.
func TestReplicasRaceForAnObligation(t *testing.T) {
	eachPair(t, func(t *testing.T, one, other Store) {
		for round := range 20 {
			first := create(t, fmt.Sprint("g", round), engineSeat("white"), engineSeat("black"), nil)
			must(t, one.Commit(t.Context(), first))
			results := make(chan error, 2)
			for i, s := range []Store{one, other} {
				move := written(t, first.After, EnginePlay{Move: Move{Text: fmt.Sprint(i)}}, plainRuling(1), 5)
				move.Requires = &first.Due[0]
				go func() { results <- s.Commit(t.Context(), move) }()
			}
			a, b := <-results, <-results
			if a != nil {
				a, b = b, a
			}
			if a != nil || !errors.Is(b, ErrStale) && !errors.Is(b, ErrGone) {
				t.Fatalf("round %d: %v and %v", round, a, b)
			}
			events, err := one.Events(t.Context(), first.After.ID, 0, 10)
			must(t, err)
			if len(events) != 2 {
				t.Errorf("round %d: %d events", round, len(events))
			}
		}
	})
}

// TestReplicasRaceForAKey: one key makes one game, whoever is asked.
func TestReplicasRaceForAKey(t *testing.T) {
	eachPair(t, func(t *testing.T, one, other Store) {
		for round := range 20 {
			results := make(chan error, 2)
			for i, s := range []Store{one, other} {
				c := create(t, fmt.Sprintf("g%d-%d", round, i), person("white"), openSeat("black"), nil)
				c.Command = &CommandRecord{Owner: "w", Key: fmt.Sprint("k", round), Hash: "h", Game: c.After.ID, Version: 1}
				go func() { results <- s.Commit(t.Context(), c) }()
			}
			a, b := <-results, <-results
			if a != nil {
				a, b = b, a
			}
			if a != nil || !errors.Is(b, ErrKeyTaken) {
				t.Fatalf("round %d: %v and %v", round, a, b)
			}
		}
		if n, err := other.Live(t.Context(), "w"); err != nil || n != 20 {
			t.Errorf("%d games, %v; want 20", n, err)
		}
	})
}

// insist sends a move until it is acknowledged, as clients do.
func insist(w *world, s *Service, player, game string, n int32) (int32, error) {
	ctx := w.with(player, fmt.Sprint("move", n))
	for {
		out, err := s.Move(ctx, &playv1.MoveRequest{Game: game, Move: fmt.Sprint("m", n), Turn: &n})
		if err == nil {
			return out.GetGame().GetVersion(), nil
		}
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		switch problem := rpc.ToProblem(err); problem.Code {
		case "stale_turn", "conflict", "unavailable": // not yet this move's turn, or others were faster
		default:
			return 0, fmt.Errorf("move %d of %s: %w", n, player, err)
		}
	}
}
