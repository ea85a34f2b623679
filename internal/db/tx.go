package db

import (
	"context"
	"database/sql"
	"errors"
	"runtime/debug"
	"sync"
)

// insideKey marks the context of a running function.
type insideKey struct{}

// functionContext is what a function gets: the caller's values, not its end.
func functionContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithValue(context.WithoutCancel(ctx), insideKey{}, true), functionTime)
}

// guardedTx makes both engines alike: the first failed statement fails the
// transaction, as PostgreSQL has it. In SQLite that also stops a statement from
// running outside any transaction after the engine rolled back by itself, as it
// does when the disk is full.
type guardedTx struct {
	mu     sync.Mutex
	tx     Tx
	failed error
}

func (g *guardedTx) fail(err error) {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed == nil {
		g.failed = err
	}
}

// err is the failure that ends the transaction, if any.
func (g *guardedTx) err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.failed
}

func (g *guardedTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := g.err(); err != nil {
		return nil, err
	}
	res, err := g.tx.ExecContext(ctx, query, args...)
	g.fail(err)
	return res, err
}

func (g *guardedTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := g.err(); err != nil {
		return nil, err
	}
	rows, err := g.tx.QueryContext(ctx, query, args...)
	g.fail(err)
	return rows, err
}

func (g *guardedTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if g.err() != nil {
		// A Row cannot be made with an error of ours; an ended context makes one
		// that fails without touching the database.
		ended, cancel := context.WithCancel(ctx)
		cancel()
		return g.tx.QueryRowContext(ended, query, args...)
	}
	row := g.tx.QueryRowContext(ctx, query, args...)
	g.fail(row.Err())
	return row
}

// call runs f on tx. It returns f's error, or the failure of a statement that f
// overlooked; a failure of the engine itself (spoils) goes before what f made of
// it. A panic becomes an error. exited reports a runtime.Goexit in f, as by a
// test's FailNow, and is called while the goroutine ends.
func call(ctx context.Context, tx Tx, f Func, spoils func(error) bool, exited func(error)) (err error) {
	g := &guardedTx{tx: tx}
	returned := false
	defer func() {
		if returned {
			return
		}
		v := recover()
		g.fail(errTxDone)
		err = &PanicError{Value: v, Stack: debug.Stack()}
		if v == nil {
			exited(err)
		}
	}()
	err = f(ctx, g)
	returned = true
	failed := g.err()
	g.fail(errTxDone)
	if failed != nil && (err == nil || spoils(failed)) {
		return failed
	}
	return err
}
