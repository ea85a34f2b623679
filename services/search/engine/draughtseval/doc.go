// Package draughtseval says what positions of Brazilian draughts are worth:
// with patterns of men whose weights are tuned over games that the engine
// played against itself, and as the founding draughts program of 2002 did.
//
// # Patterns
//
// Twelve overlapping regions of eight dark squares cover the board: all squares
// of 4x4 that begin at files a, c, e and rows 1, 3, 5, the two rows at either
// edge and the two in the middle. What stands on a region, empty, man or
// opposing man, is a number to the base of three, an index into a table of its
// weights. White reads a region and Black the one that it becomes with the
// board turned round, from the same table; so both sides are one. [Patterns]
// holds all twelve numbers in lanes of three words, which a move changes by an
// addition for each square.
//
// Every weight has two values, for a full and for an empty board, between which
// the number of pieces interpolates. Kings are worth what they are, where they
// stand and how far they see; patterns do not know them.
package draughtseval
