package tune

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/chesseval"
)

// made is a set whose outcomes follow known values.
func made(truth []float64, scale float64) *Set {
	rng := rand.New(rand.NewPCG(1, 1))
	set := NewSet(len(truth)/2, 2)
	for range 6000 {
		var terms []Term
		for f := range len(truth) / 2 {
			if n := int32(rng.IntN(7)) - 3; n != 0 {
				terms = append(terms, Term{Feature: int32(f), Count: n})
			}
		}
		phase := rng.Float64()
		set.Add(terms, []float64{phase, 1 - phase}, 0, 0)
		i := set.Len() - 1
		set.targets[i] = float32(sigmoid(set.Worth(i, truth), scale))
	}
	return set
}

func TestFitFindsTheValues(t *testing.T) {
	truth := []float64{100, 120, -20, 40, 0, 0, 300, 250}
	set := made(truth, 0.005)
	got := set.Fit(make([]float64, len(truth)), Fit{Scale: 0.005, Epochs: 60, Batch: 500, Rate: 10, Held: 0.1})
	for i := range truth {
		if math.Abs(got[i]-truth[i]) > 6 {
			t.Fatalf("found %.1f, want %v", got, truth)
		}
	}
	if again := set.Fit(make([]float64, len(truth)), Fit{Scale: 0.005, Epochs: 60, Batch: 500, Rate: 10, Held: 0.1}); !slices.Equal(got, again) {
		t.Fatalf("found %v, then %v", got, again)
	}
}

func TestFitScale(t *testing.T) {
	truth := []float64{100, 120, -20, 40}
	if got := made(truth, 0.007).FitScale(truth); math.Abs(got-0.007) > 0.0002 {
		t.Errorf("found %v", got)
	}
}

// The slope is what differences say.
func TestGradient(t *testing.T) {
	set := made([]float64{100, 120, -20, 40}, 0.005)
	values := []float64{30, -50, 10, 80}
	got := set.gradient(values, 0.004, 10, 500)
	for k := range values {
		up, down := slices.Clone(values), slices.Clone(values)
		up[k] += 0.01
		down[k] -= 0.01
		want := (set.Loss(up, 0.004, 10, 500) - set.Loss(down, 0.004, 10, 500)) / 0.02 * 490
		if math.Abs(got[k]-want) > 1e-5*math.Max(1, math.Abs(want)) {
			t.Errorf("value %d: slope %v, by differences %v", k, got[k], want)
		}
	}
}

func TestSelfPlayIsRepeatable(t *testing.T) {
	for _, game := range []games.Game{chess.Game{}, draughts.Game{}} {
		var texts [3]bytes.Buffer
		for i, workers := range []int{1, 2} {
			s := SelfPlay{Game: game, Games: 3, Nodes: 60, Random: 6, Seed: 5, Workers: workers}
			if err := s.Play(context.Background(), &texts[i]); err != nil {
				t.Fatal(err)
			}
		}
		if texts[0].Len() == 0 || texts[0].String() != texts[1].String() {
			t.Fatalf("%d and %d bytes of %T differ", texts[0].Len(), texts[1].Len(), game)
		}
		// The last game alone is the end of all.
		s := SelfPlay{Game: game, Games: 1, First: 2, Nodes: 60, Random: 6, Seed: 5}
		if err := s.Play(context.Background(), &texts[2]); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(texts[0].String(), texts[2].String()) {
			t.Fatal("a later start gives other games")
		}
		n := 0
		if err := Read(&texts[1], func(Position) error { n++; return nil }); err != nil || n < 3 {
			t.Fatalf("%d positions, %v", n, err)
		}
	}
}

func TestReadRefusesWhatIsNoPosition(t *testing.T) {
	for _, text := range []string{"fen", "fen;1", "fen;x;1", "fen;1;2", "fen;1;x"} {
		if err := Read(strings.NewReader(text+"\n"), func(Position) error { return nil }); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// Tuning on games of the engine lowers the error and writes a source file with
// all blocks.
func TestChessSource(t *testing.T) {
	var positions bytes.Buffer
	s := SelfPlay{Game: chess.Game{}, Games: 6, Nodes: 100, Random: 6, Seed: 7, Workers: 2}
	if err := s.Play(context.Background(), &positions); err != nil {
		t.Fatal(err)
	}
	set, err := Chess(bytes.NewReader(positions.Bytes()), 0.5, 0.006)
	if err != nil {
		t.Fatal(err)
	}
	start := ChessValues(chesseval.Start())
	fit := set.Fit(start, Fit{Scale: 0.006, Epochs: 5, Batch: 64, Rate: 1})
	before, after := set.Loss(start, 0.006, 0, set.Len()), set.Loss(fit, 0.006, 0, set.Len())
	if after >= before {
		t.Errorf("error %v, before %v", after, before)
	}
	source, err := ChessSource(&positions, Tuning{Fresh: true, Blend: 0.5, Epochs: 1, Pull: 0.1}, &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range chessScores(fit) {
		if m := chesseval.Mirrored(i); s != chessScores(fit)[m] {
			t.Errorf("parameter %d is %d, its mirror image %d", i, s, chessScores(fit)[m])
		}
	}
	for _, b := range chesseval.Blocks() {
		if !strings.Contains(string(source), "// "+b.Name+"\n") {
			t.Errorf("no block %s", b.Name)
		}
	}
}
