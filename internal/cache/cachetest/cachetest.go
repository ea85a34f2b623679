// Package cachetest is what every cache promises.
package cachetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"tabuleiro/internal/cache"
)

// Env names the Redis of the tests; every cache has a prefix of its own there.
const Env = "TABULEIRO_TEST_REDIS"

// Memory makes a cache in memory, closed with t.
func Memory(t testing.TB) *cache.Memory {
	t.Helper()
	c, err := cache.NewMemory(8 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Redis makes an empty cache in the tests' Redis, closed with t.
func Redis(t testing.TB) *cache.Redis {
	t.Helper()
	url := os.Getenv(Env)
	if url == "" {
		t.Fatalf("%s is not set: run the tests by `make test`, or `scripts/with-services.sh go test ...`", Env)
	}
	c, err := cache.NewRedis(url, "test:"+rand.Text()+":", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Each runs f on both caches, as subtests.
func Each(t *testing.T, f func(t *testing.T, c cache.Cache)) {
	t.Run("memory", func(t *testing.T) { f(t, Memory(t)) })
	t.Run("redis", func(t *testing.T) { f(t, Redis(t)) })
}

// Run tests an implementation; fresh makes an empty cache that nothing evicts
// from while a test keeps less than 4 MiB.
func Run(t *testing.T, fresh func(t testing.TB) cache.Cache) {
	t.Run("set and get", func(t *testing.T) {
		c := fresh(t)
		want(t, c, "a", nil)
		put(c, "a", []byte("1"))
		put(c, "b", []byte{})
		put(c, "ç \n*", []byte{0, 255, 10})
		want(t, c, "a", []byte("1"))
		want(t, c, "b", []byte{})
		want(t, c, "ç \n*", []byte{0, 255, 10})
		put(c, "a", []byte("2"))
		want(t, c, "a", []byte("2"))
	})
	t.Run("expiry", func(t *testing.T) {
		c := fresh(t)
		c.Set(t.Context(), "short", []byte("x"), 30*time.Millisecond)
		put(c, "long", []byte("y"))
		until(t, "the entry to expire", func() bool { _, ok := c.Get(t.Context(), "short"); return !ok })
		want(t, c, "long", []byte("y"))
		// A new value has its own time to live.
		c.Set(t.Context(), "short", []byte("z"), time.Hour)
		want(t, c, "short", []byte("z"))
	})
	t.Run("not kept", func(t *testing.T) {
		c := fresh(t)
		c.Set(t.Context(), "zero", []byte("x"), 0)
		c.Set(t.Context(), "negative", []byte("x"), -time.Second)
		put(c, "", []byte("x"))
		long := strings.Repeat("k", cache.MaxKey+1)
		put(c, long, []byte("x"))
		put(c, "large", make([]byte, cache.MaxValue+1))
		for _, key := range []string{"zero", "negative", "", long, "large"} {
			want(t, c, key, nil)
		}
	})
	t.Run("largest", func(t *testing.T) {
		c := fresh(t)
		key, value := strings.Repeat("k", cache.MaxKey), bytes.Repeat([]byte{7}, cache.MaxValue)
		put(c, key, value)
		want(t, c, key, value)
	})
	t.Run("ended context", func(t *testing.T) {
		c := fresh(t)
		put(c, "a", []byte("1"))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if v, ok := c.Get(ctx, "a"); ok && string(v) != "1" {
			t.Errorf("got %q", v)
		}
		c.Set(ctx, "a", []byte("1"), time.Hour)
		want(t, c, "a", []byte("1"))
	})
	t.Run("many at once", func(t *testing.T) {
		c := fresh(t)
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range 50 {
					key := fmt.Sprint(i % 10)
					if g%2 == 0 {
						c.Set(t.Context(), key, []byte("v"+key), time.Hour)
					} else if v, ok := c.Get(t.Context(), key); ok && string(v) != "v"+key {
						t.Errorf("%s: got %q", key, v)
					}
				}
			})
		}
		wg.Wait()
	})
}

func put(c cache.Cache, key string, value []byte) {
	c.Set(context.Background(), key, value, time.Hour)
}

// want checks a key; a nil value is a miss.
func want(t testing.TB, c cache.Cache, key string, value []byte) {
	t.Helper()
	got, ok := c.Get(t.Context(), key)
	if ok != (value != nil) || !bytes.Equal(got, value) {
		t.Errorf("%.20q: got %.20q, %v, want %.20q", key, got, ok, value)
	}
}

func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited too long for %s", what)
		}
	}
}
