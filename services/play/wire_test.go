package play

import (
	"context"
	"log/slog"
	"testing"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// TestOverTheWire calls through the chain that all services share: who may
// call, which fields are refused, and that a Problem arrives whole.
func TestOverTheWire(t *testing.T) {
	w := newWorld(t)
	w.uuids = true
	w.restart()
	keys, err := identity.LoadKeys(t.TempDir(), []string{identity.Gateway, "search"})
	must(t, err)
	direct := rpc.NewDirect(rpc.ServerConfig{Service: "play", Verify: keys.Verify, Now: w.time.Now, Log: slog.New(slog.DiscardHandler)})
	playv1.RegisterPlayServiceServer(direct, w.Service)
	client := func(name string) playv1.PlayServiceClient {
		signer, err := keys.Signer(name)
		must(t, err)
		return playv1.NewPlayServiceClient(direct.Dial(rpc.ClientConfig{Signer: signer, Now: w.time.Now}))
	}
	gateway, search := client(identity.Gateway), client("search")
	toe := &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Side: "first"}

	made, err := gateway.CreateGame(w.as("guest:1"), toe)
	must(t, err)
	id := made.GetGame().GetId()
	moved, err := gateway.Move(w.as("guest:1"), &playv1.MoveRequest{Game: id, Move: "m", Turn: turn(0)})
	must(t, err)
	if moved.GetGame().GetTurn() != 1 {
		t.Errorf("got %v", moved)
	}
	_, err = gateway.Move(w.as("guest:1"), &playv1.MoveRequest{Game: id, Move: "m", Turn: turn(0)})
	wantCode(t, err, "stale_turn")

	for name, test := range map[string]struct {
		call func() error
		code string
	}{
		"no key": {func() error {
			_, err := gateway.CreateGame(identity.With(t.Context(), identity.Caller{Account: "w", Session: "s"}), toe)
			return err
		}, "key_missing"},
		"nobody":    {func() error { _, err := gateway.CreateGame(rpc.WithKey(t.Context(), "k"), toe); return err }, "not_logged_in"},
		"a service": {func() error { _, err := search.CreateGame(rpc.WithKey(t.Context(), "k"), toe); return err }, "forbidden"},
		"no turn": {func() error {
			_, err := gateway.Move(w.as("guest:1"), &playv1.MoveRequest{Game: id, Move: "m"})
			return err
		}, "bad_field"},
		"no id": {func() error { _, err := gateway.GetGame(w.as("w"), &playv1.GetGameRequest{Game: "x"}); return err }, "bad_field"},
		"bad rules": {func() error {
			_, err := gateway.CreateGame(w.as("w"), &playv1.CreateGameRequest{Rules: "go", Opponent: "engine"})
			return err
		}, "unknown_rules"},
		"a clock too short": {func() error {
			_, err := gateway.CreateGame(w.as("w"), &playv1.CreateGameRequest{
				Rules: "chess", Opponent: "person", Clock: &playv1.ClockSettings{InitialMs: 1},
			})
			return err
		}, "bad_field"},
		"a stranger": {func() error { _, err := gateway.GetGame(w.as("guest:2"), &playv1.GetGameRequest{Game: id}); return err }, "game_not_found"},
		"a store that fails": {func() error {
			w.store.(*Memory).Faults = func(string) Fault { return FaultBefore }
			defer func() { w.store.(*Memory).Faults = nil }()
			_, err := gateway.GetGame(w.as("guest:1"), &playv1.GetGameRequest{Game: id})
			return err
		}, "unavailable"},
		"rules that are away": {func() error {
			w.rules.away = true
			defer func() { w.rules.away = false }()
			_, err := gateway.CreateGame(w.as("guest:3"), toe)
			return err
		}, "unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			if problem := rpc.ToProblem(test.call()); problem.Code != test.code {
				t.Errorf("got %v, want %s", problem, test.code)
			}
		})
	}

	ended, cancel := context.WithCancel(w.as("guest:1"))
	cancel()
	if _, err := gateway.GetGame(ended, &playv1.GetGameRequest{Game: id}); rpc.ToProblem(err).Code != "cancelled" {
		t.Errorf("an ended call: %v", err)
	}
}
