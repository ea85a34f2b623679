package journeys

import (
	"context"
	"net/http"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

// Without its cache the cluster is slower and never wrong; without its database
// it says so, changes nothing by halves, and goes on by itself afterwards.
func TestStoresAway(t *testing.T) {
	t.Parallel()
	s := shapetest.Cluster(t, shapetest.Options{})
	ana, rui, game := pair(t, s, "chess", m{"rated": true})

	if err := s.Detach("redis"); err != nil {
		t.Fatal(err)
	}
	thinker := ana.Create(m{"rules": "draughts", "opponent": "engine", "side": "first", "level": "plies-4"})
	for turn := int32(0); turn < 6; turn += 2 {
		ana.Move(thinker.ID, turn, ana.Turn(thinker.ID).Moves[0].Text)
	}
	if g := ana.Turn(thinker.ID); g.Turn != 6 {
		t.Errorf("without Redis the game is at turn %d", g.Turn)
	}
	s.Attach("redis")

	watch := rui.Stream([]string{"game:" + game}, "game:"+game+":0", "")
	defer watch.Close()
	play(ana, rui, game, "e4")
	if err := watch.AwaitVersion(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	if err := s.Detach("postgres"); err != nil {
		t.Fatal(err)
	}
	path, key := "/v1/games/"+game+"/moves", shapetest.NewKey()
	answer := rui.PostKey(path, key, m{"move": "e5", "turn": 1})
	rui.Refused(http.StatusServiceUnavailable, "unavailable", answer)
	if answer.Header.Get("Retry-After") == "" {
		t.Error("a refusal that will pass does not say when to ask again")
	}
	if ready := ana.Get("/healthz"); ready.Status != http.StatusOK {
		t.Errorf("the gateway's health hangs on the database: %d", ready.Status)
	}
	s.Attach("postgres")

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := shapetest.Poll(ctx, func() (bool, error) {
		answer, err := rui.Do(ctx, http.MethodPost, path, key, m{"move": "e5", "turn": 1})
		return answer.Status == http.StatusOK, err
	})
	if err != nil {
		t.Fatalf("the database is back, and the move does not go: %v", err)
	}
	ana.Command(game, "resign", m{})
	g := ana.Rated(game)
	if g.Version != 6 || g.Turn != 2 || g.Result != "0-1" {
		t.Errorf("the game ended at version %d, turn %d, %s", g.Version, g.Turn, g.Result)
	}
	if err := watch.AwaitVersion(t.Context(), g.Version); err != nil {
		t.Error(err)
	}
}
