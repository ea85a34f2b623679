package engine

import "testing"

// BenchmarkNodes measures a search of a fixed number of nodes in a middle game
// of each game.
func BenchmarkNodes(b *testing.B) {
	for _, c := range []struct{ name, rules, text string }{
		{"chess", "chess", "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"},
		{"draughts", "draughts", "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := open(b, c.rules, c.text)
			table := NewTable(16 << 20)
			b.ReportAllocs()
			var nodes uint64
			for b.Loop() {
				table.Clear()
				nodes += p.Search(Limits{Nodes: 200_000}, Full(), table).Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
