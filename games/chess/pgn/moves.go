package pgn

import (
	"bytes"
	"strconv"

	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// ending is how a line of moves ended.
type ending uint8

const (
	goesOn     ending = iota
	atInputEnd        // nothing follows
	atNextGame        // the next game begins at pos
	atResult          // behind the termination marker
	atClose           // behind the bracket of the variation
	atFault           // at or behind a fault after which the line cannot go on
)

// cursor is a line that is being read, with the position at its end and the one
// before its last move.
type cursor struct {
	*Line
	now, before *chess.Position
	boards      [2]chess.Position
	// plies is how many the line that it leaves has before it; depth is that of
	// nesting, 0 for the main line.
	plies, depth int
}

func (c *cursor) open(l *Line, from *chess.Position, plies, depth int) {
	c.Line, c.plies, c.depth = l, plies, depth
	c.now, c.before = &c.boards[0], &c.boards[1]
	*c.now = *from
}

// ply is the number of the last move.
func (c *cursor) ply() int { return c.plies + len(c.Moves) }

func (c *cursor) play(m chess.Move) {
	c.Moves = append(c.Moves, m)
	c.now.PlayTo(c.before, m)
	c.now, c.before = c.before, c.now
}

func (c *cursor) playNull() {
	c.Moves = append(c.Moves, chess.NoMove)
	*c.before = c.now.PlayNull()
	c.now, c.before = c.before, c.now
}

// mainLine reads the game's moves up to the end of the game.
func (r *Reader) mainLine() {
	g, c := r.g, &r.main
	c.open(&g.Line, &g.Start, 0, 0)
	end := r.moves(c)
	g.Final = *c.now
	if end == atFault {
		g.Spoiled = true
		end = r.pass(0)
	}
	r.endGame(end)
}

// endGame reads the comments that follow the termination marker on its line,
// which are still this game's.
func (r *Reader) endGame(end ending) {
	if end != atResult {
		return
	}
	for c := r.onLine(); c == '{' || c == ';'; c = r.onLine() {
		r.comment(&r.g.Line, len(r.g.Moves))
	}
}

// moves reads the line of a cursor to its end. What well written records without
// comments hold is read here, all else by token.
func (r *Reader) moves(c *cursor) ending {
	for r.newlines = 0; r.blanks(); {
		newlines := r.newlines
		r.newlines = 0
		switch first := r.buf[r.pos]; marks[first] {
		case pieceMark:
			if c.ply() >= maxPlies || c.depth > 0 && !r.weigh(moveWeight) {
				break
			}
			if m, n := decode(c.now, r.buf[r.pos:r.pos+maxPlain]); m != chess.NoMove {
				r.pos += n
				c.play(m)
				continue
			}
		case digitMark:
			if n := r.number(); n > 0 && newlines < 2 {
				r.pos += n
				continue
			}
		}
		if end := r.token(c, newlines); end != goesOn {
			return end
		}
	}
	return atInputEnd
}

// token reads what stands at pos, the first byte after a number of line ends.
func (r *Reader) token(c *cursor, newlines int) ending {
	at := r.here()
	switch first := r.buf[r.pos]; {
	case marks[first] == digitMark:
		n := r.number()
		if n == 0 {
			return r.word(c, at)
		}
		if newlines > 1 && c.depth == 0 && len(c.Moves) > 0 && r.opensGame() {
			return atNextGame
		}
		r.pos += n
	case first == '.':
		r.pos++
	case first == '{' || first == ';':
		if !r.comment(c.Line, c.ply()) {
			return atFault
		}
	case first == '$' || first == '!' || first == '?':
		r.glyph(c.Line, c.ply())
	case first == '*':
		r.pos++
		if c.depth == 0 {
			return atResult
		}
	case first == '(':
		return r.variation(c)
	case first == ')':
		r.pos++
		if c.depth > 0 {
			return atClose
		}
		r.fault(Unexpected, at, c.ply(), "the bracket closes no variation")
	case r.opensTag():
		return atNextGame
	case ends[first]:
		r.pos++
		r.fault(Unexpected, at, c.ply()+1, "no move begins with "+strconv.Quote(string(rune(first))))
		return atFault
	default:
		return r.word(c, at)
	}
	return goesOn
}

// number is the length of the move number with its points at pos, or 0 where
// the digits begin something else.
func (r *Reader) number() int {
	n := r.pos
	for marks[r.buf[n]] == digitMark && n-r.pos < maxSymbol {
		n++
	}
	if r.buf[n] == '.' {
		for n++; r.buf[n] == '.' && n-r.pos < maxSymbol; n++ {
		}
		return n - r.pos
	}
	// 0000 is a null move; 1-0 and 1/2 are results, 0-0 castles.
	if r.buf[n] == '-' || r.buf[n] == '/' || r.buf[r.pos] == '0' {
		return 0
	}
	return n - r.pos
}

// opensGame tells whether the move number at pos is 1 and White's.
func (r *Reader) opensGame() bool {
	rest, ok := bytes.CutPrefix(r.buf[r.pos:min(r.pos+ahead, r.end)], []byte("1"))
	if !ok || len(rest) > 0 && marks[rest[0]] == digitMark {
		return false
	}
	rest = bytes.TrimPrefix(rest, []byte("."))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return !bytes.HasPrefix(rest, []byte("."))
}

// word reads a move in any form, or a termination marker.
func (r *Reader) word(c *cursor, at place) ending {
	text := r.symbol()
	ply := c.ply() + 1
	if len(text) > maxSymbol {
		r.fault(TooLong, at, ply, "the move's text is too long")
		return atFault
	}
	if result, ok := resultOf(text); ok {
		r.pos += len(text)
		if c.depth > 0 {
			return goesOn
		}
		r.g.Result = result
		return atResult
	}
	if ply > maxPlies || c.depth > 0 && !r.weigh(moveWeight) {
		r.fault(TooLong, at, ply, "the game is too long")
		return atFault
	}
	switch string(text) {
	case "--", "Z0", "0000", "@@@@", "null", "pass":
		r.pos += len(text)
		if c.depth == 0 || c.now.InCheck() {
			r.fault(NullMove, at, ply, "a null move stands only in variations and out of check")
			return atFault
		}
		c.playNull()
		return goesOn
	case "e.p.", "e.p", "ep":
		if len(c.Moves) > 0 && c.Moves[len(c.Moves)-1].IsEnPassant() {
			r.pos += len(text)
			return goesOn
		}
	}
	if dots := bytes.TrimPrefix(text, []byte("…")); len(dots) < len(text) {
		r.pos += len(text) - len(dots)
		return goesOn
	}
	m, why := c.now.ParseSAN(string(text))
	if why != nil && why.Code == games.PromotionMissing {
		// e8(Q) looks like a pawn's move with a variation.
		if tail := r.buf[r.pos+len(text):]; tail[0] == '(' && tail[2] == ')' {
			text = r.buf[r.pos : r.pos+len(text)+3]
			m, why = c.now.ParseSAN(string(text))
		}
	}
	if why != nil {
		if why.Code != games.BadText && !c.now.HasLegal() {
			why = c.now.RefuseOver()
		}
		r.fault(why.Code, at, ply, strconv.Quote(string(appendUTF8(nil, text)))+": "+why.Error())
		return atFault
	}
	r.pos += len(text)
	c.play(m)
	return goesOn
}

// variation reads another way to play a line's last move.
func (r *Reader) variation(c *cursor) ending {
	at := r.here()
	r.pos++
	end := atFault
	switch {
	case len(c.Moves) == 0:
		r.fault(Unexpected, at, c.ply(), "a variation stands behind the move that it replaces")
	case c.depth == maxDepth:
		r.fault(TooDeep, at, c.ply(), "variations are nested too deeply")
	case !r.weigh(variationWeight):
		r.fault(TooLong, at, c.ply(), "the game has too many variations")
	default:
		var v Line
		var inner cursor
		inner.open(&v, c.before, c.ply()-1, c.depth+1)
		end = r.moves(&inner)
		if len(v.Moves) > 0 || len(v.Notes) > 0 {
			n := c.note()
			n.Variations = append(n.Variations, v)
		}
	}
	if end == atFault {
		end = r.pass(1)
	}
	if end != atClose {
		r.g.Spoiled = true
		r.fault(Unclosed, at, c.ply(), "the variation is not closed")
		return end
	}
	return goesOn
}

// The weights of what is kept, in bytes.
const (
	moveWeight      = 2
	noteWeight      = 96
	variationWeight = noteWeight + 48
)

// glyph reads a numeric glyph or a mark.
func (r *Reader) glyph(l *Line, ply int) {
	at := r.here()
	var code uint8
	n, ok := 1, true
	if r.buf[r.pos] == '$' {
		for marks[r.buf[r.pos+n]] == digitMark && n < maxSymbol {
			n++
		}
		value, err := strconv.ParseUint(string(r.buf[r.pos+1:r.pos+n]), 10, 8)
		code, ok = uint8(value), err == nil
	} else {
		if second := r.buf[r.pos+1]; second == '!' || second == '?' {
			n = 2
		}
		code = markOf(string(r.buf[r.pos : r.pos+n]))
	}
	r.pos += n
	switch {
	case !ok:
		r.fault(BadGlyph, at, ply, "a glyph is a number from 0 to 255 behind $")
	case !r.weigh(noteWeight):
		r.fault(TooLong, at, ply, "the game has too many annotations")
	default:
		l.note().addGlyph(code)
	}
}

func (n *Note) addGlyph(code uint8) {
	if bytes.IndexByte(n.Glyphs, code) < 0 {
		n.Glyphs = append(n.Glyphs, code)
	}
}

// markOf is the glyph of a traditional mark.
func markOf(mark string) uint8 {
	switch mark {
	case "!":
		return 1
	case "?":
		return 2
	case "!!":
		return 3
	case "??":
		return 4
	case "!?":
		return 5
	}
	return 6
}

// comment reads a comment of either kind. It tells whether it ended.
func (r *Reader) comment(l *Line, ply int) bool {
	at := r.here()
	brace := r.buf[r.pos] == '{'
	r.pos++
	raw, closed := r.scratch[:0], true
	if brace {
		raw, closed = r.braced(raw)
	} else {
		r.restOfLine(func(piece []byte) {
			if len(raw) <= maxComment {
				raw = append(raw, piece...)
			}
		})
	}
	r.scratch = raw
	r.newlines = 0
	if !closed {
		r.fault(Unclosed, at, ply, "the comment is not closed")
		r.g.Spoiled = true
	}
	text := ""
	if len(raw) <= maxComment {
		text = comment(raw)
	}
	if len(raw) > maxComment || len(text) > maxComment {
		r.fault(TooLong, at, ply, "the comment is too long")
		return closed
	}
	if text == "" {
		return closed
	}
	if !r.weigh(noteWeight + len(text)) {
		r.fault(TooLong, at, ply, "the game has too many annotations")
		return closed
	}
	n := l.note()
	n.Comments = append(n.Comments, text)
	return closed
}

// braced reads a comment behind its brace, keeping little more than maxComment
// bytes. It tells whether the comment was closed, by its brace and not by the
// next game's header or the end of the input.
func (r *Reader) braced(raw []byte) ([]byte, bool) {
	r.newlines = 0
	for r.need(); !r.atEnd(); r.need() {
		switch c := r.buf[r.pos]; {
		case c == '}':
			r.pos++
			return raw, true
		case c == '\n' || c == '\r':
			r.newline()
			if r.newlines > 1 && r.opensTag() {
				return raw, false
			}
		case isBlank(c):
			r.pos++
		default:
			r.newlines = 0
			n := r.pos
			for n < r.end && r.buf[n] != '}' && !isBlank(r.buf[n]) {
				n++
			}
			if len(raw) <= maxComment {
				raw = append(raw, r.buf[r.pos:n]...)
			}
			r.pos = n
			continue
		}
		raw = append(raw, ' ')
		if len(raw) > 2*maxComment {
			raw = raw[:maxComment+1]
		}
	}
	return raw, false
}

// pass goes to the end of the game, or of the variation that a depth of brackets
// around pos makes, without reading moves.
func (r *Reader) pass(depth int) ending {
	variation := depth > 0
	for r.newlines = 0; r.blanks(); {
		newlines := r.newlines
		r.newlines = 0
		switch first := r.buf[r.pos]; {
		case first == '{':
			r.pos++
			r.scratch, _ = r.braced(r.scratch[:0])
			r.newlines = 0
		case first == ';':
			r.restOfLine(nil)
		case first == '(':
			depth++
			r.pos++
		case first == ')':
			r.pos++
			if depth > 0 {
				depth--
			}
			if variation && depth == 0 {
				return atClose
			}
		case r.opensTag():
			return atNextGame
		case depth == 0 && newlines > 1 && r.opensGame():
			return atNextGame
		case first == '*':
			r.pos++
			if depth == 0 {
				return atResult
			}
		case ends[first]:
			r.pos++
		default:
			text := r.symbol()
			r.pos += len(text)
			if result, ok := resultOf(text); ok && depth == 0 {
				r.g.Result = result
				return atResult
			}
			for len(text) > maxSymbol {
				text = r.symbol()
				r.pos += len(text)
			}
		}
	}
	return atInputEnd
}
