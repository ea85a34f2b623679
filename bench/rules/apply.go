package rules

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"tabuleiro/bench/measure"
	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	"tabuleiro/services/rules"
)

const (
	inFlight = 64
	// burst is how many calls one part of a round makes.
	burst = 6000
	// method is what is called, whoever serves it: the contract behind the name
	// decides what the interceptors do.
	method = "/tabuleiro.rules.v1.RulesService/Apply"
)

// apply compares the throughput of Apply with that of calls that do nothing,
// over the same transport, through the same interceptors, with messages of the
// same sizes, in two ways. With opaque bytes at the client, which neither writes
// the request nor reads the answer, and an empty call that carries bytes: what
// the service adds, reading and writing its messages included. And with the
// messages read at the client, as a caller does, against an empty call of the
// same messages, whose answers were made beforehand: what the rules add. The
// service writes its answers itself where the empty call leaves that to protobuf,
// so this ratio may pass 1; the first one is the stricter.
func apply(cfg Config, run *measure.Run) (err error) {
	calls, err := gameCalls(cfg.Seed, 256)
	if err != nil {
		return err
	}
	var in, out int
	for _, c := range calls {
		in += proto.Size(c.request)
		out += proto.Size(c.answer)
	}
	run.Notes = append(run.Notes, fmt.Sprintf("Apply: %d moves in flight at once, chess, positions of random games with their history, %d bytes in and %d out on average; "+
		"client and server in one process.", inFlight, in/len(calls), out/len(calls)))

	var s series
	for _, transport := range []string{"TCP", "in process"} {
		if err := applyOver(cfg, transport, calls, &s); err != nil {
			return err
		}
	}
	run.Figures = append(run.Figures, s.figures(map[string][2]float64{
		"Apply / empty call, TCP":                      {0.7, 0.9},
		"Apply / empty call, in process":               {0.7, 0.9},
		"Apply / empty call, answers read, TCP":        {0.7, 0.9},
		"Apply / empty call, answers read, in process": {0.7, 0.9},
	})...)
	return nil
}

// call is a move in a position with its answer.
type call struct {
	request *rulesv1.ApplyRequest
	answer  *rulesv1.ApplyResponse
	// wire is the request as bytes; bytesIn and bytesOut are as long as the
	// request and the answer. bytesIn begins with the number of the call.
	wire, bytesIn []byte
	bytesOut      *wrapperspb.BytesValue
}

// gameCalls draws moves from all over random games.
func gameCalls(seed uint64, n int) ([]call, error) {
	rng := rand.New(rand.NewPCG(seed, 1))
	service, game := rules.New(), chess.New()
	var calls []call
	for len(calls) < n {
		start, err := game.Start("")
		if err != nil {
			return nil, err
		}
		ruling, err := game.Rule(start)
		if err != nil {
			return nil, err
		}
		for length := 1 + rng.IntN(120); length > 0 && len(ruling.Moves) > 0; length-- {
			move := ruling.Moves[rng.IntN(len(ruling.Moves))]
			if length == 1 {
				c, err := newCall(service, uint32(len(calls)), &ruling.Position, move.Text)
				if err != nil {
					return nil, err
				}
				calls = append(calls, c)
			}
			if _, ruling, err = game.Apply(ruling.Position, move.Text); err != nil {
				return nil, err
			}
		}
	}
	return calls, nil
}

func newCall(service *rules.Service, number uint32, p *games.Position, move string) (call, error) {
	c := call{request: &rulesv1.ApplyRequest{
		Position: &commonv1.Position{Rules: p.Rules, Text: p.Text, Draws: p.Draws, History: p.History}, Move: move,
	}}
	var err error
	if c.answer, err = service.Apply(context.Background(), c.request); err != nil {
		return call{}, err
	}
	if c.wire, err = proto.Marshal(c.request); err != nil {
		return call{}, err
	}
	c.bytesOut = bytesOf(proto.Size(c.answer))
	in := bytesOf(len(c.wire))
	binary.BigEndian.PutUint32(in.Value, number)
	c.bytesIn, err = proto.Marshal(in)
	return c, err
}

// bytesOf is a message of about a size on the wire: its tag and length are three
// bytes for all sizes here.
func bytesOf(size int) *wrapperspb.BytesValue {
	return wrapperspb.Bytes(make([]byte, max(size-3, 0)))
}

// kind is a way to call a server.
type kind struct {
	name string
	conn grpc.ClientConnInterface
	// send makes one call.
	send func(ctx context.Context, conn grpc.ClientConnInterface, c *call) error
}

func applyOver(cfg Config, transport string, calls []call, s *series) (err error) {
	byText := map[string]*rulesv1.ApplyResponse{}
	for i := range calls {
		byText[key(calls[i].request)] = calls[i].answer
	}
	messages := func(_ context.Context, req *rulesv1.ApplyRequest) (*rulesv1.ApplyResponse, error) {
		return byText[key(req)], nil
	}
	raw := func(_ context.Context, req *wrapperspb.BytesValue) (*wrapperspb.BytesValue, error) {
		return calls[binary.BigEndian.Uint32(req.Value)].bytesOut, nil
	}
	var conns [3]*grpc.ClientConn
	for i, register := range []func(*grpc.Server){
		func(g *grpc.Server) { rules.Register(g, rules.New()) },
		func(g *grpc.Server) { g.RegisterService(describe(raw), struct{}{}) },
		func(g *grpc.Server) { g.RegisterService(describe(messages), struct{}{}) },
	} {
		conn, stop, err := serve(transport, register)
		if err != nil {
			return err
		}
		defer stop()
		conns[i] = conn
	}
	kinds := []kind{
		{name: "Apply", conn: conns[0], send: sendBytes(func(c *call) []byte { return c.wire })},
		{name: "empty call", conn: conns[1], send: sendBytes(func(c *call) []byte { return c.bytesIn })},
		{name: "Apply, answers read", conn: conns[0], send: sendMessages},
		{name: "empty call, answers read", conn: conns[2], send: sendMessages},
	}
	// A short burst of each first opens connections and fills pools.
	for _, k := range kinds {
		if _, _, err := k.burst(calls, burst/4); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
	}
	for range cfg.Rounds {
		used, took := map[string]float64{}, map[string]float64{}
		for _, k := range kinds {
			cpu, wall, err := k.burst(calls, burst)
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			used[k.name], took[k.name] = cpu.Seconds(), wall.Seconds()
			s.add(k.name+", processor time of a call, "+transport, "us", cpu.Seconds()*1e6/burst)
		}
		for _, way := range []string{"", ", answers read"} {
			own, empty := "Apply"+way, "empty call"+way
			s.add("Apply / empty call"+way+", "+transport, "ratio", used[empty]/used[own])
			s.add("Apply / empty call"+way+" by the clock, "+transport, "ratio", took[empty]/took[own])
		}
	}
	return nil
}

// key finds a request again.
func key(r *rulesv1.ApplyRequest) string { return r.Position.Text + r.Move }

func sendMessages(ctx context.Context, conn grpc.ClientConnInterface, c *call) error {
	got := &rulesv1.ApplyResponse{}
	if err := conn.Invoke(ctx, method, c.request, got); err != nil {
		return err
	}
	if len(got.GetRuling().GetMoves()) != len(c.answer.GetRuling().GetMoves()) {
		return errors.New("another answer than the service's own")
	}
	return nil
}

// sendBytes sends what a call holds as it is, and leaves the answer as it is.
func sendBytes(of func(*call) []byte) func(context.Context, grpc.ClientConnInterface, *call) error {
	return func(ctx context.Context, conn grpc.ClientConnInterface, c *call) error {
		in, got := of(c), []byte(nil)
		if err := conn.Invoke(ctx, method, &in, &got, grpc.ForceCodecV2(opaque{})); err != nil {
			return err
		}
		// Two bytes may be missing where a length takes more of them.
		if size := proto.Size(c.answer); len(got) < size-2 || len(got) > size+2 {
			return fmt.Errorf("an answer of %d bytes instead of %d", len(got), size)
		}
		return nil
	}
}

// opaque is a codec that sends bytes as they are.
type opaque struct{}

// Name is that of the codec at the other end.
func (opaque) Name() string { return "proto" }

// Marshal takes *[]byte.
func (opaque) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(*v.(*[]byte))}, nil
}

// Unmarshal takes *[]byte.
func (opaque) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}

// burst makes a number of calls, as many at once as may be in flight.
func (k *kind) burst(calls []call, n int) (cpu, wall time.Duration, err error) {
	began := time.Now()
	cpu, err = measure.Spent(func() error {
		var next atomic.Int64
		var wg sync.WaitGroup
		failed := make(chan error, inFlight)
		for range inFlight {
			wg.Go(func() {
				for i := next.Add(1); i <= int64(n); i = next.Add(1) {
					if err := k.send(context.Background(), k.conn, &calls[int(i)%len(calls)]); err != nil {
						failed <- err
						return
					}
				}
			})
		}
		wg.Wait()
		close(failed)
		return <-failed
	})
	return cpu, time.Since(began), err
}

// serve starts a server with the chain that all roles have, and connects to it.
func serve(transport string, register func(*grpc.Server)) (*grpc.ClientConn, func(), error) {
	server := rpc.NewServer(rpc.ServerConfig{
		Service: "bench",
		Verify: func(string, time.Time) (identity.Caller, error) {
			return identity.Caller{}, errors.New("nobody signs here")
		},
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	register(server)
	var listener net.Listener
	var conn *grpc.ClientConn
	var err error
	if transport == "TCP" {
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, nil, err
		}
		conn, err = rpc.Dial(listener.Addr().String(), rpc.ClientConfig{}, insecure.NewCredentials())
	} else {
		network := rpc.NewInProcess()
		listener = network.Listen("bench")
		conn, err = network.Dial("bench", rpc.ClientConfig{})
	}
	if err != nil {
		return nil, nil, errors.Join(err, listener.Close())
	}
	var wg sync.WaitGroup
	// What Serve says at its end says nothing: a server that fails earlier fails
	// the calls.
	wg.Go(func() { _ = server.Serve(listener) })
	return conn, func() {
		_ = conn.Close()
		server.Stop()
		wg.Wait()
	}, nil
}

// describe is a service with the one method, under the name that the contract
// knows, which answers with messages of any kind.
func describe[In any, Out any](answer func(context.Context, *In) (*Out, error)) *grpc.ServiceDesc {
	handler := func(srv any, ctx context.Context, decode func(any) error, around grpc.UnaryServerInterceptor) (any, error) {
		in := new(In)
		if err := decode(in); err != nil {
			return nil, err
		}
		info := &grpc.UnaryServerInfo{Server: srv, FullMethod: method}
		return around(ctx, in, info, func(ctx context.Context, req any) (any, error) { return answer(ctx, req.(*In)) })
	}
	return &grpc.ServiceDesc{
		ServiceName: rulesv1.RulesService_ServiceDesc.ServiceName,
		HandlerType: (*any)(nil),
		Methods:     []grpc.MethodDesc{{MethodName: "Apply", Handler: handler}},
	}
}
