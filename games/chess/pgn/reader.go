package pgn

import (
	"io"
	"strconv"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// Config says how records that do not say so themselves are read.
type Config struct {
	// Start is where games without a FEN tag begin; the zero value is the
	// starting position.
	Start chess.Position
	// Chess960 reads every game as Chess960.
	Chess960 bool
}

// Reader reads games one after another in constant memory. It is not for
// concurrent use.
type Reader struct {
	source
	chess960 bool
	start    chess.Position

	g    *Game
	main cursor
	// text holds the names and values of the game's tags, spans where they are.
	text  []byte
	spans []span
	// others counts the tags that the writer would not write anyway.
	others int
	// fen and variant are where those tags stand.
	fen, variant place
	// scratch holds a tag's value or a comment while it is read.
	scratch []byte
	// weight is about what the game keeps besides tags and main line, in bytes.
	weight int
}

// span is where a tag starts and its name and value end in the text of all tags.
type span struct{ start, name, value int }

// place is a position in the file.
type place struct{ line, column int }

// NewReader reads games from a stream.
func NewReader(in io.Reader, c Config) *Reader {
	r := &Reader{source: newSource(in), chess960: c.Chess960, start: c.Start}
	if r.start == (chess.Position{}) {
		r.start = chess.Start()
	}
	if c.Chess960 {
		r.start = as960(r.start)
	}
	return r
}

// as960 is the position as one of Chess960.
func as960(p chess.Position) chess.Position {
	setup, err := chess.ParseFEN(p.FEN())
	if err != nil {
		return p
	}
	setup.Chess960 = true
	if q, err := setup.Position(); err == nil {
		return q
	}
	return p
}

// Next reads the next game into g, whose storage it uses again. The error is
// io.EOF after the last game, or why the stream could not be read; the faults of
// a game are its Errors.
func (r *Reader) Next(g *Game) error {
	*g = Game{Tags: g.Tags[:0], Line: Line{Moves: g.Moves[:0]}, Errors: g.Errors[:0]}
	r.g, r.weight = g, 0
	defer func() { r.g = nil }()
	r.text, r.spans, r.others = r.text[:0], r.spans[:0], 0
	more, moves := r.header()
	if r.failed != nil {
		return r.failed
	}
	if !more {
		return io.EOF
	}
	r.keepTags()
	g.Result = Unknown
	if value, ok := g.Tag("Result"); ok {
		if result, ok := resultOf([]byte(value)); ok {
			g.Result = result
		}
	}
	ready := r.begin()
	g.Final = g.Start
	switch {
	case !moves:
	case ready:
		r.mainLine()
	default:
		g.Spoiled = true
		r.endGame(r.pass(0))
	}
	return r.failed
}

// here is where pos is.
func (r *Reader) here() place { return place{r.line, r.column()} }

// fault notes a fault of the game.
func (r *Reader) fault(code games.Code, at place, ply int, message string) {
	if len(r.g.Errors) < maxErrors {
		r.g.Errors = append(r.g.Errors, Error{code, at.line, at.column, ply, message})
	}
}

// weigh counts what a game keeps besides its main line, and tells whether that
// may still grow.
func (r *Reader) weigh(bytes int) bool {
	r.weight += bytes
	return r.weight <= maxWeight
}

// header reads what stands before the moves. It tells whether there is a game,
// and whether it may have moves: a game may end with its header where another
// one follows.
func (r *Reader) header() (game, moves bool) {
	for r.blanks() {
		switch c := r.buf[r.pos]; {
		case c == '{' || c == ';':
			r.comment(&r.g.Line, 0)
		case c == '[' && len(r.spans) > 0 && r.newlines > 1 && r.repeatsTag():
			return true, false
		case c == '[':
			r.tag()
		default:
			return true, true
		}
		r.newlines = 0
	}
	return len(r.spans) > 0 || len(r.g.Errors) > 0, false
}

// repeatsTag tells whether the tag pair at pos has a name that the game has.
func (r *Reader) repeatsTag() bool {
	if !r.opensTag() {
		return false
	}
	at := r.pos + 1
	for isBlank(r.buf[at]) {
		at++
	}
	name := r.buf[at : at+nameLength(r.buf[at:r.end])]
	return r.findTag(name) >= 0
}

func (r *Reader) findTag(name []byte) int {
	for i, s := range r.spans {
		if string(r.text[s.start:s.name]) == string(name) {
			return i
		}
	}
	return -1
}

// tag reads a tag pair. One that cannot be read is passed over with its line,
// but not with one that it only reaches into.
func (r *Reader) tag() {
	at := r.here()
	r.pos++
	if reason := r.tagPair(at); reason != "" {
		r.fault(BadTag, at, 0, reason)
		if r.line == at.line {
			r.restOfLine(nil)
		}
	}
}

// tagPair reads a tag pair behind its bracket and is what is wrong with it.
func (r *Reader) tagPair(at place) string {
	if !r.blanks() {
		return "the tag has no name"
	}
	n := nameLength(r.symbol())
	if n == 0 || n > maxSymbol {
		return "the tag has no name of letters, digits and underscores"
	}
	start := len(r.text)
	r.text = append(r.text, r.buf[r.pos:r.pos+n]...)
	r.pos += n
	name := len(r.text)
	reason := ""
	if !r.blanks() || r.buf[r.pos] != '"' {
		reason = "the tag's value stands in quotes"
	} else if reason = r.value(); reason == "" {
		if r.blanks() && r.buf[r.pos] == ']' {
			r.pos++
		} else {
			reason = "the tag pair has no closing bracket"
		}
	}
	own := !isWriters(string(r.text[start:name]))
	if reason == "" && (own && r.others >= maxTags || len(r.text) > maxHeader) {
		reason = "the game has too many tags"
	}
	if reason != "" {
		r.text = r.text[:start]
		return reason
	}
	switch string(r.text[start:name]) {
	case "FEN":
		r.fen = at
	case "Variant":
		r.variant = at
	}
	said := span{start, name, len(r.text)}
	if i := r.findTag(r.text[start:name]); i >= 0 {
		r.spans[i] = said
		return ""
	}
	if own {
		r.others++
	}
	r.spans = append(r.spans, said)
	return ""
}

// isWriters tells the tags that the writer adds where they are missing.
func isWriters(name string) bool {
	switch name {
	case "Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp", "Variant":
		return true
	}
	return false
}

// value reads a string at its opening quote. A quote inside that lacks its
// backslash is seen by what follows it; but where all that stands between such
// quotes is blanks, there is more than one value.
func (r *Reader) value() string {
	r.pos++
	raw := r.scratch[:0]
	between, values := false, 1 // values is 0 once it cannot be several
	for r.need(); !r.atEnd(); r.need() {
		c := r.buf[r.pos]
		switch {
		case c == '\n' || c == '\r':
			r.scratch = raw
			return "the tag's value has no closing quote"
		case c == '\\' && (r.buf[r.pos+1] == '"' || r.buf[r.pos+1] == '\\'):
			r.pos++
			c = r.buf[r.pos]
		case c == '"' && r.closesValue():
			r.pos++
			r.scratch = raw
			if values > 1 && !between {
				return "the tag has more than one value"
			}
			before := len(r.text)
			if r.text = appendUTF8(r.text, raw); len(r.text)-before > maxValue {
				return "the tag's value is too long"
			}
			return ""
		case c == '"' && values > 0:
			switch between = !between; {
			case !between:
				values++
			case !isBlank(r.buf[r.pos+1]):
				values = 0
			}
		case isBlank(c):
			c = ' '
		case between:
			values = 0
		}
		if len(raw) >= maxValue {
			r.scratch = raw
			return "the tag's value is too long"
		}
		raw = append(raw, c)
		r.pos++
	}
	r.scratch = raw
	return "the tag's value has no closing quote"
}

// closesValue tells whether the quote at pos ends its string: nothing but the
// bracket or the end of the line follows.
func (r *Reader) closesValue() bool {
	for _, c := range r.buf[r.pos+1 : min(r.pos+ahead, r.end)] {
		if c == ']' || c == '\n' || c == '\r' {
			return true
		}
		if !isBlank(c) {
			return false
		}
	}
	return true
}

// keepTags gives the game its tags as parts of one string.
func (r *Reader) keepTags() {
	if len(r.spans) == 0 {
		return
	}
	text := string(r.text)
	for _, s := range r.spans {
		r.g.Tags = append(r.g.Tags, Tag{text[s.start:s.name], text[s.name:s.value]})
	}
}

// begin sets the game's start by its tags. It tells whether it could.
func (r *Reader) begin() bool {
	g := r.g
	g.Start = r.start
	chess960 := r.chess960
	if value, ok := g.Tag("Variant"); ok {
		is960, known := variant(value)
		if !known {
			r.fault(UnknownVariant, r.variant, 0, "not a variant that is read: "+strconv.Quote(value))
			return false
		}
		chess960 = chess960 || is960
	}
	fen, ok := g.Tag("FEN")
	if !ok || strings.TrimSpace(fen) == "" {
		if chess960 && !g.Start.Chess960() {
			g.Start = as960(g.Start)
		}
		return true
	}
	setup, err := chess.ParseFEN(fen)
	if err == nil {
		setup.Chess960 = setup.Chess960 || chess960
		g.Start, err = setup.Position()
	}
	if err != nil {
		code := games.BadPosition
		if invalid, ok := err.(*games.Invalid); ok {
			code = invalid.Code()
		}
		g.Start = r.start
		r.fault(code, r.fen, 0, err.Error())
		return false
	}
	return true
}

// variant tells whether a Variant tag means Chess960, and whether it is chess
// at all.
func variant(value string) (is960, known bool) {
	word := strings.Map(func(c rune) rune {
		if c == ' ' || c == '-' || c == '_' {
			return -1
		}
		return c
	}, strings.ToLower(value))
	switch word {
	case "", "?", "standard", "chess", "normal", "classical", "fromposition":
		return false, true
	case "chess960", "960", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "freestylechess":
		return true, true
	}
	return false, false
}

// resultOf reads a termination marker.
func resultOf(text []byte) (Result, bool) {
	switch string(text) {
	case "1-0":
		return WhiteWins, true
	case "0-1":
		return BlackWins, true
	case "1/2-1/2", "1/2":
		return Drawn, true
	case "*":
		return Unknown, true
	}
	return Unknown, false
}
