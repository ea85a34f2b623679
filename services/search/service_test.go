package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tabuleiro/internal/app"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
	"tabuleiro/services/search/farm"
)

func newService(t testing.TB) *Service {
	t.Helper()
	c := farm.NewCoordinator(farm.CoordinatorConfig{TableBytes: 1 << 20}, farm.Deps{Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(c.Close)
	return New(c, NewMetrics(prometheus.NewRegistry()))
}

func TestBestMove(t *testing.T) {
	s := newService(t)
	for _, c := range []struct {
		req  *searchv1.BestMoveRequest
		want *searchv1.BestMoveResponse
	}{
		{&searchv1.BestMoveRequest{Position: &commonv1.Position{Rules: "chess", Text: "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"}, Level: "plies-2"},
			&searchv1.BestMoveResponse{Move: "a1a8", Score: 29999, Depth: 1}},
		{&searchv1.BestMoveRequest{Position: &commonv1.Position{Rules: "tictactoe", Text: "xx1/oo1/3 x"}, Level: "plies-2", TimeMs: 10_000},
			&searchv1.BestMoveResponse{Move: "c3", Score: 29999, Depth: 5}},
		{&searchv1.BestMoveRequest{Position: &commonv1.Position{Rules: "draughts", Text: "W:Wc3,a1:Bd4,h8"}, Level: "full"},
			&searchv1.BestMoveResponse{Move: "c3xe5", Depth: 1}},
	} {
		got, err := s.BestMove(t.Context(), c.req)
		if err != nil {
			t.Errorf("%v: %v", c.req, err)
			continue
		}
		if got.Move != c.want.Move || got.Depth != c.want.Depth || c.want.Score != 0 && got.Score != c.want.Score || len(got.Line) == 0 || got.Line[0] != got.Move || got.Nodes < 1 {
			t.Errorf("%v: %v, want %v", c.req, got, c.want)
		}
	}
}

func TestStartOfEveryGame(t *testing.T) {
	s := newService(t)
	for _, rules := range []string{"chess", "draughts", "tictactoe"} {
		got, err := s.BestMove(t.Context(), &searchv1.BestMoveRequest{Position: &commonv1.Position{Rules: rules}, Level: "full", TimeMs: 50})
		if err != nil || got.Move == "" {
			t.Errorf("%s: %v, %v", rules, got, err)
		}
	}
}

func TestProblems(t *testing.T) {
	s := newService(t)
	for _, c := range []struct {
		position *commonv1.Position
		level    string
		code     string
		field    string
	}{
		{&commonv1.Position{Rules: "chess", Text: "rubbish"}, "full", "bad_text", "position.text"},
		{&commonv1.Position{Rules: "chess", Text: "8/8/8/8/8/8/8/8 w - - 0 1"}, "full", "bad_position", "position.text"},
		{&commonv1.Position{Rules: "chess", Draws: "none"}, "full", "bad_position", "position.draws"},
		{&commonv1.Position{Rules: "draughts", Text: "W:Wc3:Bd6", History: "?"}, "full", "bad_position", "position.history"},
		{&commonv1.Position{Rules: "go"}, "full", "bad_position", "position.rules"},
		{&commonv1.Position{Rules: "tictactoe", Text: "xxx/oo1/3 o"}, "full", "game_over", ""},
		{&commonv1.Position{Rules: "chess"}, "plies-3", "bad_field", "level"},
		{nil, "full", "bad_position", "position.rules"},
	} {
		_, err := s.BestMove(t.Context(), &searchv1.BestMoveRequest{Position: c.position, Level: c.level, TimeMs: 10})
		p, ok := rpc.ProblemOf(err)
		if !ok || p.Code != c.code {
			t.Errorf("%v %s: %v, want %s", c.position, c.level, err, c.code)
			continue
		}
		if c.field != "" && (len(p.Fields) == 0 || p.Fields[0].Name != c.field) {
			t.Errorf("%v: fields %v, want %s", c.position, p.Fields, c.field)
		}
	}
}

type failing struct{ err error }

func (f failing) BestMove(context.Context, farm.Request) (farm.Answer, error) {
	return farm.Answer{}, f.err
}

func TestBusyAndCancelled(t *testing.T) {
	req := &searchv1.BestMoveRequest{Position: &commonv1.Position{Rules: "chess"}, Level: "full"}
	_, err := New(failing{farm.ErrBusy}, nil).BestMove(t.Context(), req)
	if p, ok := rpc.ProblemOf(err); !ok || p.Code != "search_busy" || p.RetryAfter != time.Second {
		t.Errorf("busy: %v", err)
	}
	if _, err = New(failing{context.Canceled}, nil).BestMove(t.Context(), req); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestDefaultLimit(t *testing.T) {
	var got farm.Request
	s := New(searcherFunc(func(req farm.Request) farm.Answer { got = req; return farm.Answer{} }), nil)
	for _, c := range []struct {
		ms   int32
		want time.Duration
	}{{0, time.Second}, {1, time.Millisecond}, {600_000, 10 * time.Minute}} {
		if _, err := s.BestMove(t.Context(), &searchv1.BestMoveRequest{Position: &commonv1.Position{Rules: "chess"}, Level: "full", TimeMs: c.ms}); err != nil || got.Limit != c.want {
			t.Errorf("%d ms: limit %v, %v, want %v", c.ms, got.Limit, err, c.want)
		}
	}
}

type searcherFunc func(farm.Request) farm.Answer

func (f searcherFunc) BestMove(_ context.Context, req farm.Request) (farm.Answer, error) {
	return f(req), nil
}

func TestListLevels(t *testing.T) {
	got, err := newService(t).ListLevels(t.Context(), &searchv1.ListLevelsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var levels []string
	for _, l := range got.Levels {
		levels = append(levels, fmt.Sprintf("%s %d", l.Level, l.Plies))
	}
	if want := []string{"plies-2 2", "plies-4 4", "plies-6 6", "full 0"}; !slices.Equal(levels, want) {
		t.Errorf("%v, want %v", levels, want)
	}
}

// The roles as a process makes them, asked by play.
func TestBind(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	probe := app.Role{Name: "play", Needs: []string{"search"}, Bind: func(_ context.Context, env *app.Env) error {
		conn, err := env.Dial("search")
		if err != nil {
			return err
		}
		env.Go("probe", func(ctx context.Context) error {
			defer cancel()
			client := searchv1.NewSearchServiceClient(conn)
			for i := range int32(20) {
				// A longer limit each time, or the cache would answer.
				got, err := client.BestMove(ctx, &searchv1.BestMoveRequest{
					Position: &commonv1.Position{Rules: "chess"}, Level: "full", TimeMs: 500 + 50*i, Helpers: 1,
				})
				if err != nil || got.GetMove() == "" {
					t.Errorf("asked as play: %v, %v", got, err)
					return nil
				}
				if got.GetHelpers() == 1 {
					return nil
				}
			}
			t.Error("the worker never helped")
			return nil
		})
		return nil
	}}
	endings := new(Endings)
	roles := []app.Role{{Name: "search", Bind: BindWith(fstest.MapFS{}, endings)}, {Name: "worker", Bind: BindWorkerWith(endings)}, probe}
	if err := app.Run(ctx, app.Config{Embedded: true, Data: t.TempDir()}, roles, slog.New(slog.DiscardHandler)); err != nil {
		t.Error(err)
	}
}

// mapped counts how often a file is in this process's memory; where the system does
// not tell, whether it is there.
func mapped(file string) (int, error) {
	maps, err := os.ReadFile("/proc/self/maps")
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(file); err != nil {
			return 0, nil
		}
		return 1, nil
	}
	return strings.Count(string(maps), file), err
}

// TestTablesAreBuiltBehindAnswers: of a first start nothing waits for tables of
// endings. The first ending that is asked for is answered by a search, and once
// they are built they are in memory once, for coordinator and worker together.
func TestTablesAreBuiltBehindAnswers(t *testing.T) {
	data := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	probe := app.Role{Name: "play", Needs: []string{"search"}, Bind: func(_ context.Context, env *app.Env) error {
		conn, err := env.Dial("search")
		if err != nil {
			return err
		}
		env.Go("probe", func(ctx context.Context) error {
			defer cancel()
			client := searchv1.NewSearchServiceClient(conn)
			helped := false
			for i := int32(0); ; i++ {
				// Lines lead to endings soon. A longer limit each time, or the cache would answer.
				got, err := client.BestMove(ctx, &searchv1.BestMoveRequest{
					Position: &commonv1.Position{Rules: "draughts", Text: "W:WKa1,c3,d2,h2:BKb8,f8,h6,a7"}, Level: "full", TimeMs: 300 + 50*i, Helpers: 1,
				})
				if err != nil || got.GetMove() == "" {
					t.Errorf("answer %d: %v, %v", i+1, got, err)
					return nil
				}
				if late := env.NotReady(ctx); len(late) > 0 {
					t.Errorf("not ready while tables are built: %v", late)
				}
				helped = helped || got.GetHelpers() == 1
				n, err := mapped(filepath.Join(data, "tables", "draughts-3.endings"))
				if err != nil || n > 1 {
					t.Errorf("tables are mapped %d times, %v", n, err)
					return nil
				}
				if helped && n == 1 {
					return nil
				}
			}
		})
		return nil
	}}
	endings := new(Endings)
	roles := []app.Role{{Name: "search", Bind: BindWith(fstest.MapFS{}, endings)}, {Name: "worker", Bind: BindWorkerWith(endings)}, probe}
	if err := app.Run(ctx, app.Config{Embedded: true, Data: data}, roles, slog.New(slog.DiscardHandler)); err != nil {
		t.Error(err)
	}
}
