//go:build diskfaults

package torture

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

// These tests break the disk under the built binary while people play: it is full,
// or the kernel says that what was written did not reach it. They mount and trace,
// for which one must be root; scripts/test.sh disk-faults runs them in a mount
// namespace of its own, so that nothing of it is left however they end.

// diskSize has room for the databases and what a run writes, and is filled soon.
const diskSize = 48 << 20

// noticeTime bounds how long a broken disk may stay unnoticed by people who play.
const noticeTime = 60 * time.Second

// breaker is a run whose disk is broken.
type breaker struct {
	t    *testing.T
	up   *shapetest.Unit
	disk string
	// told counts what the players are told; set when the run begins.
	told func() int
	// ends counts the times at which the process gave up, in order.
	ends int
}

func newBreaker(t *testing.T) (*breaker, *shapetest.Shape) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("to mount a small disk and to trace a process one must be root")
	}
	b := &breaker{t: t, disk: t.TempDir()}
	if err := syscall.Mount("tmpfs", b.disk, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0755", diskSize)); err != nil {
		t.Fatalf("mounting a small disk: %v", err)
	}
	// The processes that hold it end later than this.
	t.Cleanup(func() {
		if err := syscall.Unmount(b.disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s := shapetest.AllInOne(t, shapetest.Options{Data: filepath.Join(b.disk, "data")})
	b.up = s.Unit("up")
	return b, s
}

// fill leaves so many bytes of the disk.
func (b *breaker) fill(leave int64) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(b.disk, &disk); err != nil {
		return fmt.Errorf("looking at the disk: %w", err)
	}
	b.t.Logf("the disk is filled but for %d bytes; free are %d", leave, int64(disk.Bavail)*disk.Bsize)
	f, err := os.OpenFile(filepath.Join(b.disk, "ballast"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	block := make([]byte, 4096)
	for room := int64(disk.Bavail)*disk.Bsize - leave; room > 0; room -= int64(len(block)) {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			break
		} else if err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

func (b *breaker) free() error { return os.Remove(filepath.Join(b.disk, "ballast")) }

// noticed waits until players were told or the process gave up. One that goes on
// must; one that ends does so in order, with an exit code, not by a crash.
func (b *breaker) noticed(ctx context.Context, before int) (ended bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, noticeTime)
	defer cancel()
	err = shapetest.Poll(ctx, func() (bool, error) {
		exit := 0
		if exit, ended = b.up.AwaitEnd(0); ended {
			b.ends++
			b.t.Logf("the process ended with exit code %d", exit)
			if exit != 1 {
				return true, fmt.Errorf("the process ended with exit code %d, want 1", exit)
			}
		}
		return ended || b.told() > before, nil
	})
	if err != nil {
		return ended, fmt.Errorf("nobody noticed the disk: %w", err)
	}
	return ended, nil
}

// recovered starts the process where it ended.
func (b *breaker) recovered(ended bool) error {
	if !ended {
		// It may end a moment after it said so.
		_, ended = b.up.AwaitEnd(3 * time.Second)
	}
	if ended {
		return b.up.Start()
	}
	return nil
}

// torment lets people play while the disk breaks in so many ways.
func (b *breaker) torment(s *shapetest.Shape, harm ...func(context.Context) error) {
	b.t.Helper()
	cfg := Config{
		Games: 12, Tables: 4, Every: 4 * time.Second, Victims: []string{"up"}, Kills: 1,
		Harm: harm, Hears: func(told func() int) { b.told = told },
	}
	report := torment(b.t, s, cfg)
	b.t.Logf("players were told %d times, the process ended by itself %d times", report.Told, b.ends)
	if report.Told+b.ends < len(harm) {
		b.t.Error("some harm was not noticed: the test proves nothing")
	}
}

// A disk that is full loses nothing that was promised; players are told, and it
// goes on when there is room again: by itself, or after a restart where SQLite
// could not go on.
func TestDiskFull(t *testing.T) {
	b, s := newBreaker(t)
	full := func(leave int64, meanwhile func() error) func(context.Context) error {
		return func(ctx context.Context) error {
			before := b.told()
			if err := b.fill(leave); err != nil {
				return err
			}
			ended, err := b.noticed(ctx, before)
			if err == nil && !ended && meanwhile != nil {
				err, ended = meanwhile(), true
			}
			return errors.Join(err, b.free(), b.recovered(ended))
		}
	}
	b.torment(s, full(0, nil), full(100<<10, nil), full(8<<10, b.up.Kill), full(0, b.up.Kill))
}

// A failed fsync is never followed by an acknowledgement: the kernel may have
// dropped what was not written, and a later fsync that succeeds proves nothing.
// The process stops, and after its restart nothing that was promised is missing.
func TestFsyncFails(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Fatal("strace is missing: apt-get install strace")
	}
	b, s := newBreaker(t)
	inject := func(what string) func(context.Context) error {
		return func(ctx context.Context) error {
			trace, err := b.trace(what)
			if err != nil {
				return err
			}
			ended, err := b.noticed(ctx, b.told())
			if err == nil && !ended {
				// It says so until it has stopped.
				exit := 0
				if exit, ended = b.up.AwaitEnd(noticeTime); !ended || exit != 1 {
					err = fmt.Errorf("after %s the process goes on (exit code %d)", what, exit)
				}
				b.ends++
			}
			return errors.Join(err, trace(), b.recovered(ended))
		}
	}
	b.torment(s,
		inject("fsync,fdatasync:error=EIO"),
		inject("fsync,fdatasync:error=EIO:when=3"), // the next would succeed
		inject("fsync,fdatasync:error=ENOSPC:when=2+2"),
		inject("pwrite64:error=EIO:when=5+"),
	)
}

// trace makes system calls of the process fail from now on, until end.
func (b *breaker) trace(what string) (end func() error, err error) {
	calls, _, _ := strings.Cut(what, ":")
	cmd := exec.Command("strace", "-f", "-qq", "-o", "/dev/null", "-p", strconv.Itoa(b.up.PID()),
		"-e", "trace="+calls, "-e", "inject="+what)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	heard, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	b.t.Logf("from now on %s", what)
	said := make(chan string, 1)
	go func() {
		var all strings.Builder
		lines := bufio.NewScanner(heard)
		for lines.Scan() {
			all.WriteString(lines.Text() + "\n")
		}
		said <- all.String()
	}()
	return func() error {
		_ = cmd.Process.Signal(syscall.SIGINT) // it may have ended with the process
		text := <-said
		err := cmd.Wait()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() && text != "" {
			return fmt.Errorf("strace: %w: %s", err, text)
		}
		return nil
	}, nil
}
