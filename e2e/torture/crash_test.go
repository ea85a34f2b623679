package torture

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

// crashBetween ends many rated games at the same moment and kills the process
// when the first of them is in the ledger: some are then rated in accounts and
// not in play. It returns what is wrong when all has settled after the restart.
func crashBetween(t *testing.T, s *shapetest.Shape, rounds int) (faults []string) {
	t.Helper()
	ana, rui := s.Register(t, shapetest.Adult()), s.Register(t, shapetest.Adult())
	up := s.Unit("up")
	between := 0
	var all []string
	for round := 0; round < rounds && between == 0; round++ {
		var fresh []string
		for range 8 {
			g := ana.Create(shapetest.M{"rules": "chess", "opponent": "person", "side": "first", "rated": true})
			rui.Command(g.ID, "accept", shapetest.M{})
			fresh = append(fresh, g.ID)
		}
		var resigns sync.WaitGroup
		for _, id := range fresh {
			resigns.Go(func() { // the answer may die with the process
				_, _ = ana.Do(t.Context(), http.MethodPost, "/v1/games/"+id+"/resign", "resign-"+id, shapetest.M{})
			})
		}
		awaitEntries(t, s, len(all)+1)
		if err := up.Kill(); err != nil {
			t.Fatal(err)
		}
		resigns.Wait()
		between += countRows(t, s, "accounts", `SELECT COUNT(*) FROM rating_ledger`) -
			countRows(t, s, "play", `SELECT COUNT(*) FROM event WHERE body LIKE '{"kind":"rated"%'`)
		if err := up.Start(); err != nil {
			t.Fatal(err)
		}
		if err := s.AwaitReady(); err != nil {
			t.Fatal(err)
		}
		for _, id := range fresh {
			ana.PostKey("/v1/games/"+id+"/resign", "resign-"+id, shapetest.M{})
			ana.Rated(id)
			all = append(all, id)
		}
	}
	t.Logf("%d games were rated in accounts and not yet in play when the process was killed", between)
	if between == 0 {
		t.Error("no kill came between the two: the test proves nothing")
	}
	if n := countRows(t, s, "accounts", `SELECT COUNT(*) FROM rating_ledger`); n != len(all) {
		faults = append(faults, fmt.Sprintf("%d games have %d entries in the ledger", len(all), n))
	}
	for _, p := range []*shapetest.Person{ana, rui} {
		r, _ := p.Standing("chess", "none")
		if int(r.Wins+r.Losses) != len(all) || r.Wins*r.Losses != 0 {
			faults = append(faults, fmt.Sprintf("after %d games the standing is %+v", len(all), r))
		}
		if changes := p.Changes(""); len(changes) != len(all) {
			faults = append(faults, fmt.Sprintf("after %d games there are %d changes", len(all), len(changes)))
		}
	}
	return faults
}

func awaitEntries(t *testing.T, s *shapetest.Shape, n int) {
	t.Helper()
	db, err := s.DB("accounts")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for got := 0; got < n; { // without a pause: the moment is short
		if err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM rating_ledger`).Scan(&got); err != nil {
			t.Fatalf("waiting for %d entries in the ledger: %v", n, err)
		}
	}
}

func countRows(t *testing.T, s *shapetest.Shape, service, query string) (n int) {
	t.Helper()
	db, err := s.DB(service)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A game that was rated when the process died, and that play did not yet know of,
// is told again and counts once.
func TestRatedOnceAcrossACrash(t *testing.T) {
	t.Parallel()
	for _, fault := range crashBetween(t, shapetest.AllInOne(t, shapetest.Options{}), 5) {
		t.Error(fault)
	}
}
