package tune

import (
	"bytes"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/draughtseval"
)

// taught are positions of testdata: one of every 255 from games of the engine
// against itself, shuffled, so that hardly two are of one game.
func taught(t *testing.T) (learn, other []byte) {
	t.Helper()
	data, err := os.ReadFile("testdata/draughts.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	const n = 3000
	return bytes.Join(lines[:n], nil), bytes.Join(lines[n:], nil)
}

// What is learned on some positions foretells others better than the start
// does, by the evaluation that reads the file.
func TestDraughtsWeights(t *testing.T) {
	learn, other := taught(t)
	tuning := Tuning{Blend: 0.6, Epochs: 20, Batch: 256, Pull: 0.002}
	var log bytes.Buffer
	file, err := DraughtsWeights(bytes.NewReader(learn), tuning, &log)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := DraughtsWeights(bytes.NewReader(learn), tuning, io.Discard); err != nil || !bytes.Equal(file, again) {
		t.Fatalf("the same positions give other weights, %v", err)
	}
	if n := strings.Count(log.String(), "epoch "); n != tuning.Epochs {
		t.Errorf("%d epochs were told of, want %d", n, tuning.Epochs)
	}
	loss := func(data []byte) float64 {
		weights, err := draughtseval.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		n, sum := 0, 0.0
		err = Read(bytes.NewReader(other), func(p Position) error {
			d := sigmoid(float64(forWhite(t, weights, p.Text)), draughtsScale) - target(p, tuning.Blend, draughtsScale)
			sum += d * d
			n++
			return nil
		})
		if err != nil || n < 900 {
			t.Fatalf("%d positions, %v", n, err)
		}
		return sum / float64(n)
	}
	before, after := loss(draughtseval.Bytes(draughtseval.Start())), loss(file)
	t.Logf("error of positions not learned from: %.5f, before %.5f", after, before)
	if after > 0.95*before {
		t.Errorf("error %.5f, before %.5f", after, before)
	}
}

// forWhite is the value of a position for White by some weights.
func forWhite(t *testing.T, w *draughtseval.Weights, text string) int {
	t.Helper()
	p, err := draughts.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	k := draughtseval.PatternsOf(&p)
	v := w.Evaluate(&p, &k)
	if p.Side() == games.Second {
		v = -v
	}
	return v
}

// The regression and the evaluation that reads the file mean the same by every
// value, tied ones too: from games of a seed to the file and back.
func TestDraughtsFileIsWhatWasFitted(t *testing.T) {
	var played bytes.Buffer
	s := SelfPlay{Game: draughts.Game{}, Games: 20, Nodes: 80, Random: 8, Seed: 5, Workers: 1}
	if err := s.Play(t.Context(), &played); err != nil {
		t.Fatal(err)
	}
	positions := played.Bytes()
	set, err := Draughts(bytes.NewReader(positions), 0.6, draughtsScale)
	if err != nil {
		t.Fatal(err)
	}
	fit := set.Fit(draughtsValues(draughtseval.Start()), Fit{Scale: draughtsScale, Epochs: 10, Batch: 64, Rate: 1})
	weights, err := draughtseval.Parse(draughtseval.Bytes(draughtsWeights(fit)))
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	err = Read(bytes.NewReader(positions), func(p Position) error {
		// Some twenty terms are rounded to an eighth of a centipawn, then the sum.
		if got, want := float64(forWhite(t, weights, p.Text)), set.Worth(i, fit); math.Abs(got-want) > 2.5 {
			t.Errorf("%s: %v, fitted %.2f", p.Text, got, want)
		}
		i++
		return nil
	})
	if err != nil || i != set.Len() {
		t.Fatalf("%d positions of %d, %v", i, set.Len(), err)
	}
}

func TestDraughtsRefusesWhatIsNoPosition(t *testing.T) {
	for _, text := range []string{"", "W:Wa1:Ba1;0;0.5\n", "8/8/8/8/8/8/8/8 w - - 0 1;0;0.5\n"} {
		if _, err := DraughtsWeights(strings.NewReader(text), Tuning{}, io.Discard); err == nil {
			t.Errorf("%q was learned from", text)
		}
	}
}
