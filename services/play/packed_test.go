package play

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// drawnText is like what games write, or anything.
func drawnText(t *rapid.T, name string) string {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "a1", "e2", "e4", "e2e4", "e7e8q", "c3-d4", "f4xd6xb8", "white", "black", "~", "%", "/", ",", " "}),
		rapid.String(),
	).Draw(t, name)
}

func drawnTexts(t *rapid.T, name string) []string {
	n := rapid.IntRange(0, 3).Draw(t, name+" count")
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = drawnText(t, name)
	}
	return list
}

func drawnMove(t *rapid.T) Move {
	m := Move{
		Text: drawnText(t, "text"), Notation: drawnText(t, "notation"), From: drawnText(t, "from"), To: drawnText(t, "to"),
		Path: drawnTexts(t, "path"), Captures: drawnTexts(t, "captures"), Promotion: drawnText(t, "promotion"),
	}
	if rapid.Bool().Draw(t, "expected") {
		m.Text = rapid.SampledFrom([]string{"", "a1", "e2e4", "e7e8q", "c3-d4", "f4xd6xb8"}).Draw(t, "known text")
		m.From, m.To = m.ends()
		m.Path = []string{m.From, m.To}
	}
	return m
}

// Whatever a list holds comes back, from the text of today and from the objects of
// before.
func TestPackedListsComeBack(t *testing.T) {
	type lists struct {
		Moves  Moves  `json:"moves,omitempty"`
		Plies  Plies  `json:"plies,omitempty"`
		Pieces Pieces `json:"pieces,omitempty"`
	}
	type objects struct {
		Moves  []Move  `json:"moves,omitempty"`
		Plies  []Ply   `json:"plies,omitempty"`
		Pieces []Piece `json:"pieces,omitempty"`
	}
	rapid.Check(t, func(t *rapid.T) {
		var want lists
		for range rapid.IntRange(0, 4).Draw(t, "moves") {
			want.Moves = append(want.Moves, drawnMove(t))
		}
		for range rapid.IntRange(0, 6).Draw(t, "plies") {
			want.Plies = append(want.Plies, Ply{
				Number: rapid.Int32().Draw(t, "number"), Side: drawnText(t, "side"), Move: drawnMove(t),
				TookMS: rapid.Int32().Draw(t, "took"), CreditedMS: rapid.Int32Range(0, 2).Draw(t, "credited"),
				Taken: drawnTexts(t, "taken"),
			})
		}
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			want.Pieces = append(want.Pieces, Piece{drawnText(t, "square"), drawnText(t, "side"), drawnText(t, "kind")})
		}
		for _, form := range []any{want, objects{want.Moves, want.Plies, want.Pieces}} {
			text, err := json.Marshal(form)
			if err != nil {
				t.Fatal(err)
			}
			var got lists
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("from %s: got %+v, want %+v", text, got, want)
			}
		}
	})
}

// The text is what the store has, also in years.
func TestPackedText(t *testing.T) {
	e4 := Move{Text: "e2e4", Notation: "e4", From: "e2", To: "e4", Path: []string{"e2", "e4"}}
	takes := Move{
		Text: "f4xd6xb8", Notation: "f4xb8", From: "f4", To: "b8", Path: []string{"f4", "d6", "b8"}, Captures: []string{"e5", "c7"},
	}
	queen := Move{Text: "e7e8q", Notation: "e8=Q", From: "e7", To: "e8", Path: []string{"e7", "e8"}, Promotion: "queen"}
	cross := Move{Text: "b2", Notation: "b2", To: "b2"}
	for want, list := range map[string]any{
		`"e2e4/e4 e7e8q/e8=Q/////queen b2/b2//b2/~ f4xd6xb8/f4xb8///f4,d6,b8/e5,c7"`: Moves{e4, queen, cross, takes},
		`"e2e4/e4///////white e7e8q/e8=Q/////queen//black/250//pawn e2e4/e4"`: Plies{
			{Number: 1, Side: "white", Move: e4}, {Number: 2, Side: "black", Move: queen, TookMS: 250, Taken: []string{"pawn"}},
			{Number: 3, Side: "white", Move: e4},
		},
		`"a1/white/rook b1//knight c1 a7/black/pawn"`: Pieces{
			{"a1", "white", "rook"}, {"b1", "white", "knight"}, {"c1", "white", "knight"}, {"a7", "black", "pawn"},
		},
	} {
		got, err := json.Marshal(list)
		must(t, err)
		if string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// What is no list is refused, never half read.
func TestPackedTextThatIsNone(t *testing.T) {
	for _, text := range []string{`"e2e4/e4/////q/what"`, `"e2e4/%G1"`, `7`, `{"text":"e2e4"}`} {
		var moves Moves
		if err := json.Unmarshal([]byte(text), &moves); err == nil {
			t.Errorf("%s was read as %+v", text, moves)
		}
	}
	var plies Plies
	if err := json.Unmarshal([]byte(`"e2e4/e4//////first"`), &plies); err == nil {
		t.Errorf("a ply without a number was read as %+v", plies)
	}
}
