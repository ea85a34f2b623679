package db

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

var errRefused = errors.New("refused")

// put adds an item, and refuses one that is there.
func put(id string) Step {
	return Step{Query: "INSERT INTO item (id, n) VALUES ($1, 1) ON CONFLICT (id) DO NOTHING", Args: []any{id}, Refuse: errRefused}
}

func ids(t *testing.T, d *DB) (all []string) {
	t.Helper()
	rows, err := d.Read().QueryContext(t.Context(), "SELECT id FROM item ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		all = append(all, id)
	}
	return all
}

// Whatever one request of a batch does wrong, the others of it are written, and of
// it nothing is.
func TestNoStepSpoilsAnother(t *testing.T) {
	d, e := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	for round := range 3 { // of which the later ones find their statements prepared
		w := e.writer
		held, free := make(chan struct{}), make(chan struct{})
		hold := sync.OnceFunc(func() { close(held) }) // it runs again when another spoils its batch
		var all sync.WaitGroup
		all.Go(func() {
			err := w.write(t.Context(), func(context.Context, Tx) error {
				hold()
				<-free
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-held
		id := func(name string) string { return fmt.Sprint(round, name) }
		var number int
		insert := "INSERT INTO item (id, n) VALUES ($1, 1) RETURNING n"
		for _, c := range []struct {
			what  string
			steps []step
			fails bool
		}{
			{"one statement", []step{{Step{Query: insert, Args: []any{id("a")}}, []any{&number}}}, false},
			{"a constraint", []step{{Step{Query: insert, Args: []any{nil}}, []any{&number}}}, true},
			{"a series", stepsOf([]Step{put(id("b")), put(id("c"))}), false},
			{"a refused series", stepsOf([]Step{put(id("d")), put(id("d"))}), true},
			{"an answer that does not fit", []step{{Step{Query: insert, Args: []any{id("e")}}, []any{new(context.Context)}}}, true},
			{"no statement", stepsOf([]Step{put(id("f")), {Query: "INSERT INTO nothing"}}), true},
			{"after all that", stepsOf([]Step{put(id("g"))}), false},
		} {
			before := len(w.queue)
			all.Go(func() {
				if err := w.writeSteps(t.Context(), c.steps); (err != nil) != c.fails {
					t.Errorf("%s: got %v", c.what, err)
				}
			})
			waitQueue(w, before+1)
		}
		close(free)
		all.Wait()
		if got, want := ids(t, d), []string{id("a"), id("b"), id("c"), id("g")}; !slices.Equal(got[4*round:], want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}
