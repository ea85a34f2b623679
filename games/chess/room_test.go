package chess

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"tabuleiro/games"
)

// TestNotatorWritesAsSAN: to know beforehand which moves give check changes no
// notation.
func TestNotatorWritesAsSAN(t *testing.T) {
	check := func(t fataler, p *Position) {
		t.Helper()
		var list MoveList
		p.Legal(&list)
		n := p.notator()
		for _, m := range list.All() {
			if got, want := string(n.append(nil, m)), p.SAN(m); got != want {
				t.Fatalf("%s in %s: got %s, want %s", p.UCI(m), p.FEN(), got, want)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t)
		if p, err := s.Position(); err == nil {
			check(t, &p)
		}
	})
	for _, row := range readRows[perftRow](t, "chess_perft.jsonl") {
		p := read(t, row.FEN, row.Chess960)
		var list MoveList
		p.Legal(&list)
		for _, m := range list.All() {
			next := p.Play(m)
			check(t, &next)
		}
		check(t, &p)
	}
}

// TestRoomsForgetWhatLayInThem: a room that has held other rulings makes the
// same as a new one, game after game.
func TestRoomsForgetWhatLayInThem(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	g, room := New(), new(Room)
	for range 40 {
		start, err := g.Start("")
		if err != nil {
			t.Fatal(err)
		}
		want, err := g.Rule(start)
		if err != nil {
			t.Fatal(err)
		}
		for ply := 0; ply < 150 && len(want.Moves) > 0; ply++ {
			got, err := g.RuleIn(room, want.Position)
			if err != nil || !sameRuling(&got, &want) {
				t.Fatalf("got %+v, %v\nwant %+v", got, err, want)
			}
			text := want.Moves[rng.IntN(len(want.Moves))].Text
			before := want.Position
			if _, _, err := g.ApplyIn(room, before, "a1a1"); err == nil {
				t.Fatal("a1a1 was played")
			}
			gotMove, got, err := g.ApplyIn(room, before, text)
			if err != nil {
				t.Fatal(err)
			}
			var wantMove games.Move
			if wantMove, want, err = g.Apply(before, text); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(gotMove, wantMove) || !sameRuling(&got, &want) {
				t.Fatalf("%s: got %+v %+v\nwant %+v %+v", text, gotMove, got, wantMove, want)
			}
		}
	}
}

// sameRuling does not tell an empty list from none.
func sameRuling(a, b *games.Ruling) bool {
	x, y := *a, *b
	if len(x.Moves) == 0 && len(y.Moves) == 0 {
		x.Moves, y.Moves = nil, nil
	}
	return reflect.DeepEqual(x, y)
}
