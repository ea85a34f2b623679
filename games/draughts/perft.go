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
		if n, ok := p.countPlain(); ok {
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

// countPlain counts the moves without making them where that is simple: nothing
// can be taken, or men alone take, one piece each. It says whether it was.
func (p Position) countPlain() (uint64, bool) {
	free := p.Empty()
	men := p.own &^ p.kings
	takes := jumpers(men, p.opponent, free) != 0
	var n int
	for k := p.own & p.kings; k != 0; k = k.Rest() {
		seen := sight(k.First(), board&^free)
		if seen&p.opponent&^edge != 0 && p.kingTakes(k.First(), free) {
			return 0, false
		}
		n += (seen & free).Count()
	}
	switch {
	case takes:
		return countJumps(men, p.opponent, free)
	case p.kings&secondMoves == 0:
		n += (men << 4 & free).Count() + (men << 5 & free).Count()
	default:
		n += (men >> 4 & free).Count() + (men >> 5 & free).Count()
	}
	return uint64(n), true
}

// countJumps counts the captures of men, of which there are some, unless one of
// them goes on behind its first piece. Its origin, empty by then, is no help for
// that: the second jump leads there only over the piece just taken.
func countJumps(men, opp, free Bitboard) (uint64, bool) {
	nw := men << 4 & opp << 4 & free
	ne := men << 5 & opp << 5 & free
	se := men >> 4 & opp >> 4 & free
	sw := men >> 5 & opp >> 5 & free
	on := (nw|ne|sw)<<4&opp<<4 | (nw|ne|se)<<5&opp<<5 | (ne|se|sw)>>4&opp>>4 | (nw|se|sw)>>5&opp>>5
	return uint64(nw.Count() + ne.Count() + se.Count() + sw.Count()), on&free == 0
}
