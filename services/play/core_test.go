package play

import (
	"fmt"
	"time"
)

// The core is tested with a game without rules: sides white and black take
// turns, and a position is the number of plies played.

var testSides = [2]string{"white", "black"}

// at is a moment in the tests' time.
func at(ms int64) time.Time { return time.UnixMilli(1_000_000 + ms) }

func plainRuling(ply int) *Ruling {
	return &Ruling{
		Position: Position{Rules: "chess", Text: fmt.Sprint(ply), History: fmt.Sprint("h", ply)},
		Side:     testSides[ply%2],
		Moves:    []Move{{Text: "m"}},
		CanWin:   []string{"white", "black"},
		Key:      fmt.Sprint(ply),
	}
}

func endRuling(ply int, winner, reason string) *Ruling {
	r := plainRuling(ply)
	r.Moves = nil
	r.Outcome = &Outcome{Winner: winner, Reason: reason}
	return r
}

// person is an account's seat; the account "w" plays white, "b" black.
func person(side string) Seat {
	return Seat{Side: side, Kind: SeatPerson, Player: side[:1], Account: side[:1], Name: side}
}

func engineSeat(side string) Seat {
	return Seat{Side: side, Kind: SeatEngine, Name: "plies-4", Level: "plies-4", Seed: 7}
}

// guest is a guest's seat, of a game that only guests may play.
func guest(side string) Seat {
	return Seat{Side: side, Kind: SeatPerson, Player: "guest:" + side, Name: "guest"}
}

func openSeat(side string) Seat { return Seat{Side: side, Kind: SeatOpen} }

// made is a game just created at moment 0.
func made(first, second Seat, clock *Settings, rated bool) State {
	rules := "chess"
	if first.Account == "" && first.Player != "" {
		rules = guestRules
	}
	c := Create{ID: "g", Rules: rules, Visibility: "private", Rated: rated, Seats: [2]Seat{first, second}, Clock: clock, Side: "white"}
	events, err := Decide(State{}, c, plainRuling(0), at(0))
	if err != nil {
		panic(err)
	}
	return Fold(State{}, events)
}

func twoPersons(clock *Settings) State {
	return made(person("white"), person("black"), clock, false)
}

// played makes moves, a second after another.
func played(s State, plies int) State {
	for range plies {
		c := Play{Player: s.Seats[s.ToMove()].Player, Turn: s.Turn, Move: Move{Text: "m"}}
		events, err := Decide(s, c, plainRuling(len(s.Plies)+1), time.UnixMilli(s.ChangedAt+1000))
		if err != nil {
			panic(err)
		}
		s = Fold(s, events)
	}
	return s
}

// given lets a command succeed.
func given(s State, c Command, r *Ruling, now time.Time) State {
	events, err := Decide(s, c, r, now)
	if err != nil {
		panic(err)
	}
	return Fold(s, events)
}
