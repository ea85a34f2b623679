package play

import (
	"testing"

	"tabuleiro/internal/identity"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// TestGatewayReadsEventsForItsHub: the gateway's own Caller has no seat and was
// refused as not_logged_in, so that no stream could be opened.
func TestGatewayReadsEventsForItsHub(t *testing.T) {
	w := newWorld(t)
	game := w.pair(&playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Side: "first"}).GetId()
	hub := identity.With(t.Context(), identity.Caller{Service: identity.Gateway})
	answer, err := w.ListEvents(hub, &playv1.ListEventsRequest{Game: game})
	must(t, err)
	if len(answer.GetEvents()) != 2 || answer.GetVersion() != 2 || answer.GetEvents()[1].GetGame().GetYourSide() != "" {
		t.Errorf("the hub reads %v", answer)
	}
	_, err = w.GetGame(hub, &playv1.GetGameRequest{Game: game})
	wantCode(t, err, "not_logged_in")
	_, err = w.ListEvents(identity.With(t.Context(), identity.Caller{Service: "tutor"}), &playv1.ListEventsRequest{Game: game})
	wantCode(t, err, "not_logged_in")
	_, err = w.ListEvents(hub, &playv1.ListEventsRequest{Game: "01a229dc-09d1-7256-89f7-58b6cc16ef6f"})
	wantCode(t, err, "game_not_found")
}
