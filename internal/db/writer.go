package db

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// queueSize bounds the callers waiting for the writer; more wait outside it
	// until their context ends.
	queueSize = 1024
	// A batch ends when nobody waits, at batchSize functions, or after batchTime,
	// so that the first caller of a batch does not wait for all that come later.
	batchSize = 256
	batchTime = 20 * time.Millisecond
)

// The states of a request.
const (
	waiting int32 = iota
	started
	withdrawn
)

// request is one function on its way through the writer. A caller's function runs
// on its caller's goroutine, when it is its turn, so that its panics and its stack
// are the caller's. Statements that were handed over as values the writer runs
// itself, without waking anybody.
type request struct {
	ctx    context.Context
	f      Func   // the caller's, or
	steps  []step // values
	state  atomic.Int32
	turn   chan Tx
	ran    chan error // answers each turn
	result chan error // one, at the end
}

// writer is the one owner of the writing connection. Callers' functions run one
// after the other, each in a savepoint, and one COMMIT makes all of them durable.
type writer struct {
	db      *sql.DB
	log     *slog.Logger
	queue   chan *request
	closing chan struct{}
	stop    sync.Once
	done    chan struct{}
	failed  chan struct{} // closed when err became fatal; only run writes it

	prepared prepared // run's own

	mu    sync.Mutex
	err   error // why writes do not work now
	fatal bool  // and never will in this process

	writes, commits, repeats, failures atomic.Int64
}

func newWriter(db *sql.DB, log *slog.Logger) *writer {
	return &writer{
		db:       db,
		log:      log,
		prepared: prepared{known: map[string]*sql.Stmt{}},
		queue:    make(chan *request, queueSize),
		closing:  make(chan struct{}),
		done:     make(chan struct{}),
		failed:   make(chan struct{}),
	}
}

// close serves what is queued, then ends run.
func (w *writer) close() {
	w.stop.Do(func() { close(w.closing) })
	<-w.done
}

func (w *writer) stats() Stats {
	return Stats{Writes: w.writes.Load(), Commits: w.commits.Load(), Repeats: w.repeats.Load(), Failures: w.failures.Load()}
}

func (w *writer) health() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// note remembers what an engine's error, or success, says about the database.
func (w *writer) note(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fatal {
		return
	}
	switch {
	case err == nil:
		w.err = nil
	case sqliteFatal(err):
		w.err = fmt.Errorf("%w: the database failed, restart is needed: %w", ErrUnavailable, err)
		w.fatal = true
		close(w.failed)
	case sqliteFull(err):
		w.err = fmt.Errorf("%w: the disk is full: %w", ErrUnavailable, err)
	default:
		return
	}
	if w.err != nil {
		w.log.Error("database cannot write", "fatal", w.fatal, "err", err)
	}
}

// dead is the error of a writer that will never write again.
func (w *writer) dead() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fatal {
		return w.err
	}
	return nil
}

func (w *writer) write(ctx context.Context, f Func) error {
	return w.hand(&request{ctx: ctx, f: f, turn: make(chan Tx), ran: make(chan error, 1), result: make(chan error, 1)})
}

// writeSteps writes values.
func (w *writer) writeSteps(ctx context.Context, steps []step) error {
	return w.hand(&request{ctx: ctx, steps: steps, result: make(chan error, 1)})
}

// hand gives a request to the writer and waits for its result.
func (w *writer) hand(r *request) error {
	ctx := r.ctx
	select {
	case <-w.closing:
		return ErrClosed
	default:
	}
	select {
	case w.queue <- r:
	case <-w.closing:
		return ErrClosed
	case <-ctx.Done():
		return notStarted(ctx)
	}
	end := ctx.Done()
	for {
		select {
		case tx := <-r.turn:
			r.take(tx)
		case err := <-r.result:
			return err
		case <-end:
			if r.state.CompareAndSwap(waiting, withdrawn) {
				return notStarted(ctx)
			}
			end = nil // started: its outcome counts now
		case <-w.done:
			// The writer may have answered right before it ended.
			select {
			case err := <-r.result:
				return err
			default:
				return ErrClosed
			}
		}
	}
}

func notStarted(ctx context.Context) error {
	return fmt.Errorf("db: write not started: %w", ctx.Err())
}

// take runs the function on the caller's goroutine.
func (r *request) take(tx Tx) {
	ctx, cancel := functionContext(r.ctx)
	defer cancel()
	r.ran <- call(ctx, tx, r.f, sqliteSpoils, func(err error) {
		r.state.Store(withdrawn) // nobody is left to run it again
		r.ran <- err
	})
}

// start claims the request, unless its caller left.
func (r *request) start() bool {
	if r.ctx.Err() != nil && r.state.CompareAndSwap(waiting, withdrawn) {
		r.result <- notStarted(r.ctx)
		return false
	}
	return r.state.CompareAndSwap(waiting, started)
}

// run serves callers until close.
func (w *writer) run() {
	defer close(w.done)
	defer w.prepared.close()
	for {
		select {
		case r := <-w.queue:
			w.serve(r)
		case <-w.closing:
			for {
				select {
				case r := <-w.queue:
					w.serve(r)
				default:
					return
				}
			}
		}
	}
}

// next gives a batch's next function, or nil when it is time to commit.
type next func() *request

// serve runs batches from first on until every function in them has its result.
func (w *writer) serve(first *request) {
	if !first.start() {
		return
	}
	w.prepared.more(w.db)
	began := time.Now()
	n := 0
	pending := first
	redo := w.batch(func() *request {
		if r := pending; r != nil {
			pending = nil
			n++
			return r
		}
		for n < batchSize && time.Since(began) < batchTime {
			select {
			case r := <-w.queue:
				if r.start() {
					n++
					return r
				}
			default:
				return nil
			}
		}
		return nil
	})
	// One function spoiled the batch: the others run again, each by itself, so
	// that none can spoil another's.
	for _, r := range redo {
		if r.state.Load() == withdrawn {
			continue
		}
		w.repeats.Add(1)
		one := r
		w.batch(func() *request {
			r := one
			one = nil
			return r
		})
	}
}

// batch runs functions in one transaction. It returns those that must run again
// because another one of them destroyed the transaction.
func (w *writer) batch(next next) (redo []*request) {
	var ran []*request
	var results []error
	finish := func(err error) {
		for i, r := range ran {
			if err != nil {
				r.result <- err
			} else {
				r.result <- results[i]
			}
		}
	}
	refuse := func(err error) {
		for r := next(); r != nil; r = next() {
			ran = append(ran, r)
		}
		finish(err)
	}
	if err := w.dead(); err != nil {
		refuse(err)
		return nil
	}
	ctx := context.Background() // its statements are bounded one by one
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		w.note(err)
		refuse(fmt.Errorf("%w: begin: %w", ErrUnavailable, err))
		return nil
	}
	quick := &preparedTx{Tx: tx, prepared: &w.prepared}
	for r := next(); r != nil; r = next() {
		result, intact := w.one(ctx, quick, r)
		if !intact {
			if err := tx.Rollback(); err != nil && sqliteSpoils(err) {
				w.note(err)
			}
			w.failures.Add(1)
			r.result <- result
			return ran
		}
		ran, results = append(ran, r), append(results, result)
	}
	err = tx.Commit()
	w.note(err)
	switch {
	case err == nil:
		w.commits.Add(1)
		w.writes.Add(int64(len(ran)))
		finish(nil)
		return nil
	case sqliteFatal(err):
		// The commit record may be in the log, and be found after a restart.
		err = fmt.Errorf("%w: commit: %w", ErrUnknown, err)
	case sqliteFull(err):
		err = fmt.Errorf("%w: commit: %w", ErrUnavailable, err)
	case len(ran) > 1:
		// Undone by what one of them left behind, such as a deferred constraint.
		w.failures.Add(1)
		return ran
	default:
		err = fmt.Errorf("db: commit: %w", err)
	}
	w.failures.Add(1)
	finish(err)
	return nil
}

// one runs r's function in a savepoint. intact is false when the transaction no
// longer holds what the functions before it did.
func (w *writer) one(ctx context.Context, tx *preparedTx, r *request) (result error, intact bool) {
	if len(r.steps) == 1 {
		return w.single(ctx, tx, &r.steps[0])
	}
	if _, err := tx.ExecContext(ctx, "SAVEPOINT f"); err != nil {
		return fmt.Errorf("%w: savepoint: %w", ErrUnavailable, err), false
	}
	if r.f == nil {
		result = runSteps(ctx, tx, r.steps)
	} else {
		r.turn <- tx
		result = <-r.ran
	}
	result = w.spoilt(result)
	if result != nil {
		// SQLite rolls the whole transaction back by itself on some errors (a full
		// disk, an interrupted statement); then there is no savepoint any more.
		if _, err := tx.ExecContext(ctx, "ROLLBACK TO f"); err != nil {
			return result, false
		}
	}
	if _, err := tx.ExecContext(ctx, "RELEASE f"); err != nil {
		return fmt.Errorf("db: end of function: %w", err), false
	}
	return result, true
}

// single runs one statement, which SQLite undoes by itself where a constraint
// refuses it; after any other error it is not known what is left of it.
func (w *writer) single(ctx context.Context, tx *preparedTx, s *step) (result error, intact bool) {
	err := s.run(ctx, tx)
	return w.spoilt(err), err == nil || s.unchanged(err) || sqliteConstraint(err)
}

// spoilt notes what a function's error says about the database.
func (w *writer) spoilt(err error) error {
	if !sqliteSpoils(err) {
		return err
	}
	w.note(err)
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}
