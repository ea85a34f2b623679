package chess

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tabuleiro/games"
)

// wander calls visit for positions on random games from the rows of the perft
// suite, repeatable by seed.
func wander(t testing.TB, gamesEach, plies int, visit func(Position)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, row := range readRows[perftRow](t, "chess_perft.jsonl") {
		for range gamesEach {
			p := row.position(t)
			for range plies {
				visit(p)
				var list MoveList
				p.Legal(&list)
				if list.Len() == 0 {
					break
				}
				p = p.Play(list.At(rng.IntN(list.Len())))
			}
		}
	}
}

// TestFindAgreesWithLegal asks for every move that could be written down: what
// Legal lists is found, and everything else is refused with a reason.
func TestFindAgreesWithLegal(t *testing.T) {
	wander(t, 1, 4, func(p Position) {
		var list MoveList
		p.Legal(&list)
		legal := map[Move]bool{}
		for _, m := range list.All() {
			legal[m] = true
		}
		if len(legal) != list.Len() || p.Count() != list.Len() {
			t.Fatalf("%s: %d moves, %d different, %d counted", p.FEN(), list.Len(), len(legal), p.Count())
		}
		found := map[Move]bool{}
		for from := a1; from < NoSquare; from++ {
			for to := a1; to < NoSquare; to++ {
				promotions := []Role{NoRole, Queen}
				if lastRanks.Has(to) {
					promotions = []Role{NoRole, Knight, Bishop, Rook, Queen, King, Pawn}
				}
				for _, promotion := range promotions {
					m, why := p.Find(from, to, promotion)
					switch {
					case why == nil && !legal[m]:
						t.Fatalf("%s: %s%s%d found as %s, which is not legal", p.FEN(), from, to, promotion, p.UCI(m))
					case why == nil:
						found[m] = true
					case m != NoMove || why.Code == "" || len(why.Squares) == 0:
						t.Fatalf("%s: %s%s%d refused with %v %+v", p.FEN(), from, to, promotion, m, why)
					}
				}
			}
		}
		if len(found) != len(legal) {
			t.Fatalf("%s: found %d of %d moves", p.FEN(), len(found), len(legal))
		}
	})
}

// TestNotationComesBack writes every legal move in every notation and reads it.
func TestNotationComesBack(t *testing.T) {
	wander(t, 1, 12, func(p Position) {
		var list MoveList
		p.Legal(&list)
		seen := map[string]bool{}
		for _, m := range list.All() {
			san, uci := p.SAN(m), p.UCI(m)
			if seen[san] || seen[uci] {
				t.Fatalf("%s: %s or %s means two moves", p.FEN(), san, uci)
			}
			seen[san], seen[uci] = true, true
			for _, text := range []string{san, uci} {
				if got, why := p.ParseMove(text); why != nil || got != m {
					t.Fatalf("%s: %s reads as %v, %v, want %s", p.FEN(), text, got, why, uci)
				}
			}
			if got, why := p.ParseSAN(san); why != nil || got != m {
				t.Fatalf("%s: SAN %s reads as %v, %v, want %s", p.FEN(), san, got, why, uci)
			}
		}
	})
}

func TestPlayKeepsHashAndFEN(t *testing.T) {
	wander(t, 3, 60, func(p Position) {
		if got := p.freshHash(); got != p.Hash() {
			t.Fatalf("%s: hash %x, computed afresh %x", p.FEN(), p.Hash(), got)
		}
		back := read(t, p.FEN(), p.Chess960())
		if back != p {
			t.Fatalf("%s came back as %s", p.FEN(), back.FEN())
		}
		if !p.InCheck() {
			null := p.PlayNull()
			if got := null.freshHash(); got != null.Hash() {
				t.Fatalf("%s: after a null move hash %x, computed afresh %x", p.FEN(), null.Hash(), got)
			}
		}
	})
}

// TestFlipKeepsCounts turns the board upside down with the colours exchanged.
func TestFlipKeepsCounts(t *testing.T) {
	wander(t, 1, 10, func(p Position) {
		flipped := flip(t, p)
		if got, want := Perft(flipped, 2, true), Perft(p, 2, true); got != want {
			t.Fatalf("%s: %d, flipped %s: %d", p.FEN(), want, flipped.FEN(), got)
		}
		for _, side := range []games.Side{White, Black} {
			if p.CanWin(side) != flipped.CanWin(side^1) {
				t.Fatalf("%s: side %d can win: %v, flipped not so", p.FEN(), side, p.CanWin(side))
			}
		}
	})
}

func flip(t testing.TB, p Position) Position {
	t.Helper()
	s := Setup{Side: p.SideToMove() ^ 1, EnPassant: NoSquare, Halfmove: p.Halfmove(), Fullmove: p.Fullmove(),
		Chess960: p.Chess960()}
	for sq := a1; sq < NoSquare; sq++ {
		if piece := p.PieceAt(sq); piece != 0 {
			s.Board[sq^56] = NewPiece(piece.Side()^1, piece.Role())
		}
	}
	if p.EnPassant() != NoSquare {
		s.EnPassant = p.EnPassant() ^ 56
	}
	for set := p.CastlingRooks(); set != 0; set &= set - 1 {
		rook := set.First()
		s.Rights.Files[p.PieceAt(rook).Side()^1] |= 1 << rook.File()
	}
	flipped, err := s.Position()
	if err != nil {
		t.Fatalf("%s flipped: %v", p.FEN(), err)
	}
	return flipped
}

func TestCapturesAndQuietsSplitLegal(t *testing.T) {
	wander(t, 1, 30, func(p Position) {
		var legal, captures, quiets MoveList
		p.Legal(&legal)
		p.Captures(&captures)
		p.Quiets(&quiets)
		for _, m := range captures.All() {
			if p.roleAt(m.To()) == NoRole && !m.IsEnPassant() && m.Promotion() == NoRole || m.IsCastling() {
				t.Fatalf("%s: %s is no capture", p.FEN(), p.UCI(m))
			}
		}
		both := append(slices.Clone(captures.All()), quiets.All()...)
		all := slices.Clone(legal.All())
		slices.Sort(both)
		slices.Sort(all)
		if !slices.Equal(both, all) {
			t.Fatalf("%s: captures %d and quiets %d are not the %d legal moves", p.FEN(), captures.Len(), quiets.Len(), legal.Len())
		}
	})
}

func TestNothingAllocates(t *testing.T) {
	p := read(t, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false)
	if allocations := testing.AllocsPerRun(10, func() { Perft(p, 2, false) }); allocations != 0 {
		t.Errorf("%v allocations, want none", allocations)
	}
}
