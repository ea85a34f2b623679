package pdn

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// Config says how records that do not say so themselves are read.
type Config struct {
	// Start is where games without a FEN tag begin; the zero value is the
	// starting position.
	Start draughts.Position
	// Draws names the set of draw rules, empty the game's default. Under fmjd64
	// draws come by themselves, and a move after one is a fault.
	Draws string
	// Numbering is what numbered squares mean.
	Numbering Numbering
}

// Reader reads games one after another in bounded memory. It is not for
// concurrent use.
type Reader struct {
	in     *scanner
	config Config
	after  *token // read already, of the next game
}

// NewReader reads games from a stream. The error is *games.Invalid for draw
// rules that do not exist.
func NewReader(in io.Reader, c Config) (*Reader, error) {
	if !slices.Contains((draughts.Game{}).DrawSets(), c.Draws) && c.Draws != "" {
		return nil, games.UnknownDraws("draughts", c.Draws)
	}
	if c.Start == (draughts.Position{}) {
		c.Start = draughts.Start()
	}
	return &Reader{in: newScanner(in), config: c}, nil
}

// Next reads the next game into g. The error is io.EOF after the last game, or
// why the stream could not be read; the faults of a game are its Errors.
func (r *Reader) Next(g *Game) error {
	*g = Game{}
	raw, after, ok := r.in.parse(r.after)
	r.after = after
	if err := r.in.failure(); err != nil {
		return err
	}
	if !ok {
		return io.EOF
	}
	r.config.read(&raw, g)
	return nil
}

// read puts a game to the rules.
func (c *Config) read(raw *rawGame, g *Game) {
	g.Start, g.Final = c.Start, c.Start
	for _, t := range raw.tags {
		g.Tags = append(g.Tags, t.Tag)
	}
	if g.Result = raw.result; g.Result == "" || g.Result == Unknown {
		value, _ := g.Tag("Result")
		g.Result = cmp.Or(resultOf(strings.ReplaceAll(value, " ", "")), Unknown)
	}
	g.Errors, g.Spoiled = raw.errors, raw.spoiled
	numbering, ok := c.numbering(raw, g)
	switch {
	case !ok:
	case numbering == ByTrial && raw.numeric():
		other := *g
		other.Errors = slices.Clone(g.Errors)
		if c.play(raw, g, FromB8) {
			break
		}
		if c.play(raw, &other, FromA1); better(&other, g) {
			*g = other
		}
	default:
		c.play(raw, g, numbering)
	}
	slices.SortStableFunc(g.Errors, func(a, b Error) int { return a.at().compare(b.at()) })
	g.Errors = g.Errors[:min(len(g.Errors), maxErrors)]
}

// better compares readings of one game under two numberings.
func better(a, b *Game) bool {
	return cmp.Or(cmp.Compare(a.Moves(), b.Moves()), cmp.Compare(len(b.Errors), len(a.Errors))) > 0
}

// numbering is what the numbers of a game mean. ok is false where it is another
// game than ours.
func (c *Config) numbering(raw *rawGame, g *Game) (_ Numbering, ok bool) {
	for _, t := range raw.tags {
		if t.Name != "GameType" || t.Value == "" {
			continue
		}
		said, code, message := parseGameType(t.Value)
		if code != "" {
			g.spoil(Error{code, t.at.line, t.at.column, 0, message})
			return ByTrial, false
		}
		if message := contradicts(t.Value); message != "" {
			g.Errors = append(g.Errors, Error{BadTag, t.at.line, t.at.column, 0, message})
		}
		if said != ByTrial {
			return said, true
		}
	}
	return c.Numbering, true
}

// numeric tells whether the game numbers its squares somewhere.
func (g *rawGame) numeric() bool {
	for _, t := range g.tags {
		if t.Name == "FEN" && hasNumbers(t.Value) {
			return true
		}
	}
	return g.line.numeric()
}

func (l *rawLine) numeric() bool {
	for i := range l.plies {
		p := &l.plies[i]
		if p.setup && hasNumbers(p.text) || !p.setup && isNumeric(p.text) || p.variesNumeric() {
			return true
		}
	}
	return l.variesNumeric()
}

func (n *rawNotes) variesNumeric() bool {
	for i := range n.variations {
		if n.variations[i].numeric() {
			return true
		}
	}
	return false
}

func (g *Game) spoil(e Error) {
	g.Errors = append(g.Errors, e)
	g.Spoiled = true
}

// play adds to g the moves of the game under one numbering, and tells whether
// all are legal.
func (c *Config) play(raw *rawGame, g *Game, numbering Numbering) bool {
	start := games.Position{Text: c.Start.Text(), Draws: c.Draws}
	at := point{1, 1}
	for i := range raw.tags {
		if t := &raw.tags[i]; t.Name == "FEN" && t.Value != "" {
			start.Text, at = numbering.fen(t.Value), t.at
			break
		}
	}
	line, err := (draughts.Game{}).Line(start)
	if err != nil {
		g.spoil(refused(err, at, 0))
		return false
	}
	g.Start = line.Position()
	p := player{game: g, numbering: numbering, draws: c.Draws}
	g.Line, line = p.line(&raw.line, line, 0)
	g.Errors = append(g.Errors, p.refused...)
	g.Spoiled = g.Spoiled || len(g.Plies) < len(raw.line.plies)
	g.Final, g.Outcome = line.Position(), line.Outcome()
	return len(p.refused) == 0
}

func (e *Error) at() point { return point{e.Line, e.Column} }

// refused makes an error of that of a game.
func refused(err error, at point, ply int) Error {
	e := Error{Code: games.BadText, Line: at.line, Column: at.column, Ply: ply, Message: err.Error()}
	if r, ok := errors.AsType[*games.Refusal](err); ok {
		e.Code = r.Code
	} else if i, ok := errors.AsType[*games.Invalid](err); ok {
		e.Code = i.Code()
	}
	return e
}

// player plays the lines of a game.
type player struct {
	game      *Game
	numbering Numbering
	draws     string
	// refused are the faults that the rules found.
	refused []Error
}

// line plays a line from where it begins, after ply moves, and is where it
// ends: at its end or before its first fault.
func (p *player) line(raw *rawLine, at draughts.Line, ply int) (Line, draughts.Line) {
	out := Line{Notes: p.notes(&raw.rawNotes, at, ply)}
	for i := range raw.plies {
		r := &raw.plies[i]
		played := Ply{Mark: r.mark}
		var next draughts.Line
		var err error
		if r.setup {
			next, err = p.setup(r.text, at)
		} else {
			played.Move, next, err = at.Play(p.move(r.text))
		}
		if err != nil {
			p.fail(refused(fmt.Errorf("%s: %w", printable(r.text), err), r.at, ply+1), raw.end)
			return out, at
		}
		if r.setup {
			position := next.Position()
			played.Setup, at = position.Text(), next
		}
		played.Notes = p.notes(&r.rawNotes, at, ply)
		if !r.setup {
			at = next
			ply++
		}
		out.Plies = append(out.Plies, played)
	}
	return out, at
}

// fail records a refused ply. The rest of its line, up to end, is passed over
// with the faults of its text.
func (p *player) fail(e Error, end point) {
	main := end == point{}
	p.game.Errors = slices.DeleteFunc(p.game.Errors, func(o Error) bool {
		return o.at().compare(e.at()) > 0 && (main || o.at().compare(end) < 0)
	})
	if main || len(p.refused) < maxErrors {
		p.refused = append(p.refused, e)
	}
}

func (p *player) notes(raw *rawNotes, at draughts.Line, ply int) Notes {
	notes := Notes{Comments: raw.comments, Glyphs: raw.glyphs}
	for i := range raw.variations {
		line, _ := p.line(&raw.variations[i], at, ply)
		if !line.empty() {
			notes.Variations = append(notes.Variations, line)
		}
	}
	return notes
}

func (p *player) move(text string) string {
	if isNumeric(text) {
		return p.numbering.move(text)
	}
	return text
}

// setup is the position of a setup, which has no past. "B::" passes the turn.
func (p *player) setup(fen string, at draughts.Line) (draughts.Line, error) {
	text := p.numbering.fen(fen)
	if side, lists, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(fen)), ":"); lists == ":" && (side == "W" || side == "B") {
		position := at.Position()
		text = side + position.Text()[1:]
	}
	return (draughts.Game{}).Line(games.Position{Text: text, Draws: p.draws})
}
