// Package games says what every board game is to the rest of Tabuleiro: a
// position as text, the moves it allows, what a move does, and why a move is
// refused.
//
// Each game (chess, draughts, tictactoe) is a package below this one with its
// own fast types for those that play millions of moves; this package is the
// shape they share at the edge, where positions and moves are text.
package games

import "strconv"

// Side is the player of a seat. First moves first from the starting position:
// White in chess and draughts, X in tic-tac-toe.
type Side uint8

// The two sides.
const (
	First Side = iota
	Second
)

// Other is the opponent of s.
func (s Side) Other() Side { return s ^ 1 }

// Position is a position as text with what its game must remember.
type Position struct {
	// Rules names the game: "chess", "draughts" or "tictactoe".
	Rules string
	// Text is the position: FEN, PDN FEN with algebraic squares, or the rows of
	// tic-tac-toe.
	Text string
	// Draws names the set of draw rules; empty is the game's default.
	Draws string
	// History holds the counters and repetition keys of the moves that led
	// here, as the last Ruling gave it; empty for a position without a past.
	// Only the game that wrote it reads it.
	History string
}

// Move is one way to move, along one path.
type Move struct {
	// Text is the exact form that Apply always accepts: UCI in chess, every
	// PDN 3.0 square in draughts, the square in tic-tac-toe.
	Text string
	// Notation is what people write: SAN, the shortest unambiguous PDN form, or
	// the square.
	Notation string
	// From and To are the squares where the piece leaves and rests. From is
	// empty where a piece is placed.
	From, To string
	// Path is every square that a client walks to make the move, from the
	// origin to the last square; one square where a piece is placed. Chess
	// castling is king's origin and king's destination (in Chess960: from the
	// king, to the rook).
	Path []string
	// Captures are the squares of the taken pieces, sorted as text.
	Captures []string
	// Promotion is the letter of the new piece in chess (q, r, b, n), "k" for a
	// crowned man in draughts, or empty.
	Promotion string
}

// Piece is what stands on one square.
type Piece struct {
	Square string
	Side   Side
	// Kind is king, queen, rook, bishop, knight or pawn in chess, man or king in
	// draughts, mark in tic-tac-toe.
	Kind string
}

// Outcome is how a game ended.
type Outcome struct {
	// Winner is the side that won; meaningless where Draw is set.
	Winner Side
	// Draw says that nobody won.
	Draw bool
	// Reason is a stable word: checkmate, stalemate, insufficient_material,
	// repetition_5, moves_75, no_pieces, no_moves, three_in_a_row, board_full,
	// and those of the named draw sets.
	Reason string
}

// Ruling is everything that a game must know about a position: what its side
// to move may do, whether the game is over, and what may be claimed.
type Ruling struct {
	// Position is the position ruled on, written strictly, with the history to
	// hand in with the next move.
	Position Position
	// Side is to move.
	Side Side
	// Moves are all legal moves in a fixed order; none when the game is over.
	Moves []Move
	// Outcome is nil while the game goes on.
	Outcome *Outcome
	// Claims are the draws that the side to move may claim now: repetition_3,
	// moves_50 and those of the named draw sets.
	Claims []string
	// CanWin says, by side, whether that side could still win by some series of
	// legal moves as far as its material tells; it decides a fall of the flag.
	CanWin [2]bool
	// Key is the repetition key of the position.
	Key string
	// Repetition counts the occurrences of this position, this one included.
	Repetition int
	// Check holds the squares of the pieces that give check, sorted; chess only.
	Check []string
	// LastLine holds the squares of a winning line, sorted; tic-tac-toe only.
	LastLine []string
	// Pieces are all that stand on the board, sorted by the text of their square.
	Pieces []Piece
}

// Game is one game's rules at the edge of the system. Implementations hold no
// state and are safe for concurrent use.
type Game interface {
	// Name is the word for Position.Rules.
	Name() string
	// Sides are the names of the first and the second side.
	Sides() [2]string
	// DrawSets are the names of the draw rules, the default first.
	DrawSets() []string
	// Size is the number of rows and columns of the board.
	Size() (rows, columns int)
	// Start is the starting position under the named draw set; empty means the
	// default.
	Start(draws string) (Position, error)
	// Rule reads a position leniently and rules on it. The error is *Invalid.
	Rule(p Position) (Ruling, error)
	// Apply plays a move given in any of the game's notations. The error is
	// *Invalid for the position or *Refusal for the move.
	Apply(p Position, move string) (Move, Ruling, error)
}

// Refusal is why a move does not count. Its code is stable; its squares say
// where to look.
type Refusal struct {
	Code Code
	// Squares are those that the reason is about, most telling first: the piece
	// that was touched, the piece that checks, the pieces that must capture.
	Squares []string
	// Moves are the moves that would do where the reason is about them (the
	// captures that majority asks for, the readings of an ambiguous text, the
	// promotions where the new piece is missing).
	Moves []string
	// Ways are the ways out of check by kind, where the mover is in check and the
	// move does not answer it.
	Ways []Way
}

// Error is an English sentence for logs and the command line; clients write
// their own from the code and the squares.
func (r *Refusal) Error() string {
	s := r.Code.Sentence()
	for i, sq := range r.Squares {
		if i == 0 {
			s += ":"
		}
		s += " " + sq
	}
	return s
}

// Invalid is why a text is not a position. Syntax tells a text that cannot be
// read from a readable position that breaks a rule.
type Invalid struct {
	// Syntax is true when the text could not be read at all.
	Syntax bool
	// Reasons are stable words, sorted, at least one.
	Reasons []string
	// Detail is an English sentence for people.
	Detail string
}

// Error is the detail.
func (e *Invalid) Error() string { return e.Detail }

// Code is BadText or BadPosition.
func (e *Invalid) Code() Code {
	if e.Syntax {
		return BadText
	}
	return BadPosition
}

// UnknownDraws is the *Invalid for a draw set that a game does not have.
func UnknownDraws(game, draws string) *Invalid {
	return &Invalid{Reasons: []string{"unknown_draws"}, Detail: game + " has no draw rules named " + strconv.Quote(draws)}
}
