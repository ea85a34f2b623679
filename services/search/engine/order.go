package engine

// The ranks of moves: the table's first, then those that gain, killers, and
// quiet moves by what they did elsewhere.
const (
	rankTable  = 1 << 30
	rankGain   = 1 << 20
	rankKiller = 1 << 18
	// quietBelow parts quiet moves (killers too) from those that gain.
	quietBelow = rankGain
	maxHistory = 1 << 16
)

// rank sets the packs and the ranks of a node's moves.
func (s *search[P, M]) rank(ply int, first uint32) {
	f := &s.frames[ply]
	f.packs, f.ranks = f.packs[:0], f.ranks[:0]
	history := &s.history[ply&1]
	for _, m := range f.moves {
		pack := s.rules.Pack(m)
		rank := int32(0)
		switch gain := s.rules.Gain(&f.pos, m); {
		case pack == first:
			rank = rankTable
		case gain > 0:
			rank = rankGain + int32(gain)
		case pack == f.killers[0]:
			rank = rankKiller + 1
		case pack == f.killers[1]:
			rank = rankKiller
		default:
			rank = history[pack&(1<<12-1)]
		}
		f.packs = append(f.packs, pack)
		f.ranks = append(f.ranks, rank)
	}
}

// pick moves the best of the moves from i on to i.
func (s *search[P, M]) pick(f *frame[P, M], i int) {
	best := i
	for j := i + 1; j < len(f.ranks); j++ {
		if f.ranks[j] > f.ranks[best] {
			best = j
		}
	}
	if best != i {
		f.moves[i], f.moves[best] = f.moves[best], f.moves[i]
		f.packs[i], f.packs[best] = f.packs[best], f.packs[i]
		f.ranks[i], f.ranks[best] = f.ranks[best], f.ranks[i]
	}
}

// reward remembers the i-th move of a node, a quiet one that cut, and blames
// the quiet ones before it.
func (s *search[P, M]) reward(ply, depth, i int) {
	f := &s.frames[ply]
	if pack := f.packs[i]; f.killers[0] != pack {
		f.killers[0], f.killers[1] = pack, f.killers[0]
	}
	history := &s.history[ply&1]
	bonus := int32(min(depth*depth, 400))
	add := func(pack uint32, n int32) {
		h := &history[pack&(1<<12-1)]
		*h += n*16 - *h*max(n, -n)/1024
		*h = max(min(*h, maxHistory), -maxHistory)
	}
	add(f.packs[i], bonus)
	for j := range i {
		if f.ranks[j] < quietBelow {
			add(f.packs[j], -bonus)
		}
	}
}
