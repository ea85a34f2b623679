package cache_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"tabuleiro/internal/cache"
	"tabuleiro/internal/cache/cachetest"
)

func TestMemory(t *testing.T) {
	cachetest.Run(t, func(t testing.TB) cache.Cache { return cachetest.Memory(t) })
}

func TestRedis(t *testing.T) {
	cachetest.Run(t, func(t testing.TB) cache.Cache { return cachetest.Redis(t) })
}

func TestMemoryIsBounded(t *testing.T) {
	const most = 1 << 20
	c, err := cache.NewMemory(most)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range 5000 {
		c.Set(t.Context(), fmt.Sprint(i), make([]byte, 1000), time.Hour)
	}
	if got := c.Bytes(); got > most || got < most/2 {
		t.Errorf("got %d bytes, want at most %d and not much less", got, most)
	}
	if _, err := cache.NewMemory(0); err == nil {
		t.Error("made a cache of no bytes")
	}
}

func TestRedisAddress(t *testing.T) {
	if _, err := cache.NewRedis("http://localhost", "", nil); err == nil {
		t.Error("took a wrong address")
	}
}

// proxy stands between the cache and Redis, and can be stopped as SIGSTOP stops
// a server: connections are accepted by the kernel, and nothing is answered.
type proxy struct {
	net.Listener
	stopped atomic.Bool
	calls   atomic.Int64 // writes that reached it while stopped
}

func startProxy(t *testing.T) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(os.Getenv(cachetest.Env))
	if err != nil || u.Host == "" {
		t.Fatalf("%s is not set: run the tests by `make test`", cachetest.Env)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l}
	target := u.Host
	u.Host = l.Addr().String()
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target)
			if err != nil {
				client.Close()
				continue
			}
			go p.copy(server, client)
			go p.copy(client, server)
		}
	}()
	return p, u.String()
}

func (p *proxy) copy(to, from net.Conn) {
	defer to.Close()
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if p.stopped.Load() {
			p.calls.Add(1)
			_, _ = io.Copy(io.Discard, from)
			return
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// A server that stopped, or is gone, is a cache that is empty: no call waits for
// longer than its bound, and after a few none waits at all.
func TestRedisStopped(t *testing.T) {
	cache.SilenceRedis()
	for _, how := range []string{"stopped", "gone"} {
		t.Run(how, func(t *testing.T) {
			p, address := startProxy(t)
			c, err := cache.NewRedis(address, "stopped:"+how+":", nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			c.Set(t.Context(), "a", []byte("1"), time.Minute)
			if v, ok := c.Get(t.Context(), "a"); !ok || string(v) != "1" {
				t.Fatalf("before: got %q, %v", v, ok)
			}
			p.stopped.Store(true)
			if how == "gone" {
				p.Close()
			}
			began := time.Now()
			const calls = 200
			for range calls {
				if v, ok := c.Get(t.Context(), "a"); ok {
					t.Errorf("got %q from a server that is away", v)
				}
				c.Set(t.Context(), "b", []byte("2"), time.Minute)
			}
			// 400 calls without a breaker would take 40 s.
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("%d calls took %v", 2*calls, took)
			}
			s := c.Stats()
			if s.Errors < 3 || s.Skipped < calls || s.Hits != 1 || s.Misses != calls {
				t.Errorf("got %+v", s)
			}
			if how == "gone" {
				return
			}
			p.stopped.Store(false)
			deadline := time.After(30 * time.Second)
			tick := time.NewTicker(50 * time.Millisecond)
			defer tick.Stop()
			for {
				if _, ok := c.Get(t.Context(), "a"); ok {
					return
				}
				select {
				case <-tick.C:
				case <-deadline:
					t.Fatal("the cache did not come back")
				}
			}
		})
	}
}

// The end of a caller's context ends its call, and says nothing of the server.
func TestRedisContext(t *testing.T) {
	p, address := startProxy(t)
	c, err := cache.NewRedis(address, "context:", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 10 {
		if _, ok := c.Get(ctx, "a"); ok {
			t.Error("found something")
		}
	}
	if s := c.Stats(); s.Errors != 0 || s.Skipped != 0 || s.Misses != 10 {
		t.Errorf("got %+v", s)
	}
	p.Close()
}
