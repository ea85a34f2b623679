package gateway

import (
	"context"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"

	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// openSeat is play with a private game that strangers may see until its seat
// is taken.
type openSeat struct {
	Reader
	taken atomic.Bool
}

func (p *openSeat) GetGame(_ context.Context, req *playv1.GetGameRequest, _ ...grpc.CallOption) (*playv1.GetGameResponse, error) {
	if p.taken.Load() {
		return nil, rpc.Fail("game_not_found", "")
	}
	return &playv1.GetGameResponse{Game: &playv1.Game{Id: req.GetGame(), Version: 1, Status: "open", Visibility: "private"}}, nil
}

// The simulation found that whoever watched an open seat went on to watch the
// private game of those who took it.
func TestAStrangerStopsSeeingAPrivateGameWhenItsSeatIsTaken(t *testing.T) {
	w := newWorld(t, nil)
	play := &openSeat{Reader: w.gateway.hub.play}
	w.gateway.hub.play = play
	r := w.stream(t, "topic=game:"+gameID)
	if m, ok := r.next(); !ok || m.Kind != "snapshot" {
		t.Fatalf("got %+v, %v; want the snapshot", m, ok)
	}
	play.taken.Store(true)
	w.play.happen("accepted")
	if m, ok := r.next(); !ok || m.name != "gone" || m.Topic != "game:"+gameID {
		t.Fatalf("got %+v, %v; want gone", m, ok)
	}
	w.play.happen("moved")
	w.gateway.hub.EndSession(onlySession(w.gateway.hub))
	if m, ok := r.next(); ok {
		t.Fatalf("got %+v; want nothing more", m)
	}
}

func onlySession(h *Hub) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.streams {
		return s.session
	}
	return ""
}
