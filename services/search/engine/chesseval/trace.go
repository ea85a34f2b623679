package chesseval

import (
	"tabuleiro/games/chess"
)

// Trace is how often each side has each term of a position, and how the terms
// are mixed: the value for White is the sum of parameters times counts, the
// middle game's times Phase of phases, the ending's times Scale of 64 and the
// rest of the phases.
type Trace struct {
	Counts [2][Count]int16
	// Middle and Ending are the weights of the two values, together at most 1.
	Middle, Ending float64
	// Fixed tells that the value has a part that no parameter gives, or hardly
	// any that they do: there is nothing to learn from it.
	Fixed bool
}

// Evaluate sets the trace to a position's and returns what Evaluate gives.
func (t *Trace) Evaluate(p *chess.Position) int {
	*t = Trace{}
	var w work
	var slot pawnEntry
	w.begin(p)
	w.trace = t
	sum := terms[with](&w, &slot)
	for set := w.occupied; set != 0; set &= set - 1 {
		s := set.First() & 63
		piece := p.PieceAt(s)
		i, side := roleIndex[piece.Role()], piece.Side()
		if i != king {
			t.Counts[side][material+i]++
		}
		t.Counts[side][squares+64*i+int(s^chess.Square(56*side))]++
		sum += Placement(piece, s)
	}
	strong := white
	if sum.Ending() < 0 {
		strong = black
	}
	phase, scale := w.phase(), w.scale(strong)
	fade := 1 - float64(min(p.Halfmove(), 100))/220
	t.Middle = fade * float64(phase) / phases
	t.Ending = fade * float64(phases-phase) / phases * float64(scale) / full
	t.Fixed = w.driving() != 0 || scale < dead
	return w.finish(sum)
}

// Factor is one part of an evaluation, in centipawns for each side by itself.
type Factor struct {
	Name         string
	White, Black int
}

// Factors tells what each part of the evaluation gives to each side.
func Factors(p *chess.Position) []Factor {
	var t Trace
	t.Evaluate(p)
	var list []Factor
	at := map[string]int{}
	var sums [][2]float64
	for _, b := range Blocks() {
		i, ok := at[b.Factor]
		if !ok {
			i = len(list)
			at[b.Factor] = i
			list = append(list, Factor{Name: b.Factor})
			sums = append(sums, [2]float64{})
		}
		for k := b.First; k < b.First+b.Size; k++ {
			value := t.Middle*float64(params[k].Middle()) + t.Ending*float64(params[k].Ending())
			for side := range 2 {
				sums[i][side] += value * float64(t.Counts[side][k])
			}
		}
	}
	for i, s := range sums {
		list[i].White, list[i].Black = round(s[white]), round(s[black])
	}
	return list
}

func round(x float64) int {
	if x < 0 {
		return -int(0.5 - x)
	}
	return int(x + 0.5)
}

// Params are the parameters that Evaluate plays by.
func Params() [Count]Score { return params }
