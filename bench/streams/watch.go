package streams

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// crowd are the streams that this process holds open to one server.
type crowd struct {
	conns []net.Conn
	round atomic.Pointer[round]
	// lost counts the streams that ended by themselves.
	lost atomic.Int64
	// status is the last answer that was none.
	status  atomic.Value
	closing atomic.Bool
	readers sync.WaitGroup
}

// round is one event on its way to everybody.
type round struct {
	// mark is in a frame of this event and of no other.
	mark  []byte
	began time.Time
	took  chan time.Duration
}

// dialling is how many connections are made at once.
const dialling = 64

// gather opens so many streams and waits until each has had its first frames,
// which end with what last says.
func gather(address, path string, n int, last string) (*crowd, error) {
	c := &crowd{conns: make([]net.Conn, n)}
	var next atomic.Int64
	var all sync.WaitGroup
	failed := make(chan error, dialling)
	ready := make(chan struct{}, n)
	for range dialling {
		all.Go(func() {
			for {
				i := next.Add(1) - 1
				if i >= int64(n) {
					return
				}
				conn, err := open(address, path, false)
				if err != nil {
					failed <- err
					return
				}
				c.conns[i] = conn
				c.readers.Go(func() { c.read(conn, []byte(last), ready) })
			}
		})
	}
	all.Wait()
	close(failed)
	if err := <-failed; err != nil {
		c.close()
		return nil, err
	}
	limit := time.NewTimer(2 * time.Minute)
	defer limit.Stop()
	for range n {
		select {
		case <-ready:
		case <-limit.C:
			c.close()
			return nil, fmt.Errorf("of %d streams of %s some never began, %d of them were ended; a status: %q", n, address, c.lost.Load(), c.status.Load())
		}
	}
	return c, nil
}

// open asks for a stream. One that is to stall takes as little as it can.
func open(address, path string, stalls bool) (net.Conn, error) {
	dialer := net.Dialer{Timeout: time.Minute}
	if stalls {
		dialer.Control = func(_, _ string, raw syscall.RawConn) (err error) {
			if failed := raw.Control(func(fd uintptr) {
				if err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, 2048); err == nil {
					err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_MAXSEG, 536)
				}
			}); failed != nil {
				return failed
			}
			return err
		}
	}
	conn, err := dialer.DialContext(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n\r\n", path, address); err != nil {
		return nil, err
	}
	return conn, nil
}

// read follows one stream line by line.
func (c *crowd) read(conn net.Conn, last []byte, ready chan<- struct{}) {
	in := bufio.NewReaderSize(conn, 1024)
	began, inside := false, false
	var had *round
	var status []byte
	for {
		line, err := in.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			if !c.closing.Load() {
				c.lost.Add(1)
			}
			return
		}
		if status == nil {
			status = bytes.Clone(line)
			if !bytes.Contains(status, []byte(" 200 ")) {
				c.status.Store(string(status))
				c.lost.Add(1)
				return
			}
		}
		if !began && bytes.Contains(line, last) {
			began = true
			ready <- struct{}{}
		}
		if now := c.round.Load(); now != nil && now != had && bytes.HasPrefix(line, now.mark) {
			had, inside = now, true
		}
		if inside && len(line) == 1 { // An event ends with an empty line.
			inside = false
			had.took <- time.Since(had.began)
		}
	}
}

// spread makes one event and waits until all have it: how long each waited, in
// order.
func (c *crowd) spread(mark string, happen func() error) ([]time.Duration, error) {
	n := len(c.conns)
	r := &round{mark: []byte(mark), took: make(chan time.Duration, n)}
	r.began = time.Now()
	c.round.Store(r)
	if err := happen(); err != nil {
		return nil, err
	}
	took := make([]time.Duration, 0, n)
	limit := time.NewTimer(time.Minute)
	defer limit.Stop()
	for len(took) < n {
		select {
		case t := <-r.took:
			took = append(took, t)
		case <-limit.C:
			return nil, fmt.Errorf("%d of %d streams did not get an event, %d have ended", n-len(took), n, c.lost.Load())
		}
	}
	slices.Sort(took)
	return took, nil
}

func (c *crowd) close() {
	c.closing.Store(true)
	for _, conn := range c.conns {
		if conn != nil {
			_ = conn.Close()
		}
	}
	c.readers.Wait()
}
