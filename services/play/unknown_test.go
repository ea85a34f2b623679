package play

import (
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// TestAnUnknownCommitIsNotPublishedForTheTwinThatHappened: the simulation (seed
// 987) sent a command to two replicas. One lost its commit and did not know; the
// other carried the command out; and the first published its own events, with
// another time than the store's.
func TestAnUnknownCommitIsNotPublishedForTheTwinThatHappened(t *testing.T) {
	store := NewMemory()
	w := worldOn(t, store)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	w.published = nil
	ctx := w.as("w")
	in := &playv1.MoveRequest{Game: id, Move: "m", Turn: turn(0)}
	store.Faults = func(operation string) Fault {
		if operation != "Commit" {
			return FaultNone
		}
		store.Faults = nil
		w.time.pass(47 * time.Millisecond)
		if _, err := w.replica().Move(ctx, in); err != nil {
			t.Error(err)
		}
		return FaultLost
	}
	moved, err := w.Move(ctx, in)
	must(t, err)
	if moved.GetGame().GetVersion() != 3 {
		t.Errorf("version %d, want 3", moved.GetGame().GetVersion())
	}
	stored, err := w.ListEvents(w.as("w"), &playv1.ListEventsRequest{Game: id, After: 2})
	must(t, err)
	if len(w.published) == 0 || len(stored.GetEvents()) != 1 {
		t.Fatalf("published %v, stored %v", w.published, stored)
	}
	for _, copied := range w.published {
		if got, want := copied.GetEvent().GetAt(), stored.GetEvents()[0].GetAt(); !proto.Equal(got, want) {
			t.Errorf("published a move at %v, the store has it at %v", got, want)
		}
	}
}

// TestARematchThatCannotBeSeenIsNotRefused: the simulation (seed 5388) asked again
// for the next game that it had been told of. It could not be read just then, and
// the command was refused for what it had done.
func TestARematchThatCannotBeSeenIsNotRefused(t *testing.T) {
	store := NewMemory()
	w := worldOn(t, store)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	_, err := w.Resign(w.as("b"), &playv1.ResignRequest{Game: id})
	must(t, err)
	for _, player := range []string{"w", "b"} {
		_, err = w.OfferRematch(w.as(player), &playv1.OfferRematchRequest{Game: id})
		must(t, err)
	}
	// The last load, after the refusal, looks for the next game.
	for failing := range 4 {
		loads := 0
		store.Faults = func(operation string) Fault {
			if operation != "Load" {
				return FaultNone
			}
			if loads++; loads == failing+1 {
				return FaultBefore
			}
			return FaultNone
		}
		out, err := w.OfferRematch(w.as("w"), &playv1.OfferRematchRequest{Game: id})
		store.Faults = nil
		if code := rpc.ToProblem(err).Code; err != nil && code != "unavailable" {
			t.Errorf("load %d fails: %v, want unavailable", failing+1, err)
		}
		if err == nil && out.GetNext() == nil {
			t.Errorf("load %d fails: no next game", failing+1)
		}
	}
}
