package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Step is one statement of a Series.
type Step struct {
	Query string
	Args  []any
	// Refuse is the error of the whole series where the statement changes no row;
	// nil where it may change none.
	Refuse error
}

// Series runs statements one after the other in one transaction, all or none: like
// Write, with values in place of a function, so that SQLite's writer runs them
// without waking anybody. Its statements find their rows by their keys: nothing
// else bounds their time with SQLite.
func (d *DB) Series(ctx context.Context, series []Step) error {
	if ctx.Value(insideKey{}) != nil {
		return ErrNested
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("db: write not started: %w", err)
	}
	return d.engine.series(ctx, series)
}

// Run runs the statements inside a function of Write.
func Run(ctx context.Context, tx Tx, series []Step) error { return runSteps(ctx, tx, stepsOf(series)) }

func stepsOf(series []Step) []step {
	steps := make([]step, len(series))
	for i := range series {
		steps[i].Step = series[i]
	}
	return steps
}

func (d *sqliteDB) series(ctx context.Context, series []Step) error {
	return d.writer.writeSteps(ctx, stepsOf(series))
}

func (d *postgresDB) series(ctx context.Context, series []Step) error {
	return d.write(ctx, func(ctx context.Context, tx Tx) error { return Run(ctx, tx, series) })
}

// step is one statement with what takes the one row that it returns; nil where it
// returns none.
type step struct {
	Step
	dest []any
}

func (s *step) run(ctx context.Context, tx Tx) error {
	if s.dest != nil {
		row := tx.QueryRowContext
		if t, ok := tx.(*preparedTx); ok {
			row = t.row
		}
		return row(ctx, s.Query, s.Args...).Scan(s.dest...)
	}
	result, err := tx.ExecContext(ctx, s.Query, s.Args...)
	if err != nil || s.Refuse == nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n == 0 {
		return s.Refuse
	}
	return err
}

// unchanged tells whether an error of run says that the statement changed nothing.
func (s *step) unchanged(err error) bool {
	return errors.Is(err, sql.ErrNoRows) || s.Refuse != nil && err == s.Refuse
}

func runSteps(ctx context.Context, tx Tx, steps []step) error {
	for i := range steps {
		if err := steps[i].run(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// maxPrepared bounds the statements that the writer keeps prepared.
const maxPrepared = 128

// prepared are the statements that the writer knows: it meets few texts, again and
// again. A statement is prepared between batches, once it was met.
type prepared struct {
	known  map[string]*sql.Stmt // nil: it cannot be prepared
	wanted []string
}

// find gives a prepared statement, or nil.
func (p *prepared) find(query string) *sql.Stmt {
	s, ok := p.known[query]
	if !ok && len(p.known)+len(p.wanted) < maxPrepared {
		p.wanted = append(p.wanted, query)
	}
	return s
}

// more prepares what was met since.
func (p *prepared) more(db *sql.DB) {
	for _, query := range p.wanted {
		if _, ok := p.known[query]; ok {
			continue
		}
		s, err := db.PrepareContext(context.Background(), query)
		if err != nil {
			s = nil // its own error is told where it runs
		}
		p.known[query] = s
	}
	p.wanted = p.wanted[:0]
}

func (p *prepared) close() {
	for _, s := range p.known {
		if s != nil {
			_ = s.Close() // the connection closes next
		}
	}
}

// preparedTx is one transaction of the writer's, with its prepared statements. Only
// one goroutine uses it at a time.
type preparedTx struct {
	*sql.Tx
	prepared *prepared
	bound    map[string]*sql.Stmt // to this transaction
}

// find gives the statement, prepared and bound to this transaction; nil for none.
func (t *preparedTx) find(ctx context.Context, query string) *sql.Stmt {
	if s := t.bound[query]; s != nil {
		return s
	}
	s := t.prepared.find(query)
	if s == nil {
		return nil
	}
	if t.bound == nil {
		t.bound = map[string]*sql.Stmt{}
	}
	s = t.StmtContext(ctx, s)
	t.bound[query] = s
	return s
}

// ExecContext implements Tx.
func (t *preparedTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if s := t.find(ctx, query); s != nil {
		return s.ExecContext(ctx, args...)
	}
	return t.Tx.ExecContext(ctx, query, args...)
}

// row is QueryRowContext for who scans the row before anything else happens: a
// statement that is prepared has one result at a time.
func (t *preparedTx) row(ctx context.Context, query string, args ...any) *sql.Row {
	if s := t.find(ctx, query); s != nil {
		return s.QueryRowContext(ctx, args...)
	}
	return t.Tx.QueryRowContext(ctx, query, args...)
}
