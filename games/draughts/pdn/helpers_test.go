package pdn

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"tabuleiro/games/draughts"
)

// readAll reads all games of a text.
func readAll(t testing.TB, text string, c Config) []Game {
	t.Helper()
	return drain(t, strings.NewReader(text), c)
}

func drain(t testing.TB, in io.Reader, c Config) []Game {
	t.Helper()
	r, err := NewReader(in, c)
	if err != nil {
		t.Fatal(err)
	}
	var all []Game
	for {
		var g Game
		err := r.Next(&g)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
}

// readOne reads a text of one game.
func readOne(t testing.TB, text string, c Config) Game {
	t.Helper()
	all := readAll(t, text, c)
	if len(all) != 1 {
		t.Fatalf("%q: got %d games, want 1: %+v", text, len(all), all)
	}
	return all[0]
}

// write writes games one after another.
func write(t testing.TB, all ...Game) string {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out)
	for i := range all {
		if err := w.Write(&all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// texts are the notations of a line, setups as their positions.
func texts(l *Line) []string {
	var out []string
	for i := range l.Plies {
		if p := &l.Plies[i]; p.IsSetup() {
			out = append(out, p.Setup)
		} else {
			out = append(out, p.Move.Notation)
		}
	}
	return out
}

func joined(l *Line) string { return strings.Join(texts(l), " ") }

// faults are the errors of a game as code@line:column/ply.
func faults(g *Game) string {
	var out []string
	for _, e := range g.Errors {
		out = append(out, string(e.Code)+"@"+itoa(e.Line)+":"+itoa(e.Column)+"/"+itoa(e.Ply))
	}
	return strings.Join(out, " ")
}

func position(t testing.TB, fen string) draughts.Position {
	t.Helper()
	p, err := draughts.Parse(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
