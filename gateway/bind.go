package gateway

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"

	"tabuleiro/internal/app"
	"tabuleiro/internal/bus"
	"tabuleiro/internal/identity"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	"tabuleiro/web"
)

// Bind makes the role "gateway".
func Bind(ctx context.Context, env *app.Env) error {
	cfg := env.Config()
	signer, err := env.Signer(identity.Gateway)
	if err != nil {
		return err
	}
	conn, err := env.Bus(ctx, identity.Gateway)
	if err != nil {
		return err
	}
	events := newBusEvents(conn, env.Log(identity.Gateway))
	deps := Deps{
		Events: events,
		Access: events,

		Tournaments: events,

		Presence: busPresence{conn: conn, log: env.Log(identity.Gateway)},

		Signer: signer,
		Keys:   env.Keys,
		Client: web.Client(),
		Ready:  env.NotReady,
		Now:    time.Now,
		Log:    env.Log(identity.Gateway),
	}
	for service, into := range map[string]*grpc.ClientConnInterface{"rules": &deps.Rules, "play": &deps.Play, "accounts": &deps.Accounts, "tutor": &deps.Tutor} {
		if *into, err = env.Dial(service); err != nil {
			return err
		}
	}
	g, err := New(Config{
		Version:        cfg.Version,
		Hosts:          cfg.HTTP.Hosts,
		Proxies:        cfg.HTTP.ProxyNetworks(),
		TLS:            cfg.HTTP.TLS(),
		InsecureLAN:    cfg.HTTP.Banner(),
		RequiredFields: cfg.RequiredFields,
	}, deps)
	if err != nil {
		return err
	}
	if err := env.Metrics.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "tabuleiro_gateway_streams",
		Help: "Event streams that are open.",
	}, func() float64 { return float64(g.hub.Streams()) })); err != nil {
		return err
	}
	env.HTTP(g.Handler())
	env.Go("hub", g.Run)
	return nil
}

// gameBuffer and allBuffer bound the copies that wait for one subscription.
const (
	gameBuffer = 64
	allBuffer  = 4096
)

// busEvents brings game events from the bus.
type busEvents struct {
	conn *bus.Conn
	log  *slog.Logger

	mu   sync.Mutex
	next int
	lost map[int]func()
}

func newBusEvents(conn *bus.Conn, log *slog.Logger) *busEvents {
	b := &busEvents{conn: conn, log: log, lost: map[int]func(){}}
	conn.OnReconnect(func() {
		b.mu.Lock()
		all := make([]func(), 0, len(b.lost))
		for _, f := range b.lost {
			all = append(all, f)
		}
		b.mu.Unlock()
		for _, f := range all {
			f()
		}
	})
	return b
}

// WatchGame subscribes to the copies of one game's events.
func (b *busEvents) WatchGame(game string, event func(*busv1.GameEvent), lost func()) (func(), error) {
	return b.watch(bus.GameEvent(game), gameBuffer, event, lost)
}

// WatchAll subscribes to those of all games.
func (b *busEvents) WatchAll(event func(*busv1.GameEvent), lost func()) (func(), error) {
	return b.watch(bus.GameEvent("*"), allBuffer, event, lost)
}

// WatchTournament subscribes to word of the changes of one tournament.
func (b *busEvents) WatchTournament(id string, changed func()) (func(), error) {
	sub, err := b.conn.Subscribe(bus.TournamentEvent(id), gameBuffer, func(bus.Message) { changed() })
	if err != nil {
		return nil, err
	}
	sub.OnDrop(func(int64) { changed() })
	forget := b.onLost(changed)
	return func() {
		forget()
		sub.Unsubscribe()
	}, nil
}

// WatchAccess subscribes to word of sessions that may have ended.
func (b *busEvents) WatchAccess(ended func(account string)) (func(), error) {
	sub, err := b.conn.Subscribe(bus.AllAccess, allBuffer, func(m bus.Message) {
		_, account, _ := strings.Cut(m.Subject, ".")
		ended(account)
	})
	if err != nil {
		return nil, err
	}
	return sub.Unsubscribe, nil
}

func (b *busEvents) watch(subject string, buffer int, event func(*busv1.GameEvent), lost func()) (func(), error) {
	sub, err := b.conn.Subscribe(subject, buffer, func(m bus.Message) {
		var e busv1.GameEvent
		if err := m.Decode(&e); err != nil {
			b.log.Warn("a message on the bus cannot be read", slog.String("subject", m.Subject), slog.Any("error", err))
			return
		}
		event(&e)
	})
	if err != nil {
		return nil, err
	}
	sub.OnDrop(func(int64) { lost() })
	forget := b.onLost(lost)
	return func() {
		forget()
		sub.Unsubscribe()
	}, nil
}

// onLost calls f after each reconnection, until what it returns is called.
func (b *busEvents) onLost(f func()) (forget func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := b.next
	b.next++
	b.lost[id] = f
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.lost, id)
	}
}

// busPresence carries who is here over the bus.
type busPresence struct {
	conn *bus.Conn
	log  *slog.Logger
}

// gatewayAlive is the last part of the subject on which gateways say that they live.
const gatewayAlive = "gateway"

// Say implements Presence.
func (b busPresence) Say(m *busv1.Presence) error {
	if m.GetGame() == "" {
		return b.conn.Publish(bus.Presence(gatewayAlive), m)
	}
	return b.conn.Publish(bus.Presence(m.GetGame()), m)
}

// Hear implements Presence.
func (b busPresence) Hear(game string, said func(*busv1.Presence)) (func(), error) {
	sub, err := b.conn.Subscribe(bus.Presence(game), gameBuffer, func(m bus.Message) {
		var p busv1.Presence
		if err := m.Decode(&p); err != nil {
			b.log.Warn("a message on the bus cannot be read", slog.String("subject", m.Subject), slog.Any("error", err))
			return
		}
		said(&p)
	})
	if err != nil {
		return nil, err
	}
	return sub.Unsubscribe, nil
}
