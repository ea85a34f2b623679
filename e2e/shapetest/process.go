package shapetest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// startTime bounds a start, stopTime an orderly end, on a machine that is busy.
const (
	startTime = 60 * time.Second
	stopTime  = 30 * time.Second
)

// Process is one run of the binary.
type Process struct {
	name string
	cmd  *exec.Cmd
	// Doors are what the ready line says: http, grpc, admin, data.
	Doors map[string]string

	mu    sync.Mutex
	lines []string // of stdout
	heard chan struct{}
	ended chan struct{}
	err   error // of Wait, once ended is closed
}

// startProcess runs a command, its stderr and a copy of its stdout in the log.
// It returns at once; ready waits.
func startProcess(name, path string, args, env []string, log io.Writer) (*Process, error) {
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = log
	// A test that is killed takes its processes with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	p := &Process{name: name, cmd: cmd, heard: make(chan struct{}, 1), ended: make(chan struct{})}
	go p.listen(out, log)
	return p, nil
}

func (p *Process) listen(out io.Reader, log io.Writer) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		fmt.Fprintln(log, "stdout:", lines.Text())
		p.mu.Lock()
		p.lines = append(p.lines, lines.Text())
		p.mu.Unlock()
		select {
		case p.heard <- struct{}{}:
		default:
		}
	}
	p.err = p.cmd.Wait()
	close(p.ended)
}

// Lines are what it has printed on stdout.
func (p *Process) Lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.lines...)
}

// line waits for a line with a prefix.
func (p *Process) line(prefix string, within time.Duration) (string, error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	for {
		for _, line := range p.Lines() {
			if strings.HasPrefix(line, prefix) {
				return line, nil
			}
		}
		select {
		case <-p.heard:
		case <-p.ended:
			// What it said last may not have been looked at.
			for _, line := range p.Lines() {
				if strings.HasPrefix(line, prefix) {
					return line, nil
				}
			}
			return "", fmt.Errorf("%s ended before it said %q: %w", p.name, prefix, p.exit())
		case <-timer.C:
			return "", fmt.Errorf("%s does not say %q within %v", p.name, prefix, within)
		}
	}
}

// ready waits for the ready line and reads it.
func (p *Process) ready() error {
	line, err := p.line("ready ", startTime)
	if err != nil {
		return err
	}
	p.Doors = map[string]string{}
	for _, field := range strings.Fields(line)[1:] {
		name, value, _ := strings.Cut(field, "=")
		p.Doors[name] = value
	}
	return nil
}

// exit is how it ended; call it after ended is closed.
func (p *Process) exit() error {
	if p.err == nil {
		return errors.New("exit code 0")
	}
	return p.err
}

func (p *Process) signal(s os.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signalling %s: %w", p.name, err)
	}
	return nil
}

// kill ends it as a power cut would, and waits.
func (p *Process) kill() error {
	err := p.signal(syscall.SIGKILL)
	<-p.ended
	return err
}

// terminate asks it to end and returns its exit code.
func (p *Process) terminate() (int, error) {
	if err := p.signal(syscall.SIGTERM); err != nil {
		return 0, err
	}
	return p.wait(stopTime)
}

func (p *Process) wait(within time.Duration) (int, error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode(), nil
	case <-timer.C:
		return 0, errors.Join(fmt.Errorf("%s does not end within %v", p.name, within), p.kill())
	}
}
