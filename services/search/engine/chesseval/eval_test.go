package chesseval

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"tabuleiro/games/chess"
)

func parse(t testing.TB, fen string) chess.Position {
	t.Helper()
	setup, err := chess.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	p, err := setup.Position()
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

// walk visits positions of random games until there were so many.
func walk(t testing.TB, n int, visit func(p *chess.Position)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	start := parse(t, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
	var list chess.MoveList
	for {
		p := start
		for range 200 {
			p.Legal(&list)
			if list.Len() == 0 {
				break
			}
			p = p.Play(list.At(rng.IntN(list.Len())))
			visit(&p)
			if n--; n == 0 {
				return
			}
		}
	}
}

// mirrored is a position with the colours changed.
func mirrored(fen string) string {
	fields := strings.Fields(fen)
	rows := strings.Split(fields[0], "/")
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
		rows[i], rows[j] = rows[j], rows[i]
	}
	swap := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsUpper(r) {
				return unicode.ToLower(r)
			}
			return unicode.ToUpper(r)
		}, s)
	}
	side := "w"
	if fields[1] == "w" {
		side = "b"
	}
	return swap(strings.Join(rows, "/")) + " " + side + " - - " + fields[4] + " 1"
}

func TestColoursDoNotMatter(t *testing.T) {
	walk(t, 5000, func(p *chess.Position) {
		fields := strings.Fields(p.FEN())
		fen := fields[0] + " " + fields[1] + " - - " + fields[4] + " 1"
		a, b := parse(t, fen), parse(t, mirrored(fen))
		if x, y := Evaluate(&a), Evaluate(&b); x != y {
			t.Fatalf("%s: %d, mirrored %d", fen, x, y)
		}
	})
}

// What the trace counts, taken by the parameters, is what Evaluate says, with
// and without remembered pawns.
func TestTraceIsTheEvaluation(t *testing.T) {
	var e Evaluator
	var trace Trace
	params := Params()
	n := 0
	walk(t, 10000, func(p *chess.Position) {
		want := e.Evaluate(p, Placements(p))
		if got := Evaluate(p); got != want {
			t.Fatalf("%s: fresh %d, remembered %d", p.FEN(), got, want)
		}
		if got := trace.Evaluate(p); got != want {
			t.Fatalf("%s: traced %d, want %d", p.FEN(), got, want)
		}
		if trace.Fixed {
			return
		}
		n++
		sum := 0.0
		for i, v := range params {
			sum += float64(trace.Counts[0][i]-trace.Counts[1][i]) * (trace.Middle*float64(v.Middle()) + trace.Ending*float64(v.Ending()))
		}
		if p.SideToMove() == chess.Black {
			sum = -sum
		}
		if math.Abs(sum-float64(want)) > 2 { // rounding, twice
			t.Fatalf("%s: the trace adds up to %.1f, want %d", p.FEN(), sum, want)
		}
	})
	if n < 5000 {
		t.Fatalf("only %d positions were compared", n)
	}
}

func TestPlacementFollowsMoves(t *testing.T) {
	for _, role := range []chess.Role{chess.Pawn, chess.Knight, chess.Bishop, chess.Rook, chess.Queen, chess.King} {
		for s := range chess.Square(64) {
			if a, b := Placement(chess.NewPiece(chess.White, role), s), Placement(chess.NewPiece(chess.Black, role), s^56); a != -b {
				t.Fatalf("role %d on %v: %d and %d", role, s, a, b)
			}
		}
	}
}

func TestScoreKeepsBothValues(t *testing.T) {
	for _, c := range [][2]int{{0, 0}, {-1, 0}, {0, -1}, {-300, 200}, {300, -200}, {12000, -12000}} {
		if s := S(c[0], c[1]); s.Middle() != c[0] || s.Ending() != c[1] {
			t.Errorf("%v became %d, %d", c, s.Middle(), s.Ending())
		}
	}
	if s := S(-5, 7)*3 - S(10, -4); s.Middle() != -25 || s.Ending() != 25 {
		t.Errorf("got %d, %d", s.Middle(), s.Ending())
	}
}

// Endings that are worth nothing or everything are seen as such.
func TestKnownEndings(t *testing.T) {
	for _, c := range []struct {
		fen      string
		from, to int
	}{
		{"8/8/4k3/8/8/3NN3/4K3/8 w - - 0 1", -20, 20},       // two knights
		{"k7/8/8/8/8/P7/8/1KB5 w - - 0 1", -20, 20},         // a1-h8 bishop's wrong rook's pawn
		{"k7/8/8/8/8/P7/8/1K1B4 w - - 0 1", 200, 2000},      // the right one: d1 is light, a8 too
		{"8/8/4k3/8/8/8/4K3/4R3 w - - 0 1", 900, 3000},      // a rook mates
		{"8/8/8/8/8/5k2/8/5K1R w - - 0 1", 900, 3000},       // wherever the king is
		{"8/5k2/8/8/3b4/8/4K3/3R4 w - - 0 1", -80, 80},      // rook against bishop
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 20, 500},        // a pawn more
		{"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 300, 900}, // a rook more
	} {
		p := parse(t, c.fen)
		if v := Evaluate(&p); v < c.from || v > c.to {
			t.Errorf("%s: %d, want %d to %d", c.fen, v, c.from, c.to)
		}
	}
}

func TestAnyBoardKeepsWithinBounds(t *testing.T) {
	for _, fen := range []string{
		"QQQQQQ2/QQQQQ3/8/8/8/8/7k/K7 b - - 0 1",
		"kqqqqqqn/nnnnnnnn/bbbbbbbb/8/8/8/1P6/K7 w - - 0 1",
		"8/PPPPPPPP/8/8/8/k7/8/K7 w - - 149 200",
	} {
		p := parse(t, fen)
		if v := Evaluate(&p); v > Max || v < -Max {
			t.Errorf("%s: %d", fen, v)
		}
	}
}

func TestFactorsNameWhatTheyExplain(t *testing.T) {
	p := parse(t, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3")
	got := map[string]Factor{}
	for _, f := range Factors(&p) {
		got[f.Name] = f
	}
	for _, name := range []string{FactorMaterial, FactorPlaces, FactorPawns, FactorFiles, FactorKing, FactorMobility} {
		if _, ok := got[name]; !ok {
			t.Errorf("no factor %q", name)
		}
	}
	if m := got[FactorMaterial]; m.White != m.Black || m.White < 3000 {
		t.Errorf("material: %+v", m)
	}
}

func TestBlocksCoverAllParameters(t *testing.T) {
	at := 0
	for _, b := range Blocks() {
		if b.First != at || b.Size <= 0 {
			t.Fatalf("%+v begins at %d, want %d", b, b.First, at)
		}
		at += b.Size
	}
	if at != Count {
		t.Fatalf("%d parameters in blocks, want %d", at, Count)
	}
}

func BenchmarkEvaluate(b *testing.B) {
	var list []chess.Position
	var sums []Score
	walk(b, 2000, func(p *chess.Position) {
		list = append(list, *p)
		sums = append(sums, Placements(p))
	})
	var e Evaluator
	i := 0
	for b.Loop() {
		e.Evaluate(&list[i], sums[i])
		i = (i + 1) % len(list)
	}
}
