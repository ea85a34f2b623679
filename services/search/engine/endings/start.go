package endings

import (
	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// start takes up a class: it looks up what captures and crownings lead to and
// finds who cannot move.
func (s *solver) start(c *class, data []byte) {
	s.class, s.data, s.squares = c, data, realmOf(c.apart).squares()
	for k := range kinds {
		if n := c.left(k); s.rankings[k][n].sets == nil {
			s.rankings[k][n] = newRanking(k, n)
		}
	}
	for side := range s.sides {
		s.sides[side].clear(c.configs)
	}
	var at config
	var links []link
	for number := range c.configs {
		s.at(&at, number)
		for _, side := range [2]games.Side{games.First, games.Second} {
			links = s.look(&at, side, links)
		}
	}
}

// look sorts the positions of a configuration with side to move. It returns links
// with what memory they have grown to.
func (s *solver) look(c *config, side games.Side, links []link) []link {
	h := &s.sides[side]
	there := c.free & s.squares
	if c.clash {
		there = 0
	}
	h.closed[c.number] = ^there
	if there == 0 {
		return links
	}
	takes := s.takes(c, side) & there
	if sown(captureOptional) {
		takes = 0
	}
	h.closed[c.number] |= takes
	s.capture(h, c, side, takes)

	quiet := there &^ takes
	crowning := s.crown(h, c, side, quiet)
	moving := crowning | s.leaps(there, c.free, side, true)
	links = s.links(links[:0], c, side, false)
	for _, l := range links {
		moving |= ^l.over
	}
	if stuck := quiet &^ moving; stuck != 0 {
		h.closed[c.number] |= stuck
		put(&h.due[0].settled, c.number, stuck)
	}
	return links
}

// takes are the squares of the piece set apart with which side has a capture.
func (s *solver) takes(c *config, side games.Side) draughts.Bitboard {
	men, kings := c.sets[kindOf(side, false)], c.sets[kindOf(side, true)]
	their := c.sets[kindOf(side.Other(), false)] | c.sets[kindOf(side.Other(), true)]
	free := c.free
	// What the other pieces take from each other, unless the one set apart is in
	// the way: it is not behind, and for kings not between.
	out := draughts.Bitboard(0)
	for m := men; m != 0; m = m.Rest() {
		s := m & -m
		for _, behind := range [4]draughts.Bitboard{
			(s << 4 & their) << 4 & free, (s << 5 & their) << 5 & free, (s >> 4 & their) >> 4 & free, (s >> 5 & their) >> 5 & free,
		} {
			if behind != 0 {
				out |= ^behind
			}
		}
	}
	for k := kings; k != 0; k = k.Rest() {
		s := k & -k
		nw, ne, se, sw := draughts.FillNW(s, free), draughts.FillNE(s, free), draughts.FillSE(s, free), draughts.FillSW(s, free)
		if behind := (nw << 4 & their) << 4 & free; behind != 0 {
			out |= ^(nw | behind)
		}
		if behind := (ne << 5 & their) << 5 & free; behind != 0 {
			out |= ^(ne | behind)
		}
		if behind := (se >> 4 & their) >> 4 & free; behind != 0 {
			out |= ^(se | behind)
		}
		if behind := (sw >> 5 & their) >> 5 & free; behind != 0 {
			out |= ^(sw | behind)
		}
	}
	apart := s.class.apart
	switch {
	case apart.side() != side:
		// It is taken with a free square behind it.
		nw, ne, se, sw := men, men, men, men
		if kings != 0 {
			nw, ne = nw|draughts.FillNW(kings, free), ne|draughts.FillNE(kings, free)
			se, sw = se|draughts.FillSE(kings, free), sw|draughts.FillSW(kings, free)
		}
		out |= nw<<4&(free>>4) | ne<<5&(free>>5) | se>>4&(free<<4) | sw>>5&(free<<5)
	case apart.king():
		out |= draughts.FillSE((their&(free>>4))>>4&free, free) | draughts.FillSW((their&(free>>5))>>5&free, free) |
			draughts.FillNW((their&(free<<4))<<4&free, free) | draughts.FillNE((their&(free<<5))<<5&free, free)
	default:
		out |= (their&(free>>4))>>4 | (their&(free>>5))>>5 | (their&(free<<4))<<4 | (their&(free<<5))<<5
	}
	return out
}

// capture looks up what the captures of side lead to.
func (s *solver) capture(h *half, c *config, side games.Side, takes draughts.Bitboard) {
	if takes == 0 {
		return
	}
	if s.class.piecesOf(side.Other()) == 1 { // it is taken, and nothing is left
		put(&h.due[1].settled, c.number, takes)
		return
	}
	for ; takes != 0; takes = takes.Rest() {
		p := c.sets
		p[s.class.apart] |= takes & -takes
		if value := s.bestCapture(&p, side); value != drawn {
			put(&h.due[value.distance()].settled, c.number, takes&-takes)
		}
	}
}

// bestCapture is the value of a position where side has captures.
func (s *solver) bestCapture(p *pieces, side games.Side) code {
	man, king := kindOf(side, false), kindOf(side, true)
	theirMen, theirKings := kindOf(side.Other(), false), kindOf(side.Other(), true)
	draughts.LegalOf(p[man]|p[king], p[theirMen]|p[theirKings], p[king]|p[theirKings], side, &s.moves)
	best := bestOf{}
	for i := range s.moves {
		m := &s.moves[i]
		next, has := *p, s.class.material
		men, kings := p[theirMen]&m.Captured, p[theirKings]&m.Captured
		next[theirMen] ^= men
		next[theirKings] ^= kings
		if next[theirMen]|next[theirKings] == 0 {
			return settled(1)
		}
		has[theirMen] -= uint8(men.Count())
		has[theirKings] -= uint8(kings.Count())
		from, to := m.From.Bit(), m.To.Bit()
		switch {
		case p[king]&from != 0:
			next[king] = p[king]&^from | to
		case m.Promotes:
			next[man], next[king] = p[man]&^from, p[king]|to
			has[man]--
			has[king]++
		default:
			next[man] = p[man]&^from | to
		}
		best.add(s.known.codeOf(has, &next, side.Other()))
		if sown(shortestCapture) {
			break
		}
	}
	return best.code()
}

// bestOf is the value of a position from those that its moves lead to, which are
// of the other side.
type bestOf struct {
	win, loss code // the soonest and the latest; drawn where there is none
	draw      bool
}

func (b *bestOf) add(next code) {
	switch next.value() {
	case 0:
		b.draw = true
	case -1:
		if b.win == drawn || next+1 < b.win {
			b.win = next + 1
		}
	case 1:
		if b.loss = max(b.loss, next+1); sown(lossesShort) {
			b.loss = next + 1
		}
	}
}

func (b *bestOf) code() code {
	switch {
	case b.win != drawn:
		return b.win
	case b.draw:
		return drawn
	}
	return b.loss
}

// crown looks up what the crownings of side lead to, with the piece set apart on
// any of the quiet squares, and returns with which of them there are any.
func (s *solver) crown(h *half, c *config, side games.Side, quiet draughts.Bitboard) draughts.Bitboard {
	man := kindOf(side, false)
	has := s.class.material
	if has[man] == 0 {
		return 0
	}
	has[man]--
	has[man+1]++
	near := stepsOf(draughts.LastRow(side), side, true) // a step before the last row
	out := draughts.Bitboard(0)
	for b := quiet; b != 0; b = b.Rest() {
		apart := b & -b
		p := c.sets
		p[s.class.apart] |= apart
		if p[man]&near == 0 {
			if s.class.apart != man {
				break
			}
			continue
		}
		best, any := bestOf{}, false
		for m := p[man] & near; m != 0; m = m.Rest() {
			from := m & -m
			for to := stepsOf(from, side, false) & c.free &^ apart; to != 0; to = to.Rest() {
				next := p
				next[man] ^= from
				next[man+1] |= to & -to
				mover := side.Other()
				if sown(crownedTheirs) {
					mover = side
				}
				best.add(s.known.codeOf(has, &next, mover))
				any = true
			}
		}
		if !any {
			continue
		}
		out |= apart
		h.held[c.number] |= apart
		switch value := best.code(); value.value() {
		case 1:
			put(&h.due[value.distance()].crowned, c.number, apart)
		case -1:
			if sown(crownedLate) {
				value = settled(2)
			}
			put(&h.due[value.distance()].released, c.number, apart)
		}
	}
	return out
}
