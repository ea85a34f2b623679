package sim

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"tabuleiro/gateway"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// signers are all that sign calls. Their keys are made once: no token reaches a
// trace.
var signers = sync.OnceValue(func() *identity.Keys {
	keys, err := identity.Generate(identity.Gateway, "play", "tutor")
	if err != nil {
		panic(err)
	}
	return keys
})

// network carries calls between services. A call can fail to arrive, and an
// answer can get lost; rpc's own retries come on top.
type network struct {
	s      *scheduler
	direct *rpc.Direct
}

func newNetwork(s *scheduler) *network {
	return &network{s: s, direct: rpc.NewDirect(rpc.ServerConfig{Service: "sim", Verify: signers().Verify, Log: discard})}
}

// serve registers a service. pick finds the replica that gets a call, nil for
// none, and what tells whether it still lives when it has answered.
func (n *network) serve(name string, desc *grpc.ServiceDesc, pick func() (service any, alive func() bool)) {
	wrapped := *desc
	wrapped.Methods = nil
	for _, m := range desc.Methods {
		handle := m.Handler
		point := name + "." + m.MethodName
		m.Handler = func(_ any, ctx context.Context, decode func(any) error, chain grpc.UnaryServerInterceptor) (any, error) {
			label := "nobody"
			if md, _ := metadata.FromIncomingContext(ctx); len(md.Get("x-request-id")) > 0 {
				label = md.Get("x-request-id")[0]
			}
			if v := n.s.park(ctx, label, "> "+point, refused); v != proceed {
				return nil, cut(ctx, v)
			}
			service, alive := pick()
			if service == nil {
				return nil, cut(ctx, refused)
			}
			out, err := handle(service, ctx, decode, chain)
			if v := n.s.park(ctx, label, "< "+point, unheard); v != proceed || !alive() {
				return nil, cut(ctx, v)
			}
			return out, err
		}
		wrapped.Methods = append(wrapped.Methods, m)
	}
	n.direct.RegisterService(&wrapped, nil)
}

// cut is what a caller hears of a connection that broke.
func cut(ctx context.Context, v verdict) error {
	if v == expired && ctx.Err() != nil {
		return status.FromContextError(ctx.Err()).Err()
	}
	return status.Error(codes.Unavailable, "the connection broke")
}

// only serves what has one replica that never dies.
func only(service any) func() (any, func() bool) {
	return func() (any, func() bool) { return service, func() bool { return true } }
}

// dial connects as a signer.
func (n *network) dial(signer string) grpc.ClientConnInterface {
	s, err := signers().Signer(signer)
	if err != nil {
		panic(err)
	}
	// Half of the longest wait, so that a history repeats itself.
	return n.direct.Dial(rpc.ClientConfig{Signer: s, Jitter: func(most time.Duration) time.Duration { return most / 2 }})
}

type labelKey struct{}

// labelled names the work of a context.
func labelled(ctx context.Context, label string) context.Context {
	return rpc.WithRequestID(context.WithValue(ctx, labelKey{}, label), label)
}

// door is the gateway's end of a connection: it names calls after the work that
// they belong to, where the gateway would draw a random request id.
type door struct{ grpc.ClientConnInterface }

func (d door) Invoke(ctx context.Context, method string, args, reply any, opts ...grpc.CallOption) error {
	label, ok := ctx.Value(labelKey{}).(string)
	if !ok { // the hub's own work
		label = "hub"
		if in, ok := args.(*playv1.ListEventsRequest); ok {
			label += "." + short(in.GetGame())
		}
	}
	return d.ClientConnInterface.Invoke(rpc.WithRequestID(ctx, label), method, args, reply, opts...)
}

// bus brings copies of events to the hub; it loses, doubles, delays and
// disorders them, and goes away.
type bus struct {
	s    *scheduler
	away bool

	mu     sync.Mutex
	next   int
	subs   map[int]watch
	flight []*busv1.GameEvent
}

type watch struct {
	game  string // empty for all
	event func(*busv1.GameEvent)
	lost  func()
}

var _ gateway.Events = (*bus)(nil)

func newBus(s *scheduler) *bus { return &bus{s: s, subs: map[int]watch{}} }

func (b *bus) publish(e *busv1.GameEvent) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away {
		return fmt.Errorf("the bus is away")
	}
	b.flight = append(b.flight, e)
	return nil
}

// WatchGame implements gateway.Events.
func (b *bus) WatchGame(game string, event func(*busv1.GameEvent), lost func()) (func(), error) {
	return b.watch(watch{game, event, lost})
}

// WatchAll implements gateway.Events.
func (b *bus) WatchAll(event func(*busv1.GameEvent), lost func()) (func(), error) {
	return b.watch(watch{"", event, lost})
}

func (b *bus) watch(w watch) (func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away {
		return nil, fmt.Errorf("the bus is away")
	}
	id := b.next
	b.next++
	b.subs[id] = w
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subs, id)
	}, nil
}

// flying counts the copies under way.
func (b *bus) flying() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.flight)
}

// deliver brings one of the first few copies to where it is watched for.
func (b *bus) deliver() {
	b.mu.Lock()
	i := 0
	if b.s.faults > 0 {
		i = b.s.rng.IntN(min(len(b.flight), 4))
	}
	e := b.flight[i]
	fate := "delivered"
	switch {
	case b.s.faults > 0 && b.s.chance(60):
		fate = "doubled" // it stays in flight
	case b.s.faults > 0 && b.s.chance(80):
		fate = "dropped"
		fallthrough
	default:
		b.flight = append(b.flight[:i], b.flight[i+1:]...)
	}
	var to []watch
	for id := range b.next {
		if w, ok := b.subs[id]; ok && (w.game == "" || w.game == e.GetEvent().GetGameId()) {
			to = append(to, w)
		}
	}
	b.mu.Unlock()
	b.s.note("bus %s %d %s", short(e.GetEvent().GetGameId()), e.GetEvent().GetVersion(), fate)
	if fate == "dropped" {
		return
	}
	for _, w := range to {
		w.event(e)
	}
}

// cutOff takes the bus away with all that is under way.
func (b *bus) cutOff() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away, b.flight = true, nil
	b.s.note("bus away")
}

// comeBack ends that; subscribers hear that they may have missed something.
func (b *bus) comeBack() {
	b.mu.Lock()
	b.away = false
	var lost []func()
	for id := range b.next {
		if w, ok := b.subs[id]; ok {
			lost = append(lost, w.lost)
		}
	}
	b.mu.Unlock()
	b.s.note("bus back")
	for _, f := range lost {
		f()
	}
}
