package main

import (
	"encoding/json"
	"testing"
)

func TestEval(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		parts []string
		shots int
		code  int
	}{
		{nil, []string{"tempo", "material", "placement"}, -1, 0},
		{[]string{"--rules", "draughts"}, []string{"men", "kings", "patterns", "turn", "exposed"}, 0, 0},
		{[]string{"--rules", "draughts", "--fen", "W:W21,22,23,24,25,28,29,32:B4,5,6,8,10,12,14,15"}, []string{"men"}, 2, 0},
		{[]string{"--rules", "draughts", "--fen", "x"}, nil, 0, 2},
		{[]string{"--fen", "x"}, nil, 0, 2},
		{[]string{"--rules", "tictactoe"}, nil, 0, 2},
	} {
		stdout, stderr, code := runs(t, "", append([]string{"eval"}, tt.args...)...)
		if code != tt.code || (code == 0) == (stderr != "") {
			t.Errorf("%v: exit %d, %q", tt.args, code, stderr)
			continue
		}
		if code != 0 {
			continue
		}
		var line evalLine
		if err := json.Unmarshal([]byte(stdout), &line); err != nil {
			t.Fatalf("%v: %v in %q", tt.args, err, stdout)
		}
		for i, name := range tt.parts {
			if line.Factors[i].Name != name {
				t.Errorf("%v: factor %d is %+v, want %s", tt.args, i, line.Factors[i], name)
			}
		}
		if shots := line.Shots; (shots == nil) != (tt.shots < 0) || shots != nil && len(*shots) != tt.shots {
			t.Errorf("%v: %q, want %d shots", tt.args, stdout, tt.shots)
		}
	}
}
