package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"tabuleiro/games"
)

// goldenRecord is a command whose whole output stands in a file;
// UPDATE_GOLDEN=1 writes those anew, to be read before they are committed.
type goldenRecord struct {
	golden string
	c      Record
	code   int
}

func (g goldenRecord) check(t *testing.T) {
	stdout, stderr, code := run(g.c, "")
	got := stdout + "--- stderr\n" + stderr
	name := filepath.Join("testdata", g.golden+".golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if code != g.code || got != string(want) {
		t.Errorf("exit %d\ngot\n%s\nwant %d\n%s", code, got, g.code, want)
	}
}

func TestRecordGolden(t *testing.T) {
	for _, tt := range []goldenRecord{
		{"games.pgn.check", Record{File: "testdata/games.pgn"}, 1},
		{"games.pgn.convert", Record{File: "testdata/games.pgn", Convert: true}, 1},
		{"games.pdn.check", Record{Rules: "draughts", File: "testdata/games.pdn"}, 1},
		{"games.pdn.convert", Record{Rules: "draughts", File: "testdata/games.pdn", Convert: true}, 1},
	} {
		t.Run(tt.golden, tt.check)
	}
}

// TestRecordConvertsOnce: what convert writes checks without faults, holds the
// same games, and converts to itself.
func TestRecordConvertsOnce(t *testing.T) {
	for rules, file := range map[string]string{"chess": "testdata/games.pgn", "draughts": "testdata/games.pdn"} {
		once, _, _ := run(Record{Rules: rules, File: file, Convert: true}, "")
		twice, stderr, code := run(Record{Rules: rules, File: "-", Convert: true}, once)
		if code != 0 || stderr != "" || twice != once {
			t.Errorf("%s: exit %d, %s\ngot\n%s\nwant\n%s", rules, code, stderr, twice, once)
		}
		before, _, _ := run(Record{Rules: rules, File: file}, "")
		after, stderr, code := run(Record{Rules: rules, File: "-"}, once)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit %d, %s", rules, code, stderr)
		}
		var want, got []string
		for line := range strings.Lines(before) {
			var r record
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			if len(r.Errors) == 0 || r.Index == 4 { // 4 has faults beside the main line
				want = append(want, strings.Join(r.Moves, " ")+r.Result+r.FinalFEN)
			}
		}
		for line := range strings.Lines(after) {
			var r record
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.Join(r.Moves, " ")+r.Result+r.FinalFEN)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", rules, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestRecordUsage(t *testing.T) {
	for _, tt := range []struct {
		c    Record
		want string
	}{
		{Record{Rules: "go", File: "-"}, `record: --rules is chess, draughts or tictactoe, not "go"`},
		{Record{Rules: "tictactoe", File: "-"}, "record: there is no format for records of tictactoe; --rules is chess or draughts"},
		{Record{Draws: "cbd", File: "-"}, `record: --draws is fide in chess, not "cbd"`},
		{Record{Rules: "draughts", Draws: "fide", File: "-"}, `record: --draws is cbd or fmjd64 in draughts, not "fide"`},
		{Record{FEN: new("x"), File: "-"}, "record: --fen: bad_text: not a FEN: a board has 8 ranks, not 1"},
		{Record{Rules: "draughts", FEN: new("W:Wa1:B"), File: "-"}, "record: --fen: bad_position: only the side to move can have lost all its pieces"},
		{Record{File: "testdata/none.pgn"}, "record: open testdata/none.pgn: no such file or directory"},
		{Record{File: "testdata"}, "record: reading game 1: read testdata: is a directory"},
	} {
		out, stderr, code := run(tt.c, "")
		if code != 2 || out != "" || stderr != tt.want+"\n" {
			t.Errorf("%s: exit %d, stdout %q\ngot  %swant %s", text(tt.c), code, out, stderr, tt.want)
		}
	}
}

// TestRecordStart: --fen is for the games that do not say where they begin.
func TestRecordStart(t *testing.T) {
	for _, tt := range []struct {
		c        Record
		in, want string
	}{
		{Record{FEN: new("4k3/8/8/8/8/8/8/4K2R w K - 3 20")}, "20. O-O *",
			`{"index":1,"rules":"chess","tags":[],"plies":1,"moves":["e1g1"],"result":"*","final_fen":"4k3/8/8/8/8/8/8/5RK1 b - - 4 20","errors":[]}`},
		{Record{FEN: new("4k3/8/8/8/8/8/8/4K2R w K - 3 20"), Chess960: true}, "20. O-O *",
			`{"index":1,"rules":"chess","tags":[],"plies":1,"moves":["e1h1"],"result":"*","final_fen":"4k3/8/8/8/8/8/8/5RK1 b - - 4 20","errors":[]}`},
		{Record{Rules: "draughts", FEN: new("W:Wa1,c3:Bh8")}, "1. c3-d4 *",
			`{"index":1,"rules":"draughts","tags":[],"plies":1,"moves":["c3-d4"],"result":"*","final_fen":"B:Wa1,d4:Bh8","errors":[]}`},
		{Record{}, "", ""},
	} {
		tt.c.File = "-"
		out, stderr, code := run(tt.c, tt.in)
		if code != 0 || stderr != "" || strings.TrimSuffix(out, "\n") != tt.want {
			t.Errorf("exit %d, %s\ngot  %swant %s", code, stderr, out, tt.want)
		}
	}
}

func TestRecordBrokenStreams(t *testing.T) {
	for _, convert := range []bool{false, true} {
		c := Record{File: "-", Convert: convert}
		var stderr bytes.Buffer
		if code := c.Run(strings.NewReader("1. e4 *"), broken{}, &stderr); code != 2 || !strings.Contains(stderr.String(), "closed pipe") {
			t.Errorf("exit %d, %s", code, stderr.String())
		}
		stderr.Reset()
		if code := c.Run(iotest.ErrReader(io.ErrUnexpectedEOF), io.Discard, &stderr); code != 2 || stderr.String() != "record: reading game 1: unexpected EOF\n" {
			t.Errorf("exit %d, %s", code, stderr.String())
		}
	}
}

// TestRecordLine: the line is what encoding/json makes of the record.
func TestRecordLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("<&>\"\\\n\x00\u2028é e4"))))
		count := rapid.IntRange(0, 1<<30)
		r := record{
			Index: count.Draw(t, "index"), Rules: texts.Draw(t, "rules"), Plies: count.Draw(t, "plies"),
			Tags:  rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]string { return [2]string{texts.Draw(t, "name"), texts.Draw(t, "value")} }), 0, 3).Draw(t, "tags"),
			Moves: rapid.SliceOfN(texts, 0, 3).Draw(t, "moves"), Result: texts.Draw(t, "result"), FinalFEN: texts.Draw(t, "fen"),
			Errors: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) recordFault {
				return recordFault{games.Code(texts.Draw(t, "code")), count.Draw(t, "line"), count.Draw(t, "column"), count.Draw(t, "ply"), texts.Draw(t, "message")}
			}), 0, 3).Draw(t, "faults"),
		}
		if got, want := string(r.append(nil)), text(r); got != want {
			t.Fatalf("got  %swant %s", got, want)
		}
	})
}
