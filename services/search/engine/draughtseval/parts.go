package draughtseval

import (
	"math"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// Part is one part of an evaluation, in centipawns for each side by itself.
type Part struct {
	Name         string
	White, Black int
}

// The names of the parts, in their order.
const (
	partMen = iota
	partKings
	partPatterns
	partTurn
	partExposed
	numParts
)

var partNames = [numParts]string{"men", "kings", "patterns", "turn", "exposed"}

// Parts tells what each part of Evaluate gives to each side: men, kings (with
// their squares and reach), patterns of men, the turn, and men of the side to
// move that can be taken. Of a region that the turned board has in the same place
// each side has a half. Each number is rounded.
func Parts(p *draughts.Position) []Part {
	var sums [numParts][2]float64
	full := Full(p)
	for _, f := range Factors(p, nil) {
		w := weights.at(f.Index)
		value := (full*float64(w[0]) + (1-full)*float64(w[1])) * float64(f.Times) / Scale
		part := partOf(f.Index)
		switch {
		case part == partPatterns && regions[f.Index/regionSize].self:
			sums[part][games.First] += value / 2
			sums[part][games.Second] -= value / 2
		case f.Times > 0:
			sums[part][games.First] += value
		default:
			sums[part][games.Second] -= value
		}
	}
	list := make([]Part, numParts)
	for i, s := range sums {
		list[i] = Part{partNames[i], int(math.Round(s[games.First])), int(math.Round(s[games.Second]))}
	}
	return list
}

// at are both values of a weight.
func (w *Weights) at(index int) [2]int32 {
	if index >= factorMan {
		return w.others[index-factorMan]
	}
	sum := w.patterns[index/regionSize*stride+index%regionSize]
	empty := int32(int16(sum))
	return [2]int32{(sum - empty) >> 16, empty}
}

// partOf is the part that a factor belongs to.
func partOf(index int) int {
	switch {
	case index < factorMan:
		return partPatterns
	case index == factorMan:
		return partMen
	case index == factorTurn:
		return partTurn
	case index == factorExposed:
		return partExposed
	}
	return partKings
}
