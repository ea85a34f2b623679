package pgn

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tabuleiro/games/chess"
)

const kitchenSink = "\ufeff% made by hand\r\n" + `; a line before all
[Event "Copa \"A\\B\""] [Site "Iași"]
[White "Ana" ]
[ Black   "Bob"]
[Round
 "1"]
[WhiteElo "?"]

{ First
   of all } 1. e4! {best} e5 $10 $10 (1... c5 {Sicilian} 2. Nf3 (2. Nc3 -- 3. d4) 2... d6) (1... e6) 2.Nf3 ; to the end }
Nc6 3.Bb5 a6?! 4. Bxc6 { no
% escape } dxc6 5 0-0 1/2-1/2 {drawn}
`

// TestKitchenSink: everything at once, and what the writer makes of it.
func TestKitchenSink(t *testing.T) {
	got := readAll(t, kitchenSink)
	if len(got) != 1 || len(got[0].Errors) > 0 || got[0].Spoiled {
		t.Fatalf("got %+v", got)
	}
	g := got[0]
	want := `[Event "Copa \"A\\B\""]
[Site "Iași"]
[Date "????.??.??"]
[Round "1"]
[White "Ana"]
[Black "Bob"]
[Result "1/2-1/2"]
[WhiteElo "?"]

{a line before all} {First of all} 1. e4 $1 {best} 1... e5 $10 (1... c5
{Sicilian} 2. Nf3 (2. Nc3 -- 3. d4) 2... d6) (1... e6) 2. Nf3 ;to the end }
2... Nc6 3. Bb5 a6 $6 4. Bxc6 {no % escape} 4... dxc6 5. O-O {drawn} 1/2-1/2

`
	if text := written(t, g); text != want {
		t.Errorf("written\n%s\nwant\n%s", text, want)
	}
	again := readAll(t, want)
	if len(again) != 1 || !reflect.DeepEqual(again[0].Line, g.Line) || again[0].Result != g.Result || again[0].Final != g.Final {
		t.Errorf("reads again as\n%+v\nwant\n%+v", again, g)
	}
}

// brief is a game in one line: tags, moves, notes, result, faults.
func brief(g Game) string {
	var b strings.Builder
	for _, t := range g.Tags {
		fmt.Fprintf(&b, "[%s %q]", t.Name, t.Value)
	}
	briefLine(&b, &g.Line, g.Start)
	fmt.Fprint(&b, " ", g.Result)
	if g.Spoiled {
		b.WriteString(" spoiled")
	}
	for _, e := range g.Errors {
		fmt.Fprintf(&b, " <%s %d:%d ply %d>", e.Code, e.Line, e.Column, e.Ply)
	}
	return strings.TrimSpace(b.String())
}

func briefLine(b *strings.Builder, l *Line, p chess.Position) {
	var before chess.Position
	moves, notes := uci(p, l.Moves), l.Notes
	for i := 0; i <= len(moves); i++ {
		for ; len(notes) > 0 && notes[0].After == i; notes = notes[1:] {
			for _, g := range notes[0].Glyphs {
				fmt.Fprintf(b, " $%d", g)
			}
			for _, c := range notes[0].Comments {
				fmt.Fprintf(b, " {%s}", c)
			}
			for _, v := range notes[0].Variations {
				b.WriteString(" (")
				briefLine(b, &v, before)
				b.WriteString(")")
			}
		}
		if i < len(moves) {
			b.WriteString(" " + moves[i])
			before = p
			if l.Moves[i] == chess.NoMove {
				p = p.PlayNull()
			} else {
				p = p.Play(l.Moves[i])
			}
		}
	}
}

const castle960 = "[Variant \"Fischer Random\"]\n[FEN \"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1\"]\n\n"

// TestReads names each case after what once went wrong somewhere.
func TestReads(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"only blanks", " \r\n\t\n\ufeff", nil},
		{"only comments", "{a} ; b\n% c", nil},
		{"empty game", "*", []string{"*"}},
		{"three empty games", "* 1-0\n\n*", []string{"*", "1-0", "*"}},
		{"tags without moves", "[Event \"a\"]\n[Result \"1-0\"]\n", []string{`[Event "a"][Result "1-0"] 1-0`}},
		{"tags without moves, then a game", "[Event \"a\"]\n\n[Event \"b\"]\n\n1. e4 *", []string{`[Event "a"] *`, `[Event "b"] e2e4 *`}},
		{"blank lines between tags", "[Event \"a\"]\n\n[Site \"b\"]\n\n\n1. e4 *", []string{`[Event "a"][Site "b"] e2e4 *`}},
		{"a tag twice", "[Event \"a\"]\n[Site \"s\"]\n[Event \"longer\"]\n[Site \"\"]\n*", []string{`[Event "longer"][Site ""] *`}},
		{"BOM", "\xef\xbb\xbf[Event \"a\"]\n1. e4 *", []string{`[Event "a"] e2e4 *`}},
		{"Latin-1", "[White \"Jos\xe9\"]\n1. e4 {\xe9} *", []string{`[White "José"] e2e4 {é} *`}},
		{"result only in the tag", "[Result \"0-1\"]\n1. e4", []string{`[Result "0-1"] e2e4 0-1`}},
		{"marker beats tag", "[Result \"0-1\"]\n1. e4 1/2-1/2", []string{`[Result "0-1"] e2e4 1/2-1/2`}},
		{"a star says nothing", "[Result \"0-1\"]\n1. e4 *", []string{`[Result "0-1"] e2e4 0-1`}},
		{"half a result", "1. e4 1/2", []string{"e2e4 1/2-1/2"}},
		{"no marker before the next tags", "1. e4 e5\n[Event \"b\"]\n1. d4 *", []string{"e2e4 e7e5 *", `[Event "b"] d2d4 *`}},
		{"no marker, no tags", "1. e4 e5\n\n1. d4 *", []string{"e2e4 e7e5 *", "d2d4 *"}},
		{"blank line in a game", "1. e4 {x}\n\n1... e5\n\n2. d4 *", []string{"e2e4 {x} e7e5 d2d4 *"}},
		{"blank line before ten", "1. e4\n\n10. e5 *", []string{"e2e4 e7e5 *"}},
		{"comment behind the marker", "1. e4 1-0 {resigns} ; why\n1. d4 *", []string{"e2e4 {resigns} {why} 1-0", "d2d4 *"}},
		{"comment after the marker's line", "1. e4 1-0\n{of the next} 1. d4 *", []string{"e2e4 1-0", "{of the next} d2d4 *"}},
		{"numbers of any kind", "1.e4 1...e5 2 Nf3 . Nc6 17.... Bb5 … a6 *", []string{"e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 *"}},
		{"no numbers", "e4 e5 Nf3", []string{"e2e4 e7e5 g1f3 *"}},
		{"long forms", "1. e2-e4 e7e5 2. Ng1-f3 Nb8c6 3. Bf1b5 *", []string{"e2e4 e7e5 g1f3 b8c6 f1b5 *"}},
		{"zeros and letters", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 *", []string{"e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8 *"}},
		{"castling gives check", "[FEN \"5k2/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. O-O+! *", []string{`[FEN "5k2/8/8/8/8/8/8/4K2R w K - 0 1"] e1g1 $1 *`}},
		{"Chess960 castling", castle960 + "1. O-O *", []string{`[Variant "Fischer Random"][FEN "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"] e1g1 *`}},
		{"promotions", "[FEN \"7k/PPPP4/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8Q Kh7 2. b8(R) Kh6 3. c8/N Kh7 4. d8=B! *",
			[]string{`[FEN "7k/PPPP4/8/8/8/8/8/K7 w - - 0 1"] a7a8q h8h7 b7b8r h7h6 c7c8n h6h7 d7d8b $1 *`}},
		{"glyph before a bracket (chess-es6.js#4)", "1. e4 (1. d4 $13) e5 *", []string{"e2e4 ( d2d4 $13) e7e5 *"}},
		{"all marks", "1. e4! e5? 2. d4!! d5?? 3. c4!? c5?! 4. b4 !!! *", []string{"e2e4 $1 e7e5 $2 d2d4 $3 d7d5 $4 c2c4 $5 c7c5 $6 b2b4 $3 $1 *"}},
		{"comments do not nest", "1. e4 {a {b} e5 *", []string{"e2e4 {a {b} e7e5 *"}},
		{"semicolon in braces, braces behind a semicolon", "1. e4 {a ; b} e5 ; {c\nd4 *", []string{"e2e4 {a ; b} e7e5 {{c} d2d4 *"}},
		{"percent later in the line", "1. e4 {50 % }\n%{ not read\ne5 *", []string{"e2e4 {50 %} e7e5 *"}},
		{"empty comment", "1. e4 {} {  } e5 *", []string{"e2e4 e7e5 *"}},
		{"nested variations (notnil#125)", "1. e4 e5 (1... c5 2. d4 (2. Nf3 (2. c3)) (2. b4) cxd4) 2. d4 *",
			[]string{"e2e4 e7e5 ( c7c5 d2d4 ( g1f3 ( c2c3)) ( b2b4) c5d4) d2d4 *"}},
		{"variation opens with a comment", "1. e4 ({or} 1. d4) *", []string{"e2e4 ( {or} d2d4) *"}},
		{"variation with a result", "1. e4 (1. d4 1-0) e5 *", []string{"e2e4 ( d2d4) e7e5 *"}},
		{"empty variation", "1. e4 () e5 *", []string{"e2e4 e7e5 *"}},
		{"null moves", "1. e4 e5 (1... -- 2. d4 Z0) *", []string{"e2e4 e7e5 ( 0000 d2d4 0000) *"}},
		{"quotes without backslash", "[Event \"the \"Big\" one\"]\n*", []string{`[Event "the \"Big\" one"] *`}},
		{"backslash before a letter", "[Event \"C:\\games\"]\n*", []string{`[Event "C:\\games"] *`}},
		{"two tags in a line", "[A \"x\"][B \"]\"] *", []string{`[A "x"][B "]"] *`}},
		{"tab in a value", "[A \"x\ty\"]\n*", []string{`[A "x y"] *`}},
		{"moves after mate material is gone", "[FEN \"8/8/4k3/8/8/3K4/8/8 w - - 0 1\"]\n1. Kd4 Kd6 *", []string{`[FEN "8/8/4k3/8/8/3K4/8/8 w - - 0 1"] d3d4 e6d6 *`}},
		{"no FEN in the tag", "[FEN \"\"]\n1. e4 *", []string{`[FEN ""] e2e4 *`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, g := range readAll(t, tt.text) {
				got = append(got, brief(g))
				if !g.Spoiled {
					checkRoundTrip(t, g)
				}
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestFaults: each spoils what it must, says where it is, and leaves the next
// game alone.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"illegal", "1. e4 Qa1 e5 2. Qxf8 0-1", "e2e4 0-1 spoiled <cannot_move_so 1:7 ply 2>"},
		{"illegal on a later line", "1. e4 e5\r\n2. Nf3\r\n  Nf3 1-0", "e2e4 e7e5 g1f3 1-0 spoiled <cannot_move_so 3:3 ply 4>"},
		{"illegal after old line ends", "1. e4\re5\r\n2. e4 *", "e2e4 e7e5 * spoiled <cannot_move_so 3:4 ply 3>"},
		{"ambiguous", "1. Nc3 a6 2. Nf3 a5 3. Nd4 a4 4. Nb5 *", "b1c3 a7a6 g1f3 a6a5 f3d4 a5a4 * spoiled <ambiguous 1:34 ply 7>"},
		{"unreadable", "1. e4 what 1-0", "e2e4 1-0 spoiled <bad_text 1:7 ply 2>"},
		{"in check", "1. e4 f6 2. Qh5+ a6 *", "e2e4 f7f6 d1h5 * spoiled <king_left_in_check 1:18 ply 4>"},
		{"a move after mate", "1. f3 e5 2. g4 Qh4# 3. a3 *", "f2f3 e7e5 g2g4 d8h4 * spoiled <game_over 1:24 ply 5>"},
		{"no move after mate", "1. f3 e5 2. g4 Qh4# 3. what *", "f2f3 e7e5 g2g4 d8h4 * spoiled <bad_text 1:24 ply 5>"},
		{"null move in the main line", "1. e4 -- 2. d4 *", "e2e4 * spoiled <null_move 1:7 ply 2>"},
		{"null move in check", "1. e4 f6 2. Qh5+ g6 (2... --) 3. a3 *", "e2e4 f7f6 d1h5 g7g6 a2a3 * <null_move 1:27 ply 4>"},
		{"illegal in a variation", "1. e4 e5 (1... e4 (2. x) {y}) 2. d4 1-0", "e2e4 e7e5 d2d4 1-0 <cannot_move_so 1:16 ply 2>"},
		{"fault inside keeps what is before", "1. e4 e5 (1... d5 2. d5) 2. d4 *", "e2e4 e7e5 ( d7d5) d2d4 * <cannot_move_so 1:22 ply 3>"},
		{"variation before any move", "(1. d4) 1. e4 *", "e2e4 * <unexpected 1:1 ply 0>"},
		{"stray bracket", "1. e4) e5 *", "e2e4 e7e5 * <unexpected 1:6 ply 1>"},
		{"stray brace", "1. e4 } e5 0-1", "e2e4 0-1 spoiled <unexpected 1:7 ply 2>"},
		{"stray tag bracket", "1. e4 [%clk 1] e5 0-1", "e2e4 0-1 spoiled <unexpected 1:7 ply 2>"},
		{"bad glyphs", "1. e4 $ $256 $007 e5 *", "e2e4 $7 e7e5 * <bad_glyph 1:7 ply 1> <bad_glyph 1:9 ply 1>"},
		{"unclosed variation", "1. e4 (1. d4 d5", "e2e4 ( d2d4 d7d5) * spoiled <unclosed 1:7 ply 1>"},
		{"unclosed variations", "1. e4 (1. d4 d5 (1... f5", "e2e4 ( d2d4 d7d5 ( f7f5)) * spoiled <unclosed 1:17 ply 2> <unclosed 1:7 ply 1>"},
		{"unclosed comment", "1. e4 {so e5 2. d4", "e2e4 {so e5 2. d4} * spoiled <unclosed 1:7 ply 1>"},
		{"tag without a value", "[Event]\n[Site \"s\"]\n1. e4 *", `[Site "s"] e2e4 * <bad_tag 1:1 ply 0>`},
		{"tag without quotes", "[Event x]\n[Site \"s\"]\n1. e4 *", `[Site "s"] e2e4 * <bad_tag 1:1 ply 0>`},
		{"tag without a name", "[\"x\"]\n1. e4 *", `e2e4 * <bad_tag 1:1 ply 0>`},
		{"tag without its end", "[Event \"x\n[Site \"s\"]\n1. e4 *", `[Site "s"] e2e4 * <bad_tag 1:1 ply 0>`},
		{"tag without its bracket", "[Event \"x\"\n 1. e4 *", `e2e4 * <bad_tag 1:1 ply 0>`},
		{"unreadable FEN", "[Event \"a\"]\n[FEN \"8/8\"]\n\n1. e4 1-0", `[Event "a"][FEN "8/8"] 1-0 spoiled <bad_text 2:1 ply 0>`},
		{"FEN without kings", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 1-0", `[FEN "8/8/8/8/8/8/8/8 w - - 0 1"] 1-0 spoiled <bad_position 1:1 ply 0>`},
		{"another game", "[Variant \"Atomic\"]\n\n1. e4 1-0", `[Variant "Atomic"] 1-0 spoiled <unknown_variant 1:1 ply 0>`},
		{"a word without end", "1. e4 " + strings.Repeat("e", 1000) + " 1-0", "e2e4 1-0 spoiled <too_long 1:7 ply 2>"},
		{"a number without end", "1. e4 " + strings.Repeat("9", 1000) + " 1-0", "e2e4 1-0"},
		{"a comment without measure", "1. e4 {" + strings.Repeat("e ", 40<<10) + "} e5 1-0", "e2e4 e7e5 1-0 <too_long 1:7 ply 1>"},
		{"a comment of blanks", "1. e4 {a" + strings.Repeat(" ", 300<<10) + "b} e5 1-0", "e2e4 e7e5 1-0 <too_long 1:7 ply 1>"},
		{"a value without measure", "[A \"" + strings.Repeat("e", 5000) + "\"]\n1. e4 1-0", "e2e4 1-0 <bad_tag 1:1 ply 0>"},
		{"a name without measure", "[" + strings.Repeat("e", 5000) + " \"x\"]\n1. e4 1-0", "e2e4 1-0 <bad_tag 1:1 ply 0>"},
		{"not PGN at all", "From: me\nSubject: games\n", "* spoiled <bad_text 1:1 ply 1>"},
		{"zero bytes", "1. e4\x00e5 \x00 *", "e2e4 e7e5 *"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, next := range []string{"[Event \"b\"]\n\n1. d4 *\n", "[Event \"b\"]\n[FEN \"8/8/4k3/8/8/3K4/8/8 w - - 0 1\"]\n1. Kd4 *"} {
				got := readAll(t, tt.text+"\n\n"+next)
				if len(got) != 2 || brief(got[0]) != tt.want || len(got[1].Errors) != 0 || len(got[1].Moves) != 1 || got[1].Spoiled {
					t.Errorf("%d games\ngot  %+v\nwant %s", len(got), got, tt.want)
				}
			}
			for _, g := range readAll(t, tt.text) {
				for _, e := range g.Errors {
					if e.Message == "" || e.Error() == e.Message {
						t.Errorf("no message: %+v", e)
					}
				}
			}
		})
	}
}

// TestBounds: what grows without measure is cut, and the next game is read.
func TestBounds(t *testing.T) {
	shuffle := strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", maxPlies/4)
	deep := "1. e4 " + strings.Repeat("(1. d4 ", maxDepth+1) + strings.Repeat(")", maxDepth+1)
	tags := ""
	for i := range maxTags + 1 {
		tags += fmt.Sprintf("[T%d \"x\"]\n", i)
	}
	for _, tt := range []struct {
		name, text string
		plies      int
		code       string
		spoiled    bool
	}{
		{"the longest game", shuffle + "1-0", maxPlies, "", false},
		{"a game without end", shuffle + "Nf3 1-0", maxPlies, "too_long", true},
		{"nesting", deep + " e5 1-0", 2, "too_deep", false},
		{"tags", tags + "1. e4 1-0", 1, "bad_tag", false},
		{"a tag again and again", strings.Repeat("[A \""+strings.Repeat("x", 4000)+"\"]\n", 1000) + "1. e4 1-0", 1, "bad_tag", false},
		{"brackets behind a margin", "1. e4 {" + strings.Repeat(strings.Repeat(" ", 30000)+strings.Repeat("[", 30000)+"\n", 10) + "} 1-0", 1, "too_long", false},
		{"brackets behind a margin, outside", "1. e4 x" + strings.Repeat(strings.Repeat(" ", 30000)+strings.Repeat("[", 30000)+"\n", 50) + " 1-0", 1, "bad_text", true},
		{"faults", "1. e4 " + strings.Repeat(") ", 100) + "1-0", 1, "unexpected", false},
		{"annotations", "1. e4 " + strings.Repeat("{x} ", maxWeight/noteWeight) + "1-0", 1, "too_long", false},
		{"variations", "1. e4 " + strings.Repeat("(d4) ", maxWeight/variationWeight) + "1-0", 1, "too_long", false},
	} {
		got := readAll(t, tt.text+"\n\n[Event \"b\"]\n\n1. d4 *\n")
		if len(got) != 2 || len(got[0].Moves) != tt.plies || got[0].Result != WhiteWins || got[0].Spoiled != tt.spoiled ||
			len(got[0].Errors) > maxErrors || (len(got[0].Errors) > 0) != (tt.code != "") || len(got[1].Moves) != 1 {
			t.Errorf("%s: %d games, %d plies, faults %v", tt.name, len(got), len(got[0].Moves), got[0].Errors)
			continue
		}
		if tt.code != "" && string(got[0].Errors[0].Code) != tt.code {
			t.Errorf("%s: %v, want %s", tt.name, got[0].Errors[0], tt.code)
		}
		if !tt.spoiled {
			checkRoundTrip(t, got[0])
		}
	}
}

// TestConfig: games that do not say where they begin.
func TestConfig(t *testing.T) {
	start, err := chess.ReadFEN("4k3/8/8/8/8/8/8/4K2R w K - 3 20")
	if err != nil {
		t.Fatal(err)
	}
	var g Game
	if err := NewReader(strings.NewReader("20. O-O+ *"), Config{Start: start, Chess960: true}).Next(&g); err != nil {
		t.Fatal(err)
	}
	if got := uci(g.Start, g.Moves); !reflect.DeepEqual(got, []string{"e1h1"}) || !g.Start.Chess960() || g.Final.FEN() != "4k3/8/8/8/8/8/8/5RK1 b - - 4 20" {
		t.Errorf("got %v, %s", got, g.Final.FEN())
	}
	checkRoundTrip(t, g)
}

// TestTagsHaveOneValue: more than one value is a fault, and the game is read on;
// quotes that lack their backslash are part of the value.
func TestTagsHaveOneValue(t *testing.T) {
	for _, tt := range []struct {
		tag, value string
		bad        bool
	}{
		{`[Event "a" "b"]`, "", true},
		{`[Event "a" "b" "c" ]`, "", true},
		{`[Event "a"	 "b"]`, "", true},
		{`[Event "" ""]`, "", true},
		{`[Event "a"]`, "a", false},
		{`[Event "the "big" cup"]`, `the "big" cup`, false},
		{`[Event "the "big" "open" cup"]`, `the "big" "open" cup`, false},
		{`[Event ""big" cup"]`, `"big" cup`, false},
		{`[Event "a""b"]`, `a""b`, false},
		{`[Event "a\" \"b"]`, `a" "b`, false},
		{`[Event "a" b]`, "", true},
	} {
		r := NewReader(strings.NewReader(strings.ReplaceAll(tt.tag, `\t`, "\t")+"\n[Site \"s\"]\n\n1. e4 *\n"), Config{})
		var g Game
		if err := r.Next(&g); err != nil {
			t.Fatal(err)
		}
		value, ok := g.Tag("Event")
		site, _ := g.Tag("Site")
		bad := len(g.Errors) == 1 && g.Errors[0].Code == BadTag && g.Errors[0].Line == 1
		if value != tt.value || ok == tt.bad || bad != tt.bad || site != "s" || len(g.Moves) != 1 || g.Spoiled {
			t.Errorf("%s: %q, %v, %v, want %q", tt.tag, value, g.Tags, g.Errors, tt.value)
		}
	}
}
