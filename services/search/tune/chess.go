package tune

import (
	"errors"
	"fmt"
	"io"
	"math"

	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/chesseval"
)

// chessPhases are the values of a chess parameter: middle game and ending.
const chessPhases = 2

// Chess reads positions of chess into a set. blend is how much of the target is
// the game's result; the rest is what the search's score foretells at a scale.
// A parameter is learned together with its mirror image.
func Chess(r io.Reader, blend, scale float64) (*Set, error) {
	set := NewSet(chesseval.Count, chessPhases)
	var trace chesseval.Trace
	var terms []Term
	var counts [chesseval.Count]int32
	err := Read(r, func(p Position) error {
		setup, err := chess.ParseFEN(p.Text)
		if err != nil {
			return err
		}
		pos, err := setup.Position()
		if err != nil {
			return err
		}
		trace.Evaluate(&pos)
		if trace.Fixed {
			return nil
		}
		counts = [chesseval.Count]int32{}
		for i := range counts {
			counts[chesseval.Mirrored(i)] += int32(trace.Counts[0][i]) - int32(trace.Counts[1][i])
		}
		terms = terms[:0]
		for i, n := range counts {
			if n != 0 {
				terms = append(terms, Term{Feature: int32(i), Count: n})
			}
		}
		set.Add(terms, []float64{trace.Middle, trace.Ending}, 0, target(p, blend, scale))
		return nil
	})
	if err == nil && set.Len() == 0 {
		err = errors.New("there is no position to learn from")
	}
	return set, err
}

// ChessValues are parameters of chess as a regression has them: where one stands
// for two, their mean.
func ChessValues(p [chesseval.Count]chesseval.Score) []float64 {
	values := make([]float64, chessPhases*len(p))
	share := [len(p)]float64{}
	for i := range p {
		share[chesseval.Mirrored(i)]++
	}
	for i, s := range p {
		to := chesseval.Mirrored(i)
		values[chessPhases*to] += float64(s.Middle()) / share[to]
		values[chessPhases*to+1] += float64(s.Ending()) / share[to]
	}
	return values
}

// chessScores is the inverse of ChessValues, rounded.
func chessScores(values []float64) (p [chesseval.Count]chesseval.Score) {
	for at := range p {
		i := chesseval.Mirrored(at)
		p[at] = chesseval.S(int(math.Round(values[chessPhases*i])), int(math.Round(values[chessPhases*i+1])))
	}
	return p
}

// ChessSource tunes the parameters of chess on a file of positions and returns
// the source file that holds them. It tells of each epoch.
func ChessSource(positions io.Reader, t Tuning, log io.Writer) ([]byte, error) {
	// A pawn more foretells about 0.64: near what this evaluation's scale gives.
	const scale = 0.006
	set, err := Chess(positions, t.Blend, scale)
	if err != nil {
		return nil, err
	}
	start := chesseval.Params()
	if t.Fresh {
		start = chesseval.Start()
	}
	values := t.fit(set, ChessValues(start), scale, log)
	scores := chessScores(values)
	origin := fmt.Sprintf("Tuned on %d positions of our own games, %d epochs, blend %g, pull %g.", set.Len(), t.Epochs, t.Blend, t.Pull)
	if t.Epochs == 0 {
		origin = "Round numbers, not tuned."
	}
	return chesseval.Source(&scores, origin)
}
