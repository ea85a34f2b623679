package play

import (
	"testing"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// The simulation found that a command sent twice at once was told stale_turn,
// and so that it had not happened, for what its twin had just done: when the
// store failed as the service looked for the twin.
func TestACommandThatMayHaveHappenedIsNotRefused(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	w.restart() // and has to read the game
	store, twice, turn := w.store.(*Memory), w.with("w", "twice"), int32(0)
	move := &playv1.MoveRequest{Game: id, Move: "m", Turn: &turn}
	store.Faults = func(operation string) Fault {
		if operation != "Load" {
			return FaultNone
		}
		store.Faults = nil
		_, err := w.Move(twice, move)
		must(t, err)
		store.Faults = func(operation string) Fault {
			if operation == "Command" {
				return FaultBefore
			}
			return FaultNone
		}
		return FaultNone
	}
	_, err := w.Move(twice, move)
	wantCode(t, err, "unavailable")

	store.Faults = nil
	out, err := w.Move(twice, move)
	must(t, err)
	if out.GetGame().GetTurn() != 1 {
		t.Errorf("got turn %d; want 1", out.GetGame().GetTurn())
	}
}
