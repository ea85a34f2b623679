package variant

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tabuleiro/games"
)

// TestRulesOfCountries are the rules that tell the countries apart, by example:
// all that may be played, with a K where a man is crowned.
func TestRulesOfCountries(t *testing.T) {
	tests := []struct {
		name, country, fen string
		want               []string
	}{
		{"men capture backwards", "brazilian", "W:We5:Bd4,d6", []string{"e5xc3", "e5xc7"}},
		{"men capture backwards", "pool", "B:Be5:Wd4,d6", []string{"e5xc3", "e5xc7"}},
		{"men capture forwards", "english", "B:Be5:Wd4,d6", []string{"e5xc7"}},
		{"men capture forwards", "spanish", "W:Wd5:Bc4,c6", []string{"d5xb7"}},
		{"men step forwards", "english", "W:Bc3:We5", []string{"e5-d4", "e5-f4"}},
		{"a king flies", "russian", "W:WKa1:Bh4", []string{"a1-b2", "a1-c3", "a1-d4", "a1-e5", "a1-f6", "a1-g7", "a1-h8"}},
		{"a king goes one step", "english", "B:BKc3:Wh8", []string{"c3-b2", "c3-b4", "c3-d2", "c3-d4"}},
		{"a short king takes what is next to it", "italian", "W:WKb1:Be4", []string{"b1-a2", "b1-c2"}},
		{"a short king lands right behind", "italian", "W:WKb1:Bc2", []string{"b1xd3"}},
		{"a king on the large board", "canadian", "W:WKa1:Bk11,c5", []string{"a1xl12"}},
		{"the majority", "brazilian", "W:Wc1,a3:Bd2,f4,b4", []string{"c1xe3xg5"}},
		{"no majority, but to the end", "pool", "B:Bc1,a3:Wd2,f4,b4", []string{"a3xc5", "c1xe3xg5"}},
		{"no majority, but to the end", "english", "B:Bc1,a3:Wd2,f4,b4", []string{"a3xc5", "c1xe3xg5"}},
		{"a king lands where it can go on", "russian", "W:WKa1:Bc3,c7", []string{"a1xe5xb8"}},
		{"crowned in passing", "russian", "W:Wb6:Bc7,e7", []string{"b6xd8xf6K", "b6xd8xg5K", "b6xd8xh4K"}},
		{"not crowned in passing", "pool", "B:Bb6:Wc7,e7", []string{"b6xd8xf6"}},
		{"crowned at rest", "pool", "B:Bb6:Wc7", []string{"b6xd8K"}},
		{"the last row ends a man's capture", "english", "B:Bb6:Wc7,e7", []string{"b6xd8K"}},
		{"crowned by a step", "spanish", "W:Wb7:Ba2", []string{"b7-a8K", "b7-c8K"}},
		{"a man takes a king", "spanish", "W:Wd3:BKe4", []string{"d3xf5"}},
		{"a man spares a king", "italian", "W:Wd3:BKe4", []string{"d3-c4"}},
		{"most kings", "spanish", "W:Wd3,h3:BKe4,g4", []string{"d3xf5"}},
		{"most kings, of those that it may take", "italian", "W:Wd3,h3:BKe4,g4", []string{"h3xf5"}},
		{"two men before one king", "portuguese", "W:Wa2,h1:BKb3,g2,g4", []string{"h1xf3xh5"}},
		{"by a king", "italian", "W:WKb1,h3:Bc2,g4", []string{"b1xd3"}},
		{"by king or man", "spanish", "W:WKb1,h3:Bc2,g4", []string{"b1xd3", "b1xe4", "b1xf5", "b1xg6", "b1xh7", "h3xf5"}},
		{"most pieces before by a king", "italian", "W:WKb1,f3:Bc2,g4,g6", []string{"f3xh5xf7"}},
		{"kings first", "italian", "W:WKd1:BKc2,c4,e2,Kg4", []string{"d1xb3xd5"}},
		{"by a king before most pieces", "czech", "W:WKa3,g1:Bb2,d4,f2", []string{"a3xc1"}},
		{"most pieces, whoever takes", "brazilian", "W:WKa3,g1:Bb2,d4,f2", []string{"g1xe3xc5"}},
		{"a piece is taken once", "brazilian", "W:WKh6:Bf4,c3,b6,d6", []string{"h6xd2xa5xc7xe5"}},
		{"no move at all", "english", "B:Bg7:Wf8,h8", nil},
	}
	for _, tt := range tests {
		k := kernel(t, tt.country)
		p, err := k.Read(tt.fen)
		if err != nil {
			t.Fatalf("%s: %v", tt.fen, err)
		}
		var got []string
		for _, path := range k.Paths(&p) {
			text := k.Text(&path)
			if path.Promotes {
				text += "K"
			}
			got = append(got, text)
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %s, %s\ngot  %v\nwant %v", tt.country, tt.name, tt.fen, got, tt.want)
		}
	}
}

// TestComparisonOfCountries is the founding work's comparison of countries: who
// plays on which board, with kings of one step, men that capture backwards and
// the law of the majority. Portuguese and Czech draughts are not in it.
func TestComparisonOfCountries(t *testing.T) {
	tests := []struct {
		name string
		has  func(Rules) bool
		want []string
	}{
		{"12 by 12", func(r Rules) bool { return r.Size == 12 }, []string{"canadian", "sri lankan"}},
		{"10 by 10", func(r Rules) bool { return r.Size == 10 }, []string{"international"}},
		{"dark corner at the right", func(r Rules) bool { return r.DarkRight }, []string{"italian", "portuguese", "spanish", "sri lankan"}},
		{"kings of one step", func(r Rules) bool { return !r.FlyingKing }, []string{"english", "italian"}},
		{"men capture backwards", func(r Rules) bool { return r.MenTakeBack },
			[]string{"brazilian", "canadian", "international", "pool", "russian", "sri lankan"}},
		{"the majority", func(r Rules) bool { return slices.Contains(r.Majority, MostPieces) },
			[]string{"brazilian", "canadian", "international", "italian", "portuguese", "spanish", "sri lankan"}},
		{"with further priorities", func(r Rules) bool { return len(r.Majority) > 1 }, []string{"italian", "portuguese", "spanish"}},
	}
	for _, tt := range tests {
		var got []string
		for _, r := range Countries() {
			if tt.has(r) {
				got = append(got, r.Name)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestRulesAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Rules){
		"no board":            func(r *Rules) { r.Size = 0 },
		"an odd board":        func(r *Rules) { r.Size = 9 },
		"a board too large":   func(r *Rules) { r.Size = 14 },
		"no men":              func(r *Rules) { r.Rows = 0 },
		"no room between":     func(r *Rules) { r.Rows = 4 },
		"no such priority":    func(r *Rules) { r.Majority = []Priority{KingsFirst + 1} },
		"no priority":         func(r *Rules) { r.Majority = []Priority{0} },
		"one priority, twice": func(r *Rules) { r.Majority = []Priority{MostPieces, MostPieces} },
	} {
		r := Brazilian()
		change(&r)
		if k, err := New(r); err == nil || k != nil {
			t.Errorf("%s: %v, %v", name, k, err)
		}
	}
}

func TestSquaresHaveOnePlace(t *testing.T) {
	for _, r := range Countries() {
		k := kernel(t, r.Name)
		if got := k.all.Count(); got != r.Size*r.Size/2 {
			t.Errorf("%s: %d squares", r.Name, got)
		}
		for b := k.all; !b.Empty(); b = b.Rest() {
			s := b.First()
			if file, row := k.Place(s); k.At(file, row) != s || k.square(k.name(s)) != s {
				t.Errorf("%s: %d is at %d, %d", r.Name, s, file, row)
			}
		}
		corner := k.At(0, 0)
		if r.DarkRight {
			corner = k.At(r.Size-1, 0)
		}
		if corner == NoSquare {
			t.Errorf("%s: the corner is light", r.Name)
		}
	}
}

func TestText(t *testing.T) {
	for country, want := range map[string]string{
		"english":  "B:Ba1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Wb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8",
		"italian":  "W:Wb1,d1,f1,h1,a2,c2,e2,g2,b3,d3,f3,h3:Ba6,c6,e6,g6,b7,d7,f7,h7,a8,c8,e8,g8",
		"canadian": "W:Wa1,c1,e1,g1,i1,k1,b2,d2,f2,h2,j2,l2,a3,c3,e3,g3,i3,k3,b4,d4,f4,h4,j4,l4,a5,c5,e5,g5,i5,k5:Bb8,d8,f8,h8,j8,l8,a9,c9,e9,g9,i9,k9,b10,d10,f10,h10,j10,l10,a11,c11,e11,g11,i11,k11,b12,d12,f12,h12,j12,l12",
	} {
		k := kernel(t, country)
		p := k.Start()
		if got := k.Write(&p); got != want {
			t.Errorf("%s: %s, want %s", country, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		k, err := New(anyRules(t))
		if err != nil {
			t.Fatal(err)
		}
		p := anyPosition(t, k)
		if q, err := k.Read(k.Write(&p)); err != nil || q != p {
			t.Fatalf("%s reads as %s, %v", k.Write(&p), k.Write(&q), err)
		}
	})
}

func TestReadRefuses(t *testing.T) {
	k := kernel(t, "brazilian")
	for text, want := range map[string]string{
		"":             "bad_side",
		"X:Wa1:Bb8":    "bad_side",
		"W":            "bad_list",
		"W:Wa1":        "bad_list",
		"W:Ba1:Wb8":    "bad_list",
		"W:Wa1:Bb8:":   "bad_list",
		"W::Bb8":       "bad_list",
		"W:Wa2:Bb8":    "bad_square",
		"W:Wa1,:Bb8":   "bad_square",
		"W:Wi1:Bb8":    "bad_square",
		"W:Wa1:Ba1,b8": "square_shared",
		"W:Wb8:Ba7":    "man_on_last_row",
		"W:Wa3:Ba1":    "man_on_last_row",
		"W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3,b4:Bb8": "too_many_pieces",
	} {
		_, err := k.Read(text)
		var invalid *games.Invalid
		if !errors.As(err, &invalid) || !slices.Equal(invalid.Reasons, []string{want}) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// rotated is p seen from the other side: the board turned half round, the sides
// swapped.
func rotated(k *Kernel, p *Position) Position {
	turn := func(b Set) (out Set) {
		for ; !b.Empty(); b = b.Rest() {
			file, row := k.place(b.First())
			out.add(k.at(k.size-1-file, k.size-1-row))
		}
		return out
	}
	return Position{Pieces: [2]Set{turn(p.Pieces[1]), turn(p.Pieces[0])}, Kings: turn(p.Kings), Side: p.Side.Other()}
}

func TestRotationKeepsCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, err := New(anyRules(t))
		if err != nil {
			t.Fatal(err)
		}
		p := anyPosition(t, k)
		q := rotated(k, &p)
		for depth := 1; depth <= 2; depth++ {
			for _, paths := range []bool{false, true} {
				if a, b := k.Perft(&p, depth, paths), k.Perft(&q, depth, paths); a != b {
					t.Fatalf("%+v, %s has %d, rotated %d at depth %d, paths %v", k.rules, k.Write(&p), a, b, depth, paths)
				}
			}
		}
	})
}
