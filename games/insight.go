package games

// Explainer is a game that can say what a position holds beyond its moves, as a
// teacher would point at it. It looks at the rules alone and searches nothing,
// but for tic-tac-toe, whose few positions are all known.
type Explainer interface {
	// Explain reads a position leniently. The error is *Invalid.
	Explain(p Position) (Insight, error)
}

// Insight is what a teacher points at in a position. Squares are sorted as text.
type Insight struct {
	// Position is the position explained, written strictly.
	Position Position
	// Side is to move.
	Side Side
	// Movable are the squares of the pieces that may move; none where pieces are
	// placed, and none when the game is over.
	Movable []string
	// Checks are the squares of the pieces that give check; chess only.
	Checks []string
	// Ways are the ways out of check by kind, each with at least one move; none
	// where there is no check. They are all the legal moves.
	Ways []Way
	// Pins are the pieces of both sides that shield their own king; chess only.
	Pins []Pin
	// Targets are the pieces of both sides that could be taken if it were the
	// other side's turn, in draughts by the captures that the law of the majority
	// would leave.
	Targets []Target
	// MustCapture is how many pieces a move has to take, 0 where none can be
	// taken; draughts only. The moves that do are Captures.
	MustCapture int
	// Captures are the compulsory captures, one a path; draughts only.
	Captures []Move
	// Wins are the squares that win at once, Blocks those that the opponent would
	// win on if it were to move; tic-tac-toe only.
	Wins, Blocks []string
	// Perfect is what perfect play brings; tic-tac-toe only.
	Perfect *Perfect
}

// The kinds of ways out of check.
const (
	WayCapture = "capture" // the piece that gives check is taken
	WayFlee    = "flee"    // the king goes elsewhere
	WayBlock   = "block"   // a piece steps between
)

// Way is one kind of way out of check.
type Way struct {
	// Kind is WayCapture, WayFlee or WayBlock. A king that takes the piece that
	// gives check captures; one that takes another flees.
	Kind  string
	Moves []Move
}

// Pin is a piece that may not leave the line between its king and an opponent's
// piece.
type Pin struct {
	Pinned, Pinner, King string
	// Side is whose piece is pinned.
	Side Side
}

// Target is a piece that could be taken.
type Target struct {
	Square string
	// Side is whose piece it is.
	Side Side
	// Attackers are the pieces that could take it, Defenders those that could
	// then take back where the game tells (chess).
	Attackers, Defenders []string
	// Hanging tells that taking it gains: in chess by the exchange of captures on
	// its square, each side taking with its cheapest piece and stopping where
	// going on would lose; in draughts always.
	Hanging bool
}

// Perfect is what perfect play brings to the side to move.
type Perfect struct {
	// Value is 1 for a win, 0 for a draw, -1 for a loss.
	Value int
	// Plies are those to the end, the winner hurrying and the loser delaying.
	Plies int
	// Best are the squares that keep both; none when the game is over.
	Best []string
}
