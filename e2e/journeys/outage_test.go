//go:build long

package journeys

import (
	"context"
	"net/http"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

// awayFor is how long what the clocks hang on is away, initial what each side has:
// more than may pass before the outage begins, and less than both together.
const (
	awayFor = 10 * time.Second
	initial = 15 * time.Second
)

// TestOutagesTakeNobodysTime takes away what the clocks hang on while they run.
// What it costs is given back to the side to move, moves that were acknowledged
// stay, one that is sent meanwhile happens once, and flags fall when the time is
// really used up.
func TestOutagesTakeNobodysTime(t *testing.T) {
	t.Parallel()
	t.Run("cluster", func(t *testing.T) {
		t.Parallel()
		s := shapetest.Cluster(t, shapetest.Options{})
		replicas := []*shapetest.Unit{s.Unit("play-1"), s.Unit("play-2")}
		all := func(do func(*shapetest.Unit) error) func() error {
			return func() error {
				for _, u := range replicas {
					if err := do(u); err != nil {
						return err
					}
				}
				return nil
			}
		}
		outages(t, s, map[string]outage{
			"PostgreSQL hangs":   {func() error { return s.Freeze("postgres") }, func() error { s.Thaw("postgres"); return nil }},
			"PostgreSQL is gone": {func() error { return s.Detach("postgres") }, func() error { s.Attach("postgres"); return nil }},
			"play is paused":     {all((*shapetest.Unit).Pause), all((*shapetest.Unit).Resume)},
			"play is killed":     {all((*shapetest.Unit).Kill), all((*shapetest.Unit).Start)},
		})
	})
	t.Run("all-in-one", func(t *testing.T) {
		t.Parallel()
		s := shapetest.AllInOne(t, shapetest.Options{})
		up := s.Unit("up")
		outages(t, s, map[string]outage{"killed": {up.Kill, up.Start}, "paused": {up.Pause, up.Resume}})
	})
}

// outage is one way to be away.
type outage struct{ begin, end func() error }

// waiting is a game in which nobody moves any more: its flag falls at the end.
type waiting struct {
	what, game string
	who        *shapetest.Person
}

func outages(t *testing.T, s *shapetest.Shape, ways map[string]outage) {
	ana, rui := s.Register(t, shapetest.Adult()), s.Register(t, shapetest.Adult())
	clock := m{"clock": m{"initial_ms": initial.Milliseconds(), "increment_ms": 0}}
	var left []waiting
	for what, way := range ways {
		still, moved := meet(ana, rui, "chess", clock), meet(ana, rui, "chess", clock)
		sent := time.Now() // the clock of black runs from here on at the earliest
		first := ana.Move(moved, 0, "e4")
		ana.Move(still, 0, "e4")
		if err := way.begin(); err != nil {
			t.Fatal(err)
		}
		gone := time.Now()

		// Somebody who moves in the middle of it asks until there is an answer.
		type reply struct {
			answer shapetest.Answer
			err    error
		}
		replied := make(chan reply, 1)
		go func() {
			answer, err := insist(t.Context(), rui, "/v1/games/"+moved+"/moves", m{"move": "e5", "turn": 1})
			replied <- reply{answer, err}
		}()
		timer := time.NewTimer(awayFor)
		select {
		case <-timer.C:
		case r := <-replied:
			t.Errorf("%s: a move was answered all the same: %v %d %s", what, r.err, r.answer.Status, r.answer.Body)
			replied <- r
			<-timer.C
		}
		back := time.Now()
		if err := way.end(); err != nil {
			t.Fatal(err)
		}
		r := <-replied
		answered := time.Now()
		if r.err != nil || r.answer.Status != http.StatusOK {
			t.Errorf("%s: the move that was sent meanwhile: %v %d %s", what, r.err, r.answer.Status, r.answer.Body)
			continue
		}
		g := ana.Game(moved)
		if len(g.Plies) != 2 || g.Plies[0].Move.Text != first.Plies[0].Move.Text || g.Plies[1].Move.Text != "e7e5" {
			t.Errorf("%s: the moves are %+v", what, g.Plies)
		}
		// It has cost no more than the time in which we were there.
		most := gone.Sub(sent) + answered.Sub(back)
		after := shapetest.Clock{}
		for _, e := range ana.Events(moved, 0) {
			if e.Kind == "moved" {
				after = *e.Game.Clock
			}
		}
		if used := initial - time.Duration(after.RemainingMS[1])*time.Millisecond; used > most {
			t.Errorf("%s: the move cost %v, and we were there for %v of it", what, used, most)
		}
		ana.Command(moved, "resign", m{})

		ana.Await(still, "the credit", func(shapetest.Game) bool { return credit(ana, still) > 0 })
		if got := credit(ana, still); got < back.Sub(gone) {
			t.Errorf("%s: the side to move got %v back of %v", what, got, back.Sub(gone))
		}
		left = append(left, waiting{what, still, ana})
	}
	for _, w := range left {
		g := awaitFlag(t, w.who, w.game)
		if g.Result != "1-0" || g.Outcome == nil || g.Outcome.Reason != "time" || g.Turn != 1 {
			t.Errorf("%s: the game ended as %s %+v at turn %d", w.what, g.Result, g.Outcome, g.Turn)
		}
		events := w.who.Events(w.game, 0)
		ran := at(t, events[len(events)-1]).Sub(at(t, events[2]))
		if want := initial + credit(w.who, w.game); ran < want {
			t.Errorf("%s: the flag fell after %v, before %v had passed", w.what, ran, want)
		}
	}
}

// awaitFlag waits for longer than others do: on a machine that is very busy the
// time is not known well enough, and no flag falls meanwhile.
func awaitFlag(t *testing.T, p *shapetest.Person, game string) (g shapetest.Game) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	err := shapetest.Poll(ctx, func() (bool, error) {
		g = p.Game(game)
		return g.Status == "finished", nil
	})
	if err != nil {
		t.Fatalf("waiting for the flag: %v; the game is %+v", err, g)
	}
	return g
}

// credit is what outages gave back in a game.
func credit(p *shapetest.Person, game string) (sum time.Duration) {
	for _, e := range p.Events(game, 0) {
		sum += time.Duration(e.CreditedMS) * time.Millisecond
	}
	return sum
}

func at(t *testing.T, e shapetest.Event) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, e.At)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// insist sends a command until it is answered by more than that something is away.
func insist(ctx context.Context, p *shapetest.Person, path string, body m) (answer shapetest.Answer, err error) {
	ctx, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	key := shapetest.NewKey()
	err = shapetest.Poll(ctx, func() (bool, error) {
		trying, cancel := context.WithTimeout(ctx, 4*time.Second)
		defer cancel()
		var failed error
		answer, failed = p.Do(trying, http.MethodPost, path, key, body)
		return failed == nil && answer.Status < 500, nil
	})
	return answer, err
}
