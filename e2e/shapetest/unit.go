package shapetest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Unit is a process of a shape that can be killed and started again, which makes
// another process with the same data, reached at the same address.
type Unit struct {
	// Name is the role's, with a number where there are several.
	Name string

	path string
	args []string
	env  []string
	// door is what of the ready line stands behind the front; "" for nothing.
	door  string
	front *Front
	log   *os.File
	// addresses is the file in which the process says where it listens; "" where
	// the ready line says it.
	addresses string

	mu      sync.Mutex
	process *Process // nil while it does not run
}

func (u *Unit) openLog(dir string) (err error) {
	u.log, err = os.OpenFile(filepath.Join(dir, u.Name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	return err
}

// Start runs it until it is ready.
func (u *Unit) Start() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.process != nil {
		return fmt.Errorf("%s runs already", u.Name)
	}
	fmt.Fprintln(u.log, "--- start")
	p, err := startProcess(u.Name, u.path, u.args, u.env, u.log)
	if err != nil {
		return err
	}
	if err := p.ready(); err != nil {
		_ = p.kill() // it is of no use, and the first error tells
		return err
	}
	if err := u.readAddresses(p); err != nil {
		_ = p.kill()
		return err
	}
	u.process = p
	if u.front != nil {
		u.front.add(p.Doors[u.door])
	}
	return nil
}

// take forgets the process, so that nobody else ends it too.
func (u *Unit) take() (*Process, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	p := u.process
	if p == nil {
		return nil, fmt.Errorf("%s does not run", u.Name)
	}
	u.process = nil
	return p, nil
}

func (u *Unit) forget(p *Process) {
	if u.front != nil {
		u.front.remove(p.Doors[u.door])
	}
}

// Kill ends it at once, as a power cut would.
func (u *Unit) Kill() error {
	p, err := u.take()
	if err != nil {
		return err
	}
	fmt.Fprintln(u.log, "--- kill")
	defer u.forget(p)
	return p.kill()
}

// Stop ends it in order and returns its exit code.
func (u *Unit) Stop() (int, error) {
	p, err := u.take()
	if err != nil {
		return 0, err
	}
	fmt.Fprintln(u.log, "--- stop")
	defer u.forget(p)
	return p.terminate()
}

// AwaitEnd waits until it has ended by itself and returns its exit code; false
// where it goes on for longer. It can be started again after it ended.
func (u *Unit) AwaitEnd(within time.Duration) (exit int, ended bool) {
	u.mu.Lock()
	p := u.process
	u.mu.Unlock()
	if p == nil {
		return 0, false
	}
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-p.ended:
	default:
		select {
		case <-timer.C:
			return 0, false
		case <-p.ended:
		}
	}
	if p, err := u.take(); err == nil {
		u.forget(p)
	}
	return p.cmd.ProcessState.ExitCode(), true
}

// PID is the number of the process that runs, 0 where none does.
func (u *Unit) PID() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.process == nil {
		return 0
	}
	return u.process.cmd.Process.Pid
}

// Cut ends all connections to the address at which the process serves, with others
// or alone. Those that are made anew take turns between all that serve there.
func (u *Unit) Cut() { u.front.cut() }

// Pause stops its time until Resume.
func (u *Unit) Pause() error { return u.signal("--- pause", syscall.SIGSTOP) }

// Resume lets it go on after Pause.
func (u *Unit) Resume() error { return u.signal("--- resume", syscall.SIGCONT) }

func (u *Unit) signal(note string, s os.Signal) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.process == nil {
		return fmt.Errorf("%s does not run", u.Name)
	}
	fmt.Fprintln(u.log, note)
	return u.process.signal(s)
}

// Lines are what the process that runs has printed on stdout.
func (u *Unit) Lines() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.process == nil {
		return nil
	}
	return u.process.Lines()
}

// readAddresses learns of the doors of which the ready line is silent.
func (u *Unit) readAddresses(p *Process) error {
	if u.addresses == "" {
		return nil
	}
	text, err := os.ReadFile(u.addresses)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &p.Doors)
}

// Door is where the process that runs listens: "http", "grpc" or "admin"; empty
// where it does not.
func (u *Unit) Door(name string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.process == nil {
		return ""
	}
	return u.process.Doors[name]
}

// close ends it, however it stands.
func (u *Unit) close() {
	if p, err := u.take(); err == nil {
		_ = p.kill()
		u.forget(p)
	}
	u.log.Close()
}

// Metric reads a metric of the process from its operator's door, summed over its
// labels. It counts from the process's start.
func (u *Unit) Metric(ctx context.Context, name string) (float64, error) {
	u.mu.Lock()
	p := u.process
	u.mu.Unlock()
	if p == nil || p.Doors["admin"] == "" {
		return 0, fmt.Errorf("%s has no operator's door", u.Name)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.Doors["admin"]+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	sum := 0.0
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), name)
		if !ok || rest == "" || rest[0] != ' ' && rest[0] != '{' {
			continue
		}
		value, err := strconv.ParseFloat(rest[strings.LastIndexByte(rest, ' ')+1:], 64)
		if err != nil {
			return 0, fmt.Errorf("reading %q: %w", lines.Text(), err)
		}
		sum += value
	}
	return sum, lines.Err()
}
