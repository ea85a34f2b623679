package play

import (
	"errors"
	"testing"

	"tabuleiro/internal/identity"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// Who sees the private games of somebody, and the list of them, by what they are
// to one of the players.
func TestWhoOverseesGames(t *testing.T) {
	w := newWorld(t)
	w.relations = map[string]string{
		"teach w": "teacher", "mum w": "guardian", "op w": "operator", "mate w": "same_class", "old w": "none",
	}
	id := w.pair(&playv1.CreateGameRequest{Rules: "chess"}).GetId()
	for viewer, may := range map[string]bool{
		"w": true, "b": true, "teach": true, "mum": true, "op": true, "mate": false, "old": false, "c": false, "guest:1": false,
	} {
		got, err := w.GetGame(w.as(viewer), &playv1.GetGameRequest{Game: id})
		if may {
			must(t, err)
			if got.GetGame().GetYourSide() != "" && viewer != "w" && viewer != "b" {
				t.Errorf("%s plays %s", viewer, got.GetGame().GetYourSide())
			}
		} else {
			wantCode(t, err, "game_not_found")
		}
		list, err := w.ListGames(w.as(viewer), &playv1.ListGamesRequest{Player: "w"})
		if may && viewer != "b" {
			must(t, err)
			if len(list.GetGames()) != 1 || list.GetGames()[0].GetId() != id {
				t.Errorf("%s lists %v", viewer, list)
			}
		} else {
			wantCode(t, err, "account_not_found")
		}
	}
	// To see is not to play.
	_, err := w.Resign(w.as("teach"), &playv1.ResignRequest{Game: id})
	wantCode(t, err, "not_your_seat")
	_, err = w.ListGames(w.as("teach"), &playv1.ListGamesRequest{Player: "w", List: "open"})
	wantCode(t, err, "bad_field")
	// An access token sees one's own games; those of others need a scope of their own.
	token := identity.Caller{Account: "teach", Session: "s", Scopes: []string{identity.ScopeGamesRead}}
	_, err = w.GetGame(identity.With(t.Context(), token), &playv1.GetGameRequest{Game: id})
	wantCode(t, err, "game_not_found")
	token.Scopes = append(token.Scopes, identity.ScopeClassRead)
	_, err = w.GetGame(identity.With(t.Context(), token), &playv1.GetGameRequest{Game: id})
	must(t, err)
	// One's own are seen while accounts is away, others' are not.
	w.relateErr = errors.New("away")
	_, err = w.GetGame(w.as("w"), &playv1.GetGameRequest{Game: id})
	must(t, err)
	if _, err = w.GetGame(w.as("teach"), &playv1.GetGameRequest{Game: id}); !errors.Is(err, w.relateErr) {
		t.Errorf("the teacher hears %v", err)
	}
}

// A child is invited by those who know them; to a stranger there is nobody with
// the login.
func TestStrangersDoNotFindTheProtected(t *testing.T) {
	w := newWorld(t)
	w.relations = map[string]string{"teach k": "teacher", "mum k": "guardian", "mate k": "same_class", "op k": "operator", "c k": "none"}
	invite := func(viewer, login string) error {
		_, err := w.CreateGame(w.as(viewer), &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Invite: login})
		return err
	}
	for _, viewer := range []string{"teach", "mum", "mate"} {
		must(t, invite(viewer, "kid"))
	}
	for _, viewer := range []string{"op", "c", "stranger"} {
		hidden, none := invite(viewer, "kid"), invite(viewer, "nobody")
		wantCode(t, hidden, "account_not_found")
		if hidden.Error() != none.Error() {
			t.Errorf("%q tells a hidden login from none: %q", hidden, none)
		}
	}
	if got := w.listed("k", "invited"); len(got) != 3 {
		t.Errorf("invitations %v, want 3", got)
	}
}
