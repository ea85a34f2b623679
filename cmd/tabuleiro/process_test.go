package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience bounds waits that end at once unless something is broken.
const patience = time.Minute

// The test binary is the program itself when this is set.
const asProgram = "TABULEIRO_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program is a tabuleiro that runs as a process.
type program struct {
	cmd    *exec.Cmd
	lines  *bufio.Scanner
	stderr *bytes.Buffer
	ended  chan error
}

func start(t *testing.T, args ...string) *program {
	t.Helper()
	p := &program{cmd: exec.Command(os.Args[0], args...), stderr: &bytes.Buffer{}, ended: make(chan error, 1)}
	p.cmd.Env = append(os.Environ(), asProgram+"=1")
	p.cmd.Stderr = p.stderr
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout = write
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	p.lines = bufio.NewScanner(read)
	go func() { p.ended <- p.cmd.Wait() }()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		read.Close()
	})
	return p
}

// ready reads the ready line and returns what it says.
func (p *program) ready(t *testing.T) map[string]string {
	t.Helper()
	if !p.lines.Scan() {
		t.Fatalf("no ready line: %v\n%s", p.code(t), p.stderr)
	}
	fields := strings.Fields(p.lines.Text())
	if len(fields) == 0 || fields[0] != "ready" {
		t.Fatalf("the first line is %q", p.lines.Text())
	}
	said := map[string]string{}
	for _, f := range fields[1:] {
		name, value, _ := strings.Cut(f, "=")
		said[name] = value
	}
	return said
}

func (p *program) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// code waits for the end.
func (p *program) code(t *testing.T) int {
	t.Helper()
	select {
	case err := <-p.ended:
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			return failed.ExitCode()
		}
		if err != nil {
			t.Fatal(err)
		}
		return 0
	case <-time.After(patience):
		t.Fatal("does not end")
		return -1
	}
}

// client is a visitor with cookies.
func client(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Timeout: patience}
}

func post(t *testing.T, c *http.Client, url, key, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestUpPlaysStopsAndRemembers(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	first := start(t, "up", "--http", "127.0.0.1:0", "--data", data)
	said := first.ready(t)
	if len(said) != 2 || said["data"] != data {
		t.Errorf("the ready line says %v", said)
	}
	if !first.lines.Scan() || !strings.HasPrefix(first.lines.Text(), "operator code: ") {
		t.Errorf("the second line is %q", first.lines.Text())
	}
	// Tables of endings are built once somebody needs them: no start waits for them.
	if _, err := os.Stat(filepath.Join(data, "tables")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("tables at the first start: %v", err)
	}
	visitor := client(t)
	base := "http://" + said["http"] + "/v1/games"
	code, body := post(t, visitor, base, "k1", `{"rules":"tictactoe","opponent":"person","side":"first"}`)
	if code != http.StatusCreated {
		t.Fatalf("a game: %d %s", code, body)
	}
	second := start(t, "up", "--http", "127.0.0.1:0", "--data", data)
	if got := second.code(t); got != exitUsage || !strings.Contains(second.stderr.String(), "in use by another tabuleiro") {
		t.Errorf("a second process: %d %s", got, second.stderr)
	}
	first.signal(t, os.Interrupt)
	if got := first.code(t); got != 0 {
		t.Errorf("exit code %d\n%s", got, first.stderr)
	}
	again := start(t, "up", "--http", "127.0.0.1:0", "--data", data)
	said = again.ready(t)
	resp, err := visitor.Get("http://" + said["http"] + "/v1/games")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	id, _, _ := strings.Cut(strings.SplitN(body, `"id":"`, 2)[1], `"`)
	if !strings.Contains(string(text), id) {
		t.Errorf("the game %s is gone: %s", id, text)
	}
	again.signal(t, syscall.SIGTERM)
	if got := again.code(t); got != 0 {
		t.Errorf("exit code %d\n%s", got, again.stderr)
	}
	if again.lines.Scan() {
		t.Errorf("a line that the second start should not print: %q", again.lines.Text())
	}
}

// The first Ctrl-C waits for a request that still arrives, the second does not.
func TestSecondInterruptExitsAtOnce(t *testing.T) {
	p := start(t, "up", "--http", "127.0.0.1:0", "--data", filepath.Join(t.TempDir(), "data"), "--grace", "10m")
	said := p.ready(t)
	conn, err := net.Dial("tcp", said["http"])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// Half a request; "100 Continue" says that its handler waits for the rest.
	fmt.Fprint(conn, "POST /v1/rules/inspect HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Content-Length: 100\r\nExpect: 100-continue\r\n\r\n")
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("got %q, %v", line, err)
	}
	p.signal(t, os.Interrupt)
	// It has begun to stop once it takes no more connections.
	for deadline := time.Now().Add(patience); ; {
		c, err := net.Dial("tcp", said["http"])
		if err != nil {
			break
		}
		c.Close()
		if time.Now().After(deadline) {
			t.Fatal("does not begin to stop")
		}
	}
	p.signal(t, os.Interrupt)
	if got := p.code(t); got != exitInterrupted {
		t.Errorf("exit code %d\n%s", got, p.stderr)
	}
}

func TestRunServesWhatNeedsNoStore(t *testing.T) {
	p := start(t, "run", "rules,search", "--nats-url", "nats://127.0.0.1:1", "--grpc-listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data", filepath.Join(t.TempDir(), "data"))
	said := p.ready(t)
	if said["grpc"] == "" || said["http"] != "" {
		t.Errorf("the ready line says %v", said)
	}
	resp, err := http.Get("http://" + said["admin"] + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("readyz: %d", resp.StatusCode)
	}
	p.signal(t, os.Interrupt)
	if got := p.code(t); got != 0 {
		t.Errorf("exit code %d\n%s", got, p.stderr)
	}
}
