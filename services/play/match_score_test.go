package play

import (
	"reflect"
	"testing"
	"time"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// again makes the next game of a match of w and b.
func (w *world) again(game string) string {
	w.t.Helper()
	for _, player := range []string{"w", "b"} {
		_, err := w.OfferRematch(w.as(player), &playv1.OfferRematchRequest{Game: game})
		must(w.t, err)
	}
	return w.get("w", game).GetNextGame()
}

// settled lets all that is due happen.
func (w *world) settled() {
	w.t.Helper()
	for range 30 {
		_, _ = w.DueStep(w.t.Context()) // what others claimed is free later
		w.time.pass(time.Minute)
	}
	w.idle()
}

// scores are the half points of w in the games of a match, and of b.
func (w *world) scores(games []string) (got [][2]int32) {
	w.t.Helper()
	for _, id := range games {
		g := w.get("w", id)
		points := g.GetMatch().GetHalfPoints()
		if g.GetYourSide() == "black" {
			points = []int32{points[1], points[0]}
		}
		got = append(got, [2]int32(points))
	}
	return got
}

func TestADecisionChangesTheScoreOfTheWholeMatch(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) { decideInAMatch(t, worldOn(t, store)) })
}

func decideInAMatch(t *testing.T, w *world) {
	games := []string{w.pair(&playv1.CreateGameRequest{}).GetId()}
	for _, loser := range []string{"w", "b"} {
		last := games[len(games)-1]
		w.resigned(loser, last)
		games = append(games, w.again(last))
	}
	want := func(name string, want ...[2]int32) {
		t.Helper()
		if got := w.scores(games); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the scores are %v, want %v", name, got, want)
		}
	}
	want("as played", [2]int32{0, 2}, [2]int32{2, 2}, [2]int32{2, 2})

	w.rule(games[0], "1-0")
	w.settled()
	want("decided", [2]int32{2, 0}, [2]int32{4, 0}, [2]int32{4, 0})
	last := games[2]
	if g := w.get("w", last); g.GetStatus() != StatusRunning || g.GetTurn() != 0 {
		t.Errorf("the running game: %v", g)
	}
	w.moved("w", last, 0, "m")

	// A decision that is taken back before the first has gone through.
	w.rule(games[0], "0-1")
	w.rule(games[0], "1-0")
	w.restart()
	w.rule(games[0], "1/2-1/2")
	w.settled()
	want("decided three times", [2]int32{1, 1}, [2]int32{3, 1}, [2]int32{3, 1})

	w.rule(games[1], "annul")
	w.settled()
	want("annulled in the middle", [2]int32{1, 1}, [2]int32{1, 1}, [2]int32{1, 1})

	// The one after the running game begins with the score as it is.
	w.resigned("b", last)
	games = append(games, w.again(last))
	want("gone on", [2]int32{1, 1}, [2]int32{1, 1}, [2]int32{3, 1}, [2]int32{3, 1})
	for _, id := range games {
		state, err := w.store.Load(t.Context(), id)
		must(t, err)
		if state.Rescored != 0 {
			t.Errorf("%s owes the score of version %d", id, state.Rescored)
		}
	}
}

// A replica that was slow must not overwrite what a later decision made of the
// score.
func TestAScoreThatIsOldIsNotPassedOn(t *testing.T) {
	w := newWorld(t)
	first := w.pair(&playv1.CreateGameRequest{}).GetId()
	w.resigned("w", first)
	next := w.again(first)
	w.rule(first, "1-0")
	state, err := w.store.Load(t.Context(), first)
	must(t, err)
	old := Due{Game: first, Kind: DueMatch, Version: state.Rescored}
	w.rule(first, "0-1")
	must(t, w.passMatch(t.Context(), old))
	if got := w.scores([]string{next}); got[0] != [2]int32{0, 2} {
		t.Errorf("the score is %v", got)
	}
	w.settled()
	if got := w.scores([]string{next}); got[0] != [2]int32{0, 2} {
		t.Errorf("the score is %v once all is settled", got)
	}
}

func TestAScoreWhoseNextGameIsForgottenIsSettled(t *testing.T) {
	s := given(twoPersons(nil), Resign{Player: "w"}, nil, at(1))
	s = after(s, OfferRematch{Player: "w", Next: "h"}, OfferRematch{Player: "b", Next: "h"}, Adjudicate{By: "t", Result: "1-0", Note: "n"})
	w := newWorld(t)
	due := Due{Game: s.ID, Kind: DueMatch, Version: s.Rescored}
	begun := w.prepare(State{}, []Event{{Kind: KindCreated, Created: &Setup{ID: s.ID}}})
	begun.After, begun.Due = s, []Due{due}
	must(t, w.store.Commit(t.Context(), begun))
	must(t, w.passMatch(t.Context(), due))
	state, err := w.store.Load(t.Context(), s.ID)
	must(t, err)
	if state.Rescored != 0 || s.Rescored == 0 {
		t.Errorf("owed at %d, then at %d", s.Rescored, state.Rescored)
	}
}
