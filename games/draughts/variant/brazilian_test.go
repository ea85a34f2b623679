package variant_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/games/draughts/variant"
)

// anyBrazilian draws a valid position of package draughts with many kings.
func anyBrazilian(t *rapid.T) draughts.Position {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	s := draughts.Setup{Side: games.Side(r.IntN(2))}
	kings := r.IntN(10)
	squares := r.Perm(32)
	for side := range s.Men {
		for range 1 + r.IntN(12) {
			square := draughts.FromIndex(squares[0])
			squares = squares[1:]
			if r.IntN(10) < kings || square.Row() == 7*(1-side) {
				s.Kings[side] |= square.Bit()
			} else {
				s.Men[side] |= square.Bit()
			}
		}
	}
	p, err := s.Position()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func asDraughts(m variant.Move) draughts.Move {
	return draughts.Move{
		Captured: draughts.Bitboard(m.Captured[0]), From: draughts.Square(m.From), To: draughts.Square(m.To), Promotes: m.Promotes,
	}
}

// TestBrazilianIsPackageDraughts holds that the kernel with the Brazilian rules
// and package draughts, in which they are constants, are one game: the same
// positions, moves, paths, counts, and what moves lead to.
func TestBrazilianIsPackageDraughts(t *testing.T) {
	k, err := variant.New(variant.Brazilian())
	if err != nil {
		t.Fatal(err)
	}
	start := k.Start()
	if got, want := k.Write(&start), draughts.Start().Text(); got != want {
		t.Fatalf("starts at %s, want %s", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		theirs := anyBrazilian(t)
		ours, err := k.Read(theirs.Text())
		if err != nil {
			t.Fatal(err)
		}
		for depth := 1; depth <= 3; depth++ {
			for _, paths := range []bool{false, true} {
				if got, want := k.Perft(&ours, depth, paths), draughts.Perft(theirs, depth, paths, true); got != want {
					t.Fatalf("%s: %d at depth %d, paths %v, want %d", theirs.Text(), got, depth, paths, want)
				}
			}
		}
		var list []variant.Move
		for range 12 {
			if got, want := k.Write(&ours), theirs.Text(); got != want {
				t.Fatalf("at %s, want %s", got, want)
			}
			k.Legal(&ours, &list)
			if len(list) == 0 {
				break
			}
			compareMoves(t, k, &ours, theirs, list)
			m := list[rapid.IntRange(0, len(list)-1).Draw(t, "move")]
			ours, theirs = k.Play(&ours, m), theirs.Play(asDraughts(m))
		}
	})
}

func compareMoves(t *rapid.T, k *variant.Kernel, ours *variant.Position, theirs draughts.Position, list []variant.Move) {
	var want draughts.MoveList
	theirs.Legal(&want)
	for _, m := range list {
		if !slices.Contains(want, asDraughts(m)) {
			t.Fatalf("%s: a move too many, %v", theirs.Text(), asDraughts(m))
		}
	}
	if len(list) != len(want) {
		t.Fatalf("%s: %d moves, want %d", theirs.Text(), len(list), len(want))
	}
	var texts, wantTexts []string
	for _, path := range k.Paths(ours) {
		texts = append(texts, k.Text(&path))
	}
	for _, path := range theirs.LegalPaths() {
		wantTexts = append(wantTexts, path.Text())
	}
	slices.Sort(texts)
	slices.Sort(wantTexts)
	if !slices.Equal(texts, wantTexts) {
		t.Fatalf("%s:\ngot  %v\nwant %v", theirs.Text(), texts, wantTexts)
	}
}
