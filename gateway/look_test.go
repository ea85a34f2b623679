package gateway

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// slowReader answers a question when it is let go.
type slowReader struct {
	Reader
	asked chan struct{}
	going chan struct{}
}

func (r slowReader) GetGame(ctx context.Context, _ *playv1.GetGameRequest, _ ...grpc.CallOption) (*playv1.GetGameResponse, error) {
	r.asked <- struct{}{}
	select {
	case <-r.going:
		return &playv1.GetGameResponse{Game: &playv1.Game{Id: gameID, Version: 7}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (r slowReader) ListEvents(ctx context.Context, in *playv1.ListEventsRequest, _ ...grpc.CallOption) (*playv1.ListEventsResponse, error) {
	r.asked <- struct{}{}
	select {
	case <-r.going:
		return &playv1.ListEventsResponse{Version: 7, Events: []*playv1.Event{{GameId: gameID, Version: in.GetAfter() + 1}}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestACrowdThatComesBackAsksOnce: those who have seen as much miss the same.
func TestACrowdThatComesBackAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		play := slowReader{asked: make(chan struct{}, 100), going: make(chan struct{})}
		h := NewHub(HubConfig{}, play, newFakeBus(), slog.New(slog.NewTextHandler(io.Discard, nil)))
		var all sync.WaitGroup
		for i := range 60 {
			after, known := int32(4+i%2), i >= 50
			all.Go(func() {
				got, err := h.missed(t.Context(), gameID, after, known)
				if err != nil || got.version != 7 || len(got.frames) != 1 || got.frames[0].version != after+1 {
					t.Errorf("after %d: got %+v, %v", after, got, err)
				}
			})
		}
		synctest.Wait()
		if n := len(play.asked); n != 12 {
			t.Errorf("50 visitors who had seen one of two versions and 10 players asked %d times, want 12", n)
		}
		close(play.going)
		all.Wait()
	})
}

// A crowd that comes at once, or comes back at once after a restart, must not take
// play down with the same question.
func TestACrowdOfVisitorsAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		play := slowReader{asked: make(chan struct{}, 100), going: make(chan struct{})}
		h := NewHub(HubConfig{}, play, newFakeBus(), slog.New(slog.NewTextHandler(io.Discard, nil)))
		var all sync.WaitGroup
		see := func(ctx context.Context, known bool, want error) {
			all.Go(func() {
				got, err := h.look(ctx, gameID, known)
				if !errors.Is(err, want) || want == nil && got.frame.version != 7 {
					t.Errorf("known %v: version %d, %v, want %v", known, got.frame.version, err, want)
				}
			})
		}
		// Who asked first leaves; the others wait on.
		ctx, leave := context.WithCancel(t.Context())
		see(ctx, false, context.Canceled)
		synctest.Wait()
		for range 50 {
			see(t.Context(), false, nil)
		}
		synctest.Wait()
		leave()
		synctest.Wait()
		if n := len(play.asked); n != 1 {
			t.Errorf("51 visitors asked %d times", n)
		}
		// Who is known may see something else.
		see(t.Context(), true, nil)
		synctest.Wait()
		if n := len(play.asked); n != 2 {
			t.Errorf("a player's question makes it %d, want 2", n)
		}
		close(play.going)
		all.Wait()
	})
}
