package farm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"tabuleiro/internal/bus"
	"tabuleiro/internal/bus/bustest"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
)

// In a child process the test binary is a worker: these name its server and its
// secret.
const (
	childURL  = "TABULEIRO_TEST_WORKER_URL"
	childSeed = "TABULEIRO_TEST_WORKER_SEED"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(childURL); url != "" {
		if err := runChild(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func runChild(url string) error {
	seed, err := os.ReadFile(os.Getenv(childSeed))
	if err != nil {
		return err
	}
	conn, err := bus.Connect(bus.Config{URL: url, Role: bus.RoleWorker, Seed: seed})
	if err != nil {
		return err
	}
	w := NewWorker(WorkerConfig{ID: fmt.Sprintf("child-%d", os.Getpid()), TableBytes: 1 << 20}, Over(conn), quiet)
	// The parent kills it long before.
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	return w.Run(ctx)
}

// child is a worker in a process of its own.
type child struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

func startChild(t *testing.T, keys *bus.Keys, url string) *child {
	t.Helper()
	path := filepath.Join(t.TempDir(), "worker.seed")
	if err := keys.WriteCredentials(path, bus.RoleWorker); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: exec.Command(exe), ended: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), childURL+"="+url, childSeed+"="+path)
	c.cmd.Stderr = os.Stderr
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.ended)
		_ = c.cmd.Wait() // it is killed
	}()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill() // it may have ended already
		<-c.ended
	})
	return c
}

// A worker process that dies, or stands still, in the middle of a search costs
// no answer; one that wakes up later disturbs nobody.
func TestWorkerProcessKilledAndPaused(t *testing.T) {
	keys, err := bus.LoadKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	server, err := bus.StartEmbedded(bus.EmbeddedConfig{Keys: keys, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	conn := bustest.Conn(t, server, bus.RoleSearch)
	c := newCoordinator(t, Over(conn), CoordinatorConfig{})
	helping := make(chan string, 64)
	if _, err := conn.Subscribe(bus.SearchWorker, 64, func(m bus.Message) {
		var hello busv1.WorkerHello
		if m.Decode(&hello) == nil && hello.GetSearch() != "" {
			select {
			case helping <- hello.GetSearch():
			default:
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	for _, what := range []struct {
		name   string
		signal syscall.Signal
	}{{"killed", syscall.SIGKILL}, {"paused", syscall.SIGSTOP}} {
		t.Run(what.name, func(t *testing.T) {
			worker := startChild(t, keys, server.URL())
			met := false
			for attempt := 0; attempt < 20 && !met; attempt++ {
				ended := make(chan struct{})
				signalled := make(chan bool, 1)
				go func() {
					select {
					case <-helping:
						signalled <- worker.cmd.Process.Signal(what.signal) == nil
					case <-ended:
						signalled <- false
					}
				}()
				a := ask(t, c, Request{Position: start, Level: "full", Limit: 1500 * time.Millisecond, Helpers: 2})
				close(ended)
				met = <-signalled && a.Helpers > 0
			}
			if !met {
				t.Fatalf("no worker was %s in mid-search", what.name)
			}
			if what.signal == syscall.SIGSTOP {
				// What it has still to say belongs to a search that is over.
				if err := worker.cmd.Process.Signal(syscall.SIGCONT); err != nil {
					t.Fatal(err)
				}
			}
			ask(t, c, Request{Position: start, Level: "plies-4", Limit: 5 * time.Second, Helpers: 2})
		})
		for len(helping) > 0 {
			<-helping
		}
	}
}

// A connection that is cut, not closed, is a worker that vanished.
func TestWorkerConnectionCut(t *testing.T) {
	s := bustest.Start(t)
	c := newCoordinator(t, Over(bustest.Conn(t, s, bus.RoleSearch)), CoordinatorConfig{})
	conn, err := bus.Connect(bus.Config{Server: s, Role: bus.RoleWorker})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWorker(WorkerConfig{ID: "cut", TableBytes: 1 << 20}, Over(conn), quiet)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := w.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		await(t, "a search on the bus", func() bool { return len(c.beside) == 1 })
		if err := conn.Close(); err != nil {
			t.Log(err) // it was busy: that is the point
		}
	}()
	ask(t, c, Request{Position: start, Level: "full", Limit: time.Second, Helpers: 2})
	cancel()
	<-closed
	<-ended
	ask(t, c, Request{Position: start, Level: "plies-2", Limit: 5 * time.Second, Helpers: 2})
}
