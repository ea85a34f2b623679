package play

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"tabuleiro/internal/identity"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play/tournaments"
)

// fakeCompetitions are one tournament, "t", that "ana" attends.
type fakeCompetitions struct {
	told []string
	err  error
}

func (f *fakeCompetitions) Attends(_ context.Context, caller identity.Caller, id string) (bool, error) {
	return id == "t" && caller.Account == "ana", f.err
}

// Organises: "boss" made it.
func (f *fakeCompetitions) Organises(_ context.Context, account, id string) (bool, error) {
	return id == "t" && account == "boss", f.err
}

func (f *fakeCompetitions) GameOver(_ context.Context, id, game string) error {
	if f.err == nil {
		f.told = append(f.told, id+" "+game)
	}
	return f.err
}

// inTournament makes a game of w and b in the tournament "t".
func (w *world) inTournament(f *fakeCompetitions, id string) {
	w.t.Helper()
	w.CompeteIn(f)
	must(w.t, tournamentGames{w.Service}.Make(w.t.Context(), tournaments.NewGame{
		ID: id, Tournament: "t", Rules: "chess", Maker: "boss", Players: [2]tournaments.Player{{Account: "w", Name: "w"}, {Account: "b", Name: "b"}},
	}))
}

// TestWhoAttendsATournamentSeesItsGames, with their events, their record and their
// tournament; strangers do not, and neither sees other private games.
func TestWhoAttendsATournamentSeesItsGames(t *testing.T) {
	w := newWorld(t)
	f := &fakeCompetitions{}
	w.inTournament(f, "g1")
	private := w.pair(&playv1.CreateGameRequest{Rules: "chess"}).GetId()
	records := w.Records()
	for viewer, may := range map[string]bool{"w": true, "b": true, "ana": true, "c": false, "guest:1": false} {
		got, err := w.GetGame(w.as(viewer), &playv1.GetGameRequest{Game: "g1"})
		_, eventsErr := w.ListEvents(w.as(viewer), &playv1.ListEventsRequest{Game: "g1"})
		caller, _ := identity.From(w.as(viewer))
		_, recordErr := records.Game(t.Context(), caller, "g1")
		if may {
			must(t, errors.Join(err, eventsErr, recordErr))
			if got.GetGame().GetTournament() != "t" || (got.GetGame().GetYourSide() != "") == (viewer == "ana") {
				t.Errorf("%s sees %v", viewer, got.GetGame())
			}
		} else {
			wantCode(t, err, "game_not_found")
			wantCode(t, eventsErr, "game_not_found")
			wantCode(t, recordErr, "game_not_found")
		}
	}
	_, err := w.GetGame(w.as("ana"), &playv1.GetGameRequest{Game: private})
	wantCode(t, err, "game_not_found")
	_, err = w.Resign(w.as("ana"), &playv1.ResignRequest{Game: "g1"})
	wantCode(t, err, "not_your_seat")
	f.err = errAway
	if _, err := w.GetGame(w.as("ana"), &playv1.GetGameRequest{Game: "g1"}); !errors.Is(err, errAway) {
		t.Errorf("while nobody knows: %v", err)
	}
}

// TestATournamentHearsOfItsGames: of each end and of each decision about it since,
// also where it could not hear at first and whoever was to tell died.
func TestATournamentHearsOfItsGames(t *testing.T) {
	w := newWorld(t)
	f := &fakeCompetitions{err: errAway}
	w.inTournament(f, "g1")
	_, err := w.Resign(w.as("w"), &playv1.ResignRequest{Game: "g1"})
	must(t, err)
	if _, err := w.DueStep(t.Context()); !errors.Is(err, errAway) {
		t.Errorf("telling who cannot hear: %v", err)
	}
	w.restart()
	w.CompeteIn(f)
	f.err = nil
	heard := func(what string, want ...string) {
		t.Helper()
		for range 4 {
			w.time.pass(time.Minute)
			_, err := w.DueStep(t.Context())
			must(t, err)
		}
		w.idle()
		if !slices.Equal(f.told, want) {
			t.Errorf("%s: told are %q, want %q", what, f.told, want)
		}
	}
	heard("the end", "t g1")
	w.rule("g1", "1-0")
	heard("decided otherwise", "t g1", "t g1")
	w.rule("g1", "annul")
	heard("annulled", "t g1", "t g1", "t g1")

	w.inTournament(f, "g2")
	_, err = w.AbortGame(w.as("b"), &playv1.AbortGameRequest{Game: "g2"})
	must(t, err)
	heard("aborted", "t g1", "t g1", "t g1", "t g2")
	w.pair(&playv1.CreateGameRequest{Rules: "chess"})
	heard("a game of no tournament", "t g1", "t g1", "t g1", "t g2")

	w.inTournament(f, "g3")
	_, err = w.AbortGame(w.as("w"), &playv1.AbortGameRequest{Game: "g3"})
	must(t, err)
	over, err := tournamentGames{w.Service}.Over(t.Context(), []string{"g1", "g2", "g3", "g4"})
	must(t, err)
	want := map[string]string{"g1": tournaments.Aborted, "g2": tournaments.AbortedByBlack, "g3": tournaments.AbortedByWhite}
	if !maps.Equal(over, want) {
		t.Errorf("over are %v, want %v", over, want)
	}
}
