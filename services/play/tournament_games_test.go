package play

import (
	"testing"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play/tournaments"
)

// Who joins a tournament while play's store is away is told so, and not that
// something is wrong inside.
func TestATournamentSaysThatTheStoreIsAway(t *testing.T) {
	w := newWorld(t)
	w.store.(*Memory).Faults = func(operation string) Fault {
		if operation == "GateOpen" || operation == "Load" {
			return FaultBefore
		}
		return FaultNone
	}
	wantCode(t, tournamentPeople{service: w.Service}.MayPlayEngine(t.Context(), "w", "chess"), "unavailable")
	_, err := tournamentGames{w.Service}.Progress(t.Context(), "g1")
	wantCode(t, err, "unavailable")
}

// A game of a tournament is not saved for later: its round would wait for ever.
func TestAGameOfATournamentIsNotSavedForLater(t *testing.T) {
	w := newWorld(t)
	w.inTournament(&fakeCompetitions{}, "g1")
	for _, player := range []string{"w", "b"} {
		_, err := w.Pace().SuspendGame(w.as(player), &playv1.SuspendGameRequest{Game: "g1"})
		wantCode(t, err, "option_off")
	}
	if g := w.get("w", "g1"); g.GetStatus() != StatusRunning || g.GetPauseOffer() != "" {
		t.Errorf("got %v", g)
	}
	_, err := w.Pace().SuspendGame(w.as("c"), &playv1.SuspendGameRequest{Game: "g1"})
	wantCode(t, err, "game_not_found")
}

// A game that was saved for later before that was refused runs for its tournament,
// and ends with its board.
func TestAGameThatWasSavedForLaterEndsWithItsBoard(t *testing.T) {
	w := newWorld(t)
	w.inTournament(&fakeCompetitions{}, "g1")
	games := tournamentGames{w.Service}
	progress := func(want tournaments.Progress) {
		t.Helper()
		if got, err := games.Progress(t.Context(), "g1"); err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	progress(tournaments.Progress{Running: true})
	w.moved("w", "g1", 0, "m")
	progress(tournaments.Progress{Running: true, Side: 1})
	w.moved("b", "g1", 1, "m")
	progress(tournaments.Progress{Running: true, Moved: true})

	state, err := w.store.Load(t.Context(), "g1")
	must(t, err)
	saved := []Event{{Kind: KindSuspended, At: w.time.Now().UnixMilli(), Side: "white"}}
	must(t, w.Service.store(t.Context(), w.prepare(state, saved)))
	if g := w.get("w", "g1"); g.GetStatus() != StatusSuspended {
		t.Fatalf("got %v", g)
	}
	progress(tournaments.Progress{Running: true, Moved: true})
	exists, err := games.End(t.Context(), "g1", "0-1", "boss")
	must(t, err)
	if g := w.get("w", "g1"); !exists || g.GetStatus() != StatusFinished || g.GetResult() != "0-1" {
		t.Errorf("got %v, %v", exists, g)
	}
	progress(tournaments.Progress{Moved: true})
	if got, err := games.Progress(t.Context(), "none"); err != nil || got != (tournaments.Progress{}) {
		t.Errorf("a game that does not exist: %+v, %v", got, err)
	}
}
