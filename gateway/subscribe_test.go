package gateway

import (
	"context"
	"io"
	"log/slog"
	"testing"

	"tabuleiro/internal/bus"
	"tabuleiro/internal/bus/bustest"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

func TestGameEventsComeFromTheRealBus(t *testing.T) {
	server := bustest.Start(t)
	play := bustest.Conn(t, server, bus.RolePlay)
	events := newBusEvents(bustest.Conn(t, server, bus.RoleGateway), slog.New(slog.NewTextHandler(io.Discard, nil)))
	got := make(chan string, 8)
	tell := func(from string) func(*busv1.GameEvent) {
		return func(e *busv1.GameEvent) { got <- from + e.GetEvent().GetGameId() }
	}
	stop, err := events.WatchGame(gameID, tell("one "), func() {})
	if err != nil {
		t.Fatal(err)
	}
	stopAll, err := events.WatchAll(tell("all "), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer stopAll()
	send := func(game string) {
		if err := play.Publish(bus.GameEvent(game), &busv1.GameEvent{Event: &playv1.Event{GameId: game, Version: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	next := func() string {
		ctx, cancel := context.WithTimeout(t.Context(), waitTime)
		defer cancel()
		select {
		case s := <-got:
			return s
		case <-ctx.Done():
			t.Fatal("nothing came")
			return ""
		}
	}
	send(gameID)
	seen := map[string]bool{next(): true, next(): true}
	if !seen["one "+gameID] || !seen["all "+gameID] {
		t.Fatalf("got %v", seen)
	}
	send(privateID)
	if s := next(); s != "all "+privateID {
		t.Fatalf("got %s", s)
	}
	stop()
	send(gameID)
	if s := next(); s != "all "+gameID {
		t.Fatalf("after stopping got %s", s)
	}
}
