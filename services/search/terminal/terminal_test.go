package terminal

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"tabuleiro/games"
	"tabuleiro/services/search/farm"
)

// engine is the real one, alone.
func engine() Searcher {
	return farm.NewCoordinator(farm.CoordinatorConfig{Concurrent: 1, TableBytes: 1 << 20}, farm.Deps{
		NewID: func() string { return "" }, Log: slog.New(slog.DiscardHandler),
	})
}

// scripted answers with given moves.
type scripted []string

func (s *scripted) BestMove(context.Context, farm.Request) (farm.Answer, error) {
	if len(*s) == 0 {
		return farm.Answer{}, errors.New("out of moves")
	}
	move := (*s)[0]
	*s = (*s)[1:]
	return farm.Answer{Move: move}, nil
}

func run(t *testing.T, cfg Config, search Searcher, in string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = New(cfg, search).Run(t.Context(), strings.NewReader(in), &out, &err)
	return out.String(), err.String(), code
}

// TestGames plays whole games through a pipe; their transcripts are kept.
// UPDATE_GOLDEN=1 writes them anew.
func TestGames(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cfg    Config
		search Searcher
		in     string
	}{
		{"chess", Config{Level: "plies-2"}, &scripted{"e7e5", "e7e5", "d8h4"}, "help\nf3\nKe3\nundo\nf3\nboard\ng4\n"},
		{"chess_check", Config{FEN: new("4r1k1/8/8/8/B7/8/8/3RKR2 w - - 0 1")}, &scripted{"g8h7"}, "Bb3\nRd4\nmoves\nBxe8\nresign\n"},
		{"chess_black", Config{Side: "black"}, &scripted{"e2e4", "d2d4", "g1f3"}, "undo\ne5\nundo\nquit\n"},
		{"chess_draw", Config{FEN: new("4k3/8/8/8/8/8/8/R3K3 w - - 98 90")}, &scripted{"e8e7"}, "draw\nRa2\ndraw\n"},
		{"draughts", Config{Rules: "draughts", FEN: new("W:Wa3,e3,h2:Bb4,f4,f6,h8")}, &scripted{"h8-g7"}, "h2-g3\na3xc5\ne3xe7\nmoves\nc5\n"},
		{"tictactoe_win", Config{Rules: "tictactoe"}, &scripted{"a1", "c3"}, "b2\nb2\n2\nb1\n"},
		{"tictactoe", Config{Rules: "tictactoe", Limit: time.Minute, Side: "o", FEN: new("x1o/1x1/3 o")}, engine(), "c1\nb1\na2\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, stderr, code := run(t, tt.cfg, tt.search, tt.in)
			file := "testdata/" + tt.name + ".golden"
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) || stderr != "" || code != 0 {
				t.Errorf("exit %d, %s\ngot\n%s\nwant\n%s", code, stderr, got, want)
			}
		})
	}
}

// TestAgainstTheEngine: at every level of every game the engine answers.
func TestAgainstTheEngine(t *testing.T) {
	for rules, move := range map[string]string{"chess": "e4", "draughts": "c3-d4", "tictactoe": "5"} {
		for _, l := range farm.Levels() {
			got, stderr, code := run(t, Config{Rules: rules, Level: l.Name, Limit: 20 * time.Millisecond, Prompt: true}, engine(), move+"\n")
			if code != 0 || stderr != "" || !strings.Contains(got, "> You: ") || !strings.Contains(got, "Engine: ") ||
				!strings.HasSuffix(got, "The game is not finished.\n") {
				t.Errorf("%s, %s: exit %d, %s\n%s", rules, l.Name, code, stderr, got)
			}
		}
	}
}

func TestBadUsage(t *testing.T) {
	for _, tt := range []struct {
		cfg    Config
		in     string
		stderr string
	}{
		{Config{Rules: "go"}, "", "game: --rules is chess, draughts or tictactoe, not \"go\"\n"},
		{Config{Level: "god"}, "", "game: --level is one of plies-2, plies-4, plies-6, full, not \"god\"\n"},
		{Config{Side: "x"}, "", "game: --side is first, second, white or black, not \"x\"\n"},
		{Config{Draws: "cbd"}, "", "game: chess has no draw rules named \"cbd\"\n"},
		{Config{FEN: new("8/8")}, "", "game: "},
		{Config{}, strings.Repeat("x", 1<<20), "game: read a line: bufio.Scanner: token too long\n"},
		{Config{}, "e4\n", "game: the engine's move: out of moves\n"},
	} {
		if _, stderr, code := run(t, tt.cfg, &scripted{}, tt.in); code != 2 || !strings.HasPrefix(stderr, tt.stderr) {
			t.Errorf("%+v: exit %d, %q, want %q", tt.cfg, code, stderr, tt.stderr)
		}
	}
	_, stderr, code := run(t, Config{}, &scripted{"e2e4"}, "e4\n")
	if code != 2 || !strings.Contains(stderr, string(games.NoPiece.Sentence())) {
		t.Errorf("an engine that cheats: exit %d, %q", code, stderr)
	}
	// An ended position has its result at once.
	got, _, code := run(t, Config{FEN: new("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")}, &scripted{}, "")
	if code != 0 || !strings.HasSuffix(got, "You win: checkmate. 1-0\n") {
		t.Errorf("a mate: exit %d\n%s", code, got)
	}
}
