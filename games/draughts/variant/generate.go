package variant

import (
	"slices"

	"tabuleiro/games"
)

// walker walks the captures of one position, piece by piece. Taken pieces stay
// on the board until the move is over, so they go on blocking: only targets
// shrinks along a capture.
type walker struct {
	*Kernel
	side     games.Side
	own      Set
	rivals   Set
	kings    Set // of both sides
	targets  Set // rivals not yet taken
	occupied Set // without the origin of the moving piece
	out      []Move
	paths    *[]Path
	best     uint64 // the worth of what was kept
	// Of the capture that is walked:
	king  bool // it is a king's from the start
	order uint64
	path  [maxTaken + 1]Square
}

func (k *Kernel) walker(p *Position) walker {
	rivals := p.Pieces[p.Side.Other()]
	return walker{Kernel: k, side: p.Side, own: p.Pieces[p.Side], rivals: rivals, kings: p.Kings, targets: rivals}
}

// captures keeps those captures that no other one surpasses.
func (w *walker) captures() {
	all := w.own.or(w.rivals)
	for b := w.own; !b.Empty(); b = b.Rest() {
		from := b.First()
		w.king = w.kings.Has(from)
		w.path[0] = from
		w.occupied = all
		w.occupied.remove(from)
		w.goOn(from, w.king, 0, 4)
	}
}

func (k *Kernel) flies(king bool) bool { return king && k.rules.FlyingKing }

// ahead says whether d leads forward for a side.
func ahead(d direction, side games.Side) bool { return d < southEast == (side == games.First) }

// victim is what the piece, on s, can take in direction d; NoSquare if nothing.
func (w *walker) victim(s Square, d direction, king bool) Square {
	if !king && !w.rules.MenTakeBack && !ahead(d, w.side) {
		return NoSquare
	}
	v := w.next[d][s]
	if w.flies(king) {
		for v != NoSquare && !w.occupied.Has(v) {
			v = w.next[d][v]
		}
	}
	if v == NoSquare || !w.targets.Has(v) || !w.free(w.next[d][v]) ||
		!king && w.rules.MenSpareKings && w.kings.Has(v) {
		return NoSquare
	}
	return v
}

func (w *walker) free(s Square) bool { return s != NoSquare && !w.occupied.Has(s) }

// goOn takes what the piece can take from s, where it stands with n pieces
// taken, in every direction but one, and says whether that was anything.
func (w *walker) goOn(s Square, king bool, n int, but direction) bool {
	w.path[n] = s
	any := false
	for d := range direction(4) {
		if d == but {
			continue
		}
		if v := w.victim(s, d, king); v != NoSquare {
			any = true
			w.take(v, d, king, n+1)
			w.path[n] = s
		}
	}
	return any
}

// take takes v, the n-th piece, in direction d and goes on as long as it can:
// a capture must be complete, so a landing from which nothing is taken will not
// do where another one leads on.
func (w *walker) take(v Square, d direction, king bool, n int) {
	w.targets.remove(v)
	order := w.order
	if w.kings.Has(v) {
		w.order |= 1 << (maxTaken - n)
	}
	behind := w.next[d][v]
	if w.flies(king) {
		w.land(behind, d, n)
	} else {
		crowned := king || w.rules.CrownInPassing && w.last[w.side].Has(behind)
		if !w.goOn(behind, crowned, n, 4) {
			w.keep(n, behind, crowned)
		}
	}
	w.order = order
	w.targets.add(v)
}

// land goes on with a flying king from all squares behind the n-th piece.
func (w *walker) land(behind Square, d direction, n int) {
	any := false
	s := behind
	for ; w.free(s); s = w.next[d][s] {
		// What lies straight on is the same from all of them.
		any = w.goOn(s, true, n, d) || any
	}
	w.path[n] = behind
	if s != NoSquare && w.targets.Has(s) && w.free(w.next[d][s]) {
		any = true
		w.take(s, d, true, n+1)
	}
	if any {
		return
	}
	for s = behind; w.free(s); s = w.next[d][s] {
		w.keep(n, s, true)
	}
}

// worth makes one number of the priorities, the most important first.
func (w *walker) worth(n int) uint64 {
	var out uint64
	for _, p := range w.rules.Majority {
		switch p {
		case MostPieces:
			out = out<<5 | uint64(n)
		case ByKing:
			out <<= 1
			if w.king {
				out |= 1
			}
		case MostKings:
			out = out<<5 | uint64(Set{w.order}.Count())
		case KingsFirst:
			out = out<<maxTaken | w.order
		}
	}
	return out
}

// keep keeps the complete capture of n pieces that ends on a square.
func (w *walker) keep(n int, to Square, king bool) {
	switch worth := w.worth(n); {
	case worth < w.best:
		return
	case worth > w.best:
		w.best = worth
		w.out = w.out[:0]
		if w.paths != nil {
			*w.paths = (*w.paths)[:0]
		}
	}
	m := Move{
		Captured: w.rivals.andNot(w.targets), From: w.path[0], To: to,
		Promotes: !w.king && (king || w.last[w.side].Has(to)),
	}
	if w.paths != nil {
		squares := append(slices.Clone(w.path[:n]), to)
		*w.paths = append(*w.paths, Path{m, squares})
		return
	}
	if !slices.Contains(w.out, m) {
		w.out = append(w.out, m)
	}
}

// quiet keeps the moves that take nothing.
func (w *walker) quiet(p *Position) {
	w.occupied = w.own.or(w.rivals)
	for b := w.own; !b.Empty(); b = b.Rest() {
		from := b.First()
		king := p.Kings.Has(from)
		for d := range direction(4) {
			if !king && !ahead(d, w.side) {
				continue
			}
			for to := w.next[d][from]; w.free(to); to = w.next[d][to] {
				w.out = append(w.out, Move{From: from, To: to, Promotes: !king && w.last[w.side].Has(to)})
				if !w.flies(king) {
					break
				}
			}
		}
	}
}
