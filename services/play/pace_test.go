package play

import (
	"testing"
	"time"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
)

// onTurn is a game in which the engine of a level is to move, after some plies and
// with so many moves to choose from.
func onTurn(level string, opponent Seat, clock *Settings, rated bool, plies, moves int) State {
	engine := engineSeat("white")
	engine.Level = level
	s := made(engine, opponent, clock, rated)
	s.Plies = make([]Ply, plies)
	s.Turn = int32(plies)
	s.Ruling.Moves = make([]Move, moves)
	return s
}

func TestTheEnginesPause(t *testing.T) {
	human, minute := person("black"), &Settings{InitialMS: 60_000}
	for _, test := range []struct {
		name      string
		state     State
		low, high time.Duration
	}{
		{"an answer that is found at once", onTurn("plies-2", human, nil, false, 10, 20), shortPause, longPause},
		{"in a rated game", onTurn("plies-2", human, nil, true, 10, 20), 0, 0},
		{"a level that thinks", onTurn("full", human, nil, false, 10, 20), 0, 0},
		{"a level that thinks, of one move", onTurn("full", human, nil, false, 10, 1), shortPause, shortPause},
		{"one move", onTurn("plies-4", human, nil, false, 10, 1), shortPause, shortPause},
		{"against an engine", onTurn("plies-2", engineSeat("black"), nil, false, 10, 20), watchable, watchable},
		{"with a minute", onTurn("plies-2", human, minute, false, 10, 20), shortPause, longPause},
		{"with two seconds", onTurn("plies-2", human, &Settings{InitialMS: 2000}, false, 10, 20), 40 * time.Millisecond, 40 * time.Millisecond},
		{"against an engine with a second", onTurn("plies-2", engineSeat("black"), &Settings{InitialMS: 1000}, false, 10, 20), 20 * time.Millisecond, 20 * time.Millisecond},
		{"a person's turn", made(person("white"), engineSeat("black"), nil, false), 0, 0},
	} {
		if got := test.state.pause(); got < test.low || got > test.high {
			t.Errorf("%s: %v, want %v to %v", test.name, got, test.low, test.high)
		}
	}
}

// The pause follows from the seed and the ply alone, and differs between them.
func TestTheEnginesPauseIsDrawn(t *testing.T) {
	seen := map[time.Duration]bool{}
	for ply := range 50 {
		s := onTurn("plies-2", person("black"), nil, false, ply, 20)
		first := s.pause()
		if again := s.pause(); again != first {
			t.Fatalf("the same state, %v and %v", first, again)
		}
		seen[first] = true
		s.Seats[0].Seed++
		seen[s.pause()] = true
	}
	if len(seen) < 80 {
		t.Errorf("only %d different pauses in 100", len(seen))
	}
}

func TestTheEnginesThinking(t *testing.T) {
	human := person("black")
	plain := onTurn("full", human, nil, false, 30, 20)
	taking := onTurn("full", human, nil, false, 30, 20)
	taking.Ruling.Moves[3].Captures = []string{"d5"}
	checked := onTurn("full", human, nil, false, 30, 20)
	checked.Ruling.Check = []string{"e1"}
	ending := onTurn("full", human, nil, false, 80, 20)
	ending.Ruling.Pieces = make([]Piece, 5)
	slow := onTurn("full", human, nil, false, 30, 20)
	slow.MoveSeconds = 60
	quick := onTurn("full", human, nil, false, 30, 20)
	quick.MoveSeconds = 1
	clocked := onTurn("full", human, &Settings{InitialMS: 60_000}, false, 30, 20)
	for _, test := range []struct {
		name      string
		state     State
		left      int32
		low, high time.Duration
	}{
		{"in the middle", plain, 0, 720 * time.Millisecond, 840 * time.Millisecond},
		{"at the start", onTurn("full", human, nil, false, 2, 20), 0, 450 * time.Millisecond, 525 * time.Millisecond},
		{"of one move", onTurn("full", human, nil, false, 30, 1), 0, 100 * time.Millisecond, 100 * time.Millisecond},
		{"where something hangs", taking, 0, 855 * time.Millisecond, time.Second},
		{"in check", checked, 0, 855 * time.Millisecond, time.Second},
		{"near the end", ending, 0, 630 * time.Millisecond, 735 * time.Millisecond},
		{"with a minute a move", slow, 0, 43 * time.Second, 51 * time.Second},
		{"with a second a move", quick, 0, 720 * time.Millisecond, 840 * time.Millisecond},
		{"with much on the clock", clocked, 60_000, time.Second, time.Second},
		{"with little", clocked, 3000, 90 * time.Millisecond, 105 * time.Millisecond},
		{"with nothing", clocked, 30, 10 * time.Millisecond, 10 * time.Millisecond},
	} {
		if got := test.state.think(time.Second, test.left); got < test.low || got > test.high {
			t.Errorf("%s: %v, want %v to %v", test.name, got, test.low, test.high)
		}
	}
	for left := int32(100); left < 100_000; left += 777 {
		if got := clocked.think(time.Minute, left); got.Milliseconds() > int64(left/4) && got > 10*time.Millisecond {
			t.Errorf("%v of %d ms", got, left)
		}
	}
}

// TestALongThoughtKeepsItsClaim: with a minute a move nobody else takes the engine's
// obligation while it thinks, and a crash in the middle is made up for.
func TestALongThoughtKeepsItsClaim(t *testing.T) {
	w := newWorld(t)
	id := w.create("w", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Side: "first", MoveSeconds: 60}).GetId()
	w.moved("w", id, 0, "m")
	other := w.replica()
	w.search.while = func(in *searchv1.BestMoveRequest) {
		if in.GetTimeMs() < 25_000 || in.GetTimeMs() > 60_000 {
			t.Errorf("asked for %d ms", in.GetTimeMs())
		}
		w.time.pass(time.Duration(in.GetTimeMs()) * time.Millisecond)
		if acted, err := other.DueStep(t.Context()); err != nil || acted {
			t.Errorf("another replica thinks too: %t, %v", acted, err)
		}
	}
	w.step()
	if g := w.get("w", id); g.GetTurn() != 2 || g.GetMoveSeconds() != 60 {
		t.Errorf("got %v", g)
	}
	// The next time its search fails: it is tried again soon, not a minute later.
	w.search.while, w.search.err = nil, errAway
	w.moved("w", id, 2, "m")
	w.time.pass(longPause)
	if acted, err := w.DueStep(t.Context()); !acted || err == nil {
		t.Fatalf("acted %t, %v", acted, err)
	}
	w.search.err = nil
	w.time.pass(500 * time.Millisecond)
	w.step()
	if g := w.get("w", id); g.GetTurn() != 4 {
		t.Errorf("got %v", g)
	}
}

func TestMoveSecondsAreForTheEngineWithoutAClock(t *testing.T) {
	w := newWorld(t)
	for _, in := range []*playv1.CreateGameRequest{
		{Rules: "chess", Opponent: "person", MoveSeconds: 5},
		{Rules: "tictactoe", Opponent: "engine", MoveSeconds: 5, Clock: &playv1.ClockSettings{InitialMs: 60_000}},
	} {
		_, err := w.CreateGame(w.as("w"), in)
		wantCode(t, err, "bad_field")
	}
}
