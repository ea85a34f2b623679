// Package engine searches positions of chess, Brazilian draughts and
// tic-tac-toe with alpha-beta.
//
// It is pure: time and the wish to stop come in as functions, nothing is read
// or written, no goroutine is started. [Open] reads a position and its past;
// the [Problem] that it gives can be searched any number of times, also at the
// same time, each search with a [Table] that searches may share.
//
// # Two ways to search
//
// Exact (Options.Exact) is the way of the classic levels: a fixed depth with
// quiescence behind it, and nothing that changes a value. It gives what plain
// minimax gives, so moves of the same value are truly equal and one of them
// can be drawn. It is here, and the same for all games. Otherwise a game's own
// search deepens until it is stopped, in which every pruning that may change a
// value is a switch in Options: packages chesssearch and draughtssearch.
//
// # A game
//
// [Rules] is what the exact search needs of a game and [Evaluator] what it thinks
// of a position. Both work on the game's own value types; within the tree nothing
// is allocated once the frames have grown.
//
// # Scores
//
// Centipawns for the side to move. A win in n plies is [Win] - n, a loss n -
// Win, so that wins come soon and losses late.
package engine
