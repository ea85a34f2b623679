package shapetest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// skewEnv is by how many seconds the wall clock of a skewed binary is off.
const skewEnv = "TABULEIRO_TEST_SKEW"

// skewed is the binary on a machine whose wall clock is wrong: what time.Now says
// is off, its monotonic part is not. The standard library is changed for it, so
// that nothing in the binary can know the right time by a way of its own, and the
// binary that is shipped has nothing in it for tests.
var skewed = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch.dir(), "skewed")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("looking for Go: %w", err)
	}
	library := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	source, err := os.ReadFile(filepath.Join(library, "time.go"))
	if err != nil {
		return "", err
	}
	const reads = "sec, nsec, mono := runtimeNow()\n"
	before, after, found := strings.Cut(string(source), "func Now() Time {\n\t"+reads)
	if !found {
		return "", fmt.Errorf("time.Now of %s is not as it was: it cannot be skewed", runtime.Version())
	}
	replace := map[string]string{}
	for name, text := range map[string]string{
		"time.go":      before + "func Now() Time {\n\t" + reads + "\tsec += testSkew\n" + after,
		"test_skew.go": skewSource,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(library, name)] = path
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file, path := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "tabuleiro")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", err
	}
	// All is compiled anew for it, which is much faster without optimization.
	build := exec.Command("go", "build", "-overlay", file, "-gcflags=all=-N -l", "-ldflags=-s -w", "-tags", buildTags, "-o", path, "tabuleiro/cmd/tabuleiro")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the skewed binary: %w\n%s", err, out)
	}
	return path, nil
})

const skewSource = `package time

import "syscall"

var testSkew = func() (seconds int64) {
	text, _ := syscall.Getenv("` + skewEnv + `")
	sign := int64(1)
	for _, c := range []byte(text) {
		if c == '-' {
			sign = -1
			continue
		}
		seconds = 10*seconds + int64(c-'0')
	}
	return sign * seconds
}()
`
