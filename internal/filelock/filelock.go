// Package filelock keeps processes on one machine out of each other's way.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// poll is how often a lock that another process holds is tried again; flock
// cannot be interrupted, so it is asked without waiting.
const poll = 20 * time.Millisecond

// Hold waits for the lock of a file, which is made where there is none, and holds
// it until the returned function is called or the process ends. The file stays;
// removing it would let two hold "the" lock.
func Hold(ctx context.Context, path string) (release func() error, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f.Close, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("wait for the lock of %s: %w", path, ctx.Err()), f.Close())
		case <-tick.C:
		}
	}
}
