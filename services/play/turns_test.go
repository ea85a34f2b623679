package play

import (
	"fmt"
	"testing"
)

// TestAPlayerWithManyGamesTakesFewTurns: what is over the bound waits, in order;
// a claim that has ended meanwhile is left to the sweep.
func TestAPlayerWithManyGamesTakesFewTurns(t *testing.T) {
	turns := newTurns(2)
	due := func(n int, until int64) Due { return Due{Game: fmt.Sprint("g", n), Kind: DueEngine, At: until} }
	for n := range 6 {
		if got := turns.begin("w", due(n, 100)); got != (n < 2) {
			t.Errorf("game %d begins: %t", n, got)
		}
	}
	if !turns.begin("b", due(9, 100)) {
		t.Error("somebody else waits")
	}
	// Claimed anew while it waits: the new claim counts, and the place stays.
	if turns.begin("w", due(2, 300)) {
		t.Error("a third begins")
	}
	if next, ok := turns.end("w", 50); !ok || next != due(2, 300) {
		t.Errorf("next is %+v, %t", next, ok)
	}
	if next, ok := turns.end("w", 200); ok {
		t.Errorf("next is %+v, whose claim has ended", next)
	}
	if !turns.begin("w", due(7, 300)) || turns.begin("w", due(8, 300)) {
		t.Error("the turn that ended is not free")
	}
	if left := turns.drain(); len(left) != 1 || left[0] != due(8, 300) {
		t.Errorf("left %v", left)
	}
	turns.end("w", 0)
	turns.end("w", 0)
	turns.end("b", 0)
	if len(turns.running)+len(turns.waiting) != 0 {
		t.Errorf("kept %v, %v", turns.running, turns.waiting)
	}
}
