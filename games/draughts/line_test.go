package draughts

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tabuleiro/games"
)

// A Line plays, refuses and ends as Apply does, ply by ply, under both draw
// sets.
func TestLinePlaysLikeApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draws := rapid.SampledFrom([]string{drawsCBD, drawsFMJD64}).Draw(t, "draws")
		start := games.Position{Draws: draws, Text: rapid.SampledFrom([]string{
			Start().Text(), "W:WKa1,Kc1:BKh8", "W:WKa1,Kc1,Ke1:BKb8,Kd8", "B:WKg7,a3:BKb2,c5",
		}).Draw(t, "start")}
		line, err := Game{}.Line(start)
		if err != nil {
			t.Fatal(err)
		}
		ruling, err := Game{}.Rule(start)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 80).Draw(t, "plies") {
			text := rapid.SampledFrom([]string{"a1-b2", "c3-d4", "h9", "a3xc5"}).Draw(t, "other")
			if n := len(ruling.Moves); n > 0 && rapid.IntRange(0, 9).Draw(t, "legal") > 0 {
				m := ruling.Moves[rapid.IntRange(0, n-1).Draw(t, "move")]
				text = rapid.SampledFrom([]string{
					m.Text, m.Notation, strings.ReplaceAll(m.Text, "-", "x"), strings.ReplaceAll(m.Notation, "x", "-"),
				}).Draw(t, "form")
			}
			want, after, wantErr := Game{}.Apply(ruling.Position, text)
			got, next, gotErr := line.Play(text)
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gotErr, wantErr) {
				t.Fatalf("%s in %s: got %+v, %v; want %+v, %v", text, ruling.Position.Text, got, gotErr, want, wantErr)
			}
			if wantErr != nil {
				continue
			}
			position := next.Position()
			if position.Text() != after.Position.Text || !reflect.DeepEqual(next.Outcome(), after.Outcome) {
				t.Fatalf("after %s: got %s, %v; want %s, %v", text, position.Text(), next.Outcome(), after.Position.Text, after.Outcome)
			}
			line, ruling = next, after
		}
	})
}
