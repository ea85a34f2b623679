package shapetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// Main runs the tests of a package, and ends what they shared. Or it is the NATS
// server of a cluster.
func Main(m *testing.M) {
	if folder := os.Getenv(natsEnv); folder != "" {
		os.Exit(serveNATS(folder))
	}
	code := m.Run()
	for _, s := range []*sharedShape{&sharedAllInOne, &sharedCluster} {
		s.end(code != 0)
	}
	scratch.remove()
	os.Exit(code)
}

// The shapes that the tests of a package share, unless they break them.
var (
	sharedAllInOne = sharedShape{start: StartAllInOne}
	sharedCluster  = sharedShape{start: StartCluster}
)

type sharedShape struct {
	start func(Options) (*Shape, error)
	once  sync.Once
	shape *Shape
	err   error
}

func (s *sharedShape) get(t testing.TB) *Shape {
	t.Helper()
	s.once.Do(func() { s.shape, s.err = s.start(Options{}) })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.shape
}

func (s *sharedShape) end(failed bool) {
	if s.shape == nil || s.err != nil {
		return
	}
	if failed {
		fmt.Println(s.shape.Logs())
	}
	s.shape.Close()
}

// Each runs f against both shapes, which all tests of the package share: f must
// not harm them, and not count on being alone.
func Each(t *testing.T, f func(t *testing.T, s *Shape)) {
	t.Parallel()
	t.Run(allInOne, func(t *testing.T) {
		t.Parallel()
		f(t, sharedAllInOne.get(t))
	})
	t.Run(cluster, func(t *testing.T) {
		t.Parallel()
		f(t, sharedCluster.get(t))
	})
}

// AllInOne starts `tabuleiro up` for one test that may do with it what it likes.
func AllInOne(t testing.TB, o Options) *Shape {
	t.Helper()
	return own(t, StartAllInOne, o)
}

// Cluster starts a cluster for one test that may do with it what it likes.
func Cluster(t testing.TB, o Options) *Shape {
	t.Helper()
	return own(t, StartCluster, o)
}

// OwnEach runs f against both shapes, started for it alone.
func OwnEach(t *testing.T, f func(t *testing.T, s *Shape)) {
	t.Parallel()
	t.Run(allInOne, func(t *testing.T) { f(t, AllInOne(t, Options{})) })
	t.Run(cluster, func(t *testing.T) { f(t, Cluster(t, Options{})) })
}

func own(t testing.TB, start func(Options) (*Shape, error), o Options) *Shape {
	t.Helper()
	s, err := start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.Logs())
		}
		s.Close()
	})
	return s
}

// Run runs the binary to its end and returns its exit code and all that it says.
func Run(t testing.TB, args ...string) (exit int, output string) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), startTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	text, err := cmd.CombinedOutput()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}
