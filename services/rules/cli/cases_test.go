package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// readLines decodes a file of one JSON value a line.
func readLines[T any](t *testing.T, file string) []T {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	for line := range bytes.Lines(text) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, v)
	}
	if len(out) == 0 {
		t.Fatalf("%s is empty", file)
	}
	return out
}

// stream runs moves --stdin on requests and decodes the answers, which must all
// be there and right.
func stream(t *testing.T, rules string, requests []request) []answer {
	t.Helper()
	var in strings.Builder
	for _, r := range requests {
		if err := writeLine(&in, r); err != nil {
			t.Fatal(err)
		}
	}
	out, stderr, code := run(Moves{Rules: rules, Stdin: true}, in.String())
	if code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	var answers []answer
	lines := bufio.NewScanner(strings.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var a answer
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&a); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(requests) {
		t.Fatalf("%d answers to %d lines", len(answers), len(requests))
	}
	return answers
}

type draughtsCase struct {
	N       int    `json:"n"`
	Side    string `json:"stm"`
	FEN     string `json:"fen"`
	Numeric string `json:"fen_numeric"`
	Moves   []struct {
		From     string   `json:"from"`
		To       string   `json:"to"`
		Captures []string `json:"captures"`
		Paths    []string `json:"paths"`
		PDN      string   `json:"pdn"`
		Promotes bool     `json:"promotes"`
		FENAfter string   `json:"fen_after"`
	} `json:"moves"`
	AllPaths   []string `json:"all_paths"`
	Perft      []uint64 `json:"perft"`
	PerftPaths []uint64 `json:"perft_paths"`
}

// want are the moves of a case as a line of output has them.
func (c draughtsCase) want(t *testing.T) []move {
	t.Helper()
	out := []move{}
	for _, m := range c.Moves {
		after, err := read(gameFor(t, "draughts"), &m.FENAfter, false)
		if err != nil {
			t.Fatal(err)
		}
		w := move{From: &m.From, To: m.To, Captures: slices.Sorted(slices.Values(m.Captures)), Notation: m.PDN, FENAfter: after.text()}
		if w.Captures == nil {
			w.Captures = []string{}
		}
		for _, path := range slices.Sorted(slices.Values(m.Paths)) {
			w.Paths = append(w.Paths, strings.FieldsFunc(path, func(r rune) bool { return r == 'x' || r == '-' }))
		}
		if m.Promotes {
			crown := "k"
			w.Promotion = &crown
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b move) int { return slices.Compare(a.Paths[0], b.Paths[0]) })
	return out
}

func gameFor(t *testing.T, rules string) games.Game {
	t.Helper()
	g, err := gameOf(rules, false)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestDraughtsPositions(t *testing.T) {
	cases := readLines[draughtsCase](t, "../../../games/draughts/testdata/draughts_positions.jsonl")
	var requests []request
	for i := range cases {
		requests = append(requests, request{FEN: &cases[i].FEN}, request{FEN: &cases[i].Numeric})
	}
	answers := stream(t, "draughts", requests)
	for i, c := range cases {
		got := answers[2*i]
		if numeric := answers[2*i+1]; !reflect.DeepEqual(numeric, got) {
			t.Errorf("%d: by numbers %+v, by squares %+v", c.N, numeric, got)
		}
		if want := c.want(t); !reflect.DeepEqual(got.Moves, want) {
			t.Errorf("%d: %s\ngot  %s\nwant %s", c.N, c.FEN, text(got.Moves), text(want))
		}
		if got.Side[:1] != c.Side || (got.Outcome != nil) != (len(c.Moves) == 0) || len(got.Claims) != 0 {
			t.Errorf("%d: side %s, outcome %v, claims %v", c.N, got.Side, got.Outcome, got.Claims)
		}
		var paths []string
		for _, m := range got.Moves {
			mark := "-"
			if len(m.Captures) > 0 {
				mark = "x"
			}
			for _, path := range m.Paths {
				paths = append(paths, strings.Join(path, mark))
			}
		}
		slices.Sort(paths)
		if !slices.Equal(paths, slices.Sorted(slices.Values(c.AllPaths))) {
			t.Errorf("%d: paths %v, want %v", c.N, paths, c.AllPaths)
		}
		for depth := range min(len(c.Perft), 3) {
			checkPerft(t, Perft{Rules: "draughts", FEN: &c.FEN, Depth: depth + 1}, c.Perft[depth])
			checkPerft(t, Perft{Rules: "draughts", FEN: &c.FEN, Depth: depth + 1, Count: "paths"}, c.PerftPaths[depth])
		}
	}
}

// text is a value as JSON, for messages.
func text(v any) string {
	var b strings.Builder
	_ = writeLine(&b, v)
	return b.String()
}

type chessCase struct {
	N            int      `json:"n"`
	Kind         string   `json:"kind"`
	FEN          string   `json:"fen"`
	Moves        []string `json:"moves"`
	UCI          *string  `json:"uci"`
	SAN          string   `json:"san"`
	Chess960     bool     `json:"chess960"`
	Legal        bool     `json:"legal"`
	FENLegal     string   `json:"fen_legal"`
	Times        int      `json:"times"`
	Valid        *bool    `json:"valid"`
	Policy       bool     `json:"policy"`
	Insufficient *bool    `json:"insufficient"`
	Checkmate    *bool    `json:"checkmate"`
	Note         string   `json:"note"`

	PGN      string            `json:"pgn"`
	MainLine []string          `json:"mainline"`
	FinalFEN string            `json:"final_fen"`
	Headers  map[string]string `json:"headers"`
	Errors   int               `json:"errors"`
	Games    int               `json:"games"`
}

// checkRecord runs record check on the case's file, whose first game it is about.
func (c chessCase) checkRecord(t *testing.T) {
	out, stderr, code := run(Record{File: "-"}, c.PGN)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	var first record
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil {
		t.Fatal(err)
	}
	if stderr != "" || (code != 0) != (c.Errors > 0) || len(lines) != max(c.Games, 1) ||
		!slices.Equal(first.Moves, c.MainLine) || first.Plies != len(c.MainLine) || len(first.Errors) != c.Errors ||
		c.FinalFEN != "" && first.FinalFEN != c.FinalFEN {
		t.Errorf("%d: exit %d, %s: %s: %s", c.N, code, stderr, out, c.Note)
	}
	for name, value := range c.Headers {
		if !slices.Contains(first.Tags, [2]string{name, value}) {
			t.Errorf("%d: tags %v: %s", c.N, first.Tags, c.Note)
		}
	}
}

func TestChessCases(t *testing.T) {
	for _, c := range readLines[chessCase](t, "../../../games/chess/testdata/chess_cases.jsonl") {
		switch c.Kind {
		case "legal", "san_write":
			got := stream(t, "chess", []request{{FEN: &c.FEN, Chess960: &c.Chess960}})[0]
			i := slices.IndexFunc(got.Moves, func(m move) bool { return *m.UCI == *c.UCI })
			switch {
			case c.Kind == "legal" && (i >= 0) != c.Legal:
				t.Errorf("%d: %s listed %v, want %v: %s", c.N, *c.UCI, i >= 0, c.Legal, c.Note)
			case c.Kind == "san_write" && (i < 0 || got.Moves[i].Notation != c.SAN):
				t.Errorf("%d: %s is not %s in %s", c.N, *c.UCI, c.SAN, text(got.Moves))
			}
		case "fen_after", "repetition":
			out, stderr, code := run(Apply{FEN: &c.FEN, Chess960: c.Chess960, Moves: c.Moves}, "")
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			var last played
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || code != 0 || len(lines) != len(c.Moves) {
				t.Errorf("%d: exit %d, %s, %v", c.N, code, stderr, err)
			}
			if c.Kind == "fen_after" && last.FEN != c.FENLegal || c.Kind == "repetition" && last.Repetition != c.Times {
				t.Errorf("%d: %+v, want %s or %d times: %s", c.N, last, c.FENLegal, c.Times, c.Note)
			}
		case "san_read":
			out, _, code := run(Apply{FEN: &c.FEN, Chess960: c.Chess960, Moves: []string{c.SAN}}, "")
			var first played
			if err := json.Unmarshal([]byte(out), &first); err != nil {
				t.Fatal(err)
			}
			// A null move is none in a game.
			if c.UCI == nil || *c.UCI == "0000" {
				if code != 1 {
					t.Errorf("%d: %s read as %s: %s", c.N, c.SAN, first.Move, c.Note)
				}
			} else if code != 0 || first.Move != *c.UCI {
				t.Errorf("%d: exit %d, %s read as %s, want %s: %s", c.N, code, c.SAN, out, *c.UCI, c.Note)
			}
		case "status":
			if len(c.Moves) > 0 {
				continue // counters and repetitions are for apply
			}
			got := stream(t, "chess", []request{{FEN: &c.FEN}})[0]
			for reason, want := range map[string]*bool{"insufficient_material": c.Insufficient, "checkmate": c.Checkmate} {
				if is := got.Outcome != nil && got.Outcome.Reason == reason; want != nil && is != *want {
					t.Errorf("%d: %s is %v: %s", c.N, reason, is, c.Note)
				}
			}
		case "fen_valid":
			_, _, code := run(Moves{FEN: &c.FEN}, "")
			if c.Valid == nil && code != 2 || c.Valid != nil && *c.Valid && code != 0 {
				t.Errorf("%d: exit %d, want valid %v: %s", c.N, code, c.Valid, c.Note)
			}
		case "pgn":
			c.checkRecord(t)
		default:
			t.Errorf("%d: unknown kind %s", c.N, c.Kind)
		}
	}
}

type perftRow struct {
	FEN      string            `json:"fen"`
	Chess960 bool              `json:"chess960"`
	Perft    map[string]uint64 `json:"perft"`
}

// TestMovesSayWhatRulingsSay compares the quick lines with the game at the edge.
func TestMovesSayWhatRulingsSay(t *testing.T) {
	rows := readLines[perftRow](t, "../../../games/chess/testdata/chess_perft.jsonl")
	var requests []request
	for i := range rows {
		requests = append(requests, request{FEN: &rows[i].FEN, Chess960: &rows[i].Chess960})
	}
	for i, got := range stream(t, "chess", requests) {
		g := chess.Game{Chess960: rows[i].Chess960}
		r, err := g.Rule(games.Position{Text: rows[i].FEN})
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != nil && r.Outcome.Reason == "insufficient_material" {
			if n := rows[i].Perft["1"]; uint64(len(got.Moves)) != n || got.Outcome == nil || *got.Outcome != (outcome{Reason: r.Outcome.Reason}) {
				t.Errorf("%s: %d moves, want %d, outcome %v", rows[i].FEN, len(got.Moves), n, got.Outcome)
			}
			continue
		}
		want := []move{}
		for _, m := range r.Moves {
			w := move{From: &m.From, To: m.To, Captures: list(m.Captures), Paths: [][]string{m.Path}, Notation: m.Notation, UCI: &m.Text}
			if m.Promotion != "" {
				w.Promotion = &m.Promotion
			}
			_, after, err := g.Apply(r.Position, m.Text)
			if err != nil {
				t.Fatal(err)
			}
			w.FENAfter = after.Position.Text
			want = append(want, w)
		}
		if got.FEN != r.Position.Text || !reflect.DeepEqual(got.Moves, want) || !reflect.DeepEqual(got.Outcome, outcomeOf(r.Outcome, g.Sides())) {
			t.Errorf("%s:\ngot  %swant %s", rows[i].FEN, text(got), text(want))
		}
		if n, ok := rows[i].Perft["1"]; ok && uint64(len(got.Moves)) != n {
			t.Errorf("%s: %d moves, want %d", rows[i].FEN, len(got.Moves), n)
		}
	}
}
