package pdn

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// Each text is one game; moves are its main line in shortest notation, faults
// are code@line:column/ply.
func TestReadMoves(t *testing.T) {
	cases := []struct{ name, text, moves, faults string }{
		{"no separator", "1.a3b4", "a3-b4", ""},
		{"numbers glued, apart and left out", "1.c3-d4 b6-a5 2. d4-c5 d6xb4 a3xc5", "c3-d4 b6-a5 d4-c5 d6xb4 a3xc5", ""},
		{"three dots", "1. c3-d4 1... d6-c5 2.g3-f4", "c3-d4 d6-c5 g3-f4", ""},
		{"an ellipsis for an unknown move", `[FEN "B:Wa1:Bb8"] 1. ... b8-a7`, "b8-a7", ""},
		{"a number without its dot", "1 c3-d4 d6-c5 2 g3-f4", "c3-d4 d6-c5 g3-f4", ""},
		{"leading zeros", "01. 09-13", "a3-b4", ""},
		{"capitals", "C3-D4 D6-C5", "c3-d4 d6-c5", ""},
		{"windows line ends and a byte order mark", "\xEF\xBB\xBF[Event \"x\"]\r\n\r\n1. c3-d4\r\nd6-c5 *\r\n", "c3-d4 d6-c5", ""},
		{"percent opens a comment of its line", "% title {\n1. c3-d4 % d6-c5 (\n b6-a5", "c3-d4 b6-a5", ""},
		{"full path where it is not needed", `[FEN "W:Wc1,a3:Bd2,f4,b4"] c1xe3xg5`, "c1xg5", ""},
		{"part of a path", `[FEN "W:WKh6:Bf4,c3,b6,d6"] h6xa5xe5`, "h6xe5", ""},
		{"a move that two captures read like", `[FEN "B:WKg7,c5,e3,f6:BKa3"] a3xc1`, "", "ambiguous@1:30/1"},
		{"one of two captures by its path", `[FEN "B:WKg7,c5,e3,f6:BKa3"] a3xf8xh6xc1 *`, "a3xf8xh6xc1", ""},
		{"one of two captures by part of its path", `[FEN "B:WKg7,c5,e3,f6:BKa3"] a3xg5xc1 *`, "a3xe7xg5xc1", ""},
		{"one of two captures in numbers", `[FEN "B:WKg7,c5,e3,f6:BKa3"] 1... 21x3x12x30`, "a3xf8xh6xc1", ""},
		{"blanks inside a move", "1. c3 - d4 d6-c5 *", "", "bad_text@1:4/1"},
		{"unknown moves", "1. - - *", "", "bad_text@1:4/1"},
		{"a square off the board", "1. c3-d9", "", "bad_text@1:4/1"},
		{"square 33", "1. 33-28", "", "bad_text@1:4/1"},
		{"an illegal move", "1. c3-d4 d6-c5\n2. d4-e3 h6-g5 3. nonsense *", "c3-d4 d6-c5", "own_piece@2:4/3"},
		{"a light square", "1. c3-c4", "", "cannot_move_so@1:4/1"},
		{"not the side's turn", "1. d6-c5", "", "not_your_piece@1:4/1"},
		{"a move after the end", `[FEN "W:Wa1:Bb2"] a1xc3 b2-a1 *`, "a1xc3", "game_over@1:25/2"},
		{"an unreadable move", "1. c3-d4 Nf3 2. g3-f4", "c3-d4", "bad_text@1:10/2"},
		{"a nested comment", "1. c3-d4 {a {b} c} d6-c5 *", "c3-d4", "bad_text@1:17/2"},
		{"a stray brace", "1. c3-d4 } d6-c5 *", "c3-d4", "unexpected@1:10/2"},
		{"an unclosed comment", "1. c3-d4 {for ever", "c3-d4", "unclosed@1:10/2"},
		{"an unclosed variation", "1. c3-d4 (1. e3-f4 d6-c5 *", "c3-d4", "unclosed@1:10/3"},
		{"a bracket too many", "1. c3-d4) d6-c5 *", "c3-d4", "unexpected@1:9/2"},
		{"a fault in a variation", "1. c3-d4 (1. c3-d5 (1. x) nonsense) d6-c5 *", "c3-d4 d6-c5", "cannot_move_so@1:14/1"},
		{"an unreadable variation", "1. c3-d4 d6-c5 (1... what (a) b) 2. g3-f4 *", "c3-d4 d6-c5 g3-f4", "bad_text@1:22/2"},
		{"an asterisk for a forced move", "1. c3-d4 d6-c5* 2. g3-f4 *", "c3-d4 d6-c5 g3-f4", "bad_glyph@1:15/2"},
		{"a mark without a move", "!! 1. c3-d4", "c3-d4", "bad_glyph@1:1/1"},
		{"a glyph too high", "1. c3-d4 $256 d6-c5", "c3-d4 d6-c5", "bad_glyph@1:10/1"},
		{"a glyph in brackets", "1. c3-d4 (1. e3-f4 $13) d6-c5", "c3-d4 d6-c5", ""},
		{"setup of a position", `1. c3-d4 /FEN "B:Wa1:Bb8"/ b8-a7 *`, "c3-d4 B:Wa1:Bb8 b8-a7", ""},
		{"nothing but tokens, no white space", `1.c3-d4!$1{a}(1.c3-b4(?))/FEN"B:Wa1:Bb8"/1...b8-a7*`, "c3-d4 B:Wa1:Bb8 b8-a7", "bad_glyph@1:51/2"},
		{"setup with numbers", `1. 22-18 /FEN "B:W29:B1"/ 1-5 *`, "c3-d4 B:Wa1:Bb8 b8-a7", ""},
		{"setup that passes", `1. c3-d4 /FEN "W::"/ d4-c5 *`,
			"c3-d4 W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,e3,g3,d4:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8 d4-c5", ""},
		{"setup of no position", `1. c3-d4 /FEN "B:Wa1:Bb9"/ b8-a7 *`, "c3-d4", "bad_text@1:10/2"},
		{"setup of an impossible position", `1. c3-d4 /FEN "B:Wa8:Bb8"/ b8-a7 *`, "c3-d4", "bad_position@1:10/2"},
		{"another command", `1. c3-d4 /DRAW/ *`, "c3-d4", "bad_text@1:10/2"},
		{"an unreadable tag", "[Event x]\n[Round \"1\"]\n1. c3-d4 *", "c3-d4", "bad_tag@1:1/0"},
		{"an unreadable FEN", "[Round \"1\"]\n[FEN \"rnbqkbnr\"]\n1. c3-d4 *", "", "bad_text@2:1/0"},
		{"another game", "[GameType \"20\"]\n1. 32-28 *", "", "unknown_variant@1:1/0"},
		{"another notation", "[GameType \"26,W,8,8,S0,0\"]\n1. c3-d4 *", "", "bad_tag@1:1/0"},
		{"a game type in part", "[GameType \"26, W, 8, 8, A0\"]\n1. c3-d4 *", "c3-d4", ""},
		{"a board of another size", "[GameType \"26,W,10,10,N2,0\"]\n1. c3-d4 *", "", "bad_tag@1:1/0"},
		{"Black begins", "[GameType \"26,B,8,8,A0,0\"]\n1. c3-d4 d6-c5 *", "c3-d4 d6-c5", "bad_tag@1:1/0"},
		{"Black begins, in numbers", "[Event \"x\"]\n[GameType \"26,B,8,8,N2,0\"]\n1. 22-18 *", "c3-d4", "bad_tag@2:1/0"},
		{"Black begins, and a fault", "[GameType \"26,B,8,8,A0,0\"]\n1. c3-d5 *", "", "bad_tag@1:1/0 cannot_move_so@2:4/1"},
		{"a1 at the top", "[GameType \"26,W,8,8,A2,0\"]\n1. c3-d4 *", "c3-d4", "bad_tag@1:1/0"},
		{"a1 of the time before 2014", "[GameType \"26,W,8,8,A1,0\"]\n1. c3-d4 *", "c3-d4", ""},
		{"a1 is no playing square", "[GameType \"26,W,8,8,A0,1\"]\n1. c3-d4 *", "c3-d4", "bad_tag@1:1/0"},
		{"capture sign on a quiet move", "1. c3-d4 d6-c5 2. g3xf4 *", "c3-d4 d6-c5", "cannot_move_so@1:19/3"},
		{"capture sign on a quiet move in numbers", "1. 22x18 *", "", "cannot_move_so@1:4/1"},
		{"colon on a quiet move", "1. c3:d4 *", "", "cannot_move_so@1:4/1"},
		{"hyphen in a capture", "1. c3-d4 b6-c5 2. d4-b6 *", "c3-d4 b6-c5 d4xb6", ""},
		{"hyphen in a capture in numbers", "1. 22-18 9-14 2. 18-9 *", "c3-d4 b6-c5 d4xb6", ""},
		{"hyphens along a capture", `[FEN "W:Wc1,a3:Bd2,f4,b4"] c1-e3-g5`, "c1xg5", ""},
		{"colons in a capture", `[FEN "W:Wc1,a3:Bd2,f4,b4"] c1:g5`, "c1xg5", ""},
		// The numbering that goes further tells where the game stops.
		{"a fault in numbers from a1", "1. 11-15 23-19 2. 15-23 *", "e3-f4 f6-e5", "cannot_move_so@1:19/3"},
		{"a fault in numbers from b8", "1. 22-18 11-15 2. 18-22 *", "c3-d4 f6-e5", "man_backwards@1:19/3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := readOne(t, c.text, Config{})
			if got := joined(&g.Line); got != c.moves {
				t.Errorf("got moves %q, want %q", got, c.moves)
			}
			if got := faults(&g); got != c.faults {
				t.Errorf("got faults %q, want %q: %v", got, c.faults, g.Errors)
			}
		})
	}
}

func TestReadResults(t *testing.T) {
	cases := []struct {
		text string
		want []Result
	}{
		{"1. c3-d4 1-0", []Result{WhiteWins}},
		{"1. c3-d4 0-1", []Result{BlackWins}},
		{"1. c3-d4 1/2-1/2", []Result{Drawn}},
		{"1. c3-d4 0-0", []Result{BothLose}},
		{"1. c3-d4 2-0", []Result{WhiteWins}},
		{"1. c3-d4 0-2", []Result{BlackWins}},
		{"1. c3-d4 1-1", []Result{Drawn}},
		{"1. c3-d4 1/2", []Result{Drawn}},
		{"1. c3-d4 d6-c5 2.1/2", []Result{Drawn}},
		{"1. c3-d4 d6-c5 2. 1/2\n1. c3-b4 0-1", []Result{Drawn, BlackWins}},
		{"1. c3-d4 1/2 - 1/2 1. c3-b4 0-1", []Result{Drawn, BlackWins}},
		{"1. c3-d4 1/2 -1/2", []Result{Drawn}},
		{"1. c3-d4 0.5-0.5", []Result{Drawn}},
		{"1. c3-d4 d6-c5 2.0.5-0.5", []Result{Drawn}},
		{"1. c3-d4 ½-½", []Result{Drawn}},
		{"1. c3-d4 (1. e3-f4 1/2) d6-c5 0-1", []Result{BlackWins}},
		{"[Result \"1/2\"] 1. c3-d4 *", []Result{Drawn}},
		{"[Result \"1/2 - 1/2\"] 1. c3-d4 *", []Result{Drawn}},
		{"[Result \"0.5-0.5\"] 1. c3-d4 *", []Result{Drawn}},
		{"1. c3-d4 *", []Result{Unknown}},
		{"1. c3-d4", []Result{Unknown}},
		{"1. 1-0", []Result{WhiteWins}},
		{"*", []Result{Unknown}},
		{"[Result \"0-1\"] 1. c3-d4 *", []Result{BlackWins}},
		{"[Result \"*\"] 1. c3-d4 1-0", []Result{WhiteWins}},
		{"[Result \"1+ - 1-\"] 1. c3-d4 0-0", []Result{BothLose}},
		{"1. c3-d4 (1. e3-f4 1-0) d6-c5 0-1", []Result{BlackWins}},
		{"1. c3-d4 1-0 * 1. c3-b4 0-1 {won} *", []Result{WhiteWins, BlackWins}},
		{"1. c3-d4 1/2*\n*", []Result{Drawn, Unknown}},
		{"1. c3-d4 * *", []Result{Unknown, Unknown}},
		{"1. c3-d4 1-0 1. c3-b4 0-1", []Result{WhiteWins, BlackWins}},
	}
	for _, c := range cases {
		var got []Result
		for _, g := range readAll(t, c.text, Config{}) {
			got = append(got, g.Result)
			if len(g.Errors) > 0 {
				t.Errorf("%q: %v", c.text, g.Errors)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.text, got, c.want)
		}
	}
}

// However a draw was written, it is written strictly.
func TestDrawsAreWrittenStrictly(t *testing.T) {
	for _, result := range []string{"1/2", "1/2-1/2", "1/2 - 1/2", "1-1", "0.5-0.5", "½-½", "½"} {
		g := readOne(t, "[Result \"1/2\"] 1. c3-d4 "+result, Config{})
		if got := write(t, g); !strings.HasPrefix(got, "[Result \"1/2-1/2\"]\n") || !strings.HasSuffix(got, "\n1. c3-d4 *\n\n") {
			t.Errorf("%s is written as %q", result, got)
		}
	}
	for _, text := range []string{"1. c3-d4 1/3", "1. c3-d4 1/2-1/3", "1. c3-d4 3/2", "1. c3-d4 1//2", "1. c3-d4 0.5"} {
		if g := readOne(t, text, Config{}); g.Result != Unknown || len(g.Errors) == 0 {
			t.Errorf("%q: got %s, %v", text, g.Result, g.Errors)
		}
	}
}

// A result that reads like a move in numbers, and moves that begin like one.
func TestOneToNineteenIsNoDraw(t *testing.T) {
	g := readOne(t, `[GameType "26,W,8,8,N0,0"] [FEN "W:WK1:BK8"] 1. 1-19 8-22 1-1`, Config{})
	if got := joined(&g.Line); got != "a1-e5 h2xd6" || g.Result != Drawn || len(g.Errors) > 0 {
		t.Errorf("got %q, %s, %v", got, g.Result, g.Errors)
	}
}

func TestReadNotes(t *testing.T) {
	g := readOne(t, `{before} $10 1. c3-d4!? {[%clk 0:01:30] good} ; and more }
(1. c3-b4(?) {worse} b6-a5 (1... d6-c5! $14) 2. b4-c5) $7 {after}
1... d6-c5 ?! 2. g3-f4(!!) * {the end}`, Config{})
	ply := func(l *Line, i int) *Ply { return &l.Plies[i] }
	for i := range g.Plies {
		ply(&g.Line, i).Move = games.Move{Text: g.Plies[i].Move.Text}
	}
	move := func(text string) games.Move { return games.Move{Text: text} }
	outer := &g.Plies[0].Variations[0]
	inner := &outer.Plies[1].Variations[0]
	for _, l := range []*Line{outer, inner} {
		for i := range l.Plies {
			ply(l, i).Move = move(l.Plies[i].Move.Text)
		}
	}
	want := Line{
		Notes: Notes{Comments: []string{"before"}, Glyphs: []uint8{10}},
		Plies: []Ply{
			{Move: move("c3-d4"), Mark: "!?", Notes: Notes{
				Comments: []string{"[%clk 0:01:30] good", "and more )", "after"},
				Glyphs:   []uint8{7},
				Variations: []Line{{Plies: []Ply{
					{Move: move("c3-b4"), Mark: "(?)", Notes: Notes{Comments: []string{"worse"}}},
					{Move: move("b6-a5"), Notes: Notes{Variations: []Line{{Plies: []Ply{
						{Move: move("d6-c5"), Mark: "!", Notes: Notes{Glyphs: []uint8{14}}},
					}}}}},
					{Move: move("b4-c5")},
				}}},
			}},
			{Move: move("d6-c5"), Mark: "?!"},
			{Move: move("g3-f4"), Mark: "(!!)", Notes: Notes{Comments: []string{"the end"}}},
		},
	}
	if len(g.Errors) > 0 || !reflect.DeepEqual(g.Line, want) {
		t.Errorf("got\n%+v\nwant\n%+v\n%v", g.Line, want, g.Errors)
	}
}

func TestReadTags(t *testing.T) {
	g := readOne(t, "[Event \"A \\\"great\\\" \\\\ one\"]  [ Site\t\"\" ]\n[white \"Jos\xe9\"] [Black \"Conceição\"]\n[Event \"B\"]\n*", Config{})
	want := []Tag{{"Event", "B"}, {"Site", ""}, {"White", "José"}, {"Black", "Conceição"}}
	if len(g.Errors) > 0 || !reflect.DeepEqual(g.Tags, want) {
		t.Errorf("got %v, want %v; %v", g.Tags, want, g.Errors)
	}
	if v, ok := g.Tag("White"); v != "José" || !ok {
		t.Errorf("got %q, %v", v, ok)
	}
}

// Where one game ends and the next begins, with faults in between.
func TestOneGameIsSpoiledNotTheNext(t *testing.T) {
	next := "[Event \"next\"]\n\n1. c3-d4 d6-c5 1-0\n"
	faulty := map[string]string{
		"illegal move":         "[Event \"x\"]\n\n1. c3-d5 d6-c5 (1. * {1-0) 0-1} 1-0\n\n",
		"unreadable move":      "[Event \"x\"]\n\n1. hello d6-c5 (1-0) 0-1\n",
		"no end":               "[Event \"x\"]\n\n1. hello d6-c5\n",
		"unclosed comment":     "[Event \"x\"]\n\n1. c3-d4 {oh d6-c5\n\n",
		"unclosed variation":   "[Event \"x\"]\n\n1. c3-d4 (1. e3-f4 1-0\n\n",
		"unclosed tag":         "[Event \"x]\n\n1. c3-d4 1-0\n\n",
		"unclosed setup":       "[Event \"x\"]\n\n1. c3-d4 /FEN \"W:Wa1:Bb8\"\n 1-0\n\n",
		"long word":            "[Event \"x\"]\n\n1. " + strings.Repeat("c3-d4", 100) + " 1-0\n",
		"long comment":         "[Event \"x\"]\n\n1. c3-d4 {" + strings.Repeat("word ", 20000) + "} 1-0\n",
		"deep variations":      "[Event \"x\"]\n\n1. c3-d4 " + strings.Repeat("( 1. c3-d4", 100) + strings.Repeat(")", 100) + " 1-0\n",
		"another game":         "[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 1-0\n",
		"binary":               "[Event \"x\"]\n\n\x00\x01\xff [] \"\" }{} 1-0\n",
		"too many tags":        strings.Repeat("[A", 1) + manyTags(300) + "1. c3-d4 1-0\n",
		"bracket inside moves": "[Event \"x\"]\n\n1. c3-d4 [%clk 1] d6-c5 1-0\n",
	}
	for name, text := range faulty {
		all := readAll(t, text+next, Config{})
		if len(all) < 2 {
			t.Errorf("%s: got %d games", name, len(all))
			continue
		}
		if len(all[0].Errors) == 0 {
			t.Errorf("%s: no fault was found", name)
		}
		last := &all[len(all)-1]
		if event, _ := last.Tag("Event"); event != "next" || len(last.Errors) > 0 || joined(&last.Line) != "c3-d4 d6-c5" {
			t.Errorf("%s: the next game is %v, %v", name, last.Tags, last.Errors)
		}
		if len(all) > 2 {
			t.Errorf("%s: got %d games", name, len(all))
		}
	}
}

func manyTags(n int) string {
	var b strings.Builder
	b.WriteString(" \"x\"]\n")
	for i := range n {
		b.WriteString("[A" + itoa(i) + " \"x\"]\n")
	}
	return b.String()
}

// What divides games that no result or asterisk divides.
func TestWhereGamesEnd(t *testing.T) {
	cases := []struct {
		text  string
		games int
	}{
		{"", 0},
		{"% nothing\n{but talk}\n", 0},
		{"1. c3-d4 d6-c5\n\n1. c3-b4", 2},
		{"1. c3-d4\n\n1... d6-c5", 1},
		{"[Event \"a\"]\n\n[Event \"b\"]\n\n1. c3-d4", 2},
		{"[Event \"a\"]\n[Event \"b\"]\n\n1. c3-d4", 1},
		{"{about} [Event \"a\"] {more} 1. c3-d4 * [Event \"b\"]", 2},
		{"1. c3-d4 1-0 {resigned} ; so\n{}\n", 1},
		{"* * *", 3},
	}
	for _, c := range cases {
		all := readAll(t, c.text, Config{})
		if len(all) != c.games {
			t.Errorf("%q: got %d games, want %d", c.text, len(all), c.games)
		}
		for _, g := range all {
			if len(g.Errors) > 0 {
				t.Errorf("%q: %v", c.text, g.Errors)
			}
		}
	}
}

func TestReadFromAndUnder(t *testing.T) {
	from := Config{Start: position(t, "B:Wa1:Bb8")}
	if g := readOne(t, "1... b8-a7", from); len(g.Errors) > 0 || g.Start != from.Start {
		t.Errorf("from a position: %v", g.Errors)
	}
	// The position comes for the third time after eight plies.
	text := "[FEN \"W:WKc1,Ke1:BKh6\"]\n" + strings.Repeat("c1-a3 h6-f8 a3-c1 f8-h6 ", 3)
	for draws, want := range map[string]string{"": "", "cbd": "", "fmjd64": "game_over@2:49/9"} {
		if g := readOne(t, text, Config{Draws: draws}); faults(&g) != want {
			t.Errorf("%q: got %v, want %q; %v", draws, faults(&g), want, g.Outcome)
		}
	}
	if _, err := NewReader(strings.NewReader(""), Config{Draws: "none"}); err == nil {
		t.Error("unknown draw rules were accepted")
	}
}

// Where a bracket stays open nobody can tell what was meant for the main line: half
// a game must not pass for a whole one.
func TestAnUnclosedVariationSpoilsTheGame(t *testing.T) {
	for text, want := range map[string]bool{
		"1. c3-d4 (1. a3-b4 *": true, "1. c3-d4 (1. a3-b4) *": false, "1. c3-d4 $256 b6-c5 *": false,
	} {
		if g := readOne(t, text, Config{}); g.Spoiled != want {
			t.Errorf("%s: spoiled %v, want %v", text, g.Spoiled, want)
		}
	}
}

// once is a stream that fails once and then ends.
type once struct{ err error }

func (o *once) Read([]byte) (int, error) {
	err := o.err
	o.err = io.EOF
	return 0, err
}

func TestReadErrorsOfTheStream(t *testing.T) {
	broken := errors.New("broken")
	r, err := NewReader(io.MultiReader(strings.NewReader("1. c3-d4 1-0 1. c3"), iotest.ErrReader(broken)), Config{})
	if err != nil {
		t.Fatal(err)
	}
	var g Game
	if err := r.Next(&g); err != nil || joined(&g.Line) != "c3-d4" {
		t.Errorf("the first game: %v", err)
	}
	for range 2 {
		if err := r.Next(&g); !errors.Is(err, broken) {
			t.Errorf("got %v, want the error of the stream", err)
		}
	}
	r, err = NewReader(io.MultiReader(strings.NewReader("1. c3-d4 (1. c3"), &once{broken}), Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Next(&g); !errors.Is(err, broken) {
		t.Errorf("got %v, want the error that the stream told once", err)
	}
	if all := drain(t, iotest.OneByteReader(strings.NewReader("{c} [A \"x\"] 1. c3-d4(?) (1. c3-b4) 1-0")), Config{}); len(all) != 1 || len(all[0].Errors) > 0 {
		t.Errorf("byte by byte: %+v", all)
	}
}

// How numbers are told apart: by the tag, then by the option, then by trial.
func TestNumberings(t *testing.T) {
	cases := []struct {
		name, text string
		option     Numbering
		start      string // empty for the starting position
		moves      string
	}{
		{"the start tells them apart: b8", "22-18 9-13", ByTrial, "", "c3-d4 b6-a5"},
		{"the start tells them apart: a1", "10-14 21-17", ByTrial, "", "c3-d4 b6-a5"},
		{"a position from a1", `[FEN "W:W1-12:B21-32"] 10-14`, ByTrial, "", "c3-d4"},
		{"a position from b8", `[FEN "W:W21-32:B1-12"] 22-18`, ByTrial, "", "c3-d4"},
		{"a position from a1, moves with letters", `[FEN "W:W1,K2:B32"] a1-b2`, ByTrial, "W:Wa1,Kc1:Bh8", "a1-b2"},
		{"both go: b8", `[FEN "W:WK1:BK4"] 1-5`, ByTrial, "W:WKb8:BKh8", "b8-a7"},
		{"both go: a later move decides", `[FEN "W:WK29:BK2"] 29-22 2-7 22-13`, ByTrial, "W:WKa1:BKd8", "a1-c3 d8-e7 c3-a5"},
		{"the option decides", `[FEN "W:WK1:BK4"] 1-5`, FromA1, "W:WKa1:BKg1", "a1-b2"},
		{"the tag decides", `[GameType "26,W,8,8,N0,0"] [FEN "W:WK1:BK4"] 1-5`, FromB8, "W:WKa1:BKg1", "a1-b2"},
		{"the tag of letters leaves it open", `[GameType "26,W,8,8,A0,0"] 10-14`, ByTrial, "", "c3-d4"},
		{"in a variation alone", "c3-d4 (9-13) b6-a5", ByTrial, "", "c3-d4 b6-a5"},
	}
	for _, c := range cases {
		g := readOne(t, c.text, Config{Numbering: c.option})
		start := g.Start.Text()
		if g.Start == draughts.Start() {
			start = ""
		}
		if start != c.start || joined(&g.Line) != c.moves || len(g.Errors) > 0 {
			t.Errorf("%s: got %s, %s, %v; want %s, %s", c.name, start, joined(&g.Line), g.Errors, c.start, c.moves)
		}
	}
}
