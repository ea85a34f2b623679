//go:build long

package journeys

import (
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

// Time is the database's: replicas of play whose machines' clocks are minutes
// apart give a game one clock, no flag falls early, and both know who calls them.
func TestReplicasWithOtherWallClocks(t *testing.T) {
	t.Parallel()
	skews := map[string]time.Duration{"play-1": 7 * time.Minute, "play-2": -5 * time.Minute}
	s := shapetest.Cluster(t, shapetest.Options{Skews: skews})
	ana, rui := s.Register(t, shapetest.Adult()), s.Register(t, shapetest.Adult())
	const initial = 3 * time.Minute
	began := time.Now()
	game := meet(ana, rui, "chess", m{"rated": true, "clock": m{"initial_ms": initial.Milliseconds(), "increment_ms": 0}})
	started := time.Now()
	g := ana.Game(game)
	sides := []*shapetest.Person{ana, rui}
	// Until both have had their part; less than the repetitions that end a game.
	moves := []string{"Nf3", "Nf6", "Ng1", "Ng8"}
	for i := 0; i < 14 && (i < 6 || idle(t, s, skews) != ""); i++ {
		s.Unit("play-1").Cut() // the next connection is to the other one
		before, sent := g.Clock.RemainingMS, time.Now()
		answer, err := insist(t.Context(), sides[i%2], "/v1/games/"+game+"/moves", m{"move": moves[i%4], "turn": i})
		if err != nil {
			t.Fatal(err)
		}
		if g, err = answer.Game(); err != nil {
			t.Fatal(err)
		}
		left := [2]time.Duration{}
		for side, ms := range g.Clock.RemainingMS {
			left[side] = time.Duration(ms) * time.Millisecond
			if ms > before[side] {
				t.Errorf("move %d: side %d had %d ms and now has %d", i+1, side, before[side], ms)
			}
		}
		// Both together have used what has passed since the second seat was taken.
		most := time.Since(began)
		if used := 2*initial - left[0] - left[1]; used > most || used < sent.Sub(started)-slack {
			t.Errorf("move %d: between %v and %v have passed, and the clocks have used %v", i+1, sent.Sub(started), most, used)
		}
	}
	ended := time.Now()
	last := time.Time{}
	for _, e := range ana.Events(game, 0) {
		when := at(t, e)
		if when.Before(began.Add(-slack)) || when.After(ended.Add(slack)) || when.Before(last) {
			t.Errorf("%s at %v, after %v; the game was from %v to %v", e.Kind, when, last, began.UTC(), ended.UTC())
		}
		last = when
	}

	// A flag that is looked after by either replica falls when it should.
	short := meet(ana, rui, "chess", m{"clock": m{"initial_ms": 2000, "increment_ms": 0}})
	awaitFlag(t, ana, short)
	events := ana.Events(short, 0)
	if ran := at(t, events[len(events)-1]).Sub(at(t, events[1])); ran < 2*time.Second {
		t.Errorf("the flag fell after %v", ran)
	}
	ana.Command(game, "resign", m{})
	ana.Rated(game)
	if name := idle(t, s, skews); name != "" {
		t.Errorf("%s has committed nothing: the test proves nothing", name)
	}
}

// idle is a replica that has committed nothing; empty for none.
func idle(t *testing.T, s *shapetest.Shape, names map[string]time.Duration) string {
	t.Helper()
	for name := range names {
		n, err := s.Unit(name).Metric(t.Context(), "tabuleiro_play_events_total")
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return name
		}
	}
	return ""
}

// slack is how far two readings of the database's time may differ.
const slack = 100 * time.Millisecond
