package main

import (
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
