package sim

import (
	"flag"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

var (
	seedFlag  = flag.Uint64("sim.seed", 1, "seed of the first history")
	gamesFlag = flag.Int("sim.games", 0, "games to play at least; 0 for the test's own number")
	traceFlag = flag.Int("sim.trace", 60, "lines of the trace to print of a history that fails; -1 for all")
)

// perHistory is how many games one history has.
const perHistory = 8

// playGames plays histories until there were so many games, several at once, and
// reports one that breaks a promise.
func playGames(t *testing.T, games int) {
	t.Helper()
	if *gamesFlag > 0 {
		games = *gamesFlag
	}
	var all struct {
		sync.Mutex
		seed          uint64
		played, steps int
		failed        bool
		tally         map[string]int
	}
	all.seed, all.tally = *seedFlag, map[string]int{}
	next := func() (seed uint64, more bool) {
		all.Lock()
		defer all.Unlock()
		all.seed++
		return all.seed - 1, all.played < games && !all.failed
	}
	lives := func(t *testing.T) {
		for seed, more := next(); more; seed, more = next() {
			r := live(t, seed, perHistory)
			all.Lock()
			all.played += max(1, r.games)
			all.steps += len(r.lines)
			for what, n := range r.tally {
				all.tally[what] += n
			}
			if len(r.violations) > 0 {
				all.failed = true
				report(t, r)
			}
			all.Unlock()
		}
	}
	t.Run("histories", func(t *testing.T) {
		for range min(runtime.GOMAXPROCS(0), 1+games/perHistory) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				lives(t)
			})
		}
	})
	t.Logf("%d games in %d steps, seeds from %d to %d", all.played, all.steps, *seedFlag, all.seed-1)
	for _, what := range slices.Sorted(maps.Keys(all.tally)) {
		t.Logf("%6d %s", all.tally[what], what)
	}
}

// report prints what one needs to find the cause.
func report(t *testing.T, r result) {
	t.Helper()
	lines := r.lines
	if *traceFlag >= 0 {
		lines = lines[max(0, len(lines)-*traceFlag):]
	}
	t.Errorf("seed %d breaks promises; again with: go test ./e2e/sim -run TestSimulation -sim.seed %d -sim.games 1 -sim.trace -1\ntrace's tail:\n%s",
		r.seed, r.seed, strings.Join(lines, "\n"))
	for _, v := range r.violations[:min(10, len(r.violations))] {
		t.Errorf("%s: %s", v.kind, v.text)
	}
}

func TestSimulation(t *testing.T) { playGames(t, 250) }

func TestSameSeedSameTrace(t *testing.T) {
	for seed := range uint64(6) {
		a, b := live(t, seed, perHistory), live(t, seed, perHistory)
		if slices.Equal(a.lines, b.lines) {
			continue
		}
		for i := range min(len(a.lines), len(b.lines)) {
			if a.lines[i] != b.lines[i] {
				from := max(0, i-8)
				t.Fatalf("seed %d differs at line %d:\n%s\n\nand:\n%s", seed, i,
					strings.Join(a.lines[from:min(i+8, len(a.lines))], "\n"), strings.Join(b.lines[from:min(i+8, len(b.lines))], "\n"))
			}
		}
		t.Fatalf("seed %d: %d and %d lines", seed, len(a.lines), len(b.lines))
	}
}
