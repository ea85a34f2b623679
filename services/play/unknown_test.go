package play

import (
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

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
