package tune

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"tabuleiro/games"
	"tabuleiro/services/search/engine"
)

// Position is one line of a file of positions: the position, what a search said
// of it and how its game ended.
type Position struct {
	Text string
	// Score is the search's, for the first side, in centipawns.
	Score int
	// Result is the first side's part of the point.
	Result float64
}

// Write appends positions to a file: text, score and result, parted by
// semicolons.
func Write(w io.Writer, list []Position) error {
	for _, p := range list {
		if _, err := fmt.Fprintf(w, "%s;%d;%g\n", p.Text, p.Score, p.Result); err != nil {
			return err
		}
	}
	return nil
}

// Read reads what Write wrote.
func Read(r io.Reader, each func(Position) error) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), ";")
		if len(fields) != 3 {
			return fmt.Errorf("line %d: want position;score;result", n)
		}
		score, err := strconv.Atoi(fields[1])
		if err != nil {
			return fmt.Errorf("line %d: score: %w", n, err)
		}
		result, err := strconv.ParseFloat(fields[2], 64)
		if err != nil || result < 0 || result > 1 {
			return fmt.Errorf("line %d: %q is no result", n, fields[2])
		}
		if err := each(Position{Text: fields[0], Score: score, Result: result}); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

// SelfPlay plays games of the engine against itself.
type SelfPlay struct {
	Game games.Game
	// Games is how many, First the number of the first: a run may go on later.
	Games, First int
	// Nodes is the search of one move, Random the plies at the start that are
	// drawn.
	Nodes   uint64
	Random  int
	Seed    uint64
	Workers int
}

// What ends a game before its end, and what is no start of one.
const (
	decided   = 1500 // centipawns, for so many plies:
	decidedBy = 4
	unequal   = 250
	longest   = 300
	tableSize = 1 << 21
)

// Play writes the quiet positions of the games in their order.
func (s SelfPlay) Play(ctx context.Context, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		list []Position
		err  error
	}
	answers := make([]chan answer, s.Games)
	for i := range answers {
		answers[i] = make(chan answer, 1)
	}
	work := make(chan int)
	var group sync.WaitGroup
	defer group.Wait()
	for range max(s.Workers, 1) {
		group.Go(func() {
			for i := range work {
				list, err := s.game(ctx, s.First+i)
				answers[i] <- answer{list, err}
			}
		})
	}
	group.Go(func() {
		defer close(work)
		for i := range answers {
			select {
			case work <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	for i := range answers {
		select {
		case a := <-answers[i]:
			if a.err == nil {
				a.err = Write(w, a.list)
			}
			if a.err != nil {
				cancel()
				return fmt.Errorf("game %d: %w", s.First+i, a.err)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// game plays one game and returns its quiet positions.
func (s SelfPlay) game(ctx context.Context, number int) ([]Position, error) {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(number)))
	table := engine.NewTable(tableSize)
	r, err := s.start(rng)
	if err != nil {
		return nil, err
	}
	var list []Position
	result, ahead, run := 0.5, 0, 0
	for ply := 0; ply < longest && len(r.Claims) == 0; ply++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if r.Outcome != nil {
			if !r.Outcome.Draw {
				result = 1 - float64(r.Outcome.Winner)
			}
			break
		}
		problem, err := engine.Open(r.Position)
		if err != nil {
			return nil, err
		}
		opts := engine.Full()
		opts.Seed = rng.Int32()
		table.Age()
		found := problem.Search(engine.Limits{Nodes: s.Nodes}, opts, table)
		score := found.Score
		if r.Side == games.Second {
			score = -score
		}
		if ply == 0 && (score > unequal || score < -unequal) {
			return nil, nil
		}
		if found.Depth > 0 && quiet(r, found.Move) && score < decided && score > -decided {
			list = append(list, Position{Text: r.Position.Text, Score: score})
		}
		side := 0
		switch {
		case score >= decided:
			side = 1
		case score <= -decided:
			side = -1
		}
		if side != 0 && side == ahead {
			run++
		} else {
			ahead, run = side, 1
		}
		if side != 0 && run >= decidedBy {
			result = float64(1+side) / 2
			break
		}
		if _, r, err = s.Game.Apply(r.Position, found.Move); err != nil {
			return nil, err
		}
	}
	for i := range list {
		list[i].Result = result
	}
	return list, nil
}

// start is a position after some random moves in which the game goes on.
func (s SelfPlay) start(rng *rand.Rand) (games.Ruling, error) {
	for range 100 {
		p, err := s.Game.Start("")
		if err != nil {
			return games.Ruling{}, err
		}
		r, err := s.Game.Rule(p)
		for range s.Random + rng.IntN(2) {
			if err != nil || r.Outcome != nil {
				break
			}
			_, r, err = s.Game.Apply(r.Position, r.Moves[rng.IntN(len(r.Moves))].Text)
		}
		if err != nil {
			return games.Ruling{}, err
		}
		if r.Outcome == nil {
			return r, nil
		}
	}
	return games.Ruling{}, errors.New("no start was found in which the game goes on")
}

// quiet tells whether nothing is being taken: neither check nor capture nor
// promotion.
func quiet(r games.Ruling, move string) bool {
	if len(r.Check) > 0 {
		return false
	}
	for _, m := range r.Moves {
		if m.Text == move {
			return len(m.Captures) == 0 && m.Promotion == ""
		}
	}
	return false
}
