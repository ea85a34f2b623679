// Package tables measures how long the tables of draughts endings take to build,
// and how long a value takes to read.
package tables

import (
	"fmt"
	"math/rand/v2"
	"time"

	"tabuleiro/bench/measure"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/endings"
)

// samples is how many values of each number of pieces are checked a round, and
// read to time them.
const samples = 200_000

// goals are the most seconds that all tables up to a number of pieces may take,
// and should.
var goals = []struct {
	pieces    int
	must, aim float64
}{{4, 5, 1.5}, {5, 90, 30}}

// Measure adds the figures to a run. Each round builds all tables in memory.
func Measure(rounds int, run *measure.Run) error {
	seconds := make([][]float64, len(goals))
	reads := make([][]float64, len(goals))
	random := rand.New(rand.NewPCG(run.Seed, 0))
	for range rounds {
		var t endings.Tables
		spent := time.Duration(0)
		for n := endings.MinPieces; n <= endings.MaxPieces; n++ {
			took, err := build(&t, n)
			if err != nil {
				return err
			}
			spent += took
			for i, goal := range goals {
				if goal.pieces != n {
					continue
				}
				seconds[i] = append(seconds[i], spent.Seconds())
				read, err := check(&t, n, random)
				if err != nil {
					return err
				}
				reads[i] = append(reads[i], float64(read.Nanoseconds())/samples)
			}
		}
	}
	for i, goal := range goals {
		fast := make([]float64, rounds)
		for r, s := range seconds[i] {
			fast[r] = goal.must / s
		}
		name := fmt.Sprintf("2 to %d pieces", goal.pieces)
		run.Figures = append(run.Figures,
			measure.NewFigure(fmt.Sprintf("%g s / processor time to build, %s", goal.must, name), "ratio", fast).Goals(1, goal.must/goal.aim),
			measure.NewFigure("processor time to build, "+name, "s", seconds[i]),
			measure.NewFigure(fmt.Sprintf("processor time to read a value of %d pieces, drawn at random", goal.pieces), "ns", reads[i]))
	}
	run.Notes = append(run.Notes, fmt.Sprintf("One thread, in memory, user and system time. Each round builds all tables anew and compares "+
		"%d values of each largest number of pieces with those that their moves lead to; a wrong one ends the run.", samples))
	return nil
}

// build makes the tables of n pieces and says what processor time that took.
func build(t *endings.Tables, n int) (time.Duration, error) {
	data := make([]byte, endings.Size(n))
	spent, err := measure.Spent(func() error { return t.Build(n, data, nil) })
	if err != nil {
		return 0, err
	}
	return spent, t.Add(n, data)
}

// check compares some values with those that follow from the moves, and times
// the reading of as many.
func check(t *endings.Tables, n int, random *rand.Rand) (time.Duration, error) {
	drawn := make([]draughts.Position, samples)
	var moves draughts.MoveList
	for i := range drawn {
		drawn[i] = endings.Sample(n, random)
		if fault := endings.Check(t, &drawn[i], &moves); fault != nil {
			return 0, fault
		}
	}
	random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return measure.Spent(func() error {
		for i := range drawn {
			t.Probe(&drawn[i])
		}
		return nil
	})
}
