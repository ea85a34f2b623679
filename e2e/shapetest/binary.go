package shapetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// BinaryEnv names the built binary. Where it is not set, the binary is built
// once a package.
const BinaryEnv = "TABULEIRO_TEST_BINARY"

var binary = sync.OnceValues(func() (string, error) {
	if path := os.Getenv(BinaryEnv); path != "" {
		return filepath.Abs(path)
	}
	path := filepath.Join(scratch.dir(), "tabuleiro")
	build := exec.Command("go", "build", "-tags", buildTags, "-o", path, "tabuleiro/cmd/tabuleiro")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the binary: %w\n%s", err, out)
	}
	return path, nil
})

// Binary is the path of the built binary.
func Binary() (string, error) { return binary() }

// scratch is the folder of what all tests of a package share.
var scratch shared

type shared struct {
	mu   sync.Mutex
	path string
}

func (s *shared) dir() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path == "" {
		path, err := os.MkdirTemp("", "tabuleiro-e2e-")
		if err != nil {
			panic(err) // no test can run
		}
		s.path = path
	}
	return s.path
}

func (s *shared) remove() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path != "" {
		os.RemoveAll(s.path)
	}
}
