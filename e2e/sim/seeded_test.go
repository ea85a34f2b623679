//go:build seededbugs

package sim

import (
	"slices"
	"testing"
)

// within is in how many games a sown bug must show itself, a fraction of what the
// long run plays; most do in the first hundred, and what needs a rare meeting of
// two requests or a long absence in some hundred or thousand.
const within = 5000

// TestSeededBugsAreFound proves that the checker sees what it is there for.
func TestSeededBugsAreFound(t *testing.T) {
	for bug, kinds := range map[string][]string{
		"ack_before_commit": {"lost", "key", "unsettled"},
		"key_ignored":       {"key", "twice"},
		"rated_twice":       {"rating"},
		"version_skipped":   {"stream"},
		"gate_not_asked":    {"gate"},
		"foreign_readable":  {"foreign"},
		"recent_believed":   {"lost", "key", "unsettled", "stream"},

		"takeback_keeps_turn": {"record", "lost", "key"},
		"rematched_twice":     {"rematch", "lost", "stream"},
		"match_score_kept":    {"rematch"},
		"outage_not_credited": {"outage"},
		"due_lost":            {"rating"},
		"gone_too_early":      {"gone"},
		"stale_answer":        {"key"},

		"result_counted_twice": {"table"},
		"correction_on_top":    {"old"},
		"deletion_annuls":      {"decided"},
	} {
		t.Run(bug, func(t *testing.T) {
			t.Setenv("TABULEIRO_SEEDED_BUG", bug)
			games := 0
			for seed := *seedFlag; games < within; seed++ {
				r := live(t, seed, perHistory)
				games += max(1, r.games)
				if len(r.violations) == 0 {
					continue
				}
				first := r.violations[0]
				if !slices.Contains(kinds, first.kind) {
					t.Errorf("seed %d: got %s: %s; want one of %v", seed, first.kind, first.text, kinds)
				}
				t.Logf("found after %d games: %s: %s", games, first.kind, first.text)
				return
			}
			t.Errorf("not found in %d games", games)
		})
	}
}

func TestSeededWithoutABugNothingIsFound(t *testing.T) { playGames(t, 400) }
