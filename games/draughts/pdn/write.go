package pdn

import (
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

func refuse(ply int, format string, args ...any) error {
	return &Unwritable{ply, fmt.Sprintf(format, args...)}
}

// Write writes a game, of which it needs Tags, Start, the texts of the moves,
// setups and notes of the line, and Result. Nothing of a game is written if a
// part cannot be: *Unwritable.
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
		return refuse(0, "it begins in no position: %v", err)
	}
	if err := b.line(&g.Line, place{at, 1, 1}, 0); err != nil {
		return err
	}
	if b.spent > maxGame {
		return refuse(0, "it is too long")
	}
	b.word("*")
	b.text = append(b.text, "\n\n"...)
	if _, err := w.out.Write(b.text); err != nil {
		return fmt.Errorf("write: %w", err)
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
		return nil, refuse(0, "%q is no result", string(g.Result))
	}
	fen := ""
	if g.Start != (draughts.Position{}) && g.Start != draughts.Start() {
		fen = g.Start.Text()
	}
	values := map[string]string{"Result": string(result), "GameType": "26", "FEN": fen}
	var rest []Tag
	for _, t := range g.Tags {
		if !isTagName(t.Name) {
			return nil, refuse(0, "%q is no name of a tag", t.Name)
		}
		if len(t.Value) > maxValue/2 || tidy(t.Value) != t.Value {
			return nil, refuse(0, "the value of the tag %s is too long, or holds what a line cannot", t.Name)
		}
		if _, code, message := parseGameType(t.Value); t.Name == "GameType" && code == UnknownVariant {
			return nil, refuse(0, "%s", message)
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
	if tags = append(tags, rest...); len(tags) > maxTags {
		return nil, refuse(0, "it has more than %d tags", maxTags)
	}
	return tags, nil
}

func isTagName(name string) bool {
	return name != "" && len(name) <= maxWord && 'A' <= name[0] && name[0] <= 'Z' && strings.IndexFunc(name, func(r rune) bool {
		return r >= 0x80 || !inTagName(byte(r))
	}) < 0
}

// place is where in the game a line begins.
type place struct {
	at draughts.Line
	// number and ply are those of the next move, which setups tell apart.
	number, ply int
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
	// spent is no less than what the reader counts of the game.
	spent int
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
	b.spent += len(text) + 3*partShare // at most a number, a move and its mark
}

// line writes a line from where it begins.
func (b *builder) line(l *Line, from place, depth int) error {
	if depth > maxDepth {
		return refuse(from.ply, "variations nest deeper than %d", maxDepth)
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
			return base, refuse(at.ply, "the setup %q: %v", p.Setup, err)
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
		return base, refuse(at.ply, "%q: %v", p.Move.Text, err)
	}
	if !isStrength(p.Mark) {
		return base, refuse(at.ply, "%q is no mark of a move", p.Mark)
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
	at.ply++
	return base, nil
}

// isStrength tells whether a text is a mark, maybe in brackets, or empty.
func isStrength(text string) bool {
	if inner, ok := strings.CutPrefix(text, "("); ok {
		if text, ok = strings.CutSuffix(inner, ")"); !ok || text == "" {
			return false
		}
	}
	return len(text) <= maxMark && strings.Trim(text, "!?") == ""
}

func (b *builder) notes(n *Notes, base place, depth int) error {
	for _, c := range n.Comments {
		if c == "" || strings.Contains(c, "}") || tidy(c) != c || len(c) > maxComment {
			return refuse(base.ply, "the comment %q is empty or too long, or holds a closing brace or what a line cannot", c)
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
