package draughts

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"

	"tabuleiro/games"
)

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

type positionCase struct {
	N          int    `json:"n"`
	Note       string `json:"note"`
	FEN        string `json:"fen"`
	FENNumeric string `json:"fen_numeric"`
	Moves      []struct {
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

// joined is a move with all its paths, as the cases have it.
type joined struct {
	From, To string
	Captures []string
	Paths    []string
	PDN      string
	Promotes bool
	After    string
}

func TestPositions(t *testing.T) {
	for _, c := range readLines[positionCase](t, "testdata/draughts_positions.jsonl") {
		p := mustParse(t, c.FEN)
		if q := mustParse(t, c.FENNumeric); q != p {
			t.Errorf("%d: numbers read as %s, squares as %s", c.N, q.Text(), p.Text())
		}
		var want []joined
		for _, m := range c.Moves {
			after := mustParse(t, m.FENAfter)
			slices.Sort(m.Captures)
			slices.Sort(m.Paths)
			if len(m.Captures) == 0 {
				m.Captures = nil
			}
			want = append(want, joined{m.From, m.To, m.Captures, m.Paths, m.PDN, m.Promotes, after.Text()})
		}
		got, all := joinedMoves(t, p)
		slices.SortFunc(want, compareJoined)
		slices.SortFunc(got, compareJoined)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d (%s) %s:\ngot  %+v\nwant %+v", c.N, c.Note, c.FEN, got, want)
		}
		slices.Sort(c.AllPaths)
		if !slices.Equal(all, c.AllPaths) {
			t.Errorf("%d (%s): paths\ngot  %v\nwant %v", c.N, c.Note, all, c.AllPaths)
		}
		checkPerft(t, p, c.Perft, false)
		checkPerft(t, p, c.PerftPaths, true)
	}
}

func compareJoined(a, b joined) int { return slices.Compare(a.Paths, b.Paths) }

// joinedMoves are the moves of a ruling with the paths of one capture set
// joined, and all texts.
func joinedMoves(t *testing.T, p Position) (moves []joined, all []string) {
	t.Helper()
	r, err := Game{}.Rule(games.Position{Text: p.Text()})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Moves {
		all = append(all, m.Text)
		_, after, err := Game{}.Apply(r.Position, m.Text)
		if err != nil {
			t.Fatalf("%s, %s: %v", p.Text(), m.Text, err)
		}
		i := slices.IndexFunc(moves, func(j joined) bool {
			return j.From == m.From && j.To == m.To && slices.Equal(j.Captures, m.Captures)
		})
		if i >= 0 {
			moves[i].Paths = append(moves[i].Paths, m.Text)
			continue
		}
		moves = append(moves, joined{m.From, m.To, m.Captures, []string{m.Text}, m.Notation, m.Promotion == "k", after.Position.Text})
	}
	return moves, all
}

// TestNamedCases are the rules of the founding work by example: what may be
// played, all of it.
func TestNamedCases(t *testing.T) {
	tests := []struct {
		name, fen string
		want      []string
	}{
		{"majority", "W:Wc1,a3:Bd2,f4,b4", []string{"c1xe3xg5"}},
		{"an empty square may be passed twice", "W:Wc1:Bd2,d4,d6,f6,f4,f2",
			[]string{"c1xe3xc5xe7xg5xe3xg1", "c1xe3xg5xe7xc5xe3xg1"}},
		{"a piece is taken once", "W:WKh6:Bf4,c3,b6,d6", []string{"h6xd2xa5xc7xe5"}},
		{"a king chooses where to stop", "W:WKd4:Bc5,Kf6", []string{"d4xa7", "d4xb6", "d4xg7", "d4xh8"}},
		{"man and king count the same", "W:Wb2,g3:BKc3,f4", []string{"b2xd4", "g3xe5"}},
		{"two men before one king", "W:Wb2,g3:BKc3,f4,d6", []string{"g3xe5xc7"}},
		{"men capture backwards", "W:We5:Bd4,d6", []string{"e5xc3", "e5xc7"}},
		{"an unguarded edge piece is safe", "W:Wg3:Bh4", []string{"g3-f4"}},
	}
	for _, tt := range tests {
		p := mustParse(t, tt.fen)
		got := p.legal().texts
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %s\ngot  %v\nwant %v", tt.name, tt.fen, got, tt.want)
		}
	}
}

func TestPassingTheLastRowDoesNotCrown(t *testing.T) {
	tests := []struct{ fen, move, promotion, after string }{
		{"W:Wb6:Bc7,Ke7,f4", "b6xf6", "", "B:Wf6:Bf4"},
		{"W:Wb6:Bc7,f4", "b6xd8", "k", "B:WKd8:Bf4"},
		{"B:Wd2,f2:Bc3", "c3xg3", "", "W:W:Bg3"},
	}
	for _, tt := range tests {
		m, r, err := Game{}.Apply(games.Position{Text: tt.fen}, tt.move)
		if err != nil || m.Promotion != tt.promotion || r.Position.Text != tt.after {
			t.Errorf("%s, %s: promotion %q, %s, %v; want %q, %s", tt.fen, tt.move, m.Promotion, r.Position.Text, err, tt.promotion, tt.after)
		}
	}
}

// TestRecord is the game of the founding work's text.
func TestRecord(t *testing.T) {
	p, err := Game{}.Start("")
	if err != nil {
		t.Fatal(err)
	}
	var r games.Ruling
	for _, move := range []string{"c3-d4", "b6-c5", "d4xb6", "a7xc5", "b2-c3", "f6-g5", "c3-d4", "c5-b4"} {
		if _, r, err = (Game{}).Apply(p, move); err != nil {
			t.Fatalf("%s: %v", move, err)
		}
		p = r.Position
	}
	want := []games.Move{{
		Text: "a3xc5", Notation: "a3xc5", From: "a3", To: "c5", Path: []string{"a3", "c5"}, Captures: []string{"b4"},
	}}
	if !reflect.DeepEqual(r.Moves, want) {
		t.Errorf("moves %+v, want %+v", r.Moves, want)
	}
}

type gameCase struct {
	N         int      `json:"n"`
	Moves     []string `json:"moves"`
	MovesLong []string `json:"moves_long"`
	Result    string   `json:"result"`
	FinalFEN  string   `json:"final_fen"`
}

// TestGames replays whole games in short and long notation.
func TestGames(t *testing.T) {
	for _, c := range readLines[gameCase](t, "testdata/draughts_games.jsonl") {
		for name, moves := range map[string][]string{"short": c.Moves, "long": c.MovesLong} {
			p, err := Game{}.Start("")
			if err != nil {
				t.Fatal(err)
			}
			var r games.Ruling
			for i, move := range moves {
				var m games.Move
				if m, r, err = (Game{}).Apply(p, move); err != nil {
					t.Fatalf("game %d, %s, ply %d, %s: %v", c.N, name, i+1, move, err)
				}
				if m.Notation != c.Moves[i] || m.Text != c.MovesLong[i] {
					t.Fatalf("game %d, ply %d: %s %s, want %s %s", c.N, i+1, m.Notation, m.Text, c.Moves[i], c.MovesLong[i])
				}
				p = r.Position
			}
			final := mustParse(t, c.FinalFEN)
			if p.Text != final.Text() {
				t.Errorf("game %d ends at %s, want %s", c.N, p.Text, final.Text())
			}
			won := map[string]games.Side{"1-0": games.First, "0-1": games.Second}
			if winner, ok := won[c.Result]; ok && (r.Outcome == nil || r.Outcome.Draw || r.Outcome.Winner != winner) {
				t.Errorf("game %d: outcome %+v, want %s", c.N, r.Outcome, c.Result)
			}
		}
	}
}
