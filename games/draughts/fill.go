package draughts

// ways are sets of squares by direction.
type ways struct{ nw, ne, se, sw Bitboard }

// flights are all squares that kings reach over free ones, and their own.
func flights(kings, free Bitboard) ways {
	return ways{FillNW(kings, free), FillNE(kings, free), FillSE(kings, free), FillSW(kings, free)}
}

// behind are the free squares right behind those of the opponents that lie next
// to a square in its direction.
func (w ways) behind(opponents, free Bitboard) Bitboard {
	return hopNW(w.nw, opponents, free) | hopNE(w.ne, opponents, free) | hopSE(w.se, opponents, free) | hopSW(w.sw, opponents, free)
}

// hops are where the jumps of men end.
func hops(men, over, free Bitboard) ways {
	return ways{hopNW(men, over, free), hopNE(men, over, free), hopSE(men, over, free), hopSW(men, over, free)}
}

// any are the squares of all directions.
func (w ways) any() Bitboard { return w.nw | w.ne | w.se | w.sw }

// on are where jumps go on from those of men that ended in w: in any direction
// but back.
func (w ways) on(over, free Bitboard) Bitboard {
	return hopNW(w.nw|w.ne|w.sw, over, free) | hopNE(w.nw|w.ne|w.se, over, free) |
		hopSE(w.ne|w.se|w.sw, over, free) | hopSW(w.nw|w.se|w.sw, over, free)
}

// hopNW and the like are where a jump from each square over a set ends.
func hopNW(from, over, free Bitboard) Bitboard { return from << 4 & over << 4 & free }
func hopNE(from, over, free Bitboard) Bitboard { return from << 5 & over << 5 & free }
func hopSE(from, over, free Bitboard) Bitboard { return from >> 4 & over >> 4 & free }
func hopSW(from, over, free Bitboard) Bitboard { return from >> 5 & over >> 5 & free }

// FillNW and the like are the squares of a set and those that are reached from
// them over free ones: one step, then up to two more, then up to four more.
func FillNW(from, free Bitboard) Bitboard {
	from |= from << 4 & free
	free &= free << 4
	from |= from << 8 & free
	free &= free << 8
	return from | from<<16&free
}

func FillNE(from, free Bitboard) Bitboard {
	from |= from << 5 & free
	free &= free << 5
	from |= from << 10 & free
	free &= free << 10
	return from | from<<20&free
}

func FillSE(from, free Bitboard) Bitboard {
	from |= from >> 4 & free
	free &= free >> 4
	from |= from >> 8 & free
	free &= free >> 8
	return from | from>>16&free
}

func FillSW(from, free Bitboard) Bitboard {
	from |= from >> 5 & free
	free &= free >> 5
	from |= from >> 10 & free
	free &= free >> 10
	return from | from>>20&free
}
