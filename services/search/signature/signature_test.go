package signature

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"tabuleiro/services/search/engine"
)

// TestNodesArePinned: whoever changes a search or an evaluation sees it here.
func TestNodesArePinned(t *testing.T) {
	for rules, want := range map[string]uint64{"chess": 24572, "draughts": 40983} {
		var out bytes.Buffer
		if err := (Bench{Rules: rules, Depth: 7, Hash: 1, Options: engine.Full()}).Run(&out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		var nodes, again, speed uint64
		_, err := fmt.Sscanf(lines[len(lines)-3], "nodes %d", &nodes)
		_, last := fmt.Sscanf(lines[len(lines)-1], "%d nodes %d nps", &again, &speed)
		if err != nil || last != nil || len(lines) != 14 || nodes != again || nodes != want {
			t.Errorf("%s: %d nodes, pinned %d\n%s", rules, nodes, want, out.String())
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, b := range []Bench{{Rules: "tictactoe"}, {}, {Rules: "chess", Depth: -1}, {Rules: "chess", Depth: engine.MaxDepth + 1}} {
		var out bytes.Buffer
		if err := b.Run(&out); err == nil || out.Len() > 0 {
			t.Errorf("%+v: %v, %q", b, err, out.String())
		}
	}
}
