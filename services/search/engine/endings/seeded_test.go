//go:build seededbugs

package endings

import (
	"math/rand/v2"
	"testing"

	"tabuleiro/games/draughts"
)

// Each bug must show in a sample of positions.
func TestSeededBugsAreFound(t *testing.T) {
	for _, bug := range []seed{
		"", captureOptional, shortestCapture, crownedTheirs, crownedLate, kingsJump, menBackwards, lossesShort,
	} {
		alive = bug
		var tables Tables
		for n := MinPieces; n <= 4; n++ {
			data := make([]byte, Size(n))
			if err := tables.Build(n, data, nil); err != nil {
				t.Fatal(err)
			}
			if err := tables.Add(n, data); err != nil {
				t.Fatal(err)
			}
		}
		// The check counts by the same rules and shares one of the bugs.
		alive = ""
		random := rand.New(rand.NewPCG(7, 7))
		var moves draughts.MoveList
		faults := 0
		for range 100_000 {
			p := Sample(4, random)
			if Check(&tables, &p, &moves) != nil {
				faults++
			}
		}
		t.Logf("%q: %d faults", bug, faults)
		if (faults > 0) != (bug != "") {
			t.Errorf("%q: %d faults", bug, faults)
		}
	}
}
