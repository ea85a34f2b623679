package variant

import (
	"fmt"

	"tabuleiro/games"
)

// Kernel makes the moves of one rule set. It never changes and is safe for
// concurrent use.
type Kernel struct {
	rules Rules
	geometry
	last [2]Set // where the men of a side are crowned
}

// New is the kernel of a rule set. The error says what no board has.
func New(r Rules) (*Kernel, error) {
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("rules of draughts: %w", err)
	}
	k := &Kernel{rules: r, geometry: newGeometry(r.Size, r.DarkRight)}
	k.last = [2]Set{games.First: k.row(r.Size - 1), games.Second: k.row(0)}
	return k, nil
}

// Position is a position of a kernel: a value that can be copied, compared and
// kept.
type Position struct {
	// Pieces are the squares of each side, Kings those of the kings of both.
	Pieces [2]Set
	Kings  Set
	// Side is to move.
	Side games.Side
}

// Move is a move by what it changes. Captures of the same pieces between the
// same two squares with the same end are the same Move, whatever their path.
type Move struct {
	Captured Set
	// From and To may be the same square where a capture runs in a circle.
	From, To Square
	// Promotes says that a man is crowned.
	Promotes bool
}

// Path is a move along one of its paths.
type Path struct {
	Move
	// Squares are the origin, after each captured piece but the last the square
	// where the direction turns, or the one right behind the piece where it does
	// not, and the last square.
	Squares []Square
}

// Start is the starting position.
func (k *Kernel) Start() Position {
	var p Position
	for row := range k.rules.Rows {
		p.Pieces[games.First] = p.Pieces[games.First].or(k.row(row))
		p.Pieces[games.Second] = p.Pieces[games.Second].or(k.row(k.rules.Size - 1 - row))
	}
	return p
}

// Legal fills list with the legal moves, each once whatever its paths. It
// allocates nothing once list has grown to its working size.
func (k *Kernel) Legal(p *Position, list *[]Move) {
	w := k.walker(p)
	w.out = (*list)[:0]
	if w.captures(); len(w.out) == 0 {
		w.quiet(p)
	}
	*list = w.out
}

// Paths are the legal moves, once for every path.
func (k *Kernel) Paths(p *Position) []Path {
	w := k.walker(p)
	paths := []Path{}
	w.paths = &paths
	if w.captures(); len(paths) == 0 {
		w.quiet(p)
		for _, m := range w.out {
			paths = append(paths, Path{m, []Square{m.From, m.To}})
		}
	}
	return paths
}

// Play makes m, which must be one of the legal moves of p.
func (k *Kernel) Play(p *Position, m Move) Position {
	q := Position{Kings: p.Kings.andNot(m.Captured), Side: p.Side.Other()}
	own := p.Pieces[p.Side]
	own.remove(m.From)
	own.add(m.To)
	if king := p.Kings.Has(m.From); king || m.Promotes {
		q.Kings.remove(m.From)
		q.Kings.add(m.To)
	}
	q.Pieces[p.Side] = own
	q.Pieces[q.Side] = p.Pieces[q.Side].andNot(m.Captured)
	return q
}

// Perft counts the ways to play depth plies from p. With paths, captures count
// once for every path, else once for every move. The last ply is not played.
func (k *Kernel) Perft(p *Position, depth int, paths bool) uint64 {
	if depth <= 0 {
		return 1
	}
	if depth == 1 && paths {
		return uint64(len(k.Paths(p)))
	}
	lists := make([][]Move, depth)
	return k.count(p, lists, paths)
}

// count has a list for each ply that is left.
func (k *Kernel) count(p *Position, lists [][]Move, paths bool) uint64 {
	list := &lists[0]
	if paths {
		*list = (*list)[:0]
		for _, path := range k.Paths(p) {
			*list = append(*list, path.Move)
		}
	} else {
		k.Legal(p, list)
	}
	if len(lists) == 1 {
		return uint64(len(*list))
	}
	var n uint64
	for _, m := range *list {
		q := k.Play(p, m)
		n += k.count(&q, lists[1:], paths)
	}
	return n
}
