package play

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

// said is what Decide answered, in short: the kinds of events and the code.
type said struct {
	kinds []string
	code  string
}

func answer(events []Event, err error) said {
	var s said
	for _, e := range events {
		s.kinds = append(s.kinds, e.Kind)
	}
	if refused, ok := errors.AsType[*Refused](err); ok {
		s.code = refused.Code
	} else if err != nil {
		s.code = err.Error()
	}
	return s
}

func ok(kinds ...string) said { return said{kinds: kinds} }
func no(code string) said     { return said{code: code} }

func TestDecide(t *testing.T) {
	minute := &Settings{InitialMS: 60_000, IncrementMS: 1000}
	open := made(person("white"), openSeat("black"), nil, false)
	cancelled := given(open, Cancel{Player: "w"}, nil, at(1))
	running := twoPersons(nil)
	clocked := twoPersons(minute)
	finished := given(running, Resign{Player: "w"}, nil, at(1))
	rated := given(made(person("white"), person("black"), nil, true), Resign{Player: "w"}, nil, at(1))
	counted := given(rated, Rate{After: [2]int32{1490, 1510}}, nil, at(2))
	engine := made(person("white"), engineSeat("black"), minute, false)
	engineToMove := played(engine, 1)
	offered := given(running, OfferDraw{Player: "b"}, nil, at(1))
	declined := given(offered, AnswerDraw{Player: "w"}, nil, at(2))
	claimable := running
	claimable.Ruling.Claims = []string{"repetition_3", "moves_50"}
	rankOnly := clocked
	rankOnly.Ruling.CanWin = []string{"white"}

	play := func(player string, turn int32) Play { return Play{Player: player, Turn: turn, Move: Move{Text: "m"}} }
	next := plainRuling(1)

	for _, test := range []struct {
		name    string
		state   State
		command Command
		ruling  *Ruling
		now     time.Time
		want    said
	}{
		{"create needs a ruling", State{}, Create{Rules: "tictactoe"}, nil, at(0), no(ErrNeedsRuling.Error())},
		{"create twice", running, Create{}, next, at(0), no("game_started")},
		{"create over", State{}, Create{Rules: "tictactoe"}, endRuling(0, "white", "checkmate"), at(0), no("bad_position")},
		{"guest creates chess", State{}, Create{Rules: "chess", Seats: [2]Seat{{Kind: SeatPerson, Player: "guest:1"}}}, next, at(0), no("account_required")},
		{"guest creates rated", State{}, Create{Rules: "tictactoe", Rated: true, Seats: [2]Seat{{Kind: SeatPerson, Player: "guest:1"}}}, next, at(0), no("account_required")},
		{"guest creates", State{}, Create{Rules: "tictactoe", Seats: [2]Seat{{Kind: SeatPerson, Player: "guest:1"}}}, next, at(0), ok(KindCreated)},

		{"accept", open, Accept{Player: "b", Account: "b"}, nil, at(1), ok(KindAccepted)},
		{"accept as guest", open, Accept{Player: "guest:1"}, nil, at(1), no("account_required")},
		{"accept own", open, Accept{Player: "w", Account: "w"}, nil, at(1), no("own_game")},
		{"accept full", running, Accept{Player: "c", Account: "c"}, nil, at(1), no("seat_taken")},
		{"accept withdrawn", cancelled, Accept{Player: "c", Account: "c"}, nil, at(1), no("seat_taken")},

		{"cancel", open, Cancel{Player: "w"}, nil, at(1), ok(KindCancelled)},
		{"cancel another's", open, Cancel{Player: "c"}, nil, at(1), no("not_your_seat")},
		{"cancel twice", cancelled, Cancel{Player: "w"}, nil, at(2), no("game_over")},
		{"cancel running", running, Cancel{Player: "w"}, nil, at(1), no("game_started")},

		{"move", running, play("w", 0), next, at(1), ok(KindMoved)},
		{"move needs a ruling", running, play("w", 0), nil, at(1), no(ErrNeedsRuling.Error())},
		{"move of a stranger", running, play("c", 0), next, at(1), no("not_your_seat")},
		{"move of the other side", running, play("b", 0), next, at(1), no("not_your_turn")},
		{"move of the past", played(running, 2), play("w", 0), next, at(9000), no("stale_turn")},
		{"move of the future", running, play("w", 1), next, at(1), no("stale_turn")},
		{"move before the start", open, play("w", 0), next, at(1), no("game_not_started")},
		{"move after the end", finished, play("w", 0), next, at(2), no("game_over")},
		{"move in a withdrawn game", cancelled, play("w", 0), next, at(2), no("game_over")},
		{"move that mates", running, play("w", 0), endRuling(1, "white", "checkmate"), at(1), ok(KindMoved, KindFinished)},
		{"move in the last millisecond", clocked, play("w", 0), next, at(59_999), ok(KindMoved)},
		{"move as the flag falls", clocked, play("w", 0), next, at(60_000), said{[]string{KindFinished}, "game_over"}},
		{"flag before stale turn", clocked, play("w", 5), next, at(60_000), said{[]string{KindFinished}, "game_over"}},
		{"strangers' moves drop no flag", clocked, play("c", 0), next, at(60_000), no("not_your_seat")},

		{"engine's move", engineToMove, EnginePlay{Turn: 1, Move: Move{Text: "m"}}, plainRuling(2), at(2000), ok(KindMoved)},
		{"engine's move, late", played(engine, 1), EnginePlay{Turn: 0}, plainRuling(2), at(2000), no("stale_turn")},
		{"engine's move, not its turn", engine, EnginePlay{Turn: 0}, next, at(1), no("not_your_turn")},
		{"engine's move among persons", running, EnginePlay{Turn: 0}, next, at(1), no("not_your_turn")},
		{"engine's move after the end", finished, EnginePlay{Turn: 0}, next, at(2), no("game_over")},
		{"engine's flag", engineToMove, EnginePlay{Turn: 1}, plainRuling(2), at(61_000), said{[]string{KindFinished}, "game_over"}},

		{"resign", running, Resign{Player: "b"}, nil, at(1), ok(KindFinished)},
		{"resign before the start", open, Resign{Player: "w"}, nil, at(1), no("game_not_started")},
		{"resign twice", finished, Resign{Player: "w"}, nil, at(2), no("game_over")},
		{"resign as a stranger", running, Resign{Player: "c"}, nil, at(1), no("not_your_seat")},
		{"resign after the flag", clocked, Resign{Player: "b"}, nil, at(70_000), said{[]string{KindFinished}, "game_over"}},

		{"offer", running, OfferDraw{Player: "w"}, nil, at(1), ok(KindDrawOffered)},
		{"offer at another turn", running, OfferDraw{Player: "w", Turn: 3}, nil, at(1), no("stale_turn")},
		{"offer again", offered, OfferDraw{Player: "b"}, nil, at(2), no("offer_standing")},
		{"offer after a no", declined, OfferDraw{Player: "b"}, nil, at(3), no("offer_standing")},
		{"offer after a no and the opponent's move", played(declined, 1), OfferDraw{Player: "b", Turn: 1}, nil, at(3000), no("offer_standing")},
		{"offer after an own move", played(declined, 2), OfferDraw{Player: "b", Turn: 2}, nil, at(4000), ok(KindDrawOffered)},
		{"offer against an offer", offered, OfferDraw{Player: "w"}, nil, at(2), ok(KindFinished)},
		{"accept the offer", offered, AnswerDraw{Player: "w", Accept: true}, nil, at(2), ok(KindFinished)},
		{"decline the offer", offered, AnswerDraw{Player: "w"}, nil, at(2), ok(KindDrawDeclined)},
		{"answer the own offer", offered, AnswerDraw{Player: "b", Accept: true}, nil, at(2), no("no_offer")},
		{"answer no offer", running, AnswerDraw{Player: "b", Accept: true}, nil, at(2), no("no_offer")},
		{"answer at another turn", offered, AnswerDraw{Player: "w", Turn: 1}, nil, at(2), no("stale_turn")},
		{"answer a dead offer", played(offered, 1), AnswerDraw{Player: "w", Turn: 1, Accept: true}, nil, at(2000), no("no_offer")},

		{"claim", claimable, ClaimDraw{Player: "w"}, nil, at(1), ok(KindFinished)},
		{"claim out of turn", claimable, ClaimDraw{Player: "b"}, nil, at(1), no("not_your_turn")},
		{"claim nothing", running, ClaimDraw{Player: "w"}, nil, at(1), no("no_claim")},
		{"claim at another turn", claimable, ClaimDraw{Player: "w", Turn: 2}, nil, at(1), no("stale_turn")},

		{"flag early", clocked, Flag{}, nil, at(59_999), no("not_due")},
		{"flag", clocked, Flag{}, nil, at(60_000), ok(KindFinished)},
		{"flag without a clock", running, Flag{}, nil, at(60_000), no("not_due")},
		{"flag after the end", finished, Flag{}, nil, at(60_000), no("game_over")},

		{"rate", rated, Rate{}, nil, at(2), ok(KindRated)},
		{"rate twice", counted, Rate{}, nil, at(3), no("not_due")},
		{"rate a casual game", finished, Rate{}, nil, at(2), no("not_due")},
		{"rate a running game", running, Rate{}, nil, at(2), no("not_due")},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := answer(Decide(test.state, test.command, test.ruling, test.now)); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestOutcomes(t *testing.T) {
	clock := &Settings{InitialMS: 60_000}
	running := twoPersons(clock)
	rankless := running
	rankless.Ruling.CanWin = []string{"white"}
	claimable := running
	claimable.Ruling.Claims = []string{"repetition_3", "moves_50"}
	for _, test := range []struct {
		name   string
		state  State
		c      Command
		ruling *Ruling
		now    time.Time
		want   Outcome
		result string
	}{
		{"mate", running, Play{Player: "w"}, endRuling(1, "white", "checkmate"), at(1), Outcome{"white", "checkmate"}, "1-0"},
		{"stalemate", running, Play{Player: "w"}, endRuling(1, "", "stalemate"), at(1), Outcome{"", "stalemate"}, "1/2-1/2"},
		{"resignation", running, Resign{Player: "w"}, nil, at(1), Outcome{"black", "resignation"}, "0-1"},
		{"time", running, Flag{}, nil, at(60_000), Outcome{"black", "time"}, "0-1"},
		{"time, black could not win", rankless, Flag{}, nil, at(60_000), Outcome{"", "time_insufficient"}, "1/2-1/2"},
		{"claim", claimable, ClaimDraw{Player: "w"}, nil, at(1), Outcome{"", "repetition_3"}, "1/2-1/2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			after := given(test.state, test.c, test.ruling, test.now)
			if after.Status != StatusFinished || *after.Outcome != test.want || after.Result() != test.result {
				t.Errorf("got %s %+v %s, want %+v %s", after.Status, *after.Outcome, after.Result(), test.want, test.result)
			}
			if owed := Obligations(after); len(owed) != 0 {
				t.Errorf("still owed: %v", owed)
			}
		})
	}
}

func TestClockRunsFromTheStart(t *testing.T) {
	settings := &Settings{InitialMS: 10_000, IncrementMS: 500}
	open := made(person("white"), openSeat("black"), settings, false)
	if open.Clock.Running != -1 {
		t.Fatalf("the clock runs for %d while a seat is open", open.Clock.Running)
	}
	s := given(open, Accept{Player: "b", Account: "b", Profiles: [2]Profile{{Name: "W", Rating: 1500}, {Name: "B", Rating: 1400, Provisional: true}}}, nil, at(7000))
	want := Clock{InitialMS: 10_000, IncrementMS: 500, Remaining: [2]int32{10_000, 10_000}, Running: 0, At: at(7000).UnixMilli(), Quota: [2]int32{firstQuota, firstQuota}}
	if *s.Clock != want {
		t.Fatalf("after the start: got %+v, want %+v", *s.Clock, want)
	}
	s = given(s, Play{Player: "w"}, plainRuling(1), at(9000))
	want.Remaining, want.Running, want.At = [2]int32{8500, 10_000}, 1, at(9000).UnixMilli()
	if *s.Clock != want {
		t.Fatalf("after a move: got %+v, want %+v", *s.Clock, want)
	}
	if s.Plies[0].TookMS != 2000 {
		t.Errorf("the move took %d ms, want 2000", s.Plies[0].TookMS)
	}
	s = given(s, Resign{Player: "w"}, nil, at(9250))
	want.Remaining, want.Running, want.At = [2]int32{8500, 9750}, -1, at(9250).UnixMilli()
	if *s.Clock != want {
		t.Fatalf("after the end: got %+v, want %+v", *s.Clock, want)
	}
}

func TestTimeNeverGoesBack(t *testing.T) {
	s := played(twoPersons(&Settings{InitialMS: 60_000}), 2)
	events, err := Decide(s, Play{Player: "w", Turn: 2}, plainRuling(3), at(0))
	if err != nil {
		t.Fatal(err)
	}
	if events[0].At != s.ChangedAt || events[0].Ply.TookMS != 0 {
		t.Errorf("at %d, took %d ms; want at %d, 0 ms", events[0].At, events[0].Ply.TookMS, s.ChangedAt)
	}
}

func TestAcceptShowsBothPlayersAsTheyAre(t *testing.T) {
	open := made(person("white"), openSeat("black"), nil, false)
	s := given(open, Accept{Player: "b", Account: "b", Profiles: [2]Profile{{Name: "W", Rating: 1500}, {Name: "B", Rating: 1400, Provisional: true}}}, nil, at(1))
	want := [2]Seat{
		{Side: "white", Kind: SeatPerson, Player: "w", Account: "w", Name: "W", Rating: 1500},
		{Side: "black", Kind: SeatPerson, Player: "b", Account: "b", Name: "B", Rating: 1400, Provisional: true},
	}
	if s.Seats != want {
		t.Errorf("got %+v, want %+v", s.Seats, want)
	}
}

func TestObligations(t *testing.T) {
	clock := &Settings{InitialMS: 60_000}
	base := at(0).UnixMilli()
	engineFirst := made(engineSeat("white"), person("black"), clock, true)
	over := given(engineFirst, EnginePlay{}, endRuling(1, "white", "checkmate"), at(10))
	for _, test := range []struct {
		name  string
		state State
		want  []Obligation
	}{
		{"open", made(person("white"), openSeat("black"), clock, false), []Obligation{{DueExpire, 1, base + 7*24*3_600_000}}},
		{"a guest's open seat", made(guest("white"), openSeat("black"), nil, false), []Obligation{{DueExpire, 1, base + 1_800_000}}},
		{"guests", made(guest("white"), guest("black"), nil, false), []Obligation{{DueExpire, 1, base + 24*3_600_000}}},
		{"a guest against the engine", made(guest("white"), engineSeat("black"), nil, false), []Obligation{{DueExpire, 1, base + 24*3_600_000}}},
		{"a guest against an account", made(guest("white"), person("black"), nil, false), nil},
		{"engine first", engineFirst, []Obligation{{DueEngine, 1, base}, {DueFlag, 1, base + 60_000}}},
		{"persons without a clock", twoPersons(nil), nil},
		{"persons", played(twoPersons(clock), 1), []Obligation{{DueFlag, 2, base + 61_000}}},
		{"an offer changes none", given(twoPersons(clock), OfferDraw{Player: "b"}, nil, at(5)), []Obligation{{DueFlag, 1, base + 60_000}}},
		{"rated and over", over, []Obligation{{DueRate, 3, base + 10}}},
		{"counted", given(over, Rate{}, nil, at(20)), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Obligations(test.state); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestSpeedOf(t *testing.T) {
	for _, test := range []struct {
		settings *Settings
		want     string
	}{
		{nil, "none"},
		{&Settings{60_000, 0}, "bullet"},
		{&Settings{179_999, 0}, "bullet"},
		{&Settings{180_000, 0}, "blitz"},
		{&Settings{60_000, 3000}, "blitz"},
		{&Settings{479_999, 0}, "blitz"},
		{&Settings{480_000, 0}, "rapid"},
		{&Settings{900_000, 10_000}, "rapid"},
		{&Settings{1_500_000, 0}, "classical"},
		{&Settings{86_400_000, 600_000}, "classical"},
	} {
		if got := SpeedOf(test.settings); got != test.want {
			t.Errorf("SpeedOf(%+v) = %s, want %s", test.settings, got, test.want)
		}
	}
}
