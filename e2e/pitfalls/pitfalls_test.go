package pitfalls

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var named = regexp.MustCompile("`([a-z0-9/]+)\\.(Test[A-Za-z0-9]+)`")

// TestEveryPitfallIsHeld: each of the 35 has a row, each that applies names tests,
// and every test that is named exists.
func TestEveryPitfallIsHeld(t *testing.T) {
	text, err := os.ReadFile("../../docs/pitfalls.md")
	if err != nil {
		t.Fatal(err)
	}
	next := 1
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		tests := named.FindAllStringSubmatch(line, -1)
		if strings.TrimSpace(cells[0]) == fmt.Sprint(next) && len(cells) == 4 {
			next++
			switch held := strings.TrimSpace(cells[3]); strings.TrimSpace(cells[2]) {
			case "yes":
				if len(tests) == 0 {
					t.Errorf("nothing holds: %s", line)
				}
			case "no":
				if len(tests) > 0 || len(held) < 10 {
					t.Errorf("why not: %s", line)
				}
			default:
				t.Errorf("applies or not: %s", line)
			}
		}
		for _, name := range tests {
			if !exists(t, name[1], name[2]) {
				t.Errorf("%s has no test %s", name[1], name[2])
			}
		}
	}
	if next != 36 {
		t.Errorf("the row of pitfall %d is missing", next)
	}
}

func exists(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+test+"(t *testing.T)") {
			return true
		}
	}
	return false
}
