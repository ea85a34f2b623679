package draughts

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tabuleiro/games"
)

// line plays moves from a position, again and again up to plies in all, and
// gives the ruling after each ply.
func line(t *testing.T, fen, draws string, plies int, moves ...string) []games.Ruling {
	t.Helper()
	p := games.Position{Text: fen, Draws: draws}
	var out []games.Ruling
	for i := range plies {
		_, r, err := Game{}.Apply(p, moves[i%len(moves)])
		if err != nil {
			t.Fatalf("ply %d, %s on %s: %v", i+1, moves[i%len(moves)], p.Text, err)
		}
		again, err := Game{}.Rule(r.Position)
		if err != nil || again.Repetition != r.Repetition || !slices.Equal(again.Claims, r.Claims) || again.Position != r.Position {
			t.Fatalf("ply %d: ruled again %+v, %v, want %+v", i+1, again, err, r)
		}
		out = append(out, r)
		p = r.Position
		if r.Outcome != nil {
			break
		}
	}
	return out
}

// firstClaim is the ply from which a draw may be claimed; 0 if none.
func firstClaim(rs []games.Ruling, claim string) int {
	return 1 + slices.IndexFunc(rs, func(r games.Ruling) bool { return slices.Contains(r.Claims, claim) })
}

func TestClaims(t *testing.T) {
	shuttle := []string{"c1-d2", "f8-e7", "d2-c1", "e7-f8"}
	tests := []struct {
		name, fen, claim string
		moves            []string
		want             int
	}{
		{"third occurrence", "W:WKc1,h2:BKf8,a7", "repetition_3", shuttle, 8},
		{"twenty moves by kings", "W:WKc1,h2:BKf8,a7", "kings_only_20", shuttle, 40},
		{"a man's move starts kings anew", "W:WKc1,h2:BKf8,a7", "kings_only_20",
			append([]string{"h2-g3", "a7-b6"}, slices.Repeat(shuttle, 20)...), 42},
		{"a man's move ends repetition", "W:WKc1,h2:BKf8,a7", "repetition_3",
			slices.Concat(shuttle, []string{"h2-g3", "a7-b6"}, slices.Repeat(shuttle, 20)), 14},
		{"K v K", "W:WKc1:BKf8", "small_ending_5", shuttle, 10},
		{"K v K and man", "W:WKc1,h2:BKf8", "small_ending_5", shuttle, 10},
		{"2K v K", "W:WKc1:BKf8,Kb8", "small_ending_5", shuttle, 10},
		{"2K v 2K", "W:WKc1,Kh2:BKf8,Ka7", "small_ending_5", shuttle, 10},
		{"2K v K and man", "W:WKc1,h2:BKf8,Ka7", "small_ending_5", shuttle, 10},
		{"3K v K is none of them", "W:WKc1,Kh2,Kb2:BKf8", "small_ending_5", shuttle, 0},
	}
	for _, tt := range tests {
		rs := line(t, tt.fen, "", 60, tt.moves...)
		if got := firstClaim(rs, tt.claim); got != tt.want {
			t.Errorf("%s: claimed from ply %d, want %d", tt.name, got, tt.want)
		}
		for _, r := range rs {
			if r.Outcome != nil || r.CanWin != [2]bool{true, true} {
				t.Errorf("%s: claims alone ended the game: %+v", tt.name, r)
			}
		}
	}
}

// TestWhatRestartsACount takes positions one ply before a rule is met.
func TestWhatRestartsACount(t *testing.T) {
	tests := []struct {
		name, fen, draws, history, move string
		claims                          []string
		outcome                         string
	}{
		{"man's move in a small ending", "W:WKc1,h2:BKf8", "cbd", "9.9.0.", "h2-g3", []string{"small_ending_5"}, ""},
		{"promotion makes another ending", "W:WKc1,g7:BKa7,Kb8", "cbd", "9.0.0.", "g7-h8", nil, ""},
		{"capture makes another ending", "W:WKc1:BKb2,Kg7", "cbd", "9.0.0.", "c1xa3", nil, ""},
		{"small ending", "W:WKc1,h2:BKf8", "fmjd64", "9.9.0.", "h2-g3", nil, "small_ending_5"},
		{"promotion within the group", "W:WKc1,g7:BKa7", "fmjd64", "9.9.0.", "g7-h8", nil, "small_ending_5"},
		{"capture makes another group", "W:WKc1,Ka1:BKd2,Kb8", "fmjd64", "9.0.0.", "c1xe3", nil, ""},
		{"three kings", "W:WKc1,Ke1,Kg1:BKb8", "fmjd64", "29.0.0.", "c1-b2", nil, "three_kings_15"},
		{"three kings, too early", "W:WKc1,Ke1,Kg1:BKb8", "fmjd64", "28.0.0.", "c1-b2", nil, ""},
		{"four kings", "W:WKc1,Ke1,Kg1,Ka3:BKb8", "fmjd64", "29.0.0.", "c1-b2", nil, "three_kings_15"},
		{"main diagonal", "B:WKc1,e1,g1:BKh8", "fmjd64", "9.0.9.", "h8-g7", nil, "main_diagonal_5"},
		{"balance of five", "W:WKc1,a3,h2:BKf8,a7", "fmjd64", "59.0.0.", "h2-g3", nil, "balance_30"},
		{"balance of five, too early", "W:WKc1,a3,h2:BKf8,a7", "fmjd64", "58.0.0.", "h2-g3", nil, ""},
		{"balance of six", "W:WKc1,a3,h2:BKf8,a7,h6", "fmjd64", "119.0.0.", "h2-g3", nil, "balance_60"},
		{"balance of six, too early", "W:WKc1,a3,h2:BKf8,a7,h6", "fmjd64", "118.0.0.", "h2-g3", nil, ""},
		{"no balance without kings", "W:WKc1,a3,h2:Bd8,a7", "fmjd64", "200.0.0.", "h2-g3", nil, ""},
		{"cbd knows no balance", "W:WKc1,a3,h2:BKf8,a7", "cbd", "200.0.0.", "h2-g3", nil, ""},
		{"a counter is bounded", "W:WKc1,a3,h2:BKf8,a7", "cbd", "999.0.0.", "h2-g3", nil, ""},
	}
	for _, tt := range tests {
		_, r, err := Game{}.Apply(games.Position{Text: tt.fen, Draws: tt.draws, History: tt.history}, tt.move)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		outcome := ""
		if r.Outcome != nil {
			outcome = r.Outcome.Reason
			if !r.Outcome.Draw || len(r.Moves) != 0 || r.CanWin != [2]bool{} {
				t.Errorf("%s: a draw that goes on: %+v", tt.name, r)
			}
		}
		if !slices.Equal(r.Claims, tt.claims) || outcome != tt.outcome {
			t.Errorf("%s: claims %v, outcome %q, want %v, %q", tt.name, r.Claims, outcome, tt.claims, tt.outcome)
		}
	}
}

func TestLeavingTheMainDiagonalRestarts(t *testing.T) {
	before, now := mustParse(t, "B:WKc1,e1,g1:BKf6"), mustParse(t, "W:WKc1,e1,g1:BKd8")
	m := Move{From: At(5, 5), To: At(3, 7)}
	if got := (history{material: 9, diagonal: 9}).after(&before, m, &now); got.diagonal != 0 || got.material != 10 {
		t.Errorf("%+v", got)
	}
}

func TestFMJDEndsByItself(t *testing.T) {
	rs := line(t, "W:WKc1,h2:BKf8,a7", "fmjd64", 60, "c1-d2", "f8-e7", "d2-c1", "e7-f8")
	last := rs[len(rs)-1]
	if len(rs) != 8 || last.Outcome == nil || last.Outcome.Reason != "repetition_3" || last.Repetition != 3 {
		t.Errorf("after %d plies: %+v", len(rs), last)
	}
	_, _, err := Game{}.Apply(last.Position, "c1-d2")
	var refusal *games.Refusal
	if !errors.As(err, &refusal) || refusal.Code != games.GameOver {
		t.Errorf("a move after the end: %v", err)
	}

	// The kings go round in five and in four moves, so that no position comes
	// three times within thirty plies.
	white := []string{"c1-d2", "d2-e1", "e1-f2", "f2-e3", "e3-c1"}
	black := []string{"f8-e7", "e7-d8", "d8-e7", "e7-f8"}
	var moves []string
	for i := range 20 {
		moves = append(moves, white[i%5], black[i%4])
	}
	rs = line(t, "W:WKc1,h2,a3:BKf8,h4,b8,h8", "fmjd64", 60, moves...)
	last = rs[len(rs)-1]
	if len(rs) != 30 || last.Outcome == nil || last.Outcome.Reason != "kings_only_15" {
		t.Errorf("after %d plies: %+v", len(rs), last)
	}
}

func TestLosses(t *testing.T) {
	tests := []struct {
		fen  string
		want games.Outcome
	}{
		{"W:W:BKa1", games.Outcome{Winner: games.Second, Reason: "no_pieces"}},
		{"B:Wa1:B", games.Outcome{Winner: games.First, Reason: "no_pieces"}},
		{"W:Wa3:Bb4,c5", games.Outcome{Winner: games.Second, Reason: "no_moves"}},
	}
	for _, tt := range tests {
		r, err := Game{}.Rule(games.Position{Text: tt.fen})
		if err != nil || r.Outcome == nil || *r.Outcome != tt.want || len(r.Moves) != 0 {
			t.Errorf("%s: %+v, %v, want %+v", tt.fen, r.Outcome, err, tt.want)
		}
	}
}

func TestHistoryIsRefused(t *testing.T) {
	const fen = "W:WKc1,h2:BKe7,a7"
	// Black's king came from f8.
	good := "1.0.0." + string([]byte{squareDigits[At(5, 7).Index()], squareDigits[At(4, 6).Index()]})
	if _, err := (Game{}).Rule(games.Position{Text: fen, History: good}); err != nil {
		t.Errorf("%q: %v", good, err)
	}
	for _, history := range []string{
		"1", "1.0.0", "1.0.0.0", "1.0.0.0.", "x.0.0.", "-1.0.0.", "01.0.0.", "1000.0.0.", "1.0.0.0w", "1.0.0.00", "1.0.0.01",
		strings.Replace(good, "1", "0", 1), "1.1.0.", "1.0.1.", good + good[6:], " " + good,
		"99.0.0." + strings.Repeat("00", 500),
		"1.0.0." + string([]byte{squareDigits[At(7, 7).Index()], squareDigits[At(4, 6).Index()]}),
	} {
		var invalid *games.Invalid
		if _, err := (Game{}).Rule(games.Position{Text: fen, History: history}); !errors.As(err, &invalid) || !slices.Equal(invalid.Reasons, []string{"bad_history"}) {
			t.Errorf("%q: %v", history, err)
		}
	}
}

// TestHistoryIsBounded plays on with kings alone for longer than anything is
// remembered.
func TestHistoryIsBounded(t *testing.T) {
	rs := line(t, "W:WKc1,h2:BKf8,a7", "", 1100, "c1-d2", "f8-e7", "d2-c1", "e7-f8")
	last := rs[len(rs)-1]
	if n := len(last.Position.History); n > 2*maxRun+12 {
		t.Errorf("the history has %d bytes", n)
	}
	if want := []string{"kings_only_20", "repetition_3"}; !slices.Equal(last.Claims, want) {
		t.Errorf("claims %v, want %v", last.Claims, want)
	}
}
