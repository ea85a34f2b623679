package tables

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"tabuleiro/internal/filelock"
	"tabuleiro/services/search/engine/endings"
)

// FirstUse is the number of pieces up to which Run builds tables.
const FirstUse = 4

// Store is the tables in a folder. It is safe for concurrent use.
type Store struct {
	folder string
	log    *slog.Logger
	first  int // FirstUse, but in tests
	tables endings.Tables
	loaded chan struct{} // closed once Run has loaded what it can
}

// New is the tables in the folder tables/ of a data folder. It reads nothing yet.
func New(data string, log *slog.Logger) *Store {
	return &Store{folder: filepath.Join(data, "tables"), log: log, first: FirstUse, loaded: make(chan struct{})}
}

// Probe reads values from what has been loaded so far.
func (s *Store) Probe() endings.Probe { return &s.tables }

// Run loads what there is, builds the tables of up to FirstUse pieces where there
// are none, and waits for the end of ctx. It works at the lowest priority. What
// fails is said and leaves searches without these tables, nothing more. It is
// called once.
func (s *Store) Run(ctx context.Context) error { return s.run(ctx, false) }

func (s *Store) run(ctx context.Context, awaited bool) error {
	go func() {
		defer close(s.loaded)
		if !awaited {
			// Not unlocked: the thread ends with the goroutine, and its priority with it.
			runtime.LockOSThread()
			lowPriority()
		}
		if _, err := s.Prepare(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("draughts are searched without tables of endings", "error", err)
		}
	}()
	<-s.loaded
	<-ctx.Done()
	return nil
}

// Prepare loads what there is and builds the tables of up to FirstUse pieces where there
// are none. It returns the most pieces of which there are tables now, 0 for none.
func (s *Store) Prepare(ctx context.Context) (pieces int, err error) {
	for n := endings.MinPieces; n <= endings.MaxPieces; n++ {
		if n > s.first { // loaded, and mended, where somebody has had them built
			if _, err := os.Stat(s.file(n)); errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
		_, err := s.Load(ctx, n, nil)
		if unsaved, ok := errors.AsType[*UnsavedError](err); ok {
			s.log.Warn("tables of endings are kept in memory alone", "pieces", n, "error", unsaved)
		} else if err != nil {
			return pieces, err
		}
		pieces = n
	}
	return pieces, nil
}

// Present loads what there is, up to what is missing or damaged, and builds nothing. It
// returns the most pieces of which there are tables now, 0 for none.
func (s *Store) Present() (pieces int) {
	for n := endings.MinPieces; n <= endings.MaxPieces && s.Open(n) == nil; n++ {
		pieces = n
	}
	return pieces
}

// UnsavedError says that tables were built, and are in use, but could not be
// written to their file.
type UnsavedError struct {
	File string
	Err  error
}

func (e *UnsavedError) Error() string { return "write " + e.File + ": " + e.Err.Error() }

func (e *UnsavedError) Unwrap() error { return e.Err }

// Load makes the tables of exactly that many pieces ready, after those of fewer,
// and says whether they had to be built. Progress, which may be nil, is told from
// time to time how many bytes are done. The error is *UnsavedError where the
// tables are ready in memory alone.
func (s *Store) Load(ctx context.Context, pieces int, progress func(done, total int)) (built bool, err error) {
	if data, err := open(s.folder, pieces); err == nil {
		return false, s.add(pieces, data)
	}
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return false, err
	}
	release, err := filelock.Hold(ctx, filepath.Join(s.folder, "lock"))
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, release()) }()
	data, err := open(s.folder, pieces) // another process may have been faster
	if err == nil {
		return false, s.add(pieces, data)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("a file of tables is built anew", "file", s.file(pieces), "error", err)
	}
	return true, s.build(ctx, pieces, progress)
}

// Open loads the tables of exactly that many pieces from their file and builds
// nothing. The error is fs.ErrNotExist where there is no file.
func (s *Store) Open(pieces int) error {
	data, err := open(s.folder, pieces)
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.file(pieces), err)
	}
	return s.add(pieces, data)
}

// File is where the tables of that many pieces are kept, and how many bytes the
// file has.
func (s *Store) File(pieces int) (path string, size int64, err error) {
	info, err := os.Stat(s.file(pieces))
	if err != nil {
		return s.file(pieces), 0, err
	}
	return s.file(pieces), info.Size(), nil
}

// build makes tables and their file, and loads them from it.
func (s *Store) build(ctx context.Context, pieces int, progress func(done, total int)) error {
	data, free, err := memory(endings.Size(pieces))
	if err != nil {
		return err
	}
	err = s.tables.Build(pieces, data, func(done, total int) bool {
		if progress != nil {
			progress(done, total)
		}
		return ctx.Err() == nil
	})
	if errors.Is(err, endings.ErrStopped) {
		return errors.Join(ctx.Err(), free())
	}
	if err != nil {
		return errors.Join(err, free())
	}
	if err := write(s.folder, pieces, data); err != nil {
		return errors.Join(&UnsavedError{s.file(pieces), err}, s.add(pieces, data))
	}
	if err := free(); err != nil {
		return err
	}
	mapped, err := open(s.folder, pieces)
	if err != nil {
		return fmt.Errorf("%s, which was just written: %w", s.file(pieces), err)
	}
	s.log.Info("tables of endings built", "pieces", pieces, "file", s.file(pieces))
	return s.add(pieces, mapped)
}

func (s *Store) add(pieces int, data []byte) error { return s.tables.Add(pieces, data) }

func (s *Store) file(pieces int) string { return filepath.Join(s.folder, name(pieces)) }
