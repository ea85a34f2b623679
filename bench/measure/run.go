package measure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Run is one time that figures were taken.
type Run struct {
	// What names the set of figures, and their file.
	What string    `json:"what"`
	Date time.Time `json:"date"`
	// Commit is what was measured; with "-dirty" it is not all of it.
	Commit  string   `json:"commit"`
	Seed    uint64   `json:"seed"`
	Machine Machine  `json:"machine"`
	Figures []Figure `json:"figures"`
	// Notes are sentences on how this run was taken.
	Notes []string `json:"notes,omitempty"`
}

// Save appends the run to WHAT.jsonl in a folder and writes WHAT.md anew from
// all runs in it.
func (r *Run) Save(folder string) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("saving the figures: %w", err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("saving the figures: %w", err)
	}
	file := filepath.Join(folder, r.What+".jsonl")
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("saving the figures: %w", err)
	}
	text = append(append(text, line...), '\n')
	runs, err := parse(text)
	if err != nil {
		return fmt.Errorf("reading %s: %w", file, err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return fmt.Errorf("saving the figures: %w", err)
	}
	if err := os.WriteFile(filepath.Join(folder, r.What+".md"), []byte(Page(runs)), 0o644); err != nil {
		return fmt.Errorf("saving the figures: %w", err)
	}
	return nil
}

func parse(text []byte) ([]Run, error) {
	var runs []Run
	for line := range bytes.Lines(text) {
		var r Run
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// Page shows the runs, the newest first, in Markdown.
func Page(runs []Run) string {
	var out strings.Builder
	out.WriteString("# Figures: " + runs[0].What + "\n\nWritten by `make bench` from the .jsonl file beside it; README.md says how figures are taken.\n")
	for i := len(runs) - 1; i >= 0; i-- {
		out.WriteString("\n## " + runs[i].Date.UTC().Format("2006-01-02 15:04 UTC") + ", commit " + runs[i].Commit + "\n\n" + runs[i].Text())
	}
	return out.String()
}

// Text is one run as a table in Markdown.
func (r *Run) Text() string {
	var out strings.Builder
	m := &r.Machine
	fmt.Fprintf(&out, "%s, %d cores (%s), Linux %s, %s, GOAMD64=%s, load average %s, seed %d.\n",
		m.Processor, m.Cores, strings.Join(m.Flags, " "), m.Kernel, m.Go, m.GOAMD64, m.Load, r.Seed)
	for _, note := range r.Notes {
		out.WriteString(note + "\n")
	}
	out.WriteString("\n| figure | median | interval | unit | rounds | must | aim | |\n|---|---:|---|---|---:|---:|---:|---|\n")
	for _, f := range r.Figures {
		verdict := f.Verdict()
		if verdict == "" && f.Noisy {
			verdict = "noisy"
		}
		fmt.Fprintf(&out, "| %s | %s | %s to %s | %s | %d | %s | %s | %s |\n",
			f.Name, short(f.Value), short(f.Low), short(f.High), f.Unit, f.Rounds, goal(f.Must), goal(f.Aim), verdict)
	}
	return out.String()
}

func goal(v float64) string {
	if v == 0 {
		return ""
	}
	return short(v)
}

// short writes three digits that count, and all those before the point.
func short(v float64) string {
	switch {
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
