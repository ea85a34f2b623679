package play

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"

	"tabuleiro/internal/app"
	"tabuleiro/internal/bus"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
)

// TestBind runs the role as a process does, on a real database and a real bus:
// a move is kept over a restart, the engine answers after it, and copies of the
// events are on the bus.
func TestBind(t *testing.T) {
	data := t.TempDir()
	ctx := rpc.WithKey(identity.With(t.Context(), identity.Caller{Guest: true, Session: "g"}), "k1")
	var id string

	inProcess(t, data, errAway, func(play playv1.PlayServiceClient, copies <-chan *busv1.GameEvent) error {
		made, err := play.CreateGame(ctx, &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Side: "first"})
		if err != nil {
			return err
		}
		id = made.GetGame().GetId()
		if _, err := play.Move(rpc.WithKey(ctx, "k2"), &playv1.MoveRequest{Game: id, Move: "m", Turn: turn(0)}); err != nil {
			return err
		}
		return wantCopies(copies, KindCreated, KindMoved)
	})
	inProcess(t, data, nil, func(play playv1.PlayServiceClient, copies <-chan *busv1.GameEvent) error {
		if err := wantCopies(copies, KindMoved); err != nil {
			return err
		}
		got, err := play.GetGame(ctx, &playv1.GetGameRequest{Game: id})
		if err == nil && got.GetGame().GetTurn() != 2 {
			t.Errorf("got %v", got.GetGame())
		}
		return err
	})
}

func wantCopies(copies <-chan *busv1.GameEvent, kinds ...string) error {
	var got []string
	for len(got) < len(kinds) {
		select {
		case m := <-copies:
			got = append(got, m.GetEvent().GetKind())
		case <-time.After(20 * time.Second):
			return errors.New("no further event came")
		}
	}
	if !slices.Equal(got, kinds) {
		return errors.New("other events came")
	}
	return nil
}

// inProcess runs play beside fakes of the services that it calls, lets a
// gateway do something, and stops.
func inProcess(t *testing.T, data string, search error, do func(playv1.PlayServiceClient, <-chan *busv1.GameEvent) error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var done error
	nothing := func(context.Context, *app.Env) error { return nil }
	roles := []app.Role{
		{Name: "play", Needs: Needs(), Bind: Bind},
		{Name: "accounts", Bind: nothing},
		{Name: "tutor", Bind: nothing},
		{Name: "rules", Bind: func(_ context.Context, env *app.Env) error {
			env.Serve("rules", func(r grpc.ServiceRegistrar) { rulesv1.RegisterRulesServiceServer(r, rulesServer{}) })
			return nil
		}},
		{Name: "search", Bind: func(_ context.Context, env *app.Env) error {
			env.Serve("search", func(r grpc.ServiceRegistrar) {
				searchv1.RegisterSearchServiceServer(r, searchServer{fake: &fakeSearch{move: "m", err: search}})
			})
			return nil
		}},
		{Name: "gateway", Needs: []string{"play"}, Bind: func(ctx context.Context, env *app.Env) error {
			conn, err := env.Dial("play")
			if err != nil {
				return err
			}
			events, err := env.Bus(ctx, "gateway")
			if err != nil {
				return err
			}
			copies := make(chan *busv1.GameEvent, 16)
			if _, err := events.Subscribe(bus.AllGameEvents, 16, func(m bus.Message) {
				event := &busv1.GameEvent{}
				if m.Decode(event) == nil {
					copies <- event
				}
			}); err != nil {
				return err
			}
			env.Go("visit", func(ctx context.Context) error {
				done = do(playv1.NewPlayServiceClient(conn), copies)
				stop()
				<-ctx.Done()
				return nil
			})
			return nil
		}},
	}
	if err := app.Run(ctx, app.Config{Embedded: true, Data: data}, roles, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	must(t, done)
}

type rulesServer struct {
	rulesv1.UnimplementedRulesServiceServer
	fake fakeRules
}

func (s rulesServer) ListRules(ctx context.Context, in *rulesv1.ListRulesRequest) (*rulesv1.ListRulesResponse, error) {
	return s.fake.ListRules(ctx, in)
}

func (s rulesServer) Inspect(ctx context.Context, in *rulesv1.InspectRequest) (*rulesv1.InspectResponse, error) {
	return s.fake.Inspect(ctx, in)
}

func (s rulesServer) Apply(ctx context.Context, in *rulesv1.ApplyRequest) (*rulesv1.ApplyResponse, error) {
	return s.fake.Apply(ctx, in)
}

type searchServer struct {
	searchv1.UnimplementedSearchServiceServer
	fake *fakeSearch
}

func (s searchServer) BestMove(ctx context.Context, in *searchv1.BestMoveRequest) (*searchv1.BestMoveResponse, error) {
	return s.fake.BestMove(ctx, in)
}
