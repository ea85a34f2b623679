package draughtseval

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

func position(t testing.TB, text string) draughts.Position {
	t.Helper()
	p, err := draughts.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p
}

// walk plays games by lot and shows each position and the move that is made.
func walk(n int, see func(p draughts.Position, m draughts.Move)) {
	rng := rand.New(rand.NewPCG(1, 2))
	var list draughts.MoveList
	for range n {
		p := draughts.Start()
		for range 120 {
			p.Legal(&list)
			if len(list) == 0 {
				break
			}
			m := list[rng.IntN(len(list))]
			see(p, m)
			p = p.Play(m)
		}
	}
}

// turnedRound is a position as the other side sees it.
func turnedRound(t testing.TB, p draughts.Position) draughts.Position {
	t.Helper()
	side := func(s games.Side) string {
		var squares []string
		for b := p.Pieces(s); b != 0; b = b.Rest() {
			name := (draughts.NumSquares - 1 - b.First()).String()
			if p.Kings(s).Has(b.First()) {
				name = "K" + name
			}
			squares = append(squares, name)
		}
		return strings.Join(squares, ",")
	}
	return position(t, [2]string{"B", "W"}[p.Side()]+":W"+side(games.Second)+":B"+side(games.First))
}

func TestPatternsFollowMoves(t *testing.T) {
	var kept Patterns
	walk(200, func(p draughts.Position, m draughts.Move) {
		if p == draughts.Start() {
			kept = PatternsOf(&p)
		}
		if fresh := PatternsOf(&p); kept != fresh {
			t.Fatalf("%s: %x, fresh %x", p.Text(), kept, fresh)
		}
		kept.Play(&p, m)
	})
}

func TestBothSidesAreOne(t *testing.T) {
	for name, value := range map[string]func(draughts.Position) int{
		"patterns": func(p draughts.Position) int { k := PatternsOf(&p); return Damp(&p, Evaluate(&p, &k)) },
		"f2":       func(p draughts.Position) int { return F2(&p) },
	} {
		walk(60, func(p draughts.Position, _ draughts.Move) {
			q := turnedRound(t, p)
			if a, b := value(p), value(q); a != b {
				t.Fatalf("%s: %s is worth %d, turned round %d", name, p.Text(), a, b)
			}
		})
	}
}

// The tuner and the evaluation mean the same by a weight.
func TestFactorsAddUpToTheValue(t *testing.T) {
	values := make([][2]float64, NumFactors)
	for i := range values {
		full, empty := int32(0), int32(0)
		if i < factorMan {
			packed := weights.patterns[i/regionSize*stride+i%regionSize]
			empty = int32(int16(packed))
			full = (packed - empty) >> 16
		} else {
			full, empty = weights.others[i-factorMan][0], weights.others[i-factorMan][1]
		}
		values[i] = [2]float64{float64(full), float64(empty)}
	}
	var factors []Factor
	walk(60, func(p draughts.Position, _ draughts.Move) {
		factors = Factors(&p, factors[:0])
		sum := 0.0
		for _, f := range factors {
			sum += float64(f.Times) * (values[f.Index][0]*Full(&p) + values[f.Index][1]*(1-Full(&p)))
		}
		sum /= Scale
		if p.Side() == games.Second {
			sum = -sum
		}
		k := PatternsOf(&p)
		if got := Evaluate(&p, &k); float64(got) < sum-1 || float64(got) > sum+1 {
			t.Fatalf("%s: %d, its factors add up to %.2f", p.Text(), got, sum)
		}
	})
	if again := Bytes(values); string(again) != string(tuned) {
		t.Error("the weights are not the same once written again: a tied one has a value of its own")
	}
}

// A man more is worth about a man, a king more than two.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		text     string
		min, max int
	}{
		{"W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8", -40, 40},
		{"W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,h8", 40, 250},
		{"W:Wa1,c1,e1,g1,b2,Kd2:Ba7,c7,e7,g7,b8,d8", 130, 1200},
	} {
		p := position(t, c.text)
		k := PatternsOf(&p)
		if got := Evaluate(&p, &k); got < c.min || got > c.max {
			t.Errorf("%s: %d, want %d to %d", c.text, got, c.min, c.max)
		}
	}
}

// Values that the phases of the founding program give by hand.
func TestF2(t *testing.T) {
	for _, c := range []struct {
		why, text string
		want      int
	}{
		{"the start is even", "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8", 0},
		{"a lone king on the main diagonal, both guards gone; Black's man on a7 has not left its h2", "W:WKa1:Ba7", (300 + 10 + 10) - (100 + 5)},
		{"a1 still there, h2 left; Black's man on a row of worth 0 in the centre left both", "W:Wa1:Bc7", (100 + 5) - (100 + 2 + 10)},
		{"the man that is taken counts, and one's own that could be", "W:Wc3:Bd4", (100 + 3 + 10) - (100 + 5 + 10) + 100 - 5},
		{"a king that is taken decides", "W:Wc3:BKd4", (100 + 3 + 10) - (300 + 10 + 10) + 10000 - 5},
		{"what is taken at once counts, all else cancels out", "W:Wd4,a1,c1,e1,g1,b2,h2:Be5,b8,d8,f8,h8,a7,g7", 100},
	} {
		p := position(t, c.text)
		if got := F2(&p); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.why, c.text, got, c.want)
		}
	}
}

func TestParseRefusesWhatIsNoFileOfWeights(t *testing.T) {
	large := append([]byte(nil), tuned...)
	large[0], large[1] = 0xFF, 0x7F
	for name, data := range map[string][]byte{"nothing": nil, "one short": tuned[1:], "a pattern too large for a lane": large} {
		if _, err := Parse(data); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

// TestPartsAddUpToTheValue: but for what rounding each takes away; and the other
// side has the same.
func TestPartsAddUpToTheValue(t *testing.T) {
	walk(20, func(p draughts.Position, _ draughts.Move) {
		parts := Parts(&p)
		sum := 0
		for _, part := range parts {
			sum += part.White - part.Black
		}
		patterns := PatternsOf(&p)
		want := Evaluate(&p, &patterns)
		if p.Side() == games.Second {
			sum = -sum
		}
		if d := sum - want; d < -numParts-1 || d > numParts+1 {
			t.Fatalf("%s: %d of parts %+v, but %d", p.Text(), sum, parts, want)
		}
		turned := turnedRound(t, p)
		for i, part := range Parts(&turned) {
			if part.White != parts[i].Black || part.Black != parts[i].White {
				t.Fatalf("%s: %+v, turned round %+v", p.Text(), parts[i], part)
			}
		}
	})
}
