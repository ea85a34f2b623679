package play

import "testing"

// Who joins a tournament while play's store is away is told so, and not that
// something is wrong inside.
func TestATournamentSaysThatTheStoreIsAway(t *testing.T) {
	w := newWorld(t)
	w.store.(*Memory).Faults = func(operation string) Fault {
		if operation == "GateOpen" {
			return FaultBefore
		}
		return FaultNone
	}
	wantCode(t, tournamentPeople{service: w.Service}.MayPlayEngine(t.Context(), "w", "chess"), "unavailable")
}
