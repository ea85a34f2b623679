package tictactoe

import (
	"reflect"
	"testing"

	"tabuleiro/games"
)

func TestPieces(t *testing.T) {
	r, err := Game{}.Rule(games.Position{Text: "o2/1x1/2x o"})
	if err != nil {
		t.Fatal(err)
	}
	want := []games.Piece{
		{Square: "a3", Side: games.Second, Kind: "mark"},
		{Square: "b2", Side: games.First, Kind: "mark"},
		{Square: "c1", Side: games.First, Kind: "mark"},
	}
	if !reflect.DeepEqual(r.Pieces, want) {
		t.Errorf("got %v, want %v", r.Pieces, want)
	}
	if rows, columns := (Game{}).Size(); rows != 3 || columns != 3 {
		t.Errorf("%d by %d", rows, columns)
	}
}
