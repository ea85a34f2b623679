package play

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

type deletionList struct {
	mu   sync.Mutex
	list []*accountsv1.Deletion
	err  error
}

func (d *deletionList) ListDeletions(_ context.Context, in *accountsv1.ListDeletionsRequest, _ ...grpc.CallOption) (*accountsv1.ListDeletionsResponse, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return nil, d.err
	}
	rest := d.list[min(int(in.GetAfter()), len(d.list)):]
	return &accountsv1.ListDeletionsResponse{Deletions: rest[:min(len(rest), int(in.GetLimit()))]}, nil
}

func (d *deletionList) add(account string, at time.Time) {
	d.list = append(d.list, &accountsv1.Deletion{Number: int32(len(d.list)) + 1, Account: account, At: timestamppb.New(at)})
}

// told are the names that a game and its events show, with everything else.
func (w *world) told(game string) string {
	w.t.Helper()
	state, err := w.store.Load(w.t.Context(), game)
	must(w.t, err)
	events, err := w.store.Events(w.t.Context(), game, 0, 1000)
	must(w.t, err)
	if again := Fold(State{}, events); again.Seats != state.Seats || again.Version != state.Version {
		w.t.Errorf("game %s: its events make %+v, its row is %+v", game, again.Seats, state.Seats)
	}
	text, err := json.Marshal([]any{state, events})
	must(w.t, err)
	return string(text)
}

// A deleted person's games: those that run end, all lose the name, in the log too,
// and nothing happens twice, whoever breaks off or does it as well.
func TestDeletedPlayersAreForgotten(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := worldOn(t, store)
		finished := w.pair(&playv1.CreateGameRequest{}).GetId()
		_, err := w.Resign(w.as("b"), &playv1.ResignRequest{Game: finished})
		must(t, err)
		hardly := w.pair(&playv1.CreateGameRequest{}).GetId()
		running := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 300000}}).GetId()
		for turn, player := range []string{"w", "b"} {
			w.moved(player, running, int32(turn), "m")
		}
		open := w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person"}).GetId()
		invited := w.create("b", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Invite: "william"}).GetId()
		engines := w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "engines"}).GetId()
		others := w.create("b", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person"}).GetId()
		before := w.told(others)
		must(t, store.OpenGate(t.Context(), "w", "chess", 1))

		list := &deletionList{}
		list.add("w", w.time.Now())
		var dropped, left []string
		forget := func(service *Service) error {
			return Forgetter{Service: service, Deletions: list, Tournaments: func(_ context.Context, account string) error {
				w.mu.Lock()
				defer w.mu.Unlock()
				left = append(left, account)
				return nil
			}, Collections: func(_ context.Context, account string) error {
				w.mu.Lock()
				defer w.mu.Unlock()
				dropped = append(dropped, account)
				return nil
			}}.Once(t.Context())
		}
		must(t, forget(w.Service))
		if got, err := store.Followed(t.Context()); got != 0 || err != nil {
			t.Errorf("followed %d, %v, while calls may be under way", got, err)
		}
		w.time.pass(forgetAfter)
		list.err = errors.New("away")
		if err := forget(w.Service); !errors.Is(err, list.err) {
			t.Errorf("accounts away: %v", err)
		}
		list.err = nil
		var wg sync.WaitGroup
		for _, replica := range []*Service{w.replica(), w.replica()} {
			wg.Go(func() {
				if err := forget(replica); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for game, want := range map[string]string{
			finished: "finished 1-0", hardly: "cancelled *", running: "finished 0-1", open: "cancelled *", invited: "cancelled *", engines: "cancelled *",
		} {
			told := w.told(game)
			for _, name := range []string{"Name of w", "william"} {
				if strings.Contains(told, name) {
					t.Errorf("game %s still tells %q", game, name)
				}
			}
			state, err := store.Load(t.Context(), game)
			must(t, err)
			if got := state.Status + " " + state.Result(); got != want {
				t.Errorf("game %s is %s, want %s", game, got, want)
			}
			events, err := store.Events(t.Context(), game, 0, 1000)
			must(t, err)
			deleted := slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return e.Kind != KindPlayerDeleted })
			if len(deleted) != 1 && game != engines {
				t.Errorf("game %s: the person was deleted %d times", game, len(deleted))
			}
		}
		if !strings.Contains(w.told(finished), "Name of b") {
			t.Error("the opponent's name is gone too")
		}
		if after := w.told(others); after != before {
			t.Errorf("a game of others changed:\n%s\n%s", before, after)
		}
		if open, err := store.GateOpen(t.Context(), "w", "chess"); open || err != nil {
			t.Errorf("the gate is kept: %v, %v", open, err)
		}
		if got, err := store.Followed(t.Context()); got != 1 || err != nil {
			t.Errorf("followed %d, %v, want 1", got, err)
		}
		if !slices.Contains(dropped, "w") || !slices.Contains(left, "w") {
			t.Errorf("the collections or tournaments are kept: %v, %v", dropped, left)
		}
		// A slow replica that comes to it again changes nothing.
		last := w.told(running)
		must(t, Forgetter{Service: w.Service, Deletions: list}.forget(t.Context(), "w"))
		must(t, store.Forget(t.Context(), "w", 1))
		if again := w.told(running); again != last {
			t.Errorf("forgotten again:\n%s\n%s", last, again)
		}
	})
}
