package draughtssearch

import (
	"math/rand/v2"
	"slices"

	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/core"
)

type rootMove = core.RootMove[draughts.Move]

// rootMoves lists the moves to choose from, by lot but for the one that the
// table knows.
func (s *search) rootMoves(p *Problem) {
	f := &s.frames[0]
	for _, m := range f.moves {
		s.Root = append(s.Root, rootMove{Move: m, Line: []draughts.Move{m}})
	}
	if chosen := slices.DeleteFunc(slices.Clone(s.Root), func(r rootMove) bool {
		return !slices.Contains(s.Limits.Only, Text(p.pos, r.Move))
	}); len(chosen) > 0 {
		s.Root = chosen
	}
	rng := rand.New(rand.NewPCG(uint64(uint32(s.Options.Seed)), uint64(s.Options.Helper)))
	rng.Shuffle(len(s.Root), func(i, j int) { s.Root[i], s.Root[j] = s.Root[j], s.Root[i] })
	if entry, ok := s.table.Get(s.key(f, core.MaxDepth)); ok {
		if i := slices.IndexFunc(s.Root, func(r rootMove) bool { return pack(r.Move) == entry.Move }); i > 0 {
			r := s.Root[i]
			copy(s.Root[1:i+1], s.Root[:i])
			s.Root[0] = r
		}
	}
}

// promise is how a move of the root looks without any search.
func (s *search) promise(r rootMove) int {
	s.play(0, r.Move)
	return -s.evaluate(&s.frames[1])
}

// run deepens until a limit, a proven end or the greatest depth.
func (s *search) run() core.Result {
	last := core.MaxDepth
	if s.Limits.Depth > 0 {
		last = min(last, s.Limits.Depth)
	}
	f := &s.frames[0]
	if len(f.moves) == 1 && !s.Limits.Whole {
		last = 1 // There is nothing to choose.
	}
	switch value, known := s.known(f, 0); {
	case known && value != 0:
		last = 1 // The way to the end is known.
	case known:
		// All moves that hold the draw are alike to the search.
		slices.SortStableFunc(s.Root, func(a, b rootMove) int { return s.promise(b) - s.promise(a) })
	}
	return s.Deepen(s, last, 12, core.Result{Report: core.Report{Score: s.evaluate(f), Line: s.Texts(s.Root[0].Line)}})
}

// Texts are the texts of a line from the root.
func (s *search) Texts(line []draughts.Move) []string { return texts(s.frames[0].pos, line) }

// Widen opens a window quickly on the side on which the value lies.
func (s *search) Widen(w *core.Window, value int) {
	w.Margin *= 3
	if value <= w.Alpha {
		w.Alpha = max(value-w.Margin, -core.Infinity)
	} else {
		w.Beta = min(value+w.Margin, core.Infinity)
	}
	if w.Margin > 400 {
		w.Open()
	}
}

// Sweep searches the moves from index on once within a window, and puts those that are
// no better than another in the order of the work that they made.
func (s *search) Sweep(index int, w core.Window) int {
	value := s.sweep(index, w.Depth, w.Alpha, w.Beta)
	slices.SortStableFunc(s.Root[index:], func(a, b rootMove) int {
		switch {
		case a.Score != b.Score:
			return b.Score - a.Score
		case a.Nodes > b.Nodes:
			return -1
		case a.Nodes < b.Nodes:
			return 1
		}
		return 0
	})
	return value
}

func (s *search) sweep(index, depth, alpha, beta int) int {
	for i := index; i < len(s.Root); i++ {
		s.Root[i].Score = -core.Infinity
	}
	best := -core.Infinity
	for i := index; i < len(s.Root); i++ {
		r := &s.Root[i]
		before := s.Nodes
		if s.Options.Trying != nil {
			s.Options.Trying(s.Depth, i+1, func() string { return Text(s.frames[0].pos, r.Move) })
		}
		s.play(0, r.Move)
		value := 0
		if i == index {
			value = -s.tree(1, depth-1, -beta, -alpha)
		} else {
			value = -s.tree(1, depth-1, -alpha-1, -alpha)
			if value > alpha && value < beta && !s.Stopped {
				value = -s.tree(1, depth-1, -beta, -alpha)
			}
		}
		r.Nodes += s.Nodes - before
		if s.Stopped {
			return best
		}
		if value <= best {
			continue
		}
		best = value
		if value > alpha || i == index {
			r.Score = value
			r.Line = append(append(r.Line[:0:0], r.Move), s.frames[1].line...)
		}
		if value > alpha {
			alpha = value
			if value >= beta {
				return best
			}
		}
	}
	return best
}

// Fade halves what earlier iterations have said of quiet moves.
func (s *search) Fade() {
	for side := range s.history {
		for i := range s.history[side] {
			s.history[side][i] /= 2
		}
	}
}
