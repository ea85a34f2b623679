package match

import (
	"fmt"
	"time"

	"tabuleiro/games"
)

// turn is what a player is asked.
type turn struct {
	// start is where the game began, moves led from there to now.
	start games.Position
	moves []games.Move
	now   games.Ruling
	// left and increment are the clocks by side, under a limit with one.
	left      [2]time.Duration
	increment [2]time.Duration
}

// reply is a player's move.
type reply struct {
	// move is in any form that the rules read.
	move string
	// score is in centipawns for the player; scored tells whether there is one.
	score  int
	scored bool
	depth  int
	nodes  uint64
	cpu    time.Duration
	spent  time.Duration
}

// player is an engine at one board. A player that failed must be closed and is
// not asked again.
type player interface {
	// newGame tells that what comes has nothing to do with what was.
	newGame(start games.Position) error
	// move answers a turn. The error is *Fault where it is the player's.
	move(t turn) (reply, error)
	close()
}

// The kinds of faults that lose a game.
const (
	Crash   = "crash"
	Hang    = "hang"
	Illegal = "illegal move"
	Late    = "time"
)

// Fault is why an engine lost a game other than on the board.
type Fault struct {
	Kind   string
	Detail string
}

func (f *Fault) Error() string { return fmt.Sprintf("%s: %s", f.Kind, f.Detail) }
