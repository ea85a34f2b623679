package pdn

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tabuleiro/games"
)

// The bounds of what one token may hold, in bytes.
const (
	maxWord    = 255
	maxMark    = 8
	maxSetup   = 1 << 10
	maxValue   = 4 << 10
	maxComment = 64 << 10
)

type kind uint8

const (
	end kind = iota
	tag
	word
	mark
	star
	nag
	comment
	setup
	open
	closing
	// wrong is what cannot be read; text says why.
	wrong
)

// token is one piece of a file.
type token struct {
	kind kind
	// text is the content: the value of a tag, a comment without braces, the FEN
	// of a setup, a mark with its parentheses.
	text  string
	name  string // of a tag
	glyph uint8
	code  games.Code // of what is wrong
	// glued says that the token follows the one before it without white space,
	// spaced that a blank line stands before it, opening that it opens a line.
	glued, spaced, opening bool
	at                     point
}

// scanner cuts a stream into tokens.
type scanner struct {
	in           *bufio.Reader
	line, column int // of the next byte
	err, late    error
	buffer       []byte // of the token that is read
}

func newScanner(r io.Reader) *scanner {
	s := &scanner{in: bufio.NewReaderSize(r, 16<<10), line: 1, column: 1}
	if bytes.Equal(s.ahead(3), []byte("\xEF\xBB\xBF")) {
		_, _ = s.in.Discard(3)
	}
	return s
}

// peek is the next byte; 0 at the end, as a NUL in the file is.
func (s *scanner) peek() byte {
	b, err := s.in.Peek(1)
	if err != nil {
		if s.err == nil {
			s.err = cmp.Or(s.late, err)
		}
		return 0
	}
	return b[0]
}

// ahead are the next bytes, fewer than n near the end. The stream tells its error
// but once, so it is kept until the bytes before it are read.
func (s *scanner) ahead(n int) []byte {
	b, err := s.in.Peek(n)
	if s.late == nil {
		s.late = err
	}
	return b
}

// ended tells the end of the stream from a NUL in it.
func (s *scanner) ended() bool {
	s.peek()
	return s.err != nil
}

// next takes a byte, which must have been peeked at.
func (s *scanner) next() byte {
	b, _ := s.in.ReadByte()
	s.column++
	if b == '\n' {
		s.line++
		s.column = 1
	}
	return b
}

func isSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

// token is the next token; of kind end at the end and after an error of the
// stream.
func (s *scanner) token() token {
	t := token{glued: true}
	for !s.ended() {
		if b := s.peek(); b == '%' {
			s.skipLine()
		} else if !isSpace(b) {
			break
		} else {
			t.spaced = t.spaced || b == '\n' && t.opening
			t.opening = t.opening || b == '\n'
			s.next()
		}
		t.glued = false
	}
	t.at = point{s.line, s.column}
	if s.ended() {
		return t
	}
	s.scan(&t)
	return t
}

func (s *scanner) skipLine() {
	for !s.ended() && s.peek() != '\n' {
		s.next()
	}
}

// scan reads a token from its first byte.
func (s *scanner) scan(t *token) {
	switch b := s.peek(); b {
	case '[':
		s.tag(t)
	case '{':
		s.comment(t)
	case ';':
		s.next()
		t.kind = comment
		// Only braces can be written back, and they do not hold one.
		t.text = strings.ReplaceAll(s.until(t, maxComment, '\n'), "}", ")")
	case '(':
		if n := s.marked(); n > 0 {
			t.kind = mark
			for range n {
				t.text += string(s.next())
			}
			return
		}
		s.next()
		t.kind = open
	case ')':
		s.next()
		t.kind = closing
	case '*':
		s.next()
		t.kind = star
	case '!', '?':
		t.kind = mark
		t.text = s.run(t, maxMark, isMark)
	case '$':
		s.next()
		t.kind = nag
		n, err := strconv.ParseUint(s.run(t, 3, isDigit), 10, 8)
		if t.glyph = uint8(n); err != nil {
			t.fail(BadGlyph, "a numeric glyph is $0 to $255")
		}
	case '/':
		s.setup(t)
	default:
		t.kind = word
		// A slash before a 2 is that of a half point, not of a setup.
		t.text = s.run(t, maxWord, func(b byte) bool { return inWord(b) || b == '/' && string(s.ahead(2)) == "/2" })
		if t.text == "" {
			s.next()
			t.fail(Unexpected, printable(string(b))+" has no place here")
		} else if strings.HasSuffix(t.text, "1/2") && t.kind == word {
			t.text += s.otherHalf()
		}
	}
}

// otherHalf takes the rest of a draw that is written with blanks before its
// hyphen, and is that without them; empty where nothing of the kind follows.
func (s *scanner) otherHalf() string {
	ahead := s.ahead(len(" - 1/2"))
	rest := bytes.TrimLeft(ahead, " ")
	if len(rest) == len(ahead) || !bytes.HasPrefix(rest, []byte("-")) {
		return ""
	}
	if rest = bytes.TrimLeft(rest[1:], " "); !bytes.HasPrefix(rest, []byte("1/2")) {
		return ""
	}
	for range len(ahead) - len(rest) + len("1/2") {
		s.next()
	}
	return "-1/2"
}

func (t *token) fail(code games.Code, message string) { t.kind, t.code, t.text = wrong, code, message }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isMark(b byte) bool { return b == '!' || b == '?' }

func inTagName(b byte) bool {
	return isDigit(b) || b == '_' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

func inWord(b byte) bool {
	return !isSpace(b) && b != 0 && strings.IndexByte(`[]{}();*!?$"/`, b) < 0
}

// run reads the bytes that belong, and fails the token past the limit.
func (s *scanner) run(t *token, limit int, belongs func(byte) bool) string {
	out := s.buffer[:0]
	for n := 0; !s.ended() && belongs(s.peek()); n++ {
		if b := s.next(); n < limit {
			out = append(out, b)
		} else {
			t.fail(TooLong, "the text is too long")
		}
	}
	s.buffer = out
	if t.kind == wrong {
		return t.text
	}
	return string(out)
}

// until reads up to a byte, which it takes, or the end of the stream.
func (s *scanner) until(t *token, limit int, stop byte) string {
	text := s.run(t, limit, func(b byte) bool { return b != stop })
	if !s.ended() {
		s.next()
	}
	if t.kind == wrong {
		return text
	}
	return tidy(text)
}

// marked is the length of a mark in parentheses at the next byte;
// 0 where there is none.
func (s *scanner) marked() int {
	ahead := s.ahead(maxMark + 2)
	n := 1
	for n < len(ahead) && isMark(ahead[n]) {
		n++
	}
	if n > 1 && n < len(ahead) && ahead[n] == ')' {
		return n + 1
	}
	return 0
}

// comment reads from a brace to the next closing one. Where a line begins like
// a tag after a blank one, the closing brace was forgotten, and the next game is
// not to be lost.
func (s *scanner) comment(t *token) {
	s.next()
	t.kind = comment
	out := s.buffer[:0]
	breaks := 0
	for n := 0; ; n++ {
		if s.ended() || breaks > 1 && s.column == 1 && s.tagAhead() {
			t.fail(Unclosed, "the comment is not closed")
			return
		}
		b := s.next()
		if b == '\n' {
			breaks++
		} else if !isSpace(b) {
			breaks = 0
		}
		if b == '}' {
			break
		}
		if n < maxComment {
			out = append(out, b)
		}
		if n == maxComment {
			t.kind = wrong
		}
	}
	s.buffer = out
	if t.kind == wrong {
		t.fail(TooLong, "the comment is too long")
		return
	}
	t.text = tidy(string(out))
}

// tagAhead tells whether the next bytes are the beginning of a tag.
func (s *scanner) tagAhead() bool {
	if s.peek() != '[' {
		return false
	}
	ahead := s.ahead(64)
	name := bytes.TrimLeft(ahead[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
	value := bytes.TrimLeft(name, " \t")
	return len(name) < len(ahead)-1 && len(value) < len(name) && len(value) > 0 && value[0] == '"'
}

// tag reads [Name "value"], in which \" stands for a quote and \\ for a
// backslash. What is none ends with its line.
func (s *scanner) tag(t *token) {
	s.next()
	t.kind = tag
	s.blanks()
	name := s.run(t, maxWord, inTagName)
	s.blanks()
	if t.kind == wrong || name == "" || isDigit(name[0]) || name[0] == '_' || s.peek() != '"' {
		s.skipLine()
		t.fail(BadTag, `a tag reads like [Name "value"]`)
		return
	}
	s.next()
	escaped := false
	value := s.run(t, maxValue, func(b byte) bool {
		more := b != '\n' && (b != '"' || escaped)
		escaped = b == '\\' && !escaped
		return more
	})
	if s.peek() != '"' {
		t.fail(BadTag, "the value of the tag is not closed")
		return
	}
	s.next()
	s.blanks()
	if s.peek() != ']' {
		s.skipLine()
		t.fail(BadTag, "the tag is not closed")
		return
	}
	s.next()
	if t.kind == tag {
		t.name = strings.ToUpper(name[:1]) + name[1:]
		t.text = tidy(unescape.Replace(value))
	}
}

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

func (s *scanner) blanks() {
	for b := s.peek(); b == ' ' || b == '\t'; b = s.peek() {
		s.next()
	}
}

// setup reads /FEN "..."/.
func (s *scanner) setup(t *token) {
	s.next()
	t.kind = setup
	text := s.run(t, maxSetup, func(b byte) bool { return b != '/' && b != '\n' })
	if s.peek() == '/' {
		s.next()
	} else {
		t.fail(games.BadText, `a setup reads like /FEN "W:Wa1:Bb8"/`)
	}
	if t.kind == wrong {
		return
	}
	text = strings.TrimSpace(text)
	quoted, ok := strings.CutPrefix(text, "FEN")
	fen := strings.TrimSpace(quoted)
	if !ok || len(fen) < 2 || fen[0] != '"' || fen[len(fen)-1] != '"' {
		t.fail(games.BadText, `a setup reads like /FEN "W:Wa1:Bb8"/`)
		return
	}
	t.text = fen[1 : len(fen)-1]
}

// tidy makes text of bytes: what is not UTF-8 is Latin-1, controls and line
// breaks with the white space around them are one blank.
func tidy(text string) string {
	if !utf8.ValidString(text) {
		var out strings.Builder
		for text != "" {
			r, size := utf8.DecodeRuneInString(text)
			if r == utf8.RuneError && size == 1 {
				r = rune(text[0])
			}
			out.WriteRune(r)
			text = text[size:]
		}
		text = out.String()
	}
	text = strings.TrimSpace(text)
	if strings.IndexFunc(text, isControl) < 0 {
		return text
	}
	parts := strings.FieldsFunc(text, isControl)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
}

func isControl(r rune) bool {
	return r < ' ' || r >= 0x7F && r < 0xA0 || r == '\u2028' || r == '\u2029'
}

// printable keeps a message readable whatever was sent.
func printable(text string) string { return strconv.QuoteToASCII(text) }

// failure is the error of the stream; nil at its end.
func (s *scanner) failure() error {
	if s.err == nil || errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}
