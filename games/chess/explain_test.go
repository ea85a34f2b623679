package chess

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tabuleiro/games"
)

func explain(t testing.TB, fen string) games.Insight {
	t.Helper()
	in, err := New().Explain(games.Position{Rules: "chess", Text: fen})
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return in
}

// ways are written "kind move move...", the moves sorted.
func ways(of []games.Way) []string {
	var out []string
	for _, w := range of {
		var moves []string
		for _, m := range w.Moves {
			moves = append(moves, m.Text)
		}
		slices.Sort(moves)
		out = append(out, w.Kind+" "+strings.Join(moves, " "))
	}
	return out
}

func TestWaysOutOfCheck(t *testing.T) {
	for _, tt := range []struct {
		what, fen string
		checks    []string
		want      []string
	}{
		{"none needed", StartFEN, nil, nil},
		{"every kind", "4r1k1/8/8/8/B7/3N4/8/3RKR2 w - - 0 1", []string{"e8"}, []string{
			"capture a4e8", "flee e1d2 e1f2", "block d3e5"}},
		{"the king takes", "6k1/8/8/8/8/8/4q3/4K3 w - - 0 1", []string{"e2"}, []string{"capture e1e2"}},
		{"the king takes another", "4r1k1/8/8/8/8/8/3n1P2/3RKR2 w - - 0 1", []string{"e8"}, []string{"flee e1d2"}},
		{"a double check leaves the king alone", "4r1k1/8/8/8/1b6/2P5/8/3QKB2 w - - 0 1", []string{"e8"}, []string{
			"flee e1d2 e1f2", "block d1e2 f1e2"}},
		{"in passing takes what checks", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", []string{"d4"}, []string{
			"capture c5d4 e4d3", "flee c5b4 c5b5 c5b6 c5c4 c5c6 c5d5 c5d6"}},
		{"in passing steps between", "8/8/8/1k1pP2B/8/8/8/3K4 b - - 0 1", nil, nil},
		{"mate", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", []string{"a8"}, nil},
	} {
		in := explain(t, tt.fen)
		if !reflect.DeepEqual(in.Checks, tt.checks) || !slices.Equal(ways(in.Ways), tt.want) {
			t.Errorf("%s: checks %v, ways %v\nwant %v, %v", tt.what, in.Checks, in.Ways, tt.checks, tt.want)
		}
	}
}

func TestPins(t *testing.T) {
	got := explain(t, "r3k3/4n3/8/b7/8/2N5/3P4/R3K2R w - - 0 1").Pins
	if got != nil {
		t.Errorf("two shields are no pin: %v", got)
	}
	got = explain(t, "r2qk3/4n3/8/b7/4R3/8/3P4/4K2R b - - 0 1").Pins
	want := []games.Pin{{Pinned: "d2", Pinner: "a5", King: "e1", Side: White}, {Pinned: "e7", Pinner: "e4", King: "e8", Side: Black}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTargets(t *testing.T) {
	target := func(square string, side games.Side, hanging bool, attackers, defenders []string) games.Target {
		return games.Target{Square: square, Side: side, Attackers: attackers, Defenders: defenders, Hanging: hanging}
	}
	list := func(squares ...string) []string { return squares }
	for _, tt := range []struct {
		what, fen string
		want      []games.Target
	}{
		{"nothing", StartFEN, nil},
		{"undefended", "4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1", []games.Target{target("e5", Black, true, list("f3"), nil)}},
		{"whoever is to move", "4k3/8/8/4p3/8/5N2/8/4K3 b - - 0 1", []games.Target{target("e5", Black, true, list("f3"), nil)}},
		{"defended by a pawn", "4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1", []games.Target{target("e5", Black, false, list("f3"), list("d6"))}},
		{"attacked by a cheaper one", "4k3/8/3p4/4r3/5P2/8/3K4/8 w - - 0 1", []games.Target{
			target("e5", Black, true, list("f4"), list("d6"))}},
		{"a pinned piece defends nothing", "4k3/4n3/2p5/8/8/4RB2/8/K7 w - - 0 1", []games.Target{
			target("c6", Black, true, list("f3"), nil), target("e7", Black, false, list("e3"), list("e8"))}},
		{"a king does not take what is guarded", "8/8/8/3b4/8/1k3q2/8/7K w - - 0 1", nil},
		{"through a rook to another", "3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", []games.Target{
			target("d5", Black, true, list("d2"), list("d8"))}},
		{"queens stay behind rooks", "3rk3/3r4/8/3p4/8/8/3Q4/3RK3 w - - 0 1", []games.Target{
			target("d5", Black, false, list("d2"), list("d7"))}},
		{"in passing", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", []games.Target{target("d4", White, true, list("e4"), nil)}},
		{"in passing, guarded behind", "4k3/8/8/8/3Pp3/8/4P3/4K3 b - d3 0 1", []games.Target{target("d4", White, false, list("e4"), nil)}},
		{"a pawn takes and promotes", "rn2k3/P7/8/8/8/8/8/4K3 w - - 0 1", []games.Target{
			target("a7", White, true, list("a8"), nil), target("b8", Black, true, list("a7"), list("a8"))}},
		{"a check must be answered first", "4k3/8/8/8/1b3n2/8/6P1/1N2K2R w - - 0 1", []games.Target{target("g2", White, true, list("f4"), nil)}},
	} {
		if got := explain(t, tt.fen).Targets; !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", tt.what, got, tt.want)
		}
	}
}

// TestExplainsWhatIsLegal holds insights against the legal moves of thousands
// of positions.
func TestExplainsWhatIsLegal(t *testing.T) {
	wander(t, 1, 4, func(p Position) {
		in := explain(t, p.FEN())
		var list MoveList
		p.Legal(&list)
		var out, legal []string
		takers, movable := map[string][]string{}, Bitboard(0)
		for _, m := range list.All() {
			legal = append(legal, p.UCI(m))
			movable |= m.From().Bit()
			switch victim := m.To(); {
			case m.IsEnPassant():
				takers[(victim ^ 8).String()] = append(takers[(victim^8).String()], m.From().String())
			case !m.IsCastling() && p.PieceAt(victim) != 0:
				takers[victim.String()] = append(takers[victim.String()], m.From().String())
			}
		}
		for _, w := range in.Ways {
			for _, m := range w.Moves {
				out = append(out, m.Text)
			}
		}
		slices.Sort(out)
		slices.Sort(legal)
		over := in.Movable == nil && list.Len() > 0 // dead by material
		if p.InCheck() && !over && !slices.Equal(out, legal) || !p.InCheck() && out != nil {
			t.Fatalf("%s: ways out %v of %v", p.FEN(), out, legal)
		}
		if !over && !slices.Equal(in.Movable, movable.Names()) {
			t.Fatalf("%s: movable %v, want %v", p.FEN(), in.Movable, movable.Names())
		}
		met := 0
		for _, target := range in.Targets {
			s := ParseSquare(target.Square)
			if len(target.Attackers) == 0 || p.PieceAt(s).Side() != target.Side || p.PieceAt(s).Role() == King {
				t.Fatalf("%s: %+v", p.FEN(), target)
			}
			if target.Side != p.side {
				want := takers[target.Square]
				slices.Sort(want)
				if want = slices.Compact(want); !slices.Equal(target.Attackers, want) {
					t.Fatalf("%s: %+v, taken by %v", p.FEN(), target, want)
				}
				met++
			}
			cheaper := slices.ContainsFunc(target.Attackers, func(a string) bool {
				return p.PieceAt(ParseSquare(a)).Role() == Pawn
			}) && p.PieceAt(s).Role() != Pawn
			if cheaper && !lastRanks.Has(s) && !target.Hanging {
				t.Fatalf("%s: %+v is attacked by a pawn", p.FEN(), target)
			}
		}
		if met != len(takers) {
			t.Fatalf("%s: %d of the opponent's pieces are targets, want %v", p.FEN(), met, takers)
		}
	})
}

// TestRefusalsInCheckOfferTheWaysOut: and none is offered without a check.
func TestRefusalsInCheckOfferTheWaysOut(t *testing.T) {
	for _, tt := range []struct {
		what, fen, move string
		want            []string
	}{
		{"another piece moves", "4r1k1/8/8/8/B7/3N4/8/3RKR2 w - - 0 1", "a4b3", []string{
			"capture a4e8", "flee e1d2 e1f2", "block d3e5"}},
		{"castling", "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "O-O", []string{
			"flee e1d1 e1d2 e1f1 e1f2"}},
		{"a pin without a check", "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1", "c3d5", nil},
		{"another fault", "4r1k1/8/8/8/B7/3N4/8/3RKR2 w - - 0 1", "d1d4", nil},
	} {
		_, _, err := New().Apply(games.Position{Text: tt.fen}, tt.move)
		r, ok := errors.AsType[*games.Refusal](err)
		if !ok || !slices.Equal(ways(r.Ways), tt.want) {
			t.Errorf("%s: %v, ways %v, want %v", tt.what, err, r.Ways, tt.want)
		}
	}
	_, _, err := New().Apply(games.Position{Text: "8/4P3/8/8/8/1k6/8/4K3 w - - 0 1"}, "e8")
	if r, ok := errors.AsType[*games.Refusal](err); !ok || !slices.Equal(r.Moves, []string{"e7e8q", "e7e8r", "e7e8b", "e7e8n"}) {
		t.Errorf("a missing promotion: %v", err)
	}
}
