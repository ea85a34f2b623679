package engines

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

func TestMain(m *testing.M) { shapetest.Main(m) }

// patience bounds waits that end at once unless something is broken.
const patience = time.Minute

// protocol is a way to drive the engine.
type protocol struct {
	name string
	args []string
	// hello makes it ready, and its answer begins so.
	hello []string
	ready string
	// ping asks for a line at any time, whose beginning is pong.
	ping, pong string
	// think starts a search that only stop ends.
	think []string
	stop  string
	// answer is how the line with a move begins.
	answer string
}

const start = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"

var (
	uci = protocol{
		name: "uci", args: []string{"uci"}, hello: []string{"uci"}, ready: "uciok", ping: "isready", pong: "readyok",
		think: []string{"position startpos", "go infinite"}, stop: "stop", answer: "bestmove ",
	}
	hub = protocol{
		name: "hub", args: []string{"hub"}, hello: []string{"hub", "init"}, ready: "ready", ping: "ping", pong: "pong",
		think: []string{"pos pos=Wwwwwwwwwwwwweeeeeeeebbbbbbbbbbbb", "level infinite", "go think"}, stop: "stop", answer: "done ",
	}
	line = protocol{
		name: "line", args: []string{"hub", "--line"}, ping: start + " nodes 100", pong: "bestmove ", answer: "bestmove ",
	}
	protocols = []protocol{uci, hub, line}
)

// program is an engine that runs.
type program struct {
	protocol
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *os.File
	lines chan string
	ended chan error
	said  strings.Builder
}

// run starts an engine and greets it.
func run(t *testing.T, p protocol) *program {
	t.Helper()
	path, err := shapetest.Binary()
	if err != nil {
		t.Fatal(err)
	}
	c := &program{protocol: p, t: t, lines: make(chan string, 1<<16), ended: make(chan error, 1)}
	c.cmd = exec.Command(path, p.args...)
	c.cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+t.TempDir())
	c.cmd.Stderr = &c.said
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out, c.cmd.Stdout = read, write
	if err := errors.Join(c.cmd.Start(), write.Close()); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.lines)
		scanner := bufio.NewScanner(read)
		scanner.Buffer(nil, 1<<21)
		for scanner.Scan() {
			c.lines <- scanner.Text()
		}
	}()
	go func() { c.ended <- c.cmd.Wait() }()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill() // it has ended where the test passed
		_ = read.Close()         // closed already where that is tested
	})
	if p.ready != "" {
		c.say(p.hello...)
		c.until(p.ready)
	}
	return c
}

func (c *program) say(lines ...string) {
	c.t.Helper()
	for _, text := range lines {
		if _, err := fmt.Fprintln(c.in, text); err != nil {
			c.t.Fatalf("%q: %v", text, err)
		}
	}
}

// until reads to a line that begins so, which it gives.
func (c *program) until(begin string) string {
	c.t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	var read []string
	for {
		select {
		case text, more := <-c.lines:
			if !more {
				c.t.Fatalf("no %q in\n%s", begin, strings.Join(read, "\n"))
			}
			if strings.HasPrefix(text, begin) {
				return text
			}
			read = append(read, text)
		case <-timer.C:
			c.t.Fatalf("no %q in\n%s", begin, strings.Join(read, "\n"))
		}
	}
}

// end waits until the program has ended by itself.
func (c *program) end() *os.ProcessState {
	c.t.Helper()
	select {
	case <-c.ended:
		return c.cmd.ProcessState
	case <-time.After(patience):
		c.t.Fatal("it goes on")
		return nil
	}
}

// endsWell waits for an end in order, with nothing to say about it.
func (c *program) endsWell() {
	c.t.Helper()
	if state := c.end(); !state.Success() || c.said.Len() > 0 {
		c.t.Errorf("%s: %v: %s", c.name, state, &c.said)
	}
}
