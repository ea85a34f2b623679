package pgn

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"tabuleiro/games/chess"
)

// playRandomly plays up to a number of legal moves.
func playRandomly(rng *rand.Rand, p chess.Position, plies int) []chess.Move {
	var moves []chess.Move
	for range plies {
		var list chess.MoveList
		if p.Legal(&list); list.Len() == 0 {
			break
		}
		m := list.At(rng.IntN(list.Len()))
		moves = append(moves, m)
		p = p.Play(m)
	}
	return moves
}

// generated is a file of games with seven tags and no comments, of 1 to 300
// plies, mostly about 80.
func generated(tb testing.TB, seed uint64, games int) (file []byte, plies int) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	var out bytes.Buffer
	w := NewWriter(&out)
	for i := range games {
		length := 1 + (rng.IntN(80)+rng.IntN(80)+rng.IntN(80))*2/3
		if i%16 == 0 {
			length = 1 + rng.IntN(300)
		}
		g := Game{
			Tags: []Tag{
				{"Event", "Torneio aberto de Vila Nova"}, {"Site", "Vila Nova"},
				{"Date", fmt.Sprintf("20%02d.%02d.%02d", rng.IntN(26), 1+rng.IntN(12), 1+rng.IntN(28))},
				{"Round", fmt.Sprint(1 + rng.IntN(9))},
				{"White", fmt.Sprintf("Silva, Ana %d", rng.IntN(999))}, {"Black", fmt.Sprintf("Popescu, Ion %d", rng.IntN(999))},
			},
			Start:  chess.Start(),
			Line:   Line{Moves: playRandomly(rng, chess.Start(), length)},
			Result: []Result{WhiteWins, BlackWins, Drawn}[rng.IntN(3)],
		}
		if err := w.Write(&g); err != nil {
			tb.Fatal(err)
		}
		plies += len(g.Moves)
	}
	return out.Bytes(), plies
}

// cpuTime is what the process has used; on a busy machine it tells more than the
// clock.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRead reads and validates games with seven tags and no comments.
func BenchmarkRead(b *testing.B) {
	file, plies := generated(b, 1, 5000)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	var g Game
	before := cpuTime(b)
	for b.Loop() {
		r := NewReader(bytes.NewReader(file), Config{})
		n := 0
		for {
			err := r.Next(&g)
			if err == io.EOF {
				break
			}
			if err != nil || len(g.Errors) > 0 {
				b.Fatal(err, g.Errors)
			}
			n += len(g.Moves)
		}
		if n != plies {
			b.Fatalf("read %d plies of %d", n, plies)
		}
	}
	used := (cpuTime(b) - before).Seconds()
	b.ReportMetric(float64(plies)*float64(b.N)/used, "plies/cpu-s")
	b.ReportMetric(float64(len(file))*float64(b.N)/1e6/used, "MB/cpu-s")
}

// BenchmarkWrite writes the same games.
func BenchmarkWrite(b *testing.B) {
	file, _ := generated(b, 1, 200)
	var all []Game
	for r := NewReader(bytes.NewReader(file), Config{}); ; {
		var g Game
		if r.Next(&g) != nil {
			break
		}
		all = append(all, g)
	}
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(io.Discard)
		for i := range all {
			if err := w.Write(&all[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
}
