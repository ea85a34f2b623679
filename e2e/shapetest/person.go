package shapetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"
)

// M is the JSON object of a request.
type M = map[string]any

// Person is a client whose failures fail the test.
type Person struct {
	*Client
	T       testing.TB
	Account Account
}

// Guest is a visitor who has not logged in.
func (s *Shape) Guest(t testing.TB) *Person {
	return &Person{Client: NewClient(s.URL()), T: t}
}

// Password is everybody's.
const Password = "correct horse battery"

// Adult asks for an account that may play at once.
func Adult() M { return fields("1980-02-29", "open") }

// Pupil asks for an account that begins with the course.
func Pupil() M { return fields("2016-05-31", "") }

// NewLogin makes a login that nobody has.
func NewLogin() string { return "p-" + strings.ReplaceAll(NewKey(), "-", "")[:20] }

func fields(birth, policy string) M {
	return M{"login": NewLogin(), "password": Password, "first_name": "Ana", "surname": "Reis",
		"birth_date": birth, "sex": "undisclosed", "policy": policy}
}

// Register makes an account and logs in.
func (s *Shape) Register(t testing.TB, fields M) *Person {
	t.Helper()
	p := s.Guest(t)
	p.Expect(http.StatusCreated, p.Post("/v1/accounts", fields))
	p.LogIn(fields["login"].(string), fields["password"].(string))
	return p
}

// LogIn opens a session; what the person was before is forgotten.
func (p *Person) LogIn(login, password string) {
	p.T.Helper()
	var body struct{ Account Account }
	answer := p.Post("/v1/sessions", M{"login": login, "password": password})
	p.Expect(http.StatusCreated, answer)
	p.must(answer.Into(&body))
	p.Account = body.Account
}

func (p *Person) must(err error) {
	p.T.Helper()
	if err != nil {
		p.T.Fatal(err)
	}
}

// Get asks.
func (p *Person) Get(path string) Answer {
	p.T.Helper()
	answer, err := p.Insist(p.T.Context(), http.MethodGet, path, "", nil)
	p.must(err)
	return answer
}

// Post sends a command with a new key.
func (p *Person) Post(path string, body any) Answer {
	p.T.Helper()
	return p.PostKey(path, NewKey(), body)
}

// PostKey sends a command.
func (p *Person) PostKey(path, key string, body any) Answer {
	p.T.Helper()
	answer, err := p.Insist(p.T.Context(), http.MethodPost, path, key, body)
	p.must(err)
	return answer
}

// Expect fails the test unless the answer has the status.
func (p *Person) Expect(status int, a Answer) {
	p.T.Helper()
	if a.Status != status {
		p.T.Fatalf("status %d, want %d: %s", a.Status, status, a.Body)
	}
}

// Refused fails the test unless the answer is this problem, and returns it.
func (p *Person) Refused(status int, code string, a Answer) Problem {
	p.T.Helper()
	problem := a.Problem()
	if a.Status != status || problem.Code != code {
		p.T.Fatalf("status %d, want the problem %d %s: %s", a.Status, status, code, a.Body)
	}
	if problem.Status != status || problem.Title == "" || problem.RequestID == "" {
		p.T.Errorf("the problem is not whole: %s", a.Body)
	}
	return problem
}

// Create makes a game.
func (p *Person) Create(body M) Game {
	p.T.Helper()
	answer := p.Post("/v1/games", body)
	p.Expect(http.StatusCreated, answer)
	return p.game(answer)
}

// Command sends a command about a game, which must succeed.
func (p *Person) Command(game, what string, body M) Game {
	p.T.Helper()
	answer := p.Post("/v1/games/"+game+"/"+what, body)
	p.Expect(http.StatusOK, answer)
	return p.game(answer)
}

// Move plays a move, which must be accepted.
func (p *Person) Move(game string, turn int32, move string) Game {
	p.T.Helper()
	return p.Command(game, "moves", M{"move": move, "turn": turn})
}

// Game asks for a game.
func (p *Person) Game(id string) Game {
	p.T.Helper()
	return p.game(p.Get("/v1/games/" + id))
}

func (p *Person) game(a Answer) Game {
	p.T.Helper()
	g, err := a.Game()
	p.must(err)
	return g
}

// Await asks for a game until it is as wanted.
func (p *Person) Await(id, what string, is func(Game) bool) Game {
	p.T.Helper()
	ctx, cancel := context.WithTimeout(p.T.Context(), 60*time.Second)
	defer cancel()
	var g Game
	err := Poll(ctx, func() (bool, error) {
		answer, err := p.Do(ctx, http.MethodGet, "/v1/games/"+id, "", nil)
		if err != nil || answer.Status >= 500 {
			return false, nil // something is being started again
		}
		if g, err = answer.Game(); err != nil {
			return false, err
		}
		return is(g), nil
	})
	if err != nil {
		p.T.Fatalf("waiting for %s: %v; the game is %+v", what, err, g)
	}
	return g
}

// Turn waits until it is this person's turn, or nobody's any more.
func (p *Person) Turn(id string) Game {
	p.T.Helper()
	return p.Await(id, "the turn", func(g Game) bool { return g.Status != "running" || g.Side == g.YourSide })
}

// Rated waits until a game has been rated.
func (p *Person) Rated(id string) Game {
	p.T.Helper()
	return p.Await(id, "the rating", func(g Game) bool {
		for _, s := range g.Seats {
			if s.RatingAfter != 0 {
				return true
			}
		}
		return false
	})
}

// Events reads all events of a game after a version.
func (p *Person) Events(id string, after int32) []Event {
	p.T.Helper()
	events, err := p.Client.Events(p.T.Context(), id, after)
	p.must(err)
	return events
}

// Events reads all events of a game after a version, page by page.
func (c *Client) Events(ctx context.Context, id string, after int32) ([]Event, error) {
	var all []Event
	for {
		answer, err := c.Do(ctx, http.MethodGet, fmt.Sprintf("/v1/games/%s/events?after=%d&limit=100", id, after), "", nil)
		if err != nil {
			return nil, err
		}
		var page struct {
			Events  []Event `json:"events"`
			Version int32   `json:"version"`
		}
		if err := answer.Into(&page); err != nil {
			return nil, err
		}
		all = append(all, page.Events...)
		if len(page.Events) == 0 || page.Events[len(page.Events)-1].Version >= page.Version {
			return all, nil
		}
		after = page.Events[len(page.Events)-1].Version
	}
}

// Me is the person's account as it is now.
func (p *Person) Me() Account {
	p.T.Helper()
	var body struct{ Account Account }
	p.must(p.Get("/v1/me").Into(&body))
	return body.Account
}

// Standing is the rating of the person in one game at one speed; that of the
// beginning where they have not played it.
func (p *Person) Standing(rules, speed string) (Rating, bool) {
	p.T.Helper()
	for _, r := range p.Me().Ratings {
		if r.Rules == rules && r.Speed == speed {
			return r, true
		}
	}
	return Rating{}, false
}

// Changes are what games did to the person's ratings, the newest first.
func (p *Person) Changes(rules string) []RatingChange {
	p.T.Helper()
	var body struct {
		Changes []RatingChange `json:"changes"`
	}
	p.must(p.Get("/v1/me/ratings?rules=" + rules).Into(&body))
	return body.Changes
}

// Pick chooses a legal move.
func Pick(random *rand.Rand, g Game) string { return g.Moves[random.IntN(len(g.Moves))].Text }
