package draughts

import "tabuleiro/games"

// Counts are the counters of a named draw set at a position, as a small value
// for programs that play millions of moves. They know everything that the set
// asks but repetitions.
type Counts struct {
	material, ending, diagonal, kings uint16
	// automatic is the set fmjd64; otherwise the set is cbd.
	automatic bool
}

// Past reads a position with the counters that its history left, and the keys
// of the positions before it that could come again, the oldest first, itself
// left out. The error is *games.Invalid.
func (Game) Past(position games.Position) (Position, Counts, []uint64, error) {
	s, err := read(position)
	if err != nil {
		return Position{}, Counts{}, nil, err
	}
	h := s.history
	c := Counts{
		material: uint16(h.material), ending: uint16(h.ending), diagonal: uint16(h.diagonal),
		kings: uint16(len(h.run)), automatic: s.draws == drawsFMJD64,
	}
	keys := make([]uint64, len(h.run))
	p := s.position
	for i := len(h.run) - 1; i >= 0; i-- {
		p = p.back(h.run[i])
		keys[i] = p.Hash()
	}
	return s.position, c, keys, nil
}

// After are the counters once m has led from before to now.
func (c Counts) After(before *Position, m Move, now *Position) Counts {
	next := Counts{automatic: c.automatic}
	capture := m.Captured != 0
	if !capture {
		if !m.Promotes {
			next.material = min(c.material+1, maxCount)
		}
		if before.kings.Has(m.From) {
			next.kings = min(c.kings+1, maxRun)
		}
		if now.Occupied().Count() <= 4 {
			next.ending = uint16(count(int(c.ending), smallEndingFMJD(before), smallEndingFMJD(now)))
			next.diagonal = uint16(count(int(c.diagonal), mainDiagonalEnding(before), mainDiagonalEnding(now)))
		}
	}
	return next
}

// Reversible counts the plies by kings without capture up to the position: no
// position from before them can come again.
func (c Counts) Reversible() int { return int(c.kings) }

// Drawn tells whether the set makes p a draw or lets one be claimed,
// repetitions apart.
func (c Counts) Drawn(p *Position) bool {
	if !c.automatic {
		return c.kings >= 40 || c.material >= 10 && smallEndingCBD(p)
	}
	if c.kings >= 30 {
		return true
	}
	// No other rule of the set asks for less than 10 plies or more than 7 pieces.
	if c.material < 10 && c.diagonal < 10 || p.Occupied().Count() > 7 {
		return false
	}
	h := history{material: int(c.material), ending: int(c.ending), diagonal: int(c.diagonal)}
	return h.draw(p, 1) != ""
}

// Near is a number that differs where Drawn could come to differ within so many
// plies between two positions that are equal; 0 where it could not.
func (c Counts) Near(p *Position, plies int) uint64 {
	within := func(n uint16, limit int) bool { return int(n)+plies >= limit }
	near := false
	if !c.automatic {
		near = within(c.kings, 40) || within(c.material, 10) && smallEndingCBD(p)
	} else {
		near = within(c.kings, 30)
		if p.Occupied().Count() <= 7 {
			near = near || within(c.material, 30) || within(c.ending, 10) || within(c.diagonal, 10)
		}
	}
	if !near {
		return 0
	}
	return 1 + uint64(c.material) | uint64(c.ending)<<12 | uint64(c.diagonal)<<24 | uint64(c.kings)<<36
}
