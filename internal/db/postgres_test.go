package db_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
)

// What a proxy between us and PostgreSQL does to a COMMIT.
const (
	pass int32 = iota
	cutBefore
	cutAfter
)

// proxy is a network that can lose a COMMIT or its answer.
type proxy struct {
	net.Listener
	target string
	mode   atomic.Int32

	mu    sync.Mutex
	conns []net.Conn
}

func startProxy(t *testing.T, cfg *db.Config) *proxy {
	t.Helper()
	u, err := url.Parse(cfg.URL)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l, target: u.Host}
	u.Host = l.Addr().String()
	cfg.URL = u.String()
	t.Cleanup(p.cut)
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", p.target)
			if err != nil {
				client.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, client, server)
			p.mu.Unlock()
			go p.forward(client, server)
			go func() {
				_, _ = io.Copy(client, server)
				client.Close()
			}()
		}
	}()
	return p
}

// cut ends the network.
func (p *proxy) cut() {
	p.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
}

// forward carries the client's words to the server.
func (p *proxy) forward(client, server net.Conn) {
	defer client.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := client.Read(buf)
		if err != nil {
			server.Close()
			return
		}
		if bytes.Contains(buf[:n], []byte("commit")) {
			switch p.mode.Load() {
			case cutBefore:
				client.Close()
				server.Close()
				return
			case cutAfter:
				// Nothing of the answer may pass: close that way first.
				client.Close()
				_, _ = server.Write(buf[:n])
				_, _ = server.Read(buf)
				server.Close()
				return
			}
		}
		if _, err := server.Write(buf[:n]); err != nil {
			return
		}
	}
}

// A COMMIT whose answer is lost may have happened: only reading again can tell.
func TestLostCommit(t *testing.T) {
	for _, c := range []struct {
		name      string
		mode      int32
		committed bool
	}{{"before", cutBefore, false}, {"after", cutAfter, true}} {
		t.Run(c.name, func(t *testing.T) {
			direct := dbtest.PostgresConfig(t)
			cfg := direct
			p := startProxy(t, &cfg)
			d := dbtest.Open(t, cfg, migrations(t))
			mustWrite(t, d, insert("a", 1))
			p.mode.Store(c.mode)
			runs := 0
			err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
				runs++
				return insert("b", 1)(ctx, tx)
			})
			if !errors.Is(err, db.ErrUnknown) || errors.Is(err, db.ErrUnavailable) {
				t.Errorf("got %v, want ErrUnknown", err)
			}
			if runs != 1 {
				t.Errorf("ran %d times; an unknown outcome must not be repeated", runs)
			}
			p.mode.Store(pass)
			// The same again, idempotent, on whatever connections are left.
			mustWrite(t, d, func(ctx context.Context, tx db.Tx) error {
				_, err := tx.ExecContext(ctx, "INSERT INTO item (id, n) VALUES ($1, 2) ON CONFLICT (id) DO NOTHING", "b")
				return err
			})
			var n int64
			if err := d.Read().QueryRowContext(t.Context(), "SELECT n FROM item WHERE id = $1", "b").Scan(&n); err != nil {
				t.Fatal(err)
			}
			if got := n == 1; got != c.committed {
				t.Errorf("the first was committed: %v, want %v", got, c.committed)
			}
		})
	}
}

// A server that is gone is ErrUnavailable: nothing was committed.
func TestServerGone(t *testing.T) {
	cfg := dbtest.PostgresConfig(t)
	p := startProxy(t, &cfg)
	d := dbtest.Open(t, cfg, migrations(t))
	mustWrite(t, d, insert("a", 1))
	p.cut()
	for range 3 {
		if err := d.Write(t.Context(), insert("b", 1)); !errors.Is(err, db.ErrUnavailable) || errors.Is(err, db.ErrUnknown) {
			t.Errorf("got %v, want ErrUnavailable", err)
		}
	}
	if err := d.Health(t.Context()); !errors.Is(err, db.ErrUnavailable) {
		t.Errorf("Health: got %v, want ErrUnavailable", err)
	}
}

// A connection that is lost inside a function is ErrUnavailable too.
func TestServerGoneInside(t *testing.T) {
	cfg := dbtest.PostgresConfig(t)
	p := startProxy(t, &cfg)
	d := dbtest.Open(t, cfg, migrations(t))
	err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
		if err := insert("a", 1)(ctx, tx); err != nil {
			return err
		}
		p.cut()
		return insert("b", 1)(ctx, tx)
	})
	if !errors.Is(err, db.ErrUnavailable) || errors.Is(err, db.ErrUnknown) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
}

// Connections that died in the pool cost no caller anything.
func TestDeadConnectionsInPool(t *testing.T) {
	cfg := dbtest.PostgresConfig(t)
	d := dbtest.Open(t, cfg, migrations(t))
	admin := dbtest.Postgres(t, migrations(t))
	mustWrite(t, d, insert("a", 1))
	var ended int
	err := admin.Read().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM
		(SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = $1) AS t`,
		"tabuleiro "+cfg.Schema).Scan(&ended)
	if err != nil || ended == 0 {
		t.Fatalf("ended %d connections, %v", ended, err)
	}
	mustWrite(t, d, insert("b", 1))
	wantIDs(t, d, "a", "b")
}

// A crowd of writers, of two replicas, on different rows of a small table collides
// by page; all of them get through.
func TestCrowdGetsThrough(t *testing.T) {
	const callers, rounds = 32, 5
	cfg := dbtest.PostgresConfig(t)
	cfg.MaxConns = 16
	cfg.URL += "&connect_timeout=60" // 32 at once on a machine that is starved
	replicas := []*db.DB{dbtest.Open(t, cfg, migrations(t)), dbtest.Open(t, cfg, migrations(t))}
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			d, id := replicas[i%2], fmt.Sprint(i)
			for range rounds {
				err := d.Write(t.Context(), func(ctx context.Context, tx db.Tx) error {
					var n int64
					err := tx.QueryRowContext(ctx, "SELECT n FROM item WHERE id = $1", id).Scan(&n)
					if err != nil && !errors.Is(err, sql.ErrNoRows) {
						return err
					}
					_, err = tx.ExecContext(ctx, `INSERT INTO item (id, n) VALUES ($1, $2)
						ON CONFLICT (id) DO UPDATE SET n = excluded.n`, id, n+1)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var n int64
	if err := replicas[0].Read().QueryRowContext(t.Context(), "SELECT CAST(SUM(n) AS BIGINT) FROM item").Scan(&n); err != nil || n != callers*rounds {
		t.Errorf("got %d, %v, want %d", n, err, callers*rounds)
	}
	t.Logf("%+v and %+v", replicas[0].Stats(), replicas[1].Stats())
}

// A question whose connection dies is asked once more; where the database stays
// away it is ErrUnavailable, however far the answer had come: an error between
// two rows was once told as a fault of the query.
func TestAsk(t *testing.T) {
	torn := fmt.Errorf("finding accounts: %w", io.ErrUnexpectedEOF)
	for _, c := range []struct {
		name    string
		answers []error
		asked   int
		away    bool
	}{
		{"torn once", []error{torn, nil}, 2, false},
		{"away", []error{torn, torn}, 2, true},
		{"a wrong query", []error{errWrongQuery}, 1, false},
	} {
		asked := 0
		answer, err := db.Ask(t.Context(), func() (int, error) {
			asked++
			return asked, c.answers[asked-1]
		})
		last := c.answers[len(c.answers)-1]
		if asked != c.asked || answer != c.asked || !errors.Is(err, last) || errors.Is(err, db.ErrUnavailable) != c.away {
			t.Errorf("%s: asked %d times, got %d, %v", c.name, asked, answer, err)
		}
	}
}

var errWrongQuery = errors.New("no such column")
