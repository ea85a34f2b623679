package endings

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// upToFour are the tables of 2 to 4 pieces.
var upToFour = sync.OnceValue(func() *Tables {
	t := new(Tables)
	for n := MinPieces; n <= 4; n++ {
		data := make([]byte, Size(n))
		if err := t.Build(n, data, nil); err != nil {
			panic(err)
		}
		if err := t.Add(n, data); err != nil {
			panic(err)
		}
	}
	return t
})

func parse(t testing.TB, text string) draughts.Position {
	t.Helper()
	p, err := draughts.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

func TestProbe(t *testing.T) {
	for _, tt := range []struct {
		name, fen string
		value     int8
		distance  int
		ok        bool
	}{
		{"no pieces left", "W:W:Bc3", -1, 0, true},
		{"no move left", "W:Wa1:Bb2,c3", -1, 0, true},
		{"the last piece is taken", "W:Wc3:Bd4", 1, 1, true},
		{"turned round", "B:We5:Bf6", 1, 1, true},
		{"a king takes from afar", "W:WKa1:Bf6", 1, 1, true},
		{"a king steps aside", "W:WKa1:BKg7", 1, 1, true},
		{"a king each", "W:WKa1:BKb8", 0, 0, true},
		{"three kings to one that must take", "B:WKa5,Kb4,Kc1:BKd2", -1, 4, true},
		{"six pieces", "W:Wa1,c1,e1,g1,b2:Bb8", 0, 0, false},
		{"the start", draughts.Start().Text(), 0, 0, false},
	} {
		p := parse(t, tt.fen)
		value, distance, ok := upToFour().Probe(&p)
		if ok != tt.ok || ok && (value != tt.value || distance != tt.distance) {
			t.Errorf("%s: %s: got %d in %d, %v; want %d in %d, %v", tt.name, tt.fen, value, distance, ok, tt.value, tt.distance, tt.ok)
		}
	}
}

func TestNothingIsCoveredWithoutTables(t *testing.T) {
	var tables Tables
	p := parse(t, "W:WKa1:BKb8")
	if _, _, ok := tables.Probe(&p); ok {
		t.Error("a value without tables")
	}
	if got := tables.Pieces(); got != 0 {
		t.Errorf("covered up to %d pieces, want 0", got)
	}
	if err := tables.Build(3, make([]byte, Size(3)), nil); err == nil {
		t.Error("tables of 3 pieces without those of 2")
	}
	if err := tables.Add(2, make([]byte, 5)); err == nil {
		t.Error("tables of a wrong size")
	}
	if got := upToFour().Pieces(); got != 4 {
		t.Errorf("covered up to %d pieces, want 4", got)
	}
}

func TestBuildingStops(t *testing.T) {
	var tables Tables
	calls := 0
	err := tables.Build(2, make([]byte, Size(2)), func(done, total int) bool {
		calls++
		return done < total/2
	})
	if err != ErrStopped || calls < 2 {
		t.Errorf("got %v after %d calls, want %v", err, calls, ErrStopped)
	}
}

// The numbers of positions by pieces are published: 3,488, 196,032 and 6,209,316
// with one side to move.
func TestNumbersOfPositions(t *testing.T) {
	for n, want := range map[int]int{2: 3488, 3: 196032, 4: 6209316} {
		got := 0
		for i := range all.classes[n] {
			c := &all.classes[n][i]
			placed := 0
			for range c.placements() {
				placed++
			}
			if c.material != c.material.turned() {
				placed *= 2 // with the colours exchanged
			}
			got += placed
		}
		if got != want {
			t.Errorf("%d pieces: got %d positions, want %d", n, got, want)
		}
	}
}

// tally counts values in tenths of a percent.
type tally struct{ win, draw, loss, all int }

func (c *tally) add(value int8) {
	c.all++
	switch value {
	case 1:
		c.win++
	case 0:
		c.draw++
	default:
		c.loss++
	}
}

func (c *tally) String() string {
	share := func(n int) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(max(c.all, 1))) }
	return "win " + share(c.win) + " draw " + share(c.draw) + " loss " + share(c.loss)
}

// The shares are those that an independent generator found, and those of the
// lone king against three the ones that players know: on the main road it draws.
func TestKnownShares(t *testing.T) {
	tables := upToFour()
	var road draughts.Bitboard
	for i := range 8 {
		road |= draughts.At(i, i).Bit()
	}
	var four, onRoad, offRoad, threeOnRoad, threeOffRoad, twoOne, twoTwo tally
	for p := range Positions(4) {
		value, _, _ := tables.Probe(&p)
		four.add(value)
		us, them := p.Side(), p.Side().Other()
		if p.Men(us)|p.Men(them) != 0 {
			continue
		}
		switch own, their := p.Kings(us).Count(), p.Kings(them).Count(); {
		case own == 1 && p.Kings(us)&road != 0:
			onRoad.add(value)
		case own == 1:
			offRoad.add(value)
		case their == 1 && p.Kings(them)&road != 0:
			threeOnRoad.add(value)
		case their == 1:
			threeOffRoad.add(value)
		default:
			twoTwo.add(value)
		}
	}
	for p := range Positions(3) {
		us, them := p.Side(), p.Side().Other()
		if p.Kings(us).Count() == 2 && p.Kings(them).Count() == 1 {
			value, _, _ := tables.Probe(&p)
			twoOne.add(value)
		}
	}
	for _, tt := range []struct {
		name string
		got  *tally
		want string
	}{
		{"all of 4 pieces", &four, "win 38.8 draw 41.0 loss 20.2"},
		{"lone king to move, on the main road", &onRoad, "win 0.6 draw 80.8 loss 18.6"},
		{"lone king to move, off it", &offRoad, "win 1.5 draw 52.3 loss 46.2"},
		{"three kings to move, lone king on the road", &threeOnRoad, "win 70.2 draw 29.8 loss 0.0"},
		{"three kings to move, lone king off the road", &threeOffRoad, "win 99.2 draw 0.8 loss 0.0"},
		{"two kings against one", &twoOne, "win 37.8 draw 62.2 loss 0.0"},
		{"two kings against two", &twoTwo, "win 10.0 draw 89.7 loss 0.3"},
	} {
		if got := tt.got.String(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// What the moves lead to gives the value again, by the moves of package draughts.
func TestSampledValues(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	var moves draughts.MoveList
	for range 200_000 {
		p := Sample(4, random)
		if fault := Check(upToFour(), &p, &moves); fault != nil {
			t.Fatal(fault)
		}
	}
}

// Colours and sides turned round change nothing.
func TestValuesOfTurnedPositions(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for range 20_000 {
		p := Sample(2+random.IntN(3), random)
		q := (&pieces{p.Men(games.First), p.Kings(games.First), p.Men(games.Second), p.Kings(games.Second)}).turned()
		turned := q.position(p.Side().Other())
		v, d, ok := upToFour().Probe(&p)
		w, e, ok2 := upToFour().Probe(&turned)
		if v != w || d != e || !ok || !ok2 {
			t.Fatalf("%s: %d in %d; turned %s: %d in %d", p.Text(), v, d, turned.Text(), w, e)
		}
	}
}

func TestProbingAllocatesNothing(t *testing.T) {
	p := parse(t, "W:WKa1,c3:Bb6,Kg1")
	tables := upToFour()
	if n := testing.AllocsPerRun(100, func() { tables.Probe(&p) }); n != 0 {
		t.Errorf("%v allocations a probe, want none", n)
	}
}

func TestRanksAreNumbers(t *testing.T) {
	for k := range kinds {
		for n := range MaxPieces {
			for i, set := range setsOf(k, n) {
				if got := rank(k, set); got != uint32(i) || set.Count() != n || set&^realmOf(k).squares() != 0 {
					t.Fatalf("kind %d: set %x is number %d of those of %d squares, want %d", k, set, got, n, i)
				}
			}
		}
	}
}

func BenchmarkBuild4(b *testing.B) {
	for b.Loop() {
		var tables Tables
		for n := MinPieces; n <= 4; n++ {
			data := make([]byte, Size(n))
			if err := tables.Build(n, data, nil); err != nil {
				b.Fatal(err)
			}
			if err := tables.Add(n, data); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkProbe(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	tables := upToFour()
	var some [1024]draughts.Position
	for i := range some {
		some[i] = Sample(4, random)
	}
	i := 0
	for b.Loop() {
		tables.Probe(&some[i%len(some)])
		i++
	}
}
