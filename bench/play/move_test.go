package play

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"tabuleiro/bench/measure"
)

// BenchmarkStep runs single steps of the figures, to look into them with a profile.
func BenchmarkStep(b *testing.B) {
	for _, apart := range []bool{true, false} {
		s, err := start(Config{Postgres: os.Getenv("TABULEIRO_TEST_POSTGRES")}, apart)
		if err != nil {
			b.Log(err)
			continue
		}
		steps := map[string]step{
			"move": s.move, "empty": s.empty, "ruling": s.ruling, "transaction": s.transaction, "lone": s.lone,
			"post": s.post, "postNothing": s.postNothing, "postRaw": s.postRaw,
		}
		for _, callers := range []int{1, 16} {
			for name, do := range steps {
				b.Run(fmt.Sprintf("%s/apart=%v/callers=%d", name, apart, callers), func(b *testing.B) { s.benchmark(b, callers, do) })
			}
		}
		if err := s.stop(); err != nil {
			b.Error(err)
		}
	}
}

func (s *setup) benchmark(b *testing.B, callers int, do step) {
	if err := s.ready(callers, 0); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	spent, err := measure.Spent(func() error {
		var next atomic.Int64
		var all sync.WaitGroup
		for caller := range callers {
			all.Go(func() {
				for next.Add(1) <= int64(b.N) {
					for i, t := range []*table{s.games[caller], s.posted[caller]} {
						if int(t.game.GetTurn()) < gameLength && len(t.game.GetMoves()) > 0 {
							continue
						}
						anew, err := s.renew(b.Context(), uint64(2*caller+i))
						if err != nil {
							b.Error(err)
							return
						}
						*t = *anew
					}
					if err := do(b.Context(), caller); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "cpu-us/op")
}
