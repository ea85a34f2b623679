package endings

import (
	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// solver finds the values of a class after those that its captures and crownings
// lead to. Words of bits are by configuration; a bit is the square of the piece
// set apart.
type solver struct {
	known    *view
	rankings [kinds][MaxPieces]ranking
	moves    draughts.MoveList

	class   *class
	data    []byte
	squares draughts.Bitboard // where the piece set apart may stand
	sides   [2]half
}

// half is the positions with one side to move.
type half struct {
	// closed are the positions whose value is not found by quiet moves any more:
	// it is known, they have captures, or there are none.
	closed []draughts.Bitboard
	// won are those known to be won.
	won []draughts.Bitboard
	// held are those that can crown a man and are not known to lose by it.
	held []draughts.Bitboard
	// fresh are those that the last layer found, next those that this one finds
	// and, in layers of losses, looks at.
	fresh, next frontier
	touched     frontier
	// due are values known from captures and crownings, by layer.
	due [maxDistance + 1]due
}

// due is what a layer does besides taking moves back.
type due struct {
	// settled get their value; crowned win by a crowning where nothing was sooner;
	// released lose by all their crownings.
	settled, crowned, released []portion
}

func (d *due) empty() bool { return len(d.settled)+len(d.crowned)+len(d.released) == 0 }

// portion is some positions of a configuration: its number above the squares.
type portion uint64

func portionOf(config uint32, bits draughts.Bitboard) portion {
	return portion(config)<<draughts.NumSquares | portion(bits)
}

func (p portion) split() (config uint32, bits draughts.Bitboard) {
	return uint32(p >> draughts.NumSquares), draughts.Bitboard(p & (1<<draughts.NumSquares - 1))
}

// put adds positions to a list, into its last portion where that is of the same
// configuration.
func put(list *[]portion, config uint32, bits draughts.Bitboard) {
	if n := len(*list); n > 0 && uint32((*list)[n-1]>>draughts.NumSquares) == config {
		(*list)[n-1] |= portion(bits)
		return
	}
	*list = append(*list, portionOf(config, bits))
}

// frontier is a set of positions and the list of configurations that it has any
// of.
type frontier struct {
	words []draughts.Bitboard
	list  []uint32
}

func (f *frontier) add(config uint32, bits draughts.Bitboard) {
	if f.words[config] == 0 {
		f.list = append(f.list, config)
	}
	f.words[config] |= bits
}

// take empties the word of a configuration.
func (f *frontier) take(config uint32) draughts.Bitboard {
	bits := f.words[config]
	f.words[config] = 0
	return bits
}

func newSolver(known *view) *solver { return &solver{known: known} }

// clear makes room for the class.
func (h *half) clear(configs uint32) {
	for _, words := range []*[]draughts.Bitboard{&h.closed, &h.won, &h.held, &h.fresh.words, &h.next.words, &h.touched.words} {
		if uint32(cap(*words)) < configs {
			*words = make([]draughts.Bitboard, configs)
		}
		*words = (*words)[:configs]
		clear(*words)
	}
	h.fresh.list, h.next.list, h.touched.list = h.fresh.list[:0], h.next.list[:0], h.touched.list[:0]
	for i := range h.due {
		d := &h.due[i]
		d.settled, d.crowned, d.released = d.settled[:0], d.crowned[:0], d.released[:0]
	}
}

// config is where the pieces of a configuration stand.
type config struct {
	number uint32
	ranks  [kinds]uint32
	sets   pieces
	free   draughts.Bitboard
	// clash says that two kinds share a square.
	clash bool
}

// at sets c to the configuration of a number.
func (s *solver) at(c *config, number uint32) {
	c.number = number
	c.free, c.clash = draughts.Board, false
	for k := kinds; k > 0; {
		k--
		r := uint32(0)
		if stride := s.class.strides[k]; number >= stride {
			r = number / stride
			number -= r * stride
		}
		set := s.rankings[k][s.class.left(k)].sets[r]
		c.ranks[k], c.sets[k] = r, set
		c.clash = c.clash || set&^c.free != 0
		c.free &^= set
	}
}

// link is a move of a piece of a configuration to or from another one.
type link struct {
	to uint32
	// over are the squares that the move passes and ends on.
	over draughts.Bitboard
}

// links appends the quiet moves of a side in c, other than crownings, with the
// piece set apart anywhere; or, backwards, the moves that lead to c.
func (s *solver) links(out []link, c *config, side games.Side, back bool) []link {
	for k := kindOf(side, false); k <= kindOf(side, true); k++ {
		n := s.class.left(k)
		if n == 0 {
			continue
		}
		r := &s.rankings[k][n]
		base := c.number - c.ranks[k]*s.class.strides[k]
		for b := c.sets[k]; b != 0; b = b.Rest() {
			from := b.First()
			var to draughts.Bitboard
			if k.king() {
				to = draughts.Reach(from, c.free)
			} else {
				to = stepsOf(from.Bit(), side, back) & c.free &^ draughts.LastRow(side)
			}
			if to == 0 {
				continue
			}
			with := &r.with[rank(k, c.sets[k]&^from.Bit())]
			for ; to != 0; to = to.Rest() {
				t := to.First()
				over := spans[from][t]
				if sown(kingsJump) {
					over = t.Bit()
				}
				out = append(out, link{base + with[t]*s.class.strides[k], over})
			}
		}
	}
	return out
}

// stepsOf are the steps of men of a side, forwards or back.
func stepsOf(men draughts.Bitboard, side games.Side, back bool) draughts.Bitboard {
	if sown(menBackwards) {
		return (men<<4 | men<<5 | men>>4 | men>>5) & draughts.Board
	}
	if (side == games.First) != back {
		return (men<<4 | men<<5) & draughts.Board
	}
	return (men>>4 | men>>5) & draughts.Board
}

// spans are the squares between two of one diagonal, and the second one.
var spans = makeSpans()

func makeSpans() (out [draughts.NumSquares][draughts.NumSquares]draughts.Bitboard) {
	fills := [4]func(from, free draughts.Bitboard) draughts.Bitboard{draughts.FillNW, draughts.FillNE, draughts.FillSE, draughts.FillSW}
	for a := draughts.Board; a != 0; a = a.Rest() {
		for b := draughts.Board; b != 0; b = b.Rest() {
			from, to := a.First(), b.First()
			for d, fill := range fills {
				// From a towards b, and from b towards a.
				if line := fill(from.Bit(), draughts.Board) & fills[(d+2)%4](to.Bit(), draughts.Board); line != 0 && from != to {
					out[from][to] = line &^ from.Bit()
				}
			}
		}
	}
	return out
}

// leaps are where the piece set apart, if it is side's, comes from or gets to
// from any of some squares over free ones, without crowning.
func (s *solver) leaps(from, free draughts.Bitboard, side games.Side, back bool) draughts.Bitboard {
	switch {
	case s.class.apart.side() != side:
		return 0
	case s.class.apart.king():
		return (draughts.FillNW(from, free)<<4 | draughts.FillNE(from, free)<<5 |
			draughts.FillSE(from, free)>>4 | draughts.FillSW(from, free)>>5) & free
	}
	return stepsOf(from, side, back) & free &^ draughts.LastRow(side)
}

// solve finds the values that start has left open, layer by layer.
func (s *solver) solve() {
	for distance := 0; distance <= maxDistance; distance++ {
		for side := range s.sides {
			if distance%2 == 1 {
				s.wins(games.Side(side), distance)
			} else {
				s.losses(games.Side(side), distance)
			}
		}
		more := s.store(games.First, distance)
		more = s.store(games.Second, distance) || more
		if !more && s.done(distance) {
			return
		}
	}
}

// done says that no layer after distance is due.
func (s *solver) done(distance int) bool {
	for i := range s.sides {
		for d := distance + 1; d <= maxDistance; d++ {
			if !s.sides[i].due[d].empty() {
				return false
			}
		}
	}
	return true
}

// wins finds the wins of a side in distance plies: moves to losses of the other
// in one less.
func (s *solver) wins(side games.Side, distance int) {
	h, other := &s.sides[side], &s.sides[side.Other()]
	win := func(number uint32, bits draughts.Bitboard) {
		if bits &^= h.closed[number]; bits != 0 {
			h.closed[number] |= bits
			h.next.add(number, bits)
		}
	}
	var c config
	var links []link
	for _, number := range other.fresh.list {
		lost := other.fresh.words[number]
		s.at(&c, number)
		win(number, s.leaps(lost, c.free&s.squares, side, true))
		links = s.links(links[:0], &c, side, true)
		for _, l := range links {
			if bits := lost &^ l.over; bits != 0 {
				win(l.to, bits)
			}
		}
	}
	for _, p := range h.due[distance].crowned {
		win(p.split())
	}
	for _, p := range h.due[distance].settled {
		h.next.add(p.split())
	}
}

// losses finds the losses of a side in distance plies: all its moves lead to wins
// of the other, and one of them to a win that was found last.
func (s *solver) losses(side games.Side, distance int) {
	h, other := &s.sides[side], &s.sides[side.Other()]
	touch := func(number uint32, bits draughts.Bitboard) {
		if bits &^= h.closed[number] | h.held[number]; bits != 0 {
			h.touched.add(number, bits)
		}
	}
	var c config
	var links []link
	for _, number := range other.fresh.list {
		won := other.fresh.words[number]
		s.at(&c, number)
		touch(number, s.leaps(won, c.free&s.squares, side, true))
		links = s.links(links[:0], &c, side, true)
		for _, l := range links {
			if bits := won &^ l.over; bits != 0 {
				touch(l.to, bits)
			}
		}
	}
	for _, p := range h.due[distance].released {
		number, bits := p.split()
		h.held[number] &^= bits
		touch(number, bits)
	}
	for _, number := range h.touched.list {
		bits := h.touched.take(number)
		s.at(&c, number)
		if bits &^= s.leaps(c.free&s.squares&^other.won[number], c.free, side, true); bits == 0 {
			continue
		}
		links = s.links(links[:0], &c, side, false)
		for _, l := range links {
			if bits &= l.over | other.won[l.to]; bits == 0 {
				break
			}
		}
		if bits != 0 {
			h.closed[number] |= bits
			h.next.add(number, bits)
		}
	}
	h.touched.list = h.touched.list[:0]
	for _, p := range h.due[distance].settled {
		h.next.add(p.split())
	}
}

// store writes the values of the layer that was found and makes it the last one.
// It says whether there are any.
func (s *solver) store(side games.Side, distance int) bool {
	h := &s.sides[side]
	for _, number := range h.fresh.list {
		h.fresh.words[number] = 0
	}
	h.fresh.list = h.fresh.list[:0]
	h.fresh, h.next = h.next, h.fresh
	value := byte(settled(distance))
	for _, number := range h.fresh.list {
		bits := h.fresh.words[number]
		if distance%2 == 1 {
			h.won[number] |= bits
		}
		row := s.row(side, number)
		for ; bits != 0; bits = bits.Rest() {
			row[bits.First().Index()] = value
		}
	}
	return len(h.fresh.list) > 0
}

// row is the bytes of a configuration.
func (s *solver) row(side games.Side, number uint32) *[width]byte {
	return (*[width]byte)(s.data[s.class.at(side)+int(number)*width:])
}
