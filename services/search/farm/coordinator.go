package farm

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"tabuleiro/games"
	"tabuleiro/internal/cache"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/engine/endings"
)

// CoordinatorConfig bounds a Coordinator. Zero values take the defaults.
type CoordinatorConfig struct {
	// Concurrent searches run at most; default two a core, at least 4.
	Concurrent int
	// Queue is how many more may wait for a place; default 64. None: -1.
	Queue int
	// TableBytes is the size of each search's table; default 16 MiB.
	TableBytes int
	// Invitations bounds the searches that are on the bus at the same time,
	// those that are just leaving it included; default 64.
	Invitations int
	// AnnounceEvery is the time between announcements; default 100 ms.
	AnnounceEvery time.Duration
	// GossipEvery is the time between batches of entries; default 50 ms.
	GossipEvery time.Duration
}

// Deps are what a Coordinator works with.
type Deps struct {
	// Bus joins it with workers; nil: there are none.
	Bus Bus
	// Cache keeps finished searches; nil: nothing is kept.
	Cache cache.Cache
	// Endings knows values of draughts endings; nil: nothing does.
	Endings endings.Probe
	// Book knows openings, for the level full in games; nil knows none.
	Book Book
	// NewID makes the id of a search: a UUID.
	NewID func() string
	Log   *slog.Logger
}

// Book draws a move of an opening, always the same one for a seed.
type Book interface {
	Pick(p games.Position, legal []string, seed int32) (move string, known bool)
}

// Coordinator answers searches.
type Coordinator struct {
	cfg  CoordinatorConfig
	deps Deps

	places  chan struct{}
	waiting atomic.Int64
	tables  chan *engine.Table
	beside  chan struct{} // what runs beside searches: on the bus, writing to the cache
	work    sync.WaitGroup
	mu      sync.Mutex
	closed  bool
}

// NewCoordinator makes a Coordinator; it starts nothing.
func NewCoordinator(cfg CoordinatorConfig, deps Deps) *Coordinator {
	set := func(v *int, standard int) {
		if *v == 0 {
			*v = standard
		}
	}
	set(&cfg.Concurrent, max(2*runtime.GOMAXPROCS(0), 4))
	set(&cfg.Queue, 64)
	set(&cfg.TableBytes, 16<<20)
	set(&cfg.Invitations, 64)
	if cfg.AnnounceEvery <= 0 {
		cfg.AnnounceEvery = 100 * time.Millisecond
	}
	if cfg.GossipEvery <= 0 {
		cfg.GossipEvery = 50 * time.Millisecond
	}
	return &Coordinator{
		cfg: cfg, deps: deps,
		places: make(chan struct{}, cfg.Concurrent),
		tables: make(chan *engine.Table, cfg.Concurrent),
		beside: make(chan struct{}, cfg.Invitations),
	}
}

// Close waits until nothing runs beside searches any more, 5 s at most.
// Searches that come later are answered alone and not remembered.
func (c *Coordinator) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	done := make(chan struct{})
	go func() {
		c.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
	}
}

// BestMove searches a position within the request's limit. The error is
// *games.Invalid, engine.ErrGameOver, ErrUnknownLevel, ErrBusy or that of ctx.
func (c *Coordinator) BestMove(ctx context.Context, req Request) (Answer, error) {
	start := time.Now()
	level, ok := levelOf(req.Level)
	if !ok {
		return Answer{}, ErrUnknownLevel
	}
	problem, err := engine.Open(req.Position, engine.WithEndings(c.deps.Endings))
	if err != nil {
		return Answer{}, err
	}
	if level.Name == full && req.Nodes == 0 && c.deps.Book != nil {
		if move, known := c.deps.Book.Pick(req.Position, problem.Moves(), req.Seed); known {
			return Answer{Move: move, Line: []string{move}, Elapsed: time.Since(start)}, nil
		}
	}
	leave, err := c.enter(ctx, req.Limit)
	if err != nil {
		return Answer{}, err
	}
	defer leave()

	s := &search{
		problem: problem, position: req.Position, depth: level.Plies, seed: req.Seed,
		start: start, deadline: start.Add(req.Limit), wanted: req.Helpers, helpers: map[string]*helper{},
	}
	repeatable := req.Nodes > 0
	remember := level.Name == full && !repeatable && problem.Plies() == 0 && len(problem.Moves()) > 1
	known, hit := cached{}, false
	if remember {
		if known, hit = c.recall(ctx, req.Position, problem, time.Until(s.deadline)/4); hit && known.Limit >= req.Limit.Milliseconds() {
			return known.answer(time.Since(start)), nil
		}
	}

	table := c.table()
	s.table = table
	var stop atomic.Bool
	timer := time.AfterFunc(time.Until(s.deadline), func() { stop.Store(true) })
	defer timer.Stop()
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()

	if !repeatable && req.Helpers > 0 && c.deps.Bus != nil && len(problem.Moves()) > 1 {
		s.id = c.deps.NewID()
		s.done = make(chan struct{})
		defer s.end()
		c.aside(func() { c.invite(s) })
	}
	opts := options(level.Plies)
	opts.Seed = req.Seed
	if s.done != nil {
		opts.Share = s.out.put
	}
	own := problem.Search(engine.Limits{Depth: level.Plies, Nodes: req.Nodes, Stop: func(uint64) bool { return stop.Load() }}, opts, table)
	answer := s.finish(own)
	c.tables <- table // there are as many places as searches
	if ctx.Err() != nil && !own.Complete {
		return Answer{}, ctx.Err()
	}
	if hit && known.Depth > answer.Depth && !own.Complete {
		old := known.answer(0)
		answer.Move, answer.Line, answer.Score, answer.Depth = old.Move, old.Line, old.Score, old.Depth
	}
	answer.Elapsed = time.Since(start)
	if remember && answer.Depth > 0 && ctx.Err() == nil && !(hit && known.Depth > answer.Depth) {
		c.aside(func() { c.keep(req.Position, answer, req.Limit) })
	}
	return answer, nil
}

// enter takes a place among the searches that run; it waits for one while most
// of the limit is left.
func (c *Coordinator) enter(ctx context.Context, limit time.Duration) (leave func(), err error) {
	leave = func() { <-c.places }
	select {
	case c.places <- struct{}{}:
		return leave, nil
	default:
	}
	if c.waiting.Add(1) > int64(max(c.cfg.Queue, 0)) {
		c.waiting.Add(-1)
		return nil, ErrBusy
	}
	defer c.waiting.Add(-1)
	patience := time.NewTimer(limit * 3 / 4)
	defer patience.Stop()
	select {
	case c.places <- struct{}{}:
		return leave, nil
	case <-patience.C:
		return nil, ErrBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// table is an empty table, used before if there is one.
func (c *Coordinator) table() *engine.Table {
	select {
	case t := <-c.tables:
		t.Clear()
		return t
	default:
		return engine.NewTable(c.cfg.TableBytes)
	}
}

// aside runs something beside a search, or leaves it where too much runs so.
func (c *Coordinator) aside(run func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	select {
	case c.beside <- struct{}{}:
	default:
		return
	}
	c.work.Go(func() {
		defer func() { <-c.beside }()
		run()
	})
}
