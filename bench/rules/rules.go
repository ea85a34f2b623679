// Package rules measures the rules of the games: counting moves, reading
// records, and the service that plays a move.
package rules

import (
	"fmt"
	"slices"

	"tabuleiro/bench/measure"
)

// Config says what is measured, and how often.
type Config struct {
	// Only names the parts, as in Parts; none means all.
	Only []string
	// Rounds are interleaved; at least one.
	Rounds int
	// Seed makes the games that are read and played.
	Seed uint64
	// Self is the program to start again for what needs a process of its own.
	Self string
}

// Parts are the names of what can be measured, in order.
func Parts() []string { return []string{"perft", "pgn", "apply"} }

// Measure adds the figures to a run.
func Measure(cfg Config, run *measure.Run) error {
	for i, part := range []func(Config, *measure.Run) error{perft, records, apply} {
		if name := Parts()[i]; len(cfg.Only) == 0 || slices.Contains(cfg.Only, name) {
			if err := part(cfg, run); err != nil {
				return fmt.Errorf("measuring %s: %w", name, err)
			}
		}
	}
	return nil
}

// series collects the values of each round by name, in the order of first use.
type series struct {
	names  []string
	units  map[string]string
	values map[string][]float64
}

func (s *series) add(name, unit string, value float64) {
	if s.values == nil {
		s.units, s.values = map[string]string{}, map[string][]float64{}
	}
	if _, ok := s.values[name]; !ok {
		s.names = append(s.names, name)
		s.units[name] = unit
	}
	s.values[name] = append(s.values[name], value)
}

// figures sums up, with the goals, must and aim, of those that have some.
func (s *series) figures(goals map[string][2]float64) []measure.Figure {
	var out []measure.Figure
	for _, name := range s.names {
		goal := goals[name]
		out = append(out, measure.NewFigure(name, s.units[name], s.values[name]).Goals(goal[0], goal[1]))
	}
	return out
}
