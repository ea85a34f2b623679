//go:build long

package torture

import (
	"flag"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

// How much the long runs do: -games, -kills, -pauses.
var (
	longGames  = flag.Int("games", 100, "games of a long run")
	longKills  = flag.Int("kills", 24, "kills in a long run")
	longPauses = flag.Int("pauses", 10, "pauses in a long run")
)

func long(victims ...string) Config {
	return Config{
		Games: *longGames, Tables: 6, Kills: *longKills, Pauses: *longPauses, Victims: victims, Every: 4 * time.Second,
	}
}

// Every role but rules has its turn, and so has the bus.
func TestLongCluster(t *testing.T) {
	torment(t, shapetest.Cluster(t, shapetest.Options{}),
		long("play-1", "play-2", "play-1", "play-2", "accounts", "search", "worker-1", "worker-2", "tutor", "gateway", "nats"))
}

func TestLongAllInOne(t *testing.T) {
	torment(t, shapetest.AllInOne(t, shapetest.Options{}), long("up"))
}
