package epd

import (
	"io"
	"os"
	"strings"
	"testing"

	"tabuleiro/services/search/think"
)

func TestRead(t *testing.T) {
	list, err := Read(strings.NewReader("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"one\";\n\n6k1/5ppp/8/8/8/8/8/R3K3 w - - am a1a7 Ke2; c0 \"x\";\n"))
	if err != nil || len(list) != 2 || list[0].ID != "one" {
		t.Fatalf("%+v, %v", list, err)
	}
	if !list[0].Solves("a1a8") || list[0].Solves("a1a7") || list[1].Solves("e1e2") || !list[1].Solves("a1a8") {
		t.Errorf("%+v", list)
	}
	if _, err := Read(strings.NewReader("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra9;\n")); err == nil {
		t.Error("a move that is none was read")
	}
}

// With few nodes most of the sample is solved; the command gives it a second.
func TestWinAtChess(t *testing.T) {
	file, err := os.Open("testdata/wac.epd")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list, err := Read(file)
	if err != nil || len(list) != 300 {
		t.Fatalf("%d cases, %v", len(list), err)
	}
	solved, of, err := Suite{Cases: list, Every: 6, Limits: think.Limits{Nodes: 20000}, Hash: 1 << 22}.Run(io.Discard)
	if err != nil || of != 50 || solved < 25 {
		t.Errorf("%d of %d solved, %v", solved, of, err)
	}
}
