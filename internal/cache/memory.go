package cache

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
)

// entryCost is what an entry costs besides its key and value, roughly.
const entryCost = 96

type memoryEntry struct {
	value []byte
	ttl   time.Duration
}

// Memory is a cache in this process, bounded in bytes.
type Memory struct {
	entries      *otter.Cache[string, memoryEntry]
	hits, misses atomic.Int64
}

// NewMemory makes a cache of at most maxBytes, which must be positive. What was
// not used for long goes first. It starts otter's housekeeping, which Close ends.
func NewMemory(maxBytes int64) (*Memory, error) {
	if maxBytes <= 0 {
		return nil, fmt.Errorf("cache: %d bytes", maxBytes)
	}
	entries, err := otter.New(&otter.Options[string, memoryEntry]{
		MaximumWeight: uint64(maxBytes),
		Weigher: func(key string, e memoryEntry) uint32 {
			return uint32(len(key) + len(e.value) + entryCost)
		},
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[string, memoryEntry]) time.Duration {
			return e.Value.ttl
		}),
	})
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return &Memory{entries: entries}, nil
}

// Get implements Cache.
func (m *Memory) Get(_ context.Context, key string) ([]byte, bool) {
	e, ok := m.entries.GetIfPresent(key)
	if !ok {
		m.misses.Add(1)
		return nil, false
	}
	m.hits.Add(1)
	return e.value, true
}

// Set implements Cache.
func (m *Memory) Set(_ context.Context, key string, value []byte, ttl time.Duration) {
	if !keeps(key, value, ttl) {
		return
	}
	m.entries.Set(key, memoryEntry{value: value, ttl: ttl})
}

// Bytes is about what the entries take.
func (m *Memory) Bytes() int64 {
	m.entries.CleanUp()
	return int64(m.entries.WeightedSize())
}

// Stats reads the counters.
func (m *Memory) Stats() Stats { return Stats{Hits: m.hits.Load(), Misses: m.misses.Load()} }

// Close ends the housekeeping; the cache is not used afterwards.
func (m *Memory) Close() error {
	m.entries.StopAllGoroutines()
	return nil
}
