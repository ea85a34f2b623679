package match

import (
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/endings"
)

// smallTables are those of up to 3 pieces.
func smallTables(t *testing.T) endings.Probe {
	t.Helper()
	tables := new(endings.Tables)
	for n := endings.MinPieces; n <= 3; n++ {
		data := make([]byte, endings.Size(n))
		if err := tables.Build(n, data, nil); err != nil {
			t.Fatal(err)
		}
		if err := tables.Add(n, data); err != nil {
			t.Fatal(err)
		}
	}
	return tables
}

func TestByTables(t *testing.T) {
	exact := ByTables(smallTables(t))
	for _, tt := range []struct {
		text, history string
		value         int
		known         bool
	}{
		{"W:WKa1,Kc1:BKh8", "", 1, true}, // in 3 plies
		{"W:WKa1,Kc1:BKh8", "6.0.0.", 1, true},
		{"W:WKa1,Kc1:BKh8", "7.0.0.", 0, false}, // a draw may be claimed after 10
		{"B:Bh8:Wb2", "", 0, true},
		{"B:Bb8:Wa7", "", -1, true},
		{"W:W:Bh8", "", -1, true},
		{draughts.Start().Text(), "", 0, false},
		{"W:WKa1,Kc1,Ke1:BKh8", "", 0, false}, // four pieces, of which there are no tables here
		{"rubbish", "", 0, false},
	} {
		value, known := exact(games.Position{Rules: "draughts", Text: tt.text, History: tt.history})
		if value != tt.value || known != tt.known {
			t.Errorf("%s %s: %d, %v, want %d, %v", tt.text, tt.history, value, known, tt.value, tt.known)
		}
	}
}

// TestTablesEndGames: a game ends where the tables know it, with their value for
// the side to move.
func TestTablesEndGames(t *testing.T) {
	m := ours(t, "draughts")
	m.Plies, m.Games, m.Adjudication = 0, 2, Adjudication{Exact: ByTables(smallTables(t))}
	for _, text := range []string{"W:WKa1,Kc1:BKh8", "B:BKa1,Kc1:WKh8"} {
		m.Openings = []Opening{{Start: games.Position{Rules: "draughts", Text: text}}}
		got := play(t, m)
		if got.Reasons["adjudication: tables"] != 2 || got.Wins != 1 || got.Losses != 1 || got.Used[0].Moves != 0 {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestOurEngineKnowsTheTables: in this process as over the protocols, unless it is
// told not to.
func TestOurEngineKnowsTheTables(t *testing.T) {
	now, err := draughts.Game{}.Rule(games.Position{Rules: "draughts", Text: "W:WKa1,Kc1:BKh8"})
	if err != nil {
		t.Fatal(err)
	}
	probe := smallTables(t)
	for options, depth := range map[string]int{"": 1, ";tables=true": 1, ";tables=false": 3} {
		p, err := newOwn(parsed(t, "limit=depth 4;Hash=1"+options, "draughts"), "draughts", probe)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.move(turn{now: now})
		if err != nil || r.depth != depth {
			t.Errorf("%q: %+v, %v, want depth %d", options, r, err, depth)
		}
	}
	for _, bad := range []struct{ text, rules string }{{"limit=depth 4;tables=maybe", "draughts"}, {"limit=depth 4;tables=false", "chess"}} {
		if _, err := ParseEngine(bad.text, bad.rules, Limit{}); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}
