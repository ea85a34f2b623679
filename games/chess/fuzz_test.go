package chess

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"tabuleiro/games"
)

// FuzzFEN reads anything: it is refused with a reason or comes back from its
// strict form as the same position.
func FuzzFEN(f *testing.F) {
	for _, row := range readRows[perftRow](f, "chess_perft.jsonl")[:40] {
		f.Add(row.FEN)
	}
	for _, fen := range []string{StartFEN, "", "8/8/8/8/8/8/8/8 w - - 0 1", "kK6/8/8/8/8/8/8/8 w KQkq e3 0 1"} {
		f.Add(fen)
	}
	f.Fuzz(func(t *testing.T, fen string) {
		p, err := ReadFEN(fen)
		if err != nil {
			var invalid *games.Invalid
			if !errors.As(err, &invalid) || len(invalid.Reasons) == 0 || invalid.Detail == "" {
				t.Fatalf("%q refused without a reason: %v", fen, err)
			}
			return
		}
		back, err := ReadFEN(p.FEN())
		// Without rights nothing is left that tells Chess960.
		if p.rights == 0 {
			back.chess960 = p.chess960
		}
		if err != nil || back != p {
			t.Fatalf("%q is written %q, which reads as %q, %v", fen, p.FEN(), back.FEN(), err)
		}
		var list MoveList
		p.Legal(&list)
		if list.Len() != p.Count() {
			t.Fatalf("%q: %d moves, %d counted", fen, list.Len(), p.Count())
		}
		for _, m := range list.All() {
			next := p.Play(m)
			if next.Hash() != next.freshHash() || next.Pieces(White, King).Count() != 1 || next.Pieces(Black, King).Count() != 1 {
				t.Fatalf("%q: %s leaves %q", fen, p.UCI(m), next.FEN())
			}
		}
	})
}

// fuzzPosition reads a position for the fuzzing of moves; ok is false where the
// text is none.
func fuzzPosition(fen string) (Position, bool) {
	p, err := ReadFEN(fen)
	return p, err == nil
}

// checkParsed checks what a reader of moves made of a text.
func checkParsed(t *testing.T, p Position, text string, m Move, why *games.Refusal) {
	t.Helper()
	var list MoveList
	p.Legal(&list)
	switch {
	case why == nil && !list.Contains(m):
		t.Fatalf("%s: %q reads as %v, which is not legal", p.FEN(), text, m)
	case why != nil && (m != NoMove || why.Code == "" || why.Code.Sentence() == string(why.Code)):
		t.Fatalf("%s: %q refused with %v, %+v", p.FEN(), text, m, why)
	case why != nil && why.Code == games.Ambiguous && len(why.Moves) < 2:
		t.Fatalf("%s: %q is ambiguous between %v", p.FEN(), text, why.Moves)
	}
}

func FuzzSAN(f *testing.F) {
	for _, text := range []string{"e4", "Nf3+", "exd8=Q#", "O-O", "0-0-0", "Ng1xf3", "e8(Q)", "dxe6 e.p.", "--", "R1a3", "bxc6"} {
		f.Add(StartFEN, text)
		f.Add("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", text)
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		if p, ok := fuzzPosition(fen); ok {
			m, why := p.ParseSAN(text)
			checkParsed(t, p, text, m, why)
		}
	})
}

func FuzzUCI(f *testing.F) {
	for _, text := range []string{"e2e4", "e1g1", "a7a8q", "0000", "e1h1", "b1h1", "e7e8K"} {
		f.Add(StartFEN, text)
		f.Add("4k3/P7/8/8/8/8/8/RK5R w HA - 0 1", text)
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		if p, ok := fuzzPosition(fen); ok {
			m, why := p.ParseUCI(text)
			checkParsed(t, p, text, m, why)
		}
	})
}

// FuzzApply plays text on text: no input may do more than be refused.
func FuzzApply(f *testing.F) {
	f.Add(StartFEN, "", "e4")
	f.Add("4k3/8/8/8/8/8/8/R3K3 w Q - 3 1", "0123456789abcdef.0123456789abcdef", "O-O-O")
	f.Fuzz(func(t *testing.T, fen, history, text string) {
		before := games.Position{Rules: "chess", Text: fen, History: history}
		_, r, err := New().Apply(before, text)
		if err != nil {
			return
		}
		again, err := New().Rule(r.Position)
		if err != nil || again.Key != r.Key || again.Repetition != r.Repetition || len(again.Moves) != len(r.Moves) {
			t.Fatalf("%q %q: ruled %+v, then %+v, %v", fen, text, r, again, err)
		}
	})
}

// drawSetup draws any content of a board: mostly sparse, sometimes full.
func drawSetup(t *rapid.T) Setup {
	s := Setup{EnPassant: NoSquare, Fullmove: rapid.IntRange(1, maxCounter).Draw(t, "fullmove")}
	s.Halfmove = rapid.IntRange(0, 150).Draw(t, "halfmove")
	s.Side = games.Side(rapid.IntRange(0, 1).Draw(t, "side"))
	roles := []Role{Pawn, Pawn, Pawn, Knight, Bishop, Rook, Queen}
	for range rapid.IntRange(0, 40).Draw(t, "pieces") {
		sq := rapid.IntRange(0, 63).Draw(t, "square")
		role := rapid.SampledFrom(roles).Draw(t, "role")
		if role == Pawn && lastRanks.Has(Square(sq)) {
			role = Rook
		}
		s.Board[sq] = NewPiece(games.Side(rapid.IntRange(0, 1).Draw(t, "owner")), role)
	}
	white := rapid.IntRange(0, 63).Draw(t, "white king")
	black := (white + rapid.IntRange(1, 63).Draw(t, "black king")) % 64
	s.Board[white], s.Board[black] = NewPiece(White, King), NewPiece(Black, King)
	if rapid.Bool().Draw(t, "rights") {
		for _, side := range []games.Side{White, Black} {
			for file := range 8 {
				if s.Board[At(file, 7*int(side))] == NewPiece(side, Rook) && rapid.Bool().Draw(t, "right") {
					s.Rights.Files[side] |= 1 << file
				}
			}
		}
	}
	if rapid.Bool().Draw(t, "passing") {
		s.EnPassant = At(rapid.IntRange(0, 7).Draw(t, "file"), 5-3*int(s.Side))
	}
	return s
}

// TestAnySetup plays from positions that no game reaches: the rules hold there
// as well, and each move found by the generator is found by its squares.
func TestAnySetup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t)
		p, err := s.Position()
		if err != nil {
			var invalid *games.Invalid
			if !errors.As(err, &invalid) || len(invalid.Reasons) == 0 {
				t.Fatalf("refused without a reason: %v", err)
			}
			return
		}
		back, err := ReadFEN(p.FEN())
		if err != nil || back != p {
			t.Fatalf("%s came back as %s, %v", p.FEN(), back.FEN(), err)
		}
		checkAgainstSlow(t, p)
	})
}

// checkAgainstSlow compares the generator with one that tries every move of the
// pieces and looks whether the king is attacked afterwards.
func checkAgainstSlow(t *rapid.T, p Position) {
	var list MoveList
	p.Legal(&list)
	if got := p.Count(); got != list.Len() {
		t.Fatalf("%s: %d moves, %d counted", p.FEN(), list.Len(), got)
	}
	found := 0
	for from := a1; from < NoSquare; from++ {
		for to := a1; to < NoSquare; to++ {
			for _, promotion := range []Role{NoRole, Knight, Bishop, Rook, Queen} {
				m, why := p.Find(from, to, promotion)
				if why != nil {
					continue
				}
				if !list.Contains(m) {
					t.Fatalf("%s: %s is not in the list", p.FEN(), p.UCI(m))
				}
				next := p.Play(m)
				if next.Attackers(next.King(p.side), next.side, next.Occupied()) != 0 || next.hash != next.freshHash() {
					t.Fatalf("%s: %s leaves %s", p.FEN(), p.UCI(m), next.FEN())
				}
				// Castling in standard chess is found by two squares.
				if !m.IsCastling() || to == m.To() {
					found++
				}
			}
		}
	}
	if found != list.Len() {
		t.Fatalf("%s: %d moves listed, %d found", p.FEN(), list.Len(), found)
	}
}
