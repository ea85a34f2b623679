package pgn

import (
	"errors"
	"io"
	"strings"
	"testing"

	"tabuleiro/games/chess"
)

// played is a game from the start with moves in SAN.
func played(t *testing.T, moves ...string) Game {
	t.Helper()
	g := Game{Start: chess.Start(), Final: chess.Start(), Result: Unknown}
	for _, text := range moves {
		m, why := g.Final.ParseSAN(text)
		if why != nil {
			t.Fatal(why)
		}
		g.Moves = append(g.Moves, m)
		g.Final = g.Final.Play(m)
	}
	return g
}

// TestUnwritable: what would not read again is refused whole, and said why.
func TestUnwritable(t *testing.T) {
	e4 := played(t, "e4").Moves[0]
	note := func(n Note) func(*Game) {
		return func(g *Game) { g.Notes = []Note{n} }
	}
	deep := Line{Moves: []chess.Move{e4}}
	for range maxDepth + 1 {
		deep = Line{Moves: []chess.Move{e4}, Notes: []Note{{After: 1, Variations: []Line{deep}}}}
	}
	for _, tt := range []struct {
		name   string
		change func(*Game)
		ply    int
		detail string
	}{
		{"no start", func(g *Game) { g.Start = chess.Position{} }, 0, "no start"},
		{"a result of its own", func(g *Game) { g.Result = "1/2" }, 0, "no result"},
		{"a tag twice", func(g *Game) { g.Tags = []Tag{{"A", "x"}, {"A", "x"}} }, 0, "stands twice"},
		{"a name of two words", func(g *Game) { g.Tags = []Tag{{"A B", "x"}} }, 0, "no tag has the name"},
		{"no name", func(g *Game) { g.Tags = []Tag{{"", "x"}} }, 0, "no tag has the name"},
		{"a long name", func(g *Game) { g.Tags = []Tag{{strings.Repeat("n", maxSymbol+1), "x"}} }, 0, "no tag has the name"},
		{"a value of two lines", func(g *Game) { g.Tags = []Tag{{"Event", "x\ny"}} }, 0, "the tag Event"},
		{"a value in Latin-1", func(g *Game) { g.Tags = []Tag{{"Event", "\xe9"}} }, 0, "the tag Event"},
		{"a long value", func(g *Game) { g.Tags = []Tag{{"Event", strings.Repeat("x", maxValue+1)}} }, 0, "the tag Event"},
		{"many tags", func(g *Game) {
			for i := range maxTags + 1 {
				g.Tags = append(g.Tags, Tag{"T" + strings.Repeat("x", i/100) + string(rune('0'+i%10)) + string(rune('0'+i/10%10)), ""})
			}
		}, 0, "too many tags"},
		{"another game", func(g *Game) { g.Tags = []Tag{{"Variant", "Atomic"}} }, 0, "not a variant"},
		{"an illegal move", func(g *Game) { g.Moves = append(g.Moves, e4) }, 2, "not legal"},
		{"a null move in the main line", func(g *Game) { g.Moves = append(g.Moves, chess.NoMove) }, 2, "null move"},
		{"notes out of order", func(g *Game) { g.Notes = []Note{{After: 1}, {After: 0}} }, 1, "not in order"},
		{"notes behind the end", note(Note{After: 2, Comments: []string{"x"}}), 1, "not in order"},
		{"a variation of nothing", note(Note{Variations: []Line{{Moves: []chess.Move{e4}}}}), 0, "replaces no move"},
		{"an illegal variation", note(Note{After: 1, Variations: []Line{{Moves: []chess.Move{e4, e4}}}}), 2, "not legal"},
		{"too deep", func(g *Game) { g.Line = deep }, 1, "too deeply"},
		{"a long comment", note(Note{After: 1, Comments: []string{strings.Repeat("x", maxComment+1)}}), 1, "too long"},
		{"a comment in Latin-1", note(Note{After: 1, Comments: []string{"\xe9"}}), 1, "UTF-8"},
		{"too many comments", note(Note{After: 1, Comments: manyComments()}), 1, "too many annotations"},
		{"too many variations", func(g *Game) {
			g.Notes = []Note{{After: 1, Variations: make([]Line, maxWeight/variationWeight+1)}}
			for i := range g.Notes[0].Variations {
				g.Notes[0].Variations[i].Moves = []chess.Move{e4}
			}
		}, 1, "too many annotations"},
		{"too many plies", func(g *Game) {
			*g = played(t)
			for p := g.Start; len(g.Moves) <= maxPlies; {
				for _, san := range []string{"Nf3", "Nf6", "Ng1", "Ng8"} {
					m, why := p.ParseSAN(san)
					if why != nil {
						t.Fatal(why)
					}
					g.Moves, p = append(g.Moves, m), p.Play(m)
				}
			}
		}, maxPlies + 1, "too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := played(t, "e4")
			tt.change(&g)
			var out strings.Builder
			err := NewWriter(&out).Write(&g)
			var why *Unwritable
			if !errors.As(err, &why) || why.Ply != tt.ply || !strings.Contains(err.Error(), tt.detail) || out.Len() > 0 {
				t.Errorf("got %v and %q, want ply %d, %s", err, out.String(), tt.ply, tt.detail)
			}
		})
	}
}

func manyComments() []string {
	comments := make([]string, maxWeight/noteWeight)
	for i := range comments {
		comments[i] = "x"
	}
	return comments
}

func TestWriteToBrokenStream(t *testing.T) {
	g := played(t, "e4")
	read, write := io.Pipe()
	read.Close()
	if err := NewWriter(write).Write(&g); err != io.ErrClosedPipe {
		t.Errorf("got %v", err)
	}
}

// TestLayout: lines of fewer than 80 characters, whatever stands in them, and
// none that begins like an escape or a tag.
func TestLayout(t *testing.T) {
	g := played(t, "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5", "Bb3", "d6", "c3", "O-O", "h3", "Na5", "Bc2", "c5")
	g.Result = ""
	g.Tags = []Tag{{"Zeta", "z"}, {"Black", "B"}, {"Alpha", "\\ \""}, {"SetUp", "1"}, {"FEN", "old"}, {"Result", "1-0"}, {"Variant", "960"}}
	g.Notes = []Note{
		{Comments: []string{"  opening\n words ", ""}},
		{After: 12, Glyphs: []uint8{1, 1, 14}, Comments: []string{
			strings.Repeat("ж", 75) + " %fifty [%clk 0:01:02] " + strings.Repeat("long", 25), "}{", strings.Repeat("y", 76)},
			Variations: []Line{{}, {Notes: []Note{{Comments: []string{"only said"}}}}}},
	}
	want := `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "B"]
[Result "*"]
[Alpha "\\ \""]
[Zeta "z"]

{opening words} 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5
$1 $14
{` + strings.Repeat("ж", 75) + ` %fifty [%clk
0:01:02]
` + strings.Repeat("long", 25) + `}
;}{
{` + strings.Repeat("y", 76) + `}
({only said}) 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 *

`
	if got := written(t, g); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	again := readAll(t, want)
	if len(again) != 1 || len(again[0].Errors) > 0 || again[0].Final != g.Final || written(t, again[0]) != want {
		t.Errorf("reads as %+v", again)
	}
}
