package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/core"
)

// minimax is the reference: no windows, no table, no order.
type minimax[P, M any] struct {
	rules Rules[P, M]
	eval  Evaluator[P]
	base  int
	keys  []uint64
}

func (r *minimax[P, M]) value(p P, ply, depth int) int {
	r.keys = append(r.keys[:r.base+ply], r.rules.Hash(&p))
	if ply > 0 && (r.rules.Drawn(&p) || r.repeated(&p)) {
		return 0
	}
	if depth == 0 {
		return r.quiet(p, ply)
	}
	best := -core.Infinity
	for _, m := range r.rules.Legal(&p, nil) {
		var next P
		r.rules.Play(&p, m, &next)
		best = max(best, -r.value(next, ply+1, depth-1))
	}
	if best == -core.Infinity {
		return r.ended(&p, ply)
	}
	return best
}

func (r *minimax[P, M]) repeated(p *P) bool {
	at := len(r.keys) - 1
	earlier := 0
	for i := max(0, at-r.rules.Reversible(p)); i < at; i++ {
		if r.keys[i] == r.keys[at] {
			if earlier++; i >= r.base || earlier == 2 {
				return true
			}
		}
	}
	return false
}

func (r *minimax[P, M]) ended(p *P, ply int) int {
	if r.rules.Stuck(p) {
		return ply - Win
	}
	return 0
}

func (r *minimax[P, M]) quiet(p P, ply int) int {
	moves, quiet := r.rules.Forcing(&p, nil)
	if !quiet && len(moves) == 0 {
		return r.ended(&p, ply)
	}
	best := -core.Infinity
	if quiet {
		best = r.eval.Evaluate(&p)
	}
	for _, m := range moves {
		var next P
		r.rules.Play(&p, m, &next)
		if r.rules.Drawn(&next) {
			best = max(best, 0)
		} else {
			best = max(best, -r.quiet(next, ply+1))
		}
	}
	return best
}

// compare checks an exact search of a problem, and one with everything that is
// allowed to change no value, against plain minimax at all depths up to one.
func compare[P, M any](t *testing.T, name string, q *problem[P, M], depth int) {
	t.Helper()
	for d := 1; d <= depth; d++ {
		r := &minimax[P, M]{rules: q.rules(), eval: q.eval, base: len(q.past), keys: slices.Clone(q.past)}
		best := -core.Infinity
		var equal []string
		for i, m := range q.moves {
			root := q.root
			r.keys = append(r.keys[:r.base], r.rules.Hash(&root))
			var next P
			r.rules.Play(&root, m, &next)
			v := -r.value(next, 1, d-1)
			if v > best {
				best, equal = v, equal[:0]
			}
			if v == best {
				equal = append(equal, q.texts[i])
			}
		}
		got := q.Search(Limits{Depth: d}, Options{Exact: true}, NewTable(1<<20))
		if got.Depth < d { // it was done before: a win, a loss or the only move
			if !got.Complete {
				t.Fatalf("%s depth %d: %+v", name, d, got)
			}
			if len(q.moves) == 1 {
				continue
			}
		}
		if got.Score != best || !slices.Equal(got.Equal, equal) {
			t.Fatalf("%s depth %d: %d by %v, plain minimax says %d by %v", name, d, got.Score, got.Equal, best, equal)
		}
		plain := q.Search(Limits{Depth: d}, Options{}, NewTable(1<<20))
		if plain.Score != best && d <= 4 {
			t.Fatalf("%s depth %d: deepening without prunings says %d, plain minimax %d", name, d, plain.Score, best)
		}
	}
}

func TestEqualsMinimaxInChess(t *testing.T) {
	for _, c := range []struct {
		text  string
		depth int
	}{
		{"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", 2},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4},
		{"4k3/8/8/3p4/8/8/8/4K2N w - - 0 1", 6},
		{"8/8/4k3/8/2p5/8/1P2K3/8 w - - 0 1", 6},
		{"7k/8/8/8/8/8/R7/K7 w - - 96 90", 6},
		{"8/8/8/8/1pp5/k7/8/1K6 w - - 0 1", 6},
		{"2k5/2N5/1PKP4/2P5/8/8/8/8 w - - 0 1", 5},
		{"k7/8/2Q5/8/1K6/8/8/8 b - - 3 9", 5},
	} {
		q := open(t, "chess", c.text)
		compareAny(t, c.text, q, c.depth)
	}
}

// A past makes some moves repetitions and others not.
func TestEqualsMinimaxWithAPast(t *testing.T) {
	p := games.Position{Rules: "chess", Text: "8/8/4k3/3r4/8/4K3/4R3/8 w - - 0 1"}
	p = after(t, p, "e2f2", "d5e5", "e3d3", "e5d5", "d3e3", "d5e5", "e3d3", "e5d5", "d3e3")
	compareAny(t, "rooks", openPosition(t, p), 3)
	p = games.Position{Rules: "draughts", Text: "W:WKc1,Ke1,a5:BKa1,Kh8,b8"}
	p = after(t, p, "c1-d2", "h8-g7", "d2-c1", "g7-h8", "c1-d2", "h8-g7", "d2-c1", "g7-h8")
	compareAny(t, "kings", openPosition(t, p), 4)
	// There the third time ends the game by itself.
	p = games.Position{Rules: "draughts", Text: "W:WKc1,Ke1,a5:BKa1,Kh8,b8", Draws: "fmjd64"}
	p = after(t, p, "c1-d2", "h8-g7", "d2-c1", "g7-h8", "c1-d2", "h8-g7")
	compareAny(t, "kings", openPosition(t, p), 4)
}

func TestEqualsMinimaxInDraughts(t *testing.T) {
	compareAny(t, "start", open(t, "draughts", startDraughts), 6)
	for _, text := range []string{
		"W:WKc1,Ke1:BKa1", "W:WKa1,c3:BKh8,f6", "B:WKa1,Kc1:BKb8,Kd8", "W:Wc3,e3,g3:Bd6,f6,h6",
		"W:WKf2,a3:BKa7,b8,h8",
	} {
		compareAny(t, text, open(t, "draughts", text), 5)
	}
}

// Positions as they come in random games, of which many have captures waiting.
func TestEqualsMinimaxInRandomDraughts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	g := draughts.Game{}
	for game := range 30 {
		p := games.Position{Rules: "draughts", Text: startDraughts, Draws: []string{"cbd", "fmjd64"}[game%2]}
		r, err := g.Rule(p)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 + rng.IntN(60) {
			if r.Outcome != nil {
				break
			}
			p = r.Position
			if _, r, err = g.Apply(p, r.Moves[rng.IntN(len(r.Moves))].Text); err != nil {
				t.Fatal(err)
			}
		}
		compareAny(t, p.Text, openPosition(t, p), 4)
	}
}

func TestEqualsMinimaxInTicTacToe(t *testing.T) {
	// The search always goes to the end, so only that depth compares.
	for _, text := range []string{"1xo/1x1/o2 x", "x2/1o1/2x o", "xo1/1x1/2o x", "3/1x1/3 o"} {
		q := open(t, "tictactoe", text)
		r := perfect{}
		p := r.parse(t, text)
		score, moves := r.best(p)
		got := q.Search(Limits{Depth: 2}, Options{}, NewTable(1<<18))
		if got.Score != score || !slices.Equal(got.Equal, moves) || !got.Complete {
			t.Errorf("%s: %+v, want %d by %v", text, got, score, moves)
		}
	}
}

func compareAny(t *testing.T, name string, q Problem, depth int) {
	t.Helper()
	switch q := q.(type) {
	case *problem[chessPosition, chessMove]:
		compare(t, name, q, depth)
	case *problem[draughtsNode, draughts.Move]:
		compare(t, name, q, depth)
	default:
		t.Fatalf("%s: %T", name, q)
	}
}
