package gateway

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
)

// Presence carries between gateways and play which sides of a game have a stream
// open. It is lossy: each word is the whole of what one gateway knows of a game.
type Presence interface {
	// Say tells it. It never waits; what is lost is said again.
	Say(*busv1.Presence) error
	// Hear hands over what other gateways say of one game, until stop is called.
	Hear(game string, said func(*busv1.Presence)) (stop func(), err error)
}

const (
	// sayEvery is how often a gateway repeats who is here; wordLife how long its
	// word holds for others.
	sayEvery = 5 * time.Second
	wordLife = 12 * time.Second
)

// presence is who is here, by game. Games that no stream here watches are not
// known.
type presence struct {
	id   string
	out  Presence
	lags *lags
	now  func() time.Time
	log  *slog.Logger

	mu    sync.Mutex
	games map[string]*present
}

// present is one game: the streams of its players here, and what others said.
type present struct {
	here   map[*subscriber]string // side
	others map[string]heard       // by gateway
	shown  []string               // the sides that streams were told
	stop   func()                 // ends Hear; nil while there is nothing to hear
	spread func(sides []string)   // tells the streams
}

type heard struct {
	at    time.Time
	sides []string
}

func newPresence(out Presence, lags *lags, now func() time.Time, log *slog.Logger) *presence {
	return &presence{id: rand.Text(), out: out, lags: lags, now: now, log: log, games: map[string]*present{}}
}

// watch begins to keep a game and returns what ends it. spread gets the sides that
// are here, whenever they change; it must not wait.
func (p *presence) watch(game string, spread func(sides []string)) (stop func()) {
	g := &present{here: map[*subscriber]string{}, others: map[string]heard{}, spread: spread}
	p.mu.Lock()
	p.games[game] = g
	p.mu.Unlock()
	if p.out != nil {
		unhear, err := p.out.Hear(game, func(m *busv1.Presence) { p.hear(game, g, m) })
		if err != nil {
			// The bus is away: only who is here is known.
			p.log.Debug("cannot hear who is at other gateways", slog.String("game", game), slog.Any("error", err))
		}
		p.mu.Lock()
		g.stop = unhear
		p.mu.Unlock()
	}
	return func() {
		p.mu.Lock()
		if p.games[game] == g {
			delete(p.games, game)
		}
		unhear := g.stop
		p.mu.Unlock()
		if unhear != nil {
			unhear()
		}
	}
}

// hear takes in what another gateway says.
func (p *presence) hear(game string, g *present, m *busv1.Presence) {
	if m.GetGateway() == p.id || m.GetGame() != game {
		return
	}
	sides := make([]string, 0, 2)
	for _, side := range m.GetSides()[:min(2, len(m.GetSides()))] {
		sides = append(sides, side.GetSide())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(g.others) < 256 {
		g.others[m.GetGateway()] = heard{at: p.now(), sides: sides}
	}
	p.show(g)
}

// come says that a stream belongs to the player of a side; again, it changes
// nothing.
func (p *presence) come(game, side string, s *subscriber) {
	p.mu.Lock()
	g := p.games[game]
	if g == nil || side == "" || g.here[s] == side {
		p.mu.Unlock()
		return
	}
	g.here[s] = side
	p.show(g)
	word := p.word(game, g)
	p.mu.Unlock()
	p.say(word)
}

// leave says that a stream has ended.
func (p *presence) leave(game string, s *subscriber) {
	p.mu.Lock()
	g := p.games[game]
	if g == nil || g.here[s] == "" {
		p.mu.Unlock()
		return
	}
	delete(g.here, s)
	p.show(g)
	word := p.word(game, g)
	p.mu.Unlock()
	p.say(word)
}

// sides are all that are here, in one order.
func (p *presence) sides(g *present) []string {
	all := map[string]bool{}
	for _, side := range g.here {
		all[side] = true
	}
	for gateway, h := range g.others {
		if p.now().Sub(h.at) >= wordLife {
			delete(g.others, gateway)
			continue
		}
		for _, side := range h.sides {
			all[side] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// show tells the streams of a game what has changed.
func (p *presence) show(g *present) {
	sides := p.sides(g)
	if slices.Equal(sides, g.shown) {
		return
	}
	g.shown = sides
	g.spread(sides)
}

// of are the sides that are at a game, as streams were told last.
func (p *presence) of(game string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.games[game]
	if g == nil {
		return nil
	}
	return slices.Clone(g.shown)
}

// word is what this gateway knows of a game.
func (p *presence) word(game string, g *present) *busv1.Presence {
	lag := map[string]int32{}
	for s, side := range g.here {
		lag[side] = max(lag[side], int32(p.lags.of(s.session).Milliseconds()))
	}
	m := &busv1.Presence{Gateway: p.id, Game: game}
	for _, side := range slices.Sorted(maps.Keys(lag)) {
		m.Sides = append(m.Sides, &busv1.PresentSide{Side: side, LagMs: lag[side]})
	}
	return m
}

func (p *presence) say(m *busv1.Presence) {
	if p.out == nil {
		return
	}
	if err := p.out.Say(m); err != nil {
		p.log.Debug("not said who is here", slog.String("game", m.GetGame()), slog.Any("error", err))
	}
}

// run repeats until ctx ends that this gateway lives and who is here, and drops
// what others have not repeated.
func (p *presence) run(ctx context.Context) {
	tick := time.NewTicker(sayEvery)
	defer tick.Stop()
	p.say(&busv1.Presence{Gateway: p.id})
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			p.repeat()
		}
	}
}

func (p *presence) repeat() {
	p.say(&busv1.Presence{Gateway: p.id})
	var words []*busv1.Presence
	p.mu.Lock()
	for game, g := range p.games {
		p.show(g)
		if len(g.here) > 0 {
			words = append(words, p.word(game, g))
		}
	}
	p.mu.Unlock()
	for _, m := range words {
		p.say(m)
	}
}
