package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type command interface {
	Run(ctx context.Context, stdout, stderr io.Writer) int
}

func run(t *testing.T, c command) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = c.Run(t.Context(), &out, &err)
	return out.String(), err.String(), code
}

// The three commands one after the other on one folder.
func TestTables(t *testing.T) {
	data := t.TempDir()
	file := func(n string) string { return filepath.Join(data, "tables", "draughts-"+n+".endings") }
	for _, step := range []struct {
		name           string
		c              command
		stdout, stderr string // stderr holds this
		code           int
	}{
		{"nothing to verify", Verify{Data: data}, "", "no tables of 2 pieces", 2},
		{"too few", Build{Data: data, Pieces: 1}, "", "1 is not from 2 to 5", 2},
		{"too many", Build{Data: data, Pieces: 6}, "", "6 is not from 2 to 5", 2},
		{"built", Build{Data: data, Pieces: 3},
			`{"pieces":2,"file":"` + file("2") + `","bytes":9728,"built":true}
{"pieces":3,"file":"` + file("3") + `","bytes":223488,"built":true}
`, "3 pieces: 100 %", 0},
		{"built before", Build{Data: data, Pieces: 2}, `{"pieces":2,"file":"` + file("2") + `","bytes":9728,"built":false}` + "\n", "", 0},
		{"verified", Verify{Data: data, Sample: 0, Pieces: 2},
			`{"pieces":2,"positions":6976,"won":2582,"drawn":3014,"lost":1380,"longest":13,"faults":0}` + "\n", "", 0},
		{"verified by samples", Verify{Data: data, Sample: 1000, Seed: 1},
			`{"pieces":2,"positions":1000,"won":383,"drawn":440,"lost":177,"longest":13,"faults":0}
{"pieces":3,"positions":1000,"won":328,"drawn":493,"lost":179,"longest":21,"faults":0}
`, "", 0},
		{"more than there are", Verify{Data: data, Sample: 10, Pieces: 4},
			`{"pieces":2,"positions":10,"won":5,"drawn":4,"lost":1,"longest":6,"faults":0}
{"pieces":3,"positions":10,"won":3,"drawn":5,"lost":2,"longest":4,"faults":0}
`, "no tables of 4 pieces", 2},
		{"bad sample", Verify{Data: data, Sample: -1}, "", "--sample", 2},
		{"a win", Probe{Data: data, FEN: "W:WKa1,Kc1:BKh8"},
			`{"fen":"W:WKa1,Kc1:BKh8","wdl":"win","distance":3,"best":["c1-a3","c1-b2","c1-d2","c1-e3","c1-f4","c1-g5","c1-h6"]}` + "\n", "", 0},
		{"a draw", Probe{Data: data, FEN: "B:Bh8:Wb2"}, `{"fen":"B:Wb2:Bh8","wdl":"draw","distance":null,"best":["h8-g7"]}` + "\n", "", 0},
		{"nothing left", Probe{Data: data, FEN: "W:W:Bh8"}, `{"fen":"W:W:Bh8","wdl":"loss","distance":0,"best":[]}` + "\n", "", 0},
		{"five pieces that nobody built", Probe{Data: data, FEN: "W:WKa1,Kc1:BKh8,Kb8,d8"}, "", "tables build --pieces 5", 1},
		{"six pieces", Probe{Data: data, FEN: "W:WKa1,Kc1,c3:BKh8,Kb8,d8"}, "", "6 pieces", 1},
		{"no position", Probe{Data: data, FEN: "W"}, "", "--fen", 2},
	} {
		stdout, stderr, code := run(t, step.c)
		if stdout != step.stdout || code != step.code || !strings.Contains(stderr, step.stderr) {
			t.Errorf("%s: exit %d, stderr %q\ngot  %s\nwant %s, exit %d, %q", step.name, code, stderr, stdout, step.stdout, step.code, step.stderr)
		}
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	data := t.TempDir()
	if _, stderr, code := run(t, Build{Data: data, Pieces: 2}); code != 0 {
		t.Fatal(stderr)
	}
	file := filepath.Join(data, "tables", "draughts-2.endings")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)-5] ^= 8
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := run(t, Verify{Data: data}); code != 1 || stdout != "" || !strings.Contains(stderr, "damaged") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if _, stderr, code := run(t, Build{Data: data, Pieces: 2}); code != 0 || !strings.Contains(stderr, "built anew") {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
}

func TestStopped(t *testing.T) {
	data := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := (Build{Data: data, Pieces: 2}).Run(ctx, io.Discard, io.Discard); code != 1 {
		t.Errorf("a build that was stopped: exit %d", code)
	}
	run(t, Build{Data: data, Pieces: 2})
	if code := (Verify{Data: data}).Run(ctx, io.Discard, io.Discard); code != 1 {
		t.Errorf("a verification that was stopped: exit %d", code)
	}
}
