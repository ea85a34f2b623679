package tables

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/endings"
)

// quick is the number of pieces that tests build tables of; more take seconds
// with the race detector.
const quick = 3

func newStore(t *testing.T, data string) (*Store, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	s := New(data, slog.New(slog.NewTextHandler(&log, nil)))
	s.first = quick
	return s, &log
}

// load loads all tables up to quick pieces and says which had to be built.
func load(t *testing.T, s *Store) (built []int) {
	t.Helper()
	for n := endings.MinPieces; n <= quick; n++ {
		anew, err := s.Load(t.Context(), n, nil)
		if err != nil {
			t.Fatalf("load %d pieces: %v", n, err)
		}
		if anew {
			built = append(built, n)
		}
	}
	return built
}

// wantValues fails if the store knows wrong values, or none.
func wantValues(t *testing.T, s *Store) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 3))
	var moves draughts.MoveList
	for range 2000 {
		p := endings.Sample(quick, random)
		if fault := endings.Check(s.Probe(), &p, &moves); fault != nil {
			t.Fatal(fault)
		}
		if _, _, ok := s.Probe().Probe(&p); !ok {
			t.Fatalf("%s is not covered", p.Text())
		}
	}
}

func TestTablesAreBuiltOnce(t *testing.T) {
	data := t.TempDir()
	first, _ := newStore(t, data)
	p, err := draughts.Parse("W:WKa1:BKb8")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := first.Probe().Probe(&p); ok {
		t.Error("a value before anything is loaded")
	}
	if got := load(t, first); len(got) != 2 {
		t.Errorf("built %v, want 2 and 3", got)
	}
	wantValues(t, first)
	second, log := newStore(t, data)
	if got := load(t, second); len(got) != 0 {
		t.Errorf("built %v again", got)
	}
	wantValues(t, second)
	if log.Len() != 0 {
		t.Errorf("logged %s", log)
	}
}

// Whatever happened to a file, it is said and the file built anew.
func TestDamagedFilesAreBuiltAnew(t *testing.T) {
	good := t.TempDir()
	s, _ := newStore(t, good)
	load(t, s)
	whole, err := os.ReadFile(s.file(quick))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, said string
		damage     func(file []byte) []byte
	}{
		{"one bit of the content", "content is damaged", func(f []byte) []byte { f[headerSize+1000] ^= 4; return f }},
		{"the last byte", "content is damaged", func(f []byte) []byte { f[len(f)-1] ^= 1; return f }},
		{"cut off", "bytes, not", func(f []byte) []byte { return f[:len(f)-1] }},
		{"cut off in the header", "bytes, not", func(f []byte) []byte { return f[:10] }},
		{"empty", "it has 0 bytes", func([]byte) []byte { return nil }},
		{"longer", "bytes, not", func(f []byte) []byte { return append(f, 0) }},
		{"another kind of file", "no file of tables", func(f []byte) []byte { copy(f, "SQLite"); return f }},
		{"a checksum in the header", "header is damaged", func(f []byte) []byte { f[24] ^= 1; return f }},
		{"a block of zeros", "no file of tables", func(f []byte) []byte { clear(f[:headerSize]); return f }},
		{"another version", "version 9, not 1", func(f []byte) []byte {
			h := newHeader(quick, f[headerSize:])
			h.Version = 9
			h.Own = h.sum()
			copy(f, h.bytes())
			return f
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, log := newStore(t, t.TempDir())
			load(t, s)
			if err := os.WriteFile(s.file(quick), tt.damage(bytes.Clone(whole)), 0o600); err != nil {
				t.Fatal(err)
			}
			again := New(filepath.Dir(s.folder), s.log)
			if got := load(t, again); len(got) != 1 || got[0] != quick {
				t.Errorf("built %v, want 3", got)
			}
			if !strings.Contains(log.String(), tt.said) || !strings.Contains(log.String(), name(quick)) {
				t.Errorf("said %s, want %q and the file", log, tt.said)
			}
			wantValues(t, again)
			if now, err := os.ReadFile(s.file(quick)); err != nil || !bytes.Equal(now, whole) {
				t.Errorf("the file was not built anew: %v", err)
			}
		})
	}
}

// Of several processes, of which each has its own lock, one builds.
func TestStoresTakeTurns(t *testing.T) {
	data := t.TempDir()
	var wait sync.WaitGroup
	stores := make([]*Store, 4)
	built := make([]int, len(stores))
	for i := range stores {
		stores[i], _ = newStore(t, data)
		wait.Go(func() {
			for n := endings.MinPieces; n <= quick; n++ {
				anew, err := stores[i].Load(t.Context(), n, nil)
				if err != nil {
					t.Error(err)
				}
				if anew {
					built[i]++
				}
			}
		})
	}
	wait.Wait()
	sum := 0
	for i, s := range stores {
		sum += built[i]
		wantValues(t, s)
	}
	if sum != 2 {
		t.Errorf("%d files were built, want 2", sum)
	}
}

func TestLeftoversOfKilledProcessesGo(t *testing.T) {
	s, _ := newStore(t, t.TempDir())
	if err := os.Mkdir(s.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(s.folder, "1234.partial")
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	load(t, s)
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if want := "draughts-2.endings draughts-3.endings lock"; strings.Join(got, " ") != want {
		t.Errorf("the folder has %v, want %s", got, want)
	}
}

// Where a file cannot be written, the tables are used from memory.
func TestTablesThatCannotBeWritten(t *testing.T) {
	s, log := newStore(t, t.TempDir())
	// A folder that is not empty cannot be renamed over.
	if err := os.MkdirAll(filepath.Join(s.file(2), "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := s.Load(t.Context(), 2, nil)
	if unsaved, ok := errors.AsType[*UnsavedError](err); !ok || unsaved.File != s.file(2) {
		t.Errorf("got %v, want *UnsavedError", err)
	}
	if n, err := s.Prepare(t.Context()); err != nil || n != s.first {
		t.Errorf("%d pieces: %v", n, err)
	}
	if n := s.Present(); n != 0 {
		t.Errorf("files of %d pieces are present", n)
	}
	wantValues(t, s)
	if !strings.Contains(log.String(), "kept in memory") {
		t.Errorf("said %s", log)
	}
}

func TestRunLoadsAndEnds(t *testing.T) {
	s, log := newStore(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Run(ctx); err != nil { // stopped while it builds: nothing to say
		t.Error(err)
	}
	if s.tables.Pieces() != 0 || log.Len() != 0 {
		t.Errorf("loaded %d pieces, said %s", s.tables.Pieces(), log)
	}
	ctx, cancel = context.WithCancel(t.Context())
	ended := make(chan error, 1)
	s, _ = newStore(t, filepath.Dir(s.folder))
	go func() { ended <- s.Run(ctx) }()
	<-s.loaded
	if len(ended) > 0 {
		t.Error("it ended by itself")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	wantValues(t, s)
}

func TestStoppedBuilding(t *testing.T) {
	s, _ := newStore(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Load(ctx, 2, func(int, int) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
	if _, err := os.Stat(s.file(2)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file of what was not finished: %v", err)
	}
	if _, err := s.Load(t.Context(), 3, nil); err == nil {
		t.Error("tables of 3 pieces without those of 2")
	}
}
