package draughts

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tabuleiro/games"
)

// TestCountsSayWhatRulingsSay plays random games of few pieces and compares the
// counters for searches with what the game itself rules.
func TestCountsSayWhatRulingsSay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	starts := []string{"", "W:WKa1,Kc1,Ke1:BKh8", "W:WKa1,c3:BKh8", "W:WKa1,Kc1:BKb8,Kd8", "W:WKa1,c3,e3:BKb8,d6,f6", "W:WKc1,Ke1:BKb2,h8"}
	var g Game
	draws := 0
	for game := range 240 {
		p := games.Position{Text: starts[game%len(starts)], Draws: []string{drawsCBD, drawsFMJD64}[game/len(starts)%2]}
		if p.Text == "" {
			s := Start()
			p.Text = s.Text()
		}
		r, err := g.Rule(p)
		if err != nil {
			t.Fatal(err)
		}
		_, counts, _, err := g.Past(r.Position)
		if err != nil {
			t.Fatal(err)
		}
		for ply := 0; ply < 130 && r.Outcome == nil; ply++ {
			before, _, _, err := g.Past(r.Position)
			if err != nil {
				t.Fatal(err)
			}
			paths := before.LegalPaths()
			path := paths[rng.IntN(len(paths))]
			if _, r, err = g.Apply(r.Position, path.Text()); err != nil {
				t.Fatal(err)
			}
			now, read, keys, err := g.Past(r.Position)
			if err != nil {
				t.Fatal(err)
			}
			counts = counts.After(&before, path.Move, &now)
			if read != counts || counts.Reversible() != len(keys) {
				t.Fatalf("%v: counters %+v with %d keys, read again %+v", r.Position, counts, len(keys), read)
			}
			repeated := 1
			for _, key := range keys {
				if key == now.Hash() {
					repeated++
				}
			}
			if repeated != r.Repetition {
				t.Fatalf("%v: %d occurrences by the keys, %d by the ruling", r.Position, repeated, r.Repetition)
			}
			want := slices.ContainsFunc(r.Claims, func(c string) bool { return c != "repetition_3" })
			if r.Outcome != nil && r.Outcome.Draw {
				if r.Outcome.Reason == "repetition_3" {
					break
				}
				want = true
			}
			if r.Outcome == nil || r.Outcome.Draw {
				if got := counts.Drawn(&now); got != want {
					t.Fatalf("%v: drawn is %v, the ruling says %v %v", r.Position, got, r.Claims, r.Outcome)
				}
			}
			if want {
				draws++
			}
		}
	}
	if draws == 0 {
		t.Fatal("no draw was met")
	}
}
