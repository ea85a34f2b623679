package rpc

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"tabuleiro/internal/identity"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

func TestEveryCallHasADeadline(t *testing.T) {
	s := newStage(t)
	var left time.Duration
	s.handle = func(ctx context.Context) error {
		deadline, ok := ctx.Deadline()
		if !ok {
			t.Error("a call without a deadline arrived")
		}
		left = time.Until(deadline)
		return nil
	}
	s.each(t, "", func(t *testing.T, conn grpc.ClientConnInterface) {
		if err := calls["public"](t.Context(), conn); err != nil {
			t.Fatal(err)
		}
		if left <= 0 || left > DefaultDeadline {
			t.Errorf("%v left, want at most %v", left, DefaultDeadline)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := calls["public"](ctx, conn); err != nil {
			t.Fatal(err)
		}
		if left <= DefaultDeadline {
			t.Errorf("%v left of the caller's own hour", left)
		}
	})
}

func TestRequestIDIsForwarded(t *testing.T) {
	s := newStage(t)
	var got string
	s.handle = func(ctx context.Context) error { got = RequestID(ctx); return nil }
	s.each(t, "", func(t *testing.T, conn grpc.ClientConnInterface) {
		if err := calls["public"](WithRequestID(t.Context(), "r-1"), conn); err != nil || got != "r-1" {
			t.Errorf("got %q, %v; want r-1", got, err)
		}
		if err := calls["public"](t.Context(), conn); err != nil || got == "" || got == "r-1" {
			t.Errorf("without one: got %q, %v", got, err)
		}
		if err := calls["public"](WithRequestID(t.Context(), "no blanks\n"), conn); err == nil && got == "no blanks\n" {
			t.Errorf("a request id that could forge a line of the log came through")
		}
	})
}

func TestRetryOnlyWhereItIsSafe(t *testing.T) {
	for name, tc := range map[string]struct {
		method string
		err    error
		want   int
	}{
		"a question":            {"/tabuleiro.play.v1.PlayService/GetGame", status.Error(codes.Unavailable, ""), maxAttempts},
		"a command with a key":  {"/tabuleiro.play.v1.PlayService/Move", status.Error(codes.Unavailable, ""), maxAttempts},
		"neither":               {"/tabuleiro.accounts.v1.AccountsService/LogIn", status.Error(codes.Unavailable, ""), 1},
		"an answer":             {"/tabuleiro.play.v1.PlayService/GetGame", Fail("gate_unavailable", "").GRPCStatus().Err(), 1},
		"another failure":       {"/tabuleiro.play.v1.PlayService/GetGame", status.Error(codes.Internal, ""), 1},
		"a deadline that ended": {"/tabuleiro.play.v1.PlayService/GetGame", status.Error(codes.DeadlineExceeded, ""), 1},
	} {
		attempts := 0
		err := ClientInterceptor(ClientConfig{})(t.Context(), tc.method, nil, nil, nil,
			func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error {
				attempts++
				return tc.err
			})
		if attempts != tc.want || err != tc.err {
			t.Errorf("%s: %d attempts, %v; want %d", name, attempts, err, tc.want)
		}
	}
}

// A stopping service ends the calls that run in it, which then fail as if their
// caller had given up.
func TestACallThatTheOtherEndEndedIsUnavailable(t *testing.T) {
	for name, ended := range map[string]error{
		"by gRPC":    status.Error(codes.Canceled, "context canceled"),
		"by a chain": Fail("cancelled", "").GRPCStatus().Err(),
	} {
		attempts := 0
		invoke := func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error {
			attempts++
			return ended
		}
		call := func(ctx context.Context) error {
			attempts = 0
			return ClientInterceptor(ClientConfig{})(ctx, "/tabuleiro.play.v1.PlayService/GetGame", nil, nil, nil, invoke)
		}
		if err := call(t.Context()); ToProblem(err).Code != "unavailable" || attempts != maxAttempts {
			t.Errorf("%s: %v after %d attempts, want unavailable after %d", name, err, attempts, maxAttempts)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := call(ctx); ToProblem(err).Code != "cancelled" || attempts != 1 {
			t.Errorf("%s, given up: %v after %d attempts, want cancelled after 1", name, err, attempts)
		}
	}
}

func TestSignerCannotSpeakForNobody(t *testing.T) {
	keys, err := identity.Generate("gateway")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := keys.Signer("gateway")
	if err != nil {
		t.Fatal(err)
	}
	ctx := identity.With(t.Context(), identity.Caller{Account: "a", Service: "play"})
	err = ClientInterceptor(ClientConfig{Signer: signer})(ctx, "/x/y", nil, nil, nil,
		func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error {
			t.Error("the call left")
			return nil
		})
	if err == nil {
		t.Error("no error")
	}
}

func TestDirectSharesNothing(t *testing.T) {
	keys, err := identity.Generate("gateway")
	if err != nil {
		t.Fatal(err)
	}
	d := NewDirect(ServerConfig{Verify: keys.Verify})
	kept := &keeper{}
	rulesv1.RegisterRulesServiceServer(d, kept)
	client := rulesv1.NewRulesServiceClient(d.Dial(ClientConfig{}))
	req := &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: "chess"}}
	type private struct{}
	ctx := context.WithValue(t.Context(), private{}, "secret")
	if _, err := client.Inspect(ctx, req); err != nil {
		t.Fatal(err)
	}
	if kept.req == req || kept.req.GetPosition() == req.GetPosition() {
		t.Error("the handler got the caller's message")
	}
	if kept.ctx.Value(private{}) != nil {
		t.Error("the handler got the caller's context values")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Inspect(ended, req); status.Code(err) != codes.Canceled {
		t.Errorf("ended context: got %v", err)
	}
	if _, err := client.Apply(t.Context(), &rulesv1.ApplyRequest{Position: req.GetPosition(), Move: "e4"}); err == nil {
		t.Error("a method that is not served answered")
	}
}

type keeper struct {
	rulesv1.UnimplementedRulesServiceServer
	ctx context.Context
	req *rulesv1.InspectRequest
}

func (k *keeper) Inspect(ctx context.Context, req *rulesv1.InspectRequest) (*rulesv1.InspectResponse, error) {
	k.ctx, k.req = ctx, req
	return &rulesv1.InspectResponse{}, nil
}

// The limits hold on a real listener.
func TestTCP(t *testing.T) {
	s := newStage(t)
	server := NewServer(s.config)
	rulesv1.RegisterRulesServiceServer(server, fakeRules{s: s})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	t.Cleanup(server.Stop)
	conn, err := Dial(l.Addr().String(), ClientConfig{}, insecure.NewCredentials())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := calls["public"](t.Context(), conn); err != nil {
		t.Errorf("over TCP: %v", err)
	}
	huge := &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: "chess", Text: string(make([]byte, 2<<20))}}
	if _, err := rulesv1.NewRulesServiceClient(conn).Inspect(t.Context(), huge); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("2 MiB: got %v", status.Code(err))
	}
}

// A connection on which nothing happens outlives its pings: a server that finds
// them too many cuts it at the third.
func TestKeepaliveOfBothEndsAgrees(t *testing.T) {
	if pingEvery < 2*pingNotBefore {
		t.Errorf("clients ping each %v, servers allow %v", pingEvery, pingNotBefore)
	}
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		network, server := NewInProcess(), NewServer(s.config)
		rulesv1.RegisterRulesServiceServer(server, fakeRules{s: s})
		counted := &counting{Listener: network.Listen("rules")}
		go server.Serve(counted)
		conn, err := network.Dial("rules", ClientConfig{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 { // in less time than a connection gets old in
			time.Sleep(time.Duration(i) * 4 * pingEvery)
			if err := calls["public"](t.Context(), conn); err != nil {
				t.Error(err)
			}
		}
		if n := counted.accepted.Load(); n != 1 {
			t.Errorf("%d connections for one client that idles", n)
		}
		conn.Close()
		server.Stop()
	})
}

// counting counts connections.
type counting struct {
	net.Listener
	accepted atomic.Int64
}

func (c *counting) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.accepted.Add(1)
	}
	return conn, err
}

// One connection has so many calls at once, and no more: the next waits until one
// of them ends.
func TestCallsAtOnceAreBounded(t *testing.T) {
	s := newStage(t)
	var running atomic.Int64
	full, release := make(chan struct{}), make(chan struct{})
	s.handle = func(context.Context) error {
		switch n := running.Add(1); {
		case n == maxStreams:
			close(full)
		case n > maxStreams:
			return nil
		}
		<-release
		return nil
	}
	conn, err := s.network.Dial("all", ClientConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended := make(chan error, maxStreams)
	for range maxStreams {
		go func() { ended <- calls["public"](ctx, conn) }()
	}
	<-full
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if err := calls["public"](short, conn); err == nil || running.Load() != maxStreams {
		t.Errorf("one more came in: %v, %d run", err, running.Load())
	}
	close(release)
	for range maxStreams {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if err := calls["public"](ctx, conn); err != nil {
		t.Errorf("when there is room again: %v", err)
	}
}

func TestStopLetsCallsEndAndCutsTheRest(t *testing.T) {
	for name, hang := range map[string]bool{"a call that ends": false, "a call that hangs": true} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			entered, release := make(chan struct{}), make(chan struct{})
			s.handle = func(ctx context.Context) error {
				close(entered)
				if hang {
					<-ctx.Done()
					return ctx.Err()
				}
				<-release
				return nil
			}
			server := NewServer(s.config)
			rulesv1.RegisterRulesServiceServer(server, fakeRules{s: s})
			network := NewInProcess()
			go server.Serve(network.Listen("rules"))
			conn, err := network.Dial("rules", ClientConfig{})
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			result := make(chan error, 1)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			go func() { result <- calls["public"](ctx, conn) }()
			<-entered
			stopped := make(chan struct{})
			grace := time.Minute
			if hang {
				grace = time.Millisecond
			}
			go func() { Stop(server, grace); close(stopped) }()
			close(release)
			<-stopped
			if err := <-result; (err != nil) != hang {
				t.Errorf("the call ended with %v", err)
			}
		})
	}
}
