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
		return c.countLast(p)
	}
	moves := p.moves(c.lists[depth-1][:0], c.mode)
	c.lists[depth-1] = moves
	var n uint64
	for _, m := range moves {
		switch q := p.Play(m); {
		case depth > 2 || depth == 2 && !c.bulk:
			n += c.count(q, depth-1)
		case depth == 1:
			n++
		default:
			if plain, ok := q.countPlain(); ok {
				n += plain
			} else {
				n += c.countLast(q)
			}
		}
	}
	return n
}

// countLast counts the moves of the last ply by making them.
func (c *counter) countLast(p Position) uint64 {
	c.lists[0] = p.moves(c.lists[0][:0], c.mode)
	return uint64(len(c.lists[0]))
}

// countPlain counts the moves without making them where that is simple: nothing
// can be taken, or one piece at most, or two by men. It says whether it was.
func (p Position) countPlain() (uint64, bool) {
	free := p.Empty()
	kings := p.own & p.kings
	men := p.own &^ kings
	if kings == 0 {
		if jumps := hops(men, p.opponent, free); jumps.any() != 0 {
			n, taken := countJumps(jumps, p.opponent, free)
			return uint64(n), taken > 0
		}
		return uint64(p.countSteps(men, free)), true
	}
	reached := flights(kings, free)
	nw, ne := hopNW(reached.nw, p.opponent, free), hopNE(reached.ne, p.opponent, free)
	se, sw := hopSE(reached.se, p.opponent, free), hopSW(reached.sw, p.opponent, free)
	jumps := hops(men, p.opponent, free)
	if nw|ne|se|sw == 0 {
		if jumps.any() != 0 {
			n, taken := countJumps(jumps, p.opponent, free)
			return uint64(n), taken > 0
		}
		// The ways of two kings in one direction never meet.
		n := p.countSteps(men, free) - 4*kings.Count()
		return uint64(n + reached.nw.Count() + reached.ne.Count() + reached.se.Count() + reached.sw.Count()), true
	}
	// The squares of the kings are free to the one that leaves its own. That they
	// are free to all can only show captures that are none.
	open := free | kings
	nw, ne, se, sw = FillNW(nw, free), FillNE(ne, free), FillSE(se, free), FillSW(sw, free)
	on := ways{FillNW(nw|ne|sw, open), FillNE(nw|ne|se, open), FillSE(ne|se|sw, open), FillSW(nw|se|sw, open)}
	if on.behind(p.opponent, open) != 0 {
		return 0, false
	}
	n := nw.Count() + ne.Count() + se.Count() + sw.Count()
	if jumps.any() != 0 {
		more, taken := countJumps(jumps, p.opponent, free)
		switch taken {
		case 0:
			return 0, false
		case 1:
			n += more
		default:
			n = more
		}
	}
	return uint64(n), true
}

// countSteps counts the steps of men.
func (p Position) countSteps(men, free Bitboard) int {
	if p.kings&secondMoves == 0 {
		return (men << 4 & free).Count() + (men << 5 & free).Count()
	}
	return (men >> 4 & free).Count() + (men >> 5 & free).Count()
}

// countJumps counts the longest captures of men, which begin with jumps, if they
// take one or two pieces: taken, which is 0 where they take more. Two captures
// of two pieces are one move only if they are one path. The origin, empty by
// then, is no help to a second or third jump: it would lead there over a piece
// just taken.
func countJumps(jumps ways, opp, free Bitboard) (n, taken int) {
	nw, ne, se, sw := jumps.nw, jumps.ne, jumps.se, jumps.sw
	if jumps.on(opp, free) == 0 {
		return nw.Count() + ne.Count() + se.Count() + sw.Count(), 1
	}
	a, b, c := hopNW(nw, opp, free), hopNW(ne, opp, free), hopNW(sw, opp, free)
	d, e, f := hopNE(nw, opp, free), hopNE(ne, opp, free), hopNE(se, opp, free)
	g, h, i := hopSE(ne, opp, free), hopSE(se, opp, free), hopSE(sw, opp, free)
	j, k, l := hopSW(nw, opp, free), hopSW(se, opp, free), hopSW(sw, opp, free)
	if (ways{a | b | c, d | e | f, g | h | i, j | k | l}).on(opp, free) != 0 {
		return 0, 0
	}
	n = a.Count() + b.Count() + c.Count() + d.Count() + e.Count() + f.Count()
	return n + g.Count() + h.Count() + i.Count() + j.Count() + k.Count() + l.Count(), 2
}
