package pitfalls

import (
	"context"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/status"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
)

// replica counts what it is asked.
type replica struct {
	healthv1.UnimplementedHealthServer
	address string
	calls   atomic.Int64
}

func (r *replica) Check(context.Context, *healthv1.HealthCheckRequest) (*healthv1.HealthCheckResponse, error) {
	r.calls.Add(1)
	return &healthv1.HealthCheckResponse{Status: healthv1.HealthCheckResponse_SERVING}, nil
}

func newReplica(t *testing.T) *replica {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &replica{address: listener.Addr().String()}
	server := rpc.NewServer(rpc.ServerConfig{Service: "test", Verify: func(string, time.Time) (identity.Caller, error) {
		return identity.Caller{}, identity.ErrInvalid
	}})
	healthv1.RegisterHealthServer(server, r)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return r
}

// Pitfall 20: a client that stays with the first address gives all calls to one
// replica, and none to one that is added.
func TestCallsAreSharedByReplicas(t *testing.T) {
	all := []*replica{newReplica(t), newReplica(t), newReplica(t)}
	names := manual.NewBuilderWithScheme("replicas")
	resolver.Register(names)
	state := func(of []*replica) (s resolver.State) {
		for _, r := range of {
			s.Addresses = append(s.Addresses, resolver.Address{Addr: r.address})
		}
		return s
	}
	names.InitialState(state(all[:2]))
	conn, err := rpc.Dial("replicas:///test", rpc.ClientConfig{}, insecure.NewCredentials())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := healthv1.NewHealthClient(conn)
	shared := func(of []*replica) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		for {
			least := int64(100)
			for _, r := range of {
				least = min(least, r.calls.Load())
			}
			if least >= 10 {
				return
			}
			if _, err := client.Check(ctx, &healthv1.HealthCheckRequest{}); err != nil {
				t.Fatalf("a replica of %d has heard %d calls: %v", len(of), least, err)
			}
		}
	}
	shared(all[:2])
	names.UpdateState(state(all))
	shared(all)
}

// Pitfall 24: a server must not take whatever one connection sends.
func TestAMessageThatIsTooLargeIsRefused(t *testing.T) {
	r := newReplica(t)
	conn, err := rpc.Dial(r.address, rpc.ClientConfig{}, insecure.NewCredentials())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := healthv1.NewHealthClient(conn)
	if _, err := client.Check(t.Context(), &healthv1.HealthCheckRequest{Service: strings.Repeat("x", 1000<<10)}); err != nil {
		t.Errorf("1000 KiB: %v", err)
	}
	_, err = client.Check(t.Context(), &healthv1.HealthCheckRequest{Service: strings.Repeat("x", 1<<20)})
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("1 MiB and its header: %v", err)
	}
	if got := r.calls.Load(); got != 1 {
		t.Errorf("the handler ran %d times", got)
	}
}
