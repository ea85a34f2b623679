package cache

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// callTime bounds each call of the server, connecting and waiting for a
// connection included: a cache that takes longer is slower than computing.
const callTime = 100 * time.Millisecond

// Redis is a cache shared by many processes.
type Redis struct {
	client                        *redis.Client
	prefix                        string
	log                           *slog.Logger
	breaker                       breaker
	hits, misses, errors, skipped atomic.Int64
}

// NewRedis makes a cache in the Redis at url, redis://:password@host:port/db; all
// its keys begin with prefix. It connects when it is used first: a server that is
// away is a cache that is empty.
func NewRedis(url, prefix string, log *slog.Logger) (*Redis, error) {
	opts, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("cache: Redis address: %w", err)
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	opts.ClientName = "tabuleiro"
	opts.ContextTimeoutEnabled = true // otherwise contexts' deadlines are ignored
	opts.DialTimeout = callTime
	opts.ReadTimeout = callTime
	opts.WriteTimeout = callTime
	opts.PoolTimeout = callTime
	opts.PoolSize = 4 * runtime.GOMAXPROCS(0)
	opts.MaxRetries = -1
	opts.DialerRetries = 1
	opts.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return &Redis{client: redis.NewClient(opts), prefix: prefix, log: log}, nil
}

// SilenceRedis keeps go-redis, whose logger is one for the whole process, from
// printing about a server that is away; the cache logs that itself. The process
// calls it once at its start.
func SilenceRedis() { redis.SetLogger(&logging.VoidLogger{}) }

// Get implements Cache.
func (r *Redis) Get(ctx context.Context, key string) ([]byte, bool) {
	var value []byte
	found := false
	r.call(ctx, func(ctx context.Context) error {
		var err error
		value, err = r.client.Get(ctx, r.prefix+key).Bytes()
		if errors.Is(err, redis.Nil) {
			return nil
		}
		found = err == nil
		return err
	})
	if !found {
		r.misses.Add(1)
		return nil, false
	}
	r.hits.Add(1)
	return value, true
}

// Set implements Cache.
func (r *Redis) Set(ctx context.Context, key string, value []byte, ttl time.Duration) {
	if !keeps(key, value, ttl) {
		return
	}
	r.call(ctx, func(ctx context.Context) error {
		return r.client.Set(ctx, r.prefix+key, value, max(ttl, time.Millisecond)).Err()
	})
}

// call runs f within callTime, unless the breaker is open.
func (r *Redis) call(ctx context.Context, f func(context.Context) error) {
	if ctx.Err() != nil {
		return
	}
	if !r.breaker.allow() {
		r.skipped.Add(1)
		return
	}
	inner, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	err := f(inner)
	if err != nil && ctx.Err() != nil {
		// The caller left; that says nothing of the server.
		r.breaker.forget()
		return
	}
	changed := r.breaker.done(err == nil)
	if err != nil {
		r.errors.Add(1)
	}
	switch {
	case changed && err != nil:
		r.log.Warn("cache left alone for a while", "for", breakTime, "err", err)
	case changed:
		r.log.Info("cache works again")
	}
}

// Stats reads the counters.
func (r *Redis) Stats() Stats {
	return Stats{Hits: r.hits.Load(), Misses: r.misses.Load(), Errors: r.errors.Load(), Skipped: r.skipped.Load()}
}

// Close closes the connections.
func (r *Redis) Close() error { return r.client.Close() }
