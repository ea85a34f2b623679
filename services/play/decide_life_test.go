package play

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

// with is a game like made, with more of its making changed.
func with(first, second Seat, clock *Settings, change func(*Create)) State {
	rules := "chess"
	if first.Account == "" && first.Player != "" {
		rules = guestRules
	}
	c := Create{
		ID: "g", Rules: rules, Visibility: "private", Seats: [2]Seat{first, second}, Clock: clock, Side: first.Side,
		Opponent: OpponentPerson, Maker: first.Player,
	}
	change(&c)
	events, err := Decide(State{}, c, plainRuling(len(c.Plies)), at(0))
	if err != nil {
		panic(err)
	}
	return Fold(State{}, events)
}

func takebacks(c *Create) { c.Options.Takebacks = true }

func invited(side, account string) Seat {
	return Seat{Side: side, Kind: SeatInvited, Account: account, Name: account}
}

// after lets commands succeed one after another, a second apart.
func after(s State, commands ...Command) State {
	for _, c := range commands {
		events, err := Decide(s, c, plainRuling(len(s.Plies)), time.UnixMilli(s.ChangedAt+1000))
		if err != nil {
			panic(err)
		}
		s = Fold(s, events)
	}
	return s
}

func TestDecideTheLifeOfAGame(t *testing.T) {
	running := twoPersons(nil)
	free := with(person("white"), person("black"), nil, takebacks)
	wished := after(played(free, 1), OfferTakeback{Player: "w", Turn: 1})
	declined := after(wished, AnswerTakeback{Player: "b", Turn: 1})
	againstEngine := with(person("white"), engineSeat("black"), nil, takebacks)
	self := with(person("white"), person("white"), nil, func(c *Create) {
		c.Seats[1].Side, c.Opponent, c.Options.Takebacks = "black", OpponentSelf, true
	})
	engines := with(engineSeat("white"), engineSeat("black"), nil, func(c *Create) {
		c.Opponent, c.Maker, c.Side, c.MaxPlies = OpponentEngines, "w", "", 4
	})
	open := made(person("white"), openSeat("black"), nil, false)
	kept := with(person("white"), invited("black", "b"), nil, func(*Create) {})
	over := given(running, Resign{Player: "w"}, nil, at(1))
	offered := after(over, OfferRematch{Player: "w", Next: "h"})
	next := after(offered, OfferRematch{Player: "b", Next: "h"})
	engineOver := after(againstEngine, Resign{Player: "w"})
	aborted := after(running, Abort{Player: "w"})
	rated := given(made(person("white"), person("black"), nil, true), Resign{Player: "w"}, nil, at(1))
	counted := given(rated, Rate{After: [2]int32{1490, 1510}}, nil, at(2))
	annulled := after(counted, Adjudicate{By: "t", Result: annul, Note: "n"})
	touching := with(person("white"), person("black"), nil, func(c *Create) { c.Options.TouchMove = true })
	touching.Ruling.Pieces = []Piece{{"a2", "white", "pawn"}, {"b2", "white", "pawn"}, {"a7", "black", "pawn"}}
	touching.Ruling.Moves = []Move{{Text: "a2a3", From: "a2"}}
	touched := given(touching, Touch{Player: "w", Square: "a2"}, nil, at(1))
	clocked := with(person("white"), person("black"), &Settings{InitialMS: 60_000}, takebacks)
	day := int64(24 * 3_600_000)

	for _, test := range []struct {
		name    string
		state   State
		command Command
		ruling  *Ruling
		now     time.Time
		want    said
	}{
		{"accept the kept seat", kept, Accept{Player: "b", Account: "b"}, nil, at(1), ok(KindAccepted)},
		{"accept a seat kept for another", kept, Accept{Player: "c", Account: "c"}, nil, at(1), no("not_your_seat")},
		{"decline", kept, Decline{Account: "b"}, nil, at(1), ok(KindCancelled)},
		{"decline for another", kept, Decline{Account: "c"}, nil, at(1), no("not_your_seat")},
		{"decline as nobody", open, Decline{}, nil, at(1), no("not_your_seat")},
		{"decline an open seat", open, Decline{Account: "b"}, nil, at(1), no("not_your_seat")},
		{"decline after accepting", running, Decline{Account: "b"}, nil, at(1), no("game_started")},
		{"decline twice", after(kept, Decline{Account: "b"}), Decline{Account: "b"}, nil, at(9000), no("game_over")},
		{"accept after declining", after(kept, Decline{Account: "b"}), Accept{Player: "b", Account: "b"}, nil, at(9000), no("seat_taken")},

		{"abort at once", running, Abort{Player: "b"}, nil, at(1), ok(KindCancelled)},
		{"abort after one move", played(running, 1), Abort{Player: "b"}, nil, at(9000), ok(KindCancelled)},
		{"abort after a move of each", played(running, 2), Abort{Player: "b"}, nil, at(9000), no("abort_late")},
		{"abort as a stranger", running, Abort{Player: "c"}, nil, at(1), no("not_your_seat")},
		{"abort an open seat", open, Abort{Player: "w"}, nil, at(1), no("game_not_started")},
		{"abort twice", aborted, Abort{Player: "w"}, nil, at(9000), no("game_over")},
		{"abort after the end", over, Abort{Player: "w"}, nil, at(9), no("game_over")},
		{"abort after the flag", clocked, Abort{Player: "w"}, nil, at(90_000), said{[]string{KindFinished}, "game_over"}},
		{"abort on one screen, late", played(self, 4), Abort{Player: "w"}, nil, at(9000), ok(KindCancelled)},
		{"abort the engines", engines, Abort{Player: "w"}, nil, at(1), ok(KindCancelled)},
		{"abort another's engines", engines, Abort{Player: "b"}, nil, at(1), no("not_your_seat")},

		{"a seat expires", open, Expire{}, nil, at(7 * day), ok(KindCancelled)},
		{"a seat waits", open, Expire{}, nil, at(7*day - 1), no("not_due")},
		{"an invitation expires", kept, Expire{}, nil, at(7 * day), ok(KindCancelled)},
		{"a guest's seat expires", made(guest("x"), openSeat("o"), nil, false), Expire{}, nil, at(1_800_000), ok(KindCancelled)},
		{"a guest's game waits", made(guest("x"), guest("o"), nil, false), Expire{}, nil, at(day - 1), no("not_due")},
		{"a guest's game expires", made(guest("x"), guest("o"), nil, false), Expire{}, nil, at(day), ok(KindCancelled)},
		{"an account's game does not expire", running, Expire{}, nil, at(900 * day), no("not_due")},
		{"what is over does not expire", over, Expire{}, nil, at(900 * day), no("not_due")},

		{"wish", played(free, 1), OfferTakeback{Player: "w", Turn: 1}, nil, at(9000), ok(KindTakebackOffered)},
		{"wish after the answer", played(free, 2), OfferTakeback{Player: "w", Turn: 2}, nil, at(9000), ok(KindTakebackOffered)},
		{"wish without an own move", played(free, 1), OfferTakeback{Player: "b", Turn: 1}, nil, at(9000), no("no_takeback")},
		{"wish without moves", free, OfferTakeback{Player: "w"}, nil, at(1), no("no_takeback")},
		{"wish where it was not agreed", played(running, 1), OfferTakeback{Player: "w", Turn: 1}, nil, at(9000), no("option_off")},
		{"wish at another turn", played(free, 1), OfferTakeback{Player: "w"}, nil, at(9000), no("stale_turn")},
		{"wish of a stranger", played(free, 1), OfferTakeback{Player: "c", Turn: 1}, nil, at(9000), no("not_your_seat")},
		{"wish before the start", open, OfferTakeback{Player: "w"}, nil, at(1), no("game_not_started")},
		{"wish twice", wished, OfferTakeback{Player: "w", Turn: 1}, nil, at(9000), no("takeback_standing")},
		{"wish after a no", declined, OfferTakeback{Player: "w", Turn: 1}, nil, at(9000), no("takeback_standing")},
		{"wish after a no and an own move", played(declined, 2), OfferTakeback{Player: "w", Turn: 3}, nil, at(9000), ok(KindTakebackOffered)},
		{"agree needs a ruling", wished, AnswerTakeback{Player: "b", Turn: 1, Accept: true}, nil, at(9000), no(ErrNeedsRuling.Error())},
		{"agree", wished, AnswerTakeback{Player: "b", Turn: 1, Accept: true}, plainRuling(0), at(9000), ok(KindTakenBack)},
		{"decline the wish", wished, AnswerTakeback{Player: "b", Turn: 1}, nil, at(9000), ok(KindTakebackDeclined)},
		{"answer the own wish", wished, AnswerTakeback{Player: "w", Turn: 1, Accept: true}, nil, at(9000), no("no_offer")},
		{"answer no wish", played(free, 1), AnswerTakeback{Player: "b", Turn: 1, Accept: true}, nil, at(9000), no("no_offer")},
		{"answer a dead wish", played(wished, 1), AnswerTakeback{Player: "b", Turn: 2, Accept: true}, nil, at(9000), no("no_offer")},
		{"answer at another turn", wished, AnswerTakeback{Player: "b", Turn: 0, Accept: true}, nil, at(9000), no("stale_turn")},
		{"answer after the end", over, AnswerTakeback{Player: "b", Accept: true}, nil, at(9000), no("game_over")},
		{"take back from the engine", played(againstEngine, 1), OfferTakeback{Player: "w", Turn: 1}, plainRuling(0), at(9000), ok(KindTakenBack)},
		{"take back on one screen", played(self, 1), OfferTakeback{Player: "w", Turn: 1}, plainRuling(0), at(9000), ok(KindTakenBack)},
		{"take back on one screen without moves", self, OfferTakeback{Player: "w"}, plainRuling(0), at(9000), no("no_takeback")},
		{"take back after the flag", played(clocked, 1), OfferTakeback{Player: "w", Turn: 1}, plainRuling(0), at(90_000), said{[]string{KindFinished}, "game_over"}},

		{"touch", touching, Touch{Player: "w", Square: "a2"}, nil, at(1), ok(KindTouched)},
		{"touch a piece that is stuck", touching, Touch{Player: "w", Square: "b2"}, nil, at(1), no("touched_stuck")},
		{"touch nothing", touching, Touch{Player: "w", Square: "c2"}, nil, at(1), no("no_piece")},
		{"touch the opponent's", touching, Touch{Player: "w", Square: "a7"}, nil, at(1), no("not_your_piece")},
		{"touch out of turn", touching, Touch{Player: "b", Square: "a7"}, nil, at(1), no("not_your_turn")},
		{"touch at another turn", touching, Touch{Player: "w", Turn: 1, Square: "a2"}, nil, at(1), no("stale_turn")},
		{"touch where it is not played", running, Touch{Player: "w", Square: "a2"}, nil, at(1), no("option_off")},
		{"touch twice", touched, Touch{Player: "w", Square: "a2"}, nil, at(2), no("touched_piece")},
		{"touch as a stranger", touching, Touch{Player: "c", Square: "a2"}, nil, at(1), no("not_your_seat")},
		{"move another piece", touched, Play{Player: "w", Move: Move{Text: "b2b3", From: "b2"}}, plainRuling(1), at(2), no("touched_piece")},
		{"move the touched piece", touched, Play{Player: "w", Move: Move{Text: "a2a3", From: "a2"}}, plainRuling(1), at(2), ok(KindMoved)},

		{"offer a rematch", over, OfferRematch{Player: "w", Next: "h"}, nil, at(9), ok(KindRematchOffered)},
		{"offer it twice", offered, OfferRematch{Player: "w", Next: "h"}, nil, at(9000), no("rematch_standing")},
		{"offer it back", offered, OfferRematch{Player: "b", Next: "h"}, nil, at(9000), ok(KindRematched)},
		{"accept it", offered, AnswerRematch{Player: "b", Accept: true, Next: "h"}, nil, at(9000), ok(KindRematched)},
		{"accept the own", offered, AnswerRematch{Player: "w", Accept: true, Next: "h"}, nil, at(9000), no("no_offer")},
		{"decline it", offered, AnswerRematch{Player: "b"}, nil, at(9000), ok(KindRematchDeclined)},
		{"withdraw it", offered, AnswerRematch{Player: "w"}, nil, at(9000), ok(KindRematchDeclined)},
		{"answer none", over, AnswerRematch{Player: "b", Accept: true}, nil, at(9), no("no_offer")},
		{"a second next game", next, OfferRematch{Player: "w", Next: "i"}, nil, at(9000), no("no_rematch")},
		{"a rematch of a running game", running, OfferRematch{Player: "w", Next: "h"}, nil, at(9), no("game_not_over")},
		{"a rematch of an aborted game", aborted, OfferRematch{Player: "w", Next: "h"}, nil, at(9000), no("no_rematch")},
		{"a rematch of strangers", over, OfferRematch{Player: "c", Next: "h"}, nil, at(9), no("not_your_seat")},
		{"a rematch with the engine", engineOver, OfferRematch{Player: "w", Next: "h"}, nil, at(9000), ok(KindRematched)},

		{"adjudicate a running game", running, Adjudicate{By: "t", Result: "1-0", Note: "n"}, nil, at(1), ok(KindAdjudicated)},
		{"annul a running game", running, Adjudicate{By: "t", Result: annul, Note: "n"}, nil, at(1), ok(KindAdjudicated)},
		{"adjudicate a finished game", over, Adjudicate{By: "t", Result: "1-0", Note: "n"}, nil, at(9), ok(KindAdjudicated)},
		{"adjudicate the same", over, Adjudicate{By: "t", Result: "0-1", Note: "n"}, nil, at(9), no("no_change")},
		{"adjudicate an open seat", open, Adjudicate{By: "t", Result: "1-0", Note: "n"}, nil, at(1), no("game_not_started")},
		{"adjudicate what was aborted", aborted, Adjudicate{By: "t", Result: "1-0", Note: "n"}, nil, at(9000), no("game_over")},
		{"adjudicate while it is rated", rated, Adjudicate{By: "t", Result: "1-0", Note: "n"}, nil, at(9), no("rating_pending")},
		{"adjudicate once it is rated", counted, Adjudicate{By: "t", Result: "1-0", Note: "n"}, nil, at(9), ok(KindAdjudicated)},
		{"annul twice", after(annulled, Rate{}), Adjudicate{By: "t", Result: annul, Note: "n"}, nil, at(9000), no("no_change")},
		{"decide what was annulled", after(annulled, Rate{}), Adjudicate{By: "t", Result: "1-0", Note: "n"}, nil, at(9000), ok(KindAdjudicated)},

		{"engines without an account", State{}, Create{Opponent: OpponentEngines, Rules: guestRules, Maker: "guest:1"}, plainRuling(0), at(0), no("account_required")},
		{"rated with take-backs", State{}, Create{Rated: true, Options: Options{Takebacks: true}}, plainRuling(0), at(0), no("rated_not_allowed")},
		{"agree on a draw on one screen", self, OfferDraw{Player: "w"}, nil, at(1), ok(KindFinished)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := answer(Decide(test.state, test.command, test.ruling, test.now)); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestRatedIsRefusedWithItsReasons: each by its field, all at once.
func TestRatedIsRefusedWithItsReasons(t *testing.T) {
	for field, c := range map[string]Create{
		"options.hints":     {Options: Options{Hints: true}},
		"options.takebacks": {Options: Options{Takebacks: true}},
		"opponent":          {Opponent: OpponentSelf},
		"start":             {Start: "a position"},
		"record":            {Start: "a position", Plies: []Ply{{}}},
	} {
		if err := mayBeRated(c); err != nil {
			t.Errorf("%s, casual: %v", field, err)
		}
		c.Rated = true
		refused, ok := mayBeRated(c).(*Refused)
		if !ok || refused.Code != "rated_not_allowed" || !slices.Equal(refused.Fields, []string{field}) {
			t.Errorf("%s: got %+v", field, refused)
		}
	}
	all := Create{Rated: true, Opponent: OpponentEngines, Options: Options{Hints: true, Takebacks: true}, Start: "a position"}
	refused, ok := mayBeRated(all).(*Refused)
	if want := []string{"options.hints", "options.takebacks", "opponent", "start"}; !ok || !slices.Equal(refused.Fields, want) {
		t.Errorf("got %+v, want %v", refused, want)
	}
	fine := Create{Rated: true, Opponent: OpponentEngine, Options: Options{TouchMove: true, ConfirmMove: true}}
	if err := mayBeRated(fine); err != nil {
		t.Errorf("touch-move and confirmations: %v", err)
	}
}

// TestATakeBackRestoresTheGame: the position, the side to move, the clocks and
// what the engine owes; the turn rises all the same.
func TestATakeBackRestoresTheGame(t *testing.T) {
	clock := &Settings{InitialMS: 60_000, IncrementMS: 2000}
	s := with(person("white"), engineSeat("black"), clock, takebacks)
	before := s
	s = given(s, Play{Player: "w", Move: Move{Text: "m"}}, plainRuling(1), at(7000))
	if owed := Obligations(s); !contains(owed, Obligation{Kind: DueEngine, Version: 2}) {
		t.Fatalf("owed %v", owed)
	}
	back := given(s, OfferTakeback{Player: "w", Turn: 1}, plainRuling(0), at(9000))
	if back.Turn != 2 || len(back.Plies) != 0 || back.ToMove() != 0 || !reflect.DeepEqual(back.Ruling, before.Ruling) {
		t.Errorf("taken back: %+v", back)
	}
	if stands(Obligations(back), DueEngine) {
		t.Error("the engine is still to move")
	}
	if _, done := changeDue(s, back); !slices.Contains(done, DueEngine) {
		t.Errorf("the commit ends %v", done)
	}
	if want := [2]int32{60_000, 60_000}; back.Clock.Remaining != want || back.Clock.Running != 0 || back.Clock.At != at(9000).UnixMilli() {
		t.Errorf("the clock %+v, want %v", back.Clock, want)
	}

	// After the engine's answer both moves go, and the engine is not to move.
	s = given(s, EnginePlay{Turn: 1, Move: Move{Text: "m"}}, plainRuling(2), at(10_000))
	back = given(s, OfferTakeback{Player: "w", Turn: 2}, plainRuling(0), at(40_000))
	if want := [2]int32{60_000, 60_000}; back.Turn != 3 || len(back.Plies) != 0 || back.Clock.Remaining != want || back.ToMove() != 0 {
		t.Errorf("both taken back: %+v, clock %+v", back, back.Clock)
	}
	// What was played next starts over.
	again := given(back, Play{Player: "w", Turn: 3, Move: Move{Text: "m2"}}, plainRuling(1), at(41_000))
	if again.Plies[0].Number != 1 || again.Plies[0].Move.Text != "m2" || again.Turn != 4 || len(s.Plies) != 2 || s.Plies[0].Move.Text != "m" {
		t.Errorf("played again: %+v; before: %+v", again.Plies, s.Plies)
	}
}

// TestARecordsPliesCannotBeTakenBack: only what was played here goes.
func TestARecordsPliesCannotBeTakenBack(t *testing.T) {
	s := with(person("white"), engineSeat("black"), nil, func(c *Create) {
		c.Options.Takebacks = true
		c.Start = "0"
		c.Plies = []Ply{{Number: 1, Side: "white"}, {Number: 2, Side: "black", Taken: []string{"pawn"}}}
	})
	if s.Loaded != 2 || s.Turn != 0 || len(s.Plies) != 2 || s.Start != "0" {
		t.Fatalf("made %+v", s)
	}
	wantSaid(t, s, OfferTakeback{Player: "w"}, no("no_takeback"))
	s = played(s, 1)
	if s.Plies[2].Number != 3 {
		t.Errorf("the third ply: %+v", s.Plies[2])
	}
	s = given(s, OfferTakeback{Player: "w", Turn: 1}, plainRuling(2), at(9000))
	if len(s.Plies) != 2 || s.abortable() != true {
		t.Errorf("taken back: %+v", s)
	}
	wantSaid(t, s, OfferTakeback{Player: "w", Turn: 2}, no("no_takeback"))
}

func wantSaid(t *testing.T, s State, c Command, want said) {
	t.Helper()
	if got := answer(Decide(s, c, nil, time.UnixMilli(s.ChangedAt+1))); !reflect.DeepEqual(got, want) {
		t.Errorf("%T: got %v, want %v", c, got, want)
	}
}

// TestRulingsComeFromTheEvents, over take-backs and what is played after them.
func TestRulingsComeFromTheEvents(t *testing.T) {
	s := with(person("white"), person("white"), nil, func(c *Create) {
		c.Seats[1].Side, c.Opponent, c.Options.Takebacks = "black", OpponentSelf, true
	})
	var events []Event
	take := func(c Command, r *Ruling) {
		more, err := Decide(s, c, r, time.UnixMilli(s.ChangedAt+1000))
		if err != nil {
			t.Fatal(err)
		}
		events, s = append(events, more...), Fold(s, more)
	}
	created := Setup{Seats: s.Seats, Ruling: *plainRuling(0), Options: s.Options}
	events = append(events, Event{Kind: KindCreated, Created: &created})
	named := func(text string) *Ruling {
		r := plainRuling(len(s.Plies) + 1)
		r.Position.Text = text
		return r
	}
	play := func(text string) { take(Play{Player: "w", Turn: s.Turn, Move: Move{Text: "m"}}, named(text)) }
	back := func() {
		r, err := rulingAt(events, len(s.Plies)-1)
		if err != nil {
			t.Fatal(err)
		}
		take(OfferTakeback{Player: "w", Turn: s.Turn}, r)
	}
	play("a")
	play("b")
	back()
	play("c")
	play("d")
	back()
	back()
	if s.Ruling.Position.Text != "a" {
		t.Errorf("at %q, want a", s.Ruling.Position.Text)
	}
	play("e")
	for plies, want := range []string{"0", "a", "e"} {
		if r, err := rulingAt(events, plies); err != nil || r.Position.Text != want {
			t.Errorf("after %d plies: %+v, %v, want %q", plies, r, err, want)
		}
	}
	for _, plies := range []int{-1, 3} {
		if r, err := rulingAt(events, plies); err == nil {
			t.Errorf("after %d plies: %+v", plies, r)
		}
	}
}

func TestGamesHaveAnEnd(t *testing.T) {
	claim := func(s State) State {
		r := plainRuling(len(s.Plies) + 1)
		r.Claims = []string{"repetition_3"}
		return given(s, EnginePlay{Turn: s.Turn, Move: Move{Text: "m"}}, r, time.UnixMilli(s.ChangedAt+1000))
	}
	engine := func(s State) State {
		return given(s, EnginePlay{Turn: s.Turn, Move: Move{Text: "m"}}, plainRuling(len(s.Plies)+1), time.UnixMilli(s.ChangedAt+1000))
	}
	engines := with(engineSeat("white"), engineSeat("black"), nil, func(c *Create) {
		c.Opponent, c.Maker, c.MaxPlies = OpponentEngines, "w", 3
	})
	if s := claim(engines); s.Outcome == nil || s.Outcome.Reason != "repetition_3" {
		t.Errorf("a claim between engines: %+v", s.Outcome)
	}
	if s := engine(engine(engine(engines))); s.Outcome == nil || s.Outcome.Reason != "length" || s.Turn != 3 {
		t.Errorf("three plies between engines: %+v after %d", s.Outcome, s.Turn)
	}
	against := with(engineSeat("white"), person("black"), nil, func(*Create) {})
	if s := claim(against); s.Outcome != nil {
		t.Errorf("a claim against a person: %+v", s.Outcome)
	}

	long := func(rules string, plies int, claims []string) *Outcome {
		s := against
		s.Rules, s.Plies = rules, make([]Ply, plies)
		s.Ruling.Claims = claims
		return s.ended()
	}
	for _, test := range []struct {
		rules  string
		plies  int
		claims []string
		want   string
	}{
		{"chess", 1999, nil, ""}, {"chess", 2000, nil, "length"}, {"chess", 2000, []string{"moves_50"}, "moves_50"},
		{"draughts", 999, []string{"kings_only_20"}, ""}, {"draughts", 1000, []string{"kings_only_20"}, "kings_only_20"},
		{"draughts", 1000, nil, "length"}, {"tictactoe", 9, nil, ""},
	} {
		got := ""
		if o := long(test.rules, test.plies, test.claims); o != nil {
			got = o.Reason
		}
		if got != test.want {
			t.Errorf("%s after %d plies with %v: %q, want %q", test.rules, test.plies, test.claims, got, test.want)
		}
	}
}

// TestTheNextGame exchanges the sides and keeps the score by player.
func TestTheNextGame(t *testing.T) {
	first := with(person("white"), person("black"), nil, func(c *Create) { c.ID = "g1" })
	first = after(first, Resign{Player: "w"}, OfferRematch{Player: "w"}, OfferRematch{Player: "b", Next: "g2"})
	if got := first.matchWire(); got.GetNumber() != 1 || got.GetId() != "g1" || !slices.Equal(got.GetHalfPoints(), []int32{0, 2}) {
		t.Errorf("the first game's match: %v", got)
	}
	setup := Setup{Rules: "chess", Visibility: "private", Seats: first.Seats, Ruling: *plainRuling(0), Opponent: OpponentPerson}
	c := first.follow(setup, [2]Profile{{Name: "W", Rating: 1480}, {Name: "B", Rating: 1520}}, "b", 5)
	if c.ID != "g2" || c.Seats[0].Player != "b" || c.Seats[0].Side != "white" || c.Seats[0].Rating != 1520 || c.Seats[1].Name != "W" ||
		c.Side != "white" || c.Maker != "b" {
		t.Errorf("the next game: %+v", c)
	}
	second := after(State{}, c, Resign{Player: "w"})
	if got := second.matchWire(); got.GetNumber() != 2 || got.GetId() != "g1" || !slices.Equal(got.GetHalfPoints(), []int32{4, 0}) {
		t.Errorf("the second game's match: %v", got)
	}
	annulled := after(second, Adjudicate{By: "t", Result: annul, Note: "n"})
	if got := annulled.points(); got != [2]int32{2, 0} || annulled.Result() != "*" {
		t.Errorf("an annulled game counts: %v, %s", got, annulled.Result())
	}
}

// TestAnAdjudicationIsRatedAsTheNextRevision, and an annulled game is taken back
// where it was rated.
func TestAnAdjudicationIsRatedAsTheNextRevision(t *testing.T) {
	s := given(made(person("white"), person("black"), nil, true), Resign{Player: "w"}, nil, at(1))
	rate := func(s State) State { return given(s, Rate{}, nil, time.UnixMilli(s.ChangedAt)) }
	s = rate(s)
	if s.Revision != 1 || owesRating(s) {
		t.Fatalf("rated: %+v", s)
	}
	s = given(s, Adjudicate{By: "t", Result: "1-0", Note: "n"}, nil, at(5))
	if !owesRating(s) || s.Revision != 1 || s.FinishedAt != at(1).UnixMilli() || s.Result() != "1-0" || s.Ruled.By != "t" {
		t.Errorf("decided: %+v", s)
	}
	s = given(rate(s), Adjudicate{By: "t", Result: annul, Note: "n"}, nil, at(6))
	if !owesRating(s) || s.Revision != 2 || s.Status != StatusCancelled || s.Closed.Why != WhyAnnulled || s.Outcome != nil {
		t.Errorf("annulled: %+v", s)
	}
	if s = rate(s); owesRating(s) || s.Revision != 3 {
		t.Errorf("annulled and told: %+v", s)
	}
	fresh := given(made(person("white"), person("black"), nil, true), Adjudicate{By: "t", Result: annul, Note: "n"}, nil, at(1))
	if owesRating(fresh) {
		t.Error("a game that was never rated is taken back")
	}
	old := rate(given(made(person("white"), person("black"), nil, true), Resign{Player: "w"}, nil, at(1)))
	old.Revision = 0 // as it was stored before revisions were kept
	if s := given(old, Adjudicate{By: "t", Result: "1-0", Note: "n"}, nil, at(5)); s.Revision != 1 {
		t.Errorf("the next revision is %d, want 1", s.Revision)
	}
}

// TestAPromotedPieceIsTakenAsWhatItBecame: what was taken follows from what stood
// there, not from what is missing.
func TestAPromotedPieceIsTakenAsWhatItBecame(t *testing.T) {
	s := with(person("white"), person("black"), nil, func(c *Create) { c.Values = map[string]int32{"pawn": 1, "queen": 9, "rook": 5} })
	s.Ruling.Pieces = []Piece{{"a7", "white", "pawn"}, {"b8", "black", "rook"}, {"c8", "black", "rook"}}
	promoted := plainRuling(1)
	promoted.Pieces = []Piece{{"b8", "white", "queen"}, {"c8", "black", "rook"}}
	s = given(s, Play{Player: "w", Move: Move{Text: "a7b8q", Captures: []string{"b8"}}}, promoted, at(1))
	taken := plainRuling(2)
	taken.Pieces = []Piece{{"b8", "black", "rook"}}
	s = given(s, Play{Player: "b", Turn: 1, Move: Move{Text: "c8b8", Captures: []string{"b8"}}}, taken, at(2))
	g := s.overview("")
	if !slices.Equal(g.GetCaptured()[0].GetKinds(), []string{"rook"}) || !slices.Equal(g.GetCaptured()[1].GetKinds(), []string{"queen"}) ||
		!slices.Equal(g.GetMaterial(), []int32{0, 5}) {
		t.Errorf("captured %v, material %v", g.GetCaptured(), g.GetMaterial())
	}
}

// TestSavedGamesCount: they are as many as a limit says, and guests' end one day.
func TestSavedGamesCount(t *testing.T) {
	saved := made(guest("x"), engineSeat("o"), nil, false)
	saved.Status = StatusSuspended
	if !(Limit{Player: "guest:x", Of: LimitLive}).counts(saved) || (Limit{Player: "guest:x", Of: LimitOpen}).counts(saved) {
		t.Error("a saved game is counted wrongly")
	}
	const day = 24 * 3_600_000
	if got := answer(Decide(saved, Expire{}, nil, at(30*day-1))); !reflect.DeepEqual(got, no("not_due")) {
		t.Errorf("before 30 days: %v", got)
	}
	if got := answer(Decide(saved, Expire{}, nil, at(30*day))); !reflect.DeepEqual(got, ok(KindCancelled)) {
		t.Errorf("after 30 days: %v", got)
	}
	account := twoPersons(nil)
	account.Status = StatusSuspended
	if got := answer(Decide(account, Expire{}, nil, at(900*day))); !reflect.DeepEqual(got, no("not_due")) {
		t.Errorf("an account's: %v", got)
	}
}

// TestTheOfferToSaveAGameEndsWithIt: a game that is over shows nobody who would
// like to go on with it later, however it ended.
func TestTheOfferToSaveAGameEndsWithIt(t *testing.T) {
	for _, end := range []Event{
		{Kind: KindFinished, Side: "x", Outcome: &Outcome{Winner: "x", Reason: "resignation"}},
		{Kind: KindCancelled, Side: "x", Closed: &Closed{Why: WhyAborted, Side: "x"}},
		{Kind: KindAdjudicated, Outcome: &Outcome{Winner: "x", Reason: "adjudication"}, Ruled: &Ruled{By: "t"}},
	} {
		s := State{Status: StatusRunning, Seats: [2]Seat{{Side: "x", Kind: SeatPerson}, {Side: "o", Kind: SeatPerson}}}
		s = Evolve(s, Event{Kind: KindSuspendOffered, Side: "o"})
		if s.Pause != "o" {
			t.Fatalf("the offer of %v", s.Pause)
		}
		after := Evolve(s, end)
		if got := after.whole("").GetPauseOffer(); after.Pause != "" || got != "" {
			t.Errorf("%s: the offer of %q stands, %q is shown", end.Kind, after.Pause, got)
		}
		after.Pause = "o" // as games of before are stored
		if got := after.whole("").GetPauseOffer(); got != "" {
			t.Errorf("%s: %q is shown of a game of before", end.Kind, got)
		}
	}
}
