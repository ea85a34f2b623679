package stats

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within || math.IsNaN(got) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestKnownMatch is a match whose figures two other runners agreed on: eight
// games as pairs [2 0 2 0 0] give -190.85 Elo.
func TestKnownMatch(t *testing.T) {
	p := Pairs{2, 0, 2, 0, 0}
	near(t, "Elo", p.Elo().Elo, -190.85, 0.01)
	near(t, "LLR", Test{0, 10, 0.05, 0.05}.Ratio(p), -0.12, 0.01)
}

func TestEstimates(t *testing.T) {
	for _, tt := range []struct {
		pairs               Pairs
		elo, low, high, los float64
	}{
		{Pairs{0, 0, 10, 0, 0}, 0, -44, 44, 0.5},
		{Pairs{0, 0, 0, 4, 0}, 190.8, 60.4, 410.5, 0.9986},
		{Pairs{10, 20, 40, 20, 10}, 0, -37.44, 37.44, 0.5},
		{Pairs{5, 15, 40, 25, 15}, 52.5, 16.25, 89.94, 0.9977},
		{Pairs{}, 0, math.Inf(-1), math.Inf(1), 0.5},
	} {
		got := tt.pairs.Elo()
		near(t, "Elo", got.Elo, tt.elo, 0.2)
		if !math.IsInf(tt.low, 0) {
			near(t, "low", got.Low, tt.low, 0.2)
			near(t, "high", got.High, tt.high, 0.2)
		} else if got.Low != tt.low || got.High != tt.high {
			t.Errorf("bounds %v %v", got.Low, got.High)
		}
		near(t, "superior", tt.pairs.Superior(), tt.los, 0.001)
	}
	if e := (Pairs{0, 0, 0, 0, 3}).Elo(); !math.IsInf(e.Elo, 1) {
		t.Errorf("all won: %+v", e)
	}
}

// TestLikeliest: the distributions have the mean asked for and sum to one.
func TestLikeliest(t *testing.T) {
	seen := [5]float64{0.1, 0.2, 0.4, 0.2, 0.1}
	for _, mean := range []float64{0.3, 0.5, 0.52, 0.7} {
		q := likeliest(seen, mean)
		sum, at := 0.0, 0.0
		for i, v := range q {
			sum += v
			at += v * float64(i) / 4
		}
		near(t, "sum", sum, 1, 1e-6)
		near(t, "mean", at, mean, 1e-6)
	}
}

func TestVerdicts(t *testing.T) {
	test := Test{0, 5, 0.05, 0.05}
	lower, upper := test.Bounds()
	near(t, "lower", lower, -2.944, 0.001)
	near(t, "upper", upper, 2.944, 0.001)
	for _, tt := range []struct {
		pairs Pairs
		want  int
	}{
		{Pairs{}, 0},
		{Pairs{1, 2, 5, 2, 1}, 0},
		{Pairs{100, 400, 800, 600, 250}, 1},
		{Pairs{250, 600, 800, 400, 100}, -1},
	} {
		if got := test.Verdict(tt.pairs); got != tt.want {
			t.Errorf("%v: verdict %d at %.2f, want %d", tt.pairs, got, test.Ratio(tt.pairs), tt.want)
		}
	}
}
