package db

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func openTest(t *testing.T, path string) (*DB, *sqliteDB) {
	t.Helper()
	d, err := Open(t.Context(), Config{Driver: DriverSQLite, Path: path}, os.DirFS("testdata/migrations"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d, d.engine.(*sqliteDB)
}

func insertItem(id string, body []byte) Func {
	return func(ctx context.Context, tx Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO item (id, n, body) VALUES ($1, 1, $2)", id, body)
		return err
	}
}

func count(t *testing.T, d *DB) (n int) {
	t.Helper()
	if err := d.Read().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM item").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSQLiteSettings(t *testing.T) {
	d, e := openTest(t, filepath.Join(t.TempDir(), "odd name?#%41 é.db"))
	if _, err := os.Stat(e.path); err != nil {
		t.Errorf("the file is elsewhere: %v", err)
	}
	if info, err := os.Stat(e.path); err == nil && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
	for _, c := range []struct{ pragma, writer, reader string }{
		{"journal_mode", "wal", "wal"},
		{"synchronous", "2", "2"},
		{"busy_timeout", "5000", "5000"},
		{"foreign_keys", "1", "1"},
		{"query_only", "0", "1"},
	} {
		var w, r string
		if err := e.writeDB.QueryRow("PRAGMA " + c.pragma).Scan(&w); err != nil {
			t.Fatal(err)
		}
		if err := e.readDB.QueryRow("PRAGMA " + c.pragma).Scan(&r); err != nil {
			t.Fatal(err)
		}
		if w != c.writer || r != c.reader {
			t.Errorf("%s: got %s and %s, want %s and %s", c.pragma, w, r, c.writer, c.reader)
		}
	}
	if rows, err := d.Read().QueryContext(t.Context(), "INSERT INTO item (id, n) VALUES ('a', 1) RETURNING id"); err == nil {
		rows.Close()
		t.Error("a reader wrote")
	}
	dsn, err := url.Parse(sqliteDSN("/x.db", false, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if got := dsn.Query()["_pragma"][0]; got != "busy_timeout(1000)" || dsn.Query().Get("_txlock") != "immediate" {
		t.Errorf("got %s first in %s", got, dsn)
	}
}

// Who reads and then writes in one transaction waits for another process that
// writes, and does not fail: a deferred transaction would, at once.
func TestReadingThenWritingBesideAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	one, _ := openTest(t, path)
	other, _ := openTest(t, path) // as another process: a writer of its own
	if err := one.Write(t.Context(), insertItem("a", nil)); err != nil {
		t.Fatal(err)
	}
	const each = 60
	var wg sync.WaitGroup
	for _, d := range []*DB{one, other} {
		for range 2 {
			wg.Go(func() {
				for range each / 2 {
					err := d.Write(t.Context(), func(ctx context.Context, tx Tx) error {
						var n int
						if err := tx.QueryRowContext(ctx, "SELECT n FROM item WHERE id = 'a'").Scan(&n); err != nil {
							return err
						}
						_, err := tx.ExecContext(ctx, "UPDATE item SET n = $1 WHERE id = 'a'", n+1)
						return err
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	var n int
	if err := one.Read().QueryRowContext(t.Context(), "SELECT n FROM item WHERE id = 'a'").Scan(&n); err != nil || n != 1+2*each {
		t.Errorf("got %d, %v, want %d", n, err, 1+2*each)
	}
}

func TestSQLiteVersion(t *testing.T) {
	for version, ok := range map[string]bool{"3.51.3": true, "3.54.1": true, "4.0.0": true, "3.51.2": false, "3.7.0": false, "2.99.9": false, "x": false} {
		if err := checkSQLiteVersion(version); (err == nil) != ok {
			t.Errorf("%s: got %v", version, err)
		}
	}
}

// All who wait when the writer comes are in one transaction.
func TestGroupCommit(t *testing.T) {
	const n = 100
	d, e := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	w := newWriter(e.writeDB, e.log)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := w.write(t.Context(), insertItem(fmt.Sprint(i), nil)); err != nil {
				t.Error(err)
			}
		})
	}
	waitQueue(w, n)
	go w.run()
	wg.Wait()
	w.close()
	// batchTime may end a batch on a machine that is very slow.
	if s := w.stats(); s.Writes != n || s.Commits > n/4 {
		t.Errorf("got %+v, want %d writes in very few commits", s, n)
	}
	if got := count(t, d); got != n {
		t.Errorf("%d rows, want %d", got, n)
	}
}

// waitQueue returns when n callers wait.
func waitQueue(w *writer, n int) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for len(w.queue) < n {
		<-tick.C
	}
}

// A caller that leaves while it waits is not run, and does not wait for the writer.
func TestLeaveQueue(t *testing.T) {
	d, e := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	w := newWriter(e.writeDB, e.log)
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error)
	go func() { left <- w.write(ctx, insertItem("a", nil)) }()
	waitQueue(w, 1)
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	go w.run()
	if err := w.write(t.Context(), insertItem("b", nil)); err != nil {
		t.Error(err)
	}
	w.close()
	if got := count(t, d); got != 1 {
		t.Errorf("%d rows, want 1", got)
	}
}

// Who waits while the database closes is served.
func TestCloseServesQueue(t *testing.T) {
	d, e := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	w := newWriter(e.writeDB, e.log)
	result := make(chan error)
	go func() { result <- w.write(t.Context(), insertItem("a", nil)) }()
	waitQueue(w, 1)
	w.stop.Do(func() { close(w.closing) })
	go w.run()
	if err := <-result; err != nil {
		t.Error(err)
	}
	w.close()
	if err := w.write(t.Context(), insertItem("b", nil)); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	if got := count(t, d); got != 1 {
		t.Errorf("%d rows, want 1", got)
	}
}

// A disk that is full fails what does not fit, keeps the rest, and is over when
// there is room again.
func TestDiskFull(t *testing.T) {
	d, e := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	var pages int
	if err := e.writeDB.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) {
		if _, err := e.writeDB.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", n)); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages + 2)
	big := make([]byte, 1<<20)
	var wg sync.WaitGroup
	errs := make([]error, 3)
	w := newWriter(e.writeDB, e.log)
	hidden := func(ctx context.Context, tx Tx) error {
		if err := insertItem("hidden", big)(ctx, tx); err != nil {
			return errors.New("the function's own words")
		}
		return nil
	}
	for i, f := range []Func{insertItem("small", nil), insertItem("big", big), hidden} {
		wg.Go(func() { errs[i] = w.write(t.Context(), f) })
	}
	waitQueue(w, 3)
	go w.run()
	wg.Wait()
	w.close()
	if errs[0] != nil || !errors.Is(errs[1], ErrUnavailable) || !errors.Is(errs[2], ErrUnavailable) {
		t.Errorf("got %v, want only the small one committed", errs)
	}
	if err := d.Write(t.Context(), insertItem("big", big)); !errors.Is(err, ErrUnavailable) || errors.Is(err, ErrUnknown) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
	limit(1 << 20)
	if err := d.Write(t.Context(), insertItem("big", big)); err != nil {
		t.Error(err)
	}
	if err := d.Health(t.Context()); err != nil {
		t.Errorf("still %v", err)
	}
	if got := count(t, d); got != 2 {
		t.Errorf("%d rows, want 2", got)
	}
}

// A function that SQLite interrupted has lost the others' work too: they run again.
func TestInterruptedFunctionSpoilsNoOther(t *testing.T) {
	d, e := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	w := newWriter(e.writeDB, e.log)
	interrupted := func(ctx context.Context, tx Tx) error {
		ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		_, err := tx.ExecContext(ctx, `INSERT INTO item (id, n) WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r)
			SELECT 'x' || i, i FROM r`)
		return err
	}
	results := make(chan error, 3)
	for i, f := range []Func{insertItem("a", nil), interrupted, insertItem("b", nil)} {
		go func() { results <- w.write(t.Context(), f) }()
		waitQueue(w, i+1)
	}
	go w.run()
	failed := 0
	for range 3 {
		if err := <-results; err != nil {
			failed++
		}
	}
	w.close()
	if got := count(t, d); got != 2 || failed != 1 {
		t.Errorf("%d rows and %d failures, want 2 and 1", got, failed)
	}
}

// A function whose goroutine ended cannot run again with the rest of its batch.
func TestGoexitInSpoiltBatch(t *testing.T) {
	d, e := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	w := newWriter(e.writeDB, e.log)
	exit := func(ctx context.Context, tx Tx) error {
		runtime.Goexit()
		return nil
	}
	orphan := func(ctx context.Context, tx Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO part (id, item_id) VALUES ('p', 'nothing')")
		return err
	}
	var wg sync.WaitGroup
	var failed atomic.Int32
	for i, f := range []Func{insertItem("a", nil), exit, orphan, insertItem("b", nil)} {
		wg.Go(func() {
			if err := w.write(t.Context(), f); err != nil {
				failed.Add(1)
			}
		})
		waitQueue(w, i+1)
	}
	go w.run()
	wg.Wait()
	w.close()
	if got := count(t, d); got != 2 || failed.Load() != 1 {
		t.Errorf("%d rows and %d failures, want 2 and 1", got, failed.Load())
	}
}

func TestCheckpointEmptiesLog(t *testing.T) {
	d, e := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	if err := d.Write(t.Context(), insertItem("a", make([]byte, 1<<20))); err != nil {
		t.Fatal(err)
	}
	if got := d.Stats().LogBytes; got < 1<<20 {
		t.Errorf("log of %d bytes before", got)
	}
	if err := e.checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := d.Stats().LogBytes; got != 0 {
		t.Errorf("log of %d bytes after", got)
	}
}

// A reader that stays keeps the log from being emptied, and holds up nobody: what
// is written meanwhile is written, and once the reader ends the log is emptied.
func TestALongReaderHoldsUpNobody(t *testing.T) {
	d, e := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	for _, id := range []string{"a", "b"} {
		if err := d.Write(t.Context(), insertItem(id, make([]byte, 1<<20))); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := d.Read().QueryContext(t.Context(), "SELECT id FROM item ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() {
		t.Fatal("nothing to read")
	}
	if err := d.Write(t.Context(), insertItem("c", make([]byte, 1<<20))); err != nil {
		t.Errorf("beside a reader: %v", err)
	}
	_ = e.checkpoint(t.Context()) // it may say that it was not alone
	if got := d.Stats().LogBytes; got == 0 {
		t.Error("the log is empty beside a reader of it: the test proves nothing")
	}
	if err := d.Write(t.Context(), insertItem("d", nil)); err != nil {
		t.Errorf("after a checkpoint beside a reader: %v", err)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if err := e.checkpoint(t.Context()); err != nil {
		t.Error(err)
	}
	if got := d.Stats().LogBytes; got != 0 || count(t, d) != 4 {
		t.Errorf("a log of %d bytes and %d rows after the reader ended", got, count(t, d))
	}
}

func TestOpenRefuses(t *testing.T) {
	ok := os.DirFS("testdata/migrations")
	for name, cfg := range map[string]Config{
		"driver":     {Driver: "mysql"},
		"no path":    {Driver: DriverSQLite},
		"no folder":  {Driver: DriverSQLite, Path: filepath.Join(t.TempDir(), "missing", "x.db")},
		"bad schema": {Driver: DriverPostgres, URL: "postgres://localhost/x", Schema: `x"; DROP`},
		"bad url":    {Driver: DriverPostgres, URL: "postgres://localhost:x/x", Schema: "x"},
		"nobody":     {Driver: DriverPostgres, URL: "postgres://127.0.0.1:1/x?sslmode=disable", Schema: "x"},
	} {
		if d, err := Open(t.Context(), cfg, ok, nil); err == nil {
			d.Close()
			t.Errorf("%s: opened", name)
		}
	}
	garbage := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("garbage ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := Open(t.Context(), Config{Driver: DriverSQLite, Path: garbage}, ok, nil); err == nil {
		d.Close()
		t.Error("opened garbage")
	}
}

// One insert a function, as many callers as cores x 32.
func BenchmarkWriteSQLite(b *testing.B) {
	d, err := Open(b.Context(), Config{Driver: DriverSQLite, Path: filepath.Join(b.TempDir(), "test.db")}, os.DirFS("testdata/migrations"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	var n atomic.Int64
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if err := d.Write(b.Context(), insertItem(fmt.Sprint(n.Add(1)), nil)); err != nil {
				b.Error(err)
			}
		}
	})
	s := d.Stats()
	b.ReportMetric(float64(s.Writes)/float64(s.Commits), "writes/commit")
}
