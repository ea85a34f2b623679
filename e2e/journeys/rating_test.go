package journeys

import (
	"database/sql"
	"net/http"
	"testing"

	"tabuleiro/e2e/shapetest"
)

// Two who begin at 1500 with a deviation of 350: the winner of one game has
// 1662, the loser 1338, both with a deviation of 290 (the vectors of lichess).
func TestRatingOfTwoPeople(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, rui, game := pair(t, s, "chess", m{"rated": true})
		if _, played := ana.Standing("chess", "none"); played {
			t.Error("there is a rating before the first game")
		}
		play(ana, rui, game, "f3", "e5", "g4", "Qh4#")
		g := ana.Rated(game)
		for i, want := range []struct {
			who *shapetest.Person
			shapetest.Rating
		}{
			{ana, shapetest.Rating{Rules: "chess", Speed: "none", Rating: 1338, Deviation: 290, Provisional: true, Losses: 1}},
			{rui, shapetest.Rating{Rules: "chess", Speed: "none", Rating: 1662, Deviation: 290, Provisional: true, Wins: 1}},
		} {
			if got, _ := want.who.Standing("chess", "none"); got != want.Rating {
				t.Errorf("the standing is %+v, want %+v", got, want.Rating)
			}
			if seat := g.Seats[i]; seat.Rating != 1500 || !seat.Provisional || seat.RatingAfter != want.Rating.Rating {
				t.Errorf("the seat is %+v, want 1500 before and %d after", seat, want.Rating.Rating)
			}
			change := shapetest.RatingChange{Game: game, Rules: "chess", Speed: "none", Before: 1500, After: want.Rating.Rating}
			if got := want.who.Changes(""); len(got) != 1 || got[0] != change {
				t.Errorf("the changes are %+v, want %+v", got, change)
			}
		}
		// A draw of the two brings them together; a casual game changes nothing.
		next := meet(ana, rui, "chess", m{"rated": true})
		ana.Command(next, "draw-offer", m{"turn": 0})
		rui.Command(next, "draw-offer", m{"turn": 0})
		ana.Rated(next)
		casual := meet(ana, rui, "chess", nil)
		rui.Command(casual, "resign", m{})
		up, _ := ana.Standing("chess", "none")
		down, _ := rui.Standing("chess", "none")
		if up.Rating <= 1338 || down.Rating >= 1662 || up.Draws != 1 || down.Draws != 1 || up.Losses+down.Wins != 2 || up.Wins+down.Losses != 0 {
			t.Errorf("after a draw they have %+v and %+v", up, down)
		}
		if once := ledger(t, s, game); once != 1 {
			t.Errorf("the ledger has the game %d times", once)
		}
		if none := ledger(t, s, casual); none != 0 {
			t.Errorf("the ledger has a casual game %d times", none)
		}
	})
}

// A game against a level moves the person alone, and half as far.
func TestRatingAgainstTheEngine(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana := s.Register(t, shapetest.Adult())
		game := ana.Create(m{"rules": "draughts", "opponent": "engine", "side": "first", "level": "plies-2", "rated": true}).ID
		ana.Command(game, "resign", m{})
		g := ana.Rated(game)
		got, _ := ana.Standing("draughts", "none")
		if got.Losses != 1 || got.Rating >= 1500 || g.Seats[0].RatingAfter != got.Rating || g.Seats[1].RatingAfter != 0 {
			t.Errorf("the standing is %+v, the seats %+v", got, g.Seats)
		}
		if once := ledger(t, s, game); once != 1 {
			t.Errorf("the ledger has the game %d times", once)
		}
	})
}

// ledger counts a game in the ledger of ratings, behind the interface's back.
func ledger(t *testing.T, s *shapetest.Shape, game string) int {
	t.Helper()
	return count(t, s, "accounts", "SELECT COUNT(*) FROM rating_ledger WHERE game = $1", game)
}

func count(t *testing.T, s *shapetest.Shape, service, query string, args ...any) (n int) {
	t.Helper()
	db, err := s.DB(service)
	if err != nil {
		t.Fatal(err)
	}
	defer func(db *sql.DB) { db.Close() }(db)
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Nobody sees or does what a game does not allow them.
func TestStrangers(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, rui, game := pair(t, s, "chess", nil)
		play(ana, rui, game, "e4")
		if fault := privateHolds(s, ana, game); fault != "" {
			t.Error(fault)
		}
		stranger, visitor := s.Register(t, shapetest.Adult()), s.Guest(t)
		for _, who := range []*shapetest.Person{stranger, visitor} {
			for command, body := range map[string]m{
				"moves": {"move": "e5", "turn": 1}, "resign": {}, "draw-offer": {"turn": 1},
				"draw-answer": {"turn": 1, "accept": true}, "draw-claim": {"turn": 1}, "cancel": {},
			} {
				who.Refused(http.StatusNotFound, "game_not_found", who.Post("/v1/games/"+game+"/"+command, body))
			}
		}
		stranger.Refused(http.StatusConflict, "seat_taken", stranger.Post("/v1/games/"+game+"/accept", m{}))
		ana.Refused(http.StatusConflict, "own_game", ana.Post("/v1/games/"+game+"/accept", m{}))

		public := meet(ana, rui, "chess", m{"visibility": "public"})
		if g := stranger.Game(public); g.YourSide != "" || g.Status != "running" {
			t.Errorf("a stranger sees %+v", g)
		}
		stranger.Refused(http.StatusForbidden, "not_your_seat", stranger.Post("/v1/games/"+public+"/moves", m{"move": "e4", "turn": 0}))
		stranger.Refused(http.StatusForbidden, "not_your_seat", stranger.Post("/v1/games/"+public+"/resign", m{}))
		if g := ana.Game(game); g.Turn != 1 || g.Version != 3 {
			t.Errorf("strangers have changed the game: %+v", g)
		}
	})
}

// privateHolds says what strangers can see of a private game.
func privateHolds(s *shapetest.Shape, owner *shapetest.Person, game string) string {
	for name, who := range map[string]*shapetest.Person{"an account": s.Register(owner.T, shapetest.Adult()), "a visitor": s.Guest(owner.T)} {
		for _, path := range []string{"/v1/games/" + game, "/v1/games/" + game + "/events", "/v1/events?topic=game:" + game} {
			answer, err := who.Do(owner.T.Context(), http.MethodGet, path, "", nil)
			if err != nil {
				return name + " is not answered: " + err.Error() // a stream that was opened
			}
			if answer.Status != http.StatusNotFound || answer.Problem().Code != "game_not_found" {
				return name + " sees " + path + ": " + string(answer.Body)
			}
		}
	}
	return ""
}
