package chesssearch

import (
	"testing"

	"tabuleiro/services/search/engine/core"
)

// TestOneLegalMoveIsSearchedWhereItsValueIsWanted: for analysis.
func TestOneLegalMoveIsSearchedWhereItsValueIsWanted(t *testing.T) {
	r := find(t, "k7/8/1R6/8/8/8/8/K6R b - - 0 1", core.Limits{Depth: 6, Whole: true}, core.Full())
	if r.Move != "a8a7" || r.Depth < 2 || !core.IsLoss(r.Score) {
		t.Errorf("%+v", r)
	}
}
