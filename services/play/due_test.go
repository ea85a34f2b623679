package play

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
)

func TestTheEngineMovesFirstWhereItPlaysFirst(t *testing.T) {
	w := newWorld(t)
	g := w.create("guest:1", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Side: "second", Level: "plies-2", Seed: 9})
	var asked *searchv1.BestMoveRequest
	w.search.while = func(in *searchv1.BestMoveRequest) { asked = in }
	w.step()
	if g = w.get("guest:1", g.GetId()); g.GetTurn() != 1 || g.GetSide() != "o" {
		t.Errorf("got %v", g)
	}
	if asked.GetLevel() != "plies-2" || asked.GetSeed() != 9 || asked.GetTimeMs() < 400 || asked.GetTimeMs() > 600 || asked.GetPosition().GetHistory() != "." {
		t.Errorf("asked %v", asked)
	}
	w.idle()
}

// TestKilledBetweenCommitAndAct: what a dead replica has claimed is taken by
// the sweep of any other when its claim ends.
func TestKilledBetweenCommitAndAct(t *testing.T) {
	w := newWorld(t)
	toe := w.againstEngine("guest:1", nil).GetId()
	w.moved("guest:1", toe, 0, "m")
	chess := w.pair(&playv1.CreateGameRequest{Rated: true}).GetId()
	_, err := w.Resign(w.as("b"), &playv1.ResignRequest{Game: chess})
	must(t, err)
	w.restart()
	w.idle()
	w.time.pass(w.lease(DueRate))
	w.step()
	w.step()
	w.idle()
	if g := w.get("guest:1", toe); g.GetTurn() != 2 {
		t.Errorf("the engine has not moved: %v", g)
	}
	if g := w.get("w", chess); g.GetSeats()[0].GetRatingAfter() != 1550 || g.GetSeats()[1].GetRatingAfter() != 1450 {
		t.Errorf("not rated: %v", g.GetSeats())
	}
}

func TestALateEngineIsForgotten(t *testing.T) {
	w := newWorld(t)
	id := w.againstEngine("guest:1", nil).GetId()
	w.moved("guest:1", id, 0, "m")
	w.search.while = func(*searchv1.BestMoveRequest) {
		if _, err := w.Resign(w.as("guest:1"), &playv1.ResignRequest{Game: id}); err != nil {
			t.Error(err)
		}
	}
	w.step()
	w.idle()
	if g := w.get("guest:1", id); g.GetTurn() != 1 || g.GetOutcome().GetReason() != "resignation" || g.GetVersion() != 3 {
		t.Errorf("got %v", g)
	}
}

func TestAnOfferDoesNotDisturbTheEngine(t *testing.T) {
	w := newWorld(t)
	id := w.againstEngine("guest:1", nil).GetId()
	w.moved("guest:1", id, 0, "m")
	w.search.while = func(*searchv1.BestMoveRequest) {
		if _, err := w.OfferDraw(w.as("guest:1"), &playv1.OfferDrawRequest{Game: id, Turn: turn(1)}); err != nil {
			t.Error(err)
		}
	}
	w.step()
	if w.idle(); w.search.calls != 1 {
		t.Errorf("%d searches for one move", w.search.calls)
	}
	if g := w.get("guest:1", id); g.GetTurn() != 2 || g.GetDrawOffer() != "" || g.GetVersion() != 4 {
		t.Errorf("got %v", g)
	}
}

// TestTwoReplicasAnswerOnce: both think about the same move; one counts.
func TestTwoReplicasAnswerOnce(t *testing.T) {
	w := newWorld(t)
	id := w.againstEngine("guest:1", nil).GetId()
	w.moved("guest:1", id, 0, "m")
	other := w.replica()
	w.search.while = func(*searchv1.BestMoveRequest) {
		w.search.while = nil
		w.time.pass(w.lease(DueEngine)) // the claim ends while its owner still thinks
		if acted, err := other.DueStep(t.Context()); err != nil || !acted {
			t.Errorf("the other replica: %t, %v", acted, err)
		}
	}
	w.step()
	w.idle()
	if g := w.get("guest:1", id); g.GetTurn() != 2 || g.GetVersion() != 3 {
		t.Errorf("got %v", g)
	}
}

func TestObligationsAreTriedAgain(t *testing.T) {
	w := newWorld(t)
	id := w.againstEngine("guest:1", nil).GetId()
	w.moved("guest:1", id, 0, "m")
	w.search.err = errAway
	w.time.pass(longPause)
	fails := func() {
		t.Helper()
		if acted, err := w.DueStep(t.Context()); !acted || err == nil {
			t.Fatalf("acted %t, %v", acted, err)
		}
	}
	fails()
	w.idle()
	for _, wait := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second} {
		w.time.pass(wait - time.Millisecond)
		w.idle()
		w.time.pass(time.Millisecond)
		fails()
	}
	w.search.err, w.search.move = nil, "bad" // an engine that breaks the rules is not believed
	w.time.pass(lastRetry)
	fails()
	w.search.move = "m"
	w.time.pass(lastRetry)
	w.step()
	w.idle()
	if g := w.get("guest:1", id); g.GetTurn() != 2 {
		t.Errorf("got %v", g)
	}
}

// TestAFlagFallsSoonAfterTheTimeIsKnownAgain: nobody waits long for a clock.
func TestAFlagFallsSoonAfterTheTimeIsKnownAgain(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 1000}}).GetId()
	w.time.pass(time.Second)
	w.time.uncertainty = time.Second
	for range 12 {
		if acted, err := w.DueStep(t.Context()); !acted || err == nil {
			t.Fatalf("acted %t, %v", acted, err)
		}
		w.time.pass(firstRetry)
	}
	w.time.uncertainty = 0
	w.step()
	if g := w.get("w", id); g.GetOutcome().GetReason() != "time" {
		t.Errorf("got %v", g)
	}
}

func TestTheEngineHurriesWhenItsClockIsShort(t *testing.T) {
	w := newWorld(t)
	var asked int32
	w.search.while = func(in *searchv1.BestMoveRequest) { asked = in.GetTimeMs() }
	for _, test := range []struct {
		clock     *playv1.ClockSettings
		low, high int32
	}{
		{nil, 400, 600},
		{&playv1.ClockSettings{InitialMs: 600_000}, 1000, 1000},
		{&playv1.ClockSettings{InitialMs: 15_000}, 250, 330},
		{&playv1.ClockSettings{InitialMs: 3000, IncrementMs: 600}, 200, 270},
	} {
		id := w.againstEngine("guest:1", test.clock).GetId()
		w.moved("guest:1", id, 0, "m")
		w.step()
		if asked < test.low || asked > test.high {
			t.Errorf("with %v: asked for %d ms, want %d to %d", test.clock, asked, test.low, test.high)
		}
	}
}

func TestTheEnginesFlagFalls(t *testing.T) {
	w := newWorld(t)
	id := w.againstEngine("guest:1", &playv1.ClockSettings{InitialMs: 5000}).GetId()
	w.moved("guest:1", id, 0, "m")
	w.search.while = func(*searchv1.BestMoveRequest) { w.time.pass(6 * time.Second) }
	w.step()
	w.idle()
	if g := w.get("guest:1", id); g.GetResult() != "1-0" || g.GetOutcome().GetReason() != "time" || g.GetTurn() != 1 {
		t.Errorf("got %v", g)
	}
}

func TestFlagsFall(t *testing.T) {
	w := newWorld(t)
	clock := &playv1.ClockSettings{InitialMs: 60_000, IncrementMs: 1000}
	id := w.pair(&playv1.CreateGameRequest{Clock: clock}).GetId()
	weak := w.pair(&playv1.CreateGameRequest{Clock: clock}).GetId()
	w.time.pass(10 * time.Second)
	w.moved("w", weak, 0, "weak") // black could not win any more
	w.moved("b", weak, 1, "weak")
	w.time.pass(50*time.Second - time.Millisecond)
	w.idle()
	w.time.pass(time.Millisecond)
	w.step()
	w.idle()
	w.time.pass(time.Second)
	w.step()
	w.idle()
	for id, want := range map[string][2]string{id: {"0-1", "time"}, weak: {"1/2-1/2", "time_insufficient"}} {
		if g := w.get("w", id); g.GetResult() != want[0] || g.GetOutcome().GetReason() != want[1] || g.GetClock().GetRemainingMs()[0] != 0 {
			t.Errorf("got %v, want %v", g, want)
		}
	}
}

func TestAGameIsRatedWhenAccountsAreBack(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Rated: true, Clock: &playv1.ClockSettings{InitialMs: 60_000}}).GetId()
	w.accounts.err = errAway
	_, err := w.Resign(w.as("b"), &playv1.ResignRequest{Game: id})
	must(t, err)
	if _, err := w.DueStep(t.Context()); err == nil {
		t.Fatal("rated without accounts")
	}
	w.accounts.err = nil
	w.time.pass(lastRetry)
	w.step()
	w.idle()
	if got := w.accounts.rated[id]; got != 1 {
		t.Errorf("rated %d times", got)
	}
	if in := w.accounts.last; in.GetSpeed() != "bullet" || in.GetFirstHalfPoints() != 2 || in.GetSeats()[0].GetAccount() != "w" || in.GetSeats()[1].GetAccount() != "b" {
		t.Errorf("asked %v", in)
	}
	last := w.published[len(w.published)-1].GetEvent()
	if last.GetKind() != KindRated || last.GetGame().GetSeats()[0].GetRatingAfter() != 1550 {
		t.Errorf("published %v", last)
	}
}

func TestWhatCannotBeRatedIsGivenUp(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Rated: true}).GetId()
	_, err := w.Resign(w.as("b"), &playv1.ResignRequest{Game: id})
	must(t, err)
	w.accounts.err = rpc.Fail("rating_conflict", "").GRPCStatus().Err()
	w.step()
	w.time.pass(time.Hour)
	w.idle()
}

func TestALevelsRatingDoesNotMove(t *testing.T) {
	w := newWorld(t)
	g := w.create("w", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Side: "first", Rated: true})
	w.moved("w", g.GetId(), 0, "win")
	w.step()
	g = w.get("w", g.GetId())
	if g.GetSeats()[0].GetRatingAfter() != 1550 || g.GetSeats()[1].RatingAfter != nil || w.accounts.last.GetSeats()[1].GetLevel() != "plies-4" {
		t.Errorf("got %v by %v", g.GetSeats(), w.accounts.last)
	}
}

// bubbleTime is the time of a synctest bubble.
type bubbleTime struct{}

func (bubbleTime) Now() time.Time             { return time.Now() }
func (bubbleTime) Uncertainty() time.Duration { return 0 }

// TestRun lets the workers and the sweep run in a bubble's time.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.time2 = bubbleTime{}
		w.restart()
		w.search.while = func(in *searchv1.BestMoveRequest) { time.Sleep(time.Duration(in.GetTimeMs()) * time.Millisecond) }
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- w.Run(ctx) }()

		// The engine answers after its pause and its second.
		toe := w.againstEngine("guest:1", nil).GetId()
		w.moved("guest:1", toe, 0, "m")
		time.Sleep(longPause + 200*time.Millisecond + time.Second)
		synctest.Wait()
		if g := w.get("guest:1", toe); g.GetTurn() != 2 {
			t.Errorf("after its time: %v", g)
		}

		// Engines that think keep no flag up, and a flag falls in time.
		w.search.while = func(*searchv1.BestMoveRequest) { <-ctx.Done() }
		w.search.err = errors.New("stopped")
		for range w.Service.cfg.Workers + 1 {
			w.create("w", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Side: "second"})
		}
		chess := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 3000}}).GetId()
		time.Sleep(3250 * time.Millisecond)
		synctest.Wait()
		if g := w.get("w", chess); g.GetOutcome().GetReason() != "time" {
			t.Errorf("a quarter of a second after the flag: %v", g)
		}

		// What is not done when all stops may be done by another at once.
		stop()
		must(t, <-done)
		due, err := w.store.Overdue(t.Context(), w.now(), 100)
		must(t, err)
		if len(due) != w.Service.cfg.Workers+1 || slices.ContainsFunc(due, func(d Due) bool { return d.Kind != DueEngine }) {
			t.Errorf("given back: %v", due)
		}
	})
}
