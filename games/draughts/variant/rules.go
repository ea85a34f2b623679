// Package variant is the draughts kernel for the rule set of any country: the
// rules are data, the same code makes the moves of all.
//
// Package draughts plays the Brazilian game alone, on the same numbers of
// squares, with the data of [Brazilian] made constants; a test here holds that
// both find the same moves. Nothing but the Brazilian game is offered yet.
//
// What all countries share is not data: play on the dark squares, men that step
// forward and captures that are compulsory and complete; an empty square may be
// passed more than once, a piece is taken once, and the taken pieces leave the
// board after the move; who cannot move has lost.
package variant

import (
	"errors"
	"fmt"
	"slices"
)

// Rules is a rule set.
type Rules struct {
	// Name is a word for people and tests.
	Name string
	// Size is the number of rows and of columns: 8, 10 or 12.
	Size int
	// DarkRight puts the dark corner at the right of each player; else it is at
	// the left.
	DarkRight bool
	// Rows is how many rows of men a side begins with.
	Rows int
	// BlackBegins gives the dark pieces to games.First, the side that begins.
	BlackBegins bool
	// FlyingKing lets a king go, and land behind what it takes, at any distance;
	// else it goes one step and lands right behind.
	FlyingKing bool
	// MenTakeBack lets men capture backwards as well.
	MenTakeBack bool
	// MenSpareKings forbids men to capture kings.
	MenSpareKings bool
	// CrownInPassing crowns a man that reaches the last row in the middle of a
	// capture, which it goes on with as a king. Else a man is crowned where it
	// comes to rest, and goes on from the last row as a man where it can.
	CrownInPassing bool
	// Majority are the priorities among captures, the most important first: those
	// captures are legal that no other one surpasses. Without any the choice is
	// free.
	Majority []Priority
}

// Priority is a measure by which one capture surpasses another.
type Priority uint8

// The priorities.
const (
	// MostPieces is the number of taken pieces, men and kings alike.
	MostPieces Priority = iota + 1
	// ByKing prefers what a king takes to what a man takes.
	ByKing
	// MostKings is the number of taken kings.
	MostKings
	// KingsFirst prefers the capture that meets a king earlier.
	KingsFirst
)

// Brazilian is the rule set of package draughts: 8 by 8, otherwise as the
// international game.
func Brazilian() Rules {
	return Rules{Name: "brazilian", Size: 8, Rows: 3, FlyingKing: true, MenTakeBack: true, Majority: []Priority{MostPieces}}
}

// Countries are the rule sets that are played, the Brazilian one first. Corner
// and beginner are those of the table of game types of PDN 3.0.
func Countries() []Rules {
	italian := []Priority{MostPieces, ByKing, MostKings, KingsFirst}
	iberian := []Priority{MostPieces, MostKings}
	quantity := []Priority{MostPieces}
	return []Rules{
		Brazilian(),
		{Name: "international", Size: 10, Rows: 4, FlyingKing: true, MenTakeBack: true, Majority: quantity}, // Holland's too
		{Name: "canadian", Size: 12, Rows: 5, FlyingKing: true, MenTakeBack: true, Majority: quantity},
		{Name: "sri lankan", Size: 12, DarkRight: true, Rows: 5, FlyingKing: true, MenTakeBack: true, Majority: quantity},
		{Name: "russian", Size: 8, Rows: 3, FlyingKing: true, MenTakeBack: true, CrownInPassing: true},
		{Name: "pool", Size: 8, Rows: 3, BlackBegins: true, FlyingKing: true, MenTakeBack: true}, // the east of the USA
		{Name: "english", Size: 8, Rows: 3, BlackBegins: true},                                   // the rest of the USA
		{Name: "italian", Size: 8, DarkRight: true, Rows: 3, MenSpareKings: true, Majority: italian},
		{Name: "spanish", Size: 8, DarkRight: true, Rows: 3, FlyingKing: true, Majority: iberian},
		{Name: "portuguese", Size: 8, DarkRight: true, Rows: 3, FlyingKing: true, Majority: iberian},
		{Name: "czech", Size: 8, Rows: 3, FlyingKing: true, Majority: []Priority{ByKing}},
	}
}

func (r *Rules) check() error {
	if r.Size != 8 && r.Size != 10 && r.Size != 12 {
		return fmt.Errorf("a board of %d rows: it has 8, 10 or 12", r.Size)
	}
	if r.Rows < 1 || 2*r.Rows >= r.Size {
		return fmt.Errorf("%d rows of men a side on a board of %d rows", r.Rows, r.Size)
	}
	for i, p := range r.Majority {
		if p < MostPieces || p > KingsFirst {
			return fmt.Errorf("there is no priority %d", p)
		}
		if slices.Contains(r.Majority[:i], p) {
			return errors.New("a priority is named twice")
		}
	}
	return nil
}
