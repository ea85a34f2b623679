package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestApply(t *testing.T) {
	for _, tt := range []struct {
		name   string
		c      Apply
		want   string
		stderr string
		code   int
	}{
		{"SAN and UCI", Apply{Moves: []string{"e4", "e7e5"}},
			`{"ply":1,"move":"e2e4","notation":"e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1","repetition":1,"claims":[],"outcome":null}
{"ply":2,"move":"e7e5","notation":"e5","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2","repetition":1,"claims":[],"outcome":null}
`, "", 0},
		{"stops at a refusal", Apply{Moves: []string{"e4", "Ke7", "e5"}},
			`{"ply":1,"move":"e2e4","notation":"e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1","repetition":1,"claims":[],"outcome":null}
{"ply":2,"error":{"code":"own_piece","message":"a piece of your own stands there: e7","reasons":[],"squares":["e7"]}}
`, "apply: own_piece: a piece of your own stands there: e7\n", 1},
		{"fool's mate", Apply{FEN: new("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"), Moves: []string{"Qh4"}},
			`{"ply":1,"move":"d8h4","notation":"Qh4#","fen":"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3","repetition":1,"claims":[],"outcome":{"winner":"black","reason":"checkmate"}}
`, "", 0},
		{"Chess960 castling", Apply{FEN: new("4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1"), Moves: []string{"O-O-O"}},
			`{"ply":1,"move":"f1b1","notation":"O-O-O","fen":"4k3/8/8/8/8/8/8/2KR2R1 b - - 1 1","repetition":1,"claims":[],"outcome":null}
`, "", 0},
		{"draughts, short and long", Apply{Rules: "draughts", FEN: new("W:Wc1,a3:Bd2,f4,b4,h8"), Moves: []string{"c1xg5", "h8-g7", "a3xc5"}},
			`{"ply":1,"move":"c1xe3xg5","notation":"c1xg5","fen":"B:Wa3,g5:Bb4,h8","repetition":1,"claims":[],"outcome":null}
{"ply":2,"move":"h8-g7","notation":"h8-g7","fen":"W:Wa3,g5:Bb4,g7","repetition":1,"claims":[],"outcome":null}
{"ply":3,"move":"a3xc5","notation":"a3xc5","fen":"B:Wc5,g5:Bg7","repetition":1,"claims":[],"outcome":null}
`, "", 0},
		{"tic-tac-toe", Apply{Rules: "tictactoe", FEN: new("xx1/oo1/3 x"), Moves: []string{"3"}},
			`{"ply":1,"move":"c3","notation":"c3","fen":"xxx/oo1/3 o","repetition":1,"claims":[],"outcome":{"winner":"x","reason":"three_in_a_row"}}
`, "", 0},
		{"a full board", Apply{Rules: "tictactoe", FEN: new("xox/xxo/o1o x"), Moves: []string{"b1"}},
			`{"ply":1,"move":"b1","notation":"b1","fen":"xox/xxo/oxo o","repetition":1,"claims":[],"outcome":{"winner":null,"reason":"board_full"}}
`, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, stderr, code := run(tt.c, "")
			if code != tt.code || stderr != tt.stderr || got != tt.want {
				t.Errorf("exit %d, %s\ngot  %swant %s", code, stderr, got, tt.want)
			}
		})
	}
}

// TestApplyCounts: counters and repetitions are those of the game.
func TestApplyCounts(t *testing.T) {
	knights := slices.Repeat([]string{"Nf3", "Nf6", "Ng1", "Ng8"}, 4)
	kings := slices.Repeat([]string{"a1-b2", "b8-a7", "b2-a1", "a7-b8"}, 2)
	for _, tt := range []struct {
		name string
		c    Apply
		end  string // of the last line
	}{
		{"threefold", Apply{Moves: knights[:8]}, `"repetition":3,"claims":["repetition_3"],"outcome":null}`},
		{"fivefold", Apply{Moves: knights}, `"repetition":5,"claims":[],"outcome":{"winner":null,"reason":"repetition_5"}}`},
		{"fifty moves", Apply{FEN: new("4k3/8/8/8/8/8/8/R3K3 w - - 99 90"), Moves: []string{"Ra2"}}, `"claims":["moves_50"],"outcome":null}`},
		{"seventy-five", Apply{FEN: new("4k3/8/8/8/8/8/8/R3K3 w - - 149 90"), Moves: []string{"Ra2"}}, `"outcome":{"winner":null,"reason":"moves_75"}}`},
		{"cbd", Apply{Rules: "draughts", FEN: new("W:WKa1,a3:BKb8,h6"), Moves: kings}, `"repetition":3,"claims":["repetition_3"],"outcome":null}`},
		{"fmjd64", Apply{Rules: "draughts", Draws: "fmjd64", FEN: new("W:WKa1,a3:BKb8,h6"), Moves: kings},
			`"repetition":3,"claims":[],"outcome":{"winner":null,"reason":"repetition_3"}}`},
	} {
		out, stderr, code := run(tt.c, "")
		if code != 0 || stderr != "" || !strings.HasSuffix(out, tt.end+"\n") {
			t.Errorf("%s: exit %d, %s\ngot %s\nwant the end %s", tt.name, code, stderr, out, tt.end)
		}
	}
}
