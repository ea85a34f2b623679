// Package tune makes the parameters of evaluations: positions from games that
// the engine plays against itself, and a logistic regression of their outcomes
// over the terms of an evaluation.
//
// The regression ([Set]) knows features and numbers, no game. A game says what
// the terms of a position are; see chess.go and draughts.go.
//
// Everything is repeatable: the same seed, games and nodes give the same
// positions, and the same positions the same parameters, however many
// processors there are.
package tune
