package journeys

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tabuleiro/e2e/shapetest"
)

// listed are the ids of a list of games.
func listed(p *shapetest.Person, list string) []string {
	p.T.Helper()
	var body struct{ Games []shapetest.Game }
	answer := p.Get("/v1/games?list=" + list)
	p.Expect(http.StatusOK, answer)
	if err := answer.Into(&body); err != nil {
		p.T.Fatal(err)
	}
	var ids []string
	for _, g := range body.Games {
		ids = append(ids, g.ID)
	}
	return ids
}

// Somebody invites a friend, whose page hears of it, who declines once and then
// accepts; they play, and play again with the sides exchanged.
func TestAChallengeAndARematch(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana := s.Register(t, shapetest.Adult())
		friend := shapetest.Adult()
		rui, eva := s.Register(t, friend), s.Register(t, shapetest.Adult())
		page := rui.Stream([]string{"me"}, "", "")
		defer page.Close()
		// What happens before a page is there is no news; it reads its lists instead.
		if err := page.Await(t.Context(), func(frames []shapetest.Frame) bool { return len(frames) > 0 }); err != nil {
			t.Fatal(err)
		}
		challenge := m{"rules": "chess", "opponent": "person", "side": "white", "invite": strings.ToUpper(friend["login"].(string))}
		invited := ana.Create(challenge)
		if invited.Status != "open" || invited.Seats[1].Kind != "invited" || invited.Seats[1].Name != friend["login"] {
			t.Fatalf("an invitation is %+v", invited)
		}
		if err := page.Await(t.Context(), func(frames []shapetest.Frame) bool {
			return slices.ContainsFunc(frames, func(f shapetest.Frame) bool { return strings.Contains(string(f.Data), invited.ID) })
		}); err != nil {
			t.Errorf("the friend's page heard nothing: %v", err)
		}
		if got := listed(rui, "invited"); !slices.Equal(got, []string{invited.ID}) {
			t.Errorf("the friend's invitations are %v", got)
		}
		if slices.Contains(listed(eva, "open"), invited.ID) {
			t.Error("a kept seat is listed as open")
		}
		eva.Refused(http.StatusNotFound, "game_not_found", eva.Post("/v1/games/"+invited.ID+"/accept", m{}))
		declined := rui.Command(invited.ID, "decline", m{"reason": "later"})
		if want := (shapetest.Closed{Why: "declined", Side: "black", Reason: "later"}); declined.Closed == nil || *declined.Closed != want {
			t.Errorf("declined: %+v", declined.Closed)
		}

		first := ana.Create(challenge).ID
		rui.Command(first, "accept", m{})
		play(ana, rui, first, "f3", "e5", "g4", "Qh4#")
		ana.Command(first, "rematch", m{})
		over := rui.Command(first, "rematch", m{})
		next := ana.Game(over.NextGame)
		want := shapetest.Match{ID: first, Number: 2, HalfPoints: []int32{2, 0}}
		if next.YourSide != "black" || next.Status != "running" || !reflect.DeepEqual(next.Match, &want) {
			t.Errorf("the next game is %+v, %+v", next, next.Match)
		}
		if again := ana.Command(first, "rematch", m{}); again.NextGame != over.NextGame {
			t.Errorf("asked again: %s, then %s", over.NextGame, again.NextGame)
		}
		if aborted := ana.Command(next.ID, "abort", m{}); aborted.Status != "cancelled" || aborted.Closed.Why != "aborted" || aborted.Closed.Side != "black" {
			t.Errorf("aborted: %+v", aborted)
		}
	})
}

// A learner plays on from a record, takes moves back, and begins anew in the
// middle of it.
func TestPlayingOnFromARecord(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana := s.Register(t, shapetest.Adult())
		record := m{"text": "[White \"A\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 *\n", "ply": 4}
		options := m{"takebacks": true, "touch_move": true}
		g := ana.Create(m{"rules": "chess", "opponent": "engine", "level": "plies-2", "side": "white", "record": record, "options": options})
		if g.LoadedPlies != 4 || g.PlyCount != 4 || g.Turn != 0 || !reflect.DeepEqual(g.Material, []int32{38, 38}) ||
			!reflect.DeepEqual(g.Captured, []shapetest.Captured{{Side: "white", Kinds: []string{"pawn"}}, {Side: "black", Kinds: []string{"pawn"}}}) {
			t.Fatalf("the game goes on as %+v", g)
		}
		ana.Refused(http.StatusConflict, "no_takeback", ana.Post("/v1/games/"+g.ID+"/takeback-offer", m{"turn": 0}))
		g = ana.Command(g.ID, "touch", m{"turn": 0, "square": "b1"})
		if g.Touched != "b1" {
			t.Errorf("touched %q", g.Touched)
		}
		ana.Refused(http.StatusUnprocessableEntity, "touched_piece", ana.Post("/v1/games/"+g.ID+"/moves", m{"turn": 0, "move": "d2d4"}))
		ana.Move(g.ID, 0, "Nc3")
		answered := ana.Turn(g.ID)
		back := ana.Command(g.ID, "takeback-offer", m{"turn": answered.Turn})
		if back.Turn != 3 || back.PlyCount != 4 || back.Position.Text != g.Position.Text || back.Touched != "" {
			t.Errorf("taken back: %+v", back)
		}
		anew := ana.Create(m{"rules": "tictactoe", "opponent": "self", "replaces": m{"game": g.ID, "how": "resign"}})
		if old := ana.Game(g.ID); old.Outcome == nil || old.Outcome.Reason != "resignation" || anew.YourSide != "x" {
			t.Errorf("replaced: %+v by %+v", old, anew)
		}
		if g := ana.Move(anew.ID, 0, "b2"); g.YourSide != "o" {
			t.Errorf("at one screen the next is %q", g.YourSide)
		}

		for code, body := range map[string]m{
			"bad_position":      {"rules": "chess", "opponent": "self", "start": "8/8/8/8/8/8/8/8 w - - 0 1"},
			"bad_record":        {"rules": "chess", "opponent": "self", "record": m{"text": "1. e4 e5 2. Ke3"}},
			"rated_not_allowed": {"rules": "chess", "opponent": "engine", "rated": true, "options": m{"hints": true}},
		} {
			if p := ana.Refused(http.StatusUnprocessableEntity, code, ana.Post("/v1/games", body)); len(p.FieldNames()) == 0 {
				t.Errorf("%s names no field", code)
			}
		}
	})
}

// The engine plays itself while its maker and, as the game is public, anyone
// watches.
func TestTheEngineAgainstItself(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, guest := s.Register(t, shapetest.Adult()), s.Guest(t)
		g := ana.Create(m{
			"rules": "draughts", "opponent": "engines", "visibility": "public", "max_plies": 6,
			"engines": []m{{"level": "plies-2", "seed": 1}, {"level": "plies-4", "seed": 2}},
		})
		over := guest.Await(g.ID, "the end", func(g shapetest.Game) bool { return g.Status == "finished" })
		if over.Outcome.Reason != "length" || over.PlyCount != 6 || over.Seats[1].Level != "plies-4" {
			t.Errorf("it ended as %+v", over)
		}
	})
}

// Every draw that the rules of a game let a side claim can be claimed, and ends
// the game with its name.
func TestEveryKindOfClaim(t *testing.T) {
	to := func(n int, moves ...string) []string { return slices.Repeat(moves, n)[:n] }
	for claim, test := range map[string]struct {
		rules, start string
		moves        []string
	}{
		"repetition_3":   {"chess", "", to(8, "Nf3", "Nf6", "Ng1", "Ng8")},
		"moves_50":       {"chess", "4k3/8/8/8/8/8/8/R3K3 w - - 98 80", []string{"Ra2", "Kd8"}},
		"kings_only_20":  {"draughts", "W:WKa1,Kc1,Ke1:BKb8,Kd8,Kf8", to(40, "a1-b2", "b8-a7", "b2-a1", "a7-b8")},
		"small_ending_5": {"draughts", "W:WKa1:BKh2", to(10, "a1-b2", "h2-g1", "b2-a1", "g1-h2")},
	} {
		t.Run(claim, func(t *testing.T) {
			shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
				ana := s.Register(t, shapetest.Adult())
				body := m{"rules": test.rules, "opponent": "self"}
				if test.start != "" {
					body["start"] = test.start
				}
				g := ana.Create(body)
				for i, move := range test.moves {
					if slices.Contains(g.Claims, claim) {
						t.Fatalf("claimed after %d moves", i)
					}
					g = ana.Move(g.ID, int32(i), move)
				}
				if !slices.Contains(g.Claims, claim) {
					t.Fatalf("after %d moves the claims are %v", len(test.moves), g.Claims)
				}
				over := ana.Command(g.ID, "draw-claim", m{"turn": g.Turn})
				if over.Status != "finished" || over.Result != "1/2-1/2" || !slices.Contains(g.Claims, over.Outcome.Reason) {
					t.Errorf("claimed: %+v", over)
				}
			})
		})
	}
}
