// Package stats tells what the results of a match say of the engines' strength:
// the Elo difference with its interval, the likelihood of superiority and the
// sequential test that may end a match early.
//
// Games come in pairs, the same opening with colours changed, and pairs are what
// is counted (pentanomial): the two games of a pair depend on their opening, so
// counting games one by one would make intervals too wide.
//
// The test is the generalized sequential probability ratio test of Wald with
// the maximum likelihood estimates under each hypothesis found exactly; the
// formulas are those of Michel Van den Bergh, "A practical introduction to the
// GSPRT".
package stats

import "math"

// Pairs count finished pairs of games by the points of the first engine: 0, half,
// 1, one and a half, 2.
type Pairs [5]int

// Add counts a pair by its two results, each 0, 1 or 2 half points.
func (p *Pairs) Add(first, second int) { p[first+second]++ }

// Count is the number of pairs.
func (p Pairs) Count() int {
	n := 0
	for _, c := range p {
		n += c
	}
	return n
}

// Score is the first engine's share of the points, with its standard error; half
// and infinity without pairs.
func (p Pairs) Score() (mean, deviation float64) {
	n := float64(p.Count())
	if n == 0 {
		return 0.5, math.Inf(1)
	}
	for i, c := range p {
		mean += float64(c) * float64(i) / 4
	}
	mean /= n
	// One more pair, spread over all outcomes, is reckoned with: a few results that are
	// all alike do not say that there are no others.
	around := (mean*n + 0.5) / (n + 1)
	variance := 0.0
	for i, c := range p {
		d := float64(i)/4 - around
		variance += (float64(c) + 0.2) * d * d
	}
	return mean, math.Sqrt(variance) / (n + 1)
}

// Elo is the difference in strength that gives a share of the points.
func Elo(score float64) float64 {
	score = min(max(score, 1e-9), 1-1e-9)
	return 400 * math.Log10(score/(1-score))
}

// Share is the inverse of Elo.
func Share(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Estimate is an Elo difference with the interval that holds it 19 times in 20.
type Estimate struct{ Elo, Low, High float64 }

// Elo estimates the difference between the engines. Bounds that the results do
// not give are infinite.
func (p Pairs) Elo() Estimate {
	mean, deviation := p.Score()
	if math.IsInf(deviation, 1) {
		return Estimate{0, math.Inf(-1), math.Inf(1)}
	}
	bound := func(score float64) float64 {
		if score <= 0 || score >= 1 {
			return math.Inf(int(math.Copysign(1, score-0.5)))
		}
		return Elo(score)
	}
	return Estimate{bound(mean), bound(mean - 1.96*deviation), bound(mean + 1.96*deviation)}
}

// Superior is the likelihood that the first engine is the stronger one.
func (p Pairs) Superior() float64 {
	mean, deviation := p.Score()
	if math.IsInf(deviation, 1) {
		return 0.5
	}
	return 0.5 * math.Erfc(-(mean-0.5)/deviation/math.Sqrt2)
}

// Test is a sequential test between two differences in Elo.
type Test struct {
	Elo0, Elo1  float64
	Alpha, Beta float64
}

// Bounds are the log likelihood ratios at which the test ends: below the first
// one Elo0 is accepted, above the second Elo1.
func (t Test) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Verdict is -1 where Elo0 is accepted, 1 where Elo1 is, 0 while the test goes
// on.
func (t Test) Verdict(p Pairs) int {
	lower, upper := t.Bounds()
	switch ratio := t.Ratio(p); {
	case ratio <= lower:
		return -1
	case ratio >= upper:
		return 1
	}
	return 0
}

// Ratio is the log likelihood ratio of the two hypotheses given the results.
func (t Test) Ratio(p Pairs) float64 {
	n := p.Count()
	if n == 0 {
		return 0
	}
	// Outcomes that have not come yet count a thousandth, as is usual: without
	// them the likelihood has no maximum.
	var seen [5]float64
	total := 0.0
	for i, c := range p {
		seen[i] = max(float64(c), 1e-3)
		total += seen[i]
	}
	for i := range seen {
		seen[i] /= total
	}
	under0, under1 := likeliest(seen, Share(t.Elo0)), likeliest(seen, Share(t.Elo1))
	ratio := 0.0
	for i := range seen {
		ratio += seen[i] * math.Log(under1[i]/under0[i])
	}
	return total * ratio
}

// likeliest is the distribution with a mean under which what was seen is most
// likely: q[i] = seen[i] / (1 + x (a[i] - mean)), where x makes the mean right.
// The sum of q (a - mean) falls with x, so its root can be enclosed.
func likeliest(seen [5]float64, mean float64) (q [5]float64) {
	low, high := -1/(1-mean), 1/mean
	margin := (high - low) * 1e-12
	low, high = low+margin, high-margin
	for range 200 {
		x := (low + high) / 2
		sum := 0.0
		for i := range seen {
			d := float64(i)/4 - mean
			q[i] = seen[i] / (1 + x*d)
			sum += q[i] * d
		}
		if sum > 0 {
			low = x
		} else {
			high = x
		}
	}
	return q
}
