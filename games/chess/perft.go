package chess

// Perft counts the sequences of legal moves of a length. Neither draw rules nor
// claims end one; depth 0 is 1. With bulk the last ply is counted without being
// played.
func Perft(p Position, depth int, bulk bool) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(&p, make([]MoveList, depth), bulk)
}

// perft counts as many plies as there are lists. They are made once, since a new
// list for every node would be cleared for every node.
func perft(p *Position, lists []MoveList, bulk bool) uint64 {
	last := len(lists) == 1
	if last && bulk {
		return uint64(p.Count())
	}
	list := &lists[0]
	p.Legal(list)
	var next Position // Outside the loops, or it would escape to the heap.
	if last {
		for _, m := range list.All() {
			p.PlayTo(&next, m)
		}
		return uint64(list.Len())
	}
	var nodes uint64
	for _, m := range list.All() {
		p.PlayTo(&next, m)
		nodes += perft(&next, lists[1:], bulk)
	}
	return nodes
}
