package torture

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"tabuleiro/e2e/shapetest"
)

// Entry is a command whose answer is known.
type Entry struct {
	At     time.Time       `json:"at"`
	Person string          `json:"person"`
	Key    string          `json:"key"`
	Path   string          `json:"path"`
	Body   shapetest.M     `json:"body"`
	Tries  int             `json:"tries"`
	Status int             `json:"status"`
	Answer json.RawMessage `json:"answer"`

	// game is the state in the answer of a success, next the game that it has made,
	// cup the tournament that it is about.
	game, next shapetest.Game
	cup        cup
}

// read takes in the answer of a success.
func (e *Entry) read(answer shapetest.Answer) error {
	var body struct {
		Game, Next shapetest.Game
		Tournament cup
	}
	err := answer.Into(&body)
	e.game, e.next, e.cup = body.Game, body.Next, body.Tournament
	return err
}

func (e Entry) acknowledged() bool { return e.Status >= 200 && e.Status <= 299 }

// Journal keeps what clients were promised, in memory and in a file that is only
// ever appended to, so that it survives the test too.
type Journal struct {
	mu      sync.Mutex
	entries []Entry
	file    *os.File
	out     *bufio.Writer
}

func newJournal(path string) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &Journal{file: f, out: bufio.NewWriter(f)}, nil
}

func (j *Journal) add(e Entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, e)
	if _, err := j.out.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	return j.out.Flush()
}

func (j *Journal) all() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]Entry(nil), j.entries...)
}

func (j *Journal) close() { j.file.Close() }

// Faults are promises that were broken, by the kind of promise.
type Faults struct {
	mu    sync.Mutex
	kinds map[string]int
	texts []string
}

// The kinds of faults.
const (
	faultLost     = "lost"     // an acknowledged command is gone
	faultTwice    = "twice"    // a command happened twice, or its second answer differs
	faultRefused  = "refused"  // a command that was allowed
	faultGap      = "gap"      // versions without order
	faultDatabase = "database" // interface and database differ
	faultRating   = "rating"   // a rated game, and not one entry
	faultClock    = "clock"    // time that went otherwise than the events say
	faultCup      = "cup"      // a tournament that is not what its games make it
	faultStream   = "stream"   // a watcher saw something else
	faultStuck    = "stuck"    // something owed did not come
	faultUnclear  = "unclear"  // what will pass was not said so
)

// maxTexts bounds what is told of one run.
const maxTexts = 40

func (f *Faults) add(kind, format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kinds == nil {
		f.kinds = map[string]int{}
	}
	f.kinds[kind]++
	if len(f.texts) < maxTexts {
		f.texts = append(f.texts, kind+": "+fmt.Sprintf(format, args...))
	}
}

// count is how many there are of some kinds; of all, where none is named.
func (f *Faults) count(kinds ...string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for kind, count := range f.kinds {
		if len(kinds) == 0 {
			n += count
		}
		for _, k := range kinds {
			if k == kind {
				n += count
			}
		}
	}
	return n
}

func (f *Faults) list() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.texts...)
}
