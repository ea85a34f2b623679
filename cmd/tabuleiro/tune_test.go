package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tabuleiro/services/search/engine/draughtseval"
)

// Games of a seed, and weights of draughts from them; without an epoch those of
// the start are written.
func TestTuneDraughts(t *testing.T) {
	dir := t.TempDir()
	positions, out := filepath.Join(dir, "positions.txt"), filepath.Join(dir, "weights.bin")
	if _, stderr, code := runs(t, "", "tune", "positions", "--rules", "draughts", "--games", "4", "--nodes", "40", "--workers", "1", "--out", positions); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	start := string(draughtseval.Bytes(draughtseval.Start()))
	for _, c := range []struct {
		epochs string
		learns bool
	}{{"0", false}, {"2", true}} {
		_, stderr, code := runs(t, "", "tune", "--rules", "draughts", "--positions", positions, "--out", out, "--epochs", c.epochs, "--blend", "0.6", "--batch", "32")
		if code != 0 {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := draughtseval.Parse(data); err != nil {
			t.Error(err)
		}
		if learned := string(data) != start; learned != c.learns || strings.Contains(stderr, "epoch "+c.epochs+":") != c.learns {
			t.Errorf("%s epochs: other weights than at the start: %t; said %q", c.epochs, learned, stderr)
		}
	}
	for args, want := range map[string]int{
		"tune|--rules|tictactoe|--positions|" + positions + "|--out|" + out:                  2,
		"tune|--rules|chess|--positions|" + positions + "|--out|" + filepath.Join(dir, "no"): 1,
	} {
		if _, stderr, code := runs(t, "", strings.Split(args, "|")...); code != want || stderr == "" {
			t.Errorf("%s: exit %d, want %d; said %q", args, code, want, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "no")); err == nil {
		t.Error("a failed fit wrote a file")
	}
}

// TestNumbersThatMeanNothingAreRefused: a match of no games, or a negative count.
func TestNumbersThatMeanNothingAreRefused(t *testing.T) {
	match := []string{"match", "--limit", "nodes 10", "-a", "name=a", "-b", "name=b"}
	positions := []string{"tune", "positions", "--out", filepath.Join(t.TempDir(), "none")}
	fit := []string{"tune", "--positions", os.DevNull, "--out", os.DevNull}
	for option, command := range map[string][]string{
		"--games=0": match, "--games=-3": match, "--plies=-1": match, "--concurrency=0": match, "--max-plies=-1": match,
		"--margin=-1s": match, "--patience=0s": match, "--every=-1": match, "--resign=-5,3": match, "--draw=5,-3,2": match,
		"--workers=-1": positions, "--nodes=0": positions, "--first=-1": positions, "--random=-1": positions,
		"--blend=2": fit, "--blend=NaN": fit, "--epochs=-1": fit, "--batch=0": fit, "--pull=-1": fit,
	} {
		args := append(append([]string{}, command...), option)
		name, _, _ := strings.Cut(option, "=")
		if _, stderr, code := runs(t, "", args...); code != exitUsage || !strings.Contains(stderr, name) {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
	}
}
