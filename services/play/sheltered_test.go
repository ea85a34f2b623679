package play

import (
	"errors"
	"slices"
	"testing"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// Whom a child meets at an open seat, by what they are to the child.
func TestChildrenMeetNoStrangers(t *testing.T) {
	w := newWorld(t)
	w.relations = map[string]string{
		"teach child": "teacher", "mum child": "guardian", "op child": "operator",
		"mate child": "same_class", "child mate": "same_class", "c child": "none",
	}
	seat := &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "person"}
	for other, may := range map[string]bool{
		"teach": true, "mum": true, "mate": true, "op": false, "c": false, "guest:1": false,
	} {
		own := w.create("child", seat).GetId()
		others := w.create(other, seat).GetId()
		if got := slices.Contains(w.listed("child", "open"), others); got != may {
			t.Errorf("the child has the seat of %s in the list: %v, want %v", other, got, may)
		}
		if got := slices.Contains(w.listed("mate", "open"), others); !got && other != "mate" {
			t.Errorf("somebody who meets anybody does not see the seat of %s", other)
		}
		_, err := w.GetGame(w.as(other), &playv1.GetGameRequest{Game: own})
		if sees := err == nil; sees != (may || other == "op") {
			t.Errorf("%s asks for the child's seat: %v", other, err)
		}
		if got := slices.Contains(w.listed(other, "open"), own); got != may {
			t.Errorf("%s has the child's seat in the list: %v, want %v", other, got, may)
		}
		_, err = w.AcceptGame(w.as(other), &playv1.AcceptGameRequest{Game: own})
		theirs := w.create(other, seat).GetId()
		_, takes := w.AcceptGame(w.as("child"), &playv1.AcceptGameRequest{Game: theirs})
		if may {
			must(t, err)
			must(t, takes)
			continue
		}
		wantCode(t, err, "game_not_found")
		wantCode(t, takes, "minor_private")
		if !slices.Contains(w.listed("child", "open"), own) {
			t.Error("the child does not see its own seat")
		}
	}
	_, err := w.CreateGame(w.as("child"), &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Invite: "carl"})
	wantCode(t, err, "minor_private")
	w.relateErr = errors.New("away")
	own := w.create("child", seat).GetId()
	if got := w.listed("mate", "open"); slices.Contains(got, own) {
		t.Errorf("while relations are not known, a seat is listed: %v", got)
	}
	if _, err := w.AcceptGame(w.as("mate"), &playv1.AcceptGameRequest{Game: own}); err == nil {
		t.Error("while relations are not known, a seat is taken")
	}
}

// Sheltered seats do not use up the page of a list.
func TestShelteredSeatsLeaveThePageFull(t *testing.T) {
	w := newWorld(t)
	seat := &playv1.CreateGameRequest{Rules: "chess", Opponent: "person"}
	first := w.create("w", seat).GetId()
	for range 3 {
		w.create("child", seat)
	}
	out, err := w.ListGames(w.as("c"), &playv1.ListGamesRequest{List: "open", Limit: 1})
	must(t, err)
	if len(out.GetGames()) != 1 || out.GetGames()[0].GetId() != first {
		t.Errorf("listed %v", out)
	}
}

// A class that was left ends the series of games too.
func TestNoRematchWithWhoBecameAStranger(t *testing.T) {
	w := newWorld(t)
	w.relations = map[string]string{"mate child": "same_class", "child mate": "same_class"}
	next := func() error {
		id := w.create("child", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person"}).GetId()
		w.relations["mate child"] = "same_class"
		_, err := w.AcceptGame(w.as("mate"), &playv1.AcceptGameRequest{Game: id})
		must(t, err)
		_, err = w.Resign(w.as("mate"), &playv1.ResignRequest{Game: id})
		must(t, err)
		_, err = w.OfferRematch(w.as("mate"), &playv1.OfferRematchRequest{Game: id})
		must(t, err)
		if w.relations["child mate"] == "none" {
			w.relations["mate child"] = "none"
		}
		_, err = w.AnswerRematch(w.as("child"), &playv1.AnswerRematchRequest{Game: id, Accept: true})
		return err
	}
	must(t, next())
	w.relations["child mate"] = "none"
	wantCode(t, next(), "minor_private")
}
