// Package cache keeps results that can be computed again, in memory or in Redis.
//
// A cache is never the truth and never a reason to fail: what goes wrong is a
// miss, and a count. Keys carry the version of what computed the value, so that
// a value that would no longer be computed so is not found.
package cache

import (
	"context"
	"time"
)

const (
	// MaxKey and MaxValue bound an entry, in bytes; larger ones are not kept.
	MaxKey   = 512
	MaxValue = 1 << 20
)

// Cache is what Memory and Redis do.
type Cache interface {
	// Get returns the value of key, which the caller must not change.
	Get(ctx context.Context, key string) ([]byte, bool)
	// Set keeps value, which the caller must not change afterwards, for ttl at
	// most, or not at all: there is no promise that Get finds it.
	Set(ctx context.Context, key string, value []byte, ttl time.Duration)
}

// Stats counts since the cache was made.
type Stats struct {
	Hits   int64
	Misses int64
	// Errors is the number of Gets and Sets that failed; a failed Get is a miss too.
	Errors int64
	// Skipped is the number of Gets and Sets not tried, because the server had
	// just failed several times.
	Skipped int64
}

// keeps says whether an entry may be kept at all.
func keeps(key string, value []byte, ttl time.Duration) bool {
	return ttl > 0 && key != "" && len(key) <= MaxKey && len(value) <= MaxValue
}
