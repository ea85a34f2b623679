package farm

import (
	"slices"
	"testing"
	"time"

	"tabuleiro/games"
)

// firstMove is a book that knows one move of every position and says whose seed it
// was asked for.
type firstMove struct{ seeds []int32 }

func (f *firstMove) Pick(_ games.Position, legal []string, seed int32) (string, bool) {
	f.seeds = append(f.seeds, seed)
	return legal[0], true
}

// TestBookIsForTheFullLevelAlone: a classic level and a repeatable search think.
func TestBookIsForTheFullLevelAlone(t *testing.T) {
	book := &firstMove{}
	c := NewCoordinator(CoordinatorConfig{TableBytes: 1 << 20}, Deps{Book: book, Log: quiet})
	defer c.Close()
	a := ask(t, c, Request{Position: start, Level: full, Limit: time.Second, Seed: 7})
	if a.Depth != 0 || !slices.Equal(a.Line, []string{a.Move}) || !slices.Equal(book.seeds, []int32{7}) {
		t.Errorf("%+v, asked for %v", a, book.seeds)
	}
	for _, req := range []Request{
		{Position: start, Level: "plies-2", Limit: time.Second},
		{Position: start, Level: full, Limit: time.Second, Nodes: 1000},
	} {
		if a := ask(t, c, req); a.Depth == 0 || len(book.seeds) != 1 {
			t.Errorf("%+v: %+v, asked for %v", req, a, book.seeds)
		}
	}
}
