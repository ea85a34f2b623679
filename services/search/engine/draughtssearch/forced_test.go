package draughtssearch

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestForcedShots(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Forced
	}{
		{startText, nil},
		// An exchange; and one given for three and a crown.
		{"W:W21,22,23,24,25,28,29,32:B4,5,6,8,10,12,14,15", []Forced{
			{"g3-f4", "e5xg3", "h2xf4", 1, 1}, {"c3-d4", "e5xc3", "b2xd4xb6xd8", 3, 1},
		}},
	} {
		got := ForcedShots(open(t, "", c.text).pos)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
	}
}

// Known combinations begin with a forced shot more often than not.
func TestCombinationsBeginWithForcedShots(t *testing.T) {
	data, err := os.ReadFile("testdata/shots.tsv")
	if err != nil {
		t.Fatal(err)
	}
	found, all := 0, 0
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		all++
		for _, f := range ForcedShots(open(t, "", fields[0]).pos) {
			if f.Move == fields[1] {
				found++
				break
			}
		}
	}
	t.Logf("%d of %d", found, all)
	if found*2 < all {
		t.Errorf("%d of %d", found, all)
	}
}
