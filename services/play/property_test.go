package play

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestAnyGameReplays plays random commands at random times and checks what must
// hold of every game.
func TestAnyGameReplays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := at(0)
		var log []Event
		s := State{}
		take := func(c Command, r *Ruling) {
			before := s
			frozen, err := encodeState(before)
			if err != nil {
				t.Fatal(err)
			}
			events, refused := Decide(s, c, r, now)
			again, refusedAgain := Decide(s, c, r, now)
			if !reflect.DeepEqual(events, again) || (refused == nil) != (refusedAgain == nil) {
				t.Fatalf("%T decided twice: %v and %v", c, events, again)
			}
			s = Fold(s, events)
			if after, _ := encodeState(before); after != frozen {
				t.Fatalf("%T changed the state that it was decided on", c)
			}
			log = append(log, events...)
			check(t, before, s, log)
		}

		take(drawnCreate(t), plainRuling(0))
		for range rapid.IntRange(0, 60).Draw(t, "commands") {
			now = now.Add(time.Duration(rapid.IntRange(-500, 20_000).Draw(t, "ms")) * time.Millisecond)
			c := drawnCommand(t, s)
			take(c, drawnRuling(t, s, c))
		}

		replayed := State{}
		for _, e := range log {
			text, err := encodeEvent(e)
			if err != nil {
				t.Fatal(err)
			}
			back, err := decodeEvent(text)
			if err != nil {
				t.Fatal(err)
			}
			replayed = Evolve(replayed, back)
		}
		if !reflect.DeepEqual(replayed, s) {
			t.Fatalf("the replay differs:\n%+v\n%+v", replayed, s)
		}
		text, err := encodeState(s)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := decodeState(text); err != nil || !reflect.DeepEqual(back, s) {
			t.Fatalf("the stored state differs (%v):\n%+v\n%+v", err, back, s)
		}
	})
}

func check(t *rapid.T, before, s State, log []Event) {
	if int(s.Version) != len(log) {
		t.Fatalf("version %d after %d events", s.Version, len(log))
	}
	turns, plies := 0, 0
	for _, e := range log {
		switch e.Kind {
		case KindMoved:
			turns, plies = turns+1, plies+1
		case KindTakenBack:
			turns, plies = turns+1, plies-int(e.Back)
		}
	}
	if int(s.Turn) != turns || len(s.Plies) != plies {
		t.Fatalf("turn %d with %d plies, want %d with %d", s.Turn, len(s.Plies), turns, plies)
	}
	if s.Takeback != "" && (s.Status != StatusRunning || !s.Options.Takebacks) || s.Touched != "" && !s.Options.TouchMove {
		t.Fatalf("%s: a wish of %q, touched %q", s.Status, s.Takeback, s.Touched)
	}
	if s.ChangedAt < before.ChangedAt {
		t.Fatalf("time went from %d to %d", before.ChangedAt, s.ChangedAt)
	}
	if (s.Status == StatusFinished) != (s.Outcome != nil) {
		t.Fatalf("status %s with outcome %v", s.Status, s.Outcome)
	}
	if s.Counted && !s.Rated {
		t.Fatal("a casual game was rated")
	}
	if c := s.Clock; c != nil {
		if c.Remaining[0] < 0 || c.Remaining[1] < 0 {
			t.Fatalf("clocks %v", c.Remaining)
		}
		if running := s.Status == StatusRunning && s.Ruling.Outcome == nil; running != (c.Running >= 0) {
			t.Fatalf("status %s, clock of %d", s.Status, c.Running)
		}
		if c.Running >= 0 && c.Running != s.ToMove() {
			t.Fatalf("the clock of %d runs, %d is to move", c.Running, s.ToMove())
		}
	}
	if (before.Status == StatusFinished || before.Status == StatusCancelled) && s.Rulings == before.Rulings {
		if s.Status != before.Status || !reflect.DeepEqual(s.Outcome, before.Outcome) || s.Turn != before.Turn {
			t.Fatalf("an ended game changed: %+v", s)
		}
	}
	// What begins with a change and what ends by it leaves just what is owed.
	owed := map[string]int32{}
	for _, o := range Obligations(before) {
		owed[o.Kind] = o.Version
	}
	begin, done := changeDue(before, s)
	for _, kind := range done {
		delete(owed, kind)
	}
	for _, o := range begin {
		owed[o.Kind] = o.Version
	}
	want := map[string]int32{}
	for _, o := range Obligations(s) {
		want[o.Kind] = o.Version
	}
	if !reflect.DeepEqual(owed, want) {
		t.Fatalf("owed %v, want %v", owed, want)
	}
}

func drawnCreate(t *rapid.T) Create {
	c := Create{ID: "g", Rules: "chess", Visibility: "private", Rated: rapid.Bool().Draw(t, "rated"), Side: "white"}
	c.Seats = [2]Seat{person("white"), person("black")}
	switch rapid.IntRange(0, 3).Draw(t, "opponent") {
	case 1:
		c.Seats[1] = openSeat("black")
	case 2:
		c.Seats[1] = engineSeat("black")
	case 3:
		c.Seats[0] = engineSeat("white")
	}
	if rapid.Bool().Draw(t, "options") && !c.Rated {
		c.Options = Options{Takebacks: true, TouchMove: rapid.Bool().Draw(t, "touch")}
	}
	if rapid.Bool().Draw(t, "clock") {
		c.Clock = &Settings{
			InitialMS:   rapid.Int32Range(1000, 60_000).Draw(t, "initial"),
			IncrementMS: rapid.Int32Range(0, 5000).Draw(t, "increment"),
		}
	}
	return c
}

func drawnCommand(t *rapid.T, s State) Command {
	player := rapid.SampledFrom([]string{"w", "b", "c", "guest:1"}).Draw(t, "player")
	turn := s.Turn
	if rapid.IntRange(0, 9).Draw(t, "stale") == 0 {
		turn = rapid.Int32Range(0, 60).Draw(t, "turn")
	}
	move := Move{Text: "m", Path: []string{"a1", "a2"}}
	switch rapid.IntRange(0, 25).Draw(t, "command") {
	case 16:
		return Abort{Player: player}
	case 17, 18:
		return OfferTakeback{Player: player, Turn: turn}
	case 19:
		return AnswerTakeback{Player: player, Turn: turn, Accept: rapid.Bool().Draw(t, "accept")}
	case 20:
		return Touch{Player: player, Turn: turn, Square: "a1"}
	case 21:
		return OfferRematch{Player: player, Next: "h"}
	case 22:
		return AnswerRematch{Player: player, Accept: rapid.Bool().Draw(t, "accept"), Next: "h"}
	case 23:
		return Adjudicate{By: "t", Result: rapid.SampledFrom([]string{"1-0", "0-1", "1/2-1/2", annul}).Draw(t, "result"), Note: "n"}
	case 24:
		return Expire{}
	case 25:
		return Decline{Account: player}
	case 0:
		return Resign{Player: player}
	case 1:
		return Cancel{Player: player}
	case 2:
		return Accept{Player: "b", Account: "b", Profiles: [2]Profile{{Name: "W"}, {Name: "B", Rating: 1500}}}
	case 3:
		return OfferDraw{Player: player, Turn: turn}
	case 4:
		return AnswerDraw{Player: player, Turn: turn, Accept: rapid.Bool().Draw(t, "accept")}
	case 5:
		return ClaimDraw{Player: player, Turn: turn}
	case 6:
		return Flag{}
	case 7:
		return Rate{After: [2]int32{1510, 1490}}
	case 8, 9, 10:
		return EnginePlay{Turn: turn, Move: move}
	default:
		return Play{Player: s.Seats[s.ToMove()].Player, Turn: turn, Move: move, LagMS: rapid.Int32Range(0, 900).Draw(t, "lag")}
	}
}

func drawnRuling(t *rapid.T, s State, c Command) *Ruling {
	switch c := c.(type) {
	case OfferTakeback:
		if seat := s.SeatOf(c.Player); seat >= 0 {
			return plainRuling(len(s.Plies) - int(s.back(seat)))
		}
	case AnswerTakeback:
		return plainRuling(len(s.Plies) - int(s.back(s.side(s.Takeback))))
	}
	ply := len(s.Plies) + 1
	switch rapid.IntRange(0, 20).Draw(t, "ruling") {
	case 0:
		return endRuling(ply, "white", "checkmate")
	case 1:
		return endRuling(ply, "", "stalemate")
	case 2, 3:
		r := plainRuling(ply)
		r.Claims = []string{"repetition_3"}
		r.CanWin = []string{"black"}
		return r
	case 4:
		return nil
	}
	return plainRuling(ply)
}
