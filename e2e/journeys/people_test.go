package journeys

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

// A visitor plays tic-tac-toe to its end at once.
func TestGuestPlays(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		guest := s.Guest(t)
		g := guest.Create(m{"rules": "tictactoe", "opponent": "engine", "side": "first", "level": "plies-2"})
		if g.Status != "running" || g.YourSide != "x" || g.Side != "x" || g.Turn != 0 || len(g.Moves) != 9 || g.Rated {
			t.Fatalf("a new game is %+v", g)
		}
		if seat := g.Seats[1]; seat.Kind != "engine" || seat.Level != "plies-2" || seat.Account != "" {
			t.Errorf("the engine's seat is %+v", seat)
		}
		g = playOut(guest, g, 1)
		if g.Outcome.Winner != "" && len(g.Line) != 3 {
			t.Errorf("three in a row are %v", g.Line)
		}
		// Two visitors play each other.
		other := s.Guest(t)
		meeting := meet(guest, other, "tictactoe", nil)
		if g := play(guest, other, meeting, "a1", "a2", "b1", "b2", "c1"); g.Result != "1-0" || g.Seats[0].Name != "guest" {
			t.Errorf("the visitors' game is %+v", g)
		}
		// What is for accounts is not for visitors.
		guest.Refused(http.StatusForbidden, "account_required", guest.Post("/v1/games", m{"rules": "chess", "opponent": "engine"}))
		guest.Refused(http.StatusForbidden, "account_required", guest.Post("/v1/games", m{"rules": "tictactoe", "opponent": "engine", "rated": true}))
		if answer := guest.Get("/v1/me"); answer.Status != http.StatusUnauthorized && answer.Status != http.StatusForbidden {
			t.Errorf("a visitor's account: %d %s", answer.Status, answer.Body)
		}
	})
}

func TestRegistration(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		visitor := s.Guest(t)
		founding := []string{"login", "password", "first_name", "surname", "birth_date", "sex"}
		missing := visitor.Refused(http.StatusUnprocessableEntity, "fields_missing", visitor.Post("/v1/accounts", m{}))
		if got := missing.FieldNames(); !slices.Equal(got, founding) {
			t.Errorf("missing fields are %v, want all of %v", got, founding)
		}
		with := func(name, value string) m {
			fields := shapetest.Adult()
			fields[name] = value
			return fields
		}
		for _, day := range []string{"31/02/1980", "1980-02-30", "yesterday", "2999-01-01"} {
			p := visitor.Refused(http.StatusUnprocessableEntity, "bad_date", visitor.Post("/v1/accounts", with("birth_date", day)))
			if got := p.FieldNames(); !slices.Equal(got, []string{"birth_date"}) {
				t.Errorf("%s: the bad fields are %v", day, got)
			}
		}
		visitor.Refused(http.StatusUnprocessableEntity, "password_short", visitor.Post("/v1/accounts", with("password", "short")))
		visitor.Refused(http.StatusBadRequest, "bad_field", visitor.Post("/v1/accounts", with("login", "não")))
		visitor.Refused(http.StatusBadRequest, "bad_field", visitor.Post("/v1/accounts", with("sex", "x")))

		fields := with("birth_date", "29/02/1980")
		created := visitor.Post("/v1/accounts", fields)
		visitor.Expect(http.StatusCreated, created)
		var body struct{ Account shapetest.Account }
		if err := created.Into(&body); err != nil {
			t.Fatal(err)
		}
		if a := body.Account; a.BirthDate != "1980-02-29" || a.Policy != "open" || a.Login != fields["login"] || a.ID == "" {
			t.Errorf("the account is %+v", a)
		}
		again := with("login", fields["login"].(string))
		visitor.Refused(http.StatusConflict, "login_taken", visitor.Post("/v1/accounts", again))
	})
}

func TestLogInAndOut(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana := s.Register(t, shapetest.Adult())
		visitor := s.Guest(t)
		for _, wrong := range []m{
			{"login": ana.Account.Login, "password": "not the password"},
			{"login": shapetest.NewLogin(), "password": shapetest.Password},
		} {
			visitor.Refused(http.StatusUnauthorized, "invalid_login", visitor.Post("/v1/sessions", wrong))
		}
		if got := ana.Me(); got.ID != ana.Account.ID || got.Login != ana.Account.Login {
			t.Errorf("me is %+v, logged in was %+v", got, ana.Account)
		}
		// The end of the session ends its streams.
		me := ana.Stream([]string{"me"}, "", "")
		defer me.Close()
		if err := me.Await(t.Context(), func(f []shapetest.Frame) bool { return len(f) > 0 }); err != nil {
			t.Fatal(err)
		}
		answer, err := ana.Do(t.Context(), http.MethodDelete, "/v1/sessions/current", "", nil)
		if err != nil || answer.Status != http.StatusNoContent {
			t.Fatalf("log out: %v, %d %s", err, answer.Status, answer.Body)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := shapetest.Poll(ctx, func() (bool, error) { return me.Refused() != nil, nil }); err != nil {
			t.Errorf("after log out the stream goes on: %v", err)
		}
		if answer := ana.Get("/v1/me"); answer.Status != http.StatusUnauthorized {
			t.Errorf("me after log out: %d %s", answer.Status, answer.Body)
		}
		ana.LogIn(ana.Account.Login, shapetest.Password)
		ana.Me()
	})
}

// The course comes before games against the engine, and before nothing else.
func TestGate(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		if err := gateHolds(s.Register(t, shapetest.Pupil())); err != "" {
			t.Error(err)
		}
		pupil, adult := s.Register(t, shapetest.Pupil()), s.Register(t, shapetest.Adult())
		pupil.Create(m{"rules": "tictactoe", "opponent": "engine"})
		// Nor is it asked for a game with a person, whom a child has to know.
		seat := pupil.Create(m{"rules": "chess", "opponent": "person", "side": "first"})
		adult.Refused(http.StatusNotFound, "game_not_found", adult.Post("/v1/games/"+seat.ID+"/accept", m{}))
		game := adult.Create(m{"rules": "chess", "opponent": "engine", "side": "first", "level": "plies-2"})
		adult.Move(game.ID, 0, "e4")
		if game = adult.Turn(game.ID); game.Turn != 2 {
			t.Errorf("the engine has not answered: %+v", game)
		}
	})
}

// gateHolds says what is wrong with the gate for a new account that is guided.
func gateHolds(pupil *shapetest.Person) string {
	for _, rules := range []string{"chess", "draughts"} {
		answer := pupil.Post("/v1/games", m{"rules": rules, "opponent": "engine"})
		problem := answer.Problem()
		if answer.Status != http.StatusForbidden || problem.Code != "gate_closed" || len(problem.Lessons) != 4 {
			return "a guided account and the engine at " + rules + ": " + string(answer.Body)
		}
	}
	return ""
}

// The operator opens play for one learner, for ever.
func TestOperatorOpensPolicy(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB, shapetest.Options) *shapetest.Shape{
		"all-in-one": shapetest.AllInOne, "cluster": shapetest.Cluster,
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, shapetest.Options{})
			operator, pupil := s.Register(t, shapetest.Adult()), s.Register(t, shapetest.Pupil())
			path := "/v1/accounts/" + pupil.Account.ID + "/open-policy"
			operator.Refused(http.StatusForbidden, "forbidden", operator.Post(path, m{}))
			operator.Refused(http.StatusForbidden, "bad_code", operator.Post("/v1/operator", m{"code": "0000-0000-0000"}))
			code := s.OperatorCode(t)
			operator.Expect(http.StatusOK, operator.Post("/v1/operator", m{"code": code}))
			pupil.Refused(http.StatusForbidden, "bad_code", pupil.Post("/v1/operator", m{"code": code}))
			if roles := operator.Me().Roles; !slices.Contains(roles, "operator") {
				t.Fatalf("the operator's roles are %v", roles)
			}
			operator.Expect(http.StatusOK, operator.Post(path, m{}))
			pupil.Create(m{"rules": "draughts", "opponent": "engine", "level": "plies-2"})
			if policy := pupil.Me().Policy; policy != "open" {
				t.Errorf("the policy is %s", policy)
			}
		})
	}
}
