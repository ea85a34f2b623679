package match

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"tabuleiro/services/search/think"
)

// process is a program that is talked to in lines.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	// gone is closed when nothing more can come.
	gone   chan struct{}
	closed chan struct{}
	once   sync.Once
	// patience is how long an answer may take.
	patience time.Duration
}

const maxLine = 1 << 20

// busiest is how many times as long as its processor time a search may take on a
// machine with other work.
const busiest = 100

// start runs a program in a process group of its own, so that it can be ended
// with what it started.
func start(command []string, patience time.Duration) (*process, error) {
	p := &process{
		cmd: exec.Command(command[0], command[1:]...), lines: make(chan string, 64),
		gone: make(chan struct{}), closed: make(chan struct{}), patience: patience,
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	if err := p.cmd.Start(); err != nil {
		return nil, &Fault{Crash, err.Error()}
	}
	go func() {
		defer close(p.gone)
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			select {
			case p.lines <- scanner.Text():
			case <-p.closed:
				return
			}
		}
	}()
	return p, nil
}

// send writes a line.
func (p *process) send(format string, args ...any) error {
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		return &Fault{Crash, "it does not read any more"}
	}
	return nil
}

var errTimer = errors.New("the time is over")

// next is the next line. It waits until the timer, whose error is errTimer.
func (p *process) next(timer <-chan time.Time) (string, error) {
	select { // lines that came before the end count
	case line := <-p.lines:
		return line, nil
	default:
	}
	select {
	case line := <-p.lines:
		return line, nil
	case <-timer:
		return "", errTimer
	case <-p.gone:
		select {
		case line := <-p.lines:
			return line, nil
		default:
			return "", &Fault{Crash, "it ended in the middle of a game"}
		}
	}
}

// getReady is the least time that a program has to get ready, which no game's
// clock is about.
const getReady = 10 * time.Second

// await reads until a line whose first word is this one and gives its fields.
func (p *process) await(word string) ([]string, error) {
	patience := max(p.patience, getReady)
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		line, err := p.next(timer.C)
		if errors.Is(err, errTimer) {
			return nil, &Fault{Hang, fmt.Sprintf("no %s within %v", word, patience)}
		}
		if err != nil {
			return nil, err
		}
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == word {
			return fields, nil
		}
	}
}

// cpu is the processor time of the program so far.
func (p *process) cpu() time.Duration {
	spent, _ := think.ProcessTime(p.cmd.Process.Pid)
	return spent
}

// asleep is how many times in a row a program must have been seen waiting.
const asleep = 3

// search reads lines until one is the answer. Under a limit of processor time
// stop is called once it is used up, so that an answer comes; the program must
// then answer within the patience.
func (p *process) search(limit Limit, patience time.Duration, stop func() error, read func(line string) (done bool)) error {
	began := p.cpu()
	deadline := time.Now().Add(patience)
	stopped := limit.CPU == 0
	last, idle := time.Duration(-1), 0
	for {
		wait := time.Until(deadline)
		if !stopped {
			// The clock of the machine is never faster than that of one thread.
			used := p.cpu() - began
			left := limit.CPU - used
			// A program that has nothing left to think about waits for stop.
			if idle++; used != last || !think.Asleep(p.cmd.Process.Pid) {
				last, idle = used, 0
			}
			if left <= 0 || idle >= asleep {
				if err := stop(); err != nil {
					return err
				}
				stopped = true
				deadline = time.Now().Add(p.patience)
				continue
			}
			wait = min(wait, max(left*9/10, time.Millisecond/5), 20*time.Millisecond)
		}
		timer := time.NewTimer(wait)
		line, err := p.next(timer.C)
		timer.Stop()
		switch {
		case errors.Is(err, errTimer):
			if time.Now().Before(deadline) {
				continue
			}
			return &Fault{Hang, fmt.Sprintf("no answer within %v", patience)}
		case err != nil:
			return err
		case read(line):
			return nil
		}
	}
}

// close ends the program: by its input's end, or by force.
func (p *process) close(quit string) {
	p.once.Do(func() {
		_ = p.send("%s", quit)
		_ = p.in.Close()
		timer := time.NewTimer(time.Second)
		defer timer.Stop()
		for waiting := true; waiting; {
			select {
			case <-p.lines:
			case <-p.gone:
				waiting = false
			case <-timer.C:
				waiting = false
			}
		}
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		close(p.closed)
		_ = p.cmd.Wait() // how it ended does not matter
	})
}
