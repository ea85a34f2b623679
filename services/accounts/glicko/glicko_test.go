package glicko

import (
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// vector is one line of testdata/rating_vectors.json, whose lines are figures of
// Glickman's paper and of lichess's own tests.
type vector struct {
	Name          string
	Rating        float64
	RD            float64
	Vol           float64
	Opponents     [][3]float64
	Tau           float64
	SkipIncrease  bool    `json:"skip_rd_increase"`
	Days          float64 `json:"days"`
	PeriodsPerDay float64 `json:"periods_per_day"`
	Out           struct{ Rating, RD, Vol *float64 }
}

func vectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/rating_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	// The file's Elo figures belong to a display for teachers, which is not
	// part of the ratings.
	var file struct{ Glicko2 []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Glicko2) != 11 {
		t.Fatalf("%d Glicko-2 vectors, want 11", len(file.Glicko2))
	}
	return file.Glicko2
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			var got Rating
			start := Rating{Value: v.Rating, Deviation: v.RD, Volatility: v.Vol}
			if v.Days > 0 {
				got = Grow(start, v.Days*v.PeriodsPerDay)
			} else {
				growth := 1.0
				if v.SkipIncrease {
					growth = 0
				}
				var results []Result
				for _, o := range v.Opponents {
					results = append(results, Result{
						Opponent: Rating{Value: o[0], Deviation: o[1]},
						Score:    o[2],
					})
				}
				got = Update(start, results, v.Tau, growth)
			}
			near(t, "rating", got.Value, v.Out.Rating, 5.1e-5)
			near(t, "deviation", got.Deviation, v.Out.RD, 5.1e-5)
			near(t, "volatility", got.Volatility, v.Out.Vol, 5.1e-9)
		})
	}
}

// near compares to the last digit that the vectors print.
func near(t *testing.T, what string, got float64, want *float64, tolerance float64) {
	t.Helper()
	if want != nil && math.Abs(got-*want) > tolerance {
		t.Errorf("%s %.9f, want %.9f", what, got, *want)
	}
}

func TestDeviationGrowsFrom60To110InAYear(t *testing.T) {
	got := Grow(Rating{Value: 1500, Deviation: 60, Volatility: StartVolatility}, Periods(365*24*time.Hour))
	want := Rating{Value: 1500, Deviation: 110, Volatility: StartVolatility}
	if math.Abs(got.Deviation-want.Deviation) > 1e-9 || got.Value != want.Value || got.Volatility != want.Volatility {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if math.Abs(PeriodsPerDay-0.21436) > 1e-5 {
		t.Errorf("PeriodsPerDay %v, lichess has 0.21436", PeriodsPerDay)
	}
}

func TestTimeThatRunsBackwardsCountsForNothing(t *testing.T) {
	if got := Periods(-time.Hour); got != 0 {
		t.Errorf("Periods(-1h) = %v, want 0", got)
	}
}

func TestClamp(t *testing.T) {
	tests := []struct{ in, want Rating }{
		{Rating{100, 10, 0.06}, Rating{400, 45, 0.06}},
		{Rating{5000, 999, 0.06}, Rating{4000, 400, 0.06}},
		{Rating{1500, 350, 0.06}, Rating{1500, 350, 0.06}},
	}
	for _, test := range tests {
		if got := test.in.Clamp(); got != test.want {
			t.Errorf("Clamp(%+v) = %+v, want %+v", test.in, got, test.want)
		}
	}
}

func TestProvisionalFrom110(t *testing.T) {
	if !(Rating{Deviation: 110}).Provisional() || (Rating{Deviation: 109.99}).Provisional() {
		t.Error("a rating is provisional while its deviation is 110 or more")
	}
}

func TestMatchOfEquals(t *testing.T) {
	adult := Seat{Rating: Rating{1500, 350, StartVolatility}}
	first, second := Match(adult, adult, 1)
	near(t, "winner", first.Value, new(1662.212), 1e-3)
	near(t, "loser", second.Value, new(1500-162.212), 1e-3)
	near(t, "deviation", first.Deviation, new(290.2305), 1e-4)
	if first.Deviation != second.Deviation {
		t.Errorf("deviations %v and %v of equals differ", first.Deviation, second.Deviation)
	}
}

func TestAgainstALevelTheChangeIsHalf(t *testing.T) {
	pupil := Rating{800, 400, StartVolatility}
	level := Rating{900, 45, StartVolatility}
	whole := Update(pupil, []Result{{Opponent: level, Score: 1}}, Tau, 0)
	got, unmoved := Match(Seat{Rating: pupil}, Seat{Rating: level, Fixed: true}, 1)
	if want := Average(pupil, whole); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if unmoved != level {
		t.Errorf("the level moved to %+v", unmoved)
	}
	// The seats' order does not matter.
	unmoved, mirrored := Match(Seat{Rating: level, Fixed: true}, Seat{Rating: pupil}, 0)
	if mirrored != got || unmoved != level {
		t.Errorf("in the second seat %+v against %+v, want %+v against %+v", mirrored, unmoved, got, level)
	}
}

func anyRating() *rapid.Generator[Rating] {
	return rapid.Custom(func(t *rapid.T) Rating {
		return Rating{
			Value:      rapid.Float64Range(MinRating, MaxRating).Draw(t, "value"),
			Deviation:  rapid.Float64Range(MinDeviation, MaxDeviation).Draw(t, "deviation"),
			Volatility: rapid.Float64Range(0.01, 0.2).Draw(t, "volatility"),
		}
	})
}

// Whatever two players believed of each other, a result never leaves the
// bounds, never rewards a loss and never punishes a win.
func TestMatchStaysWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyRating().Draw(t, "a"), anyRating().Draw(t, "b")
		points := rapid.IntRange(0, 2).Draw(t, "half points")
		fixed := rapid.Bool().Draw(t, "fixed")
		first, second := Match(Seat{Rating: a}, Seat{Rating: b, Fixed: fixed}, float64(points)/2)
		for _, r := range []Rating{first, second} {
			if r != r.Clamp() || !(r.Volatility > 0 && r.Volatility < 1) {
				t.Fatalf("%+v is out of bounds", r)
			}
		}
		if points == 2 && first.Value < a.Value || points == 0 && first.Value > a.Value {
			t.Fatalf("%d half points moved %v to %v", points, a.Value, first.Value)
		}
		if fixed && second != b {
			t.Fatalf("a level moved from %+v to %+v", b, second)
		}
	})
}

func TestGrowthIsTheSameInOneSpanOrTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRating().Draw(t, "rating")
		x := rapid.Float64Range(0, 500).Draw(t, "x")
		y := rapid.Float64Range(0, 500).Draw(t, "y")
		once, twice := Grow(r, x+y), Grow(Grow(r, x), y)
		if math.Abs(once.Deviation-twice.Deviation) > 1e-6 {
			t.Fatalf("%v in one span, %v in two", once.Deviation, twice.Deviation)
		}
	})
}
