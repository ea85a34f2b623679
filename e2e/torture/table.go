package torture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"tabuleiro/e2e/shapetest"
)

// patience is how long a client asks again before it gives up: longer than any
// process is away.
const patience = 90 * time.Second

// errAbandoned ends a game that cannot go on; why is among the faults.
var errAbandoned = errors.New("the game was abandoned")

// player is a person with what they remember.
type player struct {
	*shapetest.Client
	account shapetest.Account
	journal *Journal
	faults  *Faults
	told    *atomic.Int64 // how often something was said to be away
	random  *rand.Rand
}

// command sends a command until it is answered, and now and then once more.
func (p *player) command(ctx context.Context, path string, body shapetest.M) (shapetest.Game, error) {
	key := shapetest.NewKey()
	answer, tries, err := p.persist(ctx, http.MethodPost, path, key, body)
	if err != nil {
		return shapetest.Game{}, err
	}
	e := Entry{
		At: time.Now(), Person: p.account.ID, Key: key, Path: path, Body: body, Tries: tries,
		Status: answer.Status, Answer: answer.Body,
	}
	if e.acknowledged() {
		if e.game, err = answer.Game(); err != nil {
			return shapetest.Game{}, err
		}
	}
	if err := p.journal.add(e); err != nil {
		return shapetest.Game{}, err
	}
	if !e.acknowledged() {
		// Every command here is allowed at the moment at which it is sent.
		p.faults.add(faultRefused, "%s %v at try %d: %d %s", path, body, tries, answer.Status, answer.Body)
		return shapetest.Game{}, errAbandoned
	}
	if p.random.IntN(4) == 0 {
		again, _, err := p.persist(ctx, http.MethodPost, path, key, body)
		if err != nil {
			return shapetest.Game{}, err
		}
		if again.Status != answer.Status || !bytes.Equal(again.Body, answer.Body) {
			p.faults.add(faultTwice, "%s %v: the first answer is %d %s, the second %d %s",
				path, body, answer.Status, answer.Body, again.Status, again.Body)
		}
	}
	return e.game, nil
}

// persist asks until there is an answer that is one: not that something is away.
func (p *player) persist(ctx context.Context, method, path, key string, body any) (shapetest.Answer, int, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tries, last := 0, ""
	var answer shapetest.Answer
	err := shapetest.Poll(ctx, func() (bool, error) {
		tries++
		var err error
		// A process that is paused holds its connections: ask elsewhere soon.
		trying, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		answer, err = p.Do(trying, method, path, key, body)
		switch {
		case err != nil:
			last = err.Error()
			return false, nil
		case answer.Status >= 500, answer.Status == http.StatusRequestTimeout, answer.Problem().Code == "conflict":
			last = string(answer.Body)
			p.weigh(method, path, answer)
			return false, nil
		}
		return true, nil
	})
	if err != nil {
		p.faults.add(faultStuck, "%s %s: no answer after %d tries: %s", method, path, tries, last)
		return answer, tries, errAbandoned
	}
	return answer, tries, nil
}

// weigh looks at an answer that is none: what will pass says so by a code and,
// where it may be asked again, when.
func (p *player) weigh(method, path string, a shapetest.Answer) {
	if a.Status < 500 {
		return
	}
	p.told.Add(1)
	switch code := a.Problem().Code; {
	case code == "timeout":
	case a.Status == http.StatusServiceUnavailable && code != "" && a.Header.Get("Retry-After") != "":
	default:
		p.faults.add(faultUnclear, "%s %s: %d, Retry-After %q: %s", method, path, a.Status, a.Header.Get("Retry-After"), a.Body)
	}
}

// get reads a game.
func (p *player) get(ctx context.Context, id string) (shapetest.Game, error) {
	answer, _, err := p.persist(ctx, http.MethodGet, "/v1/games/"+id, "", nil)
	if err != nil {
		return shapetest.Game{}, err
	}
	if answer.Status == http.StatusNotFound {
		p.faults.add(faultLost, "game %s is gone", id)
		return shapetest.Game{}, errAbandoned
	}
	return answer.Game()
}

// await reads a game until it is as wanted.
func (p *player) await(ctx context.Context, id, what string, is func(shapetest.Game) bool) (shapetest.Game, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var g shapetest.Game
	err := shapetest.Poll(ctx, func() (bool, error) {
		var err error
		g, err = p.get(ctx, id)
		return err == nil && is(g), err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		p.faults.add(faultStuck, "game %s: %s does not come; it is at version %d, turn %d, %s", id, what, g.Version, g.Turn, g.Status)
		return g, errAbandoned
	}
	return g, err
}

// match is a game that was played here.
type match struct {
	id      string
	rules   string
	rated   bool
	players []*player // one against the engine, two against each other
	stream  *shapetest.Stream
	done    bool // played to its end
}

// table is where two people meet, or one and the engine.
type table struct {
	players [2]*player
	random  *rand.Rand
}

// maxPlies ends a game by resignation, so that games are short.
const maxPlies = 14

// play plays one game to its end.
func (t *table) play(ctx context.Context) (m *match, err error) {
	m = &match{rules: []string{"tictactoe", "chess", "draughts"}[t.random.IntN(3)], rated: t.random.IntN(4) > 0}
	first := t.random.IntN(2)
	engine := t.random.IntN(3) == 0
	owner, other := t.players[first], t.players[1-first]
	body := shapetest.M{"rules": m.rules, "opponent": "person", "side": "first", "rated": m.rated}
	m.players = []*player{owner, other}
	if engine {
		body["opponent"], body["level"] = "engine", "plies-2"
		body["side"] = []string{"first", "second"}[t.random.IntN(2)]
		m.players = m.players[:1]
	}
	g, err := owner.command(ctx, "/v1/games", body)
	if err != nil {
		return m, err
	}
	m.id = g.ID
	m.stream = m.players[t.random.IntN(len(m.players))].Stream([]string{"game:" + m.id}, "game:"+m.id+":0", "")
	path := "/v1/games/" + m.id
	if !engine {
		if g, err = other.command(ctx, path+"/accept", shapetest.M{}); err != nil {
			return m, err
		}
	}
	for g.Status == "running" {
		mover := owner
		if engine {
			if g, err = owner.await(ctx, m.id, "the engine's move", func(g shapetest.Game) bool { return g.Status != "running" || g.Side == g.YourSide }); err != nil {
				return m, err
			}
			if g.Status != "running" {
				break
			}
		} else if g.Turn%2 == 1 {
			mover = other
		}
		switch {
		case g.Turn >= maxPlies:
			g, err = mover.command(ctx, path+"/resign", shapetest.M{})
		case len(g.Moves) == 0:
			return m, fmt.Errorf("game %s is running without a move: %+v", m.id, g)
		default:
			g, err = mover.command(ctx, path+"/moves", shapetest.M{"move": shapetest.Pick(t.random, g), "turn": g.Turn})
		}
		if err != nil {
			return m, err
		}
	}
	m.done = true
	return m, nil
}
