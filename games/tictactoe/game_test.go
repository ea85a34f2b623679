package tictactoe

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tabuleiro/games"
)

func TestStart(t *testing.T) {
	for _, draws := range []string{"", "standard"} {
		p, err := Game{}.Start(draws)
		if want := (games.Position{Rules: "tictactoe", Text: "3/3/3 x", Draws: "standard"}); err != nil || p != want {
			t.Errorf("Start(%q) = %v, %v, want %v", draws, p, err, want)
		}
	}
	var invalid *games.Invalid
	if _, err := (Game{}).Start("cbd"); !errors.As(err, &invalid) || !slices.Equal(invalid.Reasons, []string{"unknown_draws"}) {
		t.Errorf("unknown draw set: %v", err)
	}
}

func TestParseSquare(t *testing.T) {
	tests := map[string]string{
		"1": "a3", "2": "b3", "3": "c3", "4": "a2", "5": "b2", "6": "c2", "7": "a1", "8": "b1", "9": "c1",
		"a1": "a1", "C3": "c3", " b2 ": "b2",
	}
	for text, want := range tests {
		if sq, ok := ParseSquare(text); !ok || sq.String() != want {
			t.Errorf("%q reads as %v, %v, want %s", text, sq, ok, want)
		}
	}
	for _, text := range []string{"", "0", "10", "a4", "d1", "a", "a1b", "é1", strings.Repeat(" ", 99) + "a1"} {
		if sq, ok := ParseSquare(text); ok {
			t.Errorf("%q reads as %v", text, sq)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		text    string
		syntax  bool
		reasons []string
	}{
		{"", true, []string{"bad_rows"}},
		{"3/3 x", true, []string{"bad_rows"}},
		{"3/3/4 x", true, []string{"bad_rows"}},
		{"3/3/2 x", true, []string{"bad_rows"}},
		{"3/3/0x2 x", true, []string{"bad_rows"}},
		{"3/3/z2 x", true, []string{"bad_rows"}},
		{"3/3/3", true, []string{"bad_side"}},
		{"3/3/3 w", true, []string{"bad_side"}},
		{"3/3/3 x x", true, []string{"bad_side"}},
		{"3/3/3 " + strings.Repeat("x", 100), true, []string{"bad_rows"}},
		{"3/3/3 o", false, []string{"wrong_side"}},
		{"x2/3/3 x", false, []string{"wrong_side"}},
		{"o2/3/3 x", false, []string{"wrong_counts"}},
		{"xx1/3/3 o", false, []string{"wrong_counts"}},
		{"xxx/ooo/3 x", false, []string{"both_won"}},
		{"xxx/oo1/o2 x", false, []string{"move_after_win"}},
		{"ooo/xx1/1xx o", false, []string{"move_after_win"}},
		{"ooo/xx1/1xx x", false, []string{"move_after_win", "wrong_side"}},
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
	for _, p := range []games.Position{
		{Rules: "chess", Text: "3/3/3 x"},
		{Text: "3/3/3 x", Draws: "cbd"},
		{Text: "3/3/3 x", History: "1"},
	} {
		var invalid *games.Invalid
		if _, _, err := (Game{}).Apply(p, "b2"); !errors.As(err, &invalid) || invalid.Syntax || len(invalid.Reasons) != 1 {
			t.Errorf("%+v: error %v", p, err)
		}
	}
}

func TestParseIsLenient(t *testing.T) {
	for _, text := range []string{"X2/1O1/3 x", " x11/1o1/111  X ", "x2/1o1/12 x"} {
		p, err := Parse(text)
		if err != nil || p.Text() != "x2/1o1/3 x" {
			t.Errorf("%q reads as %q, %v", text, p.Text(), err)
		}
	}
}

func TestApply(t *testing.T) {
	move, r, err := Game{}.Apply(games.Position{Text: "xx1/oo1/3 x"}, "3")
	if err != nil {
		t.Fatal(err)
	}
	if want := (games.Move{Text: "c3", Notation: "c3", To: "c3", Path: []string{"c3"}}); !reflect.DeepEqual(move, want) {
		t.Errorf("move %+v, want %+v", move, want)
	}
	want := games.Ruling{
		Position:   games.Position{Rules: "tictactoe", Text: "xxx/oo1/3 o", Draws: "standard"},
		Side:       games.Second,
		Outcome:    &games.Outcome{Winner: games.First, Reason: "three_in_a_row"},
		Key:        "xxx/oo1/3 o",
		Repetition: 1,
		LastLine:   []string{"a3", "b3", "c3"},
		Pieces: []games.Piece{
			{Square: "a2", Side: games.Second, Kind: "mark"},
			{Square: "a3", Side: games.First, Kind: "mark"},
			{Square: "b2", Side: games.Second, Kind: "mark"},
			{Square: "b3", Side: games.First, Kind: "mark"},
			{Square: "c3", Side: games.First, Kind: "mark"},
		},
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("ruling\ngot  %+v\nwant %+v", r, want)
	}
}

func TestRule(t *testing.T) {
	r, err := Game{}.Rule(games.Position{Text: "xox/xxo/oxo o"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (&games.Outcome{Draw: true, Reason: "board_full"}); !reflect.DeepEqual(r.Outcome, want) || len(r.Moves) != 0 {
		t.Errorf("full board: %+v with moves %v", r.Outcome, r.Moves)
	}
	r, err = Game{}.Rule(games.Position{Text: "xox/oxo/1x1 o"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Side != games.Second || r.Outcome != nil || r.CanWin != [2]bool{true, false} {
		t.Errorf("side %v, outcome %v, can win %v", r.Side, r.Outcome, r.CanWin)
	}
	var texts []string
	for _, m := range r.Moves {
		texts = append(texts, m.Text)
	}
	if want := []string{"a1", "c1"}; !slices.Equal(texts, want) {
		t.Errorf("moves %v, want %v", texts, want)
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		text, move string
		want       games.Refusal
	}{
		{"3/1x1/3 o", "b2", games.Refusal{Code: games.SquareTaken, Squares: []string{"b2"}}},
		{"3/1x1/3 o", "5", games.Refusal{Code: games.SquareTaken, Squares: []string{"b2"}}},
		{"3/1x1/3 o", "d4", games.Refusal{Code: games.BadText}},
		{"3/1x1/3 o", "", games.Refusal{Code: games.BadText}},
		{"xxx/oo1/3 o", "a1", games.Refusal{Code: games.GameOver, Squares: []string{"a3", "b3", "c3"}}},
		{"xox/xxo/oxo o", "a1", games.Refusal{Code: games.GameOver}},
	}
	for _, tt := range tests {
		_, _, err := Game{}.Apply(games.Position{Text: tt.text}, tt.move)
		var refusal *games.Refusal
		if !errors.As(err, &refusal) || !reflect.DeepEqual(*refusal, tt.want) {
			t.Errorf("%s on %s: %v, want %v", tt.move, tt.text, err, &tt.want)
		}
	}
}

// TestEveryRulingPlaysOn walks all positions at the edge: what a ruling gives
// is what Rule and Apply read, and exactly its moves are accepted.
func TestEveryRulingPlaysOn(t *testing.T) {
	for p := range reachable() {
		r, err := Game{}.Rule(games.Position{Text: p.Text()})
		if err != nil {
			t.Fatal(err)
		}
		again, err := Game{}.Rule(r.Position)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%s: ruled again %+v, %v, want %+v", p.Text(), again, err, r)
		}
		if (r.Outcome == nil) == (len(r.Moves) == 0) {
			t.Fatalf("%s: outcome %v with moves %v", p.Text(), r.Outcome, r.Moves)
		}
		for sq := Square(0); sq < 9; sq++ {
			legal := slices.ContainsFunc(r.Moves, func(m games.Move) bool { return m.Text == sq.String() })
			if _, _, err := (Game{}).Apply(r.Position, sq.String()); (err == nil) != legal {
				t.Fatalf("%s, %s: legal %v, error %v", p.Text(), sq, legal, err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"3/3/3 x", "x2/1o1/3 x", "xxx/oo1/3 o", "3/3/3", "9 x", "X11/1O1/111 X"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			var invalid *games.Invalid
			if !errors.As(err, &invalid) || len(invalid.Reasons) == 0 || !slices.IsSorted(invalid.Reasons) {
				t.Fatalf("%q: error %#v", text, err)
			}
			return
		}
		if q, err := Parse(p.Text()); err != nil || q != p {
			t.Fatalf("%q: %q reads as %v, %v", text, p.Text(), q, err)
		}
	})
}

func FuzzMove(f *testing.F) {
	for _, s := range []string{"a1", "5", "C3", "", "b2 "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, _, err := Game{}.Apply(games.Position{Text: "x2/1o1/3 x"}, text)
		var refusal *games.Refusal
		if err == nil && m.Text == "" || err != nil && !errors.As(err, &refusal) {
			t.Fatalf("%q: %+v, %v", text, m, err)
		}
	})
}
