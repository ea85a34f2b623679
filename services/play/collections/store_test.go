package collections_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
	"tabuleiro/services/play"
	"tabuleiro/services/play/collections"
	"tabuleiro/services/play/keyed"
)

// eachStore runs a test on every implementation of Store.
func eachStore(t *testing.T, f func(t *testing.T, s collections.Store)) {
	t.Run("memory", func(t *testing.T) { f(t, collections.NewMemory()) })
	dbtest.Each(t, play.Migrations(), func(t *testing.T, d *db.DB) { f(t, collections.NewSQL(d)) })
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t *testing.T, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Fatalf("got error %v, want %v", got, want)
	}
}

// room is enough for all that these tests keep.
var room = collections.Most{Records: 9, Bytes: 1 << 20}

// keys makes commands with new keys.
type keys int

func (k *keys) of(owner string) keyed.Command {
	*k++
	return keyed.Command{Owner: owner, Key: fmt.Sprint("k", *k), Hash: "h"}
}

func made(t *testing.T, s collections.Store, k *keys, owner, id string) collections.Collection {
	t.Helper()
	c, err := s.Create(t.Context(), k.of(owner), collections.Collection{ID: id, Owner: owner, Rules: "chess", Name: "N " + id, CreatedAt: 5}, 3)
	must(t, err)
	return c
}

func TestStoreKeepsCollections(t *testing.T) {
	eachStore(t, func(t *testing.T, s collections.Store) {
		ctx, k := t.Context(), new(keys)
		a, b := made(t, s, k, "o", "a"), made(t, s, k, "o", "b")
		other := made(t, s, k, "p", "c")
		again := keyed.Command{Owner: "o", Key: "k1", Hash: "h"}
		got, err := s.Create(ctx, again, collections.Collection{ID: "z", Owner: "o", Name: "Z"}, 3)
		must(t, err)
		if got != a {
			t.Errorf("the same command again: got %+v, want %+v", got, a)
		}
		again.Hash = "another"
		_, err = s.Create(ctx, again, collections.Collection{ID: "z", Owner: "o"}, 3)
		wantErr(t, err, keyed.ErrReused)
		_, err = s.Create(ctx, k.of("o"), collections.Collection{ID: "d", Owner: "o"}, 2)
		wantErr(t, err, collections.ErrTooMany)

		list, err := s.List(ctx, "o")
		must(t, err)
		if !slices.Equal(list, []collections.Collection{a, b}) {
			t.Errorf("got %+v", list)
		}
		_, err = s.Get(ctx, "o", other.ID)
		wantErr(t, err, collections.ErrNotFound)
		_, err = s.Rename(ctx, k.of("o"), other.ID, "mine")
		wantErr(t, err, collections.ErrNotFound)
		b.Name = "New"
		got, err = s.Rename(ctx, k.of("o"), b.ID, "New")
		must(t, err)
		if got != b {
			t.Errorf("got %+v, want %+v", got, b)
		}
		wantErr(t, s.Delete(ctx, k.of("o"), other.ID), collections.ErrNotFound)
		gone := k.of("o")
		must(t, s.Delete(ctx, gone, a.ID))
		must(t, s.Delete(ctx, gone, a.ID))
		wantErr(t, s.Delete(ctx, k.of("o"), a.ID), collections.ErrNotFound)
		_, err = s.Get(ctx, "o", a.ID)
		wantErr(t, err, collections.ErrNotFound)
		made(t, s, k, "o", "e")
		list, err = s.List(ctx, "o")
		must(t, err)
		if len(list) != 2 {
			t.Errorf("got %+v", list)
		}
	})
}

func record(white, black, result, line string, positions ...uint64) collections.Record {
	return collections.Record{
		Hash: white + black + result + line, White: white, Black: black, Result: result, Line: line, Text: "[" + line + "]\n",
		Plies: 2, Positions: positions,
	}
}

// TestGamesOfAnotherDateOrRoundAreNoDuplicates: the same players may play the same
// moves again. A record that gives neither is taken for the one that is there.
func TestGamesOfAnotherDateOrRoundAreNoDuplicates(t *testing.T) {
	eachStore(t, func(t *testing.T, s collections.Store) {
		k := new(keys)
		c := made(t, s, k, "o", "c")
		game := func(date, round string) collections.Record {
			r := record("Ana", "Bia", "1/2-1/2", "e4 e5")
			r.Date, r.Round, r.Other = date, round, r.Hash+date+round
			r.Text = fmt.Sprintf("[White \"Ana\"]\n[Round \"%s\"]\n\ne4 e5\n", round)
			return r
		}
		now := begun(t, s, k, "o", c.ID, "i")
		for _, test := range []struct {
			date, round string
			double      int32
		}{
			{"2025-05-03", "1", 0},
			{"2025-05-03", "1", 1},
			{"2025-05-04", "1", 0},
			{"2025-05-03", "2", 0},
			{"2025-05-03", "2", 3},
			{"2025-05-04", "1", 2},
			{"", "", 1},
			{"2025", "", 1},
			{"", "2", 0},
			{"2024", "", 0},
		} {
			before := now
			now = add(t, s, now, 100, game(test.date, test.round))
			double := int32(0)
			if now.Duplicates > before.Duplicates {
				double = now.Notes[len(now.Notes)-1].Record
			}
			if double != test.double || now.Added+now.Duplicates != before.Added+before.Duplicates+1 {
				t.Errorf("%+v: taken for record %d: %+v", test, double, now)
			}
		}
	})
}

// begun is an import that has begun.
func begun(t *testing.T, s collections.Store, k *keys, owner, collection, id string) collections.Import {
	t.Helper()
	i, err := s.BeginImport(t.Context(), k.of(owner), collections.Import{
		ID: id, Collection: collection, Owner: owner, Status: collections.ImportRunning, Line: 1, Column: 1, CreatedAt: 10, ChangedAt: 10,
	}, collections.Most{Records: 1000, Bytes: 1 << 20}, 2, 3, 5)
	must(t, err)
	return i
}

// add adds records by an import of 10 bytes a piece.
func add(t *testing.T, s collections.Store, before collections.Import, limit int, records ...collections.Record) collections.Import {
	t.Helper()
	p := collections.Piece{Before: before, After: before, Records: records, Most: collections.Most{Records: limit, Bytes: 1 << 20}}
	p.After.Read += 10
	for i := range records {
		p.Found = append(p.Found, collections.Note{Index: before.Found + int32(i) + 1, Line: int32(i), Column: 1})
	}
	p.After.Found += int32(len(records))
	now, err := s.AddPiece(t.Context(), p)
	must(t, err)
	return now
}

func TestStoreImports(t *testing.T) {
	eachStore(t, func(t *testing.T, s collections.Store) {
		ctx, k := t.Context(), new(keys)
		made(t, s, k, "o", "a")
		made(t, s, k, "o", "b")
		_, err := s.BeginImport(ctx, k.of("p"), collections.Import{ID: "x", Collection: "a", Owner: "p"}, room, 2, 3, 5)
		wantErr(t, err, collections.ErrNotFound)
		first := begun(t, s, k, "o", "a", "i1")
		ana, bia := record("Ana", "Bia", "1-0", "e2e4 e7e5", 1<<56|1, 2), record("Bia", "Ana", "0-1", "d2d4", 1<<56|1)
		now := add(t, s, first, 3, ana, bia, ana)
		want := first
		want.Read, want.Found, want.Added, want.Duplicates = 10, 3, 2, 1
		want.Notes = []collections.Note{{Index: 3, Code: "duplicate", Line: 2, Column: 1, Message: "the collection has this game", LeftOut: true, Record: 1}}
		if !reflect.DeepEqual(now, want) {
			t.Errorf("got %+v, want %+v", now, want)
		}
		// The same piece once more changes nothing.
		if again := add(t, s, first, 3, ana, bia, record("C", "D", "*", "x")); !reflect.DeepEqual(again, want) {
			t.Errorf("got %+v, want %+v", again, want)
		}
		c, err := s.Get(ctx, "o", "a")
		must(t, err)
		if c.Records != 2 {
			t.Errorf("got %+v", c)
		}
		second := begun(t, s, k, "o", "b", "i2")
		_, err = s.BeginImport(ctx, k.of("o"), collections.Import{ID: "i3", Collection: "b", Owner: "o", Status: collections.ImportRunning}, room, 2, 3, 5)
		wantErr(t, err, collections.ErrTooManyImports)
		// What the owner may keep is counted over all collections.
		now = add(t, s, second, 3, record("E", "F", "*", "a"), record("E", "F", "*", "b"))
		if now.Added != 1 || now.Over != 1 || now.Notes[0].Code != "too_many_records" {
			t.Errorf("got %+v", now)
		}
		_, err = s.Import(ctx, "a", "i2")
		wantErr(t, err, collections.ErrNoImport)
		got, err := s.Import(ctx, "b", "i2")
		must(t, err)
		if !reflect.DeepEqual(got, now) {
			t.Errorf("got %+v, want %+v", got, now)
		}
		must(t, s.Delete(ctx, k.of("o"), "b"))
		p := collections.Piece{Before: now, After: now, Most: room}
		p.After.Read += 10
		_, err = s.AddPiece(ctx, p)
		wantErr(t, err, collections.ErrNotFound)
	})
}

// TestStoreForgetsImportsOfDeletedCollections: who deleted a collection in the
// middle of an import could begin no other for an hour.
func TestStoreForgetsImportsOfDeletedCollections(t *testing.T) {
	eachStore(t, func(t *testing.T, s collections.Store) {
		k := new(keys)
		for _, id := range []string{"a", "b", "c"} {
			made(t, s, k, "o", id)
		}
		begun(t, s, k, "o", "a", "i1")
		begun(t, s, k, "o", "b", "i2")
		third := collections.Import{ID: "i3", Collection: "c", Owner: "o", Status: collections.ImportRunning, ChangedAt: 10}
		_, err := s.BeginImport(t.Context(), k.of("o"), third, room, 2, 3, 5)
		wantErr(t, err, collections.ErrTooManyImports)
		must(t, s.Delete(t.Context(), k.of("o"), "a"))
		_, err = s.BeginImport(t.Context(), k.of("o"), third, room, 2, 3, 5)
		must(t, err)
	})
}

func TestStoreKeepsTheNewestImports(t *testing.T) {
	eachStore(t, func(t *testing.T, s collections.Store) {
		ctx, k := t.Context(), new(keys)
		made(t, s, k, "o", "a")
		for n := range 5 {
			i := begun(t, s, k, "o", "a", fmt.Sprint("i", n))
			p := collections.Piece{Before: i, After: i, Most: room}
			p.After.Status = collections.ImportFinished
			now, err := s.AddPiece(ctx, p)
			must(t, err)
			if now.Status != collections.ImportFinished {
				t.Errorf("got %+v", now)
			}
		}
		list, err := s.Imports(ctx, "a", 2)
		must(t, err)
		if len(list) != 2 || list[0].ID != "i4" || list[1].ID != "i3" {
			t.Errorf("got %+v", list)
		}
		_, err = s.Import(ctx, "a", "i1")
		wantErr(t, err, collections.ErrNoImport)
	})
}

func TestStoreSearches(t *testing.T) {
	eachStore(t, func(t *testing.T, s collections.Store) {
		ctx, k := t.Context(), new(keys)
		made(t, s, k, "o", "a")
		made(t, s, k, "o", "b")
		all := []collections.Record{
			record("Silva, João", "Costa, Ana", "1-0", "e2e4 e7e5 g1f3", 7, 1<<60|5),
			record("Costa, Ana", "Silva, João", "0-1", "d2d4 d7d5", 7),
			record("100% Bot", "x_y", "1/2-1/2", "e2e4 c7c5", 7, 1<<60|5),
			record("Lima", "Melo", "*", "e2e4 e7e5", 7),
		}
		all[0].Date, all[0].Event, all[0].ECO, all[0].Opening = "2020-05-17", "Torneio de São Paulo", "B90", "Grünfeld Defense"
		all[1].Date, all[1].ECO = "2020", "B12"
		all[2].Date = "2021-01"
		i := begun(t, s, k, "o", "a", "i")
		i = add(t, s, i, 100, all[0], all[1])
		add(t, s, i, 100, all[2], all[3])
		add(t, s, begun(t, s, k, "o", "b", "j"), 100, record("Silva, João", "Costa, Ana", "1-0", "e2e4", 7))

		at := func(hash uint64) *uint64 { return &hash }
		for name, test := range map[string]struct {
			q    collections.Query
			want []int32
		}{
			"all":               {collections.Query{}, []int32{1, 2, 3, 4}},
			"player":            {collections.Query{Player: "joao"}, []int32{1, 2}},
			"player with white": {collections.Query{Player: "joao", Side: "white"}, []int32{1}},
			"player with black": {collections.Query{Player: "joao", Side: "black"}, []int32{2}},
			"percent is a sign": {collections.Query{Player: "0%"}, []int32{3}},
			"underscore too":    {collections.Query{Player: "x_"}, []int32{3}},
			"any letter is not": {collections.Query{Player: "_"}, []int32{3}},
			"result":            {collections.Query{Result: "*"}, []int32{4}},
			"eco":               {collections.Query{ECO: "B"}, []int32{1, 2}},
			"one eco":           {collections.Query{ECO: "B9"}, []int32{1}},
			"opening":           {collections.Query{Opening: "grunf"}, []int32{1}},
			"event":             {collections.Query{Event: "sao p"}, []int32{1}},
			"moves":             {collections.Query{Line: "e2e4 e7e5"}, []int32{1, 4}},
			"no half moves":     {collections.Query{Line: "e2e4 e7"}, nil},
			"case of moves":     {collections.Query{Line: "E2E4"}, nil},
			"from":              {collections.Query{From: "2020-05"}, []int32{1, 3}},
			"from a year":       {collections.Query{From: "2020"}, []int32{1, 2, 3}},
			"to":                {collections.Query{To: "2020"}, []int32{1, 2}},
			"to a month":        {collections.Query{To: "2020-05"}, []int32{1, 2}},
			"position":          {collections.Query{Position: at(1<<60 | 5)}, nil}, // bits that the index leaves out do not tell
			"after":             {collections.Query{After: 2}, []int32{3, 4}},
			"together":          {collections.Query{Player: "ana", Result: "1-0", Position: at(7)}, []int32{1}},
			"nothing":           {collections.Query{Player: "nobody"}, nil},
			"position after":    {collections.Query{Position: at(7), After: 1, Result: "*"}, []int32{4}},
		} {
			if name == "position" {
				test.want = []int32{1, 3}
			}
			q := test.q
			q.Collection, q.Limit = "a", 10
			got, next, err := s.Search(ctx, q)
			must(t, err)
			if next != 0 || !slices.Equal(numbers(got), test.want) {
				t.Errorf("%s: got %v and %d, want %v", name, numbers(got), next, test.want)
			}
		}
		for _, q := range []collections.Query{{}, {Position: at(7)}} {
			q.Collection, q.Limit = "a", 2
			page, next, err := s.Search(ctx, q)
			must(t, err)
			if !slices.Equal(numbers(page), []int32{1, 2}) || next != 2 {
				t.Fatalf("got %v and %d", numbers(page), next)
			}
			q.After = next
			page, next, err = s.Search(ctx, q)
			must(t, err)
			if !slices.Equal(numbers(page), []int32{3, 4}) || next != 0 {
				t.Errorf("got %v and %d", numbers(page), next)
			}
		}
		got, err := s.Record(ctx, "a", 1)
		must(t, err)
		want := all[0]
		want.Number, want.Positions = 1, nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		_, err = s.Record(ctx, "a", 9)
		wantErr(t, err, collections.ErrNoRecord)
	})
}

func numbers(records []collections.Record) (out []int32) {
	for _, r := range records {
		out = append(out, r.Number)
	}
	return out
}

func TestStoreDeletesRecordsAndExports(t *testing.T) {
	eachStore(t, func(t *testing.T, s collections.Store) {
		ctx, k := t.Context(), new(keys)
		made(t, s, k, "o", "a")
		i := add(t, s, begun(t, s, k, "o", "a", "i"), 100, record("A", "B", "*", "1", 3), record("A", "B", "*", "2", 3), record("A", "B", "*", "3", 3))
		wantErr(t, s.DeleteRecord(ctx, k.of("p"), "a", 2), collections.ErrNotFound)
		wantErr(t, s.DeleteRecord(ctx, k.of("o"), "a", 9), collections.ErrNoRecord)
		must(t, s.DeleteRecord(ctx, k.of("o"), "a", 2))
		texts, next, err := s.Texts(ctx, "a", 0, 1)
		must(t, err)
		if !slices.Equal(texts, []string{"[1]\n"}) || next != 1 {
			t.Errorf("got %q and %d", texts, next)
		}
		texts, next, err = s.Texts(ctx, "a", next, 100)
		must(t, err)
		if !slices.Equal(texts, []string{"[3]\n"}) || next != 0 {
			t.Errorf("got %q and %d", texts, next)
		}
		hash := uint64(3)
		found, _, err := s.Search(ctx, collections.Query{Collection: "a", Position: &hash, Limit: 9})
		must(t, err)
		if !slices.Equal(numbers(found), []int32{1, 3}) {
			t.Errorf("got %v", numbers(found))
		}
		// What was deleted may come again, under a number of its own.
		add(t, s, i, 100, record("A", "B", "*", "2", 3))
		if got, err := s.Record(ctx, "a", 4); err != nil || got.Line != "2" {
			t.Errorf("got %+v, %v", got, err)
		}
		c, err := s.Get(ctx, "o", "a")
		must(t, err)
		if c.Records != 3 || c.Bytes != 12 {
			t.Errorf("got %+v", c)
		}
		must(t, s.Delete(ctx, k.of("o"), "a"))
		steps := 0
		for more := true; more; steps++ {
			more, err = s.Purge(ctx)
			must(t, err)
			if steps > 300 {
				t.Fatal("purging has no end")
			}
		}
		if _, err := s.Record(ctx, "a", 1); !errors.Is(err, collections.ErrNoRecord) {
			t.Errorf("got %v", err)
		}
		if _, err := s.Import(ctx, "a", "i"); !errors.Is(err, collections.ErrNoImport) {
			t.Errorf("got %v", err)
		}
	})
}

// TestStoreKeepsShares: which classes see which collections, until they are taken
// back or the collection is deleted.
func TestStoreKeepsShares(t *testing.T) {
	eachStore(t, func(t *testing.T, s collections.Store) {
		ctx, k := t.Context(), new(keys)
		a, b, c := made(t, s, k, "o", "a"), made(t, s, k, "o", "b"), made(t, s, k, "p", "c")
		share := func(owner, id, class string) error {
			_, err := s.Share(ctx, k.of(owner), id, class, 2)
			return err
		}
		must(t, share("o", "a", "4b"))
		must(t, share("o", "a", "4c"))
		must(t, share("o", "a", "4b"))
		must(t, share("p", "c", "4c"))
		wantErr(t, share("o", "a", "4d"), collections.ErrTooManyShares)
		wantErr(t, share("p", "a", "4b"), collections.ErrNotFound)
		_, err := s.Unshare(ctx, k.of("p"), "a", "4b")
		wantErr(t, err, collections.ErrNotFound)
		want := func(what string, classes []string, list []collections.Collection, shares []collections.Share) {
			t.Helper()
			gotList, gotShares, err := s.SharedWith(ctx, classes, 9)
			must(t, err)
			if !slices.Equal(gotList, list) || !slices.Equal(gotShares, shares) {
				t.Errorf("%s: got %v and %v, want %v and %v", what, gotList, gotShares, list, shares)
			}
		}
		want("one class", []string{"4b"}, []collections.Collection{a}, []collections.Share{{Collection: "a", Class: "4b"}})
		want("both", []string{"4c", "4b"}, []collections.Collection{a, c},
			[]collections.Share{{Collection: "a", Class: "4b"}, {Collection: "a", Class: "4c"}, {Collection: "c", Class: "4c"}})
		want("none", nil, nil, nil)
		want("another", []string{"4d"}, nil, nil)
		if list, _, err := s.SharedWith(ctx, []string{"4c"}, 1); err != nil || len(list) != 1 {
			t.Errorf("one at most: got %v, %v", list, err)
		}
		shares, err := s.Shares(ctx, []string{b.ID, c.ID})
		must(t, err)
		if !slices.Equal(shares, []collections.Share{{Collection: "c", Class: "4c"}}) {
			t.Errorf("got %v", shares)
		}
		_, err = s.Unshare(ctx, k.of("o"), "a", "4b")
		must(t, err)
		want("taken back", []string{"4b"}, nil, nil)
		must(t, s.Delete(ctx, k.of("p"), "c"))
		want("deleted", []string{"4c"}, []collections.Collection{a}, []collections.Share{{Collection: "a", Class: "4c"}, {Collection: "c", Class: "4c"}})
		for more := true; more; {
			more, err = s.Purge(ctx)
			must(t, err)
		}
		want("purged", []string{"4c"}, []collections.Collection{a}, []collections.Share{{Collection: "a", Class: "4c"}})
		// Who keeps as much as they may begins no import.
		_, err = s.BeginImport(ctx, k.of("o"), collections.Import{ID: "i", Collection: "a", Owner: "o"}, collections.Most{Bytes: 5}, 2, 3, 5)
		wantErr(t, err, collections.ErrFull)
	})
}
