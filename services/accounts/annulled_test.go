package accounts

import (
	"math"
	"testing"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// TestAnAnnulledGameGivesNothing: it takes back what it gave, counts in no record,
// and may count again by a later correction.
func TestAnAnnulledGameGivesNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		for n := range 2 {
			if err := store.Create(t.Context(), person(n+1, id(n)), keyed("register", id(n), id(n+1))); err != nil {
				t.Fatal(err)
			}
		}
		game := result(10, Seat{Account: id(1)}, Seat{Account: id(2)}, 2)
		first, err := rate(t.Context(), store, game)
		if err != nil {
			t.Fatal(err)
		}
		annulled := game
		annulled.Revision, annulled.HalfPoints, annulled.Annulled = 1, 0, true
		for range 2 {
			entry, err := rate(t.Context(), store, annulled)
			if err != nil || !entry.Annulled {
				t.Fatalf("annulled: %+v, %v", entry, err)
			}
			for i := range entry.Sides {
				if got, want := entry.Sides[i].After.Value, first.Sides[i].Before.Value; math.Abs(got-want) > 1e-9 {
					t.Errorf("seat %d stands at %v, want %v", i, got, want)
				}
			}
		}
		standings, err := store.Standings(t.Context(), []string{id(1), id(2)})
		if err != nil || len(standings) != 2 {
			t.Fatalf("standings %v, %v", standings, err)
		}
		for _, s := range standings {
			if s.Wins+s.Draws+s.Losses != 0 {
				t.Errorf("the record of %s has an annulled game: %+v", s.Account, s)
			}
		}
		lost := game
		lost.Revision, lost.HalfPoints = 2, 0
		again, err := rate(t.Context(), store, lost)
		if err != nil {
			t.Fatal(err)
		}
		if won := first.Sides[0].After.Value - first.Sides[0].Before.Value; math.Abs(again.Sides[0].After.Value-first.Sides[0].Before.Value+won) > 1e-9 {
			t.Errorf("lost after all: %v after %v, the win was worth %v", again.Sides[0].After.Value, first.Sides[0].Before.Value, won)
		}
		wantLedgerSound(t, store)
	})
}

func TestOnlyACorrectionAnnuls(t *testing.T) {
	w := newWorld(t)
	ana, rui := w.mustRegister("Ana"), w.mustRegister("Rui")
	in := rateRequest(10, &accountsv1.RatedSeat{Account: ana.Id}, &accountsv1.RatedSeat{Account: rui.Id}, 2)
	in.Annulled = true
	_, err := w.as("play").Rate(t.Context(), in)
	wantProblem(t, "annulled at first", err, "bad_field", "annulled bad_field")
}

func TestGetPlayersByLogin(t *testing.T) {
	w := newWorld(t)
	ana, rui := w.mustRegister("Ana"), w.mustRegister("Rui")
	for login, want := range map[string][]string{
		"rui": {ana.Id, rui.Id}, "RUI": {ana.Id, rui.Id}, "nobody": {ana.Id}, "": {ana.Id}, "a\x00b": {ana.Id},
	} {
		got, err := w.as("play").GetPlayers(t.Context(), &accountsv1.GetPlayersRequest{
			Accounts: []string{ana.Id}, Login: login, Rules: "chess", Speed: "none",
		})
		wantErr(t, login, err, nil)
		var ids []string
		for _, p := range got.GetPlayers() {
			ids = append(ids, p.GetAccount())
			if p.GetRating() == nil {
				t.Errorf("%q: no rating of %s", login, p.GetName())
			}
		}
		if len(ids) != len(want) || ids[len(ids)-1] != want[len(want)-1] {
			t.Errorf("%q: got %v, want %v", login, ids, want)
		}
	}
}
