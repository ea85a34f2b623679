package engine

import (
	"slices"
	"testing"

	"tabuleiro/games/chess"
	"tabuleiro/games/tictactoe"
	"tabuleiro/services/search/engine/core"
)

type (
	chessPosition = chess.Position
	chessMove     = chess.Move
)

// perfect is tic-tac-toe by plain minimax.
type perfect struct{}

func (perfect) parse(t testing.TB, text string) tictactoe.Position {
	t.Helper()
	p, err := tictactoe.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// value is the score for the side to move with wins and losses by distance.
func (r perfect) value(p tictactoe.Position) int {
	if _, won := p.Winner(); won {
		return -Win
	}
	if p.Over() {
		return 0
	}
	best := -core.Infinity
	for m := p.Moves(); m != 0; m = m.Rest() {
		v := -r.value(p.Play(m.First()))
		if v > 0 {
			v--
		} else if v < 0 {
			v++
		}
		best = max(best, v)
	}
	return best
}

func (r perfect) best(p tictactoe.Position) (int, []string) {
	best := r.value(p)
	var moves []string
	for m := p.Moves(); m != 0; m = m.Rest() {
		v := -r.value(p.Play(m.First()))
		if v > 0 {
			v--
		} else if v < 0 {
			v++
		}
		if v == best {
			moves = append(moves, m.First().String())
		}
	}
	return best, moves
}

// TestNeverLosesTicTacToe plays every game that an opponent can play against
// the engine, as either side and with the options of every level. The engine
// never loses, and each of its moves is best: it wins soonest and, where a
// position handed to it is lost, loses latest.
func TestNeverLosesTicTacToe(t *testing.T) {
	seen := map[string]string{}
	table := NewTable(1 << 16)
	answer := func(p tictactoe.Position, opts Options, depth int) string {
		key := p.Text() + "/" + string(rune('0'+depth))
		if m, ok := seen[key]; ok {
			return m
		}
		table.Clear()
		got := open(t, "tictactoe", p.Text()).Search(Limits{Depth: depth}, opts, table)
		score, moves := perfect{}.best(p)
		if got.Score != score || !slices.Equal(got.Equal, moves) || !slices.Contains(moves, got.Move) {
			t.Fatalf("%s: %+v, want %d by %v", p.Text(), got, score, moves)
		}
		seen[key] = got.Move
		return got.Move
	}
	var walk func(p tictactoe.Position, engine int, opts Options, depth int)
	walk = func(p tictactoe.Position, engine int, opts Options, depth int) {
		if winner, won := p.Winner(); won {
			if int(winner) != engine {
				t.Fatalf("lost: %s", p.Text())
			}
			return
		}
		if p.Over() {
			return
		}
		if int(p.Side()) == engine {
			sq, _ := tictactoe.ParseSquare(answer(p, opts, depth))
			walk(p.Play(sq), engine, opts, depth)
			return
		}
		for m := p.Moves(); m != 0; m = m.Rest() {
			walk(p.Play(m.First()), engine, opts, depth)
		}
	}
	for _, level := range []struct {
		opts  Options
		depth int
	}{{Options{Exact: true}, 2}, {Options{Exact: true}, 4}, {Options{Exact: true}, 6}, {Full(), 0}} {
		for engine := range 2 {
			for seed := range int32(3) {
				clear(seen)
				level.opts.Seed = seed
				walk(tictactoe.Position{}, engine, level.opts, level.depth)
			}
		}
	}
}

// Every position there is, lost ones too.
func TestEveryTicTacToePosition(t *testing.T) {
	table := NewTable(1 << 16)
	done := map[tictactoe.Position]bool{}
	var walk func(p tictactoe.Position)
	walk = func(p tictactoe.Position) {
		if done[p] || p.Over() {
			return
		}
		done[p] = true
		score, moves := perfect{}.best(p)
		table.Clear()
		got := open(t, "tictactoe", p.Text()).Search(Limits{}, Full(), table)
		if got.Score != score || !slices.Equal(got.Equal, moves) || !got.Complete {
			t.Fatalf("%s: %+v, want %d by %v", p.Text(), got, score, moves)
		}
		for m := p.Moves(); m != 0; m = m.Rest() {
			walk(p.Play(m.First()))
		}
	}
	walk(tictactoe.Position{})
	if len(done) != 4520 {
		t.Errorf("%d positions that are not over, want 4520", len(done))
	}
}
