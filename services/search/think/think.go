// Package think runs the engine against time: it has the clocks, the threads
// and the wish to stop that the pure search leaves to others.
package think

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/engine/core"
)

// Limits bound a search. What is zero is no limit.
type Limits struct {
	// Depth in plies.
	Depth int
	// Nodes of all threads together; one thread always visits the same ones.
	Nodes uint64
	// Mate ends the search once a win in so many moves is found.
	Mate int
	// Budget is the time for the move; nil is none. It is used by this search
	// alone.
	Budget *core.Budget
	// CPU bounds the processor time of the first thread, for comparisons on a
	// machine with other work. It is only known on Linux.
	CPU time.Duration
	// Only are the moves of the root to choose from; none means all.
	Only []string
	// Ponder lets no limit count until Hit.
	Ponder bool
}

// whole tells whether a search is for what it finds out rather than for a move.
func (l Limits) whole() bool {
	return l.Mate > 0 || l.Depth == 0 && l.Nodes == 0 && l.Budget == nil && l.CPU == 0 && !l.Ponder
}

// Config is what a search is done with.
type Config struct {
	// Threads is how many searchers share the table; less than one is one.
	Threads int
	// Options are the engine's switches. Report, Trying, Failed, Helper, Share are set
	// here.
	Options engine.Options
	Table   *engine.Table
	// News is who wants to hear of a search between its iterations, Pace how often;
	// no Pace is the standard one.
	News News
	Pace Pace
}

// Info is how far a search has come.
type Info struct {
	engine.Report
	// Nodes and Known are those of all threads, as far as they have reported.
	Nodes   uint64
	Known   uint64
	Elapsed time.Duration
}

// Result is the answer of a search.
type Result struct {
	engine.Result
	// Nodes are those of all threads.
	Nodes   uint64
	Elapsed time.Duration
	// CPU is the processor time of the first thread, 0 where it is not known.
	CPU time.Duration
}

// Thought is a search that runs.
type Thought struct {
	problem engine.Problem
	limits  Limits
	start   time.Time
	report  func(Info)

	stopped atomic.Bool
	// hit is when the limits of time began to count, in nanoseconds after start
	// and 1; 0 while pondering.
	hit atomic.Int64

	others, known atomic.Uint64 // nodes and known values that helpers have reported
	news          newsroom
	done          chan struct{}
	result        Result
}

// Start begins a search in goroutines of its own, which end soon after Stop or
// a limit; Wait waits for them. The report, if any, is called from one of them
// at a time.
func Start(problem engine.Problem, limits Limits, cfg Config, report func(Info)) *Thought {
	t := &Thought{
		problem: problem, limits: limits, start: time.Now(), report: report,
		news: newsroom{News: cfg.News, pace: cfg.Pace.or(standardPace)}, done: make(chan struct{}),
	}
	if !limits.Ponder {
		t.Hit()
	}
	go t.run(cfg)
	return t
}

// Search runs a search to its end.
func Search(problem engine.Problem, limits Limits, cfg Config, report func(Info)) Result {
	limits.Ponder = false
	return Start(problem, limits, cfg, report).Wait()
}

// Stop ends the search with what it has.
func (t *Thought) Stop() { t.stopped.Store(true) }

// Hit makes the limits of time count from now on, in a search that pondered.
func (t *Thought) Hit() { t.hit.CompareAndSwap(0, int64(time.Since(t.start))+1) }

// Done is closed when the search has ended.
func (t *Thought) Done() <-chan struct{} { return t.done }

// Wait waits for the end.
func (t *Thought) Wait() Result {
	<-t.done
	return t.result
}

// spent is the time that counts against the limits; it is 0 while pondering.
func (t *Thought) spent() time.Duration {
	hit := t.hit.Load()
	if hit == 0 {
		return 0
	}
	return time.Since(t.start) - time.Duration(hit-1)
}

func (t *Thought) late() bool { return t.limits.Budget != nil && t.spent() >= t.limits.Budget.Hard }

func (t *Thought) run(cfg Config) {
	defer close(t.done)
	threads := max(cfg.Threads, 1)
	limits := engine.Limits{
		Depth: t.limits.Depth, Only: t.limits.Only, Whole: t.limits.whole(),
	}
	stop := func() bool { return t.stopped.Load() || t.late() }
	if t.limits.Nodes > 0 {
		limits.Nodes = max(t.limits.Nodes/uint64(threads), 1)
	}

	var helpers sync.WaitGroup
	results := make([]engine.Result, threads)
	for i := 1; i < threads; i++ {
		opts := cfg.Options
		opts.Helper, opts.Share, opts.Trying, opts.Failed = i, nil, nil, nil
		var nodes, known uint64
		opts.Report = func(r engine.Report) {
			t.known.Add(r.Known - known)
			known = r.Known
		}
		helping := limits
		helping.Stop = func(n uint64) bool {
			t.others.Add(n - nodes)
			nodes = n
			return stop()
		}
		helpers.Go(func() { results[i] = t.problem.Search(helping, opts, cfg.Table) })
	}
	limits.Stop = func(nodes uint64) bool {
		t.going(nodes)
		return stop()
	}
	own, spent := t.first(limits, cfg)
	t.Stop()
	helpers.Wait()
	results[0] = own
	t.result = Result{Result: own, CPU: spent}
	for _, r := range results {
		t.result.Nodes += r.Nodes
		// A helper that went deeper knows better.
		if !own.Complete && r.Depth > t.result.Depth {
			t.result.Result = r
		}
	}
	t.result.Elapsed = time.Since(t.start)
}

// first is the search of the first thread, whose processor time is measured.
func (t *Thought) first(limits engine.Limits, cfg Config) (engine.Result, time.Duration) {
	if t.limits.CPU > 0 {
		// The processor's clock is the thread's.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		began, known := threadTime()
		if known {
			stop := limits.Stop
			limits.Stop = func(nodes uint64) bool {
				if stop(nodes) {
					return true
				}
				now, _ := threadTime()
				return t.hit.Load() > 0 && now-began >= t.limits.CPU
			}
		}
		result := t.search(limits, cfg)
		ended, _ := threadTime()
		return result, ended - began
	}
	return t.search(limits, cfg), 0
}

func (t *Thought) search(limits engine.Limits, cfg Config) engine.Result {
	limits.Enough = func(r engine.Report) bool {
		// The budget hears of every iteration, also while pondering.
		enough := t.limits.Budget != nil && t.limits.Budget.Enough(r, t.spent())
		if t.hit.Load() == 0 {
			return false
		}
		return enough || t.limits.Mate > 0 && core.IsWin(r.Score) && (core.Win-r.Score+1)/2 <= t.limits.Mate
	}
	opts := cfg.Options
	opts.Helper = 0
	opts.Report = func(r engine.Report) {
		if t.report != nil {
			i := t.info(r)
			t.news.said = i.Elapsed
			t.report(i)
		}
	}
	t.listen(&opts)
	return t.problem.Search(limits, opts, cfg.Table)
}
