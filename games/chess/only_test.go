package chess

import (
	"testing"

	"pgregory.net/rapid"
)

// TestOnlyIsWhatIsLegal: each legal move is the only one from its origin, and
// from the whole board the answer is the one legal move of its kind or none.
func TestOnlyIsWhatIsLegal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t)
		p, err := s.Position()
		if err != nil {
			return
		}
		checkOnly(t, &p)
	})
	for _, row := range readRows[perftRow](t, "chess_perft.jsonl") {
		p := read(t, row.FEN, row.Chess960)
		checkOnly(t, &p)
	}
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func checkOnly(t fataler, p *Position) {
	t.Helper()
	var list MoveList
	p.Legal(&list)
	type say struct {
		role, promotion Role
		to              Square
	}
	count := map[say]int{}
	which := map[say]Move{}
	for _, m := range list.All() {
		if m.IsCastling() {
			continue
		}
		k := say{p.roleAt(m.From()), m.Promotion(), m.To()}
		count[k]++
		which[k] = m
		if got := p.Only(k.role, m.From().Bit(), k.to, k.promotion); got != m {
			t.Fatalf("%s: %s from its square is %v", p.FEN(), p.UCI(m), got)
		}
	}
	for _, role := range []Role{Pawn, Knight, Bishop, Rook, Queen, King} {
		for _, promotion := range []Role{NoRole, Pawn, Knight, Bishop, Rook, Queen, King} {
			for to := a1; to < NoSquare; to++ {
				k := say{role, promotion, to}
				want := NoMove
				if count[k] == 1 {
					want = which[k]
				}
				if got := p.Only(role, ^Bitboard(0), to, promotion); got != want {
					t.Fatalf("%s: %c to %s gives %v, want %v", p.FEN(), role.Letter(), to, got, want)
				}
			}
		}
	}
}
