package rules

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"tabuleiro/games/chess"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// readFile reads a file as a caller does: piece by piece of at most size bytes.
func readFile(t testing.TB, rules string, file []byte, size int) []*rulesv1.Record {
	t.Helper()
	s := New()
	var all []*rulesv1.Record
	in := &rulesv1.ReadRecordsRequest{Rules: rules, Line: 1, Column: 1}
	have := size
	for calls := 0; ; calls++ {
		if calls > 100_000 {
			t.Fatal("reading goes nowhere")
		}
		n := min(have, len(file))
		in.Text, in.Last = file[:n], n == len(file)
		out, err := s.ReadRecords(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, out.GetRecords()...)
		file = file[out.GetConsumed():]
		if in.Last && len(file) == 0 {
			return all
		}
		if out.GetConsumed() == 0 && len(out.GetRecords()) == 0 {
			have += size // no game is whole yet
		} else {
			have = size
		}
		in.Line, in.Column, in.Inside = out.GetLine(), out.GetColumn(), out.GetInside()
	}
}

const startHash = "91a059f0eb28c421"

const twoGames = `[Event "A"]
[White "Silva, Ana"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "B"]
[Result "*"]

1. e4 Ke7 2. d4 *

[Event "C"]

1. d4 {a comment
of two lines} d5 *
`

func TestReadRecordsSaysEverything(t *testing.T) {
	got := readFile(t, "chess", []byte(twoGames), 1<<20)
	if len(got) != 3 {
		t.Fatalf("got %d records", len(got))
	}
	a, b, c := got[0], got[1], got[2]
	if a.GetLine() != 1 || a.GetPlies() != 7 || a.GetResult() != "1-0" || a.GetSpoiled() ||
		a.GetMoves() != "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7" || len(a.GetHashes()) != 8*8 || !strings.Contains(a.GetText(), "4. Qxf7# 1-0") {
		t.Errorf("got %v", a)
	}
	if !b.GetSpoiled() || b.GetLine() != 7 || b.GetText() != "" || len(b.GetFaults()) != 1 || b.GetFaults()[0].GetLine() != 10 || b.GetFaults()[0].GetColumn() != 7 {
		t.Errorf("a fault spoils its game: got %v", b)
	}
	if c.GetSpoiled() || c.GetPlies() != 2 || !strings.Contains(c.GetText(), "{a comment of two lines}") {
		t.Errorf("and not the next: got %v", c)
	}
}

// TestPiecesDoNotMatter: however a file is cut, it holds the same games.
func TestPiecesDoNotMatter(t *testing.T) {
	pdnFile := "[Event \"A\"]\n[Result \"1-1\"]\n\n1. c3-d4 b6-a5 2. d4-c5 d6xb4 *\n\n1. c3-b4 *\n[Event \"C\"]\n\n1. a3-b4 a1-a2 *\n\n1. a3-b4 b6-c5\n\n1. c3-d4 12\n"
	for rules, file := range map[string]string{
		"chess":    twoGames + "\n1. e4 e5\n2. Nf3 Nc6\n\n1. d4 d5 1-0 1. c4 *\n",
		"draughts": pdnFile,
	} {
		for _, text := range []string{file, strings.ReplaceAll(file, "\n", "\r\n"), "\xEF\xBB\xBF" + file} {
			want := fmt.Sprint(readFile(t, rules, []byte(text), 1<<20))
			for size := 1; size < len(text); size++ {
				if got := fmt.Sprint(readFile(t, rules, []byte(text), size)); got != want {
					t.Fatalf("%s in pieces of %d:\n got %s\nwant %s", rules, size, got, want)
				}
			}
		}
	}
}

// TestGameTooLong: a game that fills a piece is given up, the next one is read.
func TestGameTooLong(t *testing.T) {
	var file bytes.Buffer
	file.WriteString("[Event \"Long\"]\n\n1. e4 ")
	for file.Len() < 3*maxPiece {
		file.WriteString("{comment without an end of the game}\n")
	}
	file.WriteString("1... e5 1-0\n\n[Event \"Next\"]\n\n1. d4 d5 *\n")
	got := readFile(t, "chess", file.Bytes(), maxPiece)
	if len(got) != 2 || !got[0].GetSpoiled() || got[0].GetFaults()[0].GetCode() != "too_long" || got[1].GetSpoiled() || got[1].GetPlies() != 2 {
		t.Errorf("got %d records: %.600v", len(got), got)
	}
	noise := bytes.Repeat([]byte("x"), 2*maxPiece)
	if got := readFile(t, "chess", noise, maxPiece); len(got) == 0 || !got[0].GetSpoiled() {
		t.Errorf("a file without line ends: got %d records", len(got))
	}
}

func TestReadRecordsIsBounded(t *testing.T) {
	many := strings.Repeat("[Event \"A\"]\n\n1. e4 *\n\n", maxRecords+7)
	s := New()
	out, err := s.ReadRecords(t.Context(), &rulesv1.ReadRecordsRequest{Rules: "chess", Text: []byte(many), Line: 1, Column: 1, Last: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.GetRecords()) != maxRecords {
		t.Errorf("got %d records in one answer", len(out.GetRecords()))
	}
	if got := readFile(t, "chess", []byte(many), 1<<20); len(got) != maxRecords+7 {
		t.Errorf("got %d records in all", len(got))
	}
	long := "1. Nf3 Nf6 " + strings.Repeat("2. Ng1 Ng8 3. Nf3 Nf6 ", maxRecordPlies/4+1) + "*\n"
	if got := readFile(t, "chess", []byte(long), 1<<20); len(got) != 1 || !got[0].GetSpoiled() {
		t.Errorf("a game without an end: got %.300v", got)
	}
}

// TestHashesAreOfTheKeysOfRulings: what is indexed is what Inspect tells.
func TestHashesAreOfTheKeysOfRulings(t *testing.T) {
	s := New()
	for rules, text := range map[string]string{"chess": "1. e4 c5 2. e5 d5 3. exd6 *\n", "draughts": "1. c3-d4 b6-a5 2. d4-c5 d6xb4 3. a3xc5 *\n"} {
		record := readFile(t, rules, []byte(text), 1<<20)[0]
		p := &commonv1.Position{Rules: rules}
		for i, move := range append(strings.Fields(record.GetMoves()), "") {
			ruling, err := s.Inspect(t.Context(), &rulesv1.InspectRequest{Position: p})
			if err != nil {
				t.Fatal(err)
			}
			want := hashOf(ruling.GetRuling().GetKey())
			if got := record.GetHashes()[8*i : 8*i+8]; !bytes.Equal(got, want[:]) {
				t.Errorf("%s, ply %d: got %x, want %x", rules, i, got, want)
			}
			if move == "" {
				break
			}
			next, err := s.Apply(t.Context(), &rulesv1.ApplyRequest{Position: p, Move: move})
			if err != nil {
				t.Fatal(err)
			}
			p = next.GetRuling().GetPosition()
		}
	}
	start := chess.Start()
	if hash := chessHash(&start); fmt.Sprintf("%x", hash) != startHash {
		t.Errorf("the start hashes to %x: indexes that are kept would be lost", hash)
	}
}

func TestWriteRecord(t *testing.T) {
	s := New()
	for name, test := range map[string]struct {
		in   *rulesv1.WriteRecordRequest
		want string
		code string
	}{
		"chess": {in: &rulesv1.WriteRecordRequest{
			Start: &commonv1.Position{Rules: "chess"}, Moves: []string{"e2e4", "e7e5"}, Result: "1/2-1/2",
			Tags: []*rulesv1.RecordTag{{Name: "White", Value: "Ana"}},
		}, want: "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Ana\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n\n"},
		"draughts from a position": {in: &rulesv1.WriteRecordRequest{
			Start: &commonv1.Position{Rules: "draughts", Text: "W:Wc3:Bb6"}, Moves: []string{"c3-d4"}, Result: "*",
		}, want: "[Result \"*\"]\n[GameType \"26\"]\n[FEN \"W:Wc3:Bb6\"]\n\n1. c3-d4 *\n\n"},
		"tictactoe":      {in: &rulesv1.WriteRecordRequest{Start: &commonv1.Position{Rules: "tictactoe"}, Result: "*"}, code: "bad_field"},
		"no position":    {in: &rulesv1.WriteRecordRequest{Start: &commonv1.Position{Rules: "chess", Text: "x"}, Result: "*"}, code: "bad_text"},
		"an illegal one": {in: &rulesv1.WriteRecordRequest{Start: &commonv1.Position{Rules: "chess"}, Moves: []string{"e2e5"}, Result: "*"}, code: "cannot_move_so"},
		"a bad tag": {in: &rulesv1.WriteRecordRequest{
			Start: &commonv1.Position{Rules: "chess"}, Result: "*", Tags: []*rulesv1.RecordTag{{Name: "White", Value: "a\nb"}},
		}, code: "bad_field"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := s.WriteRecord(t.Context(), test.in)
			if test.code != "" {
				if p, ok := rpc.ProblemOf(err); !ok || p.Code != test.code {
					t.Fatalf("got %v, want %s", err, test.code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if out.GetText() != test.want {
				t.Errorf("got %q, want %q", out.GetText(), test.want)
			}
		})
	}
}
