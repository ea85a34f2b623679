package play

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// TestTwoReplicasOnOneDatabase lets both players send every move through two
// replicas at once, each twice under its key: each acknowledged move is in the
// game exactly once, and both answers are the same.
func TestTwoReplicasOnOneDatabase(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		const plies = 30
		w := worldOn(t, store)
		replicas := [2]*Service{w.Service, w.replica()}
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
