package match

import (
	"os"
	"testing"

	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/hub"
)

// fakeHub is our own engine behind one of the protocols for draughts.
func fakeHub(kind string) {
	if kind == "hub" {
		hub.Server{}.Run(os.Stdin, os.Stdout, os.Stderr)
	} else {
		hub.Line{Hash: 1, Options: engine.Full()}.Run(os.Stdin, os.Stdout, os.Stderr)
	}
}

// TestDraughtsPrograms: games over both protocols are those that our engine plays
// in this process.
func TestDraughtsPrograms(t *testing.T) {
	m := ours(t, "draughts")
	m.Games = 2
	for i := range m.Engines {
		m.Engines[i] = parsed(t, "name="+string("ab"[i])+";limit=nodes 400;Hash=1", "draughts")
	}
	want := play(t, m)
	for _, protocol := range []string{"hub", "line"} {
		e := fake(t, protocol, "nodes 400")
		e.Protocol, e.Name = protocol, "b"
		if protocol == "hub" {
			e.Options = []Option{{"hash", "1"}}
		}
		m.Engines[1] = e
		got := play(t, m)
		if len(got.Faults[1]) != 0 || got.Used[1].Moves == 0 || got.Used[1].Nodes == 0 {
			t.Errorf("%s: %+v", protocol, got)
		}
		if protocol == "hub" && (got.Pairs != want.Pairs || got.Used[1].Moves != want.Used[1].Moves) {
			t.Errorf("%+v, in this process %+v", got, want)
		}
	}
	for _, limit := range []string{"movetime 3", "cpu 2", "depth 2", "tc 5+0.1"} {
		e := fake(t, "hub", limit)
		e.Protocol, e.Options = "hub", []Option{{"hash", "1"}}
		m.Engines[1], m.Adjudication.MaxPlies, m.Margin = e, 9, patienceForSlowMachines
		if s := play(t, m); len(s.Faults[1]) != 0 || s.Used[1].Moves == 0 {
			t.Errorf("%s: %+v", limit, s)
		}
	}
}
