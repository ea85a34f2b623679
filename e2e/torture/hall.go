package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"

	"tabuleiro/e2e/shapetest"
)

// cup is a tournament as the interface tells it.
type cup struct {
	ID, Status string
	Version    int32
	Rounds     int
	Players    []cupPlayer
	Played     []struct{ Boards []cupBoard }
	Table      []struct {
		Player, Games, Wins int
		Points              float64
	}
}

type cupPlayer struct {
	Number  int
	Account string
}

type cupBoard struct {
	White, Black int
	Result       string
	Decided      bool
	Games        []struct{ ID, Result string }
}

// hall is where the pupils of a class play a round robin of their teacher's.
type hall struct {
	*run
	number  int
	teacher *player
	pupils  []*player
	rules   string
	clock   shapetest.M
	// id is the tournament's; over says that it has come to its end.
	id   string
	over bool
}

// teach makes a teacher with a class for each tournament, before any harm.
func (r *run) teach(ctx context.Context) error {
	if r.Cups == 0 {
		return nil
	}
	operator, err := r.register(ctx, 3000)
	if err != nil {
		return err
	}
	code, err := r.shape.AwaitOperatorCode()
	if err != nil {
		return err
	}
	if err := operator.settle(ctx, "/v1/operator", shapetest.M{"code": code}, nil); err != nil {
		return err
	}
	for i := range r.Cups {
		h := &hall{run: r, number: i, rules: []string{"tictactoe", "chess"}[i%2]}
		if i%2 == 1 {
			h.clock = shapetest.M{"initial_ms": 600_000, "increment_ms": 5000}
		}
		if err := h.enrol(ctx, operator, 4-i%2); err != nil {
			return err
		}
		r.halls = append(r.halls, h)
	}
	return nil
}

// enrol makes the class and its pupils, who log in by the codes on their slips.
func (h *hall) enrol(ctx context.Context, operator *player, pupils int) error {
	var err error
	stream := uint64(3001 + 100*h.number)
	if h.teacher, err = h.register(ctx, stream); err != nil {
		return err
	}
	var made struct{ Code string }
	if err := operator.settle(ctx, "/v1/codes", shapetest.M{"purpose": "teacher"}, &made); err != nil {
		return err
	}
	if err := h.teacher.settle(ctx, "/v1/codes/claim", shapetest.M{"code": made.Code}, nil); err != nil {
		return err
	}
	var body struct{ Class struct{ ID string } }
	if err := h.teacher.settle(ctx, "/v1/classes", shapetest.M{"name": "4B"}, &body); err != nil {
		return err
	}
	names := []string{"Ana", "Bia", "Caio", "Davi"}[:pupils]
	var printed struct {
		Slips []struct{ Login, Code string }
	}
	if err := h.teacher.settle(ctx, "/v1/classes/"+body.Class.ID+"/pupils", shapetest.M{"names": names}, &printed); err != nil {
		return err
	}
	for i, slip := range printed.Slips {
		p := h.visitor(stream + 1 + uint64(i))
		access := shapetest.M{"login": slip.Login, "code": slip.Code, "password": shapetest.Password}
		if err := p.settle(ctx, "/v1/access", access, nil); err != nil {
			return err
		}
		if err := h.logIn(ctx, p, slip.Login); err != nil {
			return err
		}
		h.pupils = append(h.pupils, p)
	}
	return nil
}

// play holds the tournament from its making to its end.
func (h *hall) play(ctx context.Context) error {
	body := shapetest.M{"name": "Torneio", "rules": h.rules, "kind": "round_robin", "entry": "class", "auto": true, "rated": true}
	if h.clock != nil {
		body["clock"] = h.clock
	}
	e, err := h.teacher.ask(ctx, "/v1/tournaments", body)
	if err != nil {
		return err
	}
	h.id = e.cup.ID
	path := "/v1/tournaments/" + h.id
	for _, p := range h.pupils {
		if _, err := p.ask(ctx, path+"/join", shapetest.M{}); err != nil {
			return err
		}
	}
	if _, err := h.teacher.ask(ctx, path+"/start", shapetest.M{}); err != nil {
		return err
	}
	for round := 0; ; round++ {
		c, err := h.await(ctx, fmt.Sprintf("round %d", round+1), func(c cup) bool { return c.Status != "running" || len(c.Played) > round })
		if err != nil {
			return err
		}
		if c.Status != "running" {
			h.over = true
			return nil
		}
		if err := h.round(ctx, c, round); err != nil {
			return err
		}
	}
}

// await reads the tournament until it is as wanted.
func (h *hall) await(ctx context.Context, what string, is func(cup) bool) (c cup, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = shapetest.Poll(ctx, func() (bool, error) {
		c, err = h.see(ctx)
		return err == nil && is(c), err
	})
	if err != nil && ctx.Err() != nil {
		h.faults.add(faultStuck, "tournament %s: %s does not come; it is %+v", h.id, what, c)
		return c, errAbandoned
	}
	return c, err
}

// see reads the tournament.
func (h *hall) see(ctx context.Context) (cup, error) {
	answer, _, err := h.teacher.persist(ctx, http.MethodGet, "/v1/tournaments/"+h.id, "", nil)
	if err != nil {
		return cup{}, err
	}
	if answer.Status == http.StatusNotFound {
		h.faults.add(faultLost, "tournament %s is gone", h.id)
		return cup{}, errAbandoned
	}
	var body struct{ Tournament cup }
	err = answer.Into(&body)
	return body.Tournament, err
}

// round plays all boards of a round at once.
func (h *hall) round(ctx context.Context, c cup, round int) error {
	boards := c.Played[round].Boards
	failed := make([]error, len(boards))
	var all sync.WaitGroup
	for i, b := range boards {
		if len(b.Games) == 0 {
			continue // one who rests
		}
		all.Go(func() { failed[i] = h.board(ctx, c, round, i) })
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// board plays the game of a board, which is an ordinary one.
func (h *hall) board(ctx context.Context, c cup, round, board int) error {
	b := c.Played[round].Boards[board]
	t := &table{
		players: [2]*player{h.pupil(c, b.White), h.pupil(c, b.Black)}, add: h.add,
		random: rand.New(rand.NewPCG(h.Seed, uint64(4000+1000*h.number+10*round+board))),
	}
	if t.players[0] == nil || t.players[1] == nil {
		return fmt.Errorf("board %d of round %d seats strangers: %+v", board+1, round+1, c)
	}
	m := &match{id: b.Games[0].ID, rules: h.rules, rated: true, cup: h.id, players: t.players[:]}
	if err := t.players[0].arrives(ctx, m.id); err != nil {
		return err
	}
	m.watch(t.random, m.players...)
	h.add(m)
	g, err := t.players[0].get(ctx, m.id)
	if err == nil {
		g, err = t.end(ctx, plan{rules: h.rules, rated: true, plies: maxCupPlies, ends: endsPlayed}, m, g)
	}
	if err == nil {
		m.end = g.Status
	}
	return err
}

// maxCupPlies ends a game of a tournament that is not over before.
const maxCupPlies = 9

func (h *hall) pupil(c cup, number int) *player {
	for _, p := range c.Players {
		for _, pupil := range h.pupils {
			if p.Number == number && p.Account == pupil.account.ID {
				return pupil
			}
		}
	}
	return nil
}

// arrives waits for a game that somebody is about to make.
func (p *player) arrives(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := shapetest.Poll(ctx, func() (bool, error) {
		answer, _, err := p.persist(ctx, http.MethodGet, "/v1/games/"+id, "", nil)
		return answer.Status != http.StatusNotFound, err
	})
	if err != nil && ctx.Err() != nil {
		p.faults.add(faultStuck, "game %s of a tournament is not made", id)
		return errAbandoned
	}
	return err
}

// ofCup tells whether a command is about a tournament.
func (e Entry) ofCup() bool { return strings.HasPrefix(e.Path, "/v1/tournaments") }
