package main

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tabuleiro/content"
	"tabuleiro/services/search/books"
	"tabuleiro/services/search/farm"
)

// TestShippedBooks: the books are those that the commands in
// content/openings/README.md make of the shipped tables.
func TestShippedBooks(t *testing.T) {
	folder := filepath.Join("..", "..", "content", "openings")
	for rules, files := range map[string][]string{
		"chess":    {filepath.Join(folder, "chess.tsv")},
		"draughts": {filepath.Join(folder, "draughts.tsv"), filepath.Join(folder, "draughts-f2.tsv") + "=20"},
	} {
		var sources []books.Source
		for _, name := range files {
			path, heavy := strings.CutSuffix(name, "=20")
			table, err := fs.ReadFile(content.Openings(), filepath.Base(path))
			if err != nil {
				t.Fatal(err)
			}
			weight := 1
			if heavy {
				weight = 20
			}
			sources = append(sources, books.Source{Name: path, In: bytes.NewReader(table), Weight: weight})
		}
		recipe := books.Recipe{Rules: rules, Plies: 16, Least: 3, Share: 0.1}
		if rules == "chess" {
			table, err := os.ReadFile(filepath.Join(folder, "chess-lost.tsv"))
			if err != nil {
				t.Fatal(err)
			}
			if recipe.Without, err = books.ReadLost(rules, bytes.NewReader(table)); err != nil || len(recipe.Without) == 0 {
				t.Fatalf("%d lost moves, %v", len(recipe.Without), err)
			}
		}
		made, err := recipe.Make(t.Context(), sources)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range recipe.Without {
			if got := made.Moves(l.Position, []string{l.Move}); len(got) > 0 {
				t.Errorf("%s in %s is lost, but in the book", l.Move, l.Position.Text)
			}
		}
		shipped, err := fs.ReadFile(content.Openings(), rules+".book")
		if err != nil || made.Len() < 100 || !bytes.Equal(shipped, made.Bytes()) {
			t.Errorf("%s: the shipped book of %d bytes is another than that of %d moves which the tables make, %v", rules, len(shipped), made.Len(), err)
		}
	}
}

// TestFullPlaysFromTheShippedBooks: a seed draws always the same move and others
// draw others; classic levels think.
func TestFullPlaysFromTheShippedBooks(t *testing.T) {
	c := farm.NewCoordinator(farm.CoordinatorConfig{TableBytes: 1 << 20}, farm.Deps{Book: shippedBooks(), Log: slog.New(slog.DiscardHandler)})
	defer c.Close()
	for _, rules := range []string{"chess", "draughts"} {
		start, err := books.Position(rules, nil)
		if err != nil {
			t.Fatal(err)
		}
		ask := func(level string, seed int32) farm.Answer {
			a, err := c.BestMove(t.Context(), farm.Request{Position: start, Level: level, Limit: time.Minute, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		var drawn []string
		for seed := range int32(40) {
			a := ask("full", seed)
			if again := ask("full", seed); a.Depth != 0 || again.Depth != 0 || a.Move != again.Move {
				t.Errorf("%s, seed %d: %+v, then %+v", rules, seed, a, again)
			}
			if !slices.Contains(drawn, a.Move) {
				drawn = append(drawn, a.Move)
			}
		}
		if len(drawn) < 2 {
			t.Errorf("%s: 40 seeds draw %v", rules, drawn)
		}
		if a := ask("plies-2", 1); a.Depth == 0 {
			t.Errorf("%s: a classic level answers %+v", rules, a)
		}
	}
}

func TestBookCommands(t *testing.T) {
	folder := t.TempDir()
	out := filepath.Join(folder, "x.book")
	draughts := filepath.Join("..", "..", "content", "openings", "draughts-f2.tsv")
	lost := filepath.Join(folder, "lost.tsv")
	start := "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"
	if err := os.WriteFile(lost, []byte("fen\tmove\tscore\n"+start+"\tc3-d4\t-90\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args, stdout string // args joined by |
		code         int
	}{
		{"book|build|--rules|draughts|-o|" + out + "|" + draughts, "17 moves\n", 0},
		{"book|probe|--rules|draughts|--book|" + out, "c3-d4\t1\n", 0},
		{"book|probe|--rules|draughts|--seed|5|--book|" + out, "c3-d4\n", 0},
		{"book|probe|--rules|chess|--book|" + out, "", 2},
		{"book|probe|--rules|draughts|--fen|W:WKa1:BKc5", "", 1},
		{"book|probe|--rules|draughts|--book|" + draughts, "", 2},
		{"book|probe|--rules|draughts|--fen|x", "", 2},
		{"book|build|--rules|draughts|-o|" + out + "|" + draughts + "=0", "", 2},
		{"book|build|--rules|draughts|-o|" + out + "|" + filepath.Join(folder, "none.tsv"), "", 2},
		{"book|review|--rules|draughts|--nodes|500|" + draughts, "fen\tmove\tscore\n", 0},
		{"book|review|--rules|draughts|" + draughts + "=x", "", 2},
		{"book|build|--rules|draughts|-o|" + out + "|--without|" + draughts + "|" + draughts, "", 2},
		{"book|build|--rules|draughts|-o|" + out + "|--without|" + lost + "|" + draughts, "16 moves\n", 0},
		{"book", "", 2},
	} {
		stdout, stderr, code := runs(t, "", strings.Split(tt.args, "|")...)
		if code != tt.code || stdout != tt.stdout || code == 2 && stderr == "" {
			t.Errorf("%s: exit %d, stderr %q\ngot  %q\nwant %q, exit %d", tt.args, code, stderr, stdout, tt.stdout, tt.code)
		}
	}
}

// TestOwnBook: both protocols play from the book where they are told to, and only there.
func TestOwnBook(t *testing.T) {
	stdout, _, code := runs(t, "setoption name OwnBook value true\nposition startpos\ngo depth 1\nquit\n", "uci")
	if code != 0 || !strings.Contains(stdout, "info string book\nbestmove ") {
		t.Errorf("exit %d: %s", code, stdout)
	}
	stdout, _, code = runs(t, "position startpos\ngo depth 1\nquit\n", "uci")
	if code != 0 || strings.Contains(stdout, "book") || !strings.Contains(stdout, "info depth 1") {
		t.Errorf("exit %d: %s", code, stdout)
	}
	for _, own := range []string{"true", "false"} {
		in := "hub\nset-param name=own-book value=" + own + "\ninit\npos pos=Wwwwwwwwwwwwweeeeeeeebbbbbbbbbbbb\nlevel depth=2\ngo think\nquit\n"
		stdout, _, code := runs(t, in, "hub", "--data", t.TempDir())
		if code != 0 || !strings.Contains(stdout, "\ndone move=") || strings.Contains(stdout, "\ninfo depth=") == (own == "true") {
			t.Errorf("own-book=%s, exit %d: %s", own, code, stdout)
		}
	}
}
