package match

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// entry is a finished game in the journal.
type entry struct {
	Game int `json:"game"`
	// Points are the half points of the match's first engine.
	Points int    `json:"points"`
	Plies  int    `json:"plies"`
	Reason string `json:"reason"`
	// Faulty is the number of the engine, 1 or 2, that Fault is about.
	Faulty int    `json:"faulty,omitempty"`
	Fault  string `json:"fault,omitempty"`
	// Used are the sums of both engines.
	Used [2]used `json:"used"`
}

// used sums up what an engine needed.
type used struct {
	Moves int           `json:"moves"`
	Nodes uint64        `json:"nodes"`
	Depth int           `json:"depth"`
	CPU   time.Duration `json:"cpu_ns"`
	Spent time.Duration `json:"spent_ns"`
}

func (u *used) add(r reply) {
	u.Moves++
	u.Nodes += r.nodes
	u.Depth += r.depth
	u.CPU += r.cpu
	u.Spent += r.spent
}

func (u *used) sum(o used) {
	u.Moves += o.Moves
	u.Nodes += o.Nodes
	u.Depth += o.Depth
	u.CPU += o.CPU
	u.Spent += o.Spent
}

// journal is a file of finished games, one a line behind a line that says which
// match they are of, so that a match that was broken off goes on.
type journal struct{ file *os.File }

// openJournal opens or makes a journal and reads what is in it. A last line that
// was cut off is dropped. The error tells of a journal of another match.
func openJournal(path string, match []setting) (*journal, []entry, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	entries, sound, err := readJournal(file, match)
	if err == nil {
		if err = file.Truncate(sound); err == nil {
			_, err = file.Seek(sound, 0)
		}
	}
	if err == nil && sound == 0 {
		var head []byte
		if head, err = json.Marshal(match); err == nil {
			_, err = file.Write(append(head, '\n'))
		}
	}
	if err != nil {
		_ = file.Close() // the first error tells more
		return nil, nil, fmt.Errorf("the journal %s: %w", path, err)
	}
	return &journal{file}, entries, nil
}

func readJournal(file *os.File, match []setting) (entries []entry, sound int64, err error) {
	reader := bufio.NewReader(file)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return entries, sound, nil
		}
		if sound == 0 {
			var head []setting
			if json.Unmarshal(line, &head) != nil {
				return nil, 0, errors.New("is of another version, or none at all: give another name, or remove it")
			}
			if text := differences(head, match); text != "" {
				return nil, 0, fmt.Errorf("is of another match, whose games do not count here: %s; give another name, or remove it", text)
			}
		} else {
			var e entry
			if err := json.Unmarshal(line, &e); err != nil {
				return nil, 0, fmt.Errorf("has a line that is none: %w", err)
			}
			entries = append(entries, e)
		}
		sound += int64(len(line))
	}
}

func (j *journal) add(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(line, '\n'))
	return err
}

func (j *journal) close() error { return j.file.Close() }
