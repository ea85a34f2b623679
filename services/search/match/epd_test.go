package match

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestExam: every sixth position of Win at Chess, as a smoke test; how many are
// found within a second of processor time is for the figures.
func TestExam(t *testing.T) {
	file, err := os.Open("testdata/wac.epd")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	questions, err := ReadEPD(file)
	if err != nil || len(questions) != 50 || questions[0].ID != "WAC.001" || questions[49].ID != "WAC.295" {
		t.Fatalf("%d questions, %v", len(questions), err)
	}
	var out bytes.Buffer
	right, err := Exam(t.Context(), parsed(t, "limit=nodes 3000;Hash=4", "chess"), questions, &out)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\tright\t"); right != n || n < 8 || strings.Count(out.String(), "\n") != 50 {
		t.Errorf("%d right\n%s", right, out.String())
	}
}

func TestEPD(t *testing.T) {
	list, err := ReadEPD(strings.NewReader("# no\n\n" +
		"4k3/8/8/8/8/8/8/4K2R w K - am Rh7 O-O; id \"one\";\n" +
		"4k3/8/8/8/8/8/8/4K2R w K - id \"nothing asked\";\n"))
	if err != nil || len(list) != 1 || list[0].ID != "one" {
		t.Fatalf("%+v, %v", list, err)
	}
	for move, want := range map[string]bool{"h1h7": false, "e1g1": false, "h1h8": true, "": false} {
		if list[0].right(move) != want {
			t.Errorf("%s: %v", move, !want)
		}
	}
	for _, bad := range []string{"8/8 w - -", "x", "4k3/8/8/8/8/8/8/4K2R w K - bm Ra1;"} {
		if _, err := ReadEPD(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
