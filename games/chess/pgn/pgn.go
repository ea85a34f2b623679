// Package pgn reads and writes records of chess games in PGN, the portable game
// notation of 1994, checking every move against the rules.
//
// [Reader] is lenient and streams: it keeps one buffer and one game, whatever
// the length of the file. [Writer] is strict: it writes the export format, and
// what it writes reads as the same game.
//
// # Choices where sources differ
//
//   - A move that is illegal, ambiguous or unreadable ends its game's moves; the
//     rest of that game is passed over and the next one is read. Inside a
//     variation it ends the variation only.
//   - A game ends at its termination marker, at the next tag pair that opens a
//     line, or, for records without either, at a move number 1 that follows a
//     blank line. The
//     marker tells the result, or the Result tag where it is missing or *.
//   - A null move (--, Z0) is for variations; in the main line it is a fault.
//   - "e.p." after a capture in passing, zeros for castling, e8Q, needless or
//     missing check marks and too much disambiguation are read and never written.
//   - Draws by repetition or counting do not end a record: moves played after
//     them are read. After mate and stalemate there is no legal move anyway.
//   - A tag given twice has its last value. Text that is not UTF-8 is taken for
//     Latin-1. Runs of blanks and line ends in comments are one blank.
//   - A brace comment that nothing closes ends where, after a blank line, a tag
//     pair opens a line, so that it costs one game and not the file.
//   - Marks such as "!?" are their numeric glyphs, which is how they are written.
package pgn

import (
	"fmt"

	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// The limits of what is read and written; what passes them is a fault.
const (
	maxSymbol  = 255      // bytes of a move, a tag's name or a number
	maxHeader  = 2 << 20  // bytes of all tags, those that are given again included
	maxValue   = 4096     // bytes of a tag's value
	maxTags    = 256      // a game, besides those that the writer adds
	maxComment = 64 << 10 // bytes of one comment
	maxDepth   = 64       // of nested variations
	maxPlies   = 20_000   // a line from the game's start; the longest game has 17,697
	maxErrors  = 16       // kept of one game
	maxWeight  = 16 << 20 // bytes, about, of all annotations of a game
)

// Result is how a record says that a game ended.
type Result string

// The results; Unknown is a game that goes on, was broken off or never said.
const (
	WhiteWins Result = "1-0"
	BlackWins Result = "0-1"
	Drawn     Result = "1/2-1/2"
	Unknown   Result = "*"
)

// Tag is a pair of the header.
type Tag struct{ Name, Value string }

// Game is one record. A game handed to Reader.Next lends it the storage of
// Tags, Moves and Errors again.
type Game struct {
	// Tags are in the order of the file.
	Tags []Tag
	// Start is the position before the first move.
	Start chess.Position
	// Line is the main line.
	Line
	// Final is the position after the main line.
	Final  chess.Position
	Result Result
	// Errors are the faults in the order of the file, the first 16 of them.
	Errors []Error
	// Spoiled tells that the main line is cut short by a fault.
	Spoiled bool
}

// Tag is the value of the tag with a name, and whether there is one.
func (g *Game) Tag(name string) (string, bool) {
	for _, t := range g.Tags {
		if t.Name == name {
			return t.Value, true
		}
	}
	return "", false
}

// Line is a series of moves with what is said about them.
type Line struct {
	// Moves are legal one after another. In variations chess.NoMove is a null
	// move, which passes the turn.
	Moves []chess.Move
	// Notes are sparse, in rising order of After.
	Notes []Note
}

// Note is what stands behind a number of moves of a line, so it speaks of the
// last of them; with none it opens the line.
type Note struct {
	After int
	// Glyphs are numeric annotation glyphs (1 is !, 2 is ?) without repetitions.
	Glyphs   []uint8
	Comments []string
	// Variations are other ways to play the last of the moves; none opens a line.
	Variations []Line
}

// note is where something said now belongs.
func (l *Line) note() *Note {
	if n := len(l.Notes); n == 0 || l.Notes[n-1].After != len(l.Moves) {
		l.Notes = append(l.Notes, Note{After: len(l.Moves)})
	}
	return &l.Notes[len(l.Notes)-1]
}

// The codes of faults in records, besides those of refused moves and positions
// in package games.
const (
	BadTag         games.Code = "bad_tag"
	BadGlyph       games.Code = "bad_glyph"
	NullMove       games.Code = "null_move"
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
