package streams

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// child is a server in a process of its own.
type child struct {
	address string
	process *exec.Cmd
	input   io.Closer
}

// launch starts a server and waits for the line that says where it is.
func launch(stop os.Signal, name string, args ...string) (*child, error) {
	c := &child{process: exec.Command(name, args...)}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if c.input, err = c.process.StdinPipe(); err != nil {
		return nil, err
	}
	if err := c.process.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "ready http="); ok {
			c.address, _, _ = strings.Cut(rest, " ")
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return c, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("%s ended before it was ready", name), c.end(stop))
}

func (c *child) end(stop os.Signal) error {
	_ = c.input.Close()
	if stop != nil {
		_ = c.process.Process.Signal(stop)
	}
	return c.process.Wait()
}

// resident is the memory that a process holds, in KiB.
func (c *child) resident() (float64, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(c.process.Process.Pid) + "/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			return strconv.ParseFloat(strings.Fields(rest)[0], 64)
		}
	}
	return 0, errors.New("the kernel does not tell the memory of the server")
}

// table is a public game that one person plays on both sides, and all watch.
type table struct {
	base   string
	client *http.Client
	random *rand.Rand
	id     string
	turn   int
	// version is that of the last event, state the last answer as it came.
	version int
	state   []byte
	moves   []string
}

// state is what the bench needs of a game.
type state struct {
	Game struct {
		ID      string `json:"id"`
		Turn    int    `json:"turn"`
		Version int    `json:"version"`
		Moves   []struct {
			Text string `json:"text"`
		} `json:"moves"`
	} `json:"game"`
}

func newTable(address string, seed uint64) (*table, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	t := &table{base: "http://" + address + "/v1", client: &http.Client{Jar: jar}, random: rand.New(rand.NewPCG(seed, 5000))}
	login := map[string]string{"login": "bench", "password": "a long password of nobody"}
	person := map[string]string{"first_name": "B", "surname": "B", "birth_date": "1980-01-02", "sex": "other", "policy": "open"}
	for k, v := range login {
		person[k] = v
	}
	if err := t.post("/accounts", person, nil); err != nil {
		return nil, err
	}
	return t, t.post("/sessions", login, nil)
}

// begin opens a new game.
func (t *table) begin() error {
	var s state
	if err := t.post("/games", map[string]string{"rules": "chess", "opponent": "self", "visibility": "public"}, &s); err != nil {
		return err
	}
	t.id = s.Game.ID
	t.take(s)
	return nil
}

func (t *table) take(s state) {
	t.turn, t.version, t.moves = s.Game.Turn, s.Game.Version, nil
	for _, m := range s.Game.Moves {
		t.moves = append(t.moves, m.Text)
	}
}

// mark is the line that begins the next event on a stream of this game alone.
func (t *table) mark() string {
	return "id: " + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"%s":%d}`, t.id, t.version+1))
}

// move plays a legal move drawn by lot.
func (t *table) move() error {
	if len(t.moves) == 0 {
		return errors.New("the game is over: take another seed or fewer rounds")
	}
	var s state
	err := t.post("/games/"+t.id+"/moves", map[string]any{"move": t.moves[t.random.IntN(len(t.moves))], "turn": t.turn}, &s)
	if err != nil {
		return err
	}
	t.take(s)
	return nil
}

func (t *table) post(path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(http.MethodPost, t.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", uuid.NewString())
	got, err := t.client.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	text, err = io.ReadAll(got.Body)
	if err != nil {
		return err
	}
	if got.StatusCode >= 300 {
		return fmt.Errorf("POST %s: %s: %s", path, got.Status, text)
	}
	if answer == nil {
		return nil
	}
	t.state = text
	return json.Unmarshal(text, answer)
}
