package draughts

import (
	"math/rand/v2"
	"testing"

	"tabuleiro/games"
)

// What a search asks of a position beside its moves, against slow answers over
// games by lot.
func TestViewsOfAPosition(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var list MoveList
	kings := 0
	for range 300 {
		p := Start()
		for range 100 {
			p.Legal(&list)
			if got := p.CanMove(); !p.MustCapture() && got != (len(list) > 0) {
				t.Fatalf("%s: CanMove is %v, there are %d moves", p.Text(), got, len(list))
			}
			if p.own == 0 {
				break
			}
			text := p.Text()
			other, err := Parse(map[byte]string{'W': "B", 'B': "W"}[text[0]] + text[1:])
			if err != nil {
				t.Fatal(err)
			}
			if got, want := p.Threatened(), other.MustCapture(); got != want {
				t.Fatalf("%s: Threatened is %v, want %v", text, got, want)
			}
			if got, want := p.Exposed(), slowExposed(p); got != want {
				t.Fatalf("%s: %v exposed, want %v", text, names(got), names(want))
			}
			for _, side := range [2]games.Side{games.First, games.Second} {
				if got, want := p.Reach(side), slowReach(p, side); got != want {
					t.Fatalf("%s: kings reach %v, want %v", text, names(got), names(want))
				}
			}
			if len(list) == 0 {
				break
			}
			kings += (p.kings & board).Count()
			p = p.Play(list[rng.IntN(len(list))])
		}
	}
	if kings < 1000 {
		t.Errorf("only %d kings were met", kings)
	}
}

var diagonals = [4][2]int{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}

// slowReach walks each king's diagonals.
func slowReach(p Position, side games.Side) (out Bitboard) {
	for b := p.Kings(side); b != 0; b = b.Rest() {
		for _, d := range diagonals {
			for n := 1; ; n++ {
				s := At(b.First().File()+n*d[0], b.First().Row()+n*d[1])
				if s == NoSquare || !p.Empty().Has(s) {
					break
				}
				out |= s.Bit()
			}
		}
	}
	return out
}

// slowExposed looks in all four directions from each piece for one that could
// take it.
func slowExposed(p Position) (out Bitboard) {
	us, them := p.Side(), p.Side().Other()
	for b := p.Pieces(us); b != 0; b = b.Rest() {
		s := b.First()
		for _, d := range diagonals {
			behind := At(s.File()-d[0], s.Row()-d[1])
			if behind == NoSquare || !p.Empty().Has(behind) {
				continue
			}
			for n := 1; ; n++ {
				from := At(s.File()+n*d[0], s.Row()+n*d[1])
				if from == NoSquare {
					break
				}
				if p.Empty().Has(from) {
					continue
				}
				if p.Kings(them).Has(from) || n == 1 && p.Men(them).Has(from) {
					out |= s.Bit()
				}
				break
			}
		}
	}
	return out
}
