package core

import (
	"sync"
	"sync/atomic"
)

// Bound says what a score in the table tells of the true value.
type Bound uint8

// The bounds, numbered as on the bus.
const (
	Exact Bound = iota
	Lower
	Upper
)

// Entry is one fact about a position.
type Entry struct {
	Key   uint64
	Move  uint32 // packed by the game's Rules; 0 for none
	Score int    // wins and losses counted from this position
	Depth int
	Bound Bound
}

// Valid tells whether an entry that came from elsewhere can be one at all.
func (e Entry) Valid() bool {
	return e.Bound <= Upper && e.Depth > 0 && e.Depth <= MaxDepth && e.Score >= -Win && e.Score <= Win
}

// Table is a transposition table of fixed size. It may be read and written by
// several searches at once: an entry is stored as its data and its key xored
// with them, so that one torn by a race is no hit.
type Table struct {
	slots []slot
	mask  uint64
	age   atomic.Uint32
	used  atomic.Bool // something was put into it

	mu     sync.Mutex
	memory map[string][]any
}

type slot struct{ check, data atomic.Uint64 }

// bucket is the number of neighbouring slots that an entry may live in.
const bucket = 4

// NewTable makes a table of at most so many bytes, at least 1 KiB; the number
// of its slots is a power of two.
func NewTable(bytes int) *Table {
	n := bucket
	for n*2*16 <= max(bytes, 1024) {
		n *= 2
	}
	return &Table{slots: make([]slot, n), mask: uint64(n-1) &^ (bucket - 1)}
}

// Clear forgets everything. No search may run.
func (t *Table) Clear() {
	// A table that nothing was put into has not got its memory from the system yet, and a
	// large one should not take it whole with the first game.
	if t.used.Swap(false) {
		clear(t.slots)
	}
	t.age.Store(0)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.memory = nil
}

// mostMemory bounds how many memories of a name stay with a table.
const mostMemory = 64

// Take gives a searcher the memory that another one left under a name, nil
// where there is none: what was learnt of moves, for the next search.
func (t *Table) Take(name string) any {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.memory[name]
	if len(list) == 0 {
		return nil
	}
	last := list[len(list)-1]
	t.memory[name] = list[:len(list)-1]
	return last
}

// Keep leaves a memory for another search with this table.
func (t *Table) Keep(name string, memory any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.memory == nil {
		t.memory = map[string][]any{}
	}
	if len(t.memory[name]) < mostMemory {
		t.memory[name] = append(t.memory[name], memory)
	}
}

// Age makes what is stored from now on outlive what was stored before.
func (t *Table) Age() { t.age.Add(1) }

// data: move 32 bits, score 16, depth 8, bound 2, age 6.
func packData(e Entry, age uint32) uint64 {
	return uint64(e.Move) | uint64(uint16(int16(e.Score)))<<32 | uint64(uint8(e.Depth))<<48 |
		uint64(e.Bound&3)<<56 | uint64(age&63)<<58
}

func unpackData(key, data uint64) Entry {
	return Entry{
		Key: key, Move: uint32(data), Score: int(int16(data >> 32)),
		Depth: int(uint8(data >> 48)), Bound: Bound(data >> 56 & 3),
	}
}

// Prefetch says that a key will be asked for soon: memory is slower than what a
// search has to do between a move and its first look into the table.
func (t *Table) Prefetch(key uint64) { prefetch(&t.slots[key&t.mask]) }

// Get is what the table knows of a key.
func (t *Table) Get(key uint64) (Entry, bool) {
	base := key & t.mask
	for i := range uint64(bucket) {
		s := &t.slots[base+i]
		data := s.data.Load()
		if s.check.Load() == key^data && data != 0 {
			return unpackData(key, data), true
		}
	}
	return Entry{}, false
}

// Put stores a fact in place of the least worth keeping: another one of its
// key unless that is much deeper, else the oldest and shallowest of its bucket.
func (t *Table) Put(e Entry) {
	base := e.Key & t.mask
	age := t.age.Load()
	if !t.used.Load() {
		t.used.Store(true)
	}
	worst, worth := &t.slots[base], int(^uint(0)>>1)
	for i := range uint64(bucket) {
		s := &t.slots[base+i]
		data := s.data.Load()
		if data == 0 {
			worst = s
			break
		}
		if s.check.Load() == e.Key^data {
			if old := unpackData(e.Key, data); e.Bound != Exact && old.Depth > e.Depth+3 && uint32(data>>58) == age&63 {
				return
			} else if e.Move == 0 {
				e.Move = old.Move
			}
			worst = s
			break
		}
		w := int(uint8(data >> 48))
		if uint32(data>>58) != age&63 {
			w -= 256
		}
		if w < worth {
			worst, worth = s, w
		}
	}
	data := packData(e, age)
	worst.check.Store(e.Key ^ data)
	worst.data.Store(data)
}
