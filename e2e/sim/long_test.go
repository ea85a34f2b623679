//go:build long

package sim

import "testing"

func TestSimulationLong(t *testing.T) { playGames(t, 10_000) }
