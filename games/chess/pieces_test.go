package chess

import (
	"reflect"
	"testing"

	"tabuleiro/games"
)

func TestPieces(t *testing.T) {
	r, err := Game{}.Rule(games.Position{Text: "k6q/8/2b2n2/8/8/8/P6R/7K w - - 0 1"})
	if err != nil {
		t.Fatal(err)
	}
	want := []games.Piece{
		{Square: "a2", Side: White, Kind: "pawn"},
		{Square: "a8", Side: Black, Kind: "king"},
		{Square: "c6", Side: Black, Kind: "bishop"},
		{Square: "f6", Side: Black, Kind: "knight"},
		{Square: "h1", Side: White, Kind: "king"},
		{Square: "h2", Side: White, Kind: "rook"},
		{Square: "h8", Side: Black, Kind: "queen"},
	}
	if !reflect.DeepEqual(r.Pieces, want) {
		t.Errorf("got %v, want %v", r.Pieces, want)
	}
	if rows, columns := (Game{}).Size(); rows != 8 || columns != 8 {
		t.Errorf("%d by %d", rows, columns)
	}
}
