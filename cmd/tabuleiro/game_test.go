package main

import (
	"strings"
	"testing"
)

// TestGameCommand plays through a pipe with the real engine.
func TestGameCommand(t *testing.T) {
	for _, tt := range []struct {
		args, in, end string // args joined by |
		code          int
	}{
		{"game|--fen|7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "Ke9\nQg7\n", "You win: checkmate. 1-0\n", 0},
		{"game|--rules|tictactoe|--side|o|--fen|xx1/oo1/3 x", "", "The engine wins: three_in_a_row. 1-0\n", 0},
		{"game|--rules|draughts|--level|plies-2|--seed|7|--time|20ms", "c3-d4\nmoves\nundo\nresign\n", "The engine wins: resignation. 0-1\n", 0},
		{"game|--level|none", "", "", 2},
		{"game|--rules|go", "", "", 2},
	} {
		stdout, stderr, code := runs(t, tt.in, strings.Split(tt.args, "|")...)
		if code != tt.code || !strings.HasSuffix(stdout, tt.end) || (code != 0) != (stderr != "") || strings.Contains(stdout, "> ") {
			t.Errorf("%s: exit %d, stderr %q\n%s", tt.args, code, stderr, stdout)
		}
	}
}
