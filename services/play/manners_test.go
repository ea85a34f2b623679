package play

import (
	"testing"

	searchv1 "tabuleiro/proto/tabuleiro/search/v1"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

func TestManners(t *testing.T) {
	for _, test := range []struct {
		name   string
		level  string
		turn   int32
		before []int32
		score  int32
		offer  string
		ago    int32 // turns since the engine's own offer; 0 for none
		want   manner
	}{
		{"a good position", "full", 30, []int32{80, 90}, 100, "", 0, mannerMove},
		{"lost for three moves", "full", 30, []int32{-850, -900}, -1100, "", 0, mannerResign},
		{"lost for two moves", "full", 30, []int32{-850}, -1100, "", 0, mannerMove},
		{"lost, then not", "full", 30, []int32{-850, -900}, -790, "", 0, mannerMove},
		{"nearly lost", "full", 30, []int32{-799, -799}, -799, "", 0, mannerMove},
		{"mate is seen", "full", 10, []int32{-29_990, -29_992}, -29_994, "", 0, mannerResign},
		{"a weaker one holds out longer", "plies-6", 30, []int32{-1100, -1100}, -1100, "", 0, mannerMove},
		{"and gives up too", "plies-6", 30, []int32{-1300, -1300}, -1300, "", 0, mannerResign},
		{"a weak one plays on to mate", "plies-4", 30, []int32{-29_990, -29_992}, -29_994, "", 0, mannerMove},
		{"the weakest too", "plies-2", 30, []int32{-29_990, -29_992}, -29_994, "", 0, mannerMove},
		{"a draw is taken when worse", "full", 50, nil, -5, "black", 0, mannerAccept},
		{"a draw is taken when level", "full", 50, nil, 0, "black", 0, mannerAccept},
		{"not when better", "full", 50, nil, 1, "black", 0, mannerMove},
		{"nor early", "full", 39, nil, -300, "black", 0, mannerMove},
		{"a weak one is gladder of it", "plies-2", 50, nil, 100, "black", 0, mannerAccept},
		{"up to a point", "plies-2", 50, nil, 101, "black", 0, mannerMove},
		{"its own offer is no offer to it", "full", 50, nil, -5, "white", 0, mannerMove},
		{"resigning goes before a draw", "full", 50, []int32{-900, -900}, -900, "black", 0, mannerResign},
		{"a level ending is offered", "full", 60, []int32{20, -20}, 0, "", 0, mannerOffer},
		{"not before", "full", 59, []int32{20, -20}, 0, "", 0, mannerMove},
		{"nor when it is not level", "full", 60, []int32{20, -21}, 0, "", 0, mannerMove},
		{"nor again soon", "full", 99, []int32{0, 0}, 0, "", 39, mannerMove},
		{"but later", "full", 100, []int32{0, 0}, 0, "", 40, mannerOffer},
	} {
		s := onTurn(test.level, person("black"), nil, false, int(test.turn), 20)
		s.Scores, s.Offer = test.before, test.offer
		if test.ago > 0 {
			s.EngineOffer = test.turn - test.ago
		}
		if got := manners(s, test.score); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
	lost := []int32{-29_990, -29_992}
	toe := onTurn("full", person("black"), nil, false, 3, 5)
	toe.Rules, toe.Scores = guestRules, lost
	engines := onTurn("full", engineSeat("black"), nil, false, 60, 20)
	engines.Scores = lost
	for name, s := range map[string]State{"tic-tac-toe is played to its end": toe, "engines play on": engines} {
		if got := manners(s, -29_994); got != mannerMove {
			t.Errorf("%s: got %d", name, got)
		}
	}
}

// chessWorld is a game of chess of "w" against the engine as black, of a score.
func chessWorld(t *testing.T, level string, score int32) (*world, string) {
	w := newWorld(t)
	w.search.while = func(*searchv1.BestMoveRequest) { w.search.score = score }
	return w, w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "engine", Side: "first", Level: level}).GetId()
}

// exchange lets both sides move until a turn, or the end.
func (w *world) exchange(id string, until int32) *playv1.Game {
	w.t.Helper()
	g := w.get("w", id)
	for g.GetStatus() == StatusRunning && g.GetTurn() < until {
		w.moved("w", id, g.GetTurn(), "m")
		w.step()
		g = w.get("w", id)
	}
	return g
}

// TestTheEngineResigns: after three own moves in a row, in one commit, and once,
// however often its replica dies.
func TestTheEngineResigns(t *testing.T) {
	w, id := chessWorld(t, "full", -900)
	g := w.exchange(id, 4)
	if g.GetTurn() != 4 {
		t.Fatalf("got %v", g)
	}
	w.restart()
	g = w.exchange(id, 20)
	if g.GetOutcome().GetReason() != "resignation" || g.GetResult() != "1-0" || g.GetTurn() != 5 || g.GetVersion() != 1+5+1 {
		t.Errorf("got %v", g)
	}
	w.idle()
	w, id = chessWorld(t, "plies-4", -29_000)
	if g := w.exchange(id, 20); g.GetStatus() != StatusRunning || g.GetTurn() != 20 {
		t.Errorf("a weak level: %v", g)
	}
}

func TestTheEngineOffersAndAcceptsDraws(t *testing.T) {
	w, id := chessWorld(t, "full", 0)
	g := w.exchange(id, 62)
	if g.GetDrawOffer() != "black" || g.GetTurn() != 62 {
		t.Fatalf("after 62 turns: %v", g)
	}
	// A move declines it, and it is not made again at once.
	if g = w.exchange(id, 80); g.GetDrawOffer() != "" {
		t.Errorf("offered again: %v", g)
	}
	_, err := w.OfferDraw(w.as("w"), &playv1.OfferDrawRequest{Game: id, Turn: turn(80)})
	must(t, err)
	w.moved("w", id, 80, "m")
	w.step()
	if g = w.get("w", id); g.GetOutcome().GetReason() != "agreement" || g.GetTurn() != 81 {
		t.Errorf("got %v", g)
	}
	// What the engine thinks of the position is nobody else's business.
	events, err := w.ListEvents(w.as("w"), &playv1.ListEventsRequest{Game: id, Limit: 500})
	must(t, err)
	for _, e := range events.GetEvents() {
		if e.ProtoReflect().GetUnknown() != nil || e.GetCreditedMs() != 0 {
			t.Errorf("got %v", e)
		}
	}
}
