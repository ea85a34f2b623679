// Package glicko computes ratings after Mark Glickman's Glicko-2, as pure
// functions of what was known before a game.
//
// The steps and their numbers are those of "Example of the Glicko-2 system"
// (glicko.net/glicko/glicko2.pdf). Two things are ours, as on lichess: each game
// is a rating period of its own, and the deviation grows by the time that has
// passed rather than by periods played.
package glicko

import (
	"math"
	"time"
)

// The constants of the installation. They are part of every stored rating:
// changing one makes the ledger disagree with its own rows.
const (
	// Tau bounds how fast a volatility changes.
	Tau = 0.75
	// StartVolatility is the volatility of a new rating.
	StartVolatility = 0.06
	// MinDeviation and MaxDeviation bound the deviation, in rating points.
	MinDeviation = 45.0
	MaxDeviation = 400.0
	// MinRating and MaxRating bound the rating itself, in rating points.
	MinRating = 400.0
	MaxRating = 4000.0
	// ProvisionalDeviation is the deviation from which a rating is provisional.
	ProvisionalDeviation = 110.0
)

const (
	// scale converts between rating points and the internal scale (step 2).
	scale = 173.7178
	// center is the rating that the internal scale calls 0.
	center = 1500.0
	// convergence is the paper's epsilon of step 5.
	convergence = 1e-6
	// maxIterations bounds step 5; it needs fewer than 20 for any rating
	// within the bounds above.
	maxIterations = 200
)

// PeriodsPerDay is how many periods of step 6 a day without games counts for,
// so that at the volatility of a new rating a deviation of 60 becomes 110 in 365
// days: (110² - 60²) / scale² = periods * volatility².
const PeriodsPerDay = (110*110 - 60*60) / (scale * scale * StartVolatility * StartVolatility * 365)

// Rating is what is believed of a player.
type Rating struct {
	// Value is the rating in points.
	Value float64
	// Deviation is the standard error of Value in points.
	Deviation float64
	// Volatility is how erratic the player's results are; around 0.06.
	Volatility float64
}

// Provisional says whether the rating is still too uncertain to stand alone.
func (r Rating) Provisional() bool { return r.Deviation >= ProvisionalDeviation }

// Clamp returns r within the bounds of the installation.
func (r Rating) Clamp() Rating {
	r.Value = min(max(r.Value, MinRating), MaxRating)
	r.Deviation = min(max(r.Deviation, MinDeviation), MaxDeviation)
	return r
}

// Result is one game seen from the player being rated.
type Result struct {
	// Opponent is the opponent's rating before the game.
	Opponent Rating
	// Score is 1 for a win, 0.5 for a draw, 0 for a loss.
	Score float64
}

// Periods is how many periods of step 6 a span of time counts for; none when
// it is negative.
func Periods(elapsed time.Duration) float64 {
	return max(0, elapsed.Hours()/24*PeriodsPerDay)
}

// Grow returns r after so many periods without a game (step 6): less certain,
// otherwise the same. It does not clamp.
func Grow(r Rating, periods float64) Rating {
	if periods == 0 {
		return r // exactly, which the square root is not
	}
	r.Deviation = scale * math.Sqrt(square(r.Deviation/scale)+periods*square(r.Volatility))
	return r
}

// Update returns r after the games of one rating period (steps 2 to 8). The
// deviation first grows by growth periods of step 6: 1 is the paper's, 0 leaves
// the growth to Grow. Without a game it is Grow. It does not clamp.
func Update(r Rating, results []Result, tau, growth float64) Rating {
	if len(results) == 0 {
		return Grow(r, growth)
	}
	mu, phi := (r.Value-center)/scale, r.Deviation/scale

	var information, surprise float64 // 1/v and delta/v of steps 3 and 4
	for _, game := range results {
		weight := g(game.Opponent.Deviation / scale)
		expected := 1 / (1 + math.Exp(-weight*(mu-(game.Opponent.Value-center)/scale)))
		information += square(weight) * expected * (1 - expected)
		surprise += weight * (game.Score - expected)
	}
	variance := 1 / information

	volatility := newVolatility(phi, r.Volatility, variance, surprise*variance, tau)
	before := square(phi) + growth*square(volatility)
	after := 1 / (1/before + information)
	return Rating{
		Value:      scale*(mu+after*surprise) + center,
		Deviation:  scale * math.Sqrt(after),
		Volatility: volatility,
	}
}

// newVolatility is step 5: the Illinois algorithm on the function f of the
// paper.
func newVolatility(phi, volatility, variance, delta, tau float64) float64 {
	a := math.Log(square(volatility))
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := square(phi) + variance + e
		return e*(square(delta)-d)/(2*square(d)) - (x-a)/square(tau)
	}

	low := a
	var high float64
	if square(delta) > square(phi)+variance {
		high = math.Log(square(delta) - square(phi) - variance)
	} else {
		high = a - tau
		for k := 2; f(high) < 0 && k < maxIterations; k++ {
			high = a - float64(k)*tau
		}
	}

	fLow, fHigh := f(low), f(high)
	for range maxIterations {
		if math.Abs(high-low) <= convergence {
			break
		}
		next := low + (low-high)*fLow/(fHigh-fLow)
		fNext := f(next)
		if fNext*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = next, fNext
	}
	return math.Exp(low / 2)
}

// g is the weight of an opponent whose deviation is phi on the internal scale
// (step 3).
func g(phi float64) float64 { return 1 / math.Sqrt(1+3*square(phi)/square(math.Pi)) }

func square(x float64) float64 { return x * x }
