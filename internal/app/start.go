package app

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	"tabuleiro/internal/bus"
	"tabuleiro/internal/cache"
	"tabuleiro/internal/db"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	"tabuleiro/internal/telemetry"
)

// Bounds of HTTP; streams set their own deadline for each write.
const (
	headerTime  = 5 * time.Second
	readTime    = 10 * time.Second
	writeTime   = 20 * time.Second
	idleTime    = 60 * time.Second
	maxHeaders  = 48 << 10        // the gateway refuses over 16 KiB with a problem
	profileTime = 2 * time.Minute // the admin's profiles take a while
	cacheBytes  = 64 << 20
	cachePrefix = "tabuleiro:"
)

// Addresses are where a process listens; empty where it does not.
type Addresses struct {
	HTTP  string `json:"http,omitempty"`
	GRPC  string `json:"grpc,omitempty"`
	Admin string `json:"admin,omitempty"`
	NATS  string `json:"nats,omitempty"`
}

// open makes what roles stand on, before they are bound.
func (p *process) open() (err error) {
	if err := p.openFolder(); err != nil {
		return err
	}
	if p.cfg.Keys == "" {
		p.cfg.Keys = filepath.Join(p.cfg.Data, "keys")
	}
	if p.keys, err = identity.LoadKeys(p.cfg.Keys, p.here); err != nil {
		return &OptionError{"--keys", err.Error()}
	}
	p.creds = insecure.NewCredentials()
	if p.cfg.GRPC.Cert != "" {
		if p.creds, err = mutualTLS(p.cfg.GRPC); err != nil {
			return err
		}
	}
	if p.cfg.HTTP.Hosts, err = hosts(p.cfg.HTTP); err != nil {
		return err
	}
	if p.cfg.Embedded {
		if err := p.openNATS(); err != nil {
			return err
		}
	}
	if p.cfg.Admin == "" {
		return nil
	}
	// First of all doors: it tells that the process lives while it starts.
	l, err := listen("--admin", p.cfg.Admin)
	if err != nil {
		return err
	}
	p.addresses.Admin = l.Addr().String()
	p.admin = &http.Server{
		Handler: telemetry.Admin(p.metrics, p.notReady, p.cfg.AdminHosts), ErrorLog: slog.NewLogLogger(p.log.Handler(), slog.LevelWarn),
		ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: profileTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaders,
	}
	p.closers.push("admin", p.admin.Close)
	go p.serve("admin", func() error { return p.admin.Serve(l) })
	return nil
}

func (p *process) openFolder() error {
	if err := openFolder(p.cfg.Data); err != nil {
		return err
	}
	release, err := lockFolder(p.cfg.Data, p.cfg.Embedded)
	if err != nil {
		return err
	}
	p.closers.push("data folder", release)
	return nil
}

// openDB opens and migrates the database of a service.
func (p *process) openDB(ctx context.Context, service string, migrations fs.FS) (*db.DB, error) {
	cfg := db.Config{Driver: db.DriverPostgres, URL: p.cfg.PostgresURL, Schema: service}
	if p.cfg.Embedded {
		cfg = db.Config{Driver: db.DriverSQLite, Path: filepath.Join(p.cfg.Data, service+".db")}
	} else if cfg.URL == "" {
		return nil, &OptionError{"--postgres-url-file", service + " needs a database: give this, or set TABULEIRO_POSTGRES_URL"}
	}
	d, err := db.Open(ctx, cfg, migrations, p.log.With(slog.String("role", service)))
	if err != nil {
		return nil, fmt.Errorf("database of %s: %w", service, err)
	}
	return d, nil
}

func (p *process) openNATS() error {
	keys, err := bus.LoadKeys(p.cfg.Keys)
	if err != nil {
		return err
	}
	cfg := bus.EmbeddedConfig{Keys: keys, Listen: p.cfg.NATS.Listen, Log: p.log.With(slog.String("role", "nats"))}
	if p.cfg.NATS.TLSCert != "" {
		certificate, err := tls.LoadX509KeyPair(p.cfg.NATS.TLSCert, p.cfg.NATS.TLSKey)
		if err != nil {
			return &OptionError{"--nats-tls-cert", err.Error()}
		}
		cfg.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	}
	p.nats, err = bus.StartEmbedded(cfg)
	if err != nil {
		return &OptionError{"--nats-listen", err.Error()}
	}
	p.closers.push("NATS", func() error { p.nats.Close(); return nil })
	p.addresses.NATS = p.nats.URL()
	return nil
}

func (p *process) busOf(role bus.Role) (*bus.Conn, error) {
	if c, ok := p.buses[role]; ok {
		return c, nil
	}
	cfg := bus.Config{Server: p.nats, URL: p.cfg.NATS.URL, Role: role, Seed: p.cfg.NATS.Seed, Log: p.log}
	if p.nats == nil {
		if cfg.URL == "" {
			return nil, &OptionError{"--nats-url", string(role) + " needs a NATS server: give its URL"}
		}
		if len(cfg.Seed) == 0 {
			keys, err := bus.LoadKeys(p.cfg.Keys)
			if err != nil {
				return nil, err
			}
			cfg.Seed = keys.Seed(role)
		}
	}
	c, err := bus.Connect(cfg)
	if err != nil {
		return nil, fmt.Errorf("connecting %s to NATS: %w", role, err)
	}
	p.buses[role] = c
	p.closers.push("bus of "+string(role), c.Close)
	p.watchBus(role, c)
	return c, nil
}

func (p *process) openCache() (cache.Cache, error) {
	if p.cache != nil {
		return p.cache, nil
	}
	if p.cfg.RedisURL != "" {
		cache.SilenceRedis()
		r, err := cache.NewRedis(p.cfg.RedisURL, cachePrefix, p.log.With(slog.String("role", "cache")))
		if err != nil {
			return nil, &OptionError{"--redis-url-file", err.Error()}
		}
		p.closers.push("cache", r.Close)
		p.watchCache(r.Stats)
		p.cache = r
		return r, nil
	}
	size := p.cfg.CacheBytes
	if size == 0 {
		size = cacheBytes
	}
	m, err := cache.NewMemory(size)
	if err != nil {
		return nil, &OptionError{"--cache-bytes", err.Error()}
	}
	p.closers.push("cache", m.Close)
	p.watchCache(m.Stats)
	p.cache = m
	return m, nil
}

func (p *process) dial(role, service string) (grpc.ClientConnInterface, error) {
	name := role + " to " + service
	if c, ok := p.conns[name]; ok {
		return c, nil
	}
	signer, err := p.keys.Signer(role)
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", service, err)
	}
	cfg := rpc.ClientConfig{Signer: signer, Now: p.now}
	var c *grpc.ClientConn
	switch address := p.cfg.GRPC.Services[service]; {
	case slices.Contains(p.here, service):
		c, err = p.network.Dial(inside, cfg)
	case address != "":
		c, err = rpc.Dial(address, cfg, p.creds)
	default:
		err = &OptionError{"--services", fmt.Sprintf("%s needs the address of %s", role, service)}
	}
	if err != nil {
		return nil, err
	}
	p.conns[name] = c
	p.closers.push("connection of "+name, c.Close)
	return c, nil
}

// start opens the doors in the order in which nobody finds one closed behind
// another, and says so.
func (p *process) start() error {
	p.inner = p.newServer()
	go p.serve("gRPC", func() error { return p.inner.Serve(p.network.Listen(inside)) })
	// Roles that nobody calls, such as workers, need no door and no port.
	if p.cfg.GRPC.Listen != "" && len(p.services) > 0 {
		l, err := listen("--grpc-listen", p.cfg.GRPC.Listen)
		if err != nil {
			return err
		}
		p.addresses.GRPC = l.Addr().String()
		p.outer = p.newServer(grpc.Creds(p.creds))
		p.health = health.NewServer()
		healthv1.RegisterHealthServer(p.outer, p.health)
		reflection.Register(p.outer)
		go p.serve("gRPC", func() error { return p.outer.Serve(l) })
	}
	for _, t := range p.tasks {
		p.runTask(t)
	}
	if p.handler != nil {
		if err := p.startHTTP(); err != nil {
			return err
		}
	}
	if err := p.writeAddresses(); err != nil {
		return err
	}
	p.phase.Store("running")
	p.log.Info("ready", slog.Any("roles", p.here), slog.String("http", p.addresses.HTTP), slog.String("grpc", p.addresses.GRPC),
		slog.String("admin", p.addresses.Admin), slog.String("nats", p.addresses.NATS))
	if p.cfg.Started != nil {
		p.cfg.Started(p.addresses)
	}
	p.out.Lock()
	defer p.out.Unlock()
	p.print(p.readyLine())
	for _, line := range p.out.lines {
		p.print(line)
	}
	p.out.ready, p.out.lines = true, nil
	return nil
}

// readyLine is what scripts wait for. In the embedded shape it is exactly
// "ready http=HOST:PORT data=FOLDER"; otherwise it names each door that is open.
func (p *process) readyLine() string {
	line := "ready"
	if p.addresses.HTTP != "" {
		line += " http=" + p.addresses.HTTP
	}
	if !p.cfg.Embedded {
		if p.addresses.GRPC != "" {
			line += " grpc=" + p.addresses.GRPC
		}
		if p.addresses.Admin != "" {
			line += " admin=" + p.addresses.Admin
		}
	}
	return line + " data=" + p.cfg.Data
}

func (p *process) newServer(options ...grpc.ServerOption) *grpc.Server {
	s := rpc.NewServer(rpc.ServerConfig{Service: "tabuleiro", Verify: p.keys.Verify, Now: p.now, Log: p.log, Metrics: p.metrics}, options...)
	for _, service := range p.services {
		service.register(s)
	}
	return s
}

func (p *process) startHTTP() error {
	l, err := listen("--http", p.cfg.HTTP.Listen)
	if err != nil {
		return err
	}
	p.addresses.HTTP = l.Addr().String()
	p.web = &http.Server{
		Handler: p.metrics.HTTP(p.handler), ErrorLog: slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
		ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaders,
	}
	if p.cfg.HTTP.TLS() {
		certificate, err := serverCertificate(p.cfg.HTTP, p.cfg.Data, time.Now())
		if err != nil {
			l.Close()
			return err
		}
		sum := sha256.Sum256(certificate.Certificate[0])
		p.log.Info("serving https", slog.String("certificate_sha256", hex.EncodeToString(sum[:])))
		p.web.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
		go p.serve("HTTP", func() error { return p.web.ServeTLS(l, "", "") })
		return nil
	}
	go p.serve("HTTP", func() error { return p.web.Serve(l) })
	return nil
}

// serve runs a server, whose end stops the process unless it was asked for.
func (p *process) serve(name string, run func() error) {
	if err := run(); err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, grpc.ErrServerStopped) {
		p.fail(fmt.Errorf("serving %s: %w", name, err))
	}
}

func (p *process) writeAddresses() error {
	if p.cfg.AddrFile == "" {
		return nil
	}
	text, err := json.Marshal(p.addresses)
	if err != nil {
		return err
	}
	// Renamed into place, so that who waits for the file reads all of it.
	half := p.cfg.AddrFile + ".new"
	if err := os.WriteFile(half, append(text, '\n'), 0o644); err != nil {
		return &OptionError{"--addr-file", err.Error()}
	}
	if err := os.Rename(half, p.cfg.AddrFile); err != nil {
		return &OptionError{"--addr-file", err.Error()}
	}
	return nil
}

// stop ends what start began, in the order that the package comment tells.
func (p *process) stop() error {
	p.phase.CompareAndSwap("running", "stopping")
	p.phase.CompareAndSwap("starting", "stopping")
	p.log.Info("stopping")
	var failed []error
	if p.health != nil {
		p.health.Shutdown()
	}
	shut := make(chan struct{})
	go func() {
		defer close(shut)
		p.stopHTTP()
	}()
	failed = append(failed, p.stopTasks(func(t *task) bool { return p.handler != nil && t.role == p.handlerRole }))
	<-shut
	if p.outer != nil {
		rpc.Stop(p.outer, p.cfg.Grace)
	}
	failed = append(failed, p.stopTasks(func(*task) bool { return true }))
	if p.inner != nil {
		rpc.Stop(p.inner, p.cfg.Grace)
	}
	return errors.Join(failed...)
}

func (p *process) stopHTTP() {
	if p.web == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.cfg.Grace)
	defer cancel()
	if err := p.web.Shutdown(ctx); err != nil {
		p.log.Warn("requests did not end in time", slog.Any("error", err))
		p.web.Close()
	}
}

func listen(option, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, &OptionError{option, err.Error()}
	}
	return l, nil
}
