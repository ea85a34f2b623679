package pdn

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// lineWidth is where lines of moves are broken, at blanks outside of comments.
const lineWidth = 80

// Writer writes games strictly: tags that have a value, the mandatory ones
// first; game type 26; moves in the shortest unambiguous form; an asterisk
// and a blank line behind each game.
type Writer struct{ out io.Writer }

// NewWriter writes to a stream, once a game.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Write writes a game, of which it needs Tags, Start, the texts of the moves,
// setups and notes of the line, and Result. The error says what of these is
// illegal or cannot be written, and then nothing is; or it is that of the
// stream.
func (w *Writer) Write(g *Game) error {
	var b builder
	tags, err := g.header()
	if err != nil {
		return err
	}
	for _, t := range tags {
		b.text = append(b.text, "["+t.Name+` "`+escape.Replace(t.Value)+"\"]\n"...)
	}
	b.text = append(b.text, '\n')
	b.start = len(b.text)
	start := g.Start
	if start == (draughts.Position{}) {
		start = draughts.Start()
	}
	at, err := (draughts.Game{}).Line(games.Position{Text: start.Text()})
	if err != nil {
		return fmt.Errorf("pdn: start: %w", err)
	}
	if err := b.line(&g.Line, place{at, 1}, 0); err != nil {
		return fmt.Errorf("pdn: %w", err)
	}
	b.word("*")
	b.text = append(b.text, "\n\n"...)
	if _, err := w.out.Write(b.text); err != nil {
		return fmt.Errorf("pdn: write: %w", err)
	}
	return nil
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// leading are the tags that come first, in this order.
var leading = []string{"Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType", "FEN"}

// header is the header as it is written.
func (g *Game) header() ([]Tag, error) {
	result := g.Result
	switch result {
	case "":
		result = Unknown
	case WhiteWins, BlackWins, Drawn, BothLose, Unknown:
	default:
		return nil, fmt.Errorf("pdn: %q is no result", string(g.Result))
	}
	fen := ""
	if g.Start != (draughts.Position{}) && g.Start != draughts.Start() {
		fen = g.Start.Text()
	}
	values := map[string]string{"Result": string(result), "GameType": "26", "FEN": fen}
	var rest []Tag
	for _, t := range g.Tags {
		if !isTagName(t.Name) {
			return nil, fmt.Errorf("pdn: %q is no name of a tag", t.Name)
		}
		if len(t.Value) > maxValue/2 || tidy(t.Value) != t.Value {
			return nil, fmt.Errorf("pdn: the value of the tag %s is too long, or holds what a line cannot", t.Name)
		}
		if _, code, message := parseGameType(t.Value); t.Name == "GameType" && code == UnknownVariant {
			return nil, fmt.Errorf("pdn: %s", message)
		}
		if _, set := values[t.Name]; set || t.Value == "" {
			continue
		}
		if t.Name == "PlyCount" {
			t.Value = strconv.Itoa(g.Moves())
		}
		values[t.Name] = t.Value
		if !slices.Contains(leading, t.Name) {
			rest = append(rest, t)
		}
	}
	var tags []Tag
	for _, name := range leading {
		if values[name] != "" {
			tags = append(tags, Tag{name, values[name]})
		}
	}
	return append(tags, rest...), nil
}

func isTagName(name string) bool {
	return name != "" && len(name) <= maxWord && 'A' <= name[0] && name[0] <= 'Z' && strings.IndexFunc(name, func(r rune) bool {
		return r >= 0x80 || !inTagName(byte(r))
	}) < 0
}

// place is where in the game a line begins.
type place struct {
	at     draughts.Line
	number int // of the next move
}

func (p place) side() games.Side {
	position := p.at.Position()
	return position.Side()
}

// builder puts the words of a game's moves on lines.
type builder struct {
	text   []byte
	start  int // of the line that is being written
	bound  bool
	number bool // the next move needs its number
}

// word appends a word, behind a blank or on a new line unless it opens one or is
// bound to what stands before.
func (b *builder) word(text string) {
	switch width := len(b.text) - b.start; {
	case width == 0 || b.bound:
	case width+1+len(text) > lineWidth:
		b.text = append(b.text, '\n')
		b.start = len(b.text)
	default:
		b.text = append(b.text, ' ')
	}
	b.bound = false
	b.text = append(b.text, text...)
}

// line writes a line from where it begins.
func (b *builder) line(l *Line, from place, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("variations nest deeper than %d", maxDepth)
	}
	b.number = true
	if err := b.notes(&l.Notes, from, depth); err != nil {
		return err
	}
	for i := range l.Plies {
		p := &l.Plies[i]
		base, err := b.ply(p, &from)
		if err != nil {
			return err
		}
		if err := b.notes(&p.Notes, base, depth); err != nil {
			return err
		}
	}
	return nil
}

// ply writes a ply and moves on; base is where its variations begin.
func (b *builder) ply(p *Ply, at *place) (base place, err error) {
	if p.IsSetup() {
		next, err := (draughts.Game{}).Line(games.Position{Text: p.Setup})
		if err != nil {
			return base, fmt.Errorf("setup: %w", err)
		}
		position := next.Position()
		if at.side() == games.Second && position.Side() == games.First {
			at.number++
		}
		at.at = next
		b.word(`/FEN "` + position.Text() + `"/`)
		b.number = true
		return *at, nil
	}
	move, next, err := at.at.Play(p.Move.Text)
	if err != nil {
		return base, fmt.Errorf("move %d, %q: %w", at.number, p.Move.Text, err)
	}
	if strings.Trim(p.Mark, "!?") != "" && !isBracketed(p.Mark) || len(p.Mark) > maxMark {
		return base, fmt.Errorf("%q is no mark of a move", p.Mark)
	}
	base = *at
	number := ""
	if at.side() == games.First {
		number = strconv.Itoa(at.number) + ". "
	} else if b.number {
		number = strconv.Itoa(at.number) + "... "
	}
	b.number = false
	b.word(number + move.Notation + p.Mark)
	if at.side() == games.Second {
		at.number++
	}
	at.at = next
	return base, nil
}

func isBracketed(mark string) bool {
	return len(mark) > 2 && mark[0] == '(' && mark[len(mark)-1] == ')' && strings.Trim(mark[1:len(mark)-1], "!?") == ""
}

func (b *builder) notes(n *Notes, base place, depth int) error {
	for _, c := range n.Comments {
		if c == "" || strings.Contains(c, "}") || tidy(c) != c || len(c) > maxComment {
			return errors.New("a comment is empty or too long, or holds a closing brace or what a line cannot")
		}
		b.word("{" + c + "}")
		b.number = true
	}
	for _, g := range n.Glyphs {
		b.word("$" + strconv.Itoa(int(g)))
	}
	for i := range n.Variations {
		if n.Variations[i].empty() {
			continue
		}
		b.word("(")
		b.bound = true
		if err := b.line(&n.Variations[i], base, depth+1); err != nil {
			return err
		}
		b.bound = true
		b.word(")")
		b.number = true
	}
	return nil
}
