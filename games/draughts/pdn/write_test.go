package pdn

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// What we write of a game that uses all that there is, byte for byte.
func TestWriteGolden(t *testing.T) {
	g := readOne(t, `[Result "2-0"] [PlyCount "7"] [Site ""] [Black "Silva, \"Zé\""]
[GameType "26,W,8,8,N2,0"] [FEN "W:W21-32:B1-12:H0:F1"] [White "Ana"] [TimeControl "600+5"]
{before} 1. 22-18! {[%clk 0:10:00]} ( 1. 22-17 9-13 $6 {worse} (9-14 $1)) 9-13 ; so it goes
2. 21-17 13x22x15 $7 (?) /FEN "W:W29:B1,K4"/ 29-25 *`, Config{})
	if len(g.Errors) > 0 {
		t.Fatal(g.Errors)
	}
	want := `[White "Ana"]
[Black "Silva, \"Zé\""]
[Result "1-0"]
[GameType "26"]
[PlyCount "5"]
[TimeControl "600+5"]

{before} 1. c3-d4! {[%clk 0:10:00]} (1. c3-b4 b6-a5 {worse} $6 (1... b6-c5 $1))
1... b6-a5 {so it goes} 2. a3-b4 a5xe5(?) $7 /FEN "W:Wa1:Bb8,Kh8"/ 3. a1-b2 *

`
	if got := write(t, g); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// lidraughts #16: an ambiguous capture lost its path when it was exported.
func TestAmbiguousCaptureKeepsItsPath(t *testing.T) {
	g := readOne(t, `[FEN "B:WKg7,c5,e3,f6:BKa3"] 1... a3xf8xh6xc1 *`, Config{})
	written := write(t, g)
	if !strings.Contains(written, "\n1... a3xf8xh6xc1 *\n") {
		t.Errorf("got %s", written)
	}
	if again := readOne(t, written, Config{}); again.Final != g.Final || len(again.Errors) > 0 {
		t.Errorf("read back: %s, want %s; %v", again.Final.Text(), g.Final.Text(), again.Errors)
	}
}

func TestWriteRefuses(t *testing.T) {
	line := func(p ...Ply) Line { return Line{Plies: p} }
	ply := func(text string) Ply { return Ply{Move: games.Move{Text: text}} }
	marked, noted := ply("c3-d4"), ply("c3-d4")
	marked.Mark = "*"
	noted.Comments = []string{"a } b"}
	cases := map[string]Game{
		"an illegal move":         {Line: line(ply("c3-d5"))},
		"an impossible setup":     {Line: line(Ply{Setup: "W:Wa8:Bb8"})},
		"a mark that is none":     {Line: line(marked)},
		"a brace in a comment":    {Line: line(noted)},
		"an empty comment":        {Line: Line{Notes: Notes{Comments: []string{""}}}},
		"a line break in a tag":   {Tags: []Tag{{"Event", "a\nb"}}},
		"a tag without a capital": {Tags: []Tag{{"event", "a"}}},
		"a result that is none":   {Result: "2-0"},
		"another game":            {Tags: []Tag{{"GameType", "20"}}},
		"an empty mark":           {Line: line(Ply{Move: games.Move{Text: "c3-d4"}, Mark: "()"})},
		"a long comment":          {Line: Line{Notes: Notes{Comments: []string{strings.Repeat("x", maxComment+1)}}}},
		"a long game":             {Line: Line{Notes: Notes{Glyphs: make([]uint8, maxGame/partShare)}}},
		"deep variations":         {Line: nested(maxDepth + 1)},
	}
	for name, g := range cases {
		var out bytes.Buffer
		err := NewWriter(&out).Write(&g)
		if _, ok := errors.AsType[*Unwritable](err); !ok || out.Len() > 0 {
			t.Errorf("%s: got %v, %q", name, err, out.String())
		}
	}
	full := errors.New("full")
	if err := NewWriter(failing{full}).Write(&Game{}); !errors.Is(err, full) {
		t.Errorf("got %v, want the error of the stream", err)
	}
}

// nested is a move with variations so deep.
func nested(depth int) Line {
	l := Line{Plies: []Ply{{Move: games.Move{Text: "c3-d4"}}}}
	if depth > 0 {
		l.Plies[0].Variations = []Line{nested(depth - 1)}
	}
	return l
}

// The longest mark and the deepest variations that are read are written too.
func TestWriteAtTheLimits(t *testing.T) {
	text := write(t, Game{Line: nested(maxDepth)})
	g := readOne(t, strings.Replace(text, "c3-d4", "c3-d4(!!!!!!!!)", 1), Config{})
	if len(g.Errors) > 0 || g.Plies[0].Mark != "(!!!!!!!!)" {
		t.Fatalf("got %q, %v", g.Plies[0].Mark, g.Errors)
	}
	checkRound(t, &g)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// The writing grammar of the standard, of the moves of one game.
var strict = regexp.MustCompile(`^((\[[A-Z]\w* "([^"\\]|\\.)+"\]\n)+\n)([^{}"]|\{[^}]*\}|/FEN "[WB]:W[a-hK1-8,]*:B[a-hK1-8,]*"/)*\*\n\n$`)

// checkRound checks that what is written of a game is strict and reads as it.
func checkRound(t interface{ Fatalf(string, ...any) }, g *Game) {
	var out bytes.Buffer
	if err := NewWriter(&out).Write(g); err != nil {
		t.Fatalf("write: %v", err)
	}
	if !strict.Match(out.Bytes()) {
		t.Fatalf("not strict:\n%s", out.Bytes())
	}
	r, err := NewReader(bytes.NewReader(out.Bytes()), Config{})
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	var back, none Game
	if err := r.Next(&back); err != nil {
		t.Fatalf("read: %v\n%s", err, out.Bytes())
	}
	if err := r.Next(&none); err == nil {
		t.Fatalf("two games:\n%s", out.Bytes())
	}
	tags, err := g.header()
	if err != nil {
		t.Fatalf("header: %v", err)
	}
	if len(back.Errors) > 0 || !reflect.DeepEqual(back.Tags, tags) || back.Start != g.Start || back.Final != g.Final || back.Result != g.Result {
		t.Fatalf("got %v, %v, %s, %s; want %v, %s, %s\n%s", back.Errors, back.Tags, back.Final.Text(), back.Result, tags, g.Final.Text(), g.Result, out.Bytes())
	}
	if got, want := outline(&back.Line), outline(&g.Line); got != want {
		t.Fatalf("got\n%s\nwant\n%s\n%s", got, want, out.Bytes())
	}
	var again bytes.Buffer
	if err := NewWriter(&again).Write(&back); err != nil || !bytes.Equal(again.Bytes(), out.Bytes()) {
		t.Fatalf("written twice: %v\n%s\n%s", err, out.Bytes(), again.Bytes())
	}
}

// outline is a line with all that is said about it. Paths of one capture are
// the same move.
func outline(l *Line) string {
	var b strings.Builder
	notes := func(n *Notes) {
		fmt.Fprintf(&b, "%q %v", n.Comments, n.Glyphs)
		for i := range n.Variations {
			fmt.Fprintf(&b, "(%s)", outline(&n.Variations[i]))
		}
	}
	notes(&l.Notes)
	for i := range l.Plies {
		p := &l.Plies[i]
		fmt.Fprintf(&b, " %s%s%v%s ", p.Setup, p.Move.Notation, p.Move.Captures, p.Mark)
		notes(&p.Notes)
	}
	return b.String()
}

func anyText() *rapid.Generator[string] {
	return rapid.Map(rapid.StringOfN(rapid.RuneFrom([]rune("ab [](){;*%$/\\\"!?.-1éß♥\u00a0\u200b")), 0, 20, -1), func(s string) string {
		return tidy(s)
	})
}

func anyNotes(t *rapid.T, at draughts.Line, depth int) Notes {
	var n Notes
	for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "comments") {
		if c := anyText().Draw(t, "comment"); c != "" {
			n.Comments = append(n.Comments, c)
		}
	}
	for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "glyphs") {
		n.Glyphs = append(n.Glyphs, rapid.Uint8().Draw(t, "glyph"))
	}
	if depth < 3 {
		for range rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2}).Draw(t, "variations") {
			line, _ := anyLine(t, at, 4, depth+1)
			if !line.empty() {
				n.Variations = append(n.Variations, line)
			}
		}
	}
	return n
}

func anyLine(t *rapid.T, at draughts.Line, plies, depth int) (Line, draughts.Line) {
	l := Line{Notes: anyNotes(t, at, depth)}
	for range rapid.IntRange(0, plies).Draw(t, "plies") {
		var p Ply
		base := at
		var moves []draughts.Path
		if at.Outcome() == nil {
			position := at.Position()
			moves = position.LegalPaths()
		}
		if len(moves) == 0 || rapid.IntRange(0, 19).Draw(t, "setup") == 19 {
			p.Setup = rapid.SampledFrom([]string{
				draughts.Start().Text(), "W:WKa1:Bb8,Kd8", "B:We3,c5,f6,Kg7:BKa3", "W:W:BKa1",
			}).Draw(t, "position")
			next, err := draughts.Game{}.Line(games.Position{Text: p.Setup})
			if err != nil {
				t.Fatal(err)
			}
			at, base = next, next
		} else {
			m, next, err := at.Play(moves[rapid.IntRange(0, len(moves)-1).Draw(t, "move")].Text())
			if err != nil {
				t.Fatal(err)
			}
			p.Move, at = m, next
			p.Mark = rapid.SampledFrom([]string{"", "", "", "!", "?", "!!", "??", "!?", "?!", "(?)", "(!)"}).Draw(t, "mark")
		}
		p.Notes = anyNotes(t, base, depth)
		l.Plies = append(l.Plies, p)
	}
	return l, at
}

func TestWriteAndReadAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.SampledFrom([]string{draughts.Start().Text(), "W:WKa1,Kc1:BKh6", "B:WKg7,e3,c5,f6:BKa3"}).Draw(t, "start")
		at, err := draughts.Game{}.Line(games.Position{Text: start})
		if err != nil {
			t.Fatal(err)
		}
		g := Game{
			Start:  at.Position(),
			Result: rapid.SampledFrom([]Result{WhiteWins, BlackWins, Drawn, BothLose, Unknown}).Draw(t, "result"),
		}
		for _, name := range []string{"Event", "White", "Annotator"} {
			g.Tags = append(g.Tags, Tag{name, anyText().Draw(t, name)})
		}
		g.Line, at = anyLine(t, at, 30, 0)
		g.Final, g.Outcome = at.Position(), at.Outcome()
		checkRound(t, &g)
	})
}
