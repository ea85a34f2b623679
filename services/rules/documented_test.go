package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/chess/pgn"
)

// policyCases are the cases of a file that a rule book leaves to us, as the page
// names them.
func policyCases(t *testing.T, game, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range bytes.Lines(text) {
		var c struct {
			N      int
			Policy bool
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if c.Policy {
			out = append(out, fmt.Sprintf("%s %d", game, c.N))
		}
	}
	if len(out) == 0 {
		t.Errorf("%s has no such case", file)
	}
	return out
}

// TestPolicyIsDocumented: docs/rules.md has an entry for every policy case, no
// other, and no code that there is not.
func TestPolicyIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) == 4 {
			if entry := strings.TrimSpace(cells[3]); regexp.MustCompile(`^[a-z]+ \d+$`).MatchString(entry) {
				got = append(got, entry)
			}
		}
	}
	want := append(policyCases(t, "chess", "../../games/chess/testdata/chess_cases.jsonl"),
		policyCases(t, "draughts", "../../games/draughts/testdata/pdn_fen_cases.jsonl")...)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("docs/rules.md has the cases %q, the tests %q", got, want)
	}
	known := []string{"bad_field", "bad_history", "unknown_draws",
		"bad_fields", "bad_placement", "bad_side", "bad_castling_text", "bad_square", "bad_counter",
		"missing_king", "too_many_kings", "pawns_on_edge", "opposite_check", "bad_castling", "bad_en_passant",
		"bad_list", "no_such_square", "mixed_squares", "too_many_pieces", "chess_cases", "pdn_fen_cases"}
	for _, c := range []games.Code{pgn.BadTag, pgn.BadGlyph, pgn.NullMove, pgn.Unclosed, pgn.Unexpected, pgn.TooLong, pgn.TooDeep, pgn.UnknownVariant} {
		known = append(known, string(c))
	}
	for _, c := range games.Codes() {
		known = append(known, string(c.Code))
	}
	for _, m := range regexp.MustCompile("`([a-z]+(?:_[a-z]+)+)`").FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(known, m[1]) {
			t.Errorf("docs/rules.md names %s, which is no code", m[1])
		}
	}
}
