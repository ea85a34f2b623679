package bus

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"google.golang.org/protobuf/proto"
)

const (
	requestTime   = 5 * time.Second // of a request whose context has no end
	connectTime   = 2 * time.Second
	flushTime     = 2 * time.Second
	drainTime     = 5 * time.Second
	reconnectMost = 2 * time.Second
)

// Config says where the server is and who connects.
type Config struct {
	// Server is the one in this process; else URL names those apart, separated by
	// commas.
	Server *Server
	URL    string
	Role   Role
	// Seed is the role's secret, as a file from Keys.WriteCredentials or
	// nats-<role>.seed has it. Empty: the embedded server's own keys.
	Seed []byte
	// TLS is for tls:// URLs; nil takes the system's certificates.
	TLS *tls.Config
	Log *slog.Logger
}

// Stats counts what went wrong on a connection since it was made.
type Stats struct {
	// Dropped messages did not fit into their subscriber's buffer.
	Dropped int64
	// Disconnects is how often the connection went away.
	Disconnects int64
	// Violations is how often the server refused what our own table allows.
	Violations int64
}

// Conn is a role's connection. It reconnects for ever; its methods may be used
// from many goroutines.
type Conn struct {
	nc     *nats.Conn
	role   Role
	log    *slog.Logger
	closed chan struct{} // nats.go has finished with the connection
	made   chan struct{} // Connect is about to return, and atOnce is known
	atOnce bool

	mu        sync.Mutex
	subs      map[*Sub]struct{}
	reconnect []func()

	dropped, disconnects, violations atomic.Int64
}

// Connect makes the connection of a role. A server that is away is no error: the
// connection is made when it comes, Connected says so, and OnReconnect's
// functions are called then.
func Connect(cfg Config) (*Conn, error) {
	if _, ok := rightsOf(cfg.Role); !ok {
		return nil, fmt.Errorf("bus: unknown role %q", cfg.Role)
	}
	log := cfg.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	seed := cfg.Seed
	if len(seed) == 0 && cfg.Server != nil {
		seed = cfg.Server.keys.Seed(cfg.Role)
	}
	public, sign, err := signer(seed)
	if err != nil {
		return nil, fmt.Errorf("bus: credentials of %s: %w", cfg.Role, err)
	}
	c := &Conn{role: cfg.Role, log: log, closed: make(chan struct{}), made: make(chan struct{}), subs: map[*Sub]struct{}{}}
	opts := []nats.Option{
		nats.Name("tabuleiro " + string(cfg.Role)),
		nats.Nkey(public, sign),
		nats.CustomInboxPrefix(inboxPrefix(cfg.Role)),
		nats.Timeout(connectTime),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.CustomReconnectDelay(reconnectDelay),
		nats.IgnoreAuthErrorAbort(), // the server's keys may be ours again later
		nats.ReconnectBufSize(-1),   // a publish while away fails instead of lying in a buffer
		nats.PingInterval(pingInterval),
		nats.MaxPingsOutstanding(pingsOutstanding),
		nats.DrainTimeout(drainTime),
		nats.ConnectHandler(func(*nats.Conn) {
			if <-c.made; !c.atOnce {
				c.back()
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { c.back() }),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { log.Debug("bus still away", "role", cfg.Role, "err", err) }),
		nats.DisconnectErrHandler(c.lost),
		nats.ErrorHandler(c.failed),
		nats.ClosedHandler(func(*nats.Conn) { close(c.closed) }),
	}
	url := cfg.URL
	switch {
	case cfg.Server != nil:
		url = ""
		opts = append(opts, nats.InProcessServer(cfg.Server.ns))
	case url == "":
		return nil, errors.New("bus: neither a server nor its address given")
	}
	if cfg.TLS != nil {
		opts = append(opts, nats.Secure(cfg.TLS))
	}
	defer close(c.made)
	if c.nc, err = nats.Connect(url, opts...); err != nil {
		return nil, fmt.Errorf("bus: connect: %w", err)
	}
	if c.atOnce = c.Connected(); !c.atOnce {
		log.Warn("bus away, connecting in the background", "role", cfg.Role, "err", c.nc.LastError())
	}
	return c, nil
}

// signer answers the server's challenge; the secret itself is never sent.
func signer(seed []byte) (public string, sign func([]byte) ([]byte, error), err error) {
	pair, err := nkeys.ParseDecoratedNKey(seed)
	if err != nil {
		return "", nil, err
	}
	public, err = pair.PublicKey()
	return public, pair.Sign, err
}

// reconnectDelay doubles from 25 ms; jitter keeps a herd of clients apart.
func reconnectDelay(attempts int) time.Duration {
	most := min(reconnectMost, 25*time.Millisecond<<min(attempts, 10))
	return most/2 + rand.N(most/2)
}

// back runs on nats.go's goroutine for callbacks.
func (c *Conn) back() {
	c.mu.Lock()
	fs := slices.Clone(c.reconnect)
	c.mu.Unlock()
	c.log.Info("bus connected", "role", c.role)
	for _, f := range fs {
		f()
	}
}

func (c *Conn) lost(_ *nats.Conn, err error) {
	if err == nil { // closed by us
		return
	}
	c.disconnects.Add(1)
	c.log.Warn("bus lost", "role", c.role, "err", err)
}

func (c *Conn) failed(_ *nats.Conn, sub *nats.Subscription, err error) {
	switch {
	case errors.Is(err, nats.ErrSlowConsumer):
		c.mu.Lock()
		for s := range c.subs {
			if s.nats == sub {
				s.lose()
			}
		}
		c.mu.Unlock()
	case errors.Is(err, nats.ErrPermissionViolation):
		c.violations.Add(1)
		c.log.Error("bus refused a subject; do the server's rights match?", "role", c.role, "err", err)
	default:
		c.log.Warn("bus error", "role", c.role, "err", err)
	}
}

// Connected says whether messages can be sent now.
func (c *Conn) Connected() bool { return c.nc.Status() == nats.CONNECTED }

// Check is Connected as a readiness check.
func (c *Conn) Check(context.Context) error {
	if !c.Connected() {
		return ErrDisconnected
	}
	return nil
}

// OnReconnect adds a function to call after the connection came back, and after
// it came up for the first time if Connect could not make it. Messages may have
// been missed. It must not block: others wait for it.
func (c *Conn) OnReconnect(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reconnect = append(c.reconnect, f)
}

// Stats reads the counters.
func (c *Conn) Stats() Stats {
	return Stats{Dropped: c.dropped.Load(), Disconnects: c.disconnects.Load(), Violations: c.violations.Load()}
}

// Publish sends m to whoever subscribes to subject now. nil means that it left
// for the server, not that anybody got it.
func (c *Conn) Publish(subject string, m proto.Message) error {
	if !mayPublish(c.role, subject) {
		return fmt.Errorf("%w: %s publishes %s", ErrNotAllowed, c.role, subject)
	}
	data, err := encode(subject, m)
	if err != nil {
		return fmt.Errorf("bus: publish %s: %w", subject, err)
	}
	if !c.Connected() {
		return ErrDisconnected
	}
	return c.sent(c.nc.Publish(subject, data))
}

// sent translates nats.go's errors.
func (c *Conn) sent(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, nats.ErrNoResponders):
		return ErrNoResponder
	case errors.Is(err, nats.ErrReconnectBufExceeded), errors.Is(err, nats.ErrConnectionClosed),
		errors.Is(err, nats.ErrConnectionDraining), errors.Is(err, nats.ErrDisconnected), errors.Is(err, nats.ErrConnectionReconnecting):
		return ErrDisconnected
	case errors.Is(err, nats.ErrMaxPayload):
		return ErrTooLarge
	}
	return fmt.Errorf("bus: %w", err)
}

// Request sends m and decodes the first answer into into. Without a deadline in
// ctx it waits 5 s.
func (c *Conn) Request(ctx context.Context, subject string, m, into proto.Message) error {
	if !mayPublish(c.role, subject) {
		return fmt.Errorf("%w: %s requests %s", ErrNotAllowed, c.role, subject)
	}
	data, err := encode(subject, m)
	if err != nil {
		return fmt.Errorf("bus: request %s: %w", subject, err)
	}
	if !c.Connected() {
		return ErrDisconnected
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, requestTime)
		defer cancel()
	}
	reply, err := c.nc.RequestWithContext(ctx, subject, data)
	if err != nil {
		return c.sent(err)
	}
	if err := decode(subject, reply.Data, into); err != nil {
		return fmt.Errorf("bus: answer of %s: %w", subject, err)
	}
	return nil
}

// Close lets every subscriber handle what has arrived, says what is still to be
// said, and waits until the connection is closed: 5 s at most, then it cuts. A
// second call does nothing.
func (c *Conn) Close() error {
	if c.nc.IsClosed() {
		<-c.closed
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	// Without the server there is nothing to wait for: subscribers end with what
	// they have.
	away := c.nc.StatusChanged(nats.RECONNECTING, nats.CLOSED)
	defer c.nc.RemoveStatusListener(away)
	if !c.Connected() {
		c.nc.Close()
	}
	c.mu.Lock()
	subs := slices.Collect(maps.Keys(c.subs))
	c.mu.Unlock()
	for _, s := range subs {
		_ = s.nats.Drain() // fails only when it has ended already
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		for _, s := range subs {
			select {
			case <-s.done:
			case <-ctx.Done():
				return
			}
		}
	}()
	for waiting := true; waiting; {
		select {
		case <-drained:
			waiting = false
		case <-away:
			away = nil
			c.nc.Close()
		}
	}
	late := ctx.Err() != nil
	if late || c.nc.Drain() != nil {
		c.nc.Close()
	}
	select {
	case <-c.closed:
	case <-away: // the server went while we said the last
		c.nc.Close()
		<-c.closed
	case <-ctx.Done():
		late = true
		c.nc.Close()
		<-c.closed
	}
	if late {
		return fmt.Errorf("bus: %s: subscribers did not end within %v", c.role, drainTime)
	}
	return nil
}
