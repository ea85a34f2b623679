package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"tabuleiro/games"
)

// run returns what a command wrote and its exit code.
func run(c Command, stdin string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = c.Run(strings.NewReader(stdin), &out, &err)
	return out.String(), err.String(), code
}

func TestCodes(t *testing.T) {
	out, stderr, code := run(Codes{}, "")
	if code != 0 || stderr != "" {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(games.Codes()) || lines[0] != "bad_text\tthe text is no move or position that can be read" {
		t.Errorf("got %s", out)
	}
	for _, word := range strings.Fields(`bad_text bad_position no_piece not_your_piece not_your_turn cannot_move_so
		own_piece path_blocked king_left_in_check castling_king_moved castling_rook_moved castling_in_check
		castling_through castling_into castling_blocked promotion_missing capture_compulsory majority man_backwards
		captured_twice ambiguous game_over`) {
		if !strings.Contains("\n"+out, "\n"+word+"\t") {
			t.Errorf("no line for %s", word)
		}
	}
}

// TestBadUsage: a sentence on stderr, nothing on stdout, exit code 2.
func TestBadUsage(t *testing.T) {
	for _, tt := range []struct {
		c    Command
		want string
	}{
		{Moves{Rules: "go"}, `moves: --rules is chess, draughts or tictactoe, not "go"`},
		{Moves{Stdin: true, FEN: new("x")}, "moves: --fen and --stdin exclude each other"},
		{Moves{FEN: new("x")}, "moves: --fen: bad_text: not a FEN: a board has 8 ranks, not 1"},
		{Moves{Rules: "draughts", FEN: new("W:Wa1:B")}, "moves: --fen: bad_position: only the side to move can have lost all its pieces"},
		{Perft{Rules: "go"}, `perft: --rules is chess, draughts or tictactoe, not "go"`},
		{Perft{Depth: -1}, "perft: --depth is 0 to 99, not -1"},
		{Perft{Depth: 100}, "perft: --depth is 0 to 99, not 100"},
		{Perft{Count: "nodes"}, `perft: --count is moves or paths, not "nodes"`},
		{Perft{Rules: "tictactoe", FEN: new("3/3/3")}, "perft: --fen: bad_text: the side to move, x or o, follows the rows after a blank"},
		{Apply{Rules: "go"}, `apply: --rules is chess, draughts or tictactoe, not "go"`},
		{Apply{}, "apply: name at least one move"},
		{Apply{Rules: "draughts", Draws: "x", Moves: []string{"c3-d4"}}, `apply: --draws is cbd or fmjd64 in draughts, not "x"`},
		{Apply{Rules: "tictactoe", Draws: "x", Moves: []string{"1"}}, `apply: --draws is standard in tictactoe, not "x"`},
		{Moves{FEN: new("")}, "moves: --fen: bad_text: not a FEN: it needs one to six fields, not 0"},
		{Apply{Draws: "cbd", Moves: []string{"e4"}}, `apply: --draws is fide in chess, not "cbd"`},
		{Apply{FEN: new("8/8/8/8/8/8/8/8 w - - 0 1"), Moves: []string{"e4"}}, "apply: --fen: bad_position: not a chess position: missing king"},
	} {
		out, stderr, code := run(tt.c, "")
		if code != 2 || out != "" || stderr != tt.want+"\n" {
			t.Errorf("%s: exit %d, stdout %q\ngot  %swant %s", text(tt.c), code, out, stderr, tt.want)
		}
	}
}

// broken is a stdout that has gone away.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestBrokenOutput(t *testing.T) {
	for _, c := range []Command{
		Codes{}, Moves{}, Moves{JSON: true}, Moves{Stdin: true}, Perft{Depth: 1, Divide: true}, Apply{Moves: []string{"e4"}},
	} {
		var stderr bytes.Buffer
		if code := c.Run(strings.NewReader("{}\n"), broken{}, &stderr); code != 2 || !strings.Contains(stderr.String(), "closed pipe") {
			t.Errorf("%T: exit %d, %s", c, code, stderr.String())
		}
	}
}
