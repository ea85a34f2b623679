package measure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSaveKeepsOldRuns(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "figures")
	for _, commit := range []string{"aaa", "bbb"} {
		r := Run{What: "rules", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Commit: commit, Seed: 7,
			Machine: Machine{Processor: "P", Cores: 2, Flags: []string{"popcnt"}, Kernel: "6", Go: "go1", GOAMD64: "v1", Load: "0.5"},
			Figures: []Figure{NewFigure("a", "ratio", []float64{0.5}).Goals(0.6, 1.2), NewFigure("b", "MB/s", []float64{123.4})}}
		if err := r.Save(folder); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(filepath.Join(folder, "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(string(page), "taken.\n")
	const table = `
P, 2 cores (popcnt), Linux 6, go1, GOAMD64=v1, load average 0.5, seed 7.

| figure | median | interval | unit | rounds | must | aim | |
|---|---:|---|---|---:|---:|---:|---|
| a | 0.50 | 0.50 to 0.50 | ratio | 1 | 0.60 | 1.20 | not reached |
| b | 123 | 123 to 123 | MB/s | 1 |  |  |  |
`
	want := "\n## 2026-01-02 03:04 UTC, commit bbb\n" + table + "\n## 2026-01-02 03:04 UTC, commit aaa\n" + table
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
