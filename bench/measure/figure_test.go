package measure

import (
	"slices"
	"testing"
)

func TestFigure(t *testing.T) {
	got := NewFigure("speed", "ratio", []float64{4, 1, 3, 2, 5}).Goals(2, 3)
	want := Figure{Name: "speed", Unit: "ratio", Value: 3, Low: 2, High: 4, Rounds: 5, Must: 2, Aim: 3, Noisy: true}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := NewFigure("one", "ratio", []float64{7}); got.Value != 7 || got.Low != 7 || got.High != 7 || got.Noisy {
		t.Errorf("one round: got %+v", got)
	}
	if got := NewFigure("two", "ratio", []float64{1, 2}); got.Value != 1.5 || got.Low != 1.25 || got.High != 1.75 {
		t.Errorf("two rounds: got %+v", got)
	}
}

func TestVerdict(t *testing.T) {
	var got []string
	for _, f := range []Figure{
		{Value: 1},
		{Value: 3, Must: 1, Aim: 2},
		{Value: 1.5, Must: 1, Aim: 2},
		{Value: 0.5, Must: 1, Aim: 2},
		{Value: 3, Must: 1, Aim: 2, Noisy: true},
	} {
		got = append(got, f.Verdict())
	}
	if want := []string{"", "aim reached", "reached", "not reached", "noisy"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
