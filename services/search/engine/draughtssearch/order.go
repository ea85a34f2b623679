package draughtssearch

import "tabuleiro/games/draughts"

// The ranks of moves: the table's first, then those that crown or take kings,
// killers and the answer to the last move, and quiet moves by what they did
// elsewhere.
const (
	rankTable   = 1 << 30
	rankGain    = 1 << 20
	rankKiller  = 1 << 18
	rankCounter = 1 << 17
	maxHistory  = 1 << 16
)

// rank sets the ranks of a node's moves.
func (s *search) rank(ply int, first uint32) {
	f := &s.frames[ply]
	f.ranks = f.ranks[:0]
	if len(f.moves) == 1 {
		f.ranks = append(f.ranks, 0)
		return
	}
	history := &s.history[ply&1]
	counter := uint32(0)
	if ply > 0 {
		counter = s.counters[ply&1][s.frames[ply-1].move&(1<<12-1)]
	}
	kings := f.pos.Kings(f.pos.Side().Other())
	for i := range f.moves {
		m := &f.moves[i]
		var rank int32
		switch p := pack(*m); {
		case p == first:
			rank = rankTable
		case m.Promotes || f.captures:
			rank = rankGain + history[p&(1<<12-1)]/16 + int32((m.Captured&kings).Count())<<14
			if m.Promotes {
				rank += 1 << 15
			}
		case p == f.killers[0] && s.Options.Killers:
			rank = rankKiller + 1
		case p == f.killers[1] && s.Options.Killers:
			rank = rankKiller
		case p == counter && s.Options.Counters:
			rank = rankCounter
		default:
			rank = history[p&(1<<12-1)]
		}
		f.ranks = append(f.ranks, rank)
	}
}

// pick moves the best of the moves from i on to i.
func (f *frame) pick(i int) {
	ranks := f.ranks
	best := i
	for j := i + 1; j < len(ranks); j++ {
		if ranks[j] > ranks[best] {
			best = j
		}
	}
	if best != i {
		ranks[i], ranks[best] = ranks[best], ranks[i]
		f.moves[i], f.moves[best] = f.moves[best], f.moves[i]
	}
}

// reward remembers the i-th move of a quiet node, which cut, and blames those
// before it.
func (s *search) reward(ply, depth, i int) {
	f := &s.frames[ply]
	p := pack(f.moves[i])
	if f.killers[0] != p {
		f.killers[0], f.killers[1] = p, f.killers[0]
	}
	if ply > 0 {
		s.counters[ply&1][s.frames[ply-1].move&(1<<12-1)] = p
	}
	if !s.Options.Histories {
		return
	}
	history := &s.history[ply&1]
	bonus := int32(min(depth*depth, 400))
	add := func(m draughts.Move, n int32) {
		h := &history[uint32(m.From)|uint32(m.To)<<6]
		*h += n*16 - *h*max(n, -n)/1024
		*h = max(min(*h, maxHistory), -maxHistory)
	}
	add(f.moves[i], bonus)
	for j := range i {
		add(f.moves[j], -bonus)
	}
}
