//go:build long

package torture

import (
	"flag"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

// How much the long runs do, and from which seed. By hand, beside the stores of
// scripts/with-services.sh:
//
//	go test -tags long -timeout 0 ./e2e/torture -run Long -seed 0 -games 2000 -kills 300
var (
	longGames  = flag.Int("games", 100, "games of a long run")
	longKills  = flag.Int("kills", 16, "kills in a long run, and half as many orderly ends")
	longPauses = flag.Int("pauses", 6, "pauses in a long run")
	longCuts   = flag.Int("cuts", 16, "broken connections to stores in a long run")
)

func long(victims ...string) Config {
	return Config{
		Games: *longGames, Tables: 6, Cups: 2, Kills: *longKills, Pauses: *longPauses, Stops: *longKills / 2,
		Victims: victims, Every: 2500 * time.Millisecond,
	}
}

func TestLongCluster(t *testing.T) {
	cfg := long(processes...)
	cfg.Cuts, cfg.Stores = *longCuts, []string{"postgres", "postgres", "redis"}
	complete(t, torment(t, shapetest.Cluster(t, shapetest.Options{}), cfg))
}

func TestLongAllInOne(t *testing.T) {
	complete(t, torment(t, shapetest.AllInOne(t, shapetest.Options{}), long("up")))
}

// complete fails a run so long in which people did not do everything that they
// can.
func complete(t *testing.T, r Report) {
	t.Helper()
	for _, kind := range acts {
		if r.Kinds[kind] == 0 {
			t.Errorf("in %d games nothing was %s: %v", r.Games, kind, r.Kinds)
		}
	}
}
