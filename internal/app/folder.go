package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// lockName is the file that marks a data folder and that its process locks.
const lockName = "lock"

// ourNames may stand in a data folder before its first start.
var ourNames = []string{lockName, "keys", "nats", "tables", "tls", "lost+found"}

// openFolder makes the data folder private. A folder that holds other things is
// refused rather than closed to their owner.
func openFolder(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return &OptionError{"--data", err.Error()}
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return &OptionError{"--data", err.Error()}
	}
	ours := slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == lockName })
	for _, e := range entries {
		if !ours && !slices.Contains(ourNames, e.Name()) && !isDatabase(e.Name()) {
			return &OptionError{"--data", fmt.Sprintf("%s holds other things (%s); name an empty folder", path, e.Name())}
		}
	}
	if err := os.Chmod(path, 0o700); err != nil {
		return &OptionError{"--data", err.Error()}
	}
	return nil
}

// isDatabase says whether a file is a database or lies beside one, as after a
// backup is put back.
func isDatabase(name string) bool {
	for _, suffix := range []string{"-wal", "-shm", ".lock"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return strings.HasSuffix(name, ".db")
}

// lockFolder takes the folder for this process: alone, or together with others
// that keep only keys there. The lock ends with the process, however it ends.
func lockFolder(path string, alone bool) (release func() error, err error) {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	f, err := os.OpenFile(filepath.Join(path, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, &OptionError{"--data", err.Error()}
	}
	err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, &OptionError{"--data", path + " is in use by another tabuleiro; stop that one or name another folder"}
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("locking the data folder: %w", err)
	}
	return f.Close, nil
}
