package shapetest

import (
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

// Front is an address that stays while what serves behind it dies and returns
// at another one. Connections take turns between the backends.
type Front struct {
	listener net.Listener

	mu       sync.Mutex
	backends []string
	turn     int
	away     bool
	// frozen is there while nothing goes through; it is closed when all goes on.
	frozen chan struct{}
	// begun is closed when the first backend is there. Who connects before waits:
	// at a first start everything starts at once.
	begun  chan struct{}
	closed chan struct{}
	conns  map[net.Conn]struct{}
	all    sync.WaitGroup
}

// holdTime is how long a connection waits for the first backend.
const holdTime = 30 * time.Second

func newFront() (*Front, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	f := &Front{listener: l, begun: make(chan struct{}), closed: make(chan struct{}), conns: map[net.Conn]struct{}{}}
	f.all.Go(f.accept)
	return f, nil
}

// Addr is HOST:PORT.
func (f *Front) Addr() string { return f.listener.Addr().String() }

func (f *Front) add(backend string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.backends = append(f.backends, backend)
	select {
	case <-f.begun:
	default:
		close(f.begun)
	}
}

func (f *Front) remove(backend string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.backends = slices.DeleteFunc(f.backends, func(b string) bool { return b == backend })
}

// cut ends all connections at this moment, whatever is on its way; new ones are
// served again at once.
func (f *Front) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.conns {
		c.Close()
	}
}

// detach ends all connections and refuses new ones until attach.
func (f *Front) detach() {
	f.setAway(true)
	f.cut()
}

func (f *Front) attach() { f.setAway(false) }

func (f *Front) setAway(away bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = away
}

// freeze lets nothing through until thaw, and ends no connection: as before a
// server that hangs.
func (f *Front) freeze() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.frozen == nil {
		f.frozen = make(chan struct{})
	}
}

func (f *Front) thaw() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.frozen != nil {
		close(f.frozen)
		f.frozen = nil
	}
}

// pass waits while all is frozen.
func (f *Front) pass() {
	f.mu.Lock()
	frozen := f.frozen
	f.mu.Unlock()
	if frozen == nil {
		return
	}
	select {
	case <-frozen:
	case <-f.closed:
	}
}

// thawed is a connection from which nothing comes while all is frozen.
type thawed struct {
	net.Conn
	f *Front
}

func (t thawed) Read(b []byte) (int, error) {
	n, err := t.Conn.Read(b)
	t.f.pass()
	return n, err
}

func (f *Front) close() {
	close(f.closed)
	f.listener.Close()
	f.mu.Lock()
	for c := range f.conns {
		c.Close()
	}
	f.mu.Unlock()
	f.all.Wait()
}

func (f *Front) accept() {
	for {
		c, err := f.listener.Accept()
		if err != nil {
			return
		}
		if f.track(c) {
			f.all.Go(func() { f.serve(c) })
		}
	}
}

// track makes close end the connection; false after close.
func (f *Front) track(c net.Conn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.closed:
		c.Close()
		return false
	default:
		f.conns[c] = struct{}{}
		return true
	}
}

func (f *Front) drop(c net.Conn) {
	c.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.conns, c)
}

func (f *Front) serve(client net.Conn) {
	defer f.drop(client)
	hold := time.NewTimer(holdTime)
	defer hold.Stop()
	select {
	case <-f.begun:
	case <-f.closed:
		return
	case <-hold.C:
		return
	}
	f.pass()
	server, ok := f.dial()
	if !ok {
		return
	}
	if !f.track(server) {
		return
	}
	defer f.drop(server)
	var ways sync.WaitGroup
	ways.Go(func() { pipe(server, thawed{client, f}) })
	ways.Go(func() { pipe(client, thawed{server, f}) })
	ways.Wait()
}

// dial tries each backend once, beginning with the one whose turn it is.
func (f *Front) dial() (net.Conn, bool) {
	f.mu.Lock()
	backends := slices.Clone(f.backends)
	first := f.turn
	f.turn++
	if f.away {
		backends = nil
	}
	f.mu.Unlock()
	for i := range backends {
		c, err := net.DialTimeout("tcp", backends[(first+i)%len(backends)], 2*time.Second)
		if err == nil {
			return c, true
		}
	}
	return nil, false
}

// pipe copies one way. An orderly end is handed on; after a failure, such as the
// death of a process, both ways end.
func pipe(to, from net.Conn) {
	_, err := io.Copy(to, from)
	if half, ok := to.(*net.TCPConn); ok && err == nil {
		_ = half.CloseWrite() // the other way may still have something to say
		return
	}
	to.Close()
	from.Close()
}
