package engine

import (
	"slices"

	"tabuleiro/services/search/engine/core"
)

// The ways to search to a depth that [Compare] puts side by side.
const (
	WayMinimax   = "minimax"
	WayWorst     = "alpha-beta, worst order"
	WayGenerated = "alpha-beta, order as generated"
	WayBest      = "alpha-beta, best order"
	WayFull      = "full search, exact"
)

// Ways are all of them, from the most work to the least.
func Ways() []string { return []string{WayMinimax, WayWorst, WayGenerated, WayBest, WayFull} }

// Way is a comparison ready to run: Run gives the value of the position for its
// side to move and the nodes that were looked at.
type Way struct {
	Name string
	Run  func() (score int, nodes uint64)
}

// Compare prepares the ways to search a problem to one depth. All give the same
// value. What the best and the worst order must know beforehand is found out
// here and not counted.
func Compare(p Problem, depth int) []Way {
	if q, ok := p.(interface{ ways(depth int) []Way }); ok {
		return q.ways(depth)
	}
	return nil
}

func (p *problem[P, M]) ways(depth int) []Way {
	if p.plies > 0 {
		depth = min(depth, p.plies)
	}
	run := func(order int, known map[known]uint32) func() (int, uint64) {
		return func() (int, uint64) {
			r := &plain[P, M]{rules: p.rules(), eval: p.eval, base: len(p.past), keys: slices.Clone(p.past), order: order, known: known}
			score := r.value(&p.root, 0, depth, -core.Infinity, core.Infinity)
			return score, r.nodes
		}
	}
	best := map[known]uint32{}
	run(orderLearn, best)()
	list := []Way{
		{WayMinimax, run(orderAll, nil)},
		{WayWorst, run(orderWorst, best)},
		{WayGenerated, run(orderGenerated, nil)},
		{WayBest, run(orderBest, best)},
	}
	return append(list, Way{WayFull, func() (int, uint64) {
		r := p.Search(Limits{Depth: depth}, Options{Exact: true}, NewTable(1<<24))
		return r.Score, r.Nodes
	}})
}

// The orders of plain searches.
const (
	orderAll       = iota // no cuts at all
	orderGenerated        // as the rules list them
	orderLearn            // as generated, remembering what cut or was best
	orderBest             // what was remembered first
	orderWorst            // what was remembered last
)

// known is a node by its position and what is left to search.
type known struct {
	key   uint64
	depth int
}

// plain is minimax, with or without alpha-beta, and nothing else: no table, no
// deepening. It counts positions with the search's rules of draws.
type plain[P, M any] struct {
	rules Rules[P, M]
	eval  Evaluator[P]
	base  int
	keys  []uint64
	nodes uint64
	order int
	known map[known]uint32
}

func (r *plain[P, M]) value(p *P, ply, depth, alpha, beta int) int {
	r.nodes++
	r.keys = append(r.keys[:r.base+ply], r.rules.Hash(p))
	if ply > 0 && (r.rules.Drawn(p) || core.Repeated(r.keys, r.base, r.rules.Reversible(p))) {
		return 0
	}
	if depth == 0 {
		r.nodes--
		return r.quiet(p, ply, alpha, beta)
	}
	at := known{r.keys[r.base+ply], depth}
	moves := r.sorted(p, at)
	best := -core.Infinity
	for _, m := range moves {
		var next P
		r.rules.Play(p, m, &next)
		value := -r.value(&next, ply+1, depth-1, -beta, -alpha)
		if value <= best {
			continue
		}
		best = value
		if r.order == orderLearn {
			r.known[at] = r.rules.Pack(m)
		}
		if r.order != orderAll {
			if alpha = max(alpha, best); alpha >= beta {
				break
			}
		}
	}
	if len(moves) == 0 {
		return r.ended(p, ply)
	}
	return best
}

// sorted are a node's moves in the order of the run.
func (r *plain[P, M]) sorted(p *P, at known) []M {
	moves := r.rules.Legal(p, nil)
	pack, ok := r.known[at]
	if !ok || r.order != orderBest && r.order != orderWorst {
		return moves
	}
	if i := slices.IndexFunc(moves, func(m M) bool { return r.rules.Pack(m) == pack }); i >= 0 {
		m := moves[i]
		moves = slices.Delete(moves, i, i+1)
		if r.order == orderBest {
			moves = slices.Insert(moves, 0, m)
		} else {
			moves = append(moves, m)
		}
	}
	return moves
}

func (r *plain[P, M]) quiet(p *P, ply, alpha, beta int) int {
	r.nodes++
	moves, free := r.rules.Forcing(p, nil)
	if !free && len(moves) == 0 {
		return r.ended(p, ply)
	}
	best := -core.Infinity
	if free {
		best = r.eval.Evaluate(p)
	}
	for _, m := range moves {
		if r.order != orderAll {
			if alpha = max(alpha, best); alpha >= beta {
				break
			}
		}
		var next P
		r.rules.Play(p, m, &next)
		value := 0
		if !r.rules.Drawn(&next) {
			value = -r.quiet(&next, ply+1, -beta, -alpha)
		}
		best = max(best, value)
	}
	return best
}

func (r *plain[P, M]) ended(p *P, ply int) int {
	if r.rules.Stuck(p) {
		return ply - Win
	}
	return 0
}
