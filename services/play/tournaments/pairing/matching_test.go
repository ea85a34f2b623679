package pairing

import (
	"math/rand/v2"
	"testing"
)

// best is the largest weight of a matching, by trying all.
func best(n int, weight func(u, v int) int64, used int) int64 {
	u := 1
	for u <= n && used>>u&1 == 1 {
		u++
	}
	if u > n {
		return 0
	}
	most := best(n, weight, used|1<<u)
	for v := u + 1; v <= n; v++ {
		if used>>v&1 == 0 && weight(u, v) > 0 {
			most = max(most, weight(u, v)+best(n, weight, used|1<<u|1<<v))
		}
	}
	return most
}

func TestHeaviestIsTheBestOfAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		n := 1 + random.IntN(9)
		table := make([][]int64, n+1)
		for u := range table {
			table[u] = make([]int64, n+1)
			for v := range table[u] {
				if random.IntN(3) > 0 {
					table[u][v] = int64(1 + random.IntN(12))
				}
			}
		}
		weight := func(u, v int) int64 { return table[min(u, v)][max(u, v)] }
		mate := heaviest(n, weight)
		var got int64
		for u := 1; u <= n; u++ {
			if v := mate[u]; v != 0 {
				if mate[v] != u || weight(u, v) == 0 {
					t.Fatalf("%d vertices %v: mates %v", n, table, mate)
				}
				if u < v {
					got += weight(u, v)
				}
			}
		}
		if want := best(n, weight, 0); got != want {
			t.Fatalf("%d vertices %v: weight %d, want %d", n, table, got, want)
		}
	}
}
