package books

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"tabuleiro/games"
	"tabuleiro/games/chess"
)

func recipe() Recipe { return Recipe{Rules: "chess", Plies: 10, Least: 1} }

var opening = games.Position{Rules: "chess", Text: chess.StartFEN}

func TestMakeAndOpen(t *testing.T) {
	made, err := recipe().Make(t.Context(), []Source{
		{"a.pgn", strings.NewReader("1. e4 e5 2. Ke2 Ke7 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n"), 2},
		{"b.tsv", strings.NewReader("name\tmoves\nx\td2d4 d7d5 e1e8\n"), 1},
	})
	if err != nil || made.Len() != 10 {
		t.Fatalf("%v, %v", made, err)
	}
	set, err := Open(fstest.MapFS{"chess.book": {Data: made.Bytes()}})
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]bool{}
	for seed := range int32(50) {
		move, ok := set.Pick(opening, []string{"e2e4", "d2d4", "f2f3", "a2a3"}, seed)
		if !ok {
			t.Fatal("nothing is known of the start")
		}
		drawn[move] = true
	}
	if len(drawn) != 3 {
		t.Errorf("drawn: %v", drawn)
	}
	if _, ok := Set(nil).Pick(opening, []string{"e2e4"}, 1); ok {
		t.Error("no book knows a move")
	}
	if set, err := Open(fstest.MapFS{}); err != nil || len(set) != 0 {
		t.Errorf("%v, %v", set, err)
	}
	if _, err := Open(fstest.MapFS{"chess.book": {Data: []byte("x")}}); err == nil {
		t.Error("what is no book is read")
	}
	if _, err := Open(fstest.MapFS{"draughts.book": {Data: made.Bytes()}}); err == nil {
		t.Error("a book of chess is read as one of draughts")
	}
}

// TestAnalysis drops what loses a piece for nothing.
func TestAnalysis(t *testing.T) {
	r := recipe()
	r.Nodes, r.Margin = 2000, 100
	made, err := r.Make(t.Context(), []Source{{"a.tsv", strings.NewReader("name\tmoves\nx\te2e4 d7d5 e4d5\ny\te2e4 d7d5 f1a6\n"), 1}})
	if err != nil {
		t.Fatal(err)
	}
	after := games.Position{Rules: "chess", Text: "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"}
	got := made.Moves(after, []string{"e4d5", "f1a6"})
	if len(got) != 1 || got[0].Move != "e4d5" {
		t.Errorf("%v", got)
	}
}

// TestReview finds what loses a piece for nothing, and a book is made without it.
func TestReview(t *testing.T) {
	sources := func() []Source {
		return []Source{{"a.tsv", strings.NewReader("name\tmoves\nx\te2e4 d7d5 e4d5\ny\te2e4 d7d5 f1a6\n"), 1}}
	}
	r := recipe()
	lost, err := r.Review(t.Context(), sources(), 2000, 100)
	if err != nil || len(lost) != 1 || lost[0].Move != "f1a6" || lost[0].Score > -100 {
		t.Fatalf("%+v, %v", lost, err)
	}
	var table bytes.Buffer
	if err := WriteLost(&table, lost); err != nil {
		t.Fatal(err)
	}
	if r.Without, err = ReadLost("chess", &table); err != nil || len(r.Without) != 1 || r.Without[0].Position.Text != lost[0].Position.Text || r.Without[0].Move != "f1a6" {
		t.Fatalf("%+v, %v, want %+v", r.Without, err, lost)
	}
	made, err := r.Make(t.Context(), sources())
	if err != nil {
		t.Fatal(err)
	}
	if got := made.Moves(lost[0].Position, []string{"e4d5", "f1a6"}); len(got) != 1 || got[0].Move != "e4d5" || made.Len() != 3 {
		t.Errorf("%v of %d", got, made.Len())
	}
}

func TestReadLostRefuses(t *testing.T) {
	for _, text := range []string{"", "x", "fen\tmove\tscore\na\tb", "fen\tmove\tscore\na\tb\tc"} {
		if list, err := ReadLost("chess", strings.NewReader(text)); err == nil {
			t.Errorf("%q: %+v", text, list)
		}
	}
}

func TestBadSources(t *testing.T) {
	for _, r := range []Recipe{recipe(), {Rules: "tictactoe"}} {
		if b, err := r.Make(t.Context(), []Source{{"a.pgn", strings.NewReader("nothing"), 1}}); err == nil {
			t.Errorf("%s: %v", r.Rules, b)
		}
	}
}
