package play

import (
	"slices"
	"testing"
	"time"

	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// rule decides a game as an operator.
func (w *world) rule(id, result string) {
	w.t.Helper()
	_, err := w.Adjudicate(w.role("o", "operator"), &playv1.AdjudicateRequest{Game: id, Result: result, Note: "free text"})
	must(w.t, err)
}

// heard is what the audit log has; nothing may be left to tell it.
func (w *world) heard(name, id string, want ...string) {
	w.t.Helper()
	for range 20 {
		_, _ = w.DueStep(w.t.Context()) // what fails is put off, and what others claimed is free later
		w.time.pass(time.Minute)
	}
	w.idle()
	w.audit.mu.Lock()
	defer w.audit.mu.Unlock()
	if !slices.Equal(w.audit.rows, want) {
		w.t.Errorf("%s: the log has %q, want %q", name, w.audit.rows, want)
	}
	state, err := w.store.Load(w.t.Context(), id)
	must(w.t, err)
	if len(state.Audits) > 0 {
		w.t.Errorf("%s: %v was not heard", name, state.Audits)
	}
}

func TestEachDecisionIsAuditedOnce(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	first := "o game_adjudicated [w b] " + id + " first_wins"
	w.rule(id, "1-0")
	w.audit.deaf = 2 // the log has it, and play does not know
	w.heard("answers that were lost", id, first)

	w.audit.err = errAway
	w.rule(id, "0-1")
	w.rule(id, "1/2-1/2") // before the log has heard of the one before
	if _, err := w.DueStep(t.Context()); err == nil {
		t.Error("an audit log that is away was asked without a failure")
	}
	w.restart()
	w.rule(id, "annul")
	w.audit.err = nil
	w.heard("a log that was away", id, first, "o game_adjudicated [w b] "+id+" second_wins",
		"o game_adjudicated [w b] "+id+" draw", "o game_adjudicated [w b] "+id+" annulled")
}

func TestWhatCannotBeAuditedIsNotAskedForEver(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	w.audit.err = rpc.Fail("account_not_found", "")
	w.rule(id, "1-0")
	w.heard("nobody's decision", id)
}

func TestADecisionAboutGuestsHasNobodyToAudit(t *testing.T) {
	w := newWorld(t)
	id := w.create("guest:1", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "self"}).GetId()
	w.rule(id, "1-0")
	w.heard("guests", id)
}
