package pdn

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// Whatever comes is read to its end, with faults in their order, and what was
// read of each game can be written and reads the same.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"[Event \"x\"]\n\n1. c3-d4! {a} (1. e3-f4(?) $6) 1... d6-c5 /FEN \"B:W29:B1,K4\"/ 1-5 1-0 ; b\n",
		"1. 22-18 9-13 * 01. 09-13 1/2-1/2 % c\n1.a3b4 *",
		"[GameType \"26,W,8,8,N0,0\"] [FEN \"W:W1-12:B21-32\"] 11-15 (11-16 {) 23-19 1-1",
		"[FEN \"B:WKg7,c5,e3,f6:BKa3\"] 1... a3xf8xh6xc1 ( ( ) 2-0 [ \" } )",
		"[A \"\\\\\\\"\"] /FEN \"W::\"/ \xe9\xff\x00 {\n\n[B \"c\"]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, draws := range []string{"cbd", "fmjd64"} {
			r, err := NewReader(strings.NewReader(text), Config{Draws: draws})
			if err != nil {
				t.Fatal(err)
			}
			for {
				var g Game
				err := r.Next(&g)
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				checkFaults(t, &g)
				if len(g.Errors) == 0 {
					checkRound(t, &g)
				}
			}
		}
	})
}

func checkFaults(t *testing.T, g *Game) {
	t.Helper()
	if g.Spoiled && len(g.Errors) == 0 || len(g.Errors) > maxErrors {
		t.Fatalf("spoiled %v with %d faults", g.Spoiled, len(g.Errors))
	}
	last := point{1, 1}
	for _, e := range g.Errors {
		if e.at().compare(last) < 0 || e.Ply < 0 || e.Code == "" || e.Message == "" {
			t.Fatalf("fault %+v after %v", e, last)
		}
		last = e.at()
	}
}
