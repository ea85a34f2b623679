package tictactoe

import (
	"reflect"
	"testing"

	"tabuleiro/games"
)

// TestTableIsConsistent holds every value against those one ply later, and
// against plain minimax.
func TestTableIsConsistent(t *testing.T) {
	all := reachable()
	if want := publishedCounts(t).Positions; perfect().count != want || len(all) != want {
		t.Fatalf("the table has %d positions of %d, want %d", perfect().count, len(all), want)
	}
	for p := range all {
		v := p.Value()
		if int(v.Result) != value(p) {
			t.Fatalf("%s: %+v, minimax says %d", p.Text(), v, value(p))
		}
		if p.Over() {
			if v.Plies != 0 || p.Best() != 0 {
				t.Fatalf("%s is over, but has %+v and %b", p.Text(), v, p.Best())
			}
			continue
		}
		if free := p.Moves().Count(); v.Result == 0 && int(v.Plies) != free {
			t.Fatalf("%s: a draw in %d plies with %d squares free", p.Text(), v.Plies, free)
		}
		// A win takes an odd number of plies, a loss an even one.
		if v.Result != 0 && (v.Plies%2 == 1) != (v.Result == 1) {
			t.Fatalf("%s: %+v", p.Text(), v)
		}
		if v == (Value{1, 1}) != (p.wins(p.Side()) != 0) {
			t.Fatalf("%s: %+v, but winning squares %b", p.Text(), v, p.wins(p.Side()))
		}
		if p.Best() == 0 || p.Best()&^p.Moves() != 0 {
			t.Fatalf("%s: best squares %b of %b", p.Text(), p.Best(), p.Moves())
		}
		for m := p.Moves(); m != 0; m = m.Rest() {
			next := p.Play(m.First()).Value().before()
			if next.better(v) || p.Best().Has(m.First()) != (next == v) {
				t.Fatalf("%s: %+v, but %s gives %+v", p.Text(), v, m.First(), next)
			}
		}
	}
	if got := (Position{}).Value(); got != (Value{0, 9}) {
		t.Errorf("the empty board: %+v", got)
	}
}

// TestSymmetriesKeepEverything: an image has the same value, its best squares
// are the images of the best squares, and all eight share a canonical form.
func TestSymmetriesKeepEverything(t *testing.T) {
	for s := range Symmetry(Symmetries) {
		seen := map[Square]bool{}
		for sq := range Square(9) {
			seen[s.Square(sq)] = true
			if s.Inverse().Square(s.Square(sq)) != sq {
				t.Errorf("symmetry %d: %s does not come back", s, sq)
			}
		}
		for other := range s {
			if images[s] == images[other] {
				t.Errorf("symmetries %d and %d are one", s, other)
			}
		}
		if len(seen) != 9 {
			t.Errorf("symmetry %d reaches %d squares", s, len(seen))
		}
	}
	for p := range reachable() {
		class, by := p.Canonical()
		if by.Position(p) != class || by.Inverse().Position(class) != p {
			t.Fatalf("%s: symmetry %d does not lead to %s and back", p.Text(), by, class.Text())
		}
		for s := range Symmetry(Symmetries) {
			q := s.Position(p)
			if other, _ := q.Canonical(); other != class {
				t.Fatalf("%s and %s: %s and %s", p.Text(), q.Text(), class.Text(), other.Text())
			}
			if q.Value() != p.Value() || q.Best() != s.Mask(p.Best()) || q.Over() != p.Over() {
				t.Fatalf("%s and %s: %+v and %+v", p.Text(), q.Text(), p.Value(), q.Value())
			}
		}
	}
}

func TestExplain(t *testing.T) {
	for _, tt := range []struct {
		text         string
		wins, blocks []string
		want         games.Perfect
	}{
		{"3/3/3 x", nil, nil, games.Perfect{Plies: 9, Best: []string{"a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"}}},
		{"x2/3/3 o", nil, nil, games.Perfect{Plies: 8, Best: []string{"b2"}}},
		{"1x1/3/2o x", nil, nil, games.Perfect{Value: 1, Plies: 5, Best: []string{"c3"}}},
		{"xx1/oo1/3 x", []string{"c3"}, []string{"c2"}, games.Perfect{Value: 1, Plies: 1, Best: []string{"c3"}}},
		{"xx1/o2/3 o", nil, []string{"c3"}, games.Perfect{Value: -1, Plies: 4, Best: []string{"c3"}}},
		{"x1x/1o1/x1o o", nil, []string{"a2", "b3"}, games.Perfect{Value: -1, Plies: 2, Best: []string{"a2", "b1", "b3", "c2"}}},
		{"xxx/oo1/3 o", nil, nil, games.Perfect{Value: -1}},
		{"xox/xxo/oxo o", nil, nil, games.Perfect{}},
	} {
		got, err := Game{}.Explain(games.Position{Text: tt.text})
		if err != nil {
			t.Fatal(err)
		}
		p, _ := Parse(tt.text)
		want := games.Insight{Position: edgePosition(p), Side: p.Side(), Wins: tt.wins, Blocks: tt.blocks, Perfect: &tt.want}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %+v\nwant %+v", tt.text, got, got.Perfect, tt.want)
		}
	}
	if _, err := (Game{}).Explain(games.Position{Text: "xxx/ooo/3 x"}); err == nil {
		t.Error("a board that both have won is explained")
	}
}
