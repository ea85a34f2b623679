package core

import "time"

// Clock is what a player has left on the clock.
type Clock struct {
	Remaining, Increment time.Duration
	// MovesToGo is how many moves must be made in Remaining; 0 means all.
	MovesToGo int
	// Overhead is lost between the clock and the search with each move.
	Overhead time.Duration
}

// Budget is the time for one move. A search should begin no iteration after
// about Soft, and must end by Hard. It is used by one search.
type Budget struct {
	Soft, Hard time.Duration

	best   string
	stable int
	scores []int
}

// The shares of the time left: for a game without an end in sight one of
// movesAhead moves is made now, and never more than a part of all is risked.
const (
	movesAhead = 26
	mostMoves  = 40
	least      = time.Millisecond
)

// NewBudget shares out a clock. Soft and Hard are never more than what is left
// without the overhead, and at least a millisecond, so that a move is made.
func NewBudget(c Clock) *Budget {
	left := max(c.Remaining-c.Overhead, least)
	moves := time.Duration(movesAhead)
	if c.MovesToGo > 0 {
		moves = time.Duration(min(c.MovesToGo, mostMoves))
	}
	soft := left/moves + c.Increment*3/4
	hard := left * 2 / 5
	if c.MovesToGo == 1 {
		hard = left * 9 / 10
	}
	hard = max(min(hard, 5*soft, left), least)
	return &Budget{Soft: max(min(soft, hard), least), Hard: hard}
}

// Fixed is the budget of a move that may take so long, and should.
func Fixed(move, overhead time.Duration) *Budget {
	hard := max(move-overhead, least)
	return &Budget{Soft: hard, Hard: hard}
}

// Enough is told of every finished iteration with the time since the search
// began, and tells whether to play. It goes on longer while the best move
// changes, much work lies outside it or the score falls, and ends sooner
// otherwise. Reports of further lines are passed over.
func (b *Budget) Enough(r Report, elapsed time.Duration) bool {
	if r.Index != 0 || len(r.Line) == 0 {
		return false
	}
	if r.Line[0] == b.best {
		b.stable++
	} else {
		b.best, b.stable = r.Line[0], 0
	}
	fall := 0
	if n := len(b.scores); n > 0 {
		fall = b.scores[max(0, n-3)] - r.Score
	}
	b.scores = append(b.scores, r.Score)
	if elapsed >= b.Hard {
		return true
	}
	if b.Soft == b.Hard {
		return false
	}
	// In percent, each around 100.
	steady := []int{150, 125, 108, 98, 90, 84}[min(b.stable, 5)]
	work := 100
	if r.Share > 0 {
		work = 160 - int(90*r.Share)
	}
	drop := 100 + max(min(fall, 60), -15)
	return elapsed >= b.Soft*time.Duration(steady*work)/10000*time.Duration(drop)/100*9/10
}
