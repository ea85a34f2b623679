package chess

// Perft counts the sequences of legal moves of a length. Neither draw rules nor
// claims end one; depth 0 is 1. With bulk the last ply is counted without being
// played.
func Perft(p Position, depth int, bulk bool) uint64 {
	if depth <= 0 {
		return 1
	}
	return perft(&p, depth, bulk)
}

func perft(p *Position, depth int, bulk bool) uint64 {
	if depth == 1 && bulk {
		return uint64(p.Count())
	}
	var list MoveList
	p.Legal(&list)
	var nodes uint64
	var next Position // Outside the loop, or it would escape to the heap.
	for _, m := range list.All() {
		p.PlayTo(&next, m)
		if depth == 1 {
			nodes++
			continue
		}
		nodes += perft(&next, depth-1, bulk)
	}
	return nodes
}
