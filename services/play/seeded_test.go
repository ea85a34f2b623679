//go:build seededbugs

package play

import (
	"fmt"
	"testing"

	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// These tests prove that each sown bug bites; the harnesses in e2e must find
// them all.

const seedVariable = "TABULEIRO_SEEDED_BUG"

func TestSeededKeyIgnored(t *testing.T) {
	t.Setenv(seedVariable, "key_ignored")
	w := newWorld(t)
	ctx := w.as("guest:1")
	in := &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "person"}
	first, err := w.CreateGame(ctx, in)
	must(t, err)
	second, err := w.CreateGame(ctx, in)
	must(t, err)
	if first.GetGame().GetId() == second.GetGame().GetId() {
		t.Error("the key was heeded")
	}
}

func TestSeededAckBeforeCommit(t *testing.T) {
	t.Setenv(seedVariable, "ack_before_commit")
	w := newWorld(t)
	lost := 0
	for i := range 64 {
		out, err := w.CreateGame(w.with(fmt.Sprint("w", i), "k"+fmt.Sprint(i)), &playv1.CreateGameRequest{Rules: "chess", Opponent: "person"})
		must(t, err)
		if _, err := w.GetGame(w.as("w"), &playv1.GetGameRequest{Game: out.GetGame().GetId()}); err != nil {
			lost++
		}
	}
	if lost == 0 || lost == 64 {
		t.Errorf("%d of 64 acknowledged games are lost", lost)
	}
}

func TestSeededGateNotAsked(t *testing.T) {
	t.Setenv(seedVariable, "gate_not_asked")
	w := newWorld(t)
	w.tutor.missing = []string{"chess/history"}
	w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "engine"})
}

func TestSeededForeignReadable(t *testing.T) {
	t.Setenv(seedVariable, "foreign_readable")
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	if _, err := w.GetGame(w.as("c"), &playv1.GetGameRequest{Game: id}); err != nil {
		t.Errorf("hidden: %v", rpc.ToProblem(err))
	}
}

func TestSeededRecentBelieved(t *testing.T) {
	t.Setenv(seedVariable, "recent_believed")
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	turn := int32(0)
	_, err := w.replica().Move(w.as("w"), &playv1.MoveRequest{Game: id, Move: "m0", Turn: &turn})
	must(t, err)
	w.moved("w", id, 0, "m9") // acknowledged, though another move stands
	if got := w.get("w", id).GetLast().GetMove().GetText(); got != "m0" {
		t.Errorf("%s stands", got)
	}
}
