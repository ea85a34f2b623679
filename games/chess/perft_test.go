package chess

import (
	"bufio"
	"encoding/json"
	"os"
	"strconv"
	"testing"
)

// perftNodes bounds the counts that the unit tests check.
const perftNodes = 1_000_000

type perftRow struct {
	ID       string            `json:"id"`
	FEN      string            `json:"fen"`
	Chess960 bool              `json:"chess960"`
	Perft    map[string]uint64 `json:"perft"`
}

// position reads the row's FEN under the rules that the row names.
func (r perftRow) position(t testing.TB) Position {
	t.Helper()
	return read(t, r.FEN, r.Chess960)
}

// read is ReadFEN that may be told that the position is one of Chess960.
func read(t testing.TB, fen string, chess960 bool) Position {
	t.Helper()
	s, err := ParseFEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	s.Chess960 = s.Chess960 || chess960
	p, err := s.Position()
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

// readRows reads a file of testdata, one JSON value a line.
func readRows[T any](t testing.TB, name string) []T {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestPerft(t *testing.T) {
	for _, row := range readRows[perftRow](t, "chess_perft.jsonl") {
		t.Run(row.ID, func(t *testing.T) {
			t.Parallel()
			p := row.position(t)
			for depth, want := range row.Perft {
				if want > perftNodes {
					continue
				}
				d, err := strconv.Atoi(depth)
				if err != nil {
					t.Fatal(err)
				}
				if got := Perft(p, d, true); got != want {
					t.Errorf("%s depth %d: %d nodes, want %d", row.FEN, d, got, want)
				}
				if want <= perftNodes/10 {
					if got := Perft(p, d, false); got != want {
						t.Errorf("%s depth %d played: %d nodes, want %d", row.FEN, d, got, want)
					}
				}
			}
		})
	}
}

// benchmarkPositions are the six well-known positions with the depths at which
// the speed of generators is compared: 41.8 million nodes.
func benchmarkPositions() []struct {
	name, fen string
	depth     int
	nodes     uint64
} {
	return []struct {
		name, fen string
		depth     int
		nodes     uint64
	}{
		{"start", StartFEN, 5, 4865609},
		{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603},
		{"position3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083},
		{"position4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292},
		{"position5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
		{"position6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594},
	}
}

func benchmarkPerft(b *testing.B, bulk bool) {
	for _, pos := range benchmarkPositions() {
		b.Run(pos.name, func(b *testing.B) {
			p := read(b, pos.fen, false)
			for b.Loop() {
				if got := Perft(p, pos.depth, bulk); got != pos.nodes {
					b.Fatalf("%d nodes, want %d", got, pos.nodes)
				}
			}
			b.ReportMetric(float64(pos.nodes)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}

func BenchmarkPerft(b *testing.B) {
	b.Run("bulk", func(b *testing.B) { benchmarkPerft(b, true) })
	b.Run("leaf", func(b *testing.B) { benchmarkPerft(b, false) })
}
