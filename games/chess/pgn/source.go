package pgn

import (
	"bytes"
	"errors"
	"io"
)

const (
	bufferSize = 64 << 10
	// ahead is how far beyond pos the buffer reaches after need, but for the end
	// of the input: more than any token but comments and tag values.
	ahead = 512
	// behind is how much before pos stays: one byte, for a CR before a LF.
	behind = 1
	// maxIndent is how far from the beginning of its line a tag pair may stand to
	// end what comes before it.
	maxIndent = 64
)

// source is the window on the input and the place in it. The bytes from end on
// are zero, so that a scan stops there by itself.
type source struct {
	in       io.Reader
	buf      []byte
	pos, end int
	// gone counts the bytes that have left the buffer.
	gone int64
	eof  bool
	// failed is why reading ended, if not by the end of the input.
	failed error
	line   int
	// lineStart is the index of the line's first byte; negative when it has left
	// the buffer.
	lineStart int
	// newlines counts the line ends since the last token: two make a blank line.
	newlines int
}

func newSource(in io.Reader) source {
	return source{in: in, buf: make([]byte, bufferSize+ahead), pos: behind, end: behind, line: 1, lineStart: behind}
}

// need makes the next bytes stand in the buffer, as far as there are any.
func (s *source) need() {
	if s.end-s.pos < ahead && !s.eof {
		s.fill()
	}
}

func (s *source) fill() {
	shift := s.pos - behind
	copy(s.buf, s.buf[shift:s.end])
	s.pos, s.end, s.lineStart = s.pos-shift, s.end-shift, s.lineStart-shift
	s.gone += int64(shift)
	for idle := 0; s.end-s.pos < ahead && !s.eof; {
		n, err := s.in.Read(s.buf[s.end:bufferSize])
		s.end += n
		if n > 0 {
			idle = 0
		} else if idle++; idle == 100 {
			err = io.ErrNoProgress
		}
		if err != nil {
			s.eof = true
			if !errors.Is(err, io.EOF) {
				s.failed = err
			}
		}
	}
	clear(s.buf[s.end:min(s.end+ahead, len(s.buf))])
}

// atEnd tells whether the input is used up; need comes first.
func (s *source) atEnd() bool { return s.pos >= s.end }

// column is where pos is in its line, from 1.
func (s *source) column() int { return s.pos - s.lineStart + 1 }

// Place is where reading goes on: the number of bytes read so far, and the line
// and column of the next one, both from 1. Between two games, what follows may be
// read by a new Reader.
func (s *source) Place() (offset int64, line, column int) {
	return s.gone + int64(s.pos-behind), s.line, s.column()
}

// newline steps over a LF, a CR, or the LF of a CRLF, which is no line of its own.
func (s *source) newline() {
	if s.buf[s.pos] == '\r' || s.buf[s.pos-1] != '\r' {
		s.line++
		s.newlines++
	}
	s.pos++
	s.lineStart = s.pos
}

// restOfLine steps to the end of the line and gives each piece of it to keep,
// where there is one.
func (s *source) restOfLine(keep func([]byte)) {
	for s.need(); !s.atEnd(); s.need() {
		n := bytes.IndexAny(s.buf[s.pos:s.end], "\r\n")
		found := n >= 0
		if !found {
			n = s.end - s.pos
		}
		if keep != nil {
			keep(s.buf[s.pos : s.pos+n])
		}
		s.pos += n
		if found {
			return
		}
	}
}

// blanks steps over blanks, line ends, escaped lines and byte order marks. It
// tells whether anything follows.
func (s *source) blanks() bool {
	for s.need(); !s.atEnd(); s.need() {
		switch c := s.buf[s.pos]; {
		case c == '\n' || c == '\r':
			s.newline()
		case c == '%' && s.pos == s.lineStart:
			s.restOfLine(nil)
		case isBlank(c):
			s.pos++
		case c == 0xef && s.buf[s.pos+1] == 0xbb && s.buf[s.pos+2] == 0xbf:
			s.pos += 3
			if s.column() == 4 {
				s.lineStart = s.pos
			}
		default:
			return true
		}
	}
	return false
}

// onLine steps over blanks within the line and is the byte that follows; 0 at
// the end of the input.
func (s *source) onLine() byte {
	for s.need(); !s.atEnd(); s.need() {
		if c := s.buf[s.pos]; c == '\n' || c == '\r' || !isBlank(c) {
			return c
		}
		s.pos++
	}
	return 0
}

// isBlank tells what parts tokens: control characters and the blank.
func isBlank(c byte) bool { return c <= ' ' || c == 0x7f }

// ends tells the bytes that end a symbol.
var ends = func() (t [256]bool) {
	for c := range t {
		t[c] = isBlank(byte(c))
	}
	for _, c := range []byte("(){}[]<>\";$!?*") {
		t[c] = true
	}
	return t
}()

// symbol is the run of symbol bytes at pos, which stay there; it may be cut at
// one byte past maxSymbol.
func (s *source) symbol() []byte {
	s.need()
	n := s.pos
	for limit := s.pos + maxSymbol + 1; n < limit && n < s.end && !ends[s.buf[n]]; n++ {
	}
	return s.buf[s.pos:n]
}

// opensTag tells whether a tag pair stands at pos, a bracket, a name and a quote,
// with nothing but some blanks before it on its line.
func (s *source) opensTag() bool {
	s.need()
	if s.atEnd() || s.buf[s.pos] != '[' || !s.firstOfLine() {
		return false
	}
	rest := s.buf[s.pos+1 : min(s.pos+ahead, s.end)]
	rest = bytes.TrimLeft(rest, " \t")
	n := nameLength(rest)
	rest = bytes.TrimLeft(rest[n:], " \t")
	return n > 0 && len(rest) > 0 && rest[0] == '"'
}

func (s *source) firstOfLine() bool {
	if s.lineStart < 0 || s.pos-s.lineStart > maxIndent {
		return false
	}
	for _, c := range s.buf[s.lineStart:s.pos] {
		if !isBlank(c) {
			return false
		}
	}
	return true
}

// nameLength is how many bytes of a text make a tag's name: letters, digits and
// the signs of symbols.
func nameLength(b []byte) int {
	for i, c := range b {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
		case i > 0 && bytes.IndexByte([]byte("+#=:-"), c) >= 0:
		default:
			return i
		}
	}
	return len(b)
}
