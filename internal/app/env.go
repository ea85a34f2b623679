// Package app runs roles in one process: it gives each what it needs (an Env),
// starts them in the order of their dependencies and stops them in reverse.
//
// A role is a name and a Bind function, the same for the all-in-one process, for
// a process of its own, and for tests:
//
//	func Bind(ctx context.Context, env *app.Env) error {
//		store, err := env.DB(ctx, "play", migrations)        // opened, migrated, closed at the end
//		conn, err := env.Dial("rules")                       // here or elsewhere; calls are signed by this role
//		events, err := env.Bus(ctx, "play")                  // its connection to NATS
//		service := New(Config{}, Deps{...})
//		env.Serve("play", func(r grpc.ServiceRegistrar) { playv1.RegisterPlayServiceServer(r, service) })
//		env.Go("sweep", service.Run)                         // ends with its context
//		return nil
//	}
//
// Bind makes and registers; it must not call other services and must start no
// goroutine except by Go. After all roles are bound, gRPC is served, then the
// functions given to Go run, then HTTP listens, then the ready line is printed.
//
// At the end: readiness turns false; HTTP takes no new connection while the
// goroutines of the role that serves it end (so that streams end); requests that
// run are waited for; gRPC from outside drains; the other goroutines end, last
// started first; gRPC inside drains; everything opened is closed in reverse.
package app

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"

	"tabuleiro/internal/bus"
	"tabuleiro/internal/cache"
	"tabuleiro/internal/db"
	"tabuleiro/internal/identity"
)

// Env is what a role gets. Its methods are for Bind; Announce, NotReady and the
// fields may also be used later.
type Env struct {
	// Keys verify callers; Signer has the private ones.
	Keys *identity.Keys
	// Metrics is where the role registers its own.
	Metrics prometheus.Registerer
	// Data is the data folder.
	Data string

	role string
	p    *process
}

// Config is the configuration of the process. HTTP.Hosts is complete.
func (e *Env) Config() Config { return e.p.cfg }

// Log is the logger of a part of the process.
func (e *Env) Log(role string) *slog.Logger { return e.p.log.With(slog.String("role", role)) }

// Signer signs for a service that runs here; for the gateway, also for people.
func (e *Env) Signer(service string) (*identity.Signer, error) { return e.p.keys.Signer(service) }

// DB opens the database of a service: a file in the data folder or a schema in
// PostgreSQL. It is migrated; it runs, counts for readiness, and is closed at
// the end. Asking again gives the same one.
func (e *Env) DB(ctx context.Context, service string, migrations fs.FS) (*db.DB, error) {
	if d, ok := e.p.databases[service]; ok {
		return d, nil
	}
	d, err := e.p.openDB(ctx, service, migrations)
	if err != nil {
		return nil, err
	}
	e.p.databases[service] = d
	if e.p.clock == nil {
		e.p.clock = d.Clock()
	}
	e.p.closers.push("database of "+service, d.Close)
	e.p.watchDB(service, d)
	e.Go("database", d.Run)
	e.Ready("database of "+service, d.Health)
	return d, nil
}

// Bus connects to NATS with the rights of a role. Asking again for the same role
// gives the same connection. It does not count for readiness: what needs it says
// "unavailable" while it is away, the rest works.
func (e *Env) Bus(_ context.Context, role string) (*bus.Conn, error) {
	return e.p.busOf(bus.Role(role))
}

// Cache is the one cache of the process: Redis where there is one, else memory.
func (e *Env) Cache(context.Context) (cache.Cache, error) { return e.p.openCache() }

// Serve registers a service; it may be called for several. Handlers are called
// once all roles are bound.
func (e *Env) Serve(service string, register func(grpc.ServiceRegistrar)) {
	e.p.services = append(e.p.services, served{service, register})
}

// Dial connects to a service, in this process or elsewhere. Calls carry the
// Caller of this role: the gateway's that of the person in the context.
func (e *Env) Dial(service string) (grpc.ClientConnInterface, error) {
	return e.p.dial(e.role, service)
}

// Go runs a function from the start of the process until it ends. The function
// returns when its context ends. Its error stops the process; so does a panic.
func (e *Env) Go(name string, run func(ctx context.Context) error) {
	e.p.tasks = append(e.p.tasks, &task{role: e.role, name: e.role + " " + name, run: run})
}

// Ready adds a check that must pass for the process to be ready. It is given
// 2 seconds and must not change anything.
func (e *Env) Ready(name string, check func(ctx context.Context) error) {
	e.p.checks = append(e.p.checks, readiness{name, check})
}

// NotReady says what is not ready, by name; empty when all is.
func (e *Env) NotReady(ctx context.Context) map[string]error { return e.p.notReady(ctx) }

// HTTP gives the handler of clients' requests; one role may do so.
func (e *Env) HTTP(handler http.Handler) { e.p.handler, e.p.handlerRole = handler, e.role }

// Announce prints a line on stdout, after the ready line.
func (e *Env) Announce(line string) { e.p.announce(line) }
