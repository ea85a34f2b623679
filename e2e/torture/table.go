package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"tabuleiro/e2e/shapetest"
)

// match is a game that was played here.
type match struct {
	id      string
	rules   string
	rated   bool
	players []*player // one against the engine, two against each other
	stream  *shapetest.Stream
	// cup is the tournament that made it; "" where a person did.
	cup string
	// end is its state once it was played to its end; "" while it was not.
	end string
}

// watch opens the stream of one of its players that sees everything of the game.
func (m *match) watch(random *rand.Rand, players ...*player) {
	m.stream = pick(random, players...).Stream([]string{"game:" + m.id}, "game:"+m.id+":0", "")
}

// sits is who has a side, nil where that is the engine, and not.
func (m *match) sits(g shapetest.Game, side string) (who, other *player) {
	for _, seat := range g.Seats {
		i := slices.IndexFunc(m.players, func(p *player) bool { return p.account.ID == seat.Account })
		switch {
		case i < 0:
		case seat.Side == side:
			who = m.players[i]
		default:
			other = m.players[i]
		}
	}
	return who, other
}

// The ways in which a game begins and ends beside being played.
const (
	endsPlayed    = "played"
	endsWithdrawn = "withdrawn" // before anybody has come
	endsDeclined  = "declined"  // by who was invited
	endsAborted   = "aborted"
	endsByFlag    = "flag" // nobody moves until the time is up
)

// plan is how a game is to be played.
type plan struct {
	rules                    string
	rated, engine, takebacks bool
	// invited asks for the opponent by name; else the seat is one that anyone may
	// take, and is found in the list.
	invited bool
	side    string
	// clock is how much time each side has, and gets for a move; nil for none.
	clock shapetest.M
	// plies is when somebody gives up, so that games are short.
	plies int32
	ends  string
}

// clocks are so long that nobody loses by what a kill takes before it counts as an
// outage; flagTimes, in milliseconds, are those in which a flag is to fall.
var (
	clocks    = [][2]int{{300_000, 3000}, {600_000, 0}, {1_800_000, 0}, {3_600_000, 10_000}}
	flagTimes = []int{1000, 2000, 4000}
)

func pick[T any](random *rand.Rand, list ...T) T { return list[random.IntN(len(list))] }

// table is where two people meet, or one and the engine.
type table struct {
	players [2]*player
	random  *rand.Rand
	// add tells of a game that was begun.
	add func(*match)
}

func (t *table) plan() plan {
	r := t.random
	p := plan{
		rules: pick(r, "tictactoe", "chess", "draughts"), rated: r.IntN(3) > 0, engine: r.IntN(4) == 0, invited: r.IntN(2) == 0,
		side: pick(r, "first", "second", "random"), plies: int32(6 + r.IntN(9)), ends: endsPlayed,
	}
	p.takebacks = !p.rated // which a rated game has none of
	if r.IntN(2) == 0 {
		clock := pick(r, clocks...)
		p.clock = shapetest.M{"initial_ms": clock[0], "increment_ms": clock[1]}
	}
	switch n := r.IntN(12); {
	case n == 0:
		p.ends, p.engine = endsWithdrawn, false
	case n == 1:
		p.ends, p.engine, p.invited = endsDeclined, false, true
	case n == 2:
		p.ends = endsAborted
	case n == 3:
		p.ends, p.engine = endsByFlag, false
		p.clock = shapetest.M{"initial_ms": pick(r, flagTimes...), "increment_ms": 0}
	}
	return p
}

// play plays one game to its end, and others of the same match where the players
// like it.
func (t *table) play(ctx context.Context) error {
	p := t.plan()
	first := t.random.IntN(2)
	owner, other := t.players[first], t.players[1-first]
	m, g, err := t.sit(ctx, p, owner, other)
	for err == nil && m != nil {
		if g.Status == "running" {
			g, err = t.end(ctx, p, m, g)
		}
		if err == nil {
			m.end = g.Status
			m, g, err = t.again(ctx, p, m, g)
		}
	}
	return err
}

// sit makes a game and fills its seats, or lets it be withdrawn or declined.
func (t *table) sit(ctx context.Context, p plan, owner, other *player) (*match, shapetest.Game, error) {
	m := &match{rules: p.rules, rated: p.rated, players: []*player{owner, other}}
	body := shapetest.M{"rules": p.rules, "opponent": "person", "side": p.side, "rated": p.rated}
	switch {
	case p.engine:
		body["opponent"], body["level"] = "engine", "plies-2"
		m.players = m.players[:1]
	case p.invited:
		body["invite"] = other.account.Login
	}
	if p.takebacks {
		body["options"] = shapetest.M{"takebacks": true}
	}
	if p.clock != nil {
		body["clock"] = p.clock
	}
	g, err := owner.command(ctx, "/v1/games", body)
	if err != nil {
		return nil, g, err
	}
	m.id = g.ID
	if p.ends == endsWithdrawn || p.ends == endsDeclined {
		m.watch(t.random, owner) // to anybody else it is gone then
	} else {
		m.watch(t.random, m.players...)
	}
	t.add(m)
	path := "/v1/games/" + m.id
	switch {
	case p.engine:
	case p.ends == endsWithdrawn:
		g, err = owner.command(ctx, path+"/cancel", shapetest.M{})
	default:
		if err = other.listed(ctx, m.id, p.invited); err != nil {
			break
		}
		if p.ends == endsDeclined {
			g, err = other.command(ctx, path+"/decline", shapetest.M{"reason": "later"})
		} else {
			g, err = other.command(ctx, path+"/accept", shapetest.M{})
		}
	}
	return m, g, err
}

// listed looks for a free seat in the list where a page would find it.
func (p *player) listed(ctx context.Context, id string, invited bool) error {
	list := "open"
	if invited {
		list = "invited"
	}
	answer, _, err := p.persist(ctx, http.MethodGet, "/v1/games?limit=100&list="+list, "", nil)
	if err != nil {
		return err
	}
	var body struct{ Games []shapetest.Game }
	if err := answer.Into(&body); err != nil {
		return err
	}
	if !slices.ContainsFunc(body.Games, func(g shapetest.Game) bool { return g.ID == id }) {
		p.faults.add(faultLost, "the free seat of game %s is not among the %d listed as %s", id, len(body.Games), list)
	}
	return nil
}

// end plays a game to its end.
func (t *table) end(ctx context.Context, p plan, m *match, g shapetest.Game) (shapetest.Game, error) {
	path := "/v1/games/" + m.id
	switch p.ends {
	case endsByFlag:
		return m.players[0].await(ctx, m.id, "the fall of the flag", func(g shapetest.Game) bool { return g.Status != "running" })
	case endsAborted:
		return m.players[t.random.IntN(len(m.players))].command(ctx, path+"/abort", shapetest.M{})
	}
	asked := map[*player]bool{} // who may not ask for anything before the next own move
	for err := error(nil); g.Status == "running"; {
		mover, waiter := m.sits(g, g.Side)
		if p.engine {
			if g, err = m.players[0].await(ctx, m.id, "the engine's move", func(g shapetest.Game) bool { return g.Status != "running" || g.Side == g.YourSide }); err != nil {
				return g, err
			}
			if g.Status != "running" {
				break
			}
			mover, waiter = m.players[0], nil
		}
		switch n := t.random.IntN(12); {
		case g.PlyCount >= p.plies:
			g, err = pick(t.random, m.players...).command(ctx, path+"/resign", shapetest.M{})
		case n == 0 && !asked[mover]:
			asked[mover] = true
			g, err = t.offerDraw(ctx, path, g, mover, waiter)
		case n < 5 && p.takebacks && g.PlyCount >= 2:
			g, err = t.takeBack(ctx, path, g, mover, waiter, asked)
		case len(g.Moves) == 0:
			return g, fmt.Errorf("game %s is running without a move: %+v", m.id, g)
		default:
			g, err = mover.command(ctx, path+"/moves", shapetest.M{"move": shapetest.Pick(t.random, g), "turn": g.Turn})
			asked[mover] = false
		}
		if err != nil {
			return g, err
		}
	}
	return g, nil
}

// offerDraw offers a draw, which the opponent takes, refuses or does not answer;
// the engine never does.
func (t *table) offerDraw(ctx context.Context, path string, g shapetest.Game, mover, waiter *player) (shapetest.Game, error) {
	turn := shapetest.M{"turn": g.Turn}
	g, err := mover.command(ctx, path+"/draw-offer", turn)
	if err != nil || waiter == nil || g.Status != "running" {
		return g, err
	}
	switch t.random.IntN(6) {
	case 0:
		return waiter.command(ctx, path+"/draw-offer", turn)
	case 1:
		return waiter.command(ctx, path+"/draw-answer", shapetest.M{"turn": g.Turn, "accept": true})
	case 2, 3:
		return waiter.command(ctx, path+"/draw-answer", shapetest.M{"turn": g.Turn, "accept": false})
	}
	return g, nil
}

// takeBack asks to take a move back; against the engine that needs no answer.
func (t *table) takeBack(ctx context.Context, path string, g shapetest.Game, mover, waiter *player, asked map[*player]bool) (shapetest.Game, error) {
	wisher, answers := waiter, mover
	if waiter == nil || t.random.IntN(3) == 0 {
		wisher, answers = mover, waiter
	}
	if asked[wisher] {
		return g, nil
	}
	asked[wisher] = true
	g, err := wisher.command(ctx, path+"/takeback-offer", shapetest.M{"turn": g.Turn})
	if err != nil || answers == nil {
		return g, err
	}
	return answers.command(ctx, path+"/takeback-answer", shapetest.M{"turn": g.Turn, "accept": t.random.IntN(3) > 0})
}

// again begins the next game of a match; nil where nobody wants it.
func (t *table) again(ctx context.Context, p plan, over *match, g shapetest.Game) (*match, shapetest.Game, error) {
	if g.Status != "finished" || p.ends != endsPlayed || t.random.IntN(3) > 0 {
		return nil, g, nil
	}
	path := "/v1/games/" + over.id + "/rematch"
	e, err := over.players[0].ask(ctx, path, shapetest.M{})
	if err == nil && !p.engine {
		switch other := over.players[1]; t.random.IntN(3) {
		case 0:
			e, err = other.ask(ctx, path, shapetest.M{})
		case 1:
			e, err = other.ask(ctx, path+"-answer", shapetest.M{"accept": true})
		default:
			_, err = other.ask(ctx, path+"-answer", shapetest.M{"accept": false})
			return nil, g, err
		}
	}
	if err != nil {
		return nil, g, err
	}
	m := &match{id: e.next.ID, rules: over.rules, rated: over.rated, players: over.players}
	m.watch(t.random, m.players...)
	t.add(m)
	return m, e.next, nil
}
