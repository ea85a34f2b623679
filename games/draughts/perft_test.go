package draughts

import (
	"encoding/json"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"
)

// perftCase is a position with its counts from depth 1 on, in both conventions.
type perftCase struct {
	Name  string   `json:"name"`
	FEN   string   `json:"fen"`
	Moves []uint64 `json:"perft"`
	Paths []uint64 `json:"perft_paths"`
}

// mostNodes keeps the tests quick; BenchmarkPerft checks what is deeper.
const mostNodes = 1_000_000

func perftCases(t testing.TB) []perftCase {
	t.Helper()
	data, err := os.ReadFile("testdata/draughts_perft.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []perftCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	return cases
}

func mustParse(t testing.TB, text string) Position {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

func TestPerft(t *testing.T) {
	for _, c := range perftCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			p := mustParse(t, c.FEN)
			checkPerft(t, p, c.Moves, false)
			checkPerft(t, p, c.Paths, true)
		})
	}
}

func checkPerft(t *testing.T, p Position, want []uint64, paths bool) {
	t.Helper()
	for i, n := range want {
		if n > mostNodes {
			return
		}
		if got := Perft(p, i+1, paths, true); got != n {
			t.Errorf("depth %d, paths %v: got %d, want %d", i+1, paths, got, n)
		}
		if n > mostNodes/10 {
			continue
		}
		if got := Perft(p, i+1, paths, false); got != n {
			t.Errorf("depth %d, paths %v, every leaf played: got %d, want %d", i+1, paths, got, n)
		}
	}
}

// TestPerftPathsDiffer holds the first depth at which the two conventions
// differ from the start, where most generators are compared.
func TestPerftPathsDiffer(t *testing.T) {
	if got := Perft(Start(), 8, false, true); got != 907830 {
		t.Errorf("distinct moves: got %d, want 907830", got)
	}
	if got := Perft(Start(), 8, true, true); got != 907836 {
		t.Errorf("distinct paths: got %d, want 907836", got)
	}
	if got := Perft(Start(), 0, false, true); got != 1 {
		t.Errorf("depth 0: got %d, want 1", got)
	}
}

func TestLegalDoesNotAllocate(t *testing.T) {
	list := make(MoveList, 0, 64)
	for _, c := range perftCases(t) {
		p := mustParse(t, c.FEN)
		if n := testing.AllocsPerRun(10, func() {
			p.Legal(&list)
			for _, m := range list {
				q := p.Play(m)
				if q.Side() == p.Side() {
					t.Error("the side did not change")
				}
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", c.Name, n)
		}
	}
}

func TestEdgeIsTheRim(t *testing.T) {
	var want Bitboard
	for i := range 32 {
		s := FromIndex(i)
		if f, r := s.File(), s.Row(); f == 0 || f == 7 || r == 0 || r == 7 {
			want |= s.Bit()
		}
	}
	if edge != want {
		t.Errorf("got %b, want %b", edge, want)
	}
}

// BenchmarkPerft reports nodes by second of processor time on the deepest
// counts up to the limit, which it checks.
func BenchmarkPerft(b *testing.B) {
	const limit = 25_000_000
	for _, c := range perftCases(b) {
		if slices.Max(c.Moves) < mostNodes {
			continue
		}
		for _, how := range []struct {
			name        string
			paths, bulk bool
			counts      []uint64
		}{{"bulk", false, true, c.Moves}, {"make", false, false, c.Moves}, {"bulkpaths", true, true, c.Paths}} {
			depth := 0
			for depth < len(how.counts) && how.counts[depth] < limit {
				depth++
			}
			b.Run(c.Name+"/"+how.name, func(b *testing.B) {
				p := mustParse(b, c.FEN)
				before := processorTime(b)
				for b.Loop() {
					if got := Perft(p, depth, how.paths, how.bulk); got != how.counts[depth-1] {
						b.Fatalf("depth %d: got %d, want %d", depth, got, how.counts[depth-1])
					}
				}
				spent := processorTime(b) - before
				b.ReportMetric(float64(how.counts[depth-1])*float64(b.N)/spent.Seconds()/1e6, "Mnodes/cpu-s")
			})
		}
	}
}

// processorTime is what this process has used, which other load on the machine
// disturbs less than the clock on the wall.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
