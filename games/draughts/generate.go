package draughts

import "math/bits"

// MoveList is a list of moves whose memory is used again and again.
type MoveList []Move

// maxTaken is the most pieces that one move can take: all that a side has.
const maxTaken = 12

// Path is a move along one of its paths.
type Path struct {
	Move
	// squares are those that PDN 3.0 writes: the origin, after each captured
	// piece but the last the square where the direction turns, or the one right
	// behind the piece where it does not, and the last square.
	squares [maxTaken + 1]Square
	n       uint8
}

// Squares are the squares of the path, from the origin to the last.
func (p *Path) Squares() []Square { return p.squares[:p.n] }

// Legal fills list with the legal moves, each once whatever its paths. It
// allocates nothing once list has grown to its working size.
func (p Position) Legal(list *MoveList) { *list = p.moves((*list)[:0], distinct) }

// moves appends the legal moves to a list.
func (p Position) moves(list MoveList, mode mode) MoveList {
	free := p.Empty()
	men, kings := p.takers(free)
	switch {
	case men|kings == 0:
		return p.quiet(list, free)
	case kings == 0:
		if jumps := hops(men, p.opponent, free); jumps.on(p.opponent, free) == 0 {
			return p.jumps(list, jumps)
		}
	}
	var g generator // field by field, since a literal would be copied
	g.opponents, g.targets = p.opponent, p.opponent
	g.out, g.mode = list, mode
	g.captures(p, men, kings, free)
	return g.out
}

// LegalPaths are the legal moves, once for every path.
func (p Position) LegalPaths() []Path {
	paths := make([]Path, 0, 16)
	free := p.Empty()
	men, kings := p.takers(free)
	if men|kings == 0 {
		for _, m := range p.quiet(nil, free) {
			paths = append(paths, Path{Move: m, squares: [maxTaken + 1]Square{m.From, m.To}, n: 2})
		}
		return paths
	}
	g := generator{opponents: p.opponent, targets: p.opponent, paths: &paths, mode: everyPath}
	g.captures(p, men, kings, free)
	return paths
}

// MustCapture says whether the side to move has to capture.
func (p Position) MustCapture() bool {
	men, kings := p.takers(p.Empty())
	return men|kings != 0
}

// takers are the men that can take something, and all kings if one of them can.
func (p Position) takers(free Bitboard) (men, kings Bitboard) {
	if kings = p.own & p.kings; kings != 0 && flights(kings, free).behind(p.opponent, free) == 0 {
		kings = 0
	}
	return jumpers(p.own&^p.kings, p.opponent, free), kings
}

// mode is what a generator keeps of the captures that it finds.
type mode uint8

const (
	// distinct keeps the longest captures, each set between two squares once.
	distinct mode = iota
	// everyPath keeps the longest captures, each path.
	everyPath
	// everyPrefix keeps whatever begins a capture, complete or not, and ends on
	// the goal.
	everyPrefix
)

// generator walks the captures of one position, piece by piece. Taken pieces
// stay on the board until the move is over, so they go on blocking: only
// targets shrinks along a capture.
type generator struct {
	opponents Bitboard
	targets   Bitboard // opponents not yet taken
	occupied  Bitboard // without the origin of the moving piece
	empty     Bitboard // with it
	crowning  Bitboard // last row, empty for a king
	out       MoveList
	paths     *[]Path
	best      int // most pieces taken so far
	mode      mode
	goal      Square // the only last square that everyPrefix keeps
	path      [maxTaken + 1]Square
}

// captures generates what the law of the majority leaves of the captures of
// those men and kings, one of which takes something.
func (g *generator) captures(p Position, men, kings, free Bitboard) {
	last := row8
	if p.kings&secondMoves != 0 {
		last = row1
	}
	for m := men; m != 0; m = m.Rest() {
		g.man(m.First(), free, last)
	}
	for k := kings; k != 0; k = k.Rest() {
		if s := k.First(); sight(s, board&^free)&p.opponent&^edge != 0 {
			g.king(s, free)
		}
	}
}

// jumpers are those of men that can take something.
func jumpers(men, opp, free Bitboard) Bitboard {
	return men & (opp>>4&(free>>8) | opp>>5&(free>>10) | opp<<4&(free<<8) | opp<<5&(free<<10))
}

func (g *generator) lift(from Square, free, crowning Bitboard) {
	g.path[0] = from
	g.empty = free | from.Bit()
	g.occupied = board &^ g.empty
	g.crowning = crowning
}

func (g *generator) man(from Square, free, last Bitboard) {
	g.lift(from, free, last)
	g.jump(from.Bit(), 0)
}

// jump goes on with a man that stands at the square of at, n pieces taken.
func (g *generator) jump(at Bitboard, n int) {
	g.path[n] = at.First()
	if v := at << 4 & g.targets; v != 0 && v<<4&g.empty != 0 {
		g.targets ^= v
		g.jump(v<<4, n+1)
		g.targets ^= v
	}
	if v := at << 5 & g.targets; v != 0 && v<<5&g.empty != 0 {
		g.targets ^= v
		g.jump(v<<5, n+1)
		g.targets ^= v
	}
	if v := at >> 4 & g.targets; v != 0 && v>>4&g.empty != 0 {
		g.targets ^= v
		g.jump(v>>4, n+1)
		g.targets ^= v
	}
	if v := at >> 5 & g.targets; v != 0 && v>>5&g.empty != 0 {
		g.targets ^= v
		g.jump(v>>5, n+1)
		g.targets ^= v
	}
	// A capture that goes on has raised best above n by now.
	if n >= g.best || g.mode == everyPrefix && n > 0 {
		g.keep(n, at.First())
	}
}

func (g *generator) king(from Square, free Bitboard) {
	g.lift(from, free, 0)
	for d := range direction(4) {
		if v := g.victim(d, from); v != 0 {
			g.fly(d, v, 1)
		}
	}
}

// victim is the piece among targets that a king on s can take in direction d,
// if any.
func victim(d direction, s Square, targets, occupied, empty Bitboard) Bitboard {
	v := nearest(d, rays[d][s]&occupied) & targets
	if v != 0 && v.step(d)&empty != 0 {
		return v
	}
	return 0
}

func (g *generator) victim(d direction, s Square) Bitboard {
	return victim(d, s, g.targets, g.occupied, g.empty)
}

// fly takes v, the n-th piece, in direction d and goes on.
func (g *generator) fly(d direction, v Bitboard, n int) {
	g.targets ^= v
	ray := rays[d][v.First()]
	blockers := ray & g.occupied
	landings := before(d, ray, blockers)
	if next := nearest(d, blockers) & g.targets; next != 0 && next.step(d)&g.empty != 0 {
		g.path[n] = v.step(d).First()
		g.fly(d, next, n+1)
	}
	for l := landings; l != 0; l = l.Rest() {
		s := l.First()
		g.path[n] = s
		if next := g.victim(d^1, s); next != 0 {
			g.fly(d^1, next, n+1)
		}
		if next := g.victim(d^3, s); next != 0 {
			g.fly(d^3, next, n+1)
		}
	}
	if n >= g.best || g.mode == everyPrefix {
		for l := landings; l != 0; l = l.Rest() {
			g.keep(n, l.First())
		}
	}
	g.targets ^= v
}

// leastCircle is the fewest pieces in a set that can be taken along two paths
// between the same squares: two paths differ by the way around a rectangle,
// and one piece stands on each of its sides.
const leastCircle = 4

func (g *generator) keep(n int, to Square) {
	if g.mode == everyPrefix && to != g.goal {
		return
	}
	if n > g.best {
		g.best = n
		if g.mode != everyPrefix {
			g.out = g.out[:0]
			if g.paths != nil {
				*g.paths = (*g.paths)[:0]
			}
		}
	}
	m := Move{Captured: g.opponents &^ g.targets, From: g.path[0], To: to, Promotes: g.crowning.Has(to)}
	if g.paths != nil {
		p := Path{Move: m, squares: g.path, n: uint8(n + 1)}
		p.squares[n] = to
		*g.paths = append(*g.paths, p)
		return
	}
	if n >= leastCircle && g.mode == distinct {
		for _, other := range g.out {
			if other == m {
				return
			}
		}
	}
	g.out = append(g.out, m)
}

// quiet appends the moves that take nothing.
func (p Position) quiet(list MoveList, free Bitboard) MoveList {
	men := p.own &^ p.kings
	if p.kings&secondMoves == 0 {
		for to := men << 4 & free; to != 0; to = to.Rest() {
			s := to.First()
			list = append(list, Move{From: s - 4, To: s, Promotes: row8.Has(s)})
		}
		for to := men << 5 & free; to != 0; to = to.Rest() {
			s := to.First()
			list = append(list, Move{From: s - 5, To: s, Promotes: row8.Has(s)})
		}
	} else {
		for to := men >> 4 & free; to != 0; to = to.Rest() {
			s := to.First()
			list = append(list, Move{From: s + 4, To: s, Promotes: row1.Has(s)})
		}
		for to := men >> 5 & free; to != 0; to = to.Rest() {
			s := to.First()
			list = append(list, Move{From: s + 5, To: s, Promotes: row1.Has(s)})
		}
	}
	for k := p.own & p.kings; k != 0; k = k.Rest() {
		from := k.First()
		for to := Reach(from, free); to != 0; to = to.Rest() {
			list = append(list, Move{From: from, To: to.First()})
		}
	}
	return list
}

// jumps appends the captures of men that take one piece each, by where they end.
func (p Position) jumps(list MoveList, ends ways) MoveList {
	last := row8
	if p.kings&secondMoves != 0 {
		last = row1
	}
	for to := ends.nw; to != 0; to = to.Rest() {
		s := to.First()
		list = append(list, Move{Captured: (s - 4).Bit(), From: s - 8, To: s, Promotes: last.Has(s)})
	}
	for to := ends.ne; to != 0; to = to.Rest() {
		s := to.First()
		list = append(list, Move{Captured: (s - 5).Bit(), From: s - 10, To: s, Promotes: last.Has(s)})
	}
	for to := ends.se; to != 0; to = to.Rest() {
		s := to.First()
		list = append(list, Move{Captured: (s + 4).Bit(), From: s + 8, To: s, Promotes: last.Has(s)})
	}
	for to := ends.sw; to != 0; to = to.Rest() {
		s := to.First()
		list = append(list, Move{Captured: (s + 5).Bit(), From: s + 10, To: s, Promotes: last.Has(s)})
	}
	return list
}

// Reach are the squares that a king on s moves to over free ones.
func Reach(s Square, free Bitboard) Bitboard { return sight(s, board&^free) & free }

// sight are the squares around a king on s up to the first occupied one in each
// direction, which is among them.
func sight(s Square, occupied Bitboard) Bitboard {
	return along(rays[northWest][s], rays[southEast][s], occupied) | along(rays[northEast][s], rays[southWest][s], occupied)
}

// along is the sight on one diagonal, of which up has the higher squares and down
// the lower ones. The difference of twice the nearest piece above and the nearest
// one below fills all between, both included.
func along(up, down, occupied Bitboard) Bitboard {
	above := up & occupied
	below := ^Bitboard(0) << (bits.Len64(uint64(down&occupied)|1) - 1)
	return (up | down) & (above&-above<<1 + below)
}
