// Package pdn reads and writes records of Brazilian draughts games in Portable
// Draughts Notation 3.0 (game type 26).
//
// [Reader] is lenient and streams: it keeps one game, of bounded size, whatever
// the length of the file, and checks every move against the rules. [Writer] is
// strict: it writes what the standard allows, and what it writes reads as the
// same game.
//
// # Numbered squares
//
// Squares are algebraic, or numbers that count the dark squares row by row.
// Numbers begin at b8 (lidraughts) or at a1 (the Hub protocol, pydraughts);
// which one a game means is settled, in this order, by the notation of its
// GameType tag (26,W,8,8,N2,0 begins top left, N0 bottom left, N3 and N1 on the
// right), by Config.Numbering, and by trial: the numbering under which more of
// its moves are legal, b8 where that leaves both.
//
// # Choices where sources differ
//
//   - A move that is illegal, ambiguous or unreadable ends its game's moves; the
//     rest of that game is passed over and the next one is read. Inside a
//     variation it ends the variation only.
//   - A game ends at a result or an asterisk or, on one line, both; at the next tag
//     that follows moves; or, for records without either, at a move number 1 that
//     follows a blank line. An asterisk glued to a move is the old mark of a forced move and not
//     an end: it is a fault, and kept as $7, but costs no moves.
//   - A result behind the moves counts before the Result tag, an asterisk there
//     does not: the standard ends every game with one. The results of
//     international draughts, 2-0, 1-1 and 0-2, are translated; a draw may be 1/2,
//     0.5-0.5 or have a blank before its hyphen too. 1-0 is never a move, as there
//     is no square 0.
//   - The sign of a capture, x or :, in a quiet move is a fault, cannot_move_so; a
//     hyphen or nothing in a capture is read.
//   - A GameType tag that starts with 26 but says of the start colour, the corner of
//     a1 or the playing squares what game type 26 does not is a fault, bad_tag, that
//     costs no moves: White begins, and a1 is played on.
//   - A variation replaces the move before it; behind a setup it goes on from it.
//   - /FEN "B::"/ passes the turn.
//   - A tag given twice has its last value. Text that is not UTF-8 is taken for
//     Latin-1. Line ends in comments, with the blanks around them, are one blank.
//   - A brace comment that nothing closes ends where, after a blank line, a tag
//     opens a line, so that it costs one game and not the file.
//   - Comments that begin with ; are read, and written in braces.
//   - Notes are written in the order comments, glyphs, variations.
package pdn

import (
	"fmt"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// Result is how a record says that a game ended.
type Result string

// The results; Unknown is a game that goes on, was broken off or never said.
const (
	WhiteWins Result = "1-0"
	BlackWins Result = "0-1"
	Drawn     Result = "1/2-1/2"
	BothLose  Result = "0-0"
	Unknown   Result = "*"
)

// Game is one game of a file.
type Game struct {
	// Tags are in the order of the file.
	Tags []Tag
	// Start and Final are the positions before and after the main line.
	Start, Final draughts.Position
	// Line is the main line; it ends before its first fault.
	Line
	Result Result
	// Outcome is how the main line ends by the rules; nil where it does not.
	Outcome *games.Outcome
	// Errors are the faults in the order of the file, the first 16 of them.
	Errors []Error
	// Spoiled tells that the main line is cut short by a fault.
	Spoiled bool
}

// Tag is a pair of a game's header.
type Tag struct{ Name, Value string }

// Tag is the value of the tag with a name, and whether there is one.
func (g *Game) Tag(name string) (string, bool) {
	for _, t := range g.Tags {
		if t.Name == name {
			return t.Value, true
		}
	}
	return "", false
}

// Line is a series of plies; its notes stand before the first of them.
type Line struct {
	Notes
	Plies []Ply
}

// Moves counts the moves of the line, setups left out.
func (l *Line) Moves() int {
	n := 0
	for i := range l.Plies {
		if !l.Plies[i].IsSetup() {
			n++
		}
	}
	return n
}

func (l *Line) empty() bool {
	return len(l.Plies) == 0 && len(l.Comments) == 0 && len(l.Glyphs) == 0 && len(l.Variations) == 0
}

// Ply is a move, or a setup that puts another position on the board.
type Ply struct {
	// Move is the move; zero for a setup.
	Move games.Move
	// Setup is the position of a setup; empty for a move.
	Setup string
	// Mark is the move's strength as it was written: !, ?, !?, (?).
	Mark string
	// Notes follow the ply. Variations replace it, those of a setup go on from it.
	Notes
}

// IsSetup tells a setup from a move.
func (p *Ply) IsSetup() bool { return p.Setup != "" }

// Notes are what is said about a place in a game.
type Notes struct {
	// Comments are without their braces, white space around and line breaks
	// within; clocks ([%clk 0:01:30]) stay in them.
	Comments []string
	// Glyphs are the numeric annotation glyphs.
	Glyphs     []uint8
	Variations []Line
}

// The codes of faults in records, besides those of refused moves and positions
// in package games.
const (
	BadTag         games.Code = "bad_tag"
	BadGlyph       games.Code = "bad_glyph"
	Unclosed       games.Code = "unclosed"
	Unexpected     games.Code = "unexpected"
	TooLong        games.Code = "too_long"
	TooDeep        games.Code = "too_deep"
	UnknownVariant games.Code = "unknown_variant"
)

// Error is a fault in a record.
type Error struct {
	Code games.Code
	// Line and Column, both from 1, are where the faulty text begins; columns
	// count bytes.
	Line, Column int
	// Ply is that of the move concerned, from 1; 0 for the header.
	Ply int
	// Message is an English sentence.
	Message string
}

// Error is the message with its place.
func (e Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}
