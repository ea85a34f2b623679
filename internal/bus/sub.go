package bus

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go"
	"google.golang.org/protobuf/proto"
)

// Message is what a subscriber gets.
type Message struct {
	Subject string
	Data    []byte
	reply   string
	conn    *Conn
}

// Decode reads the message into m.
func (m Message) Decode(into proto.Message) error {
	if err := decode(m.Subject, m.Data, into); err != nil {
		return fmt.Errorf("bus: message on %s: %w", m.Subject, err)
	}
	return nil
}

// Respond answers a request, once, within 30 s. Only an inbox gets an answer: the
// server lets who answers publish to whatever subject a request names, which its
// sender may have no right to.
func (m Message) Respond(answer proto.Message) error {
	if !isInbox(m.reply) {
		return ErrNoReply
	}
	data, err := encode(m.Subject, answer)
	if err != nil {
		return fmt.Errorf("bus: answer %s: %w", m.Subject, err)
	}
	if !m.conn.Connected() && !m.conn.nc.IsDraining() {
		return ErrDisconnected
	}
	return m.conn.sent(m.conn.nc.Publish(m.reply, data))
}

// Sub is a subscription with a bounded buffer and a goroutine of its own.
type Sub struct {
	conn    *Conn
	nats    *nats.Subscription
	queue   chan *nats.Msg
	ended   chan struct{} // nothing arrives any more
	done    chan struct{} // the goroutine has ended
	dropped atomic.Int64
	onDrop  atomic.Pointer[func(dropped int64)]
}

// Subscribe calls fn, on one goroutine and in order of arrival, for each message
// on subject, which may have `*` in it. Of more than buffer waiting messages the
// newest are dropped, counted and told (OnDrop). When Subscribe returns on a live
// connection, everything published from now on arrives.
func (c *Conn) Subscribe(subject string, buffer int, fn func(Message)) (*Sub, error) {
	return c.QueueSubscribe(subject, "", buffer, fn)
}

// QueueSubscribe is Subscribe where each message goes to only one of all
// subscribers of the same queue.
func (c *Conn) QueueSubscribe(subject, queue string, buffer int, fn func(Message)) (*Sub, error) {
	if !maySubscribe(c.role, subject) {
		return nil, fmt.Errorf("%w: %s subscribes to %s", ErrNotAllowed, c.role, subject)
	}
	if buffer < 1 {
		return nil, fmt.Errorf("bus: subscribe %s: buffer %d", subject, buffer)
	}
	s := &Sub{conn: c, queue: make(chan *nats.Msg, buffer), ended: make(chan struct{}), done: make(chan struct{})}
	c.mu.Lock() // c.failed looks for s by s.nats
	var err error
	if queue == "" {
		s.nats, err = c.nc.Subscribe(subject, s.arrive)
	} else {
		s.nats, err = c.nc.QueueSubscribe(subject, queue, s.arrive)
	}
	if err != nil {
		c.mu.Unlock()
		return nil, c.sent(err)
	}
	end := sync.OnceFunc(func() { close(s.ended) })
	s.nats.SetClosedHandler(func(string) { end() })
	if !s.nats.IsValid() {
		end() // the connection was closed before the handler was there
	}
	c.subs[s] = struct{}{}
	c.mu.Unlock()
	go s.run(fn)
	if c.Connected() {
		if err := c.nc.FlushTimeout(flushTime); err != nil && c.Connected() {
			s.Unsubscribe()
			return nil, fmt.Errorf("bus: subscribe %s: %w", subject, err)
		}
	}
	return s, nil
}

// arrive runs on nats.go's goroutine for this subscription and never blocks it.
func (s *Sub) arrive(m *nats.Msg) {
	select {
	case s.queue <- m:
	default:
		s.lose()
	}
}

func (s *Sub) lose() {
	s.dropped.Add(1)
	s.conn.dropped.Add(1)
}

// run handles what arrives, and at the end what is left in the buffer.
func (s *Sub) run(fn func(Message)) {
	defer func() {
		s.conn.mu.Lock()
		delete(s.conn.subs, s)
		s.conn.mu.Unlock()
		close(s.done)
	}()
	var told int64
	for {
		select {
		case m := <-s.queue:
			told = s.handle(m, told, fn)
		case <-s.ended:
			for {
				select {
				case m := <-s.queue:
					told = s.handle(m, told, fn)
				default:
					return
				}
			}
		}
	}
}

// handle tells of drops before it handles a message. A message is dropped only
// while others wait, so there is always one after a drop. It returns how many
// drops have been told.
func (s *Sub) handle(m *nats.Msg, told int64, fn func(Message)) int64 {
	if dropped := s.dropped.Load(); dropped != told {
		if f := s.onDrop.Load(); f != nil {
			told = dropped
			s.guard(func() { (*f)(dropped) })
		}
	}
	s.guard(func() { fn(Message{Subject: m.Subject, Data: m.Data, reply: m.Reply, conn: s.conn}) })
	return told
}

// guard keeps a subscriber alive: a message comes from another process, and must
// not end this one.
func (s *Sub) guard(f func()) {
	defer func() {
		if v := recover(); v != nil {
			s.conn.log.Error("bus subscriber panicked", "role", s.conn.role, "subject", s.nats.Subject, "panic", v, "stack", string(debug.Stack()))
		}
	}()
	f()
}

// Dropped is how many messages this subscription has lost.
func (s *Sub) Dropped() int64 { return s.dropped.Load() }

// OnDrop sets what is called, on the subscription's goroutine, after messages were
// dropped and before the next is handled, with the number lost so far.
func (s *Sub) OnDrop(f func(dropped int64)) { s.onDrop.Store(&f) }

// Unsubscribe ends the subscription without waiting; what is in the buffer is
// still handled. A second call does nothing.
func (s *Sub) Unsubscribe() {
	_ = s.nats.Unsubscribe() // fails only when it has ended already
}
