package chess

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// walkPositions visits the positions of random games from the suites' starts.
func walkPositions(t *testing.T, games int, visit func(p *Position)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	starts := []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
		"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
		"qrknbbrn/pppppppp/8/8/8/8/PPPPPPPP/QRKNBBRN w GBgb - 0 1",
	}
	var list MoveList
	for i := range games {
		setup, err := ParseFEN(starts[i%len(starts)])
		if err != nil {
			t.Fatal(err)
		}
		setup.Chess960 = i%len(starts) == 4
		p, err := setup.Position()
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			visit(&p)
			p.Legal(&list)
			if list.Len() == 0 {
				break
			}
			p = p.Play(list.At(rng.IntN(list.Len())))
		}
	}
}

// Of all 65,536 moves those are legal that Legal lists; captures and quiet moves
// together are all of them, each once.
func TestIsLegalAndStages(t *testing.T) {
	var list, part MoveList
	n := 0
	walkPositions(t, 25, func(p *Position) {
		var v Sight
		p.Look(&v)
		p.LegalSeen(&v, &list)
		legal := slices.Clone(list.All())
		slices.Sort(legal)
		p.CapturesSeen(&v, &part)
		staged := slices.Clone(part.All())
		for _, m := range staged {
			quiet := m.Promotion() == NoRole && !m.IsEnPassant() && p.roleAt(m.To()) == NoRole
			if quiet {
				t.Fatalf("%s: %s is among the captures", p.FEN(), p.UCI(m))
			}
		}
		p.QuietsSeen(&v, &part)
		staged = append(staged, part.All()...)
		slices.Sort(staged)
		if !slices.Equal(legal, staged) {
			t.Fatalf("%s: staged %v, legal %v", p.FEN(), staged, legal)
		}
		if n++; n%5 != 0 {
			return
		}
		at := 0
		for m := range 1 << 16 {
			want := at < len(legal) && legal[at] == Move(m)
			if want {
				at++
			}
			if got := p.IsLegal(&v, Move(m)); got != want {
				t.Fatalf("%s: IsLegal(%#x) = %v", p.FEN(), m, got)
			}
		}
	})
}

// A move gives check where the position after it is one.
func TestGivesCheck(t *testing.T) {
	var list MoveList
	checks := 0
	walkPositions(t, 200, func(p *Position) {
		var v Sight
		var c Checks
		p.Look(&v)
		p.LookForChecks(&v, &c)
		p.LegalSeen(&v, &list)
		for _, m := range list.All() {
			n := p.Play(m)
			want := n.InCheck()
			if want {
				checks++
			}
			if got := p.GivesCheck(&c, m); got != want {
				t.Fatalf("%s: %s gives check: %v", p.FEN(), p.UCI(m), got)
			}
		}
	})
	if checks < 1000 {
		t.Fatalf("only %d checks", checks)
	}
}
