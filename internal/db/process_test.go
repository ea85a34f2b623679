package db_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
)

// The environment that makes the test binary a child which does one thing.
const (
	childEnv  = "TABULEIRO_DB_CHILD"
	driverEnv = "TABULEIRO_DB_DRIVER"
	pathEnv   = "TABULEIRO_DB_PATH"
	urlEnv    = "TABULEIRO_DB_URL"
	schemaEnv = "TABULEIRO_DB_SCHEMA"
)

func TestMain(m *testing.M) {
	child := map[string]func(*db.DB) error{
		"commit":  childCommit,
		"migrate": func(*db.DB) error { return nil },
		"broken":  childBroken,
	}[os.Getenv(childEnv)]
	if child == nil {
		os.Exit(m.Run())
	}
	cfg := db.Config{Driver: os.Getenv(driverEnv), Path: os.Getenv(pathEnv), URL: os.Getenv(urlEnv), Schema: os.Getenv(schemaEnv)}
	d, err := db.Open(context.Background(), cfg, os.DirFS("testdata/migrations"), nil)
	if err == nil {
		err = errors.Join(child(d), d.Close())
	}
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// childProcess is this test binary as a child on cfg.
func childProcess(t *testing.T, what string, cfg db.Config) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+what, driverEnv+"="+cfg.Driver, pathEnv+"="+cfg.Path, urlEnv+"="+cfg.URL, schemaEnv+"="+cfg.Schema)
	cmd.Stderr = os.Stderr
	return cmd
}

// childCommit commits for ever and prints each id after it was acknowledged.
func childCommit(d *db.DB) error {
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := 0; ; i++ {
				id := fmt.Sprintf("%d-%d", g, i)
				if err := d.Write(context.Background(), insert(id, 1)); err != nil {
					fmt.Println("failed:", err)
					return
				}
				fmt.Println(id)
			}
		})
	}
	wg.Wait()
	return nil
}

// What was acknowledged before kill -9 is there afterwards. (The page cache
// survives a killed process: that commits are synced is not shown by this test,
// but by synchronous = FULL in TestSQLiteSettings.)
func TestKillLosesNothing(t *testing.T) {
	for _, cfg := range []db.Config{
		{Driver: db.DriverSQLite, Path: filepath.Join(t.TempDir(), "test.db")},
		dbtest.PostgresConfig(t),
	} {
		t.Run(cfg.Driver, func(t *testing.T) {
			cmd := childProcess(t, "commit", cfg)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			acknowledged := map[string]bool{}
			r := bufio.NewReader(out)
			for {
				line, err := r.ReadString('\n')
				if err != nil { // what came without its end was not printed whole
					break
				}
				if strings.HasPrefix(line, "failed") {
					t.Fatal(line)
				}
				acknowledged[strings.TrimSpace(line)] = true
				if len(acknowledged) == 200 {
					if err := cmd.Process.Kill(); err != nil {
						t.Fatal(err)
					}
				}
			}
			_ = cmd.Wait() // killed
			if len(acknowledged) < 200 {
				t.Fatalf("only %d acknowledged", len(acknowledged))
			}
			d := dbtest.Open(t, cfg, migrations(t))
			found := map[string]bool{}
			for _, id := range ids(t, d) {
				found[id] = true
			}
			for id := range acknowledged {
				if !found[id] {
					t.Errorf("%s was acknowledged and is gone", id)
				}
			}
			mustWrite(t, d, insert("after", 1))
		})
	}
}

// Processes that start at once migrate once.
func TestMigrateAtOnce(t *testing.T) {
	for _, cfg := range []db.Config{
		{Driver: db.DriverSQLite, Path: filepath.Join(t.TempDir(), "test.db")},
		dbtest.PostgresConfig(t),
	} {
		t.Run(cfg.Driver, func(t *testing.T) {
			var wg sync.WaitGroup
			for range 5 {
				wg.Go(func() {
					if out, err := childProcess(t, "migrate", cfg).Output(); err != nil {
						t.Errorf("%v: %s", err, out)
					}
				})
			}
			wg.Wait()
			d := dbtest.Open(t, cfg, migrations(t))
			mustWrite(t, d, insert("a", 1))
			var n, most int
			if err := d.Read().QueryRowContext(t.Context(), "SELECT COUNT(*), MAX(version_id) FROM goose_db_version WHERE version_id > 0").Scan(&n, &most); err != nil || n != 2 || most != 2 {
				t.Errorf("got %d migrations up to %d, %v, want 2 up to 2", n, most, err)
			}
		})
	}
}

// childBroken meets a write-ahead log that cannot be written.
func childBroken(d *db.DB) error {
	ctx := context.Background()
	if err := d.Write(ctx, insert("before", 1)); err != nil {
		return err
	}
	ran := make(chan error, 1)
	go func() { ran <- d.Run(ctx) }()
	signal.Ignore(syscall.SIGXFSZ)
	info, err := os.Stat(os.Getenv(pathEnv) + "-wal")
	if err != nil {
		return err
	}
	size := uint64(info.Size()) + 100
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: size}); err != nil {
		return err
	}
	if err := d.Write(ctx, insert("broken", 1)); !errors.Is(err, db.ErrUnknown) {
		return fmt.Errorf("first: got %w, want ErrUnknown", err)
	}
	if err := d.Write(ctx, insert("later", 1)); !errors.Is(err, db.ErrUnavailable) {
		return fmt.Errorf("later: got %w, want ErrUnavailable", err)
	}
	if err := d.Health(ctx); !errors.Is(err, db.ErrUnavailable) {
		return fmt.Errorf("health: got %w, want ErrUnavailable", err)
	}
	if err := <-ran; !errors.Is(err, db.ErrUnavailable) {
		return fmt.Errorf("Run: got %w, want ErrUnavailable", err)
	}
	var n int
	if err := d.Read().QueryRowContext(ctx, "SELECT COUNT(*) FROM item").Scan(&n); err != nil || n != 1 {
		return fmt.Errorf("reading: got %d, %w", n, err)
	}
	os.Exit(0) // closing would write
	return nil
}

// After a commit failed with an I/O error the writer acknowledges nothing more.
func TestBrokenDisk(t *testing.T) {
	cfg := db.Config{Driver: db.DriverSQLite, Path: filepath.Join(t.TempDir(), "test.db")}
	if out, err := childProcess(t, "broken", cfg).Output(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	d := dbtest.Open(t, cfg, migrations(t))
	mustWrite(t, d, insert("after", 1))
}
