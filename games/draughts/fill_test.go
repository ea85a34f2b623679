package draughts

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestFlightsAreRays holds the fills of whole sets against the rays of each
// square.
func TestFlightsAreRays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		occupied := Bitboard(r.Uint64()&r.Uint64()) & board
		kings := Bitboard(r.Uint64()) & occupied
		got := flights(kings, board&^occupied)
		want := ways{kings, kings, kings, kings}
		for k := kings; k != 0; k = k.Rest() {
			s := k.First()
			for d, set := range [4]*Bitboard{northWest: &want.nw, northEast: &want.ne, southEast: &want.se, southWest: &want.sw} {
				ray := rays[d][s]
				*set |= before(direction(d), ray, ray&occupied)
			}
		}
		if got != want {
			t.Fatalf("occupied %b, kings %b: got %b, want %b", occupied, kings, got, want)
		}
	})
}

// TestCountsAreThoseOfTheMoves holds the last ply of Perft, which makes no moves
// where it can, against the moves; each way to count has to come up.
func TestCountsAreThoseOfTheMoves(t *testing.T) {
	var list MoveList
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition(t)
		for range 8 {
			p.Legal(&list)
			n, ok := p.countPlain()
			if ok && n != uint64(len(list)) {
				t.Fatalf("%s: counted %d, there are %d", p.Text(), n, len(list))
			}
			if len(list) == 0 {
				return
			}
			taken := list[0].Captured.Count()
			if !ok && taken == 0 {
				t.Fatalf("%s: quiet, and not counted", p.Text())
			}
			if ok {
				seen[string(rune('0'+taken))]++
			} else {
				seen["made"]++
			}
			p = p.Play(list[rapid.IntRange(0, len(list)-1).Draw(t, "move")])
		}
	})
	for _, way := range []string{"0", "1", "2", "made"} {
		if seen[way] == 0 {
			t.Errorf("nothing was counted like %q: %v", way, seen)
		}
	}
}

// TestHashesStay: hashes may be stored, so they never change.
func TestHashesStay(t *testing.T) {
	for text, want := range map[string]uint64{
		"W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8": 0xb4295dfc8b170f9d,
		"B:WKa1,h2:BKh8,a7": 0xc7242cd91887b4cb,
	} {
		p := mustParse(t, text)
		if p.Hash() != want {
			t.Errorf("%s: %#x, want %#x", text, p.Hash(), want)
		}
	}
}
