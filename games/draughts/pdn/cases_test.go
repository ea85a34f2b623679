package pdn

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

func itoa(n int) string { return strconv.Itoa(n) }

// readLines decodes a file of one JSON value a line.
func readLines[T any](t testing.TB, file string) []T {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%s: %d lines, %v", file, len(out), err)
	}
	return out
}

// The cases of the standard: what is to be read is read without a fault of its
// text, and what is to be written is what we write.
func TestStandardCases(t *testing.T) {
	type standardCase struct {
		N           int    `json:"n"`
		Kind        string `json:"kind"`
		Text        string `json:"text"`
		Read, Write bool
		Note        string `json:"note"`
		SameAs      string `json:"same_as"`
	}
	for _, c := range readLines[standardCase](t, "testdata/pdn_cases.jsonl") {
		text := c.Text
		switch c.Kind {
		case "fen":
			text = `[FEN "` + c.Text + `"] *`
		case "gametype":
			text = `[GameType "` + c.Text + `"] *`
		}
		g := readOne(t, text, Config{})
		read := true
		for _, e := range g.Errors {
			// Whether a move is legal is not the standard's question.
			read = read && (e.Ply > 0 && e.Code != games.BadText && e.Code != BadGlyph)
		}
		if read != c.Read {
			t.Errorf("%d (%s): read is %v, want %v: %v", c.N, c.Note, read, c.Read, g.Errors)
		}
		if !c.Read || len(g.Errors) > 0 {
			continue
		}
		if c.SameAs != "" && g.Start != position(t, c.SameAs) {
			t.Errorf("%d (%s): got %s, want %s", c.N, c.Note, g.Start.Text(), c.SameAs)
		}
		written := write(t, g)
		var same bool
		switch c.Kind {
		case "fen":
			// The order of squares is free, and the start needs no tag.
			same = sorted(g.Start.Text()) == sorted(c.Text) &&
				(g.Start == draughts.Start() || strings.Contains(written, `[FEN "`+g.Start.Text()+`"]`))
		case "gametype":
			same = strings.Contains(written, `[GameType "26"]`) // the short form of it
		default:
			body := strings.Split(written, "\n\n")[1]
			same = squeeze(body) == squeeze(c.Text+" *") || squeeze(body) == squeeze(c.Text)
		}
		if same != c.Write {
			t.Errorf("%d (%s): written as %q, want so written: %v", c.N, c.Note, written, c.Write)
		}
	}
}

// sorted is a FEN with the squares of its lists in the order of their text.
func sorted(fen string) string {
	fields := strings.Split(fen, ":")
	for i, f := range fields[1:] {
		items := strings.Split(f[1:], ",")
		slices.Sort(items)
		fields[i+1] = f[:1] + strings.Join(items, ",")
	}
	return strings.Join(fields, ":")
}

// squeeze takes out what is free in how moves are written: white space and move
// numbers.
func squeeze(text string) string {
	var out []string
	for word := range strings.FieldsSeq(text) {
		if word = moveText(word); word != "" {
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}

type gameCase struct {
	N         int      `json:"n"`
	Moves     []string `json:"moves"`
	MovesLong []string `json:"moves_long"`
	Plies     int      `json:"plies"`
	Result    string   `json:"result"`
	FinalFEN  string   `json:"final_fen"`
	FENs      []string `json:"fens"`
}

// numbered writes the squares of algebraic moves as numbers.
func numbered(n Numbering, moves []string) []string {
	var pairs []string
	for i := 1; i <= 32; i++ {
		pairs = append(pairs, n.square(i).String(), itoa(i))
	}
	replacer := strings.NewReplacer(pairs...)
	out := make([]string, len(moves))
	for i, m := range moves {
		out[i] = replacer.Replace(m)
	}
	return out
}

func movetext(moves []string) string {
	var out []string
	for i, m := range moves {
		if i%2 == 0 {
			m = itoa(i/2+1) + ". " + m
		}
		out = append(out, m)
	}
	return strings.Join(out, " ")
}

// Whole games, in every way in which their squares can be written, with and
// without what tells the numberings apart.
func TestWholeGames(t *testing.T) {
	cases := readLines[gameCase](t, "testdata/draughts_games.jsonl")
	for _, c := range cases {
		texts := map[string]string{
			"short":      movetext(c.Moves),
			"long":       movetext(c.MovesLong),
			"colon":      strings.ReplaceAll(movetext(c.MovesLong), "x", ":"),
			"bare":       strings.NewReplacer("-", "", "x", "").Replace(movetext(c.Moves)),
			"capitals":   strings.ToUpper(movetext(c.Moves)),
			"b8 tag":     "[GameType \"26,W,8,8,N2,0\"]\n" + movetext(numbered(FromB8, c.Moves)),
			"a1 tag":     "[GameType \"26,W,8,8,N0,0\"]\n" + movetext(numbered(FromA1, c.MovesLong)),
			"h8 tag":     "[GameType \"26,W,8,8,N3,0\"]\n" + movetext(numbered(FromH8, c.MovesLong)),
			"g1 tag":     "[GameType \"26,W,8,8,N1,0\"]\n" + movetext(numbered(FromG1, c.Moves)),
			"b8 trial":   movetext(numbered(FromB8, c.MovesLong)),
			"a1 trial":   movetext(numbered(FromA1, c.Moves)),
			"algebraic":  "[GameType \"26,W,8,8,A0,0\"]\n" + movetext(c.Moves),
			"before '14": "[GameType \"26,W,8,8,A1,0\"]\n" + movetext(c.Moves),
			"type only":  "[GameType \"26\"]\n" + movetext(numbered(FromA1, c.Moves)),
		}
		for name, text := range texts {
			g := readOne(t, text+" "+c.Result, Config{})
			if len(g.Errors) > 0 || g.Spoiled {
				t.Fatalf("game %d, %s: %v", c.N, name, g.Errors)
			}
			if got, want := joined(&g.Line), strings.Join(c.Moves, " "); got != want {
				t.Errorf("game %d, %s:\n got %s\nwant %s", c.N, name, got, want)
			}
			if len(g.Plies) != c.Plies || string(g.Result) != c.Result || g.Final != position(t, c.FinalFEN) {
				t.Errorf("game %d, %s: got %d plies, %s, %s; want %d, %s, %s", c.N, name,
					len(g.Plies), g.Result, g.Final.Text(), c.Plies, c.Result, c.FinalFEN)
			}
		}
		g := readOne(t, movetext(numbered(FromA1, c.Moves)), Config{Numbering: FromA1})
		if len(g.Errors) > 0 || g.Final != position(t, c.FinalFEN) {
			t.Errorf("game %d, by option: %v", c.N, g.Errors)
		}
	}
}

// All games in one stream come back the same from what we write of them.
func TestWholeGamesAreWrittenAndReadBack(t *testing.T) {
	var in []string
	cases := readLines[gameCase](t, "testdata/draughts_games.jsonl")
	for _, c := range cases {
		in = append(in, "[Event \"Game "+itoa(c.N)+"\"]\n\n"+movetext(c.MovesLong)+" "+c.Result)
	}
	all := readAll(t, strings.Join(in, "\n\n"), Config{})
	if len(all) != len(cases) {
		t.Fatalf("got %d games, want %d", len(all), len(cases))
	}
	written := write(t, all...)
	for i, g := range readAll(t, written, Config{}) {
		if got, want := texts(&g.Line), cases[i].Moves; !reflect.DeepEqual(got, want) || string(g.Result) != cases[i].Result {
			t.Errorf("game %d:\n got %v %s\nwant %v %s", cases[i].N, got, g.Result, want, cases[i].Result)
		}
	}
	if again := write(t, readAll(t, written, Config{})...); again != written {
		t.Errorf("written twice:\n%s\n%s", written, again)
	}
}

// The record and the openings of the program of 2002 (F2).
func TestFoundingRecords(t *testing.T) {
	record := "1.c3-d4 b6-c5 2.d4xb6 a7xc5 3.b2-c3 f6-g5 4.c3-d4 c5-b4"
	if g := readOne(t, record+" 5.a3xc5", Config{}); len(g.Errors) > 0 || len(g.Plies) != 9 {
		t.Errorf("the record: %d plies, %v", len(g.Plies), g.Errors)
	}
	if g := readOne(t, record+" 5.d4-e5", Config{}); faults(&g) != "capture_compulsory@1:"+itoa(len(record)+4)+"/9" {
		t.Errorf("another move than the capture: %v", g.Errors)
	}
	for _, moves := range []string{
		"c3-d4 b6-a5 d4-c5", "c3-d4 b6-c5 d4xb6", "c3-d4 d6-c5 g3-f4", "c3-d4 d6-e5 b2-c3", "c3-d4 f6-e5 d4xf6",
		"c3-d4 f6-g5 b2-c3", "c3-d4 h6-g5 g3-h4", "a3-b4 f6-e5", "c3-b4 h6-g5", "c3-d4 b6-c5 d4xb6 a7xc5", "e3-d4 f6-e5 d4xf6 g7xe5",
		"e3-f4 f6-g5", "g3-f4 f6-e5", "g3-h4 b6-c5",
	} {
		g := readOne(t, moves, Config{})
		if len(g.Errors) > 0 || joined(&g.Line) != moves {
			t.Errorf("%s: got %s, %v", moves, joined(&g.Line), g.Errors)
		}
	}
	named := []struct{ fen, text, want, fault string }{
		{"W:Wc1,a3:Bd2,f4,b4", "c1xe3xg5", "c1xg5", ""},
		{"W:Wc1,a3:Bd2,f4,b4", "a3xc5", "", "majority"},
		{"W:Wc1:Bd2,d4,d6,f6,f4,f2", "c1xg1", "c1xg1", ""},
		{"W:WKh6:Bf4,c3,b6,d6", "h6xd2xa5xc7xe5", "h6xe5", ""},
		{"W:WKd4:Bc5,Kf6", "d4xb6", "d4xb6", ""},
		{"W:WKd4:Bc5,Kf6", "d4xh8", "d4xh8", ""},
	}
	for _, c := range named {
		g := readOne(t, `[FEN "`+c.fen+`"] `+c.text, Config{})
		code := ""
		if len(g.Errors) > 0 {
			code = string(g.Errors[0].Code)
		}
		if joined(&g.Line) != c.want || code != c.fault {
			t.Errorf("%s %s: got %q, %q, want %q, %q", c.fen, c.text, joined(&g.Line), code, c.want, c.fault)
		}
	}
}
