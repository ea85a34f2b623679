package draughts

import (
	"slices"
	"sort"
	"strings"

	"tabuleiro/games"
)

// legal are the legal moves of a position by path, sorted by their text.
type legal struct {
	paths []Path
	texts []string
}

func (p Position) legal() legal {
	l := legal{paths: p.LegalPaths()}
	l.texts = make([]string, len(l.paths))
	for i := range l.paths {
		l.texts[i] = l.paths[i].Text()
	}
	sort.Sort(&l)
	return l
}

func (l *legal) Len() int           { return len(l.texts) }
func (l *legal) Less(i, j int) bool { return l.texts[i] < l.texts[j] }
func (l *legal) Swap(i, j int) {
	l.texts[i], l.texts[j] = l.texts[j], l.texts[i]
	l.paths[i], l.paths[j] = l.paths[j], l.paths[i]
}

// Text is the path with all its squares: c3-d4, f4xd6xb8.
func (p *Path) Text() string {
	if p.Captured == 0 {
		return p.From.String() + "-" + p.To.String()
	}
	out := make([]byte, 0, 3*len(p.squares))
	for i, s := range p.Squares() {
		if i > 0 {
			out = append(out, 'x')
		}
		out = append(out, s.String()...)
	}
	return string(out)
}

// notation is the shortest form that tells the i-th move from all others: its
// two squares, or the whole path where these leave open which pieces are taken.
func (l *legal) notation(i int) string {
	p := &l.paths[i]
	for j := range l.paths {
		if o := &l.paths[j]; o.From == p.From && o.To == p.To && o.Captured != p.Captured {
			return l.texts[i]
		}
	}
	if p.Captured == 0 {
		return l.texts[i]
	}
	return p.From.String() + "x" + p.To.String()
}

// move is the i-th move at the edge.
func (l *legal) move(i int) games.Move {
	p := &l.paths[i]
	m := games.Move{
		Text:     l.texts[i],
		Notation: l.notation(i),
		From:     p.From.String(),
		To:       p.To.String(),
		Captures: names(p.Captured),
	}
	for _, s := range p.Squares() {
		m.Path = append(m.Path, s.String())
	}
	if p.Promotes {
		m.Promotion = "k"
	}
	return m
}

// origins are the squares of the pieces that can move, sorted.
func (l *legal) origins() []string {
	var b Bitboard
	for i := range l.paths {
		b |= l.paths[i].From.Bit()
	}
	return names(b)
}

// maxMoveText bounds what is read as a move; the longest strict one has 38
// bytes, but a lenient one may name every square on the way.
const maxMoveText = 128

// written is a move as somebody wrote it.
type written struct {
	spots []spot
	// takes says that it has the sign of a capture, x or a colon. A hyphen or
	// nothing says nothing: many write captures with them.
	takes bool
}

// parseMove reads the squares of a move: algebraic with -, x, : or nothing
// between them, or numbers from b8 = 1 with a separator; in either case, with
// strength marks behind. Light squares are squares that can be named too.
func parseMove(text string) (w written, ok bool) {
	if len(text) > maxMoveText {
		return written{}, false
	}
	t := strings.TrimRight(strings.ToLower(strings.TrimSpace(text)), "!?")
	if t == "" {
		return written{}, false
	}
	if '0' <= t[0] && t[0] <= '9' {
		w.spots, ok = parseNumbers(t)
	} else {
		w.spots, ok = parseAlgebraic(t)
	}
	w.takes = strings.ContainsAny(t, "x:")
	return w, ok && len(w.spots) >= 2
}

func isSeparator(c byte) bool { return c == '-' || c == 'x' || c == ':' }

func parseAlgebraic(t string) (spots []spot, ok bool) {
	for len(t) >= 2 {
		file, row := int(t[0])-'a', int(t[1])-'1'
		if file < 0 || file > 7 || row < 0 || row > 7 {
			return nil, false
		}
		spots = append(spots, spot{file, row})
		if t = t[2:]; len(t) > 2 && isSeparator(t[0]) {
			t = t[1:]
		}
	}
	return spots, t == ""
}

func parseNumbers(t string) (spots []spot, ok bool) {
	for {
		end := strings.IndexFunc(t, func(r rune) bool { return r < 128 && isSeparator(byte(r)) })
		if end < 0 {
			end = len(t)
		}
		n, ok := parseNumber(t[:end])
		if !ok || n < 1 || n > 32 {
			return nil, false
		}
		s := numbered(n)
		spots = append(spots, spot{s.File(), s.Row()})
		if end == len(t) {
			return spots, true
		}
		t = t[end+1:]
	}
}

// find is the index of the legal move that was written. The squares choose it:
// its two ends, then as many of the squares on the way as were given. Paths of
// one capture are interchangeable; different captures are ambiguous, unless the
// squares themselves walk one of them. A quiet move cannot have the sign of a
// capture.
func (p Position) find(l *legal, w written) (int, *games.Refusal) {
	squares := make([]Square, len(w.spots))
	for i, s := range w.spots {
		if squares[i] = s.square(); squares[i] == NoSquare {
			return 0, p.refuse(l, w)
		}
	}
	if w.takes && !l.capture() {
		return 0, p.refuse(l, w)
	}
	for i := range l.paths {
		if slices.Equal(l.paths[i].Squares(), squares) {
			return i, nil
		}
	}
	found := l.matching(squares, func(p *Path) []Square { return p.Squares() })
	if len(found) == 0 {
		found = l.matching(squares, (*Path).walked)
	}
	if len(found) == 0 {
		return 0, p.refuse(l, w)
	}
	first := l.paths[found[0]].Move
	if !slices.ContainsFunc(found, func(i int) bool { return l.paths[i].Move != first }) {
		return found[0], nil
	}
	if taken, fault := p.walk(w.spots); fault == nil {
		for _, i := range found {
			if l.paths[i].Captured == taken {
				return i, nil
			}
		}
	}
	refusal := &games.Refusal{Code: games.Ambiguous, Squares: []string{w.spots[0].String(), w.spots[len(w.spots)-1].String()}}
	for _, i := range found {
		refusal.Moves = append(refusal.Moves, l.texts[i])
	}
	return 0, refusal
}

// capture says whether the moves are captures; then all are.
func (l *legal) capture() bool { return len(l.paths) > 0 && l.paths[0].Captured != 0 }

// matching are the paths with the same ends as squares that hold the others
// among their own in that order.
func (l *legal) matching(squares []Square, of func(*Path) []Square) []int {
	var found []int
	for i := range l.paths {
		if p := &l.paths[i]; p.From == squares[0] && p.To == squares[len(squares)-1] && within(squares, of(p)) {
			found = append(found, i)
		}
	}
	return found
}

// within says whether all of part occur in whole, in that order.
func within(part, whole []Square) bool {
	for _, s := range whole {
		if len(part) > 0 && part[0] == s {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// walked are the squares that the piece stands on or passes, without those of
// the taken pieces.
func (p *Path) walked() []Square {
	out := []Square{p.From}
	for i := 1; i < int(p.n); i++ {
		from, to := spotOf(p.squares[i-1]), spotOf(p.squares[i])
		for s := range from.between(to) {
			if sq := s.square(); !p.Captured.Has(sq) {
				out = append(out, sq)
			}
		}
		out = append(out, p.squares[i])
	}
	return out
}
