// Package paper computes what services compute once more, from the papers, for the
// checkers of the end-to-end tests: it shares no code with what it checks.
package paper

import "math"

// Rating is what Glicko-2 knows of a player.
type Rating struct{ Value, Deviation, Volatility float64 }

// Near tells that two ratings are alike but for the way of computing them.
func (r Rating) Near(o Rating) bool {
	const most = 1e-3
	return math.Abs(r.Value-o.Value) < most && math.Abs(r.Deviation-o.Deviation) < most && math.Abs(r.Volatility-o.Volatility) < 1e-6
}

// After is the rating after one game, of which score is the own part, within our
// bounds. Against a level of the engine half of the change counts.
func (r Rating) After(opponent Rating, score float64, level bool) Rating {
	after := rate(r, opponent, score)
	if level {
		after = Rating{(after.Value + r.Value) / 2, (after.Deviation + r.Deviation) / 2, (after.Volatility + r.Volatility) / 2}
	}
	after.Value = min(4000, max(400, after.Value))
	after.Deviation = min(400, max(45, after.Deviation))
	return after
}

// rate is Glicko-2 for one game, written from the paper's formulas: value,
// deviation and volatility after it, before any bounds.
func rate(own, opponent Rating, score float64) Rating {
	const scale, tau = 173.7178, 0.75
	mu, phi := (own.Value-1500)/scale, own.Deviation/scale
	muJ, phiJ := (opponent.Value-1500)/scale, opponent.Deviation/scale
	g := 1 / math.Sqrt(1+3*phiJ*phiJ/(math.Pi*math.Pi))
	e := 1 / (1 + math.Exp(-g*(mu-muJ)))
	v := 1 / (g * g * e * (1 - e))
	delta := v * g * (score - e)
	// The new volatility by bisection: f falls where it has its root.
	a := math.Log(own.Volatility * own.Volatility)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		d := phi*phi + v + ex
		return ex*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	low, high := a-20, a+20
	for range 200 {
		if mid := (low + high) / 2; f(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	sigma := math.Exp(low / 2)
	// A game takes no time: the deviation has grown by days already.
	after := 1 / math.Sqrt(1/(phi*phi)+1/v)
	return Rating{Value: scale*(mu+after*after*g*(score-e)) + 1500, Deviation: scale * after, Volatility: sigma}
}
