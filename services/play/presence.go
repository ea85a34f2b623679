package play

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
)

// Gateways say on the bus which sides of a game have a stream open, whenever that
// changes and every few seconds. It is lossy, and no replica needs to hear all of
// it: what gives a right is an event, which the first replica that is sure of it
// commits. Nobody is called gone by a replica that hears no gateway.
const (
	// presenceLife is how long a gateway's word holds: two that are lost are not
	// missed.
	presenceLife = 12 * time.Second
	// presenceEvery is the time between looks at who is gone.
	presenceEvery = time.Second
	// maxPresent bounds the games that a replica keeps, and maxGateways the
	// gateways that it believes in.
	maxPresent, maxGateways = 100_000, 256
	// awayAfter is how long who offers a game with a clock may be away before nobody
	// can take it: the clock would run against a player who does not know of it.
	awayAfter = 2 * time.Minute
	// restingLook is when a game is looked at again in which nobody can be gone.
	restingLook = 10 * time.Second
)

// presence is what a replica has heard.
type presence struct {
	mu    sync.Mutex
	games map[string]*presentGame
	// heard is when each gateway was heard last, since when one was always heard.
	heard map[string]int64
	since int64
}

// presentGame is who is at one game.
type presentGame struct {
	said map[string]saying // by gateway
	seen map[string]int64  // by side, when it was here last
	// next is when to look whether somebody is gone.
	next int64
}

type saying struct {
	at    int64
	sides map[string]int32 // with the latency of each
}

func newPresence() *presence {
	return &presence{games: map[string]*presentGame{}, heard: map[string]int64{}}
}

// Present takes in what a gateway says.
func (s *Service) Present(m *busv1.Presence) {
	now := s.now()
	p := s.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.hearing(now) {
		p.since = now
	}
	if _, known := p.heard[m.GetGateway()]; known || len(p.heard) < maxGateways {
		p.heard[m.GetGateway()] = now
	}
	if m.GetGame() == "" {
		return // it only says that it lives
	}
	g := p.games[m.GetGame()]
	if g == nil {
		if len(p.games) >= maxPresent || len(m.GetSides()) == 0 {
			return
		}
		g = &presentGame{said: map[string]saying{}, seen: map[string]int64{}}
		p.games[m.GetGame()] = g
	}
	before := g.present(now)
	sides := map[string]int32{}
	for _, side := range m.GetSides()[:min(2, len(m.GetSides()))] {
		sides[side.GetSide()] = side.GetLagMs()
	}
	if _, known := g.said[m.GetGateway()]; known || len(g.said) < maxGateways {
		g.said[m.GetGateway()] = saying{at: now, sides: sides}
	}
	for side := range before {
		g.seen[side] = now
	}
	if after := g.present(now); len(after) != len(before) {
		g.next = now
	}
}

// PresenceLost forgets everything: what was said meanwhile was not heard.
func (s *Service) PresenceLost() {
	s.presence.mu.Lock()
	defer s.presence.mu.Unlock()
	s.presence.heard, s.presence.since = map[string]int64{}, 0
	s.presence.games = map[string]*presentGame{}
}

// hearing tells whether some gateway was heard of late.
func (p *presence) hearing(now int64) bool {
	for gateway, at := range p.heard {
		if now-at < presenceLife.Milliseconds() {
			return true
		}
		delete(p.heard, gateway)
	}
	return false
}

// present are the sides that are here, with their latency.
func (g *presentGame) present(now int64) map[string]int32 {
	sides := map[string]int32{}
	for gateway, s := range g.said {
		if now-s.at >= presenceLife.Milliseconds() {
			// Its word held until then: that the side left may be what was lost.
			for side := range s.sides {
				g.seen[side] = max(g.seen[side], s.at+presenceLife.Milliseconds())
			}
			delete(g.said, gateway)
			continue
		}
		for side, lag := range s.sides {
			sides[side] = max(sides[side], lag)
		}
	}
	return sides
}

// here tells whether a side of a game is known to be here.
func (p *presence) here(game, side string, now int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.games[game]
	if g == nil {
		return false
	}
	_, here := g.present(now)[side]
	return here
}

// away tells whether a side of a game was not here for so long since a time that a
// game with a clock must not begin without it. Who cannot tell says no.
func (p *presence) away(game, side string, since, now int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.hearing(now) {
		return false
	}
	since = max(since, p.since)
	if g := p.games[game]; g != nil {
		if _, here := g.present(now)[side]; here {
			return false
		}
		since = max(since, g.seen[side])
	} else if len(p.games) >= maxPresent {
		return false
	}
	return now-since > awayAfter.Milliseconds()
}

// mustBeHere refuses to begin a game with a clock while the person at a seat of the
// game that offers it, the open one or the one before, is away.
func (s *Service) mustBeHere(state State, seat int) error {
	other := state.Seats[seat]
	if state.Clock == nil || other.Kind != SeatPerson {
		return nil
	}
	if s.presence.away(state.ID, other.Side, max(state.CreatedAt, state.Stirred[seat]), s.now()) {
		return refuse("opponent_away", "the other player is away, and the clock would run without them")
	}
	return nil
}

// lag is the latency of a side's client as its gateway says it, in milliseconds.
func (p *presence) lag(game, side string, now int64) int32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.games[game]
	if g == nil {
		return 0
	}
	return g.present(now)[side]
}

// looked is one game that it is time to look at.
type looked struct {
	game  string
	since int64 // since when this replica can tell
	sides map[string]int32
	seen  map[string]int64
}

// toLook are the games in which somebody may be gone or back: those where one
// side is here to care. A game that nobody is at is forgotten in time.
func (p *presence) toLook(now int64) []looked {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.hearing(now) {
		p.since = 0
		return nil
	}
	var all []looked
	for id, g := range p.games {
		sides := g.present(now)
		if len(sides) == 0 {
			last := int64(0)
			for _, at := range g.seen {
				last = max(last, at)
			}
			if now-last > 10*time.Minute.Milliseconds() {
				delete(p.games, id)
			}
			continue
		}
		if now < g.next {
			continue
		}
		g.next = now + restingLook.Milliseconds()
		all = append(all, looked{game: id, since: p.since, sides: sides, seen: maps.Clone(g.seen)})
	}
	slices.SortFunc(all, func(a, b looked) int { return strings.Compare(a.game, b.game) })
	return all
}

// lookAt says when a game should be looked at next.
func (p *presence) lookAt(game string, at int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if g := p.games[game]; g != nil {
		g.next = min(g.next, at)
	}
}

// PresenceStep looks at who is gone and who is back. Run does so by itself; it is
// for callers that choose every step themselves.
func (s *Service) PresenceStep(ctx context.Context) error {
	var failed error
	for _, l := range s.presence.toLook(s.now()) {
		if err := s.look(ctx, l); err != nil {
			failed = err
			s.presence.lookAt(l.game, s.now()+presenceEvery.Milliseconds())
		}
	}
	return failed
}

// look commits what a game does not know yet.
func (s *Service) look(ctx context.Context, l looked) error {
	state, err := s.deps.Store.Load(ctx, l.game)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	limit := state.goneLimit()
	for i, seat := range state.Seats {
		_, here := l.sides[seat.Side]
		switch {
		case here && state.Gone[i] != 0:
			if err := s.note(ctx, l.game, Returned{Side: seat.Side}); err != nil {
				return err
			}
		case here || limit == 0 || state.Gone[i] != 0:
		default:
			// From the latest moment at which it may have been here.
			since := max(l.seen[seat.Side], l.since, state.CreatedAt, state.Stirred[i])
			if wait := since + limit - s.now(); wait > 0 {
				s.presence.lookAt(l.game, s.now()+wait)
				continue
			}
			if err := s.note(ctx, l.game, Gone{Side: seat.Side, Since: since}); err != nil {
				return err
			}
		}
	}
	return nil
}

// note carries out what nobody asked for; where it no longer holds nothing happens.
func (s *Service) note(ctx context.Context, game string, command Command) error {
	return untilCurrent(func() error {
		state, err := s.deps.Store.Load(ctx, game)
		if err != nil {
			return err
		}
		at := s.deps.Time.Now()
		now, credited, err := s.credited(ctx, state, command, at)
		if err != nil {
			return err
		}
		events, refused := Decide(now, command, nil, at)
		if refused != nil {
			return nil
		}
		return s.add(ctx, state, append(credited, events...))
	})
}

// lagOf is the latency of who sends a command: as its gateway measured it or, where
// the stream is at another gateway, as that one said.
func (s *Service) lagOf(r request, state State) int32 {
	if lag := int32(r.caller.Lag.Milliseconds()); lag > 0 {
		return lag
	}
	if seat := state.SeatOf(r.player); seat >= 0 && state.Clock != nil {
		return s.presence.lag(state.ID, state.Seats[seat].Side, s.now())
	}
	return 0
}
