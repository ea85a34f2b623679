package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestBench: the command, its form under uci and the line of the protocol count the
// same nodes; what makes no sense is bad usage.
func TestBench(t *testing.T) {
	nodes := func(in string, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := execute(t.Context(), args, streams{strings.NewReader(in), &out, &errs}); code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, code, errs.String())
		}
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "nodes ") {
				return line
			}
		}
		t.Fatalf("%v: no nodes in\n%s", args, out.String())
		return ""
	}
	one, two, three := nodes("", "bench", "--depth", "3"), nodes("", "uci", "bench", "3"), nodes("bench 3\n", "uci")
	if one != two || one != three {
		t.Errorf("%q, %q, %q", one, two, three)
	}
	if nodes("", "bench", "--rules", "draughts", "--depth", "3") == one {
		t.Error("draughts are chess")
	}
	for _, args := range [][]string{
		{"uci", "bench", "x"}, {"uci", "bench", "0"}, {"uci", "bench", "101"}, {"uci", "bench", "1", "1"}, {"uci", "go"},
		{"bench", "--depth=-1"}, {"bench", "--depth", "101"}, {"bench", "--hash", "0"}, {"bench", "--rules", "tictactoe"},
	} {
		var out, errs bytes.Buffer
		if code := execute(t.Context(), args, streams{strings.NewReader(""), &out, &errs}); code != exitUsage || errs.Len() == 0 {
			t.Errorf("%v: exit code %d, %q", args, code, errs.String())
		}
	}
}
