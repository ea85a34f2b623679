package torture

import (
	"bytes"
	"context"
	"errors"
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

// command sends a command on a game; see ask.
func (p *player) command(ctx context.Context, path string, body shapetest.M) (shapetest.Game, error) {
	e, err := p.ask(ctx, path, body)
	return e.game, err
}

// ask sends a command until it is answered, and now and then once more.
func (p *player) ask(ctx context.Context, path string, body shapetest.M) (Entry, error) {
	key := shapetest.NewKey()
	answer, tries, err := p.persist(ctx, http.MethodPost, path, key, body)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{
		At: time.Now(), Person: p.account.ID, Key: key, Path: path, Body: body, Tries: tries,
		Status: answer.Status, Answer: answer.Body,
	}
	if e.acknowledged() {
		if err := e.read(answer); err != nil {
			return Entry{}, err
		}
	}
	if err := p.journal.add(e); err != nil {
		return Entry{}, err
	}
	if !e.acknowledged() {
		// Every command here is allowed at the moment at which it is sent.
		p.faults.add(faultRefused, "%s %v at try %d: %d %s", path, body, tries, answer.Status, answer.Body)
		return Entry{}, errAbandoned
	}
	if p.random.IntN(4) == 0 {
		again, _, err := p.persist(ctx, http.MethodPost, path, key, body)
		if err != nil {
			return Entry{}, err
		}
		if again.Status != answer.Status || !bytes.Equal(again.Body, answer.Body) {
			p.faults.add(faultTwice, "%s %v: the first answer is %d %s, the second %d %s",
				path, body, answer.Status, answer.Body, again.Status, again.Body)
		}
	}
	return e, nil
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
