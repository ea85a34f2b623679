// Package play measures what a move costs beside its raw parts: a call, the rules'
// ruling, the transaction that is on disk, and a copy on the bus.
package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tabuleiro/bench/measure"
)

// Config says what is measured, and how often.
type Config struct {
	// Only names the parts, as in Parts; none means all.
	Only []string
	// Rounds are interleaved; at least one.
	Rounds int
	// Postgres is the address of a database for the part "apart".
	Postgres string
}

// Parts are the names of what can be measured, in order.
func Parts() []string { return []string{"apart", "together", "group"} }

// flights are how many moves are under way at once, with how many a round makes.
var flights = []struct{ callers, burst int }{{1, 60}, {16, 480}}

// Measure adds the figures to a run.
func Measure(cfg Config, run *measure.Run) error {
	parts := map[string]func(Config, *measure.Run) error{
		"apart":    func(cfg Config, run *measure.Run) error { return moves(cfg, run, true) },
		"together": func(cfg Config, run *measure.Run) error { return moves(cfg, run, false) },
		"group":    group,
	}
	for _, name := range Parts() {
		if len(cfg.Only) == 0 || slices.Contains(cfg.Only, name) {
			if err := parts[name](cfg, run); err != nil {
				return fmt.Errorf("measuring %s: %w", name, err)
			}
		}
	}
	return nil
}

// step is one thing that is done over and over, by callers that have a number each.
type step func(ctx context.Context, caller int) error

// burst is how long each of n steps took, so many at once, and all of them.
func burst(callers, n int, do step) (took []time.Duration, wall time.Duration, err error) {
	var next atomic.Int64
	var all sync.WaitGroup
	var mu sync.Mutex
	began := time.Now()
	for caller := range callers {
		all.Go(func() {
			var own []time.Duration
			for next.Add(1) <= int64(n) {
				before := time.Now()
				if failed := do(context.Background(), caller); failed != nil {
					mu.Lock()
					err = errors.Join(err, failed)
					mu.Unlock()
					return
				}
				own = append(own, time.Since(before))
			}
			mu.Lock()
			took = append(took, own...)
			mu.Unlock()
		})
	}
	all.Wait()
	return took, time.Since(began), err
}

// median is the middle of some times, in microseconds.
func median(took []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(took))
	return float64(sorted[len(sorted)/2].Nanoseconds()) / 1000
}

// moves compares a move with the sum of its raw parts, and moves a second with
// calls that do nothing: through the gateway, as clients move, and through play's
// own interface. Apart, every part crosses a socket and the database is PostgreSQL;
// together, all is in one process and the database is SQLite.
func moves(cfg Config, run *measure.Run, apart bool) (err error) {
	name, goals, share := "together", []float64{1.9, 2.3}, 0.30
	aims := []float64{1.5, 1.9}
	if apart {
		name, goals, share, aims = "apart", []float64{2.0, 2.6}, 0.40, []float64{1.6, 2.2}
	}
	s, err := start(cfg, apart)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	run.Notes = append(run.Notes, s.note)
	const posted, postedEmpty, called, calledEmpty, raw = "move", "empty move", "call of play", "empty call of play", "HTTP"
	steps := []struct {
		name string
		do   step
	}{
		{posted, s.post}, {postedEmpty, s.postNothing}, {raw, s.postRaw},
		{called, s.move}, {calledEmpty, s.empty},
		{"ruling", s.ruling}, {"transaction", s.transaction}, {"lone row", s.lone}, {"copy on the bus", s.publish},
	}
	for i, flight := range flights {
		values := map[string][]float64{}
		var order []string
		add := func(what string, value float64) {
			if values[what] == nil {
				order = append(order, what)
			}
			values[what] = append(values[what], value)
		}
		for round := range cfg.Rounds + 1 {
			if err := s.ready(flight.callers, flight.burst); err != nil {
				return err
			}
			p50, rate := map[string]float64{}, map[string]float64{}
			for _, step := range steps {
				took, wall, err := burst(flight.callers, flight.burst, step.do)
				if err != nil {
					return fmt.Errorf("%s: %w", step.name, err)
				}
				p50[step.name], rate[step.name] = median(took), float64(flight.burst)/wall.Seconds()
			}
			if round == 0 {
				continue // opens connections and fills pools
			}
			for _, step := range steps {
				add(step.name+" p50", p50[step.name])
			}
			parts := p50[calledEmpty] + p50["ruling"] + p50["transaction"] + p50["copy on the bus"]
			add("parts / move", (p50[raw]+parts)/p50[posted])
			add("moves / empty moves a second", rate[posted]/rate[postedEmpty])
			add("moves a second", rate[posted])
			add("parts / call of play", parts/p50[called])
			add("calls of play / empty calls a second", rate[called]/rate[calledEmpty])
			add("calls of play a second", rate[called])
		}
		for _, what := range order {
			unit := "us"
			switch {
			case strings.Contains(what, " / "):
				unit = "ratio"
			case strings.HasSuffix(what, "a second"):
				unit = "1/s"
			}
			f := measure.NewFigure(fmt.Sprintf("%s, %s, %d in flight", what, name, flight.callers), unit, values[what])
			switch {
			case strings.HasPrefix(what, "parts / "):
				// The goals are of the move as a multiple of its parts.
				f = f.Goals(1/goals[i], 1/aims[i])
			case what == "moves / empty moves a second" && flight.callers > 1:
				f = f.Goals(share, share)
			}
			run.Figures = append(run.Figures, f)
		}
	}
	return nil
}
