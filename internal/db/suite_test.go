package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
)

func migrations(t testing.TB) fs.FS { return os.DirFS("testdata/migrations") }

func insert(id string, n int64) db.Func {
	return func(ctx context.Context, tx db.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO item (id, n) VALUES ($1, $2)", id, n)
		return err
	}
}

func mustWrite(t testing.TB, d *db.DB, f db.Func) {
	t.Helper()
	if err := d.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// ids lists what is committed.
func ids(t testing.TB, d *db.DB) []string {
	t.Helper()
	rows, err := d.Read().QueryContext(t.Context(), "SELECT id FROM item ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := []string{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		all = append(all, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func wantIDs(t testing.TB, d *db.DB, want ...string) {
	t.Helper()
	if got := ids(t, d); !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("committed ids: got %q, want %q", got, want)
	}
}

// TestConformance is what both engines promise.
func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *db.DB)
	}{
		{"types", testTypes},
		{"read own writes", testReadOwnWrites},
		{"error undoes", testErrorUndoes},
		{"overlooked error undoes", testOverlookedError},
		{"no statement after a failed one", testNoStatementAfterFailure},
		{"unique", testUnique},
		{"deferred constraint", testDeferredConstraint},
		{"panic", testPanic},
		{"goexit", testGoexit},
		{"nested", testNested},
		{"transaction ends with its function", testTxEnds},
		{"context ended before", testEndedBefore},
		{"context ends during", testEndsDuring},
		{"values of the context", testContextValues},
		{"read-modify-write", testReadModifyWrite},
		{"write skew", testWriteSkew},
		{"fail among many", testFailAmongMany},
		{"close", testClose},
		{"clock", testClock},
	} {
		t.Run(c.name, func(t *testing.T) { dbtest.Each(t, migrations(t), c.test) })
	}
}

func testTypes(t *testing.T, d *db.DB) {
	type row struct {
		id   string
		n    int64
		flag bool
		body []byte
	}
	want := row{"a'ã", 1 << 60, true, []byte{0, 1, 255}}
	var back row
	mustWrite(t, d, func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRowContext(ctx, `INSERT INTO item (id, n, flag, body) VALUES ($1, $2, $3, $4)
			ON CONFLICT (id) DO NOTHING RETURNING id, n, flag, body`,
			want.id, want.n, want.flag, want.body).Scan(&back.id, &back.n, &back.flag, &back.body)
	})
	if fmt.Sprint(back) != fmt.Sprint(want) {
		t.Errorf("returned: got %v, want %v", back, want)
	}
	var got row
	err := d.Read().QueryRowContext(t.Context(), "SELECT id, n, flag, body FROM item WHERE flag AND id = $1 AND n = $2 AND id = $1", want.id, want.n).
		Scan(&got.id, &got.n, &got.flag, &got.body)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("read: got %v, %v, want %v", got, err, want)
	}
}

func testReadOwnWrites(t *testing.T, d *db.DB) {
	mustWrite(t, d, func(ctx context.Context, tx db.Tx) error {
		if err := insert("a", 1)(ctx, tx); err != nil {
			return err
		}
		var n int64
		if err := tx.QueryRowContext(ctx, "SELECT n FROM item WHERE id = $1", "a").Scan(&n); err != nil || n != 1 {
			t.Errorf("inside: got %d, %v, want 1", n, err)
		}
		wantIDs(t, d) // outside nothing is seen yet
		return nil
	})
	wantIDs(t, d, "a")
}

func testErrorUndoes(t *testing.T, d *db.DB) {
	boom := errors.New("boom")
	err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
		if err := insert("a", 1)(ctx, tx); err != nil {
			return err
		}
		return boom
	})
	if err != boom {
		t.Errorf("got %v, want %v as it was", err, boom)
	}
	wantIDs(t, d)
}

func testOverlookedError(t *testing.T, d *db.DB) {
	mustWrite(t, d, insert("a", 1))
	err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
		if err := insert("b", 1)(ctx, tx); err != nil {
			return err
		}
		_ = insert("a", 2)(ctx, tx)
		return nil
	})
	if !db.IsUnique(err) {
		t.Errorf("got %v, want the overlooked error", err)
	}
	wantIDs(t, d, "a")
}

func testNoStatementAfterFailure(t *testing.T, d *db.DB) {
	mustWrite(t, d, insert("a", 1))
	err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
		first := insert("a", 2)(ctx, tx)
		if err := insert("b", 2)(ctx, tx); err == nil {
			t.Error("a statement ran after a failed one")
		}
		if _, err := tx.QueryContext(ctx, "SELECT id FROM item"); err == nil {
			t.Error("a query ran after a failed statement")
		}
		var n int64
		if err := tx.QueryRowContext(ctx, "SELECT n FROM item").Scan(&n); err == nil {
			t.Error("a row query ran after a failed statement")
		}
		return first
	})
	if !db.IsUnique(err) {
		t.Errorf("got %v, want a unique violation", err)
	}
	wantIDs(t, d, "a")
}

func testUnique(t *testing.T, d *db.DB) {
	mustWrite(t, d, insert("a", 1))
	if err := d.Write(t.Context(), insert("a", 1)); !db.IsUnique(err) {
		t.Errorf("got %v, want a unique violation", err)
	}
	err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO item (id, n) VALUES ($1, NULL)", "b")
		return err
	})
	if err == nil || db.IsUnique(err) {
		t.Errorf("got %v, want an error that is no unique violation", err)
	}
	if db.IsUnique(nil) || db.IsUnique(sql.ErrNoRows) {
		t.Error("IsUnique of other errors")
	}
}

// A constraint that is checked at COMMIT fails its own function alone.
func testDeferredConstraint(t *testing.T, d *db.DB) {
	orphan := func(ctx context.Context, tx db.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO part (id, item_id) VALUES ($1, $2)", "p", "nothing")
		return err
	}
	results := together(t, d, insert("a", 1), orphan, insert("b", 1))
	if results[0] != nil || results[1] == nil || results[2] != nil {
		t.Errorf("got %v, want only the second to fail", results)
	}
	if errors.Is(results[1], db.ErrUnknown) {
		t.Errorf("got %v, want a known outcome", results[1])
	}
	wantIDs(t, d, "a", "b")
}

// together writes all functions at once; for SQLite they are in one batch, since
// the writer is kept busy until all wait.
func together(t testing.TB, d *db.DB, fs ...db.Func) []error {
	t.Helper()
	return togetherIn(t.Context(), d, fs...)
}

func togetherIn(ctx context.Context, d *db.DB, fs ...db.Func) []error {
	results := make([]error, len(fs))
	begun := make(chan struct{})
	release := make(chan struct{})
	var blocker, all sync.WaitGroup
	blocker.Go(func() {
		var once sync.Once
		_ = d.Write(context.Background(), func(context.Context, db.Tx) error {
			once.Do(func() { close(begun) })
			<-release
			return errors.New("only keeps the writer busy")
		})
	})
	<-begun
	var queued sync.WaitGroup
	for i, f := range fs {
		queued.Add(1)
		all.Go(func() {
			queued.Done()
			results[i] = d.Write(ctx, f)
		})
	}
	queued.Wait()
	close(release)
	all.Wait()
	blocker.Wait()
	return results
}

func testPanic(t *testing.T, d *db.DB) {
	err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
		if err := insert("a", 1)(ctx, tx); err != nil {
			return err
		}
		panic("boom")
	})
	p, ok := errors.AsType[*db.PanicError](err)
	if !ok || p.Value != "boom" || !strings.Contains(string(p.Stack), "testPanic") {
		t.Errorf("got %v, want the panic with its stack", err)
	}
	mustWrite(t, d, insert("b", 1))
	wantIDs(t, d, "b")
}

func testGoexit(t *testing.T, d *db.DB) {
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = d.Write(context.Background(), func(ctx context.Context, tx db.Tx) error {
			_ = insert("a", 1)(ctx, tx)
			(&testing.T{}).FailNow()
			return nil
		})
	})
	wg.Wait()
	mustWrite(t, d, insert("b", 1))
	wantIDs(t, d, "b")
}

func testNested(t *testing.T, d *db.DB) {
	err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
		return d.Write(ctx, insert("a", 1))
	})
	if !errors.Is(err, db.ErrNested) {
		t.Errorf("got %v, want ErrNested", err)
	}
}

func testTxEnds(t *testing.T, d *db.DB) {
	var kept db.Tx
	mustWrite(t, d, func(ctx context.Context, tx db.Tx) error {
		kept = tx
		return nil
	})
	if err := insert("a", 1)(t.Context(), kept); err == nil {
		t.Error("a statement ran after its function")
	}
	wantIDs(t, d)
}

func testEndedBefore(t *testing.T, d *db.DB) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Write(ctx, insert("a", 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	wantIDs(t, d)
}

func testEndsDuring(t *testing.T, d *db.DB) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := d.Write(ctx, func(inner context.Context, tx db.Tx) error {
		cancel()
		if inner.Err() != nil {
			t.Error("the function's context ended with the caller's")
		}
		if _, ok := inner.Deadline(); !ok {
			t.Error("the function has no deadline")
		}
		return insert("a", 1)(inner, tx)
	})
	if err != nil {
		t.Errorf("got %v, want a committed write", err)
	}
	wantIDs(t, d, "a")
}

type valueKey struct{}

func testContextValues(t *testing.T, d *db.DB) {
	ctx := context.WithValue(t.Context(), valueKey{}, "value")
	err := d.Write(ctx, func(ctx context.Context, _ db.Tx) error {
		if got := ctx.Value(valueKey{}); got != "value" {
			t.Errorf("got %v, want the caller's value", got)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Many add one to the same row; what they computed from is never stale.
func testReadModifyWrite(t *testing.T, d *db.DB) {
	const callers, rounds = 8, 10
	mustWrite(t, d, insert("a", 0))
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for range rounds {
				err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
					var n int64
					if err := tx.QueryRowContext(ctx, "SELECT n FROM item WHERE id = $1", "a").Scan(&n); err != nil {
						return err
					}
					_, err := tx.ExecContext(ctx, "UPDATE item SET n = $1 WHERE id = $2", n+1, "a")
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	var n int64
	if err := d.Read().QueryRowContext(t.Context(), "SELECT n FROM item WHERE id = $1", "a").Scan(&n); err != nil || n != callers*rounds {
		t.Errorf("got %d, %v, want %d", n, err, callers*rounds)
	}
}

// Two that each read what the other writes: one must see the other.
func testWriteSkew(t *testing.T, d *db.DB) {
	f := func(id string) db.Func {
		return func(ctx context.Context, tx db.Tx) error {
			var n int64
			if err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM item").Scan(&n); err != nil {
				return err
			}
			if n > 0 {
				return errors.New("taken")
			}
			return insert(id, 1)(ctx, tx)
		}
	}
	results := together(t, d, f("a"), f("b"), f("c"))
	if got := len(ids(t, d)); got != 1 {
		t.Errorf("%d rows committed, want 1; results %v", got, results)
	}
}

// Every caller gets its own result, and only what succeeded stays.
func testFailAmongMany(t *testing.T, d *db.DB) {
	const n = 40
	var fs []db.Func
	var want []string
	boom := errors.New("boom")
	for i := range n {
		id := fmt.Sprintf("%02d", i)
		switch i % 4 {
		case 1:
			fs = append(fs, func(ctx context.Context, tx db.Tx) error {
				return errors.Join(insert(id, 1)(ctx, tx), boom)
			})
		case 2:
			fs = append(fs, func(ctx context.Context, tx db.Tx) error {
				_ = insert(id, 1)(ctx, tx)
				panic(boom)
			})
		default:
			fs = append(fs, insert(id, 1))
			want = append(want, id)
		}
	}
	for i, err := range together(t, d, fs...) {
		_, panicked := errors.AsType[*db.PanicError](err)
		if ok := [4]bool{err == nil, errors.Is(err, boom), panicked, err == nil}[i%4]; !ok {
			t.Errorf("function %d: got %v", i, err)
		}
	}
	wantIDs(t, d, want...)
	if s := d.Stats(); s.Failures != 0 {
		t.Errorf("got %+v, want no failed commit", s)
	}
}

func testClose(t *testing.T, d *db.DB) {
	var committed atomic.Int64
	var wg sync.WaitGroup
	begun := make(chan struct{})
	var once sync.Once
	for i := range 16 {
		wg.Go(func() {
			for n := 0; ; n++ {
				err := d.Write(context.Background(), insert(fmt.Sprintf("%02d-%d", i, n), 1))
				if err != nil {
					if !errors.Is(err, db.ErrUnavailable) && !errors.Is(err, db.ErrUnknown) {
						t.Errorf("got %v, want ErrUnavailable", err)
					}
					return
				}
				if committed.Add(1) > 32 {
					once.Do(func() { close(begun) })
				}
			}
		})
	}
	<-begun
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if err := d.Write(t.Context(), insert("late", 1)); !errors.Is(err, db.ErrClosed) {
		t.Errorf("after close: got %v, want ErrClosed", err)
	}
}

func testClock(t *testing.T, d *db.DB) {
	last := d.Clock().Now()
	if off := time.Since(last).Abs(); off > time.Minute {
		t.Errorf("the clock is off by %v", off)
	}
	for range 1000 {
		now := d.Clock().Now()
		if now.Before(last) {
			t.Fatalf("the clock went back from %v to %v", last, now)
		}
		last = now
	}
	if last.Location() != time.UTC {
		t.Errorf("got %v, want UTC", last.Location())
	}
	if u := d.Clock().Uncertainty(); u < 0 || u > 2*time.Second {
		t.Errorf("uncertainty %v", u)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error)
	go func() { ran <- d.Run(ctx) }()
	cancel()
	if err := <-ran; err != nil {
		t.Errorf("Run: %v", err)
	}
	if err := d.Health(t.Context()); err != nil {
		t.Errorf("Health: %v", err)
	}
}
