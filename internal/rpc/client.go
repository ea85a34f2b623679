package rpc

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"tabuleiro/internal/identity"
)

// DefaultDeadline is given to a call whose context has none.
const DefaultDeadline = 5 * time.Second

// Retries of calls that may be repeated and whose other end is away.
const (
	maxAttempts = 3
	firstWait   = 50 * time.Millisecond
	longestWait = time.Second
)

// Connections to what is away are tried again so soon that nobody waits long for
// a service that has returned; gRPC's own pause grows to two minutes.
const (
	firstReconnect   = 100 * time.Millisecond
	longestReconnect = 2 * time.Second
	connectTime      = 5 * time.Second
)

// maxAnswer bounds one answer, in bytes: a long game with all its moves fits.
const maxAnswer = 4 << 20

// pipe is the buffer of one in-process connection, in bytes.
const pipe = 256 << 10

// ClientConfig says who calls.
type ClientConfig struct {
	// Signer signs for the caller: the gateway's signs the person of the context
	// (itself where there is none, and nothing where the zero Caller says that the
	// call is for nobody), another one always its own service. Nil calls as nobody,
	// which only public methods allow.
	Signer *identity.Signer
	// Now is the clock of tokens; nil means time.Now.
	Now func() time.Time
	// Jitter draws the random part of the wait before a retry, below most; nil
	// draws it evenly.
	Jitter func(most time.Duration) time.Duration
}

// Network is where servers and clients of one process meet, without ports.
type Network struct {
	mu        sync.Mutex
	listeners map[string]*bufconn.Listener
}

// NewInProcess makes an empty network.
func NewInProcess() *Network {
	return &Network{listeners: map[string]*bufconn.Listener{}}
}

func (n *Network) at(service string) *bufconn.Listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	l, ok := n.listeners[service]
	if !ok {
		l = bufconn.Listen(pipe)
		n.listeners[service] = l
	}
	return l
}

// Listen returns the listener of a service; serve on it once.
func (n *Network) Listen(service string) net.Listener { return n.at(service) }

// Dial connects to a service of this network, which may begin to serve later.
func (n *Network) Dial(service string, cfg ClientConfig) (*grpc.ClientConn, error) {
	l := n.at(service)
	return dial("passthrough:///"+service, cfg, insecure.NewCredentials(),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return l.DialContext(ctx) }))
}

// Dial connects to HOST:PORT (or a gRPC target with a scheme) over TCP. All
// addresses of a name share the calls.
func Dial(address string, cfg ClientConfig, creds credentials.TransportCredentials) (*grpc.ClientConn, error) {
	if !strings.Contains(address, "://") {
		address = "dns:///" + address
	}
	return dial(address, cfg, creds)
}

func dial(target string, cfg ClientConfig, creds credentials.TransportCredentials, more ...grpc.DialOption) (*grpc.ClientConn, error) {
	return grpc.NewClient(target, append([]grpc.DialOption{
		grpc.WithTransportCredentials(creds),
		grpc.WithChainUnaryInterceptor(ClientInterceptor(cfg)),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxAnswer)),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: firstReconnect, Multiplier: 1.6, Jitter: 0.2, MaxDelay: longestReconnect},
			MinConnectTimeout: connectTime,
		}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: pingEvery, Timeout: pingTimeout, PermitWithoutStream: true}),
	}, more...)...)
}

// ClientInterceptor is all that happens around an outgoing call.
func ClientInterceptor(cfg ClientConfig) grpc.UnaryClientInterceptor {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Jitter == nil {
		cfg.Jitter = rand.N[time.Duration]
	}
	known := &methods{}
	return func(ctx context.Context, full string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		ctx, cancel, err := outgoing(ctx, cfg)
		if err != nil {
			return err
		}
		defer cancel()
		m := known.of(full)
		for attempt := 1; ; attempt++ {
			err := invoke(ctx, full, req, reply, cc, opts...)
			if err != nil && ctx.Err() == nil && ToProblem(err).Code == "cancelled" {
				// Not given up here: the other end stops and ends what runs there.
				err = status.Error(codes.Unavailable, "the other end gave the call up")
			}
			if err == nil || attempt == maxAttempts || !m.idempotent || !isAway(err) || !pause(ctx, attempt, cfg.Jitter) {
				return err
			}
		}
	}
}

// outgoing adds what every call carries.
func outgoing(ctx context.Context, cfg ClientConfig) (context.Context, context.CancelFunc, error) {
	md, _ := metadata.FromOutgoingContext(ctx) // a copy
	if md == nil {
		md = metadata.MD{}
	}
	// Whatever came in from outside never poses as a proof of ours.
	md.Delete(callerHeader)
	caller := identity.Caller{}
	if cfg.Signer != nil {
		caller.Service = cfg.Signer.Name()
		if person, ok := identity.From(ctx); ok && cfg.Signer.Name() == identity.Gateway {
			caller = person
		}
	}
	if !caller.Nobody() {
		token, err := cfg.Signer.Sign(caller, cfg.Now())
		if err != nil {
			return nil, nil, fmt.Errorf("calling as %s: %w", cfg.Signer.Name(), err)
		}
		md.Set(callerHeader, token)
	}
	if id := RequestID(ctx); id != "" {
		md.Set(requestHeader, id)
	}
	if key := Key(ctx); key != "" {
		md.Set(keyHeader, key)
	}
	ctx = metadata.NewOutgoingContext(ctx, md)
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, DefaultDeadline)
	return ctx, cancel, nil
}

// isAway: the other end could not be reached. A Problem is an answer.
func isAway(err error) bool {
	if _, answered := ProblemOf(err); answered {
		return false
	}
	return status.Code(err) == codes.Unavailable
}

// pause waits before the next attempt; false where the call's time is over.
func pause(ctx context.Context, attempt int, jitter func(time.Duration) time.Duration) bool {
	ceiling := min(firstWait<<(attempt-1), longestWait)
	timer := time.NewTimer(ceiling/2 + jitter(ceiling/2))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
