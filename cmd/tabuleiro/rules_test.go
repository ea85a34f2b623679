package main

import (
	"bytes"
	"strings"
	"testing"
)

// runs executes a command line with an input.
func runs(t *testing.T, in string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = execute(t.Context(), args, streams{strings.NewReader(in), &out, &err})
	return out.String(), err.String(), code
}

func TestRulesCommands(t *testing.T) {
	const mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
	matedLine := `{"fen":"` + mated + `","side":"black","moves":[],"claims":[],"outcome":{"winner":"white","reason":"checkmate"}}` + "\n"
	for _, tt := range []struct {
		args, in string // args joined by |
		stdout   string
		code     int
	}{
		{"moves|--fen|" + mated + "|--json", "", matedLine, 0},
		{"moves|--stdin", `{"fen":"` + mated + `","chess960":false}`, matedLine, 0},
		{"moves|--stdin|--rules|tictactoe|--json", `{"fen":"xxx/oo1/3 o"}`,
			`{"fen":"xxx/oo1/3 o","side":"o","moves":[],"claims":[],"outcome":{"winner":"x","reason":"three_in_a_row"}}` + "\n", 0},
		{"moves|--fen||--json", "",
			`{"error":{"code":"bad_text","message":"not a FEN: it needs one to six fields, not 0","reasons":["bad_fields"]}}` + "\n", 2},
		{"moves|--rules|go", "", "", 2},
		{"perft|--depth|3", "", "8902\n", 0},
		{"perft|--depth|4|--rules|draughts|--count|paths|--no-bulk", "", "1469\n", 0},
		{"perft|--depth|1|--rules|draughts|--divide|--fen|W:Wa1:Bh8", "", "a1-b2: 1\n1\n", 0},
		{"perft|--depth|9|--rules|tictactoe", "", "127872\n", 0},
		{"perft|--depth|1|--chess960|--fen|4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "", "16\n", 0},
		{"perft", "", "", 2},
		{"perft|--depth|x", "", "", 2},
		{"perft|--depth|1|--count|nodes", "", "", 2},
		{"perft|--depth|1|--fen|8/8", "", "", 2},
		{"apply|--rules|tictactoe|--fen|xx1/oo1/3 x|3", "",
			`{"ply":1,"move":"c3","notation":"c3","fen":"xxx/oo1/3 o","repetition":1,"claims":[],"outcome":{"winner":"x","reason":"three_in_a_row"}}` + "\n", 0},
		{"apply|--rules|draughts|--draws|fmjd64|c3-c4", "",
			`{"ply":1,"error":{"code":"cannot_move_so","message":"the piece cannot move so: c3 c4","reasons":[],"squares":["c3","c4"]}}` + "\n", 1},
		{"record|check|-", "1. e4 *",
			`{"index":1,"rules":"chess","tags":[],"plies":1,"moves":["e2e4"],"result":"*","final_fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1","errors":[]}` + "\n", 0},
		{"record|convert|--rules|draughts|--fen|W:Wa1,c3:Bh8|--draws|fmjd64|-", "1. d4 *", "", 1},
		{"record|check|--chess960|--fen|4k3/8/8/8/8/8/8/4K2R w K - 3 20|-", "1. 0-0 *",
			`{"index":1,"rules":"chess","tags":[],"plies":1,"moves":["e1h1"],"result":"*","final_fen":"4k3/8/8/8/8/8/8/5RK1 b - - 4 20","errors":[]}` + "\n", 0},
		{"record|check|--rules|tictactoe|-", "", "", 2},
		{"record|check", "", "", 2},
		{"record", "", "", 2},
		{"apply", "", "", 2},
		{"apply|--draws|cbd|e4", "", "", 2},
	} {
		stdout, stderr, code := runs(t, tt.in, strings.Split(tt.args, "|")...)
		if code != tt.code || stdout != tt.stdout || (code != 0) != (stderr != "") {
			t.Errorf("%s: exit %d, stderr %q\ngot  %q\nwant %q, exit %d", tt.args, code, stderr, stdout, tt.stdout, tt.code)
		}
	}
	stdout, _, code := runs(t, "", "codes", "--rules", "draughts")
	if code != 0 || !strings.HasPrefix(stdout, "bad_text\t") {
		t.Errorf("codes: exit %d, %s", code, stdout)
	}
}

// TestBadOptionsAreNamed: an option with a bad value is bad usage, exit 2, and
// the sentence names it.
func TestBadOptionsAreNamed(t *testing.T) {
	for _, tt := range []struct{ args, option string }{ // args joined by |
		{"moves|--rules|go", "--rules"},
		{"moves|--rules|", "--rules"},
		{"moves|--fen|", "--fen"},
		{"moves|--fen|x|--json", "--fen"},
		{"moves|--what", "--what"},
		{"moves|--json=maybe", "--json"},
		{"perft|--rules|Chess|--depth|1", "--rules"},
		{"perft", "--depth"},
		{"perft|--depth", "--depth"},
		{"perft|--depth|", "--depth"},
		{"perft|--depth|-1", "--depth"},
		{"perft|--depth=-1", "--depth"},
		{"perft|--depth|100", "--depth"},
		{"perft|--depth|99999999999999999999", "--depth"},
		{"perft|--depth|1.5", "--depth"},
		{"perft|--depth|1|--count|nodes", "--count"},
		{"perft|--depth|1|--count|", "--count"},
		{"perft|--depth|1|--fen|", "--fen"},
		{"apply|--draws|x|e4", "--draws"},
		{"apply|--rules|draughts|--draws|fide|c3-d4", "--draws"},
		{"apply|--rules|tictactoe|--draws|cbd|1", "--draws"},
		{"apply|--fen||e4", "--fen"},
		{"apply|--rules|go|e4", "--rules"},
		{"record|check|--rules|go|-", "--rules"},
		{"record|check|--rules|tictactoe|-", "--rules"},
		{"record|check|--draws|x|-", "--draws"},
		{"record|convert|--rules|draughts|--draws|x|-", "--draws"},
		{"record|check|--fen||-", "--fen"},
		{"record|convert|--rules|draughts|--fen||-", "--fen"},
		{"codes|--rules|go", "--rules"},
	} {
		_, stderr, code := runs(t, "", strings.Split(tt.args, "|")...)
		if code != 2 || !strings.Contains(stderr, tt.option) {
			t.Errorf("%s: exit %d, %q, want exit 2 and %s", tt.args, code, stderr, tt.option)
		}
	}
}
