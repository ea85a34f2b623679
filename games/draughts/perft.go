package draughts

// Perft counts the ways to play depth plies from p; draw rules never stop it.
// With paths, captures count once for every path, else once for every set of
// pieces between two squares. With bulk, the last ply is counted without
// playing it.
func Perft(p Position, depth int, paths, bulk bool) uint64 {
	if depth <= 0 {
		return 1
	}
	c := counter{lists: make([]MoveList, depth), bulk: bulk}
	for i := range c.lists {
		c.lists[i] = make(MoveList, 0, 64)
	}
	if paths {
		c.mode = everyPath
	}
	return c.count(p, depth)
}

type counter struct {
	lists []MoveList // one for each remaining depth
	mode  mode
	bulk  bool
}

func (c *counter) count(p Position, depth int) uint64 {
	if depth == 1 && c.bulk {
		if n, ok := p.countQuiet(); ok {
			return n
		}
	}
	g := newGenerator(p, c.lists[depth-1][:0])
	g.mode = c.mode
	if !g.captures(p) {
		p.quiet(&g)
	}
	moves := g.out
	c.lists[depth-1] = moves
	if depth == 1 && c.bulk {
		return uint64(len(moves))
	}
	var n uint64
	for _, m := range moves {
		if q := p.Play(m); depth > 1 {
			n += c.count(q, depth-1)
		} else {
			n++
		}
	}
	return n
}

// countQuiet counts the moves of a side that has nothing to take, and says
// whether it is one.
func (p Position) countQuiet() (uint64, bool) {
	free := p.Empty()
	men := p.own &^ p.kings
	if jumpers(men, p.opponent, free) != 0 {
		return 0, false
	}
	var n int
	if p.kings&secondMoves == 0 {
		n = (men << 4 & free).Count() + (men << 5 & free).Count()
	} else {
		n = (men >> 4 & free).Count() + (men >> 5 & free).Count()
	}
	for k := p.own & p.kings; k != 0; k = k.Rest() {
		seen := sight(k.First(), board&^free)
		if seen&p.opponent&^edge != 0 && p.kingTakes(k.First(), free) {
			return 0, false
		}
		n += (seen & free).Count()
	}
	return uint64(n), true
}
