package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRecordDraughtsGolden has a file with all that records of draughts hold,
// and one that the draw rules tell apart.
func TestRecordDraughtsGolden(t *testing.T) {
	for _, tt := range []goldenRecord{
		{"brazilian.pdn.check", Record{Rules: "draughts", File: "testdata/brazilian.pdn"}, 1},
		{"brazilian.pdn.convert", Record{Rules: "draughts", File: "testdata/brazilian.pdn", Convert: true}, 1},
		{"draws.pdn.check.cbd", Record{Rules: "draughts", File: "testdata/draws.pdn", Draws: "cbd"}, 0},
		{"draws.pdn.check.fmjd64", Record{Rules: "draughts", File: "testdata/draws.pdn", Draws: "fmjd64"}, 1},
		{"draws.pdn.convert", Record{Rules: "draughts", File: "testdata/draws.pdn", Convert: true}, 0},
	} {
		t.Run(tt.golden, tt.check)
	}
}

// TestRecordDraughtsConvertsOnce: what convert writes has no faults, the same
// games, and converts to itself.
func TestRecordDraughtsConvertsOnce(t *testing.T) {
	for _, file := range []string{"testdata/brazilian.pdn", "testdata/draws.pdn"} {
		once, _, _ := run(Record{Rules: "draughts", File: file, Convert: true}, "")
		twice, stderr, code := run(Record{Rules: "draughts", File: "-", Convert: true}, once)
		if code != 0 || stderr != "" || twice != once {
			t.Errorf("%s: exit %d, %s\ngot\n%s\nwant\n%s", file, code, stderr, twice, once)
		}
		before, _, _ := run(Record{Rules: "draughts", File: file}, "")
		after, _, code := run(Record{Rules: "draughts", File: "-"}, once)
		if got, want := written(t, after), written(t, before); code != 0 || got != want {
			t.Errorf("%s: exit %d, got\n%s\nwant\n%s", file, code, got, want)
		}
	}
}

// written are the games of a check that convert writes.
func written(t *testing.T, lines string) string {
	t.Helper()
	var out []string
	for line := range strings.Lines(lines) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		// What a glyph or a variation lacks leaves the main line whole.
		if whole := len(r.Errors) == 0 || r.Errors[0].Code == "bad_glyph"; whole {
			out = append(out, strings.Join(r.Moves, " ")+" "+r.Result+" "+r.FinalFEN)
		}
	}
	return strings.Join(out, "\n")
}
