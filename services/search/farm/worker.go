package farm

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"tabuleiro/games"
	"tabuleiro/internal/bus"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/engine/endings"
)

// laneInteractive is the lane of searches that somebody waits for.
const laneInteractive = "interactive"

const (
	// helloEvery is the time between signs of life.
	helloEvery = 5 * time.Second
	// staleAfter is how long an announcement counts; the next comes after 100 ms.
	staleAfter = 350 * time.Millisecond
	// shunFor is how long a search that wanted no helper is left alone.
	shunFor = 300 * time.Millisecond
	// askTime bounds the question for a task.
	askTime = 250 * time.Millisecond
	// maxOpen bounds the searches that a worker remembers.
	maxOpen = 1024
	// maxLeft bounds the time that a task may claim.
	maxLeft = 10 * time.Minute
	// overtime is how long a helper goes on that was not told to stop.
	overtime = 50 * time.Millisecond
)

// WorkerConfig bounds a Worker. Zero values take the defaults.
type WorkerConfig struct {
	// ID names the worker; unique, at most 64 letters, digits and hyphens.
	ID string
	// TableBytes is the size of its table; default 32 MiB.
	TableBytes int
	// GossipEvery is the time between its reports; default 50 ms.
	GossipEvery time.Duration
	// Endings knows values of draughts endings; nil: nothing does.
	Endings endings.Probe
}

// Worker helps one search at a time.
type Worker struct {
	cfg   WorkerConfig
	bus   Bus
	log   *slog.Logger
	table *engine.Table
}

// NewWorker makes a Worker; it starts nothing.
func NewWorker(cfg WorkerConfig, b Bus, log *slog.Logger) *Worker {
	if cfg.TableBytes == 0 {
		cfg.TableBytes = 32 << 20
	}
	if cfg.GossipEvery <= 0 {
		cfg.GossipEvery = 50 * time.Millisecond
	}
	return &Worker{cfg: cfg, bus: b, log: log, table: engine.NewTable(cfg.TableBytes)}
}

// announced is a search that is open, as it was last announced.
type announced struct {
	open *busv1.SearchOpen
	at   time.Time
}

// openings are the searches that a free worker may choose from.
type openings struct {
	known map[string]announced
	shun  map[string]time.Time // until when
}

// Run helps searches until ctx ends.
func (w *Worker) Run(ctx context.Context) error {
	arrived := make(chan announced, subscriberBuffer)
	unsubscribe, err := w.subscribe(ctx, func(m Message) {
		var open busv1.SearchOpen
		if m.Decode(&open) != nil || !bus.Token(open.GetId()) {
			return
		}
		select {
		case arrived <- announced{&open, time.Now()}:
		default: // the next announcement comes soon
		}
	})
	if err != nil {
		return nil // ctx ended
	}
	defer unsubscribe()
	hello := time.NewTicker(helloEvery)
	defer hello.Stop()
	w.hello("")
	o := openings{known: map[string]announced{}, shun: map[string]time.Time{}}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-hello.C:
			w.hello("")
		case a := <-arrived:
			o.add(a)
			for drained := false; !drained; {
				select {
				case a := <-arrived:
					o.add(a)
				default:
					drained = true
				}
			}
			if id := o.choose(time.Now()); id != "" {
				o.shun[id] = time.Now().Add(w.help(ctx, id))
			}
		}
	}
}

// subscribe listens for open searches; while the bus refuses, it tries again.
func (w *Worker) subscribe(ctx context.Context, fn func(Message)) (func(), error) {
	for {
		unsubscribe, err := w.bus.Subscribe(bus.SearchOpen, subscriberBuffer, fn)
		if err == nil {
			return unsubscribe, nil
		}
		w.log.Warn("worker cannot listen for searches", slog.Any("error", err))
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func (w *Worker) hello(search string) {
	// One that is lost is made up for by the next.
	_ = w.bus.Publish(bus.SearchWorker, &busv1.WorkerHello{Worker: w.cfg.ID, Search: search})
}

func (o *openings) add(a announced) {
	if _, known := o.known[a.open.GetId()]; known || len(o.known) < maxOpen {
		o.known[a.open.GetId()] = a
	}
}

// choose is the search to help: interactive ones first, then the one with the
// fewest helpers for those it wants. It forgets what is over.
func (o *openings) choose(now time.Time) string {
	for id, until := range o.shun {
		if now.After(until) {
			delete(o.shun, id)
		}
	}
	var best *busv1.SearchOpen
	for id, a := range o.known {
		if now.Sub(a.at) > staleAfter || now.Sub(a.at).Milliseconds() >= int64(a.open.GetLeftMs()) {
			delete(o.known, id)
			continue
		}
		if _, shunned := o.shun[id]; shunned || a.open.GetPresent() >= a.open.GetWanted() {
			continue
		}
		if best == nil || sooner(a.open, best) {
			best = a.open
		}
	}
	return best.GetId()
}

func sooner(a, b *busv1.SearchOpen) bool {
	if ai, bi := a.GetLane() == laneInteractive, b.GetLane() == laneInteractive; ai != bi {
		return ai
	}
	if x, y := int64(a.GetPresent())*int64(b.GetWanted()), int64(b.GetPresent())*int64(a.GetWanted()); x != y {
		return x < y
	}
	return a.GetId() < b.GetId()
}

// help takes part in a search until it ends. It returns for how long the search
// is then left alone.
func (w *Worker) help(ctx context.Context, id string) time.Duration {
	var stop atomic.Bool
	endStop, err := w.bus.Subscribe(bus.SearchStop(id), 1, func(Message) { stop.Store(true) })
	if err != nil {
		return shunFor
	}
	defer endStop()
	w.table.Clear()
	endTT, err := w.learnFrom(id)
	if err != nil {
		return shunFor
	}
	defer endTT()

	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var task busv1.SearchTask
	if err := w.bus.Request(asking, bus.SearchTask(id), &busv1.SearchTaskRequest{Worker: w.cfg.ID}, &task); err != nil || !task.GetWanted() {
		return shunFor
	}
	left := min(time.Duration(task.GetLeftMs())*time.Millisecond, maxLeft)
	p := task.GetPosition()
	problem, err := engine.Open(games.Position{Rules: p.GetRules(), Text: p.GetText(), Draws: p.GetDraws(), History: p.GetHistory()}, engine.WithEndings(w.cfg.Endings))
	if err != nil || left <= 0 {
		return left + shunFor
	}
	w.hello(id)
	end := time.Now().Add(left)
	timer := time.AfterFunc(left+overtime, func() { stop.Store(true) })
	defer timer.Stop()
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()

	var out outbox
	var reached atomic.Pointer[engine.Report]
	opts := options(int(task.GetDepth()))
	opts.Seed, opts.Helper = task.GetSeed(), int(task.GetNumber())
	opts.Share = out.put
	opts.Report = func(r engine.Report) { reached.Store(&r) }
	told := w.gossip(id, &out, &reached)
	problem.Search(engine.Limits{Depth: int(task.GetDepth()), Stop: func(uint64) bool { return stop.Load() }}, opts, w.table)
	told()
	w.hello("")
	return max(time.Until(end), 0) + shunFor
}

// learnFrom puts the entries that others find into the table, until the
// function that it returns is called: what comes later would be of another
// search. Who is best is not read: that is the coordinator's to say.
func (w *Worker) learnFrom(id string) (end func(), err error) {
	var mu sync.Mutex
	over := false
	unsubscribe, err := w.bus.Subscribe(bus.SearchTT(id), subscriberBuffer, func(m Message) {
		var in busv1.SearchGossip
		if m.Decode(&in) != nil || in.GetWorker() == w.cfg.ID {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if !over {
			learn(w.table, in.GetEntries())
		}
	})
	if err != nil {
		return nil, err
	}
	return func() {
		unsubscribe()
		mu.Lock()
		defer mu.Unlock()
		over = true
	}, nil
}

// gossip tells, beside a search, what it finds, until the function that it
// returns is called; that one tells the last of it.
func (w *Worker) gossip(id string, out *outbox, reached *atomic.Pointer[engine.Report]) (end func()) {
	var last *engine.Report
	tell := func() {
		report := reached.Load()
		entries := out.take()
		if report == last && len(entries) == 0 {
			return
		}
		last = report
		g := &busv1.SearchGossip{Worker: w.cfg.ID, Entries: entries}
		if report != nil {
			g.Depth, g.Score, g.Nodes, g.Line = int32(report.Depth), int32(report.Score), report.Nodes, report.Line
			if len(report.Line) > 0 {
				g.Move = report.Line[0]
			}
		}
		_ = w.bus.Publish(bus.SearchTT(id), g) // the next one says it again
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(w.cfg.GossipEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				tell()
				return
			case <-tick.C:
				tell()
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
