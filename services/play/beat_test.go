package play

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// away lets time pass in which no replica can write.
func (w *world) away(d time.Duration) {
	beat := w.time.beat
	w.time.beat = nil
	w.time.pass(d)
	w.time.beat = beat
}

// TestAnOutageIsGivenBackBeforeAFlagFalls: play is away for 10 s with 4 s on the
// clock; after it the flag finds time left, and what it falls on later is exactly
// what was left.
func TestAnOutageIsGivenBackBeforeAFlagFalls(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 10_000}}).GetId()
	w.time.pass(6 * time.Second)
	w.away(10 * time.Second)
	w.restart() // whoever comes back knows only what is stored
	w.step()    // the flag is due, and does not fall
	g := w.get("w", id)
	if g.GetStatus() != StatusRunning || g.GetClock().GetRemainingMs()[0] != 4000 || g.GetVersion() != 3 {
		t.Fatalf("got %v", g)
	}
	last := w.published[len(w.published)-1].GetEvent()
	if last.GetKind() != KindTimeCredited || last.GetCreditedMs() != 10_000 || last.GetSide() != "" {
		t.Errorf("published %v", last)
	}
	w.idle()
	w.time.pass(3999 * time.Millisecond)
	w.idle()
	w.time.pass(time.Millisecond)
	w.step()
	if g := w.get("w", id); g.GetOutcome().GetReason() != "time" {
		t.Errorf("got %v", g)
	}
	w.idle()
}

// A move that comes right after an outage counts from before it, whoever looked at
// the game first, and however many replicas there are.
func TestAnOutageIsGivenBackOnce(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 60_000}}).GetId()
	w.time.pass(2 * time.Second)
	w.away(30 * time.Second)
	other := w.replica()
	for _, s := range []*Service{w.Service, other, w.replica()} {
		must(t, s.beatAndCredit(t.Context()))
		s.crediting.Wait()
	}
	g := w.get("w", id)
	if g.GetClock().GetRemainingMs()[0] != 58_000 || g.GetVersion() != 3 {
		t.Fatalf("got %v", g.GetClock())
	}
	w.time.pass(time.Second)
	if g = w.moved("w", id, 0, "m"); g.GetClock().GetRemainingMs()[0] != 57_000 || g.GetVersion() != 4 {
		t.Errorf("after the move: %v", g.GetClock())
	}
	// The second outage, noted by a move itself.
	w.away(20 * time.Second)
	if g = w.moved("b", id, 1, "m"); g.GetClock().GetRemainingMs()[1] != 60_000 || g.GetVersion() != 6 {
		t.Errorf("after the second outage: %v", g)
	}
}

// TestAShortSilenceIsNoOutage: a replica that is slow with its beats gives nobody
// time.
func TestAShortSilenceIsNoOutage(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 60_000}}).GetId()
	w.away(outageAfter)
	if g := w.moved("w", id, 0, "m"); g.GetClock().GetRemainingMs()[0] != 57_000 || g.GetVersion() != 3 {
		t.Errorf("got %v", g)
	}
}

// TestWhoHasTheDatabaseAloneCountsAllOfItsAbsence: between the last beat of one
// process and the first of the next nobody could play, however short it was.
func TestWhoHasTheDatabaseAloneCountsAllOfItsAbsence(t *testing.T) {
	w := newWorld(t)
	w.cfg.Alone = true
	w.restart()
	must(t, w.Beat(t.Context()))
	id := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 60_000}}).GetId()
	w.away(900 * time.Millisecond)
	w.restart()
	if g := w.moved("w", id, 0, "m"); g.GetClock().GetRemainingMs()[0] != 60_000 || g.GetVersion() != 4 {
		t.Errorf("got %v", g)
	}
}

// TestAStoreThatHangsEndsItsOutageWhenItAnswers: what is asked of a store that hangs
// may be answered much later, and till then nobody could play.
func TestAStoreThatHangsEndsItsOutageWhenItAnswers(t *testing.T) {
	store := NewMemory()
	w := worldOn(t, store)
	must(t, w.Beat(t.Context()))
	id := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 60_000}}).GetId()
	w.away(10 * time.Second)
	hangs := true
	store.Faults = func(operation string) Fault {
		if hangs && operation == "Overdue" {
			hangs = false
			w.time.pass(900 * time.Millisecond)
		}
		return FaultNone
	}
	must(t, w.beatAndCredit(t.Context()))
	w.crediting.Wait()
	if hangs {
		t.Fatal("the store was not asked")
	}
	if g := w.moved("w", id, 0, "m"); g.GetClock().GetRemainingMs()[0] != 60_000 {
		t.Errorf("got %v", g.GetClock())
	}
}

// TestABeatAskedOfAStoreThatHangsDoesNotShortenItsOutage: it is carried out when the
// store is back, and an outage must not begin with it.
func TestABeatAskedOfAStoreThatHangsDoesNotShortenItsOutage(t *testing.T) {
	store := NewMemory()
	w := worldOn(t, store)
	must(t, w.Beat(t.Context()))
	id := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 60_000}}).GetId()
	w.away(900 * time.Millisecond) // the store hangs from here on, the last beat still counts
	hangs := true
	store.Faults = func(string) Fault {
		if hangs {
			hangs = false
			w.away(10 * time.Second)
		}
		return FaultNone
	}
	must(t, w.beatAndCredit(t.Context()))
	w.crediting.Wait()
	w.away(500 * time.Millisecond)
	if g := w.moved("w", id, 0, "m"); g.GetClock().GetRemainingMs()[0] != 59_500 {
		t.Errorf("got %v", g.GetClock())
	}
}

// TestNoClockIsJudgedWhileOutagesAreUnknown: where the beats cannot be read no flag
// falls and no move on a clock counts; games without a clock go on.
func TestNoClockIsJudgedWhileOutagesAreUnknown(t *testing.T) {
	store := NewMemory()
	w := worldOn(t, store)
	must(t, w.Beat(t.Context()))
	id := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 10_000}}).GetId()
	plain := w.pair(&playv1.CreateGameRequest{}).GetId()
	w.away(30 * time.Second)
	store.Faults = func(operation string) Fault {
		if operation == "Beat" {
			return FaultBefore
		}
		return FaultNone
	}
	_, err := w.move("w", id, 0, "m")
	wantCode(t, err, "unavailable")
	if acted, err := w.DueStep(t.Context()); !acted || !errors.Is(err, ErrUnavailable) {
		t.Errorf("the flag: %t, %v", acted, err)
	}
	w.moved("w", plain, 0, "m")
	store.Faults = nil
	if g := w.moved("w", id, 0, "m"); g.GetClock().GetRemainingMs()[0] != 10_000 {
		t.Errorf("got %v", g)
	}
}

// TestRunBeats: a service that runs notes that it is up, shows every clock its time
// after an outage, and beats once more when it ends.
func TestRunBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := NewMemory()
		w := worldOn(t, store)
		w.time.beat = nil
		w.time2 = bubbleTime{}
		w.restart()
		ids := []string{}
		for range 3 {
			ids = append(ids, w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 60_000}}).GetId())
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- w.Run(ctx) }()
		time.Sleep(10*time.Second + 500*time.Millisecond)
		stop()
		must(t, <-done)
		stopped := time.Now().UnixMilli()
		time.Sleep(20 * time.Second)
		w.restart()
		ctx, stop = context.WithCancel(t.Context())
		go func() { done <- w.Run(ctx) }()
		time.Sleep(time.Second)
		for _, id := range ids {
			g := w.get("w", id)
			if left := g.GetClock().GetRemainingMs()[0]; g.GetVersion() != 3 || left != 49_500 {
				t.Errorf("version %d, %d ms left", g.GetVersion(), left)
			}
		}
		stop()
		must(t, <-done)
		outages, err := store.Beat(t.Context(), time.Now().UnixMilli(), 1<<40)
		must(t, err)
		if len(outages) != 1 || outages[0] != (Outage{stopped, stopped + 20_000}) {
			t.Errorf("outages %v, want one from %d", outages, stopped)
		}
	})
}

// TestAnOutageIsGivenBackBeforeADeletionEndsAGame: who waits for a player that is
// deleted does not lose by the time in which we were away.
func TestAnOutageIsGivenBackBeforeADeletionEndsAGame(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 10_000}}).GetId()
	w.moved("w", id, 0, "m")
	w.moved("b", id, 1, "m")
	w.away(30 * time.Second)
	must(t, w.forgetIn(t.Context(), id, "b"))
	if g := w.get("w", id); g.GetOutcome().GetReason() != "resignation" || g.GetOutcome().GetWinner() != g.GetYourSide() {
		t.Errorf("got %v", g.GetOutcome())
	}
	w.idle()
}
