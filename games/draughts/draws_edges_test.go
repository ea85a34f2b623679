package draughts

import (
	"maps"
	"slices"
	"testing"

	"tabuleiro/games"
)

// script has the moves of some plies of a game, from 1: a move's text, or man
// for the step of some man.
type script map[int]string

const man = "man"

// men is a script in which a man goes at some plies.
func men(plies ...int) script {
	s := script{}
	for _, ply := range plies {
		s[ply] = man
	}
	return s
}

// wander plays on for some plies, or until the game ends, and gives the ruling
// after each. But for its script, kings go about so that nothing can be taken
// and no position comes again.
func wander(t *testing.T, p games.Position, plies int, s script) []games.Ruling {
	t.Helper()
	tries := 0
	var out []games.Ruling
	var on func(p games.Position) bool
	on = func(p games.Position) bool {
		if tries++; tries > 20_000 {
			t.Fatalf("%s: no way to play on for %d plies", p.Text, plies)
		}
		ply := len(out) + 1
		before, err := Game{}.Rule(p)
		if err != nil {
			t.Fatalf("ply %d: %v", ply, err)
		}
		if ply > plies || before.Outcome != nil {
			return true
		}
		for _, m := range before.Moves {
			isMan := !mustParse(t, p.Text).kings.Has(At(int(m.From[0]-'a'), int(m.From[1]-'1')))
			if wanted := s[ply]; wanted == man && !isMan || wanted == "" && isMan || wanted != "" && wanted != man && wanted != m.Text {
				continue
			}
			_, after, err := Game{}.Apply(p, m.Text)
			if err != nil {
				t.Fatalf("ply %d, %s: %v", ply, m.Text, err)
			}
			scripted := s[ply] == m.Text
			if !scripted && (after.Repetition > 1 || len(after.Moves) > 0 && len(after.Moves[0].Captures) > 0) {
				continue
			}
			out = append(out, after)
			if on(after.Position) {
				return true
			}
			out = out[:len(out)-1]
		}
		return false
	}
	if !on(p) {
		t.Fatalf("%s: no way to play on", p.Text)
	}
	return out
}

// thrice brings the position back twice in eight plies.
func thrice() script {
	return script{1: "c1-d2", 2: "f8-e7", 3: "d2-c1", 4: "e7-f8", 5: "c1-d2", 6: "f8-e7", 7: "d2-c1", 8: "e7-f8"}
}

// onDiagonal goes to and fro on the main diagonal after a first move of Black's,
// who moves second.
func onDiagonal(first string) script {
	return script{2: first, 4: "g7-h8", 6: "h8-g7", 8: "g7-h8", 10: "h8-g7", 12: "g7-h8"}
}

// TestFMJDEndsAtItsPly plays each counter of fmjd64 from where it starts to the
// ply that ends the game, and not one before. Men go now and then where the
// counter of king moves would end it first.
func TestFMJDEndsAtItsPly(t *testing.T) {
	five := men(20, 41, 60, 81, 100)
	tests := []struct {
		name, fen, history string
		script             script
		want               int // the ply; with no reason, up to where it goes on
		reason             string
	}{
		{"balance of 4", "W:WKa1,h2:BKb8,a7", "", men(20, 41), 60, "balance_30"},
		{"balance of 5", "W:WKa1,h2:BKb8,a7,h8", "", men(20, 41), 60, "balance_30"},
		{"balance of 5, two kings to one", "W:WKa1,Kc1,h2:BKb8,a7", "", men(20, 41), 60, "balance_30"},
		{"balance of 6", "W:WKa1,h2:BKb8,a7,h8,d8", "", five, 120, "balance_60"},
		{"balance of 7", "W:WKa1,h2,g1:BKb8,a7,h8,d8", "", five, 120, "balance_60"},
		{"no balance of 8", "W:WKa1,h2,g1,e1:BKb8,a7,h8,d8", "", five, 125, ""},
		{"no balance of 6 at 30 moves", "W:WKa1,h2:BKb8,a7,h8,d8", "59.0.0.", script{}, 20, ""},
		{"balance of 4, anew from a crowning", "W:WKa1,h6:BKb8,a5", "57.0.0.", script{1: "h6-g7", 3: "g7-h8", 30: man, 56: man}, 63, "balance_30"},
		{"balance of 5, anew from a capture", "W:WKa1,h2:BKb8,a7,h8,b2", "100.0.0.", script{1: "a1xc3", 20: man, 41: man}, 61, "balance_30"},
		{"no balance while one side has men alone", "W:WKa1,h2:Bh8,a7,c7", "", script{
			2: man, 4: man, 6: man, 8: man, 10: man}, 11, ""},
		{"kings only", "W:WKa1,h2,g1,e1:BKb8,a7,h8,d8", "", nil, 30, "kings_only_15"},
		{"kings only, anew from a man's move", "W:WKa1,h2,g1,e1:BKb8,a7,h8,d8", "", men(30), 60, "kings_only_15"},
		{"kings only, anew from a capture", "W:WKa1,h2,g1,e1:BKb8,a7,h8,d8,b2", "", script{1: "a1xc3"}, 31, "kings_only_15"},
		{"three kings", "W:WKa1,Kc1,Ke1:BKb8", "", nil, 30, "three_kings_15"},
		{"three kings of Black's", "B:WKb8:BKa1,Kc1,Ke1", "", nil, 30, "three_kings_15"},
		{"five kings", "W:WKa1,Kc1,Ke1,Kg1,Ka3:BKb8", "", nil, 30, "three_kings_15"},
		{"three kings, anew from a crowning", "W:WKa1,Kc1,g7:BKb8", "20.0.0.", script{1: "g7-h8"}, 31, "three_kings_15"},
		{"three kings, anew from a capture", "W:WKa1,Kc1,Ke1,Kg1:BKb8,d2", "20.0.0.", script{1: "c1xe3"}, 31, "three_kings_15"},
		{"three kings and a man are not", "W:WKa1,Kc1,Ke1,h2:BKb8", "", men(29), 31, ""},
		{"main diagonal", "W:WKe1,c1,g1:BKh8", "", onDiagonal("h8-g7"), 10, "main_diagonal_5"},
		{"main diagonal, from the ply that enters it", "W:WKe1,c1,g1:BKf8", "", onDiagonal("f8-g7"), 12, "main_diagonal_5"},
		{"main diagonal, left at once", "W:WKe1,c1,g1:BKg7", "", script{2: "g7-f8"}, 12, ""},
		{"main diagonal, four pieces are not", "W:WKe1,c1,g1,h2:BKh8", "", nil, 12, ""},
		{"small ending, K v K", "W:WKc1:BKb8", "", nil, 10, "small_ending_5"},
		{"small ending, 2K v K", "W:WKc1,Ke1:BKb8", "", nil, 10, "small_ending_5"},
		{"small ending, K and man v K", "W:WKc1,h2:BKb8", "", nil, 10, "small_ending_5"},
		{"small ending with a man's move", "W:WKc1,h2:BKb8", "", men(5), 10, "small_ending_5"},
		{"small ending with a crowning", "W:WKc1,g7:BKb8", "", script{5: "g7-h8"}, 10, "small_ending_5"},
		{"small ending, anew from a capture", "W:WKa1,Kc1:BKb8,d2", "", script{1: "c1xe3"}, 11, "small_ending_5"},
		{"2K v 2K is none", "W:WKc1,Ke1:BKb8,Kh8", "", nil, 29, ""},
		{"third occurrence", "W:WKc1,h2,g1,e1:BKf8,a7,h8,d8", "", thrice(), 8, "repetition_3"},
		{"the same pieces with the other side to move are another position", "W:WKc1,h2,g1,e1:BKf8,a7,h8,d8", "", script{
			1: "c1-d2", 2: "f8-e7", 3: "d2-c1", 4: "e7-d6", 5: "c1-d2", 6: "d6-f8", 7: "d2-c1"}, 12, ""},
	}
	for _, tt := range tests {
		plies := tt.want + 5
		if tt.reason == "" {
			plies = tt.want
		}
		rs := wander(t, games.Position{Text: tt.fen, Draws: drawsFMJD64, History: tt.history}, plies, tt.script)
		reason := ""
		if o := rs[len(rs)-1].Outcome; o != nil {
			reason = o.Reason
		}
		if len(rs) != tt.want || reason != tt.reason {
			t.Errorf("%s: after %d plies %q, want %q after %d", tt.name, len(rs), reason, tt.reason, tt.want)
		}
	}
}

// TestCBDIsClaimedFromItsPly does the same for cbd, where nothing ends the game:
// the plies after which a draw may be claimed.
func TestCBDIsClaimedFromItsPly(t *testing.T) {
	from := func(first, last int) (out []int) {
		for ply := first; ply <= last; ply++ {
			out = append(out, ply)
		}
		return out
	}
	tests := []struct {
		name, fen, history string
		script             script
		claim              string
		plies              int
		want               []int
	}{
		{"kings only", "W:WKa1,h2,g1,e1:BKb8,a7,h8,d8", "", nil, "kings_only_20", 42, from(40, 42)},
		{"kings only, until a man moves", "W:WKa1,h2,g1,e1:BKb8,a7,h8,d8", "", men(42), "kings_only_20", 44, from(40, 41)},
		{"kings only, anew from a capture", "W:WKa1,h2,g1,e1:BKb8,a7,h8,d8,b2", "", script{1: "a1xc3"}, "kings_only_20", 42, from(41, 42)},
		{"small ending, 2K v 2K", "W:WKa1,Kc1:BKb8,Kd8", "", nil, "small_ending_5", 12, from(10, 12)},
		{"small ending, K v K and man, with the man's moves", "B:WKc1:BKb8,a7", "", men(3, 7), "small_ending_5", 12, from(10, 12)},
		{"small ending, 2K v K and man", "W:WKa1,Kc1:BKb8,a7", "", nil, "small_ending_5", 12, from(10, 12)},
		{"small ending, anew from a capture into it", "W:WKa1,Kc1,Ke1:BKb8,d2", "30.0.0.", script{1: "c1xe3"}, "small_ending_5", 12, nil},
		{"small ending, from a capture that makes it", "W:WKa1,Kc1:BKb8,d2", "30.0.0.", script{1: "c1xe3"}, "small_ending_5", 12, from(11, 12)},
		{"small ending, anew from a crowning", "W:WKc1,g7:BKb8", "", script{5: "g7-h8"}, "small_ending_5", 16, from(15, 16)},
		{"K and man v K and man is none", "W:WKc1,h2:BKb8,a7", "", nil, "small_ending_5", 12, nil},
		{"K v two men is none", "W:WKc1:Ba7,h8", "", script{2: man, 4: man, 6: man, 8: man, 10: man, 12: man}, "small_ending_5", 12, nil},
		{"third occurrence", "W:WKc1,h2,g1,e1:BKf8,a7,h8,d8", "", thrice(), "repetition_3", 10, []int{8}},
	}
	for _, tt := range tests {
		rs := wander(t, games.Position{Text: tt.fen, Draws: drawsCBD, History: tt.history}, tt.plies, tt.script)
		var got []int
		for i, r := range rs {
			if slices.Contains(r.Claims, tt.claim) {
				got = append(got, i+1)
			}
		}
		if len(rs) != tt.plies || !slices.Equal(got, tt.want) {
			t.Errorf("%s: claimed after plies %v of %d, want %v of %d", tt.name, got, len(rs), tt.want, tt.plies)
		}
	}
}

// TestCountsAreThoseOfTheHistory: the small counters of the search see the same
// draws as the history of a game, repetitions apart.
func TestCountsAreThoseOfTheHistory(t *testing.T) {
	for _, draws := range []string{drawsCBD, drawsFMJD64} {
		s := men(20, 41, 60, 81, 100)
		maps.DeleteFunc(s, func(ply int, _ string) bool { return draws == drawsCBD && ply > 20 })
		p := games.Position{Text: "W:WKa1,h2:BKb8,a7,h8,d8", Draws: draws}
		for i, r := range wander(t, p, 120, s) {
			position, counts, _, err := Game{}.Past(r.Position)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := counts.Drawn(&position), r.Outcome != nil || len(r.Claims) > 0; got != want {
				t.Errorf("%s, ply %d: drawn %v, want %v", draws, i+1, got, want)
			}
		}
	}
}
