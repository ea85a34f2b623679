package pgn

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tabuleiro/games/chess"
)

// maxColumns is how long the lines of moves are at most, in characters; only a
// single longer word passes it. The standard asks for fewer than 80.
const maxColumns = 79

// Writer writes games in the export format. It is not for concurrent use.
type Writer struct {
	out io.Writer
	layout
	weight int
	ply    int
}

// NewWriter writes to a stream, once a game.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Unwritable is why a game was not written.
type Unwritable struct {
	// Ply is that of the move concerned, from 1; 0 for the header.
	Ply    int
	Detail string
}

// Error is the detail with its ply.
func (e *Unwritable) Error() string {
	return fmt.Sprintf("the game cannot be written: ply %d: %s", e.Ply, e.Detail)
}

// Write writes one game: the seven tags of the roster first, the others sorted,
// numbers before Black's moves only where something stands between, marks as
// numeric glyphs. SetUp, FEN, Result and for Chess960 Variant come from the
// game, not from its tags. Runs of blanks in comments become one; a comment that
// holds a closing brace is written with a semicolon. Nothing of a game is
// written if a part cannot be: *Unwritable.
func (w *Writer) Write(g *Game) error {
	w.layout.reset()
	w.weight, w.ply = 0, 0
	if err := w.header(g); err != nil {
		return err
	}
	if err := w.line(&g.Line, g.Start, 0, 0); err != nil {
		return err
	}
	w.word(string(resultFor(g)))
	w.buf = append(w.buf, "\n\n"...)
	_, err := w.out.Write(w.buf)
	return err
}

func resultFor(g *Game) Result {
	if g.Result == "" {
		return Unknown
	}
	return g.Result
}

func (w *Writer) refuse(detail string) error { return &Unwritable{Ply: w.ply, Detail: detail} }

// weigh counts as the reader does, which must be able to read the game.
func (w *Writer) weigh(bytes int) error {
	if w.weight += bytes; w.weight > maxWeight {
		return w.refuse("it has too many annotations")
	}
	return nil
}

// header writes the tags and the blank line behind them.
func (w *Writer) header(g *Game) error {
	if g.Start == (chess.Position{}) {
		return w.refuse("it has no start")
	}
	result := resultFor(g)
	if is, ok := resultOf([]byte(result)); !ok || is != result {
		return w.refuse("no result is " + strconv.Quote(string(result)))
	}
	roster := []Tag{{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"}, {"Result", "*"}}
	var others []Tag
	for i, t := range g.Tags {
		if slices.ContainsFunc(g.Tags[:i], func(o Tag) bool { return o.Name == t.Name }) {
			return w.refuse("a tag stands twice: " + t.Name)
		}
		if i := slices.IndexFunc(roster, func(o Tag) bool { return o.Name == t.Name }); i >= 0 {
			roster[i] = t
		} else if !isWriters(t.Name) {
			others = append(others, t)
		}
	}
	if len(others) > maxTags {
		return w.refuse("it has too many tags")
	}
	roster[6].Value = string(result)
	if value, ok := g.Tag("Variant"); ok || g.Start.Chess960() {
		is960, known := variant(value)
		switch {
		case !known:
			return w.refuse("not a variant that is written: " + strconv.Quote(value))
		case g.Start.Chess960():
			others = append(others, Tag{"Variant", "Chess960"})
		case !is960:
			others = append(others, Tag{"Variant", value})
		}
	}
	if g.Start != chess.Start() {
		others = append(others, Tag{"SetUp", "1"}, Tag{"FEN", g.Start.FEN()})
	}
	slices.SortFunc(others, func(a, b Tag) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range append(roster, others...) {
		if err := w.tag(t); err != nil {
			return err
		}
	}
	w.buf = append(w.buf, '\n')
	return nil
}

func (w *Writer) tag(t Tag) error {
	if n := nameLength([]byte(t.Name)); n == 0 || n != len(t.Name) || n > maxSymbol {
		return w.refuse("no tag has the name " + strconv.Quote(t.Name))
	}
	if !utf8.ValidString(t.Value) || len(t.Value) > maxValue || strings.ContainsFunc(t.Value, isControl) {
		return w.refuse("the value of the tag " + t.Name + " is too long or no text of one line")
	}
	w.buf = append(w.buf, '[')
	w.buf = append(w.buf, t.Name...)
	w.buf = append(w.buf, " \""...)
	for _, c := range []byte(t.Value) {
		if c == '"' || c == '\\' {
			w.buf = append(w.buf, '\\')
		}
		w.buf = append(w.buf, c)
	}
	w.buf = append(w.buf, "\"]\n"...)
	return nil
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f }

// line writes a line of moves that begins after some plies.
func (w *Writer) line(l *Line, p chess.Position, plies, depth int) error {
	notes := l.Notes
	var before chess.Position
	numbered := false
	for i := 0; ; i++ {
		w.ply = plies + i
		if len(notes) > 0 && notes[0].After == i {
			said, err := w.note(&notes[0], before, plies+i-1, depth)
			if err != nil {
				return err
			}
			numbered = numbered && !said
			notes = notes[1:]
		}
		if i == len(l.Moves) {
			break
		}
		w.ply++
		text, err := w.text(&p, l.Moves[i], depth)
		if err != nil {
			return err
		}
		w.number(&p, numbered)
		w.word(text)
		numbered = true
		before = p
		if l.Moves[i] == chess.NoMove {
			p = p.PlayNull()
		} else {
			p = p.Play(l.Moves[i])
		}
	}
	if len(notes) > 0 {
		return w.refuse("its notes are not in order")
	}
	return nil
}

// number writes the move's number where it is due: before White's moves, and
// before Black's where none is told by what stands before.
func (w *Writer) number(p *chess.Position, numbered bool) {
	switch {
	case p.SideToMove() == chess.White:
		w.word(strconv.Itoa(p.Fullmove()) + ".")
	case !numbered:
		w.word(strconv.Itoa(p.Fullmove()) + "...")
	}
}

// text is the move in SAN, if it is legal.
func (w *Writer) text(p *chess.Position, m chess.Move, depth int) (string, error) {
	if w.ply > maxPlies {
		return "", w.refuse("it is too long")
	}
	if depth > 0 {
		if err := w.weigh(moveWeight); err != nil {
			return "", err
		}
	}
	if m == chess.NoMove {
		if depth == 0 || p.InCheck() {
			return "", w.refuse("a null move stands only in variations and out of check")
		}
		return "--", nil
	}
	if legal, why := p.Find(m.From(), m.To(), m.Promotion()); why != nil || legal != m {
		return "", w.refuse("the move is not legal")
	}
	return p.SAN(m), nil
}

// note writes what stands behind a move that was played on the position before.
// It tells whether anything stands between this move and the next.
func (w *Writer) note(n *Note, before chess.Position, plies, depth int) (said bool, err error) {
	for i, code := range n.Glyphs {
		if slices.Contains(n.Glyphs[:i], code) {
			continue
		}
		if err := w.weigh(noteWeight); err != nil {
			return said, err
		}
		w.word("$" + strconv.Itoa(int(code)))
	}
	for _, raw := range n.Comments {
		text := string(appendJoined(nil, []byte(raw)))
		if !utf8.ValidString(text) || len(text) > maxComment {
			return said, w.refuse("the comment is too long or not UTF-8")
		}
		if text == "" {
			continue
		}
		if err := w.weigh(noteWeight + len(text)); err != nil {
			return said, err
		}
		w.comment(text)
		said = true
	}
	for i := range n.Variations {
		v := &n.Variations[i]
		if len(v.Moves) == 0 && len(v.Notes) == 0 {
			continue
		}
		if n.After == 0 || depth == maxDepth {
			return said, w.refuse("the variation is nested too deeply or replaces no move")
		}
		if err := w.weigh(variationWeight); err != nil {
			return said, err
		}
		w.open()
		if err := w.line(v, before, plies, depth+1); err != nil {
			return said, err
		}
		w.close()
		said = true
	}
	return said, nil
}
