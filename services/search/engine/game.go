package engine

import "tabuleiro/services/search/engine/core"

// What every search shares; see package core.
type (
	Limits  = core.Limits
	Options = core.Options
	Report  = core.Report
	Result  = core.Result
	Entry   = core.Entry
	Bound   = core.Bound
	Table   = core.Table
	Switch  = core.Switch
)

const (
	Win      = core.Win
	MaxDepth = core.MaxDepth
	Exact    = core.Exact
	Lower    = core.Lower
	Upper    = core.Upper

	EvaluatorF2 = core.EvaluatorF2
)

// NewTable makes a table of at most so many bytes; see core.NewTable.
func NewTable(bytes int) *Table { return core.NewTable(bytes) }

// Full are the options of the level "full": everything on.
func Full() Options { return core.Full() }

// IsWin tells whether a score is a forced win; IsLoss, a forced loss.
func IsWin(score int) bool { return core.IsWin(score) }

// IsLoss tells whether a score is a forced loss.
func IsLoss(score int) bool { return core.IsLoss(score) }

// Rules is what the exact search needs of a game with positions P and moves M. The
// values of M name a move in its position and nothing more.
//
// An implementation may hold scratch space: each search makes its own.
type Rules[P, M any] interface {
	// Hash tells positions apart, the side to move included. Two positions with
	// one hash are a repetition.
	Hash(p *P) uint64
	// Legal appends all legal moves in a fixed order; none once the game has
	// ended on the board.
	Legal(p *P, into []M) []M
	// Forcing appends the moves that quiescence must look at. With quiet the
	// side may also leave things as they are; without it and without moves the
	// game has ended.
	Forcing(p *P, into []M) (moves []M, quiet bool)
	// Play sets next to the position after a legal move.
	Play(p *P, m M, next *P)
	// Stuck tells of a position without a legal move whether its side has lost;
	// otherwise it is a draw.
	Stuck(p *P) (lost bool)
	// Drawn tells whether counters or material make a draw, or let one be
	// claimed. Repetitions are the search's own business.
	Drawn(p *P) bool
	// Counters is a number that differs where Drawn could differ within so many
	// plies between positions of one hash; 0 where it could not.
	Counters(p *P, plies int) uint64
	// Reversible counts the plies since the last move that no later position
	// can undo.
	Reversible(p *P) int
	// Pack is a move in 32 bits, never 0. Its lowest 12 bits depend on origin
	// and destination alone.
	Pack(m M) uint32
	// Gain is 0 for a quiet move and otherwise higher for what promises more.
	Gain(p *P, m M) int
	// Text is the exact text of a legal move.
	Text(p *P, m M) string
}

// Evaluator says what a position is worth for its side to move, in centipawns
// (hundredths of a man), as far as can be told without searching. It must not
// depend on anything but the position.
type Evaluator[P any] interface {
	Evaluate(p *P) int
}
