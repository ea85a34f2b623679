package core

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// scripted is a tree with moves 0 to 4 whose values are said by depth; where over ends
// the search at a sweep, all that it finds is lost.
type scripted struct {
	Deepening[int]
	value func(move, depth int) int
	over  func(sweep, depth int) bool
	// sweeps counts those of a depth, windows are all.
	sweeps  int
	windows []Window
}

func newScripted(value func(move, depth int) int) *scripted {
	s := &scripted{value: value, over: func(int, int) bool { return false }}
	for m := range 5 {
		s.Root = append(s.Root, RootMove[int]{Move: m, Line: []int{m}})
	}
	s.Options.Aspiration = true
	return s
}

func (s *scripted) Sweep(index int, w Window) int {
	s.windows = append(s.windows, w)
	if s.sweeps++; w.Depth < s.Depth || w.Margin == 10 && index == 0 {
		s.sweeps = 1
	}
	for i := range s.Root[index:] {
		s.Root[index+i].Score = -Infinity
	}
	if s.over(s.sweeps, s.Depth) {
		s.Stopped = true
		return -Infinity
	}
	best := -Infinity
	for i := range s.Root[index:] {
		r := &s.Root[index+i]
		s.Nodes++
		r.Nodes++
		if v := s.value(r.Move, s.Depth); v > best {
			best = v
			if v > w.Alpha || i == 0 {
				r.Score, r.Line = v, []int{r.Move}
			}
			if v >= w.Beta {
				break
			}
		}
	}
	slices.SortStableFunc(s.Root[index:], func(a, b RootMove[int]) int { return b.Score - a.Score })
	return best
}

func (s *scripted) Widen(w *Window, value int) {
	w.Alpha, w.Beta = min(w.Alpha, value-w.Margin), max(w.Beta, value+w.Margin)
	w.Margin *= 2
}

func (s *scripted) Texts(line []int) (out []string) {
	for _, m := range line {
		out = append(out, fmt.Sprint("m", m))
	}
	return out
}

func (s *scripted) Fade() {}

func (s *scripted) run(last int) Result {
	return s.Deepen(s, last, 10, Result{Report: Report{Line: []string{"m0"}}})
}

// jumps is the value of a move that comes out much better at depth 6.
func jumps(move, depth int) int {
	if move == 3 && depth >= 6 {
		return 100
	}
	return -move
}

// TestAFoundMoveIsKeptWhereItsWindowIsStopped: a move that came out better than was
// expected, and whose true value a search is stopped at, is still the one found.
func TestAFoundMoveIsKeptWhereItsWindowIsStopped(t *testing.T) {
	for sweep, want := range map[int]string{1: "m0", 2: "m3"} {
		s := newScripted(jumps)
		s.over = func(n, depth int) bool { return depth == 6 && n == sweep }
		r := s.run(9)
		var moves []int
		for _, m := range s.Root {
			moves = append(moves, m.Move)
		}
		slices.Sort(moves)
		if r.Move != want || r.Depth != 5 || r.Complete || !slices.Equal(moves, []int{0, 1, 2, 3, 4}) {
			t.Errorf("stopped in sweep %d: %+v, moves %v, want %s", sweep, r, moves, want)
		}
	}
}

// TestStoppedAtOnce: the first move is played where nothing else is known.
func TestStoppedAtOnce(t *testing.T) {
	s := newScripted(jumps)
	s.over = func(int, int) bool { return true }
	if r := s.run(9); r.Move != "m0" || r.Depth != 0 || !slices.Equal(r.Equal, []string{"m0"}) {
		t.Errorf("%+v", r)
	}
}

// TestValuesOutsideAreTold: a bound with the value, before the window that holds it.
func TestValuesOutsideAreTold(t *testing.T) {
	for bound, value := range map[Bound]int{Lower: 100, Upper: -100} {
		s := newScripted(func(move, depth int) int {
			if depth >= 6 {
				return value - move
			}
			return -move
		})
		var told []string
		s.Options.Failed = func(b Bound, report func() Report) {
			r := report()
			told = append(told, fmt.Sprint(b, r.Depth, r.Score, r.Line))
		}
		r := s.run(6)
		if want := []string{fmt.Sprint(bound, 6, value, []string{"m0"})}; !slices.Equal(told, want) || r.Score != value || !r.Complete {
			t.Errorf("told %v, want %v; %+v", told, want, r)
		}
	}
}

// TestLinesAreInOrder: the second line of an iteration may come out better than the
// first.
func TestLinesAreInOrder(t *testing.T) {
	s := newScripted(func(move, depth int) int { return 10 * move })
	s.Options.Lines = 9
	var got [][]int
	s.Options.Report = func(r Report) {
		if r.Lines != 5 {
			t.Errorf("%+v", r)
		}
		if r.Index == 0 {
			got = append(got, nil)
		}
		got[r.Depth-1] = append(got[r.Depth-1], r.Score)
	}
	s.run(2)
	if want := [][]int{{40, 30, 20, 10, 0}, {40, 30, 20, 10, 0}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	s = newScripted(nil)
	s.Options.Lines, s.Depth = 2, 1
	calls := 0
	s.value = func(move, _ int) int { // what is found out last is better
		calls++
		return calls
	}
	s.run(1)
	if !slices.IsSortedFunc(s.Root[:2], func(a, b RootMove[int]) int { return b.Score - a.Score }) {
		t.Errorf("%v", s.Root)
	}
}

func TestHalt(t *testing.T) {
	asked := 0
	c := Count{Limits: Limits{Nodes: 3000, Stop: func(n uint64) bool { asked++; return n >= 2048 }}}
	for !c.Halt() {
	}
	if c.Nodes != 2048 || asked != 2 {
		t.Errorf("%d nodes, asked %d times", c.Nodes, asked)
	}
	c = Count{Limits: Limits{Nodes: 3}}
	for !c.Halt() {
	}
	if c.Nodes != 4 || !c.Stopped {
		t.Errorf("%+v", c)
	}
}

func TestRepeated(t *testing.T) {
	for _, tt := range []struct {
		keys             []uint64
		base, reversible int
		want             bool
	}{
		{[]uint64{1, 2, 3, 4, 1}, 0, 4, true},                 // since the root
		{[]uint64{1, 2, 3, 4, 1}, 1, 4, false},                // before it, once
		{[]uint64{1, 2, 3, 4, 1, 2, 3, 4, 1}, 5, 8, true},     // before it, twice
		{[]uint64{1, 2, 3, 4, 1, 2, 3, 4, 1}, 5, 4, false},    // but not behind what cannot be undone
		{[]uint64{1, 2, 3, 4, 1, 2, 3, 4, 1}, 4, 8, true},     // at the root itself
		{[]uint64{1, 2, 1}, 0, 2, false},                      // no position comes again so soon
		{[]uint64{7}, 0, 0, false},                            // nothing was before
		{[]uint64{1, 2, 3, 4, 5, 6, 1}, 0, 60, true},          // further apart; longer than the past
		{[]uint64{9, 1, 2, 3, 4, 5, 6, 7, 8, 2}, 0, 9, false}, // the other side was to move
	} {
		if got := Repeated(tt.keys, tt.base, tt.reversible); got != tt.want {
			t.Errorf("%v from %d, %d: %v", tt.keys, tt.base, tt.reversible, got)
		}
	}
}
