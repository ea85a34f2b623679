package pgn

import (
	"strings"
	"unicode/utf8"
)

// layout breaks words into lines of at most maxColumns.
type layout struct {
	buf    []byte
	column int
	// brackets are those that open before the next word.
	brackets int
}

func (l *layout) reset() { *l = layout{buf: l.buf[:0]} }

// word writes a word on this line or the next.
func (l *layout) word(text string) {
	width := l.brackets + utf8.RuneCountInString(text)
	switch {
	case l.column == 0:
	case l.column+1+width > maxColumns:
		l.newline()
	default:
		l.buf = append(l.buf, ' ')
		l.column++
	}
	for ; l.brackets > 0; l.brackets-- {
		l.buf = append(l.buf, '(')
	}
	l.buf = append(l.buf, text...)
	l.column += width
}

func (l *layout) newline() {
	l.buf = append(l.buf, '\n')
	l.column = 0
}

func (l *layout) open() { l.brackets++ }

// close closes a bracket behind the last word.
func (l *layout) close() {
	if l.brackets > 0 { // nothing in it
		l.brackets--
		return
	}
	if l.column+1 > maxColumns {
		l.newline()
	}
	l.buf = append(l.buf, ')')
	l.column++
}

// comment writes the words of a comment. No line begins with a word that, first
// of a line, some readers take for an escape or a tag pair.
func (l *layout) comment(text string) {
	if strings.Contains(text, "}") {
		l.word(";" + text)
		l.newline()
		return
	}
	words := strings.Split("{"+text+"}", " ")
	for i := 0; i < len(words); {
		n := i + 1
		for n < len(words) && (words[n][0] == '%' || words[n][0] == '[') {
			n++
		}
		l.word(strings.Join(words[i:n], " "))
		i = n
	}
}
