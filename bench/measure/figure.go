package measure

import (
	"math"
	"slices"
)

// noisyFrom is the interval, as a part of the median, above which a figure says
// nothing.
const noisyFrom = 0.5

// Figure is one number that was measured: the median of all rounds and the
// quartiles around it.
type Figure struct {
	// Name is stable: figures of several runs are compared by it.
	Name string `json:"name"`
	// Unit is "ratio" for what compares within one run.
	Unit   string  `json:"unit"`
	Value  float64 `json:"value"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Rounds int     `json:"rounds"`
	// Must and Aim are the goals; 0 where there is none. A figure is better the
	// higher it is.
	Must float64 `json:"must,omitempty"`
	Aim  float64 `json:"aim,omitempty"`
	// Noisy says that the interval is too wide to judge by the value.
	Noisy bool `json:"noisy,omitempty"`
}

// NewFigure sums up the values of some rounds, of which there is at least one.
func NewFigure(name, unit string, rounds []float64) Figure {
	sorted := slices.Sorted(slices.Values(rounds))
	f := Figure{
		Name: name, Unit: unit, Rounds: len(rounds),
		Value: quantile(sorted, 0.5), Low: quantile(sorted, 0.25), High: quantile(sorted, 0.75),
	}
	f.Noisy = f.High-f.Low > noisyFrom*math.Abs(f.Value)
	return f
}

// Goals sets what the figure must and should reach.
func (f Figure) Goals(must, aim float64) Figure {
	f.Must, f.Aim = must, aim
	return f
}

// Verdict is a word on the goals: "aim reached", "reached", "not reached",
// "noisy" where the spread forbids one, or nothing without goals.
func (f Figure) Verdict() string {
	switch {
	case f.Must == 0:
		return ""
	case f.Noisy:
		return "noisy"
	case f.Value >= f.Aim:
		return "aim reached"
	case f.Value >= f.Must:
		return "reached"
	}
	return "not reached"
}

// quantile interpolates between the values around a place in a sorted list.
func quantile(sorted []float64, part float64) float64 {
	at := part * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}
