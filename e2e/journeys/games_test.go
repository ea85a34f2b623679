package journeys

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tabuleiro/e2e/shapetest"
)

// longest bounds a game of somebody who moves at random, in plies.
const longest = 600

// playOut plays legal moves, drawn by lot, until the game has ended by its rules.
func playOut(p *shapetest.Person, g shapetest.Game, seed uint64) shapetest.Game {
	p.T.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	for g = p.Turn(g.ID); g.Status == "running"; g = p.Turn(g.ID) {
		if g.Turn > longest {
			p.T.Fatalf("the game does not end: %s", g.Position.Text)
		}
		if len(g.Claims) > 0 {
			p.Command(g.ID, "draw-claim", m{"turn": g.Turn})
			continue
		}
		p.Move(g.ID, g.Turn, shapetest.Pick(random, g))
	}
	if g.Status != "finished" || g.Outcome == nil || g.Result == "*" || len(g.Moves) != 0 || int(g.Turn) != len(g.Plies) {
		p.T.Fatalf("the game ended as %+v", g)
	}
	return g
}

// Whole games against the engine, to their natural end.
func TestGamesAgainstTheEngine(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana := s.Register(t, shapetest.Adult())
		for i, rules := range []string{"tictactoe", "draughts", "chess"} {
			side := []string{"first", "second"}[i%2]
			g := ana.Create(m{"rules": rules, "opponent": "engine", "side": side, "level": "plies-2", "seed": 7})
			g = playOut(ana, g, uint64(i)+1)
			t.Logf("%s: %s by %s after %d plies", rules, g.Result, g.Outcome.Reason, g.Turn)
			answer := ana.Post("/v1/games/"+g.ID+"/moves", m{"move": "a1", "turn": g.Turn})
			ana.Refused(http.StatusConflict, "game_over", answer)
		}
	})
}

// pair is a game of two people, first's side moving first.
func pair(t *testing.T, s *shapetest.Shape, rules string, more m) (first, second *shapetest.Person, game string) {
	t.Helper()
	first, second = s.Register(t, shapetest.Adult()), s.Register(t, shapetest.Adult())
	return first, second, meet(first, second, rules, more)
}

// meet makes a game of two people.
func meet(first, second *shapetest.Person, rules string, more m) string {
	first.T.Helper()
	body := m{"rules": rules, "opponent": "person", "side": "first"}
	for name, value := range more {
		body[name] = value
	}
	g := first.Create(body)
	if g.Status != "open" || g.Seats[1].Kind != "open" {
		first.T.Fatalf("a game with an open seat is %+v", g)
	}
	g = second.Command(g.ID, "accept", m{})
	if g.Status != "running" || g.YourSide != g.Seats[1].Side {
		first.T.Fatalf("an accepted game is %+v", g)
	}
	return g.ID
}

// play plays moves by turns.
func play(first, second *shapetest.Person, game string, moves ...string) shapetest.Game {
	first.T.Helper()
	var g shapetest.Game
	for i, move := range moves {
		g = []*shapetest.Person{first, second}[i%2].Move(game, int32(i), move)
	}
	return g
}

// shortDraughts is a whole game: black has nothing left.
var shortDraughts = strings.Fields(`a3-b4 b6-c5 b4-a5 f6-g5 b2-a3 c7-b6 a5xc7xe5 d8-c7 e3-f4 g5xe3 f2xd4xb6xd8xf6 f8-e7
	f6xd8 a7-b6 d8xa5 g7-f6 e5xg7 h8xf6 c3-d4 b8-c7 a5xd8xh4 h6-g5 h4xf6`)

func TestGamesOfTwoPeople(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, rui, chess := pair(t, s, "chess", nil)
		g := play(ana, rui, chess, "f3", "e5", "g4", "Qh4#")
		if g.Result != "0-1" || g.Outcome.Winner != "black" || g.Outcome.Reason != "checkmate" {
			t.Errorf("fool's mate ended as %+v", g)
		}
		notation := make([]string, len(g.Plies))
		for i, ply := range g.Plies {
			notation[i] = ply.Move.Notation
		}
		if want := []string{"f3", "e5", "g4", "Qh4#"}; !slices.Equal(notation, want) {
			t.Errorf("the record is %v, want %v", notation, want)
		}
		// Names of moves as people and as programs write them are the same move.
		draughts := meet(ana, rui, "draughts", nil)
		g = play(ana, rui, draughts, shortDraughts...)
		if g.Status != "finished" || g.Result != "1-0" || g.Outcome.Reason != "no_pieces" {
			t.Errorf("the short game of draughts ended as %s, %+v", g.Result, g.Outcome)
		}
		g = play(ana, rui, meet(ana, rui, "tictactoe", nil), "b2", "a1", "a3", "c1", "b1", "b3", "a2", "c2", "c3")
		if g.Result != "1/2-1/2" {
			t.Errorf("a full board ended as %s, %+v", g.Result, g.Outcome)
		}
		g = play(ana, rui, meet(ana, rui, "tictactoe", nil), "a1", "a2", "b1", "b2", "c1")
		if g.Result != "1-0" || g.Outcome.Reason != "three_in_a_row" || !slices.Equal(g.Line, []string{"a1", "b1", "c1"}) {
			t.Errorf("three in a row ended as %s, %+v, %v", g.Result, g.Outcome, g.Line)
		}
	})
}

func TestOtherEnds(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, rui, game := pair(t, s, "chess", nil)

		play(ana, rui, game, "e4")
		rui.Refused(http.StatusConflict, "no_offer", rui.Post("/v1/games/"+game+"/draw-answer", m{"turn": 1, "accept": true}))
		if g := ana.Command(game, "draw-offer", m{"turn": 1}); g.DrawOffer != "white" {
			t.Errorf("the offer is of %q", g.DrawOffer)
		}
		ana.Refused(http.StatusConflict, "offer_standing", ana.Post("/v1/games/"+game+"/draw-offer", m{"turn": 1}))
		if g := rui.Command(game, "draw-answer", m{"turn": 1, "accept": false}); g.DrawOffer != "" || g.Status != "running" {
			t.Errorf("after a no the game is %+v", g)
		}
		rui.Move(game, 1, "e5")
		rui.Command(game, "draw-offer", m{"turn": 2})
		if g := ana.Command(game, "draw-answer", m{"turn": 2, "accept": true}); g.Result != "1/2-1/2" || g.Outcome.Reason != "agreement" {
			t.Errorf("a draw that was agreed is %s, %+v", g.Result, g.Outcome)
		}

		game = meet(ana, rui, "draughts", nil)
		if g := rui.Command(game, "resign", m{}); g.Result != "1-0" || g.Outcome.Reason != "resignation" {
			t.Errorf("a game given up is %s, %+v", g.Result, g.Outcome)
		}

		game = meet(ana, rui, "chess", nil)
		ana.Refused(http.StatusConflict, "no_claim", ana.Post("/v1/games/"+game+"/draw-claim", m{"turn": 0}))
		g := play(ana, rui, game, "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8")
		if !slices.Contains(g.Claims, "repetition_3") {
			t.Fatalf("after three times the same the claims are %v", g.Claims)
		}
		rui.Refused(http.StatusConflict, "not_your_turn", rui.Post("/v1/games/"+game+"/draw-claim", m{"turn": 8}))
		if g := ana.Command(game, "draw-claim", m{"turn": 8}); g.Result != "1/2-1/2" || g.Outcome.Reason != "repetition_3" {
			t.Errorf("a draw that was claimed is %s, %+v", g.Result, g.Outcome)
		}

		game = ana.Create(m{"rules": "chess", "opponent": "person"}).ID
		ana.Command(game, "cancel", m{})
		rui.Refused(http.StatusConflict, "seat_taken", rui.Post("/v1/games/"+game+"/accept", m{}))
	})
}

// The flag falls although nobody asks.
func TestFlagFalls(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, rui, game := pair(t, s, "chess", m{"clock": m{"initial_ms": 1500, "increment_ms": 0}})
		watch := ana.Stream([]string{"game:" + game}, "", "")
		defer watch.Close()
		g := rui.Await(game, "the fall of the flag", func(g shapetest.Game) bool { return g.Status == "finished" })
		if g.Result != "0-1" || g.Outcome.Reason != "time" || g.Clock.RemainingMS[0] != 0 || g.Clock.Running != "" || g.Speed != "bullet" {
			t.Errorf("the game ended as %s, %+v, %+v, %s", g.Result, g.Outcome, g.Clock, g.Speed)
		}
		if err := watch.AwaitVersion(t.Context(), g.Version); err != nil {
			t.Error(err)
		}
		ana.Refused(http.StatusConflict, "game_over", ana.Post("/v1/games/"+game+"/moves", m{"move": "e4", "turn": 0}))
	})
}
