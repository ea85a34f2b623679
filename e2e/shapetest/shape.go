package shapetest

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the database of a cluster
	_ "modernc.org/sqlite"             // and of one process
)

// Shape is an installation that runs.
type Shape struct {
	// Name is "all-in-one" or "cluster".
	Name string
	// Data is the folder of data of the one process, or of keys of a cluster.
	Data string
	// Units are its processes, in the order in which they may be started.
	Units []*Unit

	dir   string
	door  *Front // of the gateway
	front []*Front
	// stores are the ways to PostgreSQL and Redis, by name.
	stores map[string]*Front
	open   func(service string) (*sql.DB, error)
	drop   func() error
}

// Options change a shape from what an operator would start.
type Options struct {
	// Env is added to the environment of every process, such as
	// TABULEIRO_SEEDED_BUG=name.
	Env []string
	// Args are added to the command of the one process.
	Args []string
	// Data is the folder of data of the one process; empty for one of its own.
	Data string
	// Skews are how far the wall clocks of processes of a cluster are off, by name,
	// in whole seconds.
	Skews map[string]time.Duration
	// Gateways is how many gateways a cluster has: "gateway", or "gateway-1" and on.
	// 0 is one.
	Gateways int
}

// URL is where clients reach it; it stays when processes are started again.
func (s *Shape) URL() string { return "http://" + s.door.Addr() }

// Unit finds a process by its name.
func (s *Shape) Unit(name string) *Unit {
	i := slices.IndexFunc(s.Units, func(u *Unit) bool { return u.Name == name })
	if i < 0 {
		panic("there is no process " + name) // a mistake in the test
	}
	return s.Units[i]
}

// OperatorCode waits for the one-time code that the first start prints.
func (s *Shape) OperatorCode(t testing.TB) string {
	t.Helper()
	code, err := s.AwaitOperatorCode()
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// AwaitOperatorCode is OperatorCode outside a test.
func (s *Shape) AwaitOperatorCode() (string, error) {
	unit := s.Units[0]
	if s.Name == cluster {
		unit = s.Unit("accounts")
	}
	unit.mu.Lock()
	p := unit.process
	unit.mu.Unlock()
	line, err := p.line("operator code: ", startTime)
	if err != nil {
		return "", err
	}
	return strings.Fields(strings.TrimPrefix(line, "operator code: "))[0], nil
}

// DB opens the database of a service behind its back, to compare it with what
// clients were told.
func (s *Shape) DB(service string) (*sql.DB, error) { return s.open(service) }

// Cut ends all connections of a cluster to "postgres" or "redis" at this moment:
// what was on its way is lost, and nobody knows how far it came. They may be made
// again at once.
func (s *Shape) Cut(store string) error {
	f, ok := s.stores[store]
	if !ok {
		return fmt.Errorf("%s has no way to %q", s.Name, store)
	}
	f.cut()
	return nil
}

// Detach makes a store unreachable until Attach.
func (s *Shape) Detach(store string) error {
	f, ok := s.stores[store]
	if !ok {
		return fmt.Errorf("%s has no way to %q", s.Name, store)
	}
	f.detach()
	return nil
}

// Attach ends Detach.
func (s *Shape) Attach(store string) { s.stores[store].attach() }

// Freeze makes a store hang until Thaw, as if its server were paused: what is sent
// to it is neither answered nor refused.
func (s *Shape) Freeze(store string) error {
	f, ok := s.stores[store]
	if !ok {
		return fmt.Errorf("%s has no way to %q", s.Name, store)
	}
	f.freeze()
	return nil
}

// Thaw ends Freeze.
func (s *Shape) Thaw(store string) { s.stores[store].thaw() }

// names of shapes.
const (
	allInOne = "all-in-one"
	cluster  = "cluster"
)

// StartAllInOne starts `tabuleiro up` in a folder of its own.
func StartAllInOne(o Options) (*Shape, error) {
	s, err := newShape(allInOne)
	if err != nil {
		return nil, err
	}
	s.Data = cmp.Or(o.Data, filepath.Join(s.dir, "data"))
	s.open = func(service string) (*sql.DB, error) {
		// Not read-only: a reader of a log that nobody has open must make its index.
		return sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.Join(s.Data, service+".db"), RawQuery: "mode=rw&_pragma=busy_timeout(5000)"}).String())
	}
	s.drop = func() error { return nil }
	return s, s.begin(func() error {
		path, err := binary()
		if err != nil {
			return err
		}
		addresses := filepath.Join(s.dir, "addresses.json")
		args := append([]string{"up", "--http", "127.0.0.1:0", "--data", s.Data, "--addr-file", addresses}, o.Args...)
		s.Units = append(s.Units, &Unit{Name: "up", path: path, args: args, env: o.Env, door: "http", front: s.door, addresses: addresses})
		return nil
	})
}

func newShape(name string) (*Shape, error) {
	dir, err := os.MkdirTemp(scratch.dir(), name+"-")
	if err != nil {
		return nil, err
	}
	s := &Shape{Name: name, dir: dir}
	s.door, err = s.newFront()
	return s, err
}

func (s *Shape) newFront() (*Front, error) {
	f, err := newFront()
	if err == nil {
		s.front = append(s.front, f)
	}
	return f, err
}

// begin starts the processes that prepare makes: the first by itself, since the
// others of a cluster stand on it, and those at once.
func (s *Shape) begin(prepare func() error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, s.Logs())
			s.Close()
		}
	}()
	if err := prepare(); err != nil {
		return err
	}
	for _, u := range s.Units {
		if err := u.openLog(s.dir); err != nil {
			return err
		}
	}
	if err := s.Units[0].Start(); err != nil {
		return err
	}
	failed := make([]error, len(s.Units))
	var starts sync.WaitGroup
	for i, u := range s.Units[1:] {
		starts.Go(func() { failed[i] = u.Start() })
	}
	starts.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return s.AwaitReady()
}

// AwaitReady waits until the gateway says that it and what it calls are ready.
func (s *Shape) AwaitReady() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	last := ""
	err := Poll(ctx, func() (bool, error) {
		for _, path := range []string{"/readyz", "/v1/rules", "/v1/games?list=open"} {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL()+path, nil)
			if err != nil {
				return false, err
			}
			answer, err := http.DefaultClient.Do(req)
			if err != nil {
				last = err.Error()
				return false, nil
			}
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				last = path + ": " + answer.Status
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("%s is not ready: %s: %w", s.Name, last, err)
	}
	return nil
}

// Close ends all processes and removes what they left.
func (s *Shape) Close() {
	var ends sync.WaitGroup
	for _, u := range s.Units {
		if u.log != nil {
			ends.Go(u.close)
		}
	}
	ends.Wait()
	for _, f := range s.front {
		f.close()
	}
	if s.drop != nil {
		if err := s.drop(); err != nil {
			fmt.Fprintln(os.Stderr, "shapetest:", err)
		}
	}
	os.RemoveAll(s.dir)
}

// logTail bounds what is shown of each log, in bytes.
const logTail = 12 << 10

// Logs are the ends of what all processes have said.
func (s *Shape) Logs() string {
	var all strings.Builder
	for _, u := range s.Units {
		text, err := os.ReadFile(filepath.Join(s.dir, u.Name+".log"))
		if err != nil {
			continue
		}
		if cut := len(text) - logTail; cut > 0 {
			text = text[cut:]
			text = append([]byte("..."), text[bytes.IndexByte(text, '\n')+1:]...)
		}
		fmt.Fprintf(&all, "=== %s %s\n%s", s.Name, u.Name, text)
	}
	return all.String()
}

// Poll asks again and again, with growing pauses, until ask says true, fails, or
// the context ends.
func Poll(ctx context.Context, ask func() (bool, error)) error {
	pause := 5 * time.Millisecond
	for {
		done, err := ask()
		if done || err != nil {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		pause = min(2*pause, 250*time.Millisecond)
	}
}

// hostPort is the address in a URL.
func hostPort(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	return u.Host
}
