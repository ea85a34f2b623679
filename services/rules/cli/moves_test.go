package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestMovesLines(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Moves
		want string
	}{
		{"en passant takes the pawn's square", Moves{FEN: new("7k/8/8/3pP3/8/8/r7/4K3 w - d6 0 2")},
			`{"fen":"7k/8/8/3pP3/8/8/r7/4K3 w - d6 0 2","side":"white","moves":[` +
				`{"from":"e1","to":"d1","captures":[],"paths":[["e1","d1"]],"promotion":null,"notation":"Kd1","uci":"e1d1","fen_after":"7k/8/8/3pP3/8/8/r7/3K4 b - - 1 2"},` +
				`{"from":"e1","to":"f1","captures":[],"paths":[["e1","f1"]],"promotion":null,"notation":"Kf1","uci":"e1f1","fen_after":"7k/8/8/3pP3/8/8/r7/5K2 b - - 1 2"},` +
				`{"from":"e5","to":"d6","captures":["d5"],"paths":[["e5","d6"]],"promotion":null,"notation":"exd6","uci":"e5d6","fen_after":"7k/8/3P4/8/8/8/r7/4K3 b - - 0 2"},` +
				`{"from":"e5","to":"e6","captures":[],"paths":[["e5","e6"]],"promotion":null,"notation":"e6","uci":"e5e6","fen_after":"7k/8/4P3/3p4/8/8/r7/4K3 b - - 0 2"}],` +
				`"claims":[],"outcome":null}`},
		{"counters and claims belong to a game", Moves{FEN: new("k1b5/8/8/8/8/8/2r5/K7 w - - 150 90")},
			`{"fen":"k1b5/8/8/8/8/8/2r5/K7 w - - 150 90","side":"white","moves":[` +
				`{"from":"a1","to":"b1","captures":[],"paths":[["a1","b1"]],"promotion":null,"notation":"Kb1","uci":"a1b1","fen_after":"k1b5/8/8/8/8/8/2r5/1K6 b - - 151 90"}],` +
				`"claims":[],"outcome":null}`},
		{"mate", Moves{FEN: new("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")},
			`{"fen":"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1","side":"black","moves":[],"claims":[],"outcome":{"winner":"white","reason":"checkmate"}}`},
		{"stalemate", Moves{FEN: new("k7/2Q5/8/8/8/8/8/K7 b")},
			`{"fen":"k7/2Q5/8/8/8/8/8/K7 b - - 0 1","side":"black","moves":[],"claims":[],"outcome":{"winner":null,"reason":"stalemate"}}`},
		{"dead material", Moves{FEN: new("8/8/8/8/8/2n5/k7/2K5 w - - 0 1")},
			`{"fen":"8/8/8/8/8/2n5/k7/2K5 w - - 0 1","side":"white","moves":[` +
				`{"from":"c1","to":"c2","captures":[],"paths":[["c1","c2"]],"promotion":null,"notation":"Kc2","uci":"c1c2","fen_after":"8/8/8/8/8/2n5/k1K5/8 b - - 1 1"},` +
				`{"from":"c1","to":"d2","captures":[],"paths":[["c1","d2"]],"promotion":null,"notation":"Kd2","uci":"c1d2","fen_after":"8/8/8/8/8/2n5/k2K4/8 b - - 1 1"}],` +
				`"claims":[],"outcome":{"winner":null,"reason":"insufficient_material"}}`},
		{"one move, two paths", Moves{Rules: "draughts", FEN: new("W:Wc1:Bd2,d4,d6,f6,f4,f2")},
			`{"fen":"W:Wc1:Bd2,f2,d4,f4,d6,f6","side":"white","moves":[{"from":"c1","to":"g1","captures":["d2","d4","d6","f2","f4","f6"],` +
				`"paths":[["c1","e3","c5","e7","g5","e3","g1"],["c1","e3","g5","e7","c5","e3","g1"]],` +
				`"promotion":null,"notation":"c1xg1","uci":null,"fen_after":"B:Wg1:B"}],"claims":[],"outcome":null}`},
		{"two captures between two squares", Moves{Rules: "draughts", FEN: new("B:WKg7,c5,e3,f6:BKa3")},
			`{"fen":"B:We3,c5,f6,Kg7:BKa3","side":"black","moves":[` +
				`{"from":"a3","to":"c1","captures":["c5","e3","f6"],"paths":[["a3","e7","g5","c1"]],"promotion":null,"notation":"a3xe7xg5xc1","uci":null,"fen_after":"W:WKg7:BKc1"},` +
				`{"from":"a3","to":"d2","captures":["c5","e3","f6"],"paths":[["a3","e7","g5","d2"]],"promotion":null,"notation":"a3xe7xg5xd2","uci":null,"fen_after":"W:WKg7:BKd2"},` +
				`{"from":"a3","to":"c1","captures":["c5","e3","g7"],"paths":[["a3","f8","h6","c1"]],"promotion":null,"notation":"a3xf8xh6xc1","uci":null,"fen_after":"W:Wf6:BKc1"},` +
				`{"from":"a3","to":"d2","captures":["c5","e3","g7"],"paths":[["a3","f8","h6","d2"]],"promotion":null,"notation":"a3xf8xh6xd2","uci":null,"fen_after":"W:Wf6:BKd2"}],` +
				`"claims":[],"outcome":null}`},
		{"a man is crowned", Moves{Rules: "draughts", FEN: new("W:Wa7:Bh6")},
			`{"fen":"W:Wa7:Bh6","side":"white","moves":[{"from":"a7","to":"b8","captures":[],"paths":[["a7","b8"]],"promotion":"k","notation":"a7-b8","uci":null,"fen_after":"B:WKb8:Bh6"}],"claims":[],"outcome":null}`},
		{"no moves", Moves{Rules: "draughts", FEN: new("W:Wa3:Bb4,c5")},
			`{"fen":"W:Wa3:Bb4,c5","side":"white","moves":[],"claims":[],"outcome":{"winner":"black","reason":"no_moves"}}`},
		{"no pieces", Moves{Rules: "draughts", FEN: new("W:W:BKc5")},
			`{"fen":"W:W:BKc5","side":"white","moves":[],"claims":[],"outcome":{"winner":"black","reason":"no_pieces"}}`},
		{"tic-tac-toe", Moves{Rules: "tictactoe", FEN: new("XXX/OO1/111 O")},
			`{"fen":"xxx/oo1/3 o","side":"o","moves":[],"claims":[],"outcome":{"winner":"x","reason":"three_in_a_row"}}`},
		{"the last square", Moves{Rules: "tictactoe", FEN: new("xox/xxo/o1o x")},
			`{"fen":"xox/xxo/o1o x","side":"x","moves":[{"from":null,"to":"b1","captures":[],"paths":[["b1"]],"promotion":null,"notation":"b1","uci":null,"fen_after":"xox/xxo/oxo o"}],"claims":[],"outcome":null}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.c.JSON = true
			got, stderr, code := run(tt.c, "")
			if code != 0 || stderr != "" || got != tt.want+"\n" {
				t.Errorf("exit %d, %s\ngot  %s\nwant %s", code, stderr, got, tt.want)
			}
		})
	}
}

// oneAnswer is the answer to a position.
func oneAnswer(t *testing.T, c Moves) answer {
	t.Helper()
	c.JSON = true
	out, stderr, code := run(c, "")
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != 0 {
		t.Fatalf("exit %d, %s, %v", code, stderr, err)
	}
	return a
}

func castlings(a answer) []string {
	var out []string
	for _, m := range a.Moves {
		if strings.HasPrefix(m.Notation, "O-O") {
			out = append(out, strings.Join([]string{m.Notation, *m.From, m.To, *m.UCI, strings.Join(m.Captures, ",")}, " "))
		}
	}
	return out
}

func TestCastlingSquares(t *testing.T) {
	for _, tt := range []struct {
		c    Moves
		fen  string
		want []string
	}{
		{Moves{FEN: new("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")}, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
			[]string{"O-O-O e1 c1 e1c1 ", "O-O e1 g1 e1g1 "}},
		{Moves{FEN: new("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), Chess960: true}, "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1",
			[]string{"O-O-O e1 a1 e1a1 ", "O-O e1 h1 e1h1 "}},
		{Moves{FEN: new("4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1")}, "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1",
			[]string{"O-O-O f1 b1 f1b1 ", "O-O f1 g1 f1g1 "}},
	} {
		got := oneAnswer(t, tt.c)
		if got.FEN != tt.fen || !slices.Equal(castlings(got), tt.want) {
			t.Errorf("%s: %s, %q; want %s, %q", *tt.c.FEN, got.FEN, castlings(got), tt.fen, tt.want)
		}
	}
}

func TestMovesForPeople(t *testing.T) {
	for fen, want := range map[string]string{
		"7k/8/8/3pP3/8/8/r7/4K3 w - d6 0 2": "Kd1\t7k/8/8/3pP3/8/8/r7/3K4 b - - 1 2\n" +
			"Kf1\t7k/8/8/3pP3/8/8/r7/5K2 b - - 1 2\n" +
			"exd6\t7k/8/3P4/8/8/8/r7/4K3 b - - 0 2\n" +
			"e6\t7k/8/4P3/3p4/8/8/r7/4K3 b - - 0 2\n",
		"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1": "game over: checkmate, white wins\n",
		"k7/2Q5/8/8/8/8/8/K7 b - - 0 1":     "game over: stalemate, draw\n",
	} {
		got, stderr, code := run(Moves{FEN: &fen}, "")
		if code != 0 || stderr != "" || got != want {
			t.Errorf("%s: exit %d, %s\ngot  %swant %s", fen, code, stderr, got, want)
		}
	}
	fen := "8/8/8/8/8/8/8/8 w - - 0 1"
	got, stderr, code := run(Moves{FEN: &fen, JSON: true}, "")
	want := `{"error":{"code":"bad_position","message":"not a chess position: missing king","reasons":["missing_king"]}}` + "\n"
	if code != 2 || got != want || stderr != "moves: --fen: bad_position: not a chess position: missing king\n" {
		t.Errorf("exit %d, %s\ngot  %swant %s", code, stderr, got, want)
	}
}

// TestStreamGoesOn: what is no position gets an error in its place, and the
// next line its answer.
func TestStreamGoesOn(t *testing.T) {
	long := `{"fen":"` + strings.Repeat("8", 3*maxLine) + `"}`
	in := strings.Join([]string{
		`{"fen":"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1","chess960":false}`,
		`{"fen":"8/8/8/8/8/8/8/8 w - - 0 1"}`,
		``,
		`{"fen":""}`,
		long,
		`{"fen":1}`,
		`not json`,
		"\xff\x00",
		`{"fen":"k7/2Q5/8/8/8/8/8/K7 b","note":"other fields are passed over"}`,
	}, "\n") // the last line has no end
	got, stderr, code := run(Moves{Stdin: true}, in)
	want := []string{
		`{"fen":"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1","side":"black","moves":[],"claims":[],"outcome":{"winner":"white","reason":"checkmate"}}`,
		`{"error":{"code":"bad_position","message":"not a chess position: missing king","reasons":["missing_king"]}}`,
		`{"error":{"code":"bad_text","message":"not a FEN: it needs one to six fields, not 0","reasons":["bad_fields"]}}`,
		`{"error":{"code":"bad_text","message":"the line has more than 65536 bytes","reasons":[]}}`,
		`{"error":{"code":"bad_text",`,
		`{"error":{"code":"bad_text",`,
		`{"error":{"code":"bad_text",`,
		`{"fen":"k7/2Q5/8/8/8/8/8/K7 b - - 0 1","side":"black","moves":[],"claims":[],"outcome":{"winner":null,"reason":"stalemate"}}`,
	}
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if code != 1 || stderr != "" || len(lines) != len(want) {
		t.Fatalf("exit %d, %s, %d lines:\n%s", code, stderr, len(lines), got)
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("line %d: %s, want %s", i+1, lines[i], want[i])
		}
	}
	if _, _, code := run(Moves{Stdin: true}, ""); code != 0 {
		t.Errorf("no input: exit %d", code)
	}
}

// TestAnswersDoNotWait: a caller that sends a line gets its answer before it
// sends the next.
func TestAnswersDoNotWait(t *testing.T) {
	stdin, toCommand := io.Pipe()
	fromCommand, stdout := io.Pipe()
	done := make(chan int, 1)
	go func() {
		code := Moves{Rules: "tictactoe", Stdin: true}.Run(stdin, stdout, io.Discard)
		stdout.Close()
		done <- code
	}()
	answers := bufio.NewScanner(fromCommand)
	for range 3 {
		if _, err := io.WriteString(toCommand, "{}\n"); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() || !strings.HasPrefix(answers.Text(), `{"fen":"3/3/3 x","side":"x"`) {
			t.Fatalf("got %q, %v", answers.Text(), answers.Err())
		}
	}
	toCommand.Close()
	if code := <-done; code != 0 {
		t.Errorf("exit %d", code)
	}
}

// FuzzMoves: every line that is not blank has its line of JSON.
func FuzzMoves(f *testing.F) {
	f.Add("chess", []byte(`{"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","chess960":true}`))
	f.Add("draughts", []byte("{\"fen\":\"W:Wa1:Bb2\"}\n\n{}\nx"))
	f.Add("tictactoe", []byte(`{"fen":"3/3/3 x"}`))
	f.Fuzz(func(t *testing.T, rules string, in []byte) {
		var out bytes.Buffer
		code := Moves{Rules: rules, Stdin: true}.Run(bytes.NewReader(in), &out, io.Discard)
		want := 0
		for line := range bytes.SplitSeq(in, []byte("\n")) {
			if len(bytes.TrimSpace(line)) > 0 {
				want++
			}
		}
		if code == exitInput {
			want = 0
		}
		if got := bytes.Count(out.Bytes(), []byte("\n")); got != want {
			t.Fatalf("exit %d, %d lines for %d", code, got, want)
		}
		for line := range bytes.SplitSeq(out.Bytes(), []byte("\n")) {
			if len(line) > 0 && !json.Valid(line) {
				t.Fatalf("not JSON: %s", line)
			}
		}
	})
}

// TestMovesStreamTakesOddLines: what editors and other systems add around lines
// is passed over, and what is no request is refused in words of the contract.
func TestMovesStreamTakesOddLines(t *testing.T) {
	const king = `{"fen":"8/8/8/8/8/8/8/K6k w - - 0 1"}`
	want, _, _ := run(Moves{Stdin: true}, king)
	for _, in := range []string{
		"\ufeff" + king, "\ufeff\r\n" + king + "\r\n", king + "\r\n", "\n\r\n \t\n" + king, king + "\n\n\n",
	} {
		if got, stderr, code := run(Moves{Stdin: true}, in); got != want || stderr != "" || code != 0 {
			t.Errorf("%q: exit %d, %s\ngot  %swant %s", in, code, stderr, got, want)
		}
	}
	for in, message := range map[string]string{
		"null":              `a line is {"fen":...,"chess960":false}, not null`,
		"[]":                `a line is {"fen":...,"chess960":false}, not array`,
		`"x"`:               `a line is {"fen":...,"chess960":false}, not string`,
		"7":                 `a line is {"fen":...,"chess960":false}, not number`,
		`{"fen":1}`:         `a line is {"fen":...,"chess960":false}: fen is no number`,
		`{"chess960":"x"}`:  `a line is {"fen":...,"chess960":false}: chess960 is no string`,
		king + "\n\ufeff{}": `a line is {"fen":...,"chess960":false}: invalid character 'ï' looking for beginning of value`,
	} {
		got, stderr, code := run(Moves{Stdin: true}, in)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		var last refusal
		err := json.Unmarshal([]byte(lines[len(lines)-1]), &last)
		if err != nil || last.Error == nil || last.Error.Code != "bad_text" || last.Error.Message != message || stderr != "" || code != 1 {
			t.Errorf("%q: exit %d, %s\ngot  %swant %s", in, code, stderr, got, message)
		}
	}
}
