package pairing

import (
	"math/rand/v2"
	"testing"
)

// best is the largest weight of a matching, by trying all.
func best(n int, of func(u, v int) weight, used int) weight {
	u := 1
	for u <= n && used>>u&1 == 1 {
		u++
	}
	if u > n {
		return weight{}
	}
	most := best(n, of, used|1<<u)
	for v := u + 1; v <= n; v++ {
		if used>>v&1 == 0 && of(u, v)[0] > 0 {
			if sum := of(u, v).plus(best(n, of, used|1<<u|1<<v)); less(&most, &sum) {
				most = sum
			}
		}
	}
	return most
}

// TestHeaviestIsTheBestOfAll: of weights whose first numbers are often equal, and of
// such as one number would be.
func TestHeaviestIsTheBestOfAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 3000 {
		n, kinds := 1+random.IntN(9), 1+random.IntN(12)
		table := make([][]weight, n+1)
		for u := range table {
			table[u] = make([]weight, n+1)
			for v := range table[u] {
				if random.IntN(3) == 0 {
					continue
				}
				table[u][v][0] = int64(1 + random.IntN(kinds))
				if round%3 > 0 {
					table[u][v][1], table[u][v][parts-1] = int64(random.IntN(3)), int64(random.IntN(9)-4)
				}
			}
		}
		of := func(u, v int) weight { return table[min(u, v)][max(u, v)] }
		mate := heaviest(n, of)
		var got weight
		for u := 1; u <= n; u++ {
			if v := mate[u]; v != 0 {
				if mate[v] != u || of(u, v)[0] == 0 {
					t.Fatalf("%d vertices %v: mates %v", n, table, mate)
				}
				if u < v {
					got = got.plus(of(u, v))
				}
			}
		}
		if want := best(n, of, 0); got != want {
			t.Fatalf("%d vertices %v: weight %d, want %d", n, table, got, want)
		}
	}
}
