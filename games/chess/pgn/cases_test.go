package pgn

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"tabuleiro/games/chess"
)

// readAll reads all games of a text.
func readAll(t testing.TB, text string) []Game {
	t.Helper()
	games, err := readFrom(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return games
}

func readFrom(in io.Reader) ([]Game, error) {
	var out []Game
	for r := NewReader(in, Config{}); ; {
		var g Game
		err := r.Next(&g)
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, g)
	}
}

// uci are the moves of a line as UCI.
func uci(p chess.Position, moves []chess.Move) []string {
	out := []string{}
	for _, m := range moves {
		if m == chess.NoMove {
			out = append(out, "0000")
			p = p.PlayNull()
			continue
		}
		out = append(out, p.UCI(m))
		p = p.Play(m)
	}
	return out
}

// written is what the writer makes of games.
func written(t testing.TB, games ...Game) string {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out)
	for i := range games {
		if err := w.Write(&games[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

type pgnCase struct {
	N           int               `json:"n"`
	Kind        string            `json:"kind"`
	PGN         string            `json:"pgn"`
	MainLine    []string          `json:"mainline"`
	FinalFEN    string            `json:"final_fen"`
	Headers     map[string]string `json:"headers"`
	Glyphs      []uint8           `json:"nags_first_move"`
	Errors      int               `json:"errors"`
	Games       int               `json:"games"`
	RootComment string            `json:"root_comment"`
	Note        string            `json:"note"`
}

// TestCases runs the records among the cases that were gathered from bug reports
// of other programs. Of their policy cases, 103 (an illegal move ends its game,
// the next is read) and 106 (e.p. is passed over) are read as python-chess does.
func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(strconv.Itoa(c.N), c.check)
	}
}

// readCases are the records among the cases.
func readCases(t testing.TB) []pgnCase {
	t.Helper()
	text, err := os.ReadFile("../testdata/chess_cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []pgnCase
	for line := range bytes.Lines(text) {
		c := pgnCase{Games: 1}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if c.Kind == "pgn" {
			out = append(out, c)
		}
	}
	if len(out) != 8 {
		t.Fatalf("%d cases, want 8", len(out))
	}
	return out
}

func (c pgnCase) check(t *testing.T) {
	for _, ends := range []string{"\n", "\r\n", "\r"} {
		got := readAll(t, strings.ReplaceAll(c.PGN, "\n", ends))
		if len(got) != c.Games {
			t.Fatalf("%d games, want %d: %s", len(got), c.Games, c.Note)
		}
		g := got[0]
		if moves := uci(g.Start, g.Moves); !reflect.DeepEqual(moves, c.MainLine) || len(g.Errors) != c.Errors || g.Spoiled != (c.Errors > 0) {
			t.Errorf("moves %v, faults %v, want %v, %d: %s", moves, g.Errors, c.MainLine, c.Errors, c.Note)
		}
		if c.FinalFEN != "" && g.Final.FEN() != c.FinalFEN {
			t.Errorf("ends with %s, want %s", g.Final.FEN(), c.FinalFEN)
		}
		for name, want := range c.Headers {
			if value, ok := g.Tag(name); !ok || value != want {
				t.Errorf("%s is %q, want %q: %s", name, value, want, c.Note)
			}
		}
		if c.RootComment != "" && !reflect.DeepEqual(g.Notes, []Note{{Comments: []string{c.RootComment}}}) {
			t.Errorf("notes %+v, want %q", g.Notes, c.RootComment)
		}
		if c.Glyphs != nil && !reflect.DeepEqual(g.Notes[0], Note{After: 1, Glyphs: c.Glyphs}) {
			t.Errorf("notes %+v, want glyphs %v", g.Notes, c.Glyphs)
		}
	}
}

// TestReadsByTheByte: whatever pieces a stream comes in, the games are the same.
func TestReadsByTheByte(t *testing.T) {
	file, _ := generated(t, 7, 40)
	text := string(file) + kitchenSink
	want := readAll(t, text)
	for name, in := range map[string]io.Reader{
		"bytes":  iotest.OneByteReader(strings.NewReader(text)),
		"halves": iotest.HalfReader(strings.NewReader(text)),
		"at end": iotest.DataErrReader(strings.NewReader(text)),
	} {
		got, err := readFrom(in)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d games, %v, want %d", name, len(got), err, len(want))
		}
	}
}

// TestConstantMemory: a plain game costs its tags' text and nothing else.
func TestConstantMemory(t *testing.T) {
	file, _ := generated(t, 3, 50)
	in := bytes.NewReader(file)
	r := NewReader(in, Config{})
	var g Game
	allocs := testing.AllocsPerRun(2000, func() {
		if err := r.Next(&g); err == io.EOF {
			in.Reset(file)
			r.source = newSource(in)
		} else if err != nil || len(g.Errors) > 0 {
			t.Fatal(err, g.Errors)
		}
	})
	if allocs > 1 {
		t.Errorf("%v allocations a game", allocs)
	}
}

// TestBrokenStream: the error of the stream is that of Next.
func TestBrokenStream(t *testing.T) {
	if _, err := readFrom(io.MultiReader(strings.NewReader("1. e4 *\n"), iotest.ErrReader(io.ErrClosedPipe))); err != io.ErrClosedPipe {
		t.Errorf("got %v", err)
	}
	if _, err := readFrom(idle{}); err != io.ErrNoProgress {
		t.Errorf("got %v", err)
	}
}

// idle never gives anything.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }
