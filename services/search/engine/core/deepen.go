package core

import "slices"

// Count counts the nodes of a search and knows when it must end.
type Count struct {
	Limits  Limits
	Nodes   uint64
	Stopped bool
}

// Halt counts a node and tells whether the search must end.
func (c *Count) Halt() bool {
	c.Nodes++
	if c.Nodes&1023 == 0 && c.Limits.Stop != nil && c.Limits.Stop(c.Nodes) {
		c.Stopped = true
	}
	if c.Limits.Nodes > 0 && c.Nodes > c.Limits.Nodes {
		c.Stopped = true
	}
	return c.Stopped
}

// RootMove is a move of the root with what is known of it.
type RootMove[M comparable] struct {
	Move  M
	Score int // of this iteration; -Infinity for no better than another
	Line  []M
	Nodes uint64 // that it took in this iteration
}

// Deepening is what the full searches of the games share: the moves of the root and the
// loop over depths. A search embeds it and gives itself to Deepen.
type Deepening[M comparable] struct {
	Count
	Options Options
	Root    []RootMove[M]
	// Depth is that of the iteration, Farthest the greatest distance from the root that
	// it looked at.
	Depth, Farthest int
	// Known counts positions whose value tables of endings knew.
	Known uint64
}

// Window is within which a sweep's value is expected. Margin is how far its next one
// will be from a value outside, Depth how deep it searches.
type Window struct{ Alpha, Beta, Margin, Depth int }

// Open makes a window of one that holds every value.
func (w *Window) Open() { w.Alpha, w.Beta = -Infinity, Infinity }

// Tree is what a game's search does for Deepen.
type Tree[M comparable] interface {
	// Sweep searches the moves of the root from index on once and sorts them, the best
	// first. Its value is exact within the window and a bound outside.
	Sweep(index int, w Window) int
	// Widen moves a window towards a value outside.
	Widen(w *Window, value int)
	// Texts are the exact texts of a line from the root.
	Texts(line []M) []string
	// Fade forgets a part of what was learnt, before an iteration that is not the first.
	Fade()
}

// Deepen searches to one depth after another until a limit, a proven end or the last
// depth. done is what is known without a search, its line the move that is played where
// not even the first iteration ends; margin is that of the first windows.
func (d *Deepening[M]) Deepen(t Tree[M], last, margin int, done Result) Result {
	lines := d.lines()
	done.Lines = lines
	best := d.Root[0].Move
	for d.Depth = 1; d.Depth <= last; d.Depth++ {
		if d.Depth > 1 && d.Depth < last && Skips(d.Options.Helper, d.Depth) {
			continue
		}
		if d.Depth > 1 {
			t.Fade()
		}
		before := d.Nodes
		d.Farthest = 0
		for i := range d.Root {
			d.Root[i].Nodes = 0
		}
		for index := 0; index < lines && !d.Stopped; index++ {
			d.iterate(t, index, margin)
		}
		if d.Stopped {
			// An iteration that was stopped counts where it had found a better move.
			if r := &d.Root[0]; d.Depth > 1 && r.Score > -Infinity && r.Move != best {
				done.Report = d.report(t, 0, before)
				done.Depth = d.Depth - 1
			} else if d.Depth == 1 {
				done.Line = d.report(t, 0, before).Line
			}
			break
		}
		best = d.Root[0].Move
		done.Report = d.report(t, 0, before)
		distance := min(Win-done.Score, done.Score+Win)
		done.Complete = d.Depth == last || distance <= d.Depth && lines == 1
		if d.Options.Report != nil {
			for index := range lines {
				d.Options.Report(d.report(t, index, before))
			}
		}
		if done.Complete || d.Limits.Enough != nil && d.Limits.Enough(done.Report) {
			break
		}
	}
	done.Nodes = d.Nodes
	done.Move = done.Line[0]
	done.Equal = []string{done.Move}
	return done
}

// lines is how many best moves there are to be found.
func (d *Deepening[M]) lines() int { return max(1, min(d.Options.Lines, len(d.Root))) }

// report is what is known of one of the best moves; before is how many nodes there were
// before the iteration.
func (d *Deepening[M]) report(t Tree[M], index int, before uint64) Report {
	r := &d.Root[index]
	report := Report{
		Depth: d.Depth, Farthest: max(d.Farthest, len(r.Line)), Score: r.Score, Line: t.Texts(r.Line),
		Nodes: d.Nodes, Known: d.Known, Index: index, Lines: d.lines(),
	}
	if n := d.Nodes - before; n > 0 {
		report.Share = float64(r.Nodes) / float64(n)
	}
	return report
}

// iterate finds the best of the moves from index on and puts it there.
func (d *Deepening[M]) iterate(t Tree[M], index, margin int) {
	w := Window{Margin: margin, Depth: d.Depth}
	w.Open()
	if last := d.Root[index].Score; d.Options.Aspiration && d.Depth >= 5 && !IsWin(last) && !IsLoss(last) {
		w.Alpha, w.Beta = last-margin, last+margin
	}
	var above *RootMove[M] // what was better than all that was expected
	for {
		value := t.Sweep(index, w)
		if d.Stopped {
			if above != nil && d.Root[index].Score == -Infinity {
				d.put(index, *above)
			}
			return
		}
		above = nil
		switch {
		case value <= w.Alpha && w.Alpha > -Infinity:
			d.outside(t, index, value, Upper)
		case value >= w.Beta && w.Beta < Infinity:
			d.outside(t, index, value, Lower)
			first := d.Root[index]
			above = &first
		default: // A later line may come out better than one before.
			for ; index > 0 && d.Root[index].Score > d.Root[index-1].Score; index-- {
				d.Root[index], d.Root[index-1] = d.Root[index-1], d.Root[index]
			}
			return
		}
		t.Widen(&w, value)
	}
}

// outside says that a value lies outside its window.
func (d *Deepening[M]) outside(t Tree[M], index, value int, bound Bound) {
	if d.Options.Failed == nil {
		return
	}
	d.Options.Failed(bound, func() Report {
		r := d.report(t, index, d.Nodes)
		r.Score = value
		return r
	})
}

// put puts a move that is known at an index, before those that follow.
func (d *Deepening[M]) put(index int, known RootMove[M]) {
	i := slices.IndexFunc(d.Root, func(r RootMove[M]) bool { return r.Move == known.Move })
	known.Nodes = d.Root[i].Nodes
	d.Root = slices.Insert(slices.Delete(d.Root, i, i+1), index, known)
}

// Repeated tells whether the last of the keys has come again since the root, which is at
// base, or, together with what came before the root, for the third time. reversible is
// how many plies before it could be alike.
func Repeated(keys []uint64, base, reversible int) bool {
	at := len(keys) - 1
	key, earlier := keys[at], 0
	for i := at - 4; i >= max(0, at-reversible); i -= 2 {
		if keys[i] != key {
			continue
		}
		if earlier++; i >= base || earlier == 2 {
			return true
		}
	}
	return false
}
