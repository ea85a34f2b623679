package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"

	"tabuleiro/internal/bus"
	"tabuleiro/internal/cache"
	"tabuleiro/internal/db"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	"tabuleiro/internal/telemetry"
)

const (
	defaultGrace = 10 * time.Second
	checkTime    = 2 * time.Second
	// inside is the name of the one server for calls within the process.
	inside = "inside"
)

// Run runs the roles until ctx ends or one fails, and stops them in order.
// What it returns is why it could not start, what failed, or what could not be
// stopped cleanly; nil after an orderly end.
func Run(ctx context.Context, cfg Config, roles []Role, log *slog.Logger) (err error) {
	if err := cfg.Validate(); err != nil {
		return err
	}
	if cfg.Grace == 0 {
		cfg.Grace = defaultGrace
	}
	ordered, err := inOrder(roles, cfg.GRPC.Services)
	if err != nil {
		return err
	}
	p := &process{
		cfg: cfg, log: log, failed: make(chan error, 1),
		network: rpc.NewInProcess(), metrics: telemetry.NewMetrics(cfg.Version),
		conns: map[string]*grpc.ClientConn{}, buses: map[bus.Role]*bus.Conn{},
		databases: map[string]*db.DB{},
	}
	p.phase.Store("starting")
	for _, r := range ordered {
		p.here = append(p.here, r.Name)
	}
	defer func() { err = errors.Join(err, p.closers.unwind()) }()
	if err := p.open(); err != nil {
		return err
	}
	for _, r := range ordered {
		env := &Env{
			Keys: p.keys, Metrics: prometheus.Registerer(p.metrics.Registry), Data: cfg.Data,
			role: r.Name, p: p,
		}
		if err := r.Bind(ctx, env); err != nil {
			if ctx.Err() != nil && errors.Is(err, context.Canceled) {
				return nil // asked to end before it had begun
			}
			return fmt.Errorf("starting %s: %w", r.Name, err)
		}
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	if err := p.start(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		p.phase.Store("stopping")
		if p.health != nil {
			p.health.Shutdown()
		}
		p.pause(cfg.Drain)
		return nil
	case failure := <-p.failed:
		p.phase.Store("failed")
		return failure
	}
}

// process is what the roles of one Run share.
type process struct {
	cfg     Config
	log     *slog.Logger
	here    []string // names of the roles that run here
	keys    *identity.Keys
	metrics *telemetry.Metrics
	network *rpc.Network
	creds   credentials.TransportCredentials // of calls to other processes
	nats    *bus.Server                      // nil where it is not embedded
	closers closers

	// What Bind functions asked for.
	conns       map[string]*grpc.ClientConn
	buses       map[bus.Role]*bus.Conn
	databases   map[string]*db.DB
	clock       *db.Clock // of the first database; nil where there is none
	cache       cache.Cache
	services    []served
	tasks       []*task
	checks      []readiness
	handler     http.Handler
	handlerRole string

	// What runs.
	inner, outer *grpc.Server // for calls from inside and from other processes
	health       *health.Server
	web, admin   *http.Server
	addresses    Addresses
	failed       chan error
	phase        atomic.Value // "starting", "running", "stopping" or "failed"

	out struct {
		sync.Mutex
		ready bool
		lines []string
	}
}

type served struct {
	name     string
	register func(grpc.ServiceRegistrar)
}

type readiness struct {
	name  string
	check func(context.Context) error
}

// task is a goroutine that a role owns.
type task struct {
	role, name string
	run        func(context.Context) error
	cancel     context.CancelFunc
	done       chan struct{} // nil until it runs
}

// now is the time by which Callers are valid: the database's where the process has
// one, so that a replica whose own clock is wrong still knows who calls it, and is
// known to those it calls. It is for the time after Bind.
func (p *process) now() time.Time {
	if p.clock != nil {
		return p.clock.Now()
	}
	return time.Now()
}

// fail stops the process; only the first failure is told.
func (p *process) fail(err error) {
	select {
	case p.failed <- err:
	default:
		p.log.Error("another part failed too", slog.Any("error", err))
	}
}

func (p *process) runTask(t *task) {
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel, t.done = cancel, make(chan struct{})
	go func() {
		defer close(t.done)
		err := guarded(ctx, t.run)
		if err != nil && (ctx.Err() == nil || !errors.Is(err, context.Canceled)) {
			p.fail(fmt.Errorf("%s: %w", t.name, err))
		}
	}()
}

// guarded turns a panic into an error, so that the rest can stop in order.
func guarded(ctx context.Context, run func(context.Context) error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v\n%s", value, debug.Stack())
		}
	}()
	return run(ctx)
}

// stopTasks ends those that match, last started first.
func (p *process) stopTasks(match func(*task) bool) error {
	var failed []error
	for _, t := range slices.Backward(p.tasks) {
		if t.done == nil || !match(t) {
			continue
		}
		t.cancel()
		timer := time.NewTimer(p.cfg.Grace)
		select {
		case <-t.done:
		case <-timer.C:
			failed = append(failed, fmt.Errorf("%s does not end", t.name))
		}
		timer.Stop()
	}
	return errors.Join(failed...)
}

// pause waits, unless something fails meanwhile.
func (p *process) pause(d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case err := <-p.failed:
		p.log.Error("failed while stopping", slog.Any("error", err))
	}
}

// notReady runs all checks at once.
func (p *process) notReady(ctx context.Context) map[string]error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	faults := map[string]error{}
	if phase := p.phase.Load().(string); phase != "running" {
		faults["process"] = errors.New(phase)
		if phase == "starting" {
			return faults // roles are still adding checks
		}
	}
	results := make([]error, len(p.checks))
	var wg sync.WaitGroup
	for i, c := range p.checks {
		wg.Go(func() { results[i] = guarded(ctx, c.check) })
	}
	wg.Wait()
	for i, err := range results {
		if err != nil {
			faults[p.checks[i].name] = err
		}
	}
	return faults
}

// announce prints a line once the ready line is out.
func (p *process) announce(line string) {
	p.out.Lock()
	defer p.out.Unlock()
	if !p.out.ready {
		p.out.lines = append(p.out.lines, line)
		return
	}
	p.print(line)
}

func (p *process) print(line string) {
	if p.cfg.Stdout != nil {
		fmt.Fprintln(p.cfg.Stdout, line)
	}
}
