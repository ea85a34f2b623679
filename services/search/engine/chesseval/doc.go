// Package chesseval says what a chess position is worth without searching.
//
// The evaluation is tapered: every term has a value for the middle game and one
// for the ending, mixed by the pieces left. All terms are linear in the
// parameters, which `tabuleiro tune` writes to params_gen.go; what is not linear
// (how the parts of an attack on a king add up, how drawish an ending is) is an
// index into a table of parameters or a factor on the sum.
//
// The same code runs with and without a trace, so that what the tuner sees and
// what [Factors] explains is what the search plays by.
package chesseval

// Score is a value for the middle game in the lower and one for the ending in
// the upper half; adding and multiplying by small numbers keeps both.
type Score int32

// S makes a Score of a value for the middle game and one for the ending.
func S(middle, ending int) Score { return Score(ending<<16 + middle) }

// Middle is the value for the middle game.
func (s Score) Middle() int { return int(int16(s)) }

// Ending is the value for the ending.
func (s Score) Ending() int { return int((s + 0x8000) >> 16) }
