package main

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"tabuleiro/content"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	"tabuleiro/services/rules"
)

// TestOpeningsHaveTheirHashes: the moves of each opening lead to the position
// that the table says, and no two openings share one.
func TestOpeningsHaveTheirHashes(t *testing.T) {
	table, err := fs.ReadFile(content.Openings(), "chess.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(table), "\n"), "\n")[1:]
	if len(lines) < 3000 {
		t.Fatalf("only %d openings", len(lines))
	}
	service := rules.New()
	seen := map[string]string{}
	for _, line := range lines {
		columns := strings.Split(line, "\t")
		moves := strings.Fields(columns[3])
		text := "[Event \"?\"]\n\n" + strings.Join(moves, " ") + " *\n"
		out, err := service.ReadRecords(t.Context(), &rulesv1.ReadRecordsRequest{
			Rules: "chess", Text: []byte(text), Line: 1, Column: 1, Last: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		hashes := out.GetRecords()[0].GetHashes()
		if len(hashes) != 8*(len(moves)+1) {
			t.Fatalf("%s: %v", columns[2], out.GetRecords()[0].GetFaults())
		}
		if got := fmt.Sprintf("%x", hashes[8*len(moves):]); got != columns[0] {
			t.Errorf("%s: the hash is %s, the table has %s", columns[2], got, columns[0])
		}
		if other, double := seen[columns[0]]; double {
			t.Errorf("%s and %s are one position", columns[2], other)
		}
		seen[columns[0]] = columns[2]
	}
}
