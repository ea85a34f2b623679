package torture

import (
	"flag"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

func TestMain(m *testing.M) { shapetest.Main(m) }

// seed repeats a run: -seed N. Where a test runs several times (-count), each run
// takes the next.
var (
	seed = flag.Uint64("seed", 1, "seed of the games and of the harm; 0 draws one")
	runs sync.Map // how often each test ran, by name
)

// torment runs and fails the test for every promise that was broken.
func torment(t *testing.T, s *shapetest.Shape, cfg Config) Report {
	t.Helper()
	report := tormented(t, s, cfg)
	for _, fault := range report.Faults.list() {
		t.Error(fault)
	}
	if n := report.Faults.count(); n > maxTexts {
		t.Errorf("and %d more", n-maxTexts)
	}
	return report
}

func tormented(t *testing.T, s *shapetest.Shape, cfg Config) Report {
	t.Helper()
	cfg.Seed, cfg.Folder, cfg.Log = seedOf(t), t.TempDir(), t.Logf
	t.Logf("seed %d: %+v", cfg.Seed, cfg)
	report, err := Run(t.Context(), s, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d games, %d commands (%d asked for more than once), %d events, streams came back %d times",
		report.Games, report.Commands, report.Retried, report.Events, report.Returns)
	t.Logf("events by kind: %v", report.Kinds)
	return report
}

func seedOf(t *testing.T) uint64 {
	if *seed == 0 {
		return uint64(time.Now().UnixNano())
	}
	counter, _ := runs.LoadOrStore(t.Name(), new(atomic.Uint64))
	return *seed + counter.(*atomic.Uint64).Add(1) - 1
}

// small is what every run of the tests has time for.
func small() Config {
	return Config{Games: 10, Tables: 3, Cups: 1, Kills: 3, Pauses: 1, Stops: 1, Victims: []string{"up"}, Every: 2 * time.Second}
}

// One process is killed and paused while people play; nothing that it promised
// is lost.
func TestKillsAndPauses(t *testing.T) {
	t.Parallel()
	torment(t, shapetest.AllInOne(t, shapetest.Options{}), small())
}

// processes are those of a cluster that get harmed; play, which keeps the
// promises, most often.
var processes = []string{
	"play-1", "play-2", "play-1", "play-2", "accounts", "accounts", "search", "worker-1", "tutor", "gateway", "rules", "nats",
}

// Every role has its turn, and the connections to the stores break in the middle
// of what they carry.
func TestClusterKillsAndCuts(t *testing.T) {
	t.Parallel()
	torment(t, shapetest.Cluster(t, shapetest.Options{}), Config{
		Games: 10, Tables: 3, Cups: 1, Kills: 4, Pauses: 1, Stops: 1, Cuts: 5, Victims: processes,
		Stores: []string{"postgres", "postgres", "redis"}, Every: 1500 * time.Millisecond,
	})
}
