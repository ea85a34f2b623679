package draughts

import (
	"reflect"
	"testing"

	"tabuleiro/games"
)

func TestPieces(t *testing.T) {
	r, err := Game{}.Rule(games.Position{Text: "B:WKe3,a3:Bd8,Kd2"})
	if err != nil {
		t.Fatal(err)
	}
	want := []games.Piece{
		{Square: "a3", Side: games.First, Kind: "man"},
		{Square: "d2", Side: games.Second, Kind: "king"},
		{Square: "d8", Side: games.Second, Kind: "man"},
		{Square: "e3", Side: games.First, Kind: "king"},
	}
	if !reflect.DeepEqual(r.Pieces, want) {
		t.Errorf("got %v, want %v", r.Pieces, want)
	}
	// A game that is over still has its board.
	if r, err = (Game{}).Rule(games.Position{Text: "W:W:Bd8"}); err != nil || len(r.Pieces) != 1 {
		t.Errorf("over: %v, %v", r.Pieces, err)
	}
	if rows, columns := (Game{}).Size(); rows != 8 || columns != 8 {
		t.Errorf("%d by %d", rows, columns)
	}
}
