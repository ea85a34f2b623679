package gateway

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
)

// crowd is the bus between gateways: it keeps what was said and hands it on.
type crowd struct {
	mu    sync.Mutex
	said  []*busv1.Presence
	heard map[string][]func(*busv1.Presence)
	away  bool
}

func (c *crowd) Say(m *busv1.Presence) error {
	c.mu.Lock()
	c.said = append(c.said, m)
	away, all := c.away, slices.Clone(c.heard[m.GetGame()])
	c.mu.Unlock()
	if away {
		return fmt.Errorf("away")
	}
	for _, f := range all {
		f(m)
	}
	return nil
}

func (c *crowd) Hear(game string, said func(*busv1.Presence)) (func(), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.away {
		return nil, fmt.Errorf("away")
	}
	if c.heard == nil {
		c.heard = map[string][]func(*busv1.Presence){}
	}
	c.heard[game] = append(c.heard[game], said)
	return func() {}, nil
}

// last is the last that a gateway said of a game.
func (c *crowd) last(game string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range slices.Backward(c.said) {
		if m.GetGame() == game {
			var sides []string
			for _, side := range m.GetSides() {
				sides = append(sides, fmt.Sprint(side.GetSide(), " ", side.GetLagMs()))
			}
			return strings.Join(sides, ", ")
		}
	}
	return "nothing"
}

// TestWhoIsHere: streams of players make their sides be here, for play, for other
// gateways and for whoever watches; a gateway that is silent is forgotten.
func TestWhoIsHere(t *testing.T) {
	now := &clock{now: time.Unix(1000, 0)}
	bus := &crowd{}
	quiet := slog.New(slog.DiscardHandler)
	one, other := newPresence(bus, newLags(now.Now), now.Now, quiet), newPresence(bus, newLags(now.Now), now.Now, quiet)
	shown := map[*presence][]string{}
	stop := one.watch("g", func(sides []string) { shown[one] = sides })
	other.watch("g", func(sides []string) { shown[other] = sides })
	want := func(sides ...string) {
		t.Helper()
		for _, p := range []*presence{one, other} {
			if !slices.Equal(shown[p], sides) || !slices.Equal(p.of("g"), sides) {
				t.Fatalf("shown %v, known %v; want %v", shown[p], p.of("g"), sides)
			}
		}
	}
	ana, page, bob := newSubscriber("ana", "a"), newSubscriber("ana", "a"), newSubscriber("bob", "b")
	one.come("g", "white", ana)
	one.come("g", "white", page) // a second page of hers
	want("white")
	other.come("g", "black", bob)
	want("black", "white")
	one.leave("g", ana)
	want("black", "white")
	one.leave("g", page)
	one.leave("g", page)
	want("black")
	if got := bus.last("g"); got != "" {
		t.Errorf("said %q, want nobody", got)
	}
	one.lags.known["ana"] = lag{smooth: 70 * time.Millisecond, at: now.Now()}
	one.come("g", "white", ana)
	if got := bus.last("g"); got != "white 70" {
		t.Errorf("said %q", got)
	}
	// Repeated words hold; those of a gateway that died do not.
	for range 3 {
		now.pass(sayEvery)
		one.repeat()
	}
	if got := one.of("g"); !slices.Equal(got, []string{"white"}) {
		t.Errorf("a silent gateway is believed: %v", got)
	}
	stop()
	one.come("g", "white", ana) // nothing is kept of what nobody watches
	if one.of("g") != nil {
		t.Error("an unwatched game is kept")
	}
	// Without a bus who is here is known still.
	bus.away = true
	alone := newPresence(bus, newLags(now.Now), now.Now, quiet)
	alone.watch("h", func(sides []string) { shown[alone] = sides })
	alone.come("h", "white", ana)
	if !slices.Equal(shown[alone], []string{"white"}) {
		t.Errorf("alone: %v", shown[alone])
	}
}

// present reads the next word of a stream on who is here.
func (r *reader) present() []string {
	r.t.Helper()
	for {
		m, ok := r.any()
		if !ok {
			r.t.Fatal("the stream ended")
		}
		if m.name == "presence" {
			return m.Present
		}
	}
}

// TestStreamsTellWhoIsHere: a frame at the start and one for every change, outside
// the versions of the game.
func TestStreamsTellWhoIsHere(t *testing.T) {
	w := newWorld(t, nil)
	first := w.stream(t, "topic=game:"+privateID, "Authorization", "Bearer "+token)
	if got := first.present(); !slices.Equal(got, []string{"white"}) {
		t.Errorf("ana sees %v", got)
	}
	watcher := w.stream(t, "topic=game:"+gameID)
	if got := watcher.present(); len(got) != 0 {
		t.Errorf("a watcher is somebody: %v", got)
	}
	w.play.happen("moved")
	if m := watcher.want("moved", 2); m.id == "" {
		t.Error("an event without a cursor")
	}
	data, err := json.Marshal(presenceFrame(gameID, nil).data)
	if err != nil || len(data) == 0 || string(presenceFrame(gameID, nil).data) != `{"kind":"presence","present":[],"topic":"game:`+gameID+`"}` {
		t.Errorf("got %s, %v", presenceFrame(gameID, nil).data, err)
	}
}
