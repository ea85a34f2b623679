package tune

import (
	"math"
	"sync"
)

// Term says that a position has a feature so many times, for the first side
// minus the second.
type Term struct {
	Feature, Count int32
}

// Set is positions as a regression sees them. A feature has one value a phase;
// a position is worth the sum over its terms of the count times the values of
// the feature, each taken with the position's weight of that phase.
type Set struct {
	features, phases int

	terms   []Term
	ends    []int
	weights []float32 // phases a position
	fixed   []float32
	targets []float32
}

// NewSet makes an empty set of positions with so many features and phases.
func NewSet(features, phases int) *Set { return &Set{features: features, phases: phases} }

// Add takes in a position: its terms, the weights of the phases, what it is
// worth beyond all terms, and the outcome expected of it, from 0 to 1 for the
// first side.
func (s *Set) Add(terms []Term, weights []float64, fixed, target float64) {
	s.terms = append(s.terms, terms...)
	s.ends = append(s.ends, len(s.terms))
	for _, w := range weights[:s.phases] {
		s.weights = append(s.weights, float32(w))
	}
	s.fixed = append(s.fixed, float32(fixed))
	s.targets = append(s.targets, float32(target))
}

// Len is the number of positions.
func (s *Set) Len() int { return len(s.ends) }

// Worth is what values make of a position. They lie feature by feature, one
// for each phase.
func (s *Set) Worth(i int, values []float64) float64 {
	worth := float64(s.fixed[i])
	weights := s.weights[i*s.phases : (i+1)*s.phases]
	for _, t := range s.termsOf(i) {
		for phase, w := range weights {
			worth += float64(t.Count) * float64(w) * values[int(t.Feature)*s.phases+phase]
		}
	}
	return worth
}

func (s *Set) termsOf(i int) []Term {
	if i == 0 {
		return s.terms[:s.ends[0]]
	}
	return s.terms[s.ends[i-1]:s.ends[i]]
}

// sigmoid is the outcome expected of a worth at a scale.
func sigmoid(worth, scale float64) float64 { return 1 / (1 + math.Exp(-worth*scale)) }

// Loss is the mean squared error over the positions from one index to another.
func (s *Set) Loss(values []float64, scale float64, from, to int) float64 {
	sum := s.chunks(from, to, func(i int, sum []float64) {
		d := sigmoid(s.Worth(i, values), scale) - float64(s.targets[i])
		sum[0] += d * d
	}, 1)
	return sum[0] / float64(max(to-from, 1))
}

// FitScale finds the scale at which given values foretell the outcomes best.
func (s *Set) FitScale(values []float64) float64 {
	low, high := 0.0005, 0.05
	for range 40 {
		a, b := low+(high-low)/3, high-(high-low)/3
		if s.Loss(values, a, 0, s.Len()) < s.Loss(values, b, 0, s.Len()) {
			high = b
		} else {
			low = a
		}
	}
	return (low + high) / 2
}

// Fit are the choices of a regression.
type Fit struct {
	Scale  float64
	Epochs int
	// Batch is the number of positions a step; Rate the size of steps, in
	// centipawns.
	Batch int
	Rate  float64
	// Pull draws values to those at the start, the more the fewer positions have
	// the feature.
	Pull float64
	// Held is the part of the positions, from the end, that only tests.
	Held float64
	// Report, when set, is called after every epoch.
	Report func(epoch int, loss, held float64)
}

// Adam's usual constants.
const (
	momentum, spread, tiny = 0.9, 0.999, 1e-8
)

// Fit improves values by gradient descent (Adam) and returns the best that the
// held positions saw.
func (s *Set) Fit(start []float64, fit Fit) []float64 {
	values := append([]float64(nil), start...)
	best, bestLoss := append([]float64(nil), start...), math.Inf(1)
	learn := s.Len() - int(float64(s.Len())*fit.Held)
	m, v := make([]float64, len(values)), make([]float64, len(values))
	step := 0
	for epoch := range fit.Epochs {
		rate := fit.Rate / (1 + 4*float64(epoch)/float64(max(fit.Epochs, 1)))
		for from := 0; from < learn; from += fit.Batch {
			to := min(from+fit.Batch, learn)
			gradient := s.gradient(values, fit.Scale, from, to)
			step++
			c1, c2 := 1-math.Pow(momentum, float64(step)), 1-math.Pow(spread, float64(step))
			for k := range values {
				g := gradient[k]/float64(to-from) + fit.Pull*(values[k]-start[k])/float64(learn)
				m[k] = momentum*m[k] + (1-momentum)*g
				v[k] = spread*v[k] + (1-spread)*g*g
				values[k] -= rate * (m[k] / c1) / (math.Sqrt(v[k]/c2) + tiny)
			}
		}
		held := s.Loss(values, fit.Scale, learn, s.Len())
		if learn == s.Len() {
			held = s.Loss(values, fit.Scale, 0, learn)
		}
		if held < bestLoss {
			bestLoss = held
			copy(best, values)
		}
		if fit.Report != nil {
			fit.Report(epoch+1, s.Loss(values, fit.Scale, 0, learn), held)
		}
	}
	return best
}

// gradient is the slope of the squared error, summed over positions.
func (s *Set) gradient(values []float64, scale float64, from, to int) []float64 {
	return s.chunks(from, to, func(i int, sum []float64) {
		e := sigmoid(s.Worth(i, values), scale)
		d := 2 * (e - float64(s.targets[i])) * e * (1 - e) * scale
		weights := s.weights[i*s.phases : (i+1)*s.phases]
		for _, t := range s.termsOf(i) {
			for phase, w := range weights {
				sum[int(t.Feature)*s.phases+phase] += d * float64(t.Count) * float64(w)
			}
		}
	}, s.features*s.phases)
}

// parts is into how many pieces a sum is cut, whatever the processors: so it
// rounds the same way everywhere.
const parts = 4

// chunks sums something over positions.
func (s *Set) chunks(from, to int, add func(i int, sum []float64), size int) []float64 {
	sums := make([][]float64, parts)
	var group sync.WaitGroup
	for part := range sums {
		group.Go(func() {
			sum := make([]float64, size)
			for i := from + (to-from)*part/parts; i < from+(to-from)*(part+1)/parts; i++ {
				add(i, sum)
			}
			sums[part] = sum
		})
	}
	group.Wait()
	total := sums[0]
	for _, sum := range sums[1:] {
		for k, x := range sum {
			total[k] += x
		}
	}
	return total
}
