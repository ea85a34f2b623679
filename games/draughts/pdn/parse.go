package pdn

import (
	"cmp"
	"slices"
	"strings"

	"tabuleiro/games"
)

const (
	maxTags   = 256 // of a game
	maxErrors = 16  // kept of a game
	maxDepth  = 64  // of nested variations
	// forced is the glyph of a forced move.
	forced = 7
	// maxGame bounds the memory of one game: its bytes of text, and a share for
	// each of its parts.
	maxGame   = 4 << 20
	partShare = 64
)

// rawGame is a game as it is written, before the rules look at it.
type rawGame struct {
	tags   []rawTag
	line   rawLine
	result Result // of the terminator; empty where there is none
	errors []Error
	any    bool // there is more than comments
	// spoiled tells that the main line has a fault.
	spoiled bool
}

type rawTag struct {
	Tag
	at point
}

type rawLine struct {
	rawNotes
	plies []rawPly
	// begin and end are where the line was seen to open and to end; zero for the
	// main line.
	begin, end point
}

// point is a place in the file.
type point struct{ line, column int }

func (p point) compare(q point) int {
	return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.column, q.column))
}

type rawPly struct {
	// text is a move, in lower case and without marks, or the FEN of a setup.
	text  string
	setup bool
	mark  string
	at    point
	rawNotes
}

type rawNotes struct {
	comments   []string
	glyphs     []uint8
	variations []rawLine
}

// parser gathers one game from the tokens of a scanner.
type parser struct {
	*scanner
	game  rawGame
	lines []rawLine // the main line and the variations that are open
	spent int
	// broken says that the rest of the main line cannot be placed, and is passed
	// over. lost counts the brackets until the end of a variation of which that
	// is so.
	broken      bool
	depth, lost int
	last        kind
}

// parse reads the next game, from first on, and returns the token after it
// where it had to read that. ok is false where there are no more games.
func (s *scanner) parse(first *token) (game rawGame, after *token, ok bool) {
	p := parser{scanner: s, lines: make([]rawLine, 1)}
	for {
		t := first
		if first = nil; t == nil {
			read := s.token()
			t = &read
		}
		switch {
		case t.kind == end:
			game = p.finish(t)
			return game, nil, game.any
		case p.opensGame(t):
			return p.finish(t), t, true
		case p.take(t):
			after = p.behind(t.at.line, t.kind == word)
			return p.finish(t), after, true
		}
	}
}

// opensGame tells whether a token is the first of another game.
func (p *parser) opensGame(t *token) bool {
	switch t.kind {
	case tag:
		return p.inMoves() || t.spaced && slices.ContainsFunc(p.game.tags, func(o rawTag) bool { return o.Name == t.name })
	case word:
		return t.spaced && strings.HasPrefix(t.text, "1.") && !strings.HasPrefix(t.text, "1..") &&
			len(p.lines) == 1 && (p.broken || len(p.lines[0].plies) > 0)
	}
	return false
}

// behind reads the comments behind a result on its line, which are still the
// game's, and is the token after them. A separator behind a result, which is one
// itself, ends no other game.
func (p *parser) behind(line int, separator bool) *token {
	for {
		p.blanks()
		b := p.peek()
		if p.line != line || b != '{' && b != ';' && (b != '*' || !separator) {
			return nil
		}
		t := p.token()
		if t.kind == star {
			separator = false
			continue
		}
		if t.kind != comment {
			return &t
		}
		if !p.broken {
			p.take(&t)
		}
	}
}

// inMoves tells whether a tag would be that of another game.
func (p *parser) inMoves() bool {
	notes := len(p.lines) == 1 && len(p.lines[0].plies) == 0 && len(p.lines[0].glyphs) == 0 &&
		len(p.lines[0].variations) == 0 && (len(p.lines[0].comments) == 0 || len(p.game.tags) == 0)
	return !notes || p.broken
}

func (p *parser) finish(t *token) rawGame {
	if len(p.lines) > 1 {
		// What followed may have been meant for the main line.
		opened := &token{at: p.lines[1].begin}
		p.report(opened, Unclosed, 0, "a variation is not closed")
		p.broken = true
	}
	for len(p.lines) > 1 {
		p.close(t)
	}
	p.game.line, p.game.spoiled = p.lines[0], p.broken
	return p.game
}

// fail records a fault of the moves: what follows in the line has no place.
func (p *parser) fail(t *token, code games.Code, message string) {
	p.report(t, code, 0, message)
	if len(p.lines) > 1 {
		p.lost = 1
	} else {
		p.broken, p.depth = true, 0
	}
}

// report records a fault of the move so many plies before the next one.
func (p *parser) report(t *token, code games.Code, before int, message string) {
	p.game.any = true
	if len(p.game.errors) < maxErrors {
		p.game.errors = append(p.game.errors, Error{code, t.at.line, t.at.column, p.ply() - before, message})
	}
}

// reportTag records a fault of the header.
func (p *parser) reportTag(t *token, code games.Code, message string) {
	p.report(t, code, p.ply(), message)
}

// ply is the number of the move that would come next.
func (p *parser) ply() int {
	n := 1
	for i := range p.lines {
		for j := range p.lines[i].plies {
			if !p.lines[i].plies[j].setup {
				n++
			}
		}
		// A variation begins with another move in the place of the last one.
		if plies := p.lines[i].plies; i < len(p.lines)-1 && len(plies) > 0 && !plies[len(plies)-1].setup {
			n--
		}
	}
	return n
}

// take adds a token to the game and tells whether it ends there.
func (p *parser) take(t *token) (ended bool) {
	forcing := t.kind == star && t.glued && (p.last == word || p.last == mark)
	p.last = t.kind
	switch {
	case p.broken:
		if !p.passOver(t, &p.depth) {
			return false
		}
		if t.kind == word {
			p.game.result = wordResult(t.text)
		}
		return t.kind == star && !forcing || p.game.result != ""
	case p.lost > 0:
		if p.passOver(t, &p.lost); p.lost == 0 {
			p.close(t)
		}
		return false
	}
	if p.spent += len(t.name) + len(t.text) + partShare; p.spent > maxGame {
		p.fail(t, TooLong, "the game is too long")
		return false
	}
	line := &p.lines[len(p.lines)-1]
	if t.kind != comment {
		p.game.any = true
	}
	switch t.kind {
	case tag:
		p.tag(t)
	case comment:
		if t.text != "" {
			notes := line.last()
			notes.comments = append(notes.comments, t.text)
		}
	case nag:
		notes := line.last()
		notes.glyphs = append(notes.glyphs, t.glyph)
	case mark:
		p.mark(t, line)
	case setup:
		line.plies = append(line.plies, rawPly{text: t.text, setup: true, at: t.at})
	case open:
		if len(p.lines) > maxDepth {
			p.lines = append(p.lines, rawLine{begin: t.at})
			p.fail(t, TooDeep, "variations nest too deep")
			return false
		}
		p.lines = append(p.lines, rawLine{begin: t.at})
	case closing:
		if len(p.lines) == 1 {
			p.fail(t, Unexpected, "no variation is open")
			return false
		}
		p.close(t)
	case star:
		if forcing && len(line.plies) > 0 {
			p.report(t, BadGlyph, 1, "* is the end of a game; a forced move is marked $7")
			notes := line.last()
			notes.glyphs = append(notes.glyphs, forced)
			return false
		}
		return p.result(Unknown)
	case word:
		return p.word(t, line)
	case wrong:
		if t.code == BadGlyph && p.inMoves() {
			p.badGlyph(t, t.text, line)
		} else if p.inMoves() {
			p.fail(t, t.code, t.text)
		} else {
			// A line of the header that cannot be read leaves the rest readable.
			p.reportTag(t, t.code, t.text)
		}
	}
	return false
}

// passOver follows the brackets of what is passed over and tells whether all
// are closed.
func (p *parser) passOver(t *token, depth *int) bool {
	switch t.kind {
	case open:
		*depth++
	case closing:
		*depth = max(0, *depth-1)
	}
	return *depth == 0
}

// tag adds a tag, or gives one that is there its last value.
func (p *parser) tag(t *token) {
	read := rawTag{Tag{t.name, t.text}, t.at}
	if i := slices.IndexFunc(p.game.tags, func(o rawTag) bool { return o.Name == t.name }); i >= 0 {
		p.game.tags[i] = read
	} else if len(p.game.tags) >= maxTags {
		p.reportTag(t, TooLong, "the game has too many tags")
	} else {
		p.game.tags = append(p.game.tags, read)
	}
}

// last are the notes of the last ply, or of the line before its first.
func (l *rawLine) last() *rawNotes {
	if len(l.plies) == 0 {
		return &l.rawNotes
	}
	return &l.plies[len(l.plies)-1].rawNotes
}

// close ends the innermost variation.
func (p *parser) close(t *token) {
	n := len(p.lines) - 1
	p.lines[n].end = t.at
	notes := p.lines[n-1].last()
	notes.variations = append(notes.variations, p.lines[n])
	p.lines = p.lines[:n]
}

func (p *parser) mark(t *token, line *rawLine) {
	if n := len(line.plies); n > 0 && !line.plies[n-1].setup && line.plies[n-1].mark == "" {
		line.plies[n-1].mark = t.text
		return
	}
	p.badGlyph(t, "a mark follows a move", line)
}

// badGlyph records a fault that costs no move.
func (p *parser) badGlyph(t *token, message string, line *rawLine) {
	p.report(t, BadGlyph, min(1, len(line.plies)), message)
}

// result ends the game, unless it stands in a variation, where it says nothing
// that counts.
func (p *parser) result(result Result) bool {
	if len(p.lines) > 1 {
		return false
	}
	p.game.result = result
	return true
}

// word takes a move number, a move, both in one, or a result.
func (p *parser) word(t *token, line *rawLine) bool {
	if result := wordResult(t.text); result != "" {
		return p.result(result)
	}
	text := strings.ToLower(moveText(t.text))
	if text == "" {
		return false
	}
	if !isMove(text) {
		p.fail(t, games.BadText, printable(t.text)+" is no move")
		return false
	}
	at := point{t.at.line, t.at.column + len(t.text) - len(text)}
	line.plies = append(line.plies, rawPly{text: text, at: at})
	return false
}

// moveText is a word without the move number and the dots before a move.
func moveText(text string) string {
	rest := strings.TrimLeft(text, "0123456789")
	if number := len(text) - len(rest); rest == "" && number <= 3 {
		return "" // a move number without its dot
	}
	if strings.HasPrefix(rest, ".") {
		return strings.TrimLeft(rest, ".")
	}
	return text
}

// wordResult is the result that a word is, with or without a move number before
// it; empty for anything else. 0.5-0.5 is not the number 0 and a move.
func wordResult(text string) Result { return cmp.Or(resultOf(text), resultOf(moveText(text))) }

// resultOf translates what ends a game; empty for anything else. No move reads
// like one: there is no square 0, and no move from 1 to 1 but by capture.
func resultOf(text string) Result {
	switch result := Result(text); result {
	case WhiteWins, "2-0":
		return WhiteWins
	case BlackWins, "0-2":
		return BlackWins
	case Drawn, "1-1", "1/2", "0.5-0.5", "½-½", "½":
		return Drawn
	case BothLose, Unknown:
		return result
	}
	return ""
}

const separators = "-x:"

// isMove tells whether a text in lower case is squares with separators, which
// algebraic squares need not have.
func isMove(text string) bool {
	if isNumeric(text) {
		return isNumericMove(text)
	}
	squares := 0
	for len(text) >= 2 && 'a' <= text[0] && text[0] <= 'h' && '1' <= text[1] && text[1] <= '8' {
		squares++
		text = text[2:]
		if text != "" && strings.IndexByte(separators, text[0]) >= 0 {
			if text = text[1:]; text == "" {
				return false
			}
		}
	}
	return text == "" && squares >= 2
}

func isNumeric(text string) bool { return isDigit(text[0]) }

func isNumericMove(text string) bool {
	squares := 0
	for square := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if _, ok := parseSquare(square); !ok {
			return false
		}
		squares++
	}
	return squares >= 2 && strings.Count(text, "-")+strings.Count(text, "x")+strings.Count(text, ":") == squares-1 &&
		isDigit(text[len(text)-1])
}
