// Package endings knows the value of every draughts position with few pieces:
// whether it is won, drawn or lost, and in how many plies, with the best play of
// both sides.
//
// It is pure: the tables are byte slices that the caller keeps, in memory or
// mapped from files; [Build] fills them and [Tables] reads them.
//
// # What a value means
//
// The side to move has lost when it has no move, with or without pieces. A win
// is worth as many plies as the winner needs to bring that about while the loser
// holds out as long as possible; who can do neither draws. Counters and
// repetitions are no part of a value: they belong to a game, and a table sees a
// position. Under the draw set cbd they are claims, so a win that lies further
// away than a counter lets the winner go may end as a draw; the distance is there
// for whoever cares. Positions with a capture pending are stored like all others,
// so that no search is needed to read a value.
//
// # How positions are numbered
//
// Positions with the same material form a class, in which the side with more
// pieces, or with more kings of as many, is White; the others are turned round.
// Of the kind of piece that a class has fewest of, one is set apart. The sets of
// squares of the other pieces, kind by kind, are numbered by the combinatorial
// number system, and the numbers of the kinds together number a configuration.
// The one set apart adds its square, 0 to 31. So the 32 positions of a
// configuration lie side by side, and while a class is solved they are a word of
// bits: a move of any other piece, or of the king set apart, moves all of them at
// once.
//
// Numbers where two pieces share a square are wasted, and where several pieces
// are of the kind set apart, each of them may be the one, so such a position has
// several numbers, all with the same value.
//
// # How a class is solved
//
// Captures lead to fewer pieces and crownings to fewer men, so classes are solved
// in that order. Within a class only quiet moves are left. Captures and crownings
// are looked up first; then the losses in 0 plies, the wins in 1, the losses in 2
// and so on are found by taking moves back from what the layer before has found.
// What no layer reaches is drawn.
package endings
