package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTablesCommands(t *testing.T) {
	data := t.TempDir()
	for _, tt := range []struct {
		args, stdout string // args joined by |
		code         int
	}{
		{"tables|verify|--data|" + data, "", 2},
		{"tables|build|--pieces|9|--data|" + data, "", 2},
		{"tables|build|--pieces|x", "", 2},
		{"tables|probe|--data|" + data, "", 2},
		{"tables|probe|--fen|W:WKa1:BKg7|--data|" + data, `{"fen":"W:WKa1:BKg7","wdl":"win","distance":1,"best":["a1xh8"]}` + "\n", 0},
		{"tables|verify|--pieces|2|--sample|100|--seed|2|--data|" + data,
			`{"pieces":2,"positions":100,"won":43,"drawn":42,"lost":15,"longest":13,"faults":0}` + "\n", 0},
		{"tables", "", 2},
	} {
		stdout, stderr, code := runs(t, "", strings.Split(tt.args, "|")...)
		if code != tt.code || stdout != tt.stdout || code != 0 && stderr == "" {
			t.Errorf("%s: exit %d, stderr %q\ngot  %q\nwant %q, exit %d", tt.args, code, stderr, stdout, tt.stdout, tt.code)
		}
	}
}

// TestMatchByTables: an ending that is known is not played.
func TestMatchByTables(t *testing.T) {
	data := t.TempDir()
	file := filepath.Join(data, "endings.fen")
	if err := os.WriteFile(file, []byte("W:WKa1,Kc1:BKh8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"match", "--rules", "draughts", "-a", "name=a", "-b", "name=b;evaluator=f2", "--limit", "nodes 100", "--games", "2",
		"--openings", file, "--data", data, "--tables",
	}
	stdout, stderr, code := runs(t, "", args...)
	if want := "adjudication: tables 2\n"; code != 0 || !strings.HasSuffix(stdout, want) || !strings.Contains(stderr, "endings of 5 pieces are played on") {
		t.Errorf("exit %d\n%s\n%s\nwant %q", code, stdout, stderr, want)
	}
	args[2] = "chess"
	if _, stderr, code := runs(t, "", args...); code != 2 {
		t.Errorf("chess: exit %d: %s", code, stderr)
	}
}
