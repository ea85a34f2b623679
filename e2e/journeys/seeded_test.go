//go:build seededbugs

package journeys

import (
	"context"
	"testing"
	"time"

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
		// What is skipped last is never missed by the gateway itself.
		"version_skipped": func(t *testing.T, s *shapetest.Shape) string {
			ana, rui, game := pair(t, s, "chess", nil)
			watch := ana.Stream([]string{"game:" + game}, "", "")
			defer watch.Close()
			if err := watch.AwaitVersion(t.Context(), 2); err != nil {
				return err.Error()
			}
			play(ana, rui, game, "e4", "e5")
			ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
			defer cancel()
			if err := watch.AwaitVersion(ctx, 4); err != nil {
				return err.Error()
			}
			return ""
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
