package play

import (
	"context"
	"fmt"
	"testing"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// countingStore counts how often games are read.
type countingStore struct {
	Store
	loads int
}

func (s *countingStore) Load(ctx context.Context, game string) (State, error) {
	s.loads++
	return s.Store.Load(ctx, game)
}

// The replica that changed a game last does not read it to change it again.
func TestRecentGameIsNotRead(t *testing.T) {
	store := &countingStore{Store: NewMemory()}
	w := worldOn(t, store)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	before := store.loads
	for turn := range int32(6) {
		w.moved([]string{"w", "b"}[turn%2], id, turn, fmt.Sprint("m", turn))
	}
	if store.loads != before {
		t.Errorf("the game was read %d times", store.loads-before)
	}
	// Whoever looks gets what the store has.
	w.get("w", id)
	if store.loads != before+1 {
		t.Errorf("read %d times to be shown", store.loads-before)
	}
}

// What another replica has done meanwhile counts, whatever this one remembers: for
// what is carried out, and for what is refused.
func TestRecentGameThatIsOld(t *testing.T) {
	w := newWorld(t)
	other := w.replica()
	id := w.pair(&playv1.CreateGameRequest{}).GetId() // remembered here
	elsewhere := func(player string, turn int32, text string) {
		t.Helper()
		_, err := other.Move(w.as(player), &playv1.MoveRequest{Game: id, Move: text, Turn: &turn})
		must(t, err)
	}
	elsewhere("w", 0, "m0")
	// Here it would still be white's turn.
	if got := w.moved("b", id, 1, "m1"); got.GetTurn() != 2 || got.GetPlyCount() != 2 {
		t.Errorf("black's answer made turn %d, ply %d", got.GetTurn(), got.GetPlyCount())
	}
	elsewhere("w", 2, "m2")
	_, err := w.move("w", id, 2, "m9") // as it was remembered, this would be right
	wantCode(t, err, "stale_turn")
	elsewhere("b", 3, "m3")
	_, err = other.Resign(w.as("w"), &playv1.ResignRequest{Game: id})
	must(t, err)
	_, err = w.move("w", id, 4, "m4")
	wantCode(t, err, "game_over")
	if got := w.get("w", id); got.GetPlyCount() != 4 || got.GetResult() != "0-1" {
		t.Errorf("%d plies, %s", got.GetPlyCount(), got.GetResult())
	}
}

// A take-back brings back a position that was there before, at a version that was
// not: what was remembered of it is of no use.
func TestRecentGameAfterATakeback(t *testing.T) {
	w := newWorld(t)
	other := w.replica()
	id := w.pair(&playv1.CreateGameRequest{Options: &playv1.Options{Takebacks: true}}).GetId()
	w.moved("w", id, 0, "m0")
	turn := int32(1)
	_, err := other.OfferTakeback(w.as("w"), &playv1.OfferTakebackRequest{Game: id, Turn: &turn})
	must(t, err)
	_, err = other.AnswerTakeback(w.as("b"), &playv1.AnswerTakebackRequest{Game: id, Turn: &turn, Accept: true})
	must(t, err)
	_, err = w.move("b", id, 1, "m1") // as this replica remembers it
	wantCode(t, err, "stale_turn")
	if got := w.moved("w", id, 2, "m2"); got.GetPlyCount() != 1 || got.GetTurn() != 3 {
		t.Errorf("after the take-back: ply %d, turn %d", got.GetPlyCount(), got.GetTurn())
	}
}

// A commit that failed may have happened: what was remembered is forgotten.
func TestRecentGameAfterAnUnknownCommit(t *testing.T) {
	memory := NewMemory()
	w := worldOn(t, memory)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	fault := FaultAfter
	memory.Faults = func(operation string) Fault {
		if operation != "Commit" {
			return FaultNone
		}
		now := fault
		fault = FaultNone
		return now
	}
	w.moved("w", id, 0, "m0")
	if got := w.moved("b", id, 1, "m1"); got.GetPlyCount() != 2 {
		t.Errorf("%d plies", got.GetPlyCount())
	}
}

func TestRecentIsBounded(t *testing.T) {
	one := State{ID: "00", Status: StatusRunning, Version: 3}
	r := newRecent(3 * one.bytes())
	for i := range 5 {
		s := one
		s.ID = fmt.Sprintf("%02d", i)
		r.put(s)
		r.get("00") // used again and again, so kept
	}
	var kept []string
	for e := r.order.Front(); e != nil; e = e.Next() {
		kept = append(kept, e.Value.(*remembered).state.ID)
	}
	if fmt.Sprint(kept) != "[00 04 03]" || len(r.games) != 3 || r.held != 3*one.bytes() {
		t.Errorf("kept %v, %d games, %d bytes", kept, len(r.games), r.held)
	}

	old := one
	old.ID, old.Version = "04", 2
	r.put(old) // arrives late
	if s, _ := r.get("04"); s.Version != 3 {
		t.Errorf("version %d was put over a newer one", s.Version)
	}
	over := one
	over.ID, over.Version, over.Status = "04", 4, StatusFinished
	r.put(over)
	if _, ok := r.get("04"); ok || r.held != 2*one.bytes() {
		t.Errorf("a game that is over is kept; %d bytes", r.held)
	}
	large := one
	large.ID, large.Plies = "05", make(Plies, 1000)
	r.put(large)
	if len(r.games) != 0 || r.held != 0 {
		t.Errorf("%d games, %d bytes are kept beside one that is too large", len(r.games), r.held)
	}
}
