package core

import (
	"math/rand/v2"
	"sync"
	"testing"
)

func TestTableGivesBackWhatItKeeps(t *testing.T) {
	table := NewTable(1 << 12)
	for _, want := range []Entry{
		{Key: 1, Move: 1<<32 - 1, Score: Win, Depth: MaxDepth, Bound: Exact},
		{Key: 1<<64 - 1, Move: 0, Score: -Win, Depth: 1, Bound: Upper},
		{Key: 77, Move: 5, Score: -1, Depth: 3, Bound: Lower},
	} {
		table.Put(want)
		if got, ok := table.Get(want.Key); !ok || got != want {
			t.Errorf("%+v, %v, want %+v", got, ok, want)
		}
		if !want.Valid() {
			t.Errorf("%+v is not valid", want)
		}
	}
	if got, ok := table.Get(123456); ok {
		t.Errorf("an unknown key gives %+v", got)
	}
	table.Clear()
	if got, ok := table.Get(77); ok {
		t.Errorf("cleared, but there is %+v", got)
	}
}

// TestClearedTablesAreEmpty: wherever what was put in stands.
func TestClearedTablesAreEmpty(t *testing.T) {
	for _, bytes := range []int{1, 1 << 14, 1 << 18} {
		table := NewTable(bytes)
		for i := range uint64(100_000) {
			table.Put(Entry{Key: Mix(i + 1), Depth: 1, Score: 1, Bound: Exact})
		}
		table.Clear()
		for i := range table.slots {
			if data := table.slots[i].data.Load(); data != 0 {
				t.Fatalf("%d bytes: slot %d of %d has %x", bytes, i, len(table.slots), data)
			}
		}
	}
}

func TestTableKeepsTheDeeper(t *testing.T) {
	table := NewTable(1) // few buckets
	deep := Entry{Key: 64, Score: 9, Depth: 50, Bound: Exact}
	table.Put(deep)
	for i := range uint64(100) {
		table.Put(Entry{Key: 64 + (i+1)<<20, Depth: 1})
	}
	if got, ok := table.Get(64); !ok || got != deep {
		t.Errorf("%+v, %v, want %+v", got, ok, deep)
	}
	table.Age()
	for i := range uint64(100) {
		table.Put(Entry{Key: 64 + (i+1)<<20, Depth: 1})
	}
	if _, ok := table.Get(64); ok {
		t.Error("what is old does not go")
	}
}

// Entries of writers at the same time never mix.
func TestTableIsShared(t *testing.T) {
	table := NewTable(1)
	var wg sync.WaitGroup
	for g := range uint64(4) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(g, 0))
			for range 20_000 {
				key := rng.Uint64N(1000)
				table.Put(Entry{Key: key, Move: uint32(key), Score: int(key), Depth: 1 + rng.IntN(9)})
				if e, ok := table.Get(key); ok && (e.Move != uint32(key) || e.Score != int(key)) {
					t.Errorf("%d gives %+v", key, e)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestInvalidEntries(t *testing.T) {
	for _, e := range []Entry{
		{Depth: 0}, {Depth: -1}, {Depth: MaxDepth + 1}, {Depth: 1, Score: Win + 1}, {Depth: 1, Score: -Win - 1}, {Depth: 1, Bound: 3},
	} {
		if e.Valid() {
			t.Errorf("%+v counts as valid", e)
		}
	}
}
