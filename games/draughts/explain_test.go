package draughts

import (
	"reflect"
	"slices"
	"testing"

	"tabuleiro/games"
)

func TestExplain(t *testing.T) {
	list := func(squares ...string) []string { return squares }
	target := func(square string, side games.Side, attackers ...string) games.Target {
		return games.Target{Square: square, Side: side, Attackers: attackers, Hanging: true}
	}
	for _, tt := range []struct {
		what, fen         string
		movable, captures []string
		must              int
		targets           []games.Target
	}{
		{"the start", Start().Text(), list("a3", "c3", "e3", "g3"), nil, 0, nil},
		{"a capture is compulsory", "W:Wa1,e3:Bf4", list("e3"), list("e3xg5"), 1,
			[]games.Target{target("e3", games.First, "f4"), target("f4", games.Second, "e3")}},
		{"the majority leaves one man", "W:Wa3,e3:Bb4,f4,f6", list("e3"), list("e3xg5xe7"), 2, []games.Target{
			target("e3", games.First, "f4"), target("f4", games.Second, "e3"), target("f6", games.Second, "e3")}},
		{"two paths", "W:WKh6:Bf4,c3,b6,d6", list("h6"), list("h6xd2xa5xc7xe5"), 4, nil},
		{"what the opponent threatens", "W:Wc3,h2:Bd4,b6,h8", list("c3"), list("c3xe5"), 1, []games.Target{
			target("c3", games.First, "d4"), target("d4", games.Second, "c3")}},
		{"a king before two in a row", "B:Wa1,b2:BKh8", list("h8"), nil, 0, nil},
		{"a king that takes", "B:Wa1,d4:BKh8", list("h8"), list("h8xb2", "h8xc3"), 1, []games.Target{target("d4", games.First, "h8")}},
		{"no moves", "W:Wa3:Bb4,c5", nil, nil, 0, nil},
		{"no pieces", "W:W:BKa1", nil, nil, 0, nil},
	} {
		got, err := Game{}.Explain(games.Position{Text: tt.fen})
		if err != nil {
			t.Fatal(err)
		}
		var captures []string
		for _, m := range got.Captures {
			captures = append(captures, m.Text)
		}
		if tt.what == "two paths" {
			got.Targets = nil // four pieces, all by the king
		}
		if !reflect.DeepEqual(got.Movable, tt.movable) || !reflect.DeepEqual(captures, tt.captures) ||
			got.MustCapture != tt.must || !reflect.DeepEqual(got.Targets, tt.targets) {
			t.Errorf("%s: movable %v, captures %v of %d, targets %+v", tt.what, got.Movable, captures, got.MustCapture, got.Targets)
		}
	}
}

// TestExplainsWhatIsLegal holds insights against the moves of both sides.
func TestExplainsWhatIsLegal(t *testing.T) {
	for _, p := range somePositions(t, 6) {
		text := p.Text()
		got, err := Game{}.Explain(games.Position{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		ruling, err := Game{}.Rule(games.Position{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		var movable, theirs []string
		for _, m := range ruling.Moves {
			movable = append(movable, m.From)
			theirs = append(theirs, m.Captures...)
			if len(m.Captures) != got.MustCapture {
				t.Fatalf("%s: %s takes %d, said %d", text, m.Text, len(m.Captures), got.MustCapture)
			}
		}
		if got.MustCapture > 0 && !reflect.DeepEqual(got.Captures, ruling.Moves) || got.MustCapture == 0 && got.Captures != nil {
			t.Fatalf("%s: captures %v, want %v", text, got.Captures, ruling.Moves)
		}
		slices.Sort(movable)
		slices.Sort(theirs)
		var said []string
		for _, target := range got.Targets {
			if target.Side != p.Side() {
				said = append(said, target.Square)
			}
			if owner := p.Pieces(target.Side); !slices.Contains(names(owner), target.Square) || len(target.Attackers) == 0 {
				t.Fatalf("%s: %+v", text, target)
			}
		}
		if !slices.Equal(slices.Compact(movable), got.Movable) || !slices.Equal(slices.Compact(theirs), said) {
			t.Fatalf("%s: %+v", text, got)
		}
	}
}
