package draughts

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tabuleiro/games"
)

const startText = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"

func TestSquares(t *testing.T) {
	i := 0
	for row := range 8 {
		for file := range 8 {
			s := At(file, row)
			if (file+row)%2 != 0 {
				if s != NoSquare {
					t.Errorf("light square %d,%d is %v", file, row, s)
				}
				continue
			}
			if s.Index() != i || FromIndex(i) != s || s.File() != file || s.Row() != row || !board.Has(s) {
				t.Errorf("square %v: index %d, file %d, row %d; want %d, %d, %d", s, s.Index(), s.File(), s.Row(), i, file, row)
			}
			i++
		}
	}
	if i != 32 || board.Count() != 32 {
		t.Errorf("%d dark squares, %d on the board", i, board.Count())
	}
}

func TestNames(t *testing.T) {
	var g games.Game = Game{}
	if g.Name() != "draughts" || g.Sides() != [2]string{"white", "black"} || !slices.Equal(g.DrawSets(), []string{"cbd", "fmjd64"}) {
		t.Errorf("%s %v %v", g.Name(), g.Sides(), g.DrawSets())
	}
}

func TestStart(t *testing.T) {
	s := Start()
	if s.Text() != startText {
		t.Errorf("start is %s, want %s", s.Text(), startText)
	}
	if p := mustParse(t, startText); p != s {
		t.Errorf("the text reads as %s", p.Text())
	}
	for _, draws := range []string{"", "cbd", "fmjd64"} {
		want := draws
		if draws == "" {
			want = "cbd"
		}
		got, err := Game{}.Start(draws)
		if err != nil || got != (games.Position{Rules: "draughts", Text: startText, Draws: want}) {
			t.Errorf("Start(%q) = %+v, %v", draws, got, err)
		}
	}
	var invalid *games.Invalid
	if _, err := (Game{}).Start("x"); !errors.As(err, &invalid) || invalid.Reasons[0] != "unknown_draws" {
		t.Errorf("unknown draws: %v", err)
	}
}

// TestHashIsPinned keeps stored hashes valid from version to version.
func TestHashIsPinned(t *testing.T) {
	for text, want := range map[string]uint64{
		startText:        0xb4295dfc8b170f9d,
		"B:WKc3:BKf6,a5": 0xcd163308a50982d9,
	} {
		if p := mustParse(t, text); p.Hash() != want {
			t.Errorf("%s: hash %#x, want %#x", text, p.Hash(), want)
		}
	}
}

func TestParseIsLenient(t *testing.T) {
	tests := map[string]string{
		"w:wa1,kc1:bb8.":       "W:Wa1,Kc1:Bb8",
		" B:Bb8,Kd8:WKc3,a1 ":  "B:Wa1,Kc3:Bb8,Kd8",
		"W:WK29,30:B1":         "W:WKa1,c1:Bb8",
		"W:W21-32:B1-12":       startText,
		"W:W21-32:B1-12:H0:F1": startText,
		"W:W:BKa1":             "W:W:BKa1",
		"B:Wa1":                "B:Wa1:B",
		"W:Wc3,a1,e3,Kb8:Bh8":  "W:Wa1,c3,e3,Kb8:Bh8",
	}
	for text, want := range tests {
		if p, err := Parse(text); err != nil || p.Text() != want {
			t.Errorf("%q reads as %s, %v, want %s", text, p.Text(), err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		text    string
		syntax  bool
		reasons []string
	}{
		{"", true, []string{"bad_side"}},
		{"X:Wa1:Bb8", true, []string{"bad_side"}},
		{"W", true, []string{"bad_list"}},
		{"W:Wa1:Wc1", true, []string{"bad_list"}},
		{"W:Wa1::Bb8", true, []string{"bad_list"}},
		{"W:Wa1:Bb8:Q1", true, []string{"bad_list"}},
		{"W:?a1:Bb8", true, []string{"bad_list"}},
		{"W:W" + strings.Repeat("a1,", 200) + ":Bb8", true, []string{"bad_list"}},
		{"W:Wa1,:Bb8", true, []string{"bad_square"}},
		{"W:Wa1,K:Bb8", true, []string{"bad_square"}},
		{"W:Wa1, c1:Bb8", true, []string{"bad_square"}},
		{"W:Wa1c1:Bb8", true, []string{"bad_square"}},
		{"W:W1x:Bb8", true, []string{"bad_square"}},
		{"W:W1-:Bb8", true, []string{"bad_square"}},
		{"W:W111:Bb8", true, []string{"bad_square"}},
		{"W:Wi1:Bb8", true, []string{"no_such_square"}},
		{"W:Wa9:Bb8", true, []string{"no_such_square"}},
		{"W:W0:B1", true, []string{"no_such_square"}},
		{"W:W33:B1", true, []string{"no_such_square"}},
		{"W:W5-3:B1", true, []string{"no_such_square"}},
		{"W:Wa1,5:Bb8", true, []string{"mixed_squares"}},
		{"W:Wa1:B1", true, []string{"mixed_squares"}},
		{"W:Wa2:Bb8", false, []string{"light_square"}},
		{"W:Wa1,b1:Bb8", false, []string{"light_square"}},
		{"W:Wa1,a1:Bb8", false, []string{"square_twice"}},
		{"W:Wa1,Ka1:Bb8", false, []string{"square_twice"}},
		{"W:Wa1,c3:Bc3", false, []string{"square_shared"}},
		{"W:Wb8:Ba7", false, []string{"man_on_last_row"}},
		{"W:Wa3:Ba1", false, []string{"man_on_last_row"}},
		{"W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3,b4:Bb8", false, []string{"too_many_pieces"}},
		{"W:W:B", false, []string{"no_pieces"}},
		{"W:Wa1:B", false, []string{"opponent_without_pieces"}},
		{"B:W:Bb8,c7,c7", false, []string{"opponent_without_pieces", "square_twice"}},
	}
	for _, tt := range tests {
		_, err := Game{}.Rule(games.Position{Text: tt.text})
		var invalid *games.Invalid
		if !errors.As(err, &invalid) {
			t.Errorf("%q: error %v, want *Invalid", tt.text, err)
			continue
		}
		if invalid.Syntax != tt.syntax || !slices.Equal(invalid.Reasons, tt.reasons) || invalid.Detail == "" {
			t.Errorf("%q: %+v, want syntax %v, reasons %v", tt.text, invalid, tt.syntax, tt.reasons)
		}
	}
	for reason, p := range map[string]games.Position{
		"wrong_rules":   {Rules: "chess", Text: startText},
		"unknown_draws": {Text: startText, Draws: "standard"},
		"bad_history":   {Text: startText, History: "x"},
	} {
		var invalid *games.Invalid
		if _, _, err := (Game{}).Apply(p, "c3-d4"); !errors.As(err, &invalid) || !slices.Equal(invalid.Reasons, []string{reason}) {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// TestPDNPositions are positions from the documents of PDN 3.0 and from public
// bug reports; where a reader has a choice, ours is theirs.
func TestPDNPositions(t *testing.T) {
	type fenCase struct {
		N      int    `json:"n"`
		Text   string `json:"text"`
		Read   bool   `json:"read"`
		SameAs string `json:"same_as"`
	}
	for _, c := range readLines[fenCase](t, "testdata/pdn_fen_cases.jsonl") {
		p, err := Parse(c.Text)
		if (err == nil) != c.Read {
			t.Errorf("%d, %q: %v, want readable %v", c.N, c.Text, err, c.Read)
		}
		if c.SameAs != "" && p != mustParse(t, c.SameAs) {
			t.Errorf("%d, %q reads as %s", c.N, c.Text, p.Text())
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range readLines[positionCase](f, "testdata/draughts_positions.jsonl") {
		f.Add(c.FEN)
	}
	f.Add("W:W21-32:B1-12:H0:F1")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			var invalid *games.Invalid
			if !errors.As(err, &invalid) || len(invalid.Reasons) == 0 || !slices.IsSorted(invalid.Reasons) || invalid.Detail == "" {
				t.Fatalf("%q: error %#v", text, err)
			}
			return
		}
		if q, err := Parse(p.Text()); err != nil || q != p {
			t.Fatalf("%q: %s reads as %s, %v", text, p.Text(), q.Text(), err)
		}
	})
}

func FuzzMove(f *testing.F) {
	for _, c := range readLines[positionCase](f, "testdata/draughts_positions.jsonl") {
		for _, m := range c.Moves {
			f.Add(c.FEN, m.PDN)
		}
	}
	f.Add(startText, "22-18!?")
	f.Fuzz(func(t *testing.T, fen, move string) {
		played, r, err := Game{}.Apply(games.Position{Text: fen}, move)
		if err != nil {
			var invalid *games.Invalid
			var refusal *games.Refusal
			if !errors.As(err, &invalid) && !errors.As(err, &refusal) {
				t.Fatalf("%q, %q: error %#v", fen, move, err)
			}
			return
		}
		again, same, err := Game{}.Apply(games.Position{Text: fen}, played.Text)
		if err != nil || again.Text != played.Text || same.Position != r.Position {
			t.Fatalf("%q, %q: played %s, again %s, %v", fen, move, played.Text, again.Text, err)
		}
	})
}

func FuzzHistory(f *testing.F) {
	f.Add("W:WKa1:BKh8", "1.1.1.rv")
	f.Add(startText, "3.0.0.")
	f.Fuzz(func(t *testing.T, fen, history string) {
		p, err := Parse(fen)
		if err != nil {
			return
		}
		h, ok := parseHistory(history, p)
		if !ok {
			return
		}
		if again, ok := parseHistory(h.String(), p); !ok || again.String() != h.String() {
			t.Fatalf("%q: %q reads as %q, %v", history, h.String(), again.String(), ok)
		}
	})
}
