package tune

import (
	"fmt"
	"io"
)

// Tuning are the choices of tuning an evaluation.
type Tuning struct {
	// Fresh begins at the round numbers instead of the present parameters.
	// Draughts always do.
	Fresh bool
	// Blend is how much of the target is the game's result, from 0 to 1; the rest
	// is what the search's score foretells.
	Blend  float64
	Epochs int
	// Batch is the number of positions a step; 0 is DefaultBatch.
	Batch int
	Pull  float64
}

// DefaultBatch suits a million positions; few need smaller ones, or more epochs.
const DefaultBatch = 8192

// target is the outcome to learn of a position.
func target(p Position, blend, scale float64) float64 {
	return blend*p.Result + (1-blend)*sigmoid(float64(p.Score), scale)
}

// fit improves values, in centipawns, and tells of each epoch.
func (t Tuning) fit(set *Set, values []float64, scale float64, log io.Writer) []float64 {
	fmt.Fprintf(log, "%d positions, scale %.5f of these values, error %.6f at %.5f\n", set.Len(), set.FitScale(values), set.Loss(values, scale, 0, set.Len()), scale)
	batch := t.Batch
	if batch <= 0 {
		batch = DefaultBatch
	}
	return set.Fit(values, Fit{
		Scale: scale, Epochs: t.Epochs, Batch: batch, Rate: 1, Pull: t.Pull, Held: 0.1,
		Report: func(epoch int, loss, held float64) {
			fmt.Fprintf(log, "epoch %d: error %.6f, of held positions %.6f\n", epoch, loss, held)
		},
	})
}
