package rules

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"tabuleiro/bench/measure"
	"tabuleiro/games/chess"
	"tabuleiro/games/chess/pgn"
)

// The sizes of the two files, in bytes: memory is constant where reading the
// larger one needs no more of it.
const (
	smallFile = 21 << 20
	largeFile = 4 * smallFile
)

// contents is what a file of records holds.
type contents struct {
	Bytes, Games, Plies int
}

// records reads files of games with seven tags and no comments, checking every
// move against the rules.
func records(cfg Config, run *measure.Run) error {
	folder, err := os.MkdirTemp("", "tabuleiro-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	small, large := filepath.Join(folder, "small.pgn"), filepath.Join(folder, "large.pgn")
	want, err := generate(small, cfg.Seed, smallFile)
	if err != nil {
		return err
	}
	if _, err := generate(large, cfg.Seed+1, largeFile); err != nil {
		return err
	}
	run.Notes = append(run.Notes, fmt.Sprintf("PGN: %d random games of %d plies, %.1f MB, seven tags, no comments, every move checked.",
		want.Games, want.Plies, float64(want.Bytes)/1e6))

	var s series
	for range cfg.Rounds {
		var got contents
		used, err := measure.Spent(func() error { got, err = readRecords(small); return err })
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("read %+v, but wrote %+v", got, want)
		}
		s.add("PGN read and validated", "MB/s", float64(got.Bytes)/1e6/used.Seconds())
		s.add("PGN plies read and validated", "Mplies/s", float64(got.Plies)/1e6/used.Seconds())
	}
	for _, file := range []struct {
		name string
		size int
	}{{os.DevNull, 0}, {small, smallFile}, {large, largeFile}} {
		peak, err := peakMemory(cfg.Self, file.name)
		if err != nil {
			return err
		}
		s.add(fmt.Sprintf("PGN peak memory of a process that reads %d MB", file.size/1_000_000), "MB", peak)
	}
	run.Figures = append(run.Figures, s.figures(map[string][2]float64{"PGN read and validated": {25, 60}})...)
	return nil
}

// generate writes a file of at least a size.
func generate(file string, seed uint64, size int) (contents, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	out, err := os.Create(file)
	if err != nil {
		return contents{}, err
	}
	buffered := bufio.NewWriterSize(out, 1<<20)
	counted := &counter{out: buffered}
	w := pgn.NewWriter(counted)
	var made contents
	for counted.n < size {
		length := 1 + (rng.IntN(80)+rng.IntN(80)+rng.IntN(80))*2/3
		g := pgn.Game{
			Tags: []pgn.Tag{
				{Name: "Event", Value: "Torneio aberto de Vila Nova"}, {Name: "Site", Value: "Vila Nova"},
				{Name: "Date", Value: fmt.Sprintf("20%02d.%02d.%02d", rng.IntN(26), 1+rng.IntN(12), 1+rng.IntN(28))},
				{Name: "Round", Value: fmt.Sprint(1 + rng.IntN(9))},
				{Name: "White", Value: fmt.Sprintf("Silva, Ana %d", rng.IntN(999))},
				{Name: "Black", Value: fmt.Sprintf("Popescu, Ion %d", rng.IntN(999))},
			},
			Start:  chess.Start(),
			Line:   pgn.Line{Moves: random(rng, length)},
			Result: []pgn.Result{pgn.WhiteWins, pgn.BlackWins, pgn.Drawn}[rng.IntN(3)],
		}
		if err := w.Write(&g); err != nil {
			return contents{}, errors.Join(err, out.Close())
		}
		made.Games++
		made.Plies += len(g.Moves)
	}
	made.Bytes = counted.n
	return made, errors.Join(buffered.Flush(), out.Close())
}

// counter counts what is written through it.
type counter struct {
	out io.Writer
	n   int
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.out.Write(b)
	c.n += n
	return n, err
}

// readRecords reads a file of which no game may have a fault.
func readRecords(file string) (contents, error) {
	in, err := os.Open(file)
	if err != nil {
		return contents{}, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return contents{}, err
	}
	got := contents{Bytes: int(info.Size())}
	var g pgn.Game
	for r := pgn.NewReader(in, pgn.Config{}); ; {
		switch err := r.Next(&g); {
		case errors.Is(err, io.EOF):
			return got, nil
		case err != nil:
			return got, err
		case len(g.Errors) > 0:
			return got, g.Errors[0]
		}
		got.Games++
		got.Plies += len(g.Moves)
	}
}

// ReadRecords is what a process of its own does for peakMemory: it reads a file
// and writes the most memory, in kB, that it had in use. (What getrusage tells of
// a child begins with its parent's.)
func ReadRecords(file string, out io.Writer) error {
	if _, err := readRecords(file); err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(status)) {
		if peak, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			_, err := fmt.Fprintln(out, strings.Fields(peak)[0])
			return err
		}
	}
	return errors.New("the system does not tell what memory a process used")
}

// peakMemory is the most resident memory, in MB, of a process that reads a file.
func peakMemory(self, file string) (float64, error) {
	cmd := exec.Command(self, "-read", file)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("reading records in a process: %w", err)
	}
	kB, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		return 0, fmt.Errorf("reading a process's memory: %w", err)
	}
	return float64(kB) * 1024 / 1e6, nil
}
