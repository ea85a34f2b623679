//go:build seededbugs

package journeys

import (
	"testing"

	"tabuleiro/e2e/shapetest"
)

// The journeys find the bugs that are sown where they look.
func TestSeededBugsAreFound(t *testing.T) {
	for bug, finds := range map[string]func(*testing.T, *shapetest.Shape) string{
		"gate_not_asked": func(t *testing.T, s *shapetest.Shape) string { return gateHolds(s.Register(t, shapetest.Pupil())) },
		"foreign_readable": func(t *testing.T, s *shapetest.Shape) string {
			ana, _, game := pair(t, s, "chess", nil)
			return privateHolds(s, ana, game)
		},
	} {
		t.Run(bug, func(t *testing.T) {
			t.Parallel()
			s := shapetest.AllInOne(t, shapetest.Options{Env: []string{"TABULEIRO_SEEDED_BUG=" + bug}})
			fault := finds(t, s)
			if fault == "" {
				t.Fatal("the bug was not found")
			}
			t.Log(fault)
		})
		t.Run("without "+bug, func(t *testing.T) {
			t.Parallel()
			if fault := finds(t, shapetest.AllInOne(t, shapetest.Options{})); fault != "" {
				t.Errorf("found without the bug: %s", fault)
			}
		})
	}
}
