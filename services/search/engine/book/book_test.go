package book

import (
	"reflect"
	"slices"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
)

func start(t testing.TB, rules string) games.Position {
	t.Helper()
	var game games.Game = chess.New()
	if rules == "draughts" {
		game = draughts.Game{}
	}
	p, err := game.Start("")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func legal(t testing.TB, p games.Position) []string {
	t.Helper()
	var game games.Game = chess.New()
	if p.Rules == "draughts" {
		game = draughts.Game{}
	}
	r, err := game.Rule(p)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range r.Moves {
		texts = append(texts, m.Text)
	}
	return texts
}

func add(t testing.TB, b *Builder, p games.Position, weight int, moves ...string) {
	t.Helper()
	if n, err := b.Add(p, moves, weight, 100); err != nil || n != len(moves) {
		t.Fatalf("%v: %d read, %v", moves, n, err)
	}
}

func TestBook(t *testing.T) {
	p := start(t, "chess")
	b := NewBuilder("chess")
	add(t, b, p, 3, "e4", "e5", "Nf3")
	add(t, b, p, 2, "e2e4", "c7c5")
	add(t, b, p, 1, "a3")
	made := b.Build(1, 0)
	read, err := Read(made.Bytes())
	if err != nil || read.Rules() != "chess" || read.Len() != 5 {
		t.Fatalf("%+v, %v", read, err)
	}
	want := []Choice{{"a2a3", 1}, {"e2e4", 5}}
	got := read.Moves(p, legal(t, p))
	slices.SortFunc(got, func(a, b Choice) int { return a.Weight - b.Weight })
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := b.Build(2, 0).Moves(p, legal(t, p)); len(got) != 1 {
		t.Errorf("with a least weight: %v", got)
	}
	if got := b.Build(1, 0.5).Moves(p, legal(t, p)); len(got) != 1 {
		t.Errorf("with a least share: %v", got)
	}
	if got := read.Moves(p, []string{"a2a3", "h2h3"}); len(got) != 1 {
		t.Errorf("among some moves: %v", got)
	}
	drawn := map[string]int{}
	for seed := range int32(600) {
		move, ok := read.Pick(p, legal(t, p), seed)
		again, _ := read.Pick(p, legal(t, p), seed)
		if !ok || move != again {
			t.Fatalf("seed %d: %q, %v, then %q", seed, move, ok, again)
		}
		drawn[move]++
	}
	if n := drawn["a2a3"]; n < 60 || n > 140 || drawn["e2e4"] != 600-n {
		t.Errorf("drawn %v of weights 1 and 5", drawn)
	}
	far := games.Position{Rules: "chess", Text: "4k3/8/8/8/8/8/8/4K2R w - - 0 1"}
	if move, ok := read.Pick(far, legal(t, far), 1); ok {
		t.Errorf("%s in a position that it cannot know", move)
	}
	if _, ok := read.Pick(start(t, "draughts"), legal(t, start(t, "draughts")), 1); ok {
		t.Error("a move of draughts in a book of chess")
	}
}

func TestMarkedMoves(t *testing.T) {
	p := start(t, "draughts")
	b := NewBuilder("draughts")
	add(t, b, p, 1, "c3-d4!", "b6-a5", "d4-c5!")
	book := b.Build(1, 0)
	if book.Len() != 2 {
		t.Fatalf("%d moves", book.Len())
	}
	if move, ok := book.Pick(p, legal(t, p), 9); !ok || move != "c3-d4" {
		t.Errorf("%q, %v", move, ok)
	}
}

func TestReview(t *testing.T) {
	p := start(t, "chess")
	b := NewBuilder("chess")
	add(t, b, p, 1, "e4")
	add(t, b, p, 1, "g4")
	asked := 0
	err := b.Review(func(_ games.Position, moves []string) ([]string, error) {
		asked += len(moves)
		return []string{"e2e4"}, nil
	})
	if got := b.Build(1, 0).Moves(p, legal(t, p)); err != nil || asked != 2 || len(got) != 1 || got[0].Move != "e2e4" {
		t.Errorf("%v, asked %d, %v", got, asked, err)
	}
}

func TestBadLines(t *testing.T) {
	b := NewBuilder("chess")
	if n, err := b.Add(start(t, "chess"), []string{"e4", "e4"}, 1, 9); err == nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := b.Add(games.Position{Rules: "chess", Text: "x"}, nil, 1, 9); err == nil {
		t.Error("a start that is none")
	}
	if NewBuilder("tictactoe") != nil {
		t.Error("a book of tic-tac-toe")
	}
}

func FuzzRead(f *testing.F) {
	b := NewBuilder("chess")
	add(f, b, start(f, "chess"), 1, "e4", "e5")
	f.Add(b.Build(1, 0).Bytes())
	f.Add([]byte(magic))
	f.Add([]byte(magic + "\x05chess"))
	p := start(f, "chess")
	moves := legal(f, p)
	f.Fuzz(func(t *testing.T, data []byte) {
		book, err := Read(data)
		if err != nil {
			return
		}
		if move, ok := book.Pick(p, moves, 1); ok && !slices.Contains(moves, move) {
			t.Errorf("%q is not legal", move)
		}
		if !slices.Equal(book.Bytes(), data) {
			t.Error("it is written otherwise")
		}
	})
}
