package bus

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

const (
	// A dead peer is found within pingInterval x (pingsOutstanding + 1).
	pingInterval     = 5 * time.Second
	pingsOutstanding = 2
	// writeDeadline cuts a subscriber that stopped reading.
	writeDeadline = 5 * time.Second
	authSeconds   = 3
	readyWithin   = 10 * time.Second
	// readyPoll is how soon a server that cannot start, its port being taken, is
	// noticed.
	readyPoll = 50 * time.Millisecond
)

// EmbeddedConfig says how the server in this process is reached.
type EmbeddedConfig struct {
	Keys *Keys
	// Listen is a host:port for processes elsewhere; port 0 takes a free one.
	// Empty: only this process.
	Listen string
	// TLS protects the listener; nil leaves it readable on the network (the keys
	// still are never sent).
	TLS *tls.Config
	Log *slog.Logger
}

// Server is a NATS server in this process. It installs no signal handlers and
// keeps nothing.
type Server struct {
	ns   *server.Server
	keys *Keys
}

// StartEmbedded starts the server and returns when it takes connections. Close
// its connections before it.
func StartEmbedded(cfg EmbeddedConfig) (*Server, error) {
	if cfg.Keys == nil {
		return nil, errors.New("bus: no keys")
	}
	log := cfg.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	opts := &server.Options{
		ServerName:      "tabuleiro",
		DontListen:      cfg.Listen == "",
		NoSigs:          true,
		NoSystemAccount: true,
		MaxPayload:      MaxPayload,
		PingInterval:    pingInterval,
		MaxPingsOut:     pingsOutstanding,
		WriteDeadline:   writeDeadline,
		AuthTimeout:     authSeconds,
		Nkeys:           users(cfg.Keys),
	}
	if cfg.Listen != "" {
		host, port, err := net.SplitHostPort(cfg.Listen)
		if err != nil {
			return nil, fmt.Errorf("bus: listen address: %w", err)
		}
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("bus: listen address: %w", err)
		}
		opts.Host, opts.Port = host, int(n)
		if n == 0 {
			opts.Port = server.RANDOM_PORT
		}
		if cfg.TLS != nil {
			opts.TLS, opts.TLSConfig, opts.TLSTimeout = true, cfg.TLS, authSeconds
		}
	}
	return start(opts, cfg.Keys, log)
}

func start(opts *server.Options, keys *Keys, log *slog.Logger) (*Server, error) {
	ns, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("bus: start server: %w", err)
	}
	failed := make(chan error, 1)
	ns.SetLoggerV2(serverLog{log, failed}, false, false, false)
	go ns.Start()
	s := &Server{ns: ns, keys: keys}
	for began := time.Now(); !ns.ReadyForConnections(readyPoll); {
		select {
		case err := <-failed:
			s.Close()
			return nil, err
		default:
		}
		if time.Since(began) > readyWithin {
			s.Close()
			return nil, fmt.Errorf("bus: server not ready within %v", readyWithin)
		}
	}
	return s, nil
}

// users renders the table of rights for the embedded server.
func users(keys *Keys) []*server.NkeyUser {
	var all []*server.NkeyUser
	for _, role := range Roles() {
		r, _ := rightsOf(role)
		p := &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: r.publish},
			Subscribe: &server.SubjectPermission{Allow: append([]string{inboxPrefix(role) + ".>"}, r.subscribe...)},
		}
		if r.answers {
			p.Response = &server.ResponsePermission{MaxMsgs: 1, Expires: answerWithin}
		}
		all = append(all, &server.NkeyUser{Nkey: keys.Public(role), Permissions: p})
	}
	return all
}

// URL is where processes elsewhere reach the server; empty without a listener.
func (s *Server) URL() string {
	if s.ns.Addr() == nil {
		return ""
	}
	return s.ns.ClientURL()
}

// Keys are the keys that the server knows.
func (s *Server) Keys() *Keys { return s.keys }

// Close stops the server and waits until it has stopped.
func (s *Server) Close() {
	s.ns.Shutdown()
	s.ns.WaitForShutdown()
}

// serverLog hands the server's log on; its notices are our debug messages.
type serverLog struct {
	log    *slog.Logger
	failed chan error
}

func (l serverLog) write(level slog.Level, format string, v []any) {
	if l.log.Enabled(context.Background(), level) {
		l.log.Log(context.Background(), level, "nats-server", "text", fmt.Sprintf(format, v...))
	}
}

func (l serverLog) Noticef(format string, v ...any) { l.write(slog.LevelDebug, format, v) }
func (l serverLog) Warnf(format string, v ...any)   { l.write(slog.LevelWarn, format, v) }
func (l serverLog) Errorf(format string, v ...any)  { l.write(slog.LevelError, format, v) }
func (l serverLog) Debugf(string, ...any)           {}
func (l serverLog) Tracef(string, ...any)           {}

// Fatalf does not end the process: whoever started the server learns of it.
func (l serverLog) Fatalf(format string, v ...any) {
	select {
	case l.failed <- fmt.Errorf("bus: server: "+format, v...):
	default:
	}
	l.write(slog.LevelError, format, v)
}
