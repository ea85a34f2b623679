package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
)

const (
	putItem = "INSERT INTO item (id, n) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING n"
	addItem = "UPDATE item SET n = n + 1 WHERE id = $1 AND n = $2 RETURNING n"
)

func TestStatement(t *testing.T) {
	dbtest.Each(t, migrations(t), func(t *testing.T, d *db.DB) {
		var n int64
		if err := d.Statement(t.Context(), []any{&n}, putItem, "a", 7); err != nil || n != 7 {
			t.Fatalf("got %d, %v", n, err)
		}
		if err := d.Statement(t.Context(), []any{&n}, putItem, "a", 8); !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("no row: got %v", err)
		}
		if err := d.Statement(t.Context(), []any{&n}, "INSERT INTO item (id, n) VALUES ('a', 1) RETURNING n"); !db.IsUnique(err) {
			t.Errorf("a double: got %v", err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := d.Statement(ended, []any{&n}, putItem, "b", 1); !errors.Is(err, context.Canceled) {
			t.Errorf("ended before: got %v", err)
		}
		err := d.Write(t.Context(), func(ctx context.Context, _ db.Tx) error {
			return d.Statement(ctx, []any{&n}, putItem, "c", 1)
		})
		if !errors.Is(err, db.ErrNested) {
			t.Errorf("inside a write: got %v", err)
		}
		wantIDs(t, d, "a")
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if err := d.Statement(t.Context(), []any{&n}, putItem, "d", 1); !errors.Is(err, db.ErrClosed) {
			t.Errorf("closed: got %v", err)
		}
	})
}

var errRefused = errors.New("refused")

// putStep adds an item, and refuses one that is there.
func putStep(id string) db.Step {
	return db.Step{Query: "INSERT INTO item (id, n) VALUES ($1, 1) ON CONFLICT (id) DO NOTHING", Args: []any{id}, Refuse: errRefused}
}

func TestSeries(t *testing.T) {
	dbtest.Each(t, migrations(t), func(t *testing.T, d *db.DB) {
		for range 3 { // the statements are prepared in between
			if err := d.Series(t.Context(), []db.Step{putStep("a"), putStep("b")}); err != nil {
				t.Fatal(err)
			}
			// The second step refuses: the first leaves nothing.
			if err := d.Series(t.Context(), []db.Step{putStep("c"), putStep("b"), putStep("d")}); !errors.Is(err, errRefused) {
				t.Errorf("refused: got %v", err)
			}
			if err := d.Series(t.Context(), []db.Step{putStep("c"), {Query: "INSERT INTO item (id, n) VALUES ('a', 1)"}}); !db.IsUnique(err) {
				t.Errorf("a double: got %v", err)
			}
			wantIDs(t, d, "a", "b")
			// No row changed, and nobody minds.
			if err := d.Series(t.Context(), []db.Step{{Query: "DELETE FROM item"}, {Query: "DELETE FROM item"}}); err != nil {
				t.Error(err)
			}
		}
		err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
			if err := d.Series(ctx, []db.Step{putStep("x")}); !errors.Is(err, db.ErrNested) {
				t.Errorf("inside a write: got %v", err)
			}
			return db.Run(ctx, tx, []db.Step{putStep("e"), putStep("f")})
		})
		if err != nil {
			t.Error(err)
		}
		wantIDs(t, d, "e", "f")
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := d.Series(ended, []db.Step{putStep("g")}); !errors.Is(err, context.Canceled) {
			t.Errorf("ended before: got %v", err)
		}
	})
}

// Many count one row up by compare-and-set: no step is lost and none is made twice.
func TestStatementsRace(t *testing.T) {
	dbtest.Each(t, migrations(t), func(t *testing.T, d *db.DB) {
		const callers, goal = 8, 100
		mustWrite(t, d, insert("a", 0))
		won := make([]int, callers)
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				for n := int64(0); n < goal; {
					err := d.Statement(t.Context(), []any{&n}, addItem, "a", n)
					switch {
					case err == nil:
						won[i]++
					case errors.Is(err, sql.ErrNoRows):
						err = d.Read().QueryRowContext(t.Context(), "SELECT n FROM item WHERE id = 'a'").Scan(&n)
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		sum := 0
		for _, n := range won {
			sum += n
		}
		if sum != goal {
			t.Errorf("%d steps were made, want %d: %v", sum, goal, won)
		}
	})
}

// A statement that undoes itself says why, and nothing of it stays.
func TestStatementRefuses(t *testing.T) {
	d := dbtest.Postgres(t, migrations(t))
	var n int64
	err := d.Statement(t.Context(), []any{&n}, `WITH put AS (INSERT INTO item (id, n) VALUES ($1, 1) RETURNING n)
		SELECT CAST(CASE WHEN n = 1 THEN 'too_few' ELSE '1' END AS integer) FROM put`, "a")
	if got := db.Refusal(err); got != "too_few" {
		t.Errorf("got %q of %v", got, err)
	}
	if got := db.Refusal(fmt.Errorf("wrapped: %w", err)); got != "too_few" {
		t.Errorf("wrapped: got %q", got)
	}
	if got := db.Refusal(errors.New("no")); got != "" {
		t.Errorf("another error: got %q", got)
	}
	wantIDs(t, d)
}

// A statement whose answer is lost may have happened; it is not repeated.
func TestLostStatement(t *testing.T) {
	for _, c := range []struct {
		name      string
		mode      int32
		committed bool
	}{{"before", cutBefore, false}, {"after", cutAfter, true}} {
		t.Run(c.name, func(t *testing.T) {
			cfg := dbtest.PostgresConfig(t)
			cfg.MaxConns = 1
			p := startProxy(t, &cfg)
			d := dbtest.Open(t, cfg, migrations(t))
			var n int64
			if err := d.Statement(t.Context(), []any{&n}, putItem, "a", 1); err != nil {
				t.Fatal(err)
			}
			p.mode.Store(c.mode)
			// The proxy looks for the word among the values.
			err := d.Statement(t.Context(), []any{&n}, putItem, "commit", 1)
			if !errors.Is(err, db.ErrUnknown) || errors.Is(err, db.ErrUnavailable) {
				t.Errorf("got %v, want ErrUnknown", err)
			}
			p.mode.Store(pass)
			err = d.Statement(t.Context(), []any{&n}, putItem, "commit", 2)
			if got := errors.Is(err, sql.ErrNoRows); got != c.committed {
				t.Errorf("the first was committed: %v (%v), want %v", got, err, c.committed)
			}
		})
	}
}

// A server that is gone is ErrUnavailable: nothing was sent.
func TestStatementWhileTheServerIsGone(t *testing.T) {
	cfg := dbtest.PostgresConfig(t)
	p := startProxy(t, &cfg)
	d := dbtest.Open(t, cfg, migrations(t))
	p.cut()
	var n int64
	for range 5 { // the first may meet connections that have died
		err := d.Statement(t.Context(), []any{&n}, putItem, "a", 1)
		if !errors.Is(err, db.ErrUnavailable) && !errors.Is(err, db.ErrUnknown) {
			t.Errorf("got %v", err)
		}
	}
	if err := d.Statement(t.Context(), []any{&n}, putItem, "a", 1); !errors.Is(err, db.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
}
