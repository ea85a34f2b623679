package farm

import (
	"errors"
	"time"

	"tabuleiro/games"
	"tabuleiro/services/search/engine"
)

var (
	// ErrBusy means that as many searches as may run do, and as many wait.
	ErrBusy = errors.New("the engine is busy")
	// ErrUnknownLevel means that there is no such level.
	ErrUnknownLevel = errors.New("there is no such level")
)

// Level is a strength to play against.
type Level struct {
	Name string
	// Plies is the fixed depth of a classic level; 0 is as deep as time allows.
	Plies int
}

// full is the level that deepens until its limit.
const full = "full"

// Levels are all levels, the weakest first.
func Levels() []Level {
	return []Level{{"plies-2", 2}, {"plies-4", 4}, {"plies-6", 6}, {full, 0}}
}

func levelOf(name string) (Level, bool) {
	for _, l := range Levels() {
		if l.Name == name {
			return l, true
		}
	}
	return Level{}, false
}

// options are the engine's for a depth as tasks give it: a fixed depth is
// searched exactly.
func options(depth int) engine.Options {
	if depth > 0 {
		return engine.Options{Exact: true, ShareDepth: shareDepthExact}
	}
	opts := engine.Full()
	opts.ShareDepth = shareDepth
	return opts
}

// Request asks for the best move.
type Request struct {
	Position games.Position
	Level    string
	// Limit is the time to the answer, waiting for a place included.
	Limit time.Duration
	// Nodes bounds the search and makes it repeatable: it uses neither helpers
	// nor the cache then. 0 is no bound.
	Nodes uint64
	// Seed draws among equal best moves.
	Seed int32
	// Helpers is how many workers are wanted.
	Helpers int
}

// Answer is the best move found.
type Answer struct {
	// Move and Line are exact move texts.
	Move string
	Line []string
	// Score is in centipawns for the side to move.
	Score int
	// Depth in plies is the last that was finished; 0 when there was no time
	// for any, or the move is from the book.
	Depth int
	// Nodes are those of the coordinator and its helpers.
	Nodes   uint64
	Elapsed time.Duration
	// Helpers is how many workers took part.
	Helpers int
}
