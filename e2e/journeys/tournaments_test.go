package journeys

import (
	"net/http"
	"strings"
	"testing"

	"tabuleiro/e2e/shapetest"
)

type tournament struct {
	ID, Status string
	Rounds     int
	You        int
	Organiser  bool
	Players    []struct {
		Number         int
		Name, Status   string
		Account, Level string
	}
	Played []struct {
		Boards []struct {
			White, Black int
			Result       string
			Decided      bool
			Games        []struct{ ID, Result string }
		}
	}
	Table []struct {
		Place, Player, Games, Wins int
		Points                     float64
	}
}

func tournamentOf(p *shapetest.Person, answer shapetest.Answer) tournament {
	p.T.Helper()
	var body struct{ Tournament tournament }
	if answer.Status >= 300 {
		p.T.Fatalf("%d %s", answer.Status, answer.Body)
	}
	if err := answer.Into(&body); err != nil {
		p.T.Fatal(err)
	}
	return body.Tournament
}

// await asks for a tournament until it is as wanted.
func await(p *shapetest.Person, id, what string, is func(tournament) bool) tournament {
	p.T.Helper()
	var t tournament
	err := shapetest.Poll(p.T.Context(), func() (bool, error) {
		t = tournamentOf(p, p.Get("/v1/tournaments/"+id))
		return is(t), nil
	})
	if err != nil {
		p.T.Fatalf("waiting for %s: %v: %+v", what, err, t)
	}
	return t
}

// Three people and a level of the engine play a round robin of tic-tac-toe: its
// games are ordinary ones, rounds follow by themselves, and the table says what
// came of them.
func TestTournament(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		boss := s.Register(t, shapetest.Adult())
		people := map[string]*shapetest.Person{boss.Account.ID: boss}
		made := tournamentOf(boss, boss.Post("/v1/tournaments", m{
			"name": "Torneio", "rules": "tictactoe", "kind": "round_robin", "entry": "open", "auto": true,
		}))
		path := "/v1/tournaments/" + made.ID
		if !made.Organiser || made.Status != "open" || made.You != 0 {
			t.Errorf("a new tournament is %+v", made)
		}
		boss.Refused(http.StatusConflict, "too_few_players", boss.Post(path+"/start", m{}))
		tournamentOf(boss, boss.Post(path+"/join", m{}))
		for range 2 {
			p := s.Register(t, shapetest.Adult())
			people[p.Account.ID] = p
			tournamentOf(p, p.Post(path+"/join", m{}))
			p.Refused(http.StatusConflict, "already_joined", p.Post(path+"/join", m{}))
			p.Refused(http.StatusForbidden, "forbidden", p.Post(path+"/start", m{}))
		}
		tournamentOf(boss, boss.Post(path+"/players", m{"levels": []string{"plies-2"}}))
		boss.Refused(http.StatusBadRequest, "bad_field", boss.Post(path+"/players", m{"levels": []string{"nobody"}}))
		started := tournamentOf(boss, boss.Post(path+"/start", m{}))
		if started.Status != "running" || started.Rounds != 3 || len(started.Players) != 4 {
			t.Fatalf("started is %+v", started)
		}
		for round := range 3 {
			now := await(boss, made.ID, "the round", func(t tournament) bool { return len(t.Played) > round })
			for _, b := range now.Played[round].Boards {
				white, black := now.Players[b.White-1], now.Players[b.Black-1]
				var one *shapetest.Person
				for _, player := range []string{white.Account, black.Account} {
					if people[player] != nil {
						one = people[player]
					}
				}
				game := b.Games[0].ID
				err := shapetest.Poll(t.Context(), func() (bool, error) { return one.Get("/v1/games/"+game).Status == http.StatusOK, nil })
				if err != nil {
					t.Fatalf("game %s is not made: %v", game, err)
				}
				one.Expect(http.StatusOK, one.PostKey("/v1/games/"+game+"/resign", shapetest.NewKey(), m{}))
			}
			await(boss, made.ID, "the results", func(t tournament) bool {
				for _, b := range t.Played[round].Boards {
					if b.Result == "" {
						return false
					}
				}
				return true
			})
		}
		over := await(boss, made.ID, "the end", func(t tournament) bool { return t.Status == "finished" })
		points := 0.0
		for _, line := range over.Table {
			points += line.Points
			if line.Games != 3 {
				t.Errorf("a line of the table is %+v", line)
			}
		}
		if len(over.Table) != 4 || points != 6 || over.Table[0].Points < over.Table[3].Points {
			t.Errorf("the table is %+v", over.Table)
		}
		csv := boss.Get(path + "/table.csv")
		boss.Expect(http.StatusOK, csv)
		if lines := strings.Split(strings.TrimSpace(string(csv.Body)), "\n"); len(lines) != 5 || !strings.HasPrefix(lines[0], "place,seed,name,rating,points,games,wins,direct_encounter") {
			t.Errorf("the table is\n%s", csv.Body)
		}
		boss.Refused(http.StatusConflict, "tournament_over", boss.Post(path+"/cancel", m{}))
		list := boss.Get("/v1/tournaments?list=organising")
		boss.Expect(http.StatusOK, list)
		if !strings.Contains(string(list.Body), made.ID) {
			t.Errorf("the list is %s", list.Body)
		}
	})
}

// Who does not come loses by the organiser's decision, and a tournament of the
// invited is hidden from others.
func TestTournamentDecided(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		boss, ana, bia := s.Register(t, shapetest.Adult()), s.Register(t, shapetest.Adult()), s.Register(t, shapetest.Adult())
		made := tournamentOf(boss, boss.Post("/v1/tournaments", m{"name": "Final", "rules": "chess", "kind": "knockout", "games": 2, "tie": "seed"}))
		path := "/v1/tournaments/" + made.ID
		ana.Refused(http.StatusNotFound, "tournament_not_found", ana.Get(path))
		tournamentOf(boss, boss.Post(path+"/players", m{"login": ana.Account.Login}))
		tournamentOf(boss, boss.Post(path+"/players", m{"accounts": []string{bia.Account.ID}}))
		if invited := tournamentOf(ana, ana.Get(path)); invited.Players[0].Status != "invited" {
			t.Errorf("who is invited sees %+v", invited)
		}
		tournamentOf(ana, ana.Post(path+"/join", m{}))
		tournamentOf(bia, bia.Post(path+"/join", m{}))
		tournamentOf(boss, boss.Post(path+"/start", m{}))
		now := await(boss, made.ID, "the round", func(t tournament) bool { return len(t.Played) == 1 })
		game := now.Played[0].Boards[0].Games[0].ID
		if err := shapetest.Poll(t.Context(), func() (bool, error) { return ana.Get("/v1/games/"+game).Status == http.StatusOK, nil }); err != nil {
			t.Fatal(err)
		}
		boss.Refused(http.StatusBadRequest, "bad_field", boss.Post(path+"/decide", m{"round": 1, "board": 1, "result": "1/2-1/2"}))
		tournamentOf(boss, boss.Post(path+"/decide", m{"round": 1, "board": 1, "result": "1-0"}))
		over := await(boss, made.ID, "the end", func(t tournament) bool { return t.Status == "finished" })
		if b := over.Played[0].Boards[0]; b.Result != "1-0" || !b.Decided || over.Table[0].Player != b.White {
			t.Errorf("decided is %+v", over)
		}
		ana.Await(game, "its end", func(g shapetest.Game) bool { return g.Status == "cancelled" })
	})
}
