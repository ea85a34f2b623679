package farm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/internal/bus"
	"tabuleiro/internal/bus/bustest"
	"tabuleiro/internal/cache"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	"tabuleiro/services/search/engine"
)

// grace is what an answer may take beyond its limit. With the race detector, two
// worker processes and another package's tests on two cores a search sometimes
// gets no processor for seconds; a lost answer takes for ever.
const grace = 15 * time.Second

var quiet = slog.New(slog.DiscardHandler)

var start = games.Position{Rules: "chess", Text: chess.StartFEN}

func newCoordinator(t testing.TB, b Bus, cfg CoordinatorConfig) *Coordinator {
	t.Helper()
	var n atomic.Int64
	if cfg.TableBytes == 0 {
		cfg.TableBytes = 1 << 20
	}
	c := NewCoordinator(cfg, Deps{Bus: b, NewID: func() string { return fmt.Sprintf("search-%d", n.Add(1)) }, Log: quiet})
	t.Cleanup(c.Close)
	return c
}

// ask searches and checks what must hold for every answer.
func ask(t testing.TB, c *Coordinator, req Request) Answer {
	t.Helper()
	began := time.Now()
	a, err := c.BestMove(t.Context(), req)
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	if took := time.Since(began); took > req.Limit+grace {
		t.Errorf("%+v took %v", req, took)
	}
	checkLegal(t, req.Position, a)
	return a
}

func checkLegal(t testing.TB, p games.Position, a Answer) {
	t.Helper()
	problem, err := engine.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(problem.Moves(), a.Move) {
		t.Fatalf("the move %q is not legal", a.Move)
	}
	if len(a.Line) == 0 || a.Line[0] != a.Move || !slices.Equal(problem.Line(a.Line), a.Line) {
		t.Fatalf("the line %v of %s cannot be played", a.Line, a.Move)
	}
}

func TestAnswersAlone(t *testing.T) {
	c := newCoordinator(t, nil, CoordinatorConfig{})
	for _, p := range []games.Position{
		start,
		{Rules: "draughts", Text: "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"},
		{Rules: "tictactoe", Text: "3/3/3 x"},
	} {
		for _, level := range Levels() {
			a := ask(t, c, Request{Position: p, Level: level.Name, Limit: 20 * time.Second / time.Duration(1+99*boolInt(level.Plies == 0)), Helpers: 3})
			want := level.Plies
			if p.Rules == "tictactoe" {
				want = 9
			}
			if want > 0 && a.Depth != want || a.Depth < 1 || a.Helpers != 0 {
				t.Errorf("%s %s: %+v", p.Rules, level.Name, a)
			}
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestSameNodesSameAnswer(t *testing.T) {
	c := newCoordinator(t, nil, CoordinatorConfig{})
	req := Request{Position: start, Level: "full", Limit: time.Minute, Nodes: 20_000, Seed: 5, Helpers: 4}
	a, b := ask(t, c, req), ask(t, c, req)
	a.Elapsed, b.Elapsed = 0, 0
	if a.Move != b.Move || a.Score != b.Score || a.Depth != b.Depth || a.Nodes != b.Nodes {
		t.Errorf("%+v and then %+v", a, b)
	}
}

func TestRefuses(t *testing.T) {
	c := newCoordinator(t, nil, CoordinatorConfig{})
	var invalid *games.Invalid
	if _, err := c.BestMove(t.Context(), Request{Position: games.Position{Rules: "chess", Text: "x"}, Level: "full", Limit: time.Second}); !errors.As(err, &invalid) {
		t.Errorf("bad text: %v", err)
	}
	if _, err := c.BestMove(t.Context(), Request{Position: games.Position{Rules: "chess", Text: "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}, Level: "full", Limit: time.Second}); !errors.Is(err, engine.ErrGameOver) {
		t.Errorf("mate: %v", err)
	}
	if _, err := c.BestMove(t.Context(), Request{Position: start, Level: "plies-99", Limit: time.Second}); !errors.Is(err, ErrUnknownLevel) {
		t.Errorf("level: %v", err)
	}
}

func TestBusyAndCancelled(t *testing.T) {
	c := newCoordinator(t, nil, CoordinatorConfig{Concurrent: 1, Queue: -1})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := c.BestMove(ctx, Request{Position: start, Level: "full", Limit: time.Minute})
		ended <- err
	}()
	await(t, "the first search", func() bool { return len(c.places) == 1 })
	if _, err := c.BestMove(t.Context(), Request{Position: start, Level: "plies-2", Limit: time.Second}); !errors.Is(err, ErrBusy) {
		t.Errorf("with no place: %v, want ErrBusy", err)
	}
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("a cancelled search goes on")
	}
	ask(t, c, Request{Position: start, Level: "plies-2", Limit: 10 * time.Second})
}

func TestWaitsForAPlace(t *testing.T) {
	c := newCoordinator(t, nil, CoordinatorConfig{Concurrent: 1, Queue: 1})
	c.places <- struct{}{} // as if a search ran
	answered := make(chan error, 1)
	go func() {
		_, err := c.BestMove(t.Context(), Request{Position: start, Level: "plies-2", Limit: time.Minute})
		answered <- err
	}()
	await(t, "one that waits", func() bool { return c.waiting.Load() == 1 })
	if _, err := c.BestMove(t.Context(), Request{Position: start, Level: "plies-2", Limit: time.Minute}); !errors.Is(err, ErrBusy) {
		t.Errorf("behind a full queue: %v, want ErrBusy", err)
	}
	<-c.places
	if err := <-answered; err != nil {
		t.Errorf("who waited got %v", err)
	}
	c.places <- struct{}{}
	if _, err := c.BestMove(t.Context(), Request{Position: start, Level: "plies-2", Limit: 20 * time.Millisecond}); !errors.Is(err, ErrBusy) {
		t.Errorf("waited in vain: %v, want ErrBusy", err)
	}
	<-c.places
}

// Once closed, a coordinator still answers, but nothing runs beside it.
func TestAnswersAfterClose(t *testing.T) {
	c := newCoordinator(t, stuckBus{}, CoordinatorConfig{})
	c.Close()
	ask(t, c, Request{Position: start, Level: "full", Limit: 50 * time.Millisecond, Helpers: 2})
	if len(c.beside) != 0 {
		t.Error("something runs beside a search")
	}
}

func await(t testing.TB, what string, until func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !until(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come", what)
		}
	}
}

// startWorker runs a worker until the test ends.
func startWorker(t testing.TB, s *bus.Server, id string) {
	t.Helper()
	w := NewWorker(WorkerConfig{ID: id, TableBytes: 1 << 20}, Over(bustest.Conn(t, s, bus.RoleWorker)), quiet)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := w.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { cancel(); <-ended })
}

func TestWorkersHelp(t *testing.T) {
	s := bustest.Start(t)
	c := newCoordinator(t, Over(bustest.Conn(t, s, bus.RoleSearch)), CoordinatorConfig{})
	startWorker(t, s, "one")
	startWorker(t, s, "two")
	for range 20 {
		a := ask(t, c, Request{Position: start, Level: "full", Limit: time.Second, Helpers: 2})
		if a.Helpers == 2 {
			return
		}
	}
	t.Error("two workers never helped one search together")
}

func TestNoMoreHelpersThanWanted(t *testing.T) {
	s := &search{wanted: 2, table: engine.NewTable(0), helpers: map[string]*helper{}}
	got := []int{s.join("a"), s.join("b"), s.join("a"), s.join("c"), s.join("not a token"), s.join("")}
	if want := []int{1, 2, 1, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("numbers %v, want %v", got, want)
	}
}

func TestChoosesWhereHelpIsNeededMost(t *testing.T) {
	now := time.Now()
	open := func(id, lane string, wanted, present, left int32) announced {
		return announced{&busv1.SearchOpen{Id: id, Lane: lane, Wanted: wanted, Present: present, LeftMs: left}, now}
	}
	o := openings{known: map[string]announced{}, shun: map[string]time.Time{"shunned": now.Add(time.Second)}}
	for _, a := range []announced{
		open("batch", "batch", 4, 0, 1000), open("half", "interactive", 4, 2, 1000), open("quarter", "interactive", 8, 2, 1000),
		open("whole", "interactive", 1, 1, 1000), open("over", "interactive", 4, 0, 0), open("shunned", "interactive", 4, 0, 1000),
	} {
		o.add(a)
	}
	var order []string
	for id := o.choose(now); id != ""; id = o.choose(now) {
		order = append(order, id)
		delete(o.known, id)
	}
	if want := []string{"quarter", "half", "batch"}; !slices.Equal(order, want) {
		t.Errorf("%v, want %v", order, want)
	}
	o.add(open("old", "interactive", 4, 0, 1000))
	if id := o.choose(now.Add(time.Second)); id != "" {
		t.Errorf("chose %s, which is long over", id)
	}
}

// A liar says what cannot be, floods, and speaks after the end.
func TestLyingWorker(t *testing.T) {
	s := bustest.Start(t)
	c := newCoordinator(t, Over(bustest.Conn(t, s, bus.RoleSearch)), CoordinatorConfig{})
	liar := bustest.Conn(t, s, bus.RoleWorker)
	var lies, late atomic.Int64
	var once sync.Once
	var wg sync.WaitGroup
	ended := make(chan struct{})
	if _, err := liar.Subscribe(bus.SearchOpen, 64, func(m bus.Message) {
		var open busv1.SearchOpen
		if m.Decode(&open) != nil {
			return
		}
		once.Do(func() {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
				defer cancel()
				var task busv1.SearchTask
				if err := liar.Request(ctx, bus.SearchTask(open.GetId()), &busv1.SearchTaskRequest{Worker: "liar"}, &task); err != nil {
					t.Errorf("no task: %v", err)
					return
				}
				for i := 0; ; i++ {
					select {
					case <-ended:
						late.Add(1)
					default:
					}
					if late.Load() > 100 {
						return
					}
					if liar.Publish(bus.SearchTT(open.GetId()), lie(i)) == nil {
						lies.Add(1)
					}
				}
			})
		})
	}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		ask(t, c, Request{Position: start, Level: "full", Limit: 500 * time.Millisecond, Helpers: 2})
		if lies.Load() > 0 {
			break
		}
	}
	close(ended)
	wg.Wait()
	if lies.Load() == 0 {
		t.Fatal("no lie was told")
	}
	ask(t, c, Request{Position: start, Level: "full", Limit: 100 * time.Millisecond, Helpers: 2})
}

func lie(i int) *busv1.SearchGossip {
	g := &busv1.SearchGossip{Worker: "liar", Depth: 99, Move: "e2e4", Score: 29999, Line: []string{"e2e4", "e2e4"}, Nodes: 1 << 63}
	switch i % 4 {
	case 0:
		g.Move, g.Line = "e2e5", []string{"e2e5"}
	case 1:
		g.Depth, g.Score = -5, 1<<30
	case 2:
		g.Depth = 1 << 30
	}
	for j := range 80 {
		g.Entries = append(g.Entries, &busv1.TableEntry{Key: uint64(i*80 + j), Move: 1<<32 - 1, Score: int32(i * 1000), Depth: int32(j * 7), Bound: int32(j % 5)})
	}
	return g
}

// What a helper says counts only as far as it can be true.
func TestHearsOnlyWhatCanBe(t *testing.T) {
	problem, err := engine.Open(start)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		say  *busv1.SearchGossip
		want string
	}{
		{"deeper", &busv1.SearchGossip{Worker: "w", Depth: 9, Move: "e2e4", Line: []string{"e2e4", "e7e5", "e1e8"}}, "e2e4"},
		{"no deeper", &busv1.SearchGossip{Worker: "w", Depth: 8, Move: "e2e4"}, "d2d4"},
		{"illegal", &busv1.SearchGossip{Worker: "w", Depth: 9, Move: "e2e5"}, "d2d4"},
		{"absurd depth", &busv1.SearchGossip{Worker: "w", Depth: 90, Move: "e2e4"}, "d2d4"},
		{"absurd score", &busv1.SearchGossip{Worker: "w", Depth: 9, Score: 31000, Move: "e2e4"}, "d2d4"},
		{"a stranger", &busv1.SearchGossip{Worker: "x", Depth: 9, Move: "e2e4"}, "d2d4"},
		{"another line", &busv1.SearchGossip{Worker: "w", Depth: 9, Move: "e2e4", Line: []string{"c2c4", "e7e5"}}, "e2e4"},
	} {
		s := &search{problem: problem, wanted: 1, start: time.Now(), table: engine.NewTable(0), helpers: map[string]*helper{}}
		s.join("w")
		s.hear(c.say)
		a := s.finish(engine.Result{Report: engine.Report{Depth: 8, Line: []string{"d2d4"}}, Move: "d2d4"})
		if a.Move != c.want {
			t.Errorf("%s: %+v, want %s", c.name, a, c.want)
		}
		checkLegal(t, start, a)
		s.hear(c.say) // after the end: nothing happens
	}
}

// stuckBus never comes back from a call.
type stuckBus struct{ released chan struct{} }

func (b stuckBus) Publish(string, proto.Message) error { <-b.released; return bus.ErrDisconnected }
func (b stuckBus) Subscribe(string, int, func(Message)) (func(), error) {
	<-b.released
	return nil, bus.ErrDisconnected
}
func (b stuckBus) Request(context.Context, string, proto.Message, proto.Message) error {
	<-b.released
	return bus.ErrDisconnected
}

func TestStuckBusCostsNoAnswer(t *testing.T) {
	b := stuckBus{make(chan struct{})}
	c := newCoordinator(t, b, CoordinatorConfig{Invitations: 2})
	t.Cleanup(func() { close(b.released) })
	for range 4 {
		if a := ask(t, c, Request{Position: start, Level: "full", Limit: 100 * time.Millisecond, Helpers: 2}); a.Helpers != 0 {
			t.Errorf("%+v", a)
		}
	}
}

func TestServerGoesAwayInMidSearch(t *testing.T) {
	s := bustest.Start(t)
	conn := bustest.Conn(t, s, bus.RoleSearch)
	c := newCoordinator(t, Over(conn), CoordinatorConfig{})
	startWorker(t, s, "one")
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		await(t, "a search on the bus", func() bool { return len(c.beside) == 1 })
		s.Close()
	}()
	ask(t, c, Request{Position: start, Level: "full", Limit: time.Second, Helpers: 2})
	<-gone
	ask(t, c, Request{Position: start, Level: "full", Limit: 100 * time.Millisecond, Helpers: 2})
}

func TestRemembersWithoutWeakening(t *testing.T) {
	m, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	c := newCoordinator(t, nil, CoordinatorConfig{})
	c.deps.Cache = m
	p := games.Position{Rules: "chess", Text: "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"}
	ask(t, c, Request{Position: p, Level: "plies-2", Limit: time.Second})
	if _, hit := m.Get(t.Context(), cacheKey(p)); hit {
		t.Fatal("a weak level was remembered")
	}
	first := ask(t, c, Request{Position: p, Level: "full", Limit: 200 * time.Millisecond})
	await(t, "the entry", func() bool { _, hit := m.Get(t.Context(), cacheKey(p)); return hit })
	again := ask(t, c, Request{Position: p, Level: "full", Limit: 200 * time.Millisecond})
	if again.Move != first.Move || again.Depth != first.Depth || again.Nodes != first.Nodes {
		t.Errorf("%+v and from the cache %+v", first, again)
	}
	if weak := ask(t, c, Request{Position: p, Level: "plies-2", Limit: 10 * time.Second}); weak.Depth != 2 {
		t.Errorf("a weak level was answered with %+v", weak)
	}
	other := p
	other.Text = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 3 3"
	if cacheKey(other) == cacheKey(p) {
		t.Error("another counter, the same key")
	}
	other = p
	other.History = "0123456789abcdef"
	if cacheKey(other) == cacheKey(p) {
		t.Error("another past, the same key")
	}
}

func TestBadCacheMakesNoAnswerWrong(t *testing.T) {
	m, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	c := newCoordinator(t, nil, CoordinatorConfig{})
	c.deps.Cache = m
	for _, value := range []string{
		`{"move":"e2e5","line":["e2e5"],"depth":50,"limit_ms":99999}`, `not json`, `{}`,
		`{"move":"e2e4","line":["e7e5"],"depth":500,"limit_ms":99999}`,
		`{"move":"e2e4","line":["e2e4","e2e4"],"depth":30,"limit_ms":1}`,
	} {
		m.Set(t.Context(), cacheKey(start), []byte(value), time.Minute)
		ask(t, c, Request{Position: start, Level: "full", Limit: 50 * time.Millisecond})
	}
}
