package journeys

import (
	"context"
	"net/http"
	"reflect"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

// catchUp bounds how long watchers may be behind once NATS is back. The promise is
// 5 s, at which a hub looks by itself; the rest is room for a busy machine.
const catchUp = 5*time.Second + 5*time.Second

// While NATS is stopped every move succeeds at its first try, and who watched all
// along has all of them soon after its return, each once and in order.
func TestMovesWithoutNATS(t *testing.T) {
	t.Parallel()
	s := shapetest.Cluster(t, shapetest.Options{})
	ana, rui, game := pair(t, s, "chess", m{"visibility": "public"})
	stranger := s.Guest(t)
	watchers := []*shapetest.Stream{
		ana.Stream([]string{"game:" + game}, "game:"+game+":0", ""),
		stranger.Stream([]string{"game:" + game}, "game:"+game+":0", ""),
	}
	for _, w := range watchers {
		defer w.Close()
		if err := w.AwaitVersion(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
	}
	nats, moves := s.Unit("nats"), []string{"Nf3", "Nf6", "Ng1", "Ng8", "e4", "e5", "Bc4"}
	halves := map[string]struct {
		away, back func() error
		moves      []string
	}{
		"killed": {nats.Kill, nats.Start, moves[:4]},
		"paused": {nats.Pause, nats.Resume, moves[4:]},
	}
	turn := int32(0)
	for _, how := range []string{"killed", "paused"} {
		half := halves[how]
		if err := half.away(); err != nil {
			t.Fatal(err)
		}
		for _, move := range half.moves {
			who := []*shapetest.Person{ana, rui}[turn%2]
			answer, err := who.Do(t.Context(), http.MethodPost, "/v1/games/"+game+"/moves", shapetest.NewKey(), m{"move": move, "turn": turn})
			if err != nil || answer.Status != http.StatusOK {
				t.Fatalf("NATS is %s, move %d: %v %d %s", how, turn+1, err, answer.Status, answer.Body)
			}
			turn++
		}
		if err := half.back(); err != nil {
			t.Fatal(err)
		}
		back := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), catchUp)
		for i, w := range watchers {
			if err := w.AwaitVersion(ctx, 2+turn); err != nil {
				t.Errorf("NATS was %s, watcher %d: %v", how, i, err)
			}
		}
		cancel()
		t.Logf("NATS was %s: watchers had all after %v", how, time.Since(back))
	}
	want := plainEvents(t, ana, game)
	for i, w := range watchers {
		if _, events := seen(t, w.Frames()); !reflect.DeepEqual(events, want) {
			t.Errorf("watcher %d sees\n%v\nwant\n%v", i, events, want)
		}
	}
}
