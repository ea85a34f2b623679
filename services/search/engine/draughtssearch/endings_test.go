package draughtssearch

import (
	"math/rand/v2"
	"sync"
	"testing"

	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/core"
	"tabuleiro/services/search/engine/endings"
)

// upToThree are the tables of up to three pieces.
var upToThree = sync.OnceValue(func() *endings.Tables {
	t := new(endings.Tables)
	for n := endings.MinPieces; n <= 3; n++ {
		data := make([]byte, endings.Size(n))
		if err := t.Build(n, data, nil); err != nil {
			panic(err)
		}
		if err := t.Add(n, data); err != nil {
			panic(err)
		}
	}
	return t
})

// From positions that the tables know, the engine wins as fast as can be and
// never gives a draw away, at a glance.
func TestEndingsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	probe := upToThree()
	wins := 0
	for range 300 {
		p := endings.Sample(3, rng)
		var list draughts.MoveList
		if p.Legal(&list); len(list) < 2 {
			continue
		}
		value, distance, ok := probe.Probe(&p)
		if !ok {
			t.Fatalf("%s is not known", p.Text())
		}
		got := New(p, draughts.Counts{}, nil, probe).Search(core.Limits{Depth: 4}, core.Full(), core.NewTable(1<<14))
		want := 0
		switch {
		case value != 0 && distance > 10:
			continue // A claim of ten plies could come before.
		case value > 0:
			want = core.Win - distance
			wins++
		case value < 0:
			want = distance - core.Win
		}
		if got.Score != want {
			t.Errorf("%s: %d by %v, want %d", p.Text(), got.Score, got.Line, want)
		}
		if value != 0 && got.Depth != 1 {
			t.Errorf("%s took %d plies", p.Text(), got.Depth)
		}
	}
	if wins < 20 {
		t.Errorf("only %d wins were met", wins)
	}
}

// Two kings against a man about to be crowned: the win is made, not only seen.
func TestWinsAreMade(t *testing.T) {
	p, err := draughts.Parse("W:WKa1,Kc1:Ba7")
	if err != nil {
		t.Fatal(err)
	}
	probe := upToThree()
	var counts draughts.Counts
	var list draughts.MoveList
	table := core.NewTable(1 << 16)
	for range 40 {
		if p.Legal(&list); len(list) == 0 {
			break
		}
		got := New(p, counts, nil, probe).Search(core.Limits{Depth: 6}, core.Full(), table)
		for _, m := range list {
			if Text(p, m) == got.Move {
				next := p.Play(m)
				counts = counts.After(&p, m, &next)
				p = next
				break
			}
		}
	}
	if p.Legal(&list); len(list) > 0 || p.Side() != 1 {
		t.Errorf("after 40 plies: %s", p.Text())
	}
}
