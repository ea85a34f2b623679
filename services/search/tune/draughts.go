package tune

import (
	"errors"
	"io"

	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/draughtseval"
)

// draughtsPhases are the values of a draughts weight: full and empty board.
const draughtsPhases = 2

// draughtsScale makes of a man more an outcome of 0.73.
const draughtsScale = 0.01

// Draughts reads positions of draughts into a set; blend and scale are as for
// Chess. A tied weight is learned as the one that it stands for.
func Draughts(r io.Reader, blend, scale float64) (*Set, error) {
	set := NewSet(draughtseval.NumFactors, draughtsPhases)
	var factors []draughtseval.Factor
	var terms []Term
	err := Read(r, func(p Position) error {
		pos, err := draughts.Parse(p.Text)
		if err != nil {
			return err
		}
		factors, terms = draughtseval.Factors(&pos, factors[:0]), terms[:0]
		for _, f := range factors {
			if to, sign := draughtseval.Tied(f.Index); sign != 0 {
				terms = append(terms, Term{Feature: int32(to), Count: int32(f.Times * sign)})
			}
		}
		full := draughtseval.Full(&pos)
		set.Add(terms, []float64{full, 1 - full}, 0, target(p, blend, scale))
		return nil
	})
	if err == nil && set.Len() == 0 {
		err = errors.New("there is no position to learn from")
	}
	return set, err
}

// draughtsValues are weights as a regression has them, in centipawns.
func draughtsValues(weights [][2]float64) []float64 {
	values := make([]float64, 0, draughtsPhases*len(weights))
	for _, w := range weights {
		values = append(values, w[0]/draughtseval.Scale, w[1]/draughtseval.Scale)
	}
	return values
}

// draughtsWeights is the inverse of draughtsValues.
func draughtsWeights(values []float64) [][2]float64 {
	weights := make([][2]float64, len(values)/draughtsPhases)
	for i := range weights {
		for phase := range weights[i] {
			weights[i][phase] = values[draughtsPhases*i+phase] * draughtseval.Scale
		}
	}
	return weights
}

// DraughtsWeights tunes the weights of draughts on a file of positions, from
// round numbers, and returns the file that holds them. It tells of each epoch.
func DraughtsWeights(positions io.Reader, t Tuning, log io.Writer) ([]byte, error) {
	set, err := Draughts(positions, t.Blend, draughtsScale)
	if err != nil {
		return nil, err
	}
	values := t.fit(set, draughtsValues(draughtseval.Start()), draughtsScale, log)
	return draughtseval.Bytes(draughtsWeights(values)), nil
}
