//go:build seededbugs

package torture

import (
	"strings"
	"testing"

	"tabuleiro/e2e/shapetest"
)

func with(bug string) shapetest.Options {
	return shapetest.Options{Env: []string{"TABULEIRO_SEEDED_BUG=" + bug}}
}

// A run finds the bugs that are sown, by the promise that each breaks.
func TestSeededBugsAreFound(t *testing.T) {
	for bug, kinds := range map[string][]string{
		"ack_before_commit": {faultLost},
		"key_ignored":       {faultTwice},

		"takeback_keeps_turn":  {faultGap},
		"result_counted_twice": {faultCup},
	} {
		t.Run(bug, func(t *testing.T) {
			t.Parallel()
			report := tormented(t, shapetest.AllInOne(t, with(bug)), small())
			t.Logf("found:\n%s", strings.Join(report.Faults.list(), "\n"))
			if report.Faults.count(kinds...) == 0 {
				t.Errorf("no fault of %v was found", kinds)
			}
		})
	}
}

func TestSeededRatedTwiceIsFound(t *testing.T) {
	t.Parallel()
	faults := crashBetween(t, shapetest.AllInOne(t, with("rated_twice")), 5)
	t.Logf("found:\n%s", strings.Join(faults, "\n"))
	if len(faults) == 0 {
		t.Error("the bug was not found")
	}
}

// Without a bug the same build breaks no promise.
func TestSeededBuildWithoutBugs(t *testing.T) {
	t.Parallel()
	torment(t, shapetest.AllInOne(t, shapetest.Options{}), small())
}
