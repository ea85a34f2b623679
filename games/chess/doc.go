// Package chess is the rules of chess and Chess960: positions as values, legal
// moves, what a move does, why one is refused, and FEN, SAN and UCI in and out.
//
// It has two faces. [Game] is the edge, where positions and moves are text; it
// implements games.Game. [Position], [Move] and [MoveList] are for programs
// that play millions of moves: nothing there allocates.
//
// Text becomes a position in steps. [ParseFEN] reads any content into a
// [Setup]; [Setup.Faults] says what is wrong with it; [Setup.Position] turns it
// into a Position that plays, refusing only what would break the rules
// (lenient), [Setup.StrictPosition] also what no game can reach (strict).
//
// # Sources of the rules
//
// FIDE Laws of Chess: articles 3 (moves), 5.2 (mate, stalemate, dead
// positions), 9.2 and 9.3 (claims of threefold repetition and fifty moves), 9.6
// (fivefold repetition and seventy-five moves, where mate comes first), 6.9
// (a flag falls against a side that cannot be mated), guideline II (Chess960).
// Notation: the PGN standard of 1994, section 8.2.3 (SAN) and 16.1 (FEN), with
// the en passant square written only where the capture is legal; X-FEN and
// Shredder-FEN for castling rights; the UCI protocol for moves. Dead positions
// are seen by material only, as nearly all servers do; blocked pawn chains play
// on. The counts in testdata come from the public suites named in each row.
package chess
