package bus_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/bus"
	"tabuleiro/internal/bus/bustest"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
)

// recv waits for a value, within a bound that only a broken bus meets.
func recv[T any](t testing.TB, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(20 * time.Second):
		t.Fatal("nothing came")
	}
	panic("unreachable")
}

func hello(worker string) *busv1.WorkerHello { return &busv1.WorkerHello{Worker: worker} }

func TestPublishSubscribe(t *testing.T) {
	s := bustest.Start(t)
	worker, search := bustest.Conn(t, s, bus.RoleWorker), bustest.Conn(t, s, bus.RoleSearch)
	got := make(chan string, 100)
	_, err := search.Subscribe(bus.SearchWorker, 100, func(m bus.Message) {
		var h busv1.WorkerHello
		if err := m.Decode(&h); err != nil {
			t.Error(err)
		}
		got <- h.GetWorker()
		if err := m.Respond(hello("x")); !errors.Is(err, bus.ErrNoReply) {
			t.Errorf("Respond to no request: got %v, want ErrNoReply", err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		if err := worker.Publish(bus.SearchWorker, hello(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 50 {
		if v := recv(t, got); v != fmt.Sprint(i) {
			t.Fatalf("got %s, want %d", v, i)
		}
	}
}

func TestRequest(t *testing.T) {
	s := bustest.Start(t)
	worker, search := bustest.Conn(t, s, bus.RoleWorker), bustest.Conn(t, s, bus.RoleSearch)
	if err := worker.Request(t.Context(), bus.SearchTask("1"), &busv1.SearchTaskRequest{}, &busv1.SearchTask{}); !errors.Is(err, bus.ErrNoResponder) {
		t.Errorf("got %v, want ErrNoResponder", err)
	}
	want := &busv1.SearchTask{Wanted: true, Depth: 7, Number: 2}
	sub, err := search.Subscribe(bus.SearchTask("1"), 10, func(m bus.Message) {
		var r busv1.SearchTaskRequest
		if err := m.Decode(&r); err != nil || r.GetWorker() != "w" {
			t.Errorf("got %v, %v", &r, err)
		}
		if err := m.Respond(want); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var got busv1.SearchTask
	if err := worker.Request(t.Context(), bus.SearchTask("1"), &busv1.SearchTaskRequest{Worker: "w"}, &got); err != nil || !proto.Equal(&got, want) {
		t.Errorf("got %v, %v, want %v", &got, err, want)
	}
	sub.Unsubscribe()
	sub.Unsubscribe()

	silent := make(chan struct{}, 1)
	if _, err := search.Subscribe(bus.SearchTask("2"), 10, func(bus.Message) { silent <- struct{}{} }); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-silent; cancel() }()
	if err := worker.Request(ctx, bus.SearchTask("2"), &busv1.SearchTaskRequest{}, &got); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// Boards speak proto JSON.
func TestBoardSubjectsAreJSON(t *testing.T) {
	s := bustest.Start(t)
	edge, gateway := bustest.Conn(t, s, bus.RoleEdge), bustest.Conn(t, s, bus.RoleGateway)
	_, err := gateway.QueueSubscribe(bus.Board("b1", "command"), "gateways", 10, func(m bus.Message) {
		if got := strings.ReplaceAll(string(m.Data), " ", ""); got != `{"left_ms":7}` {
			t.Errorf("got %s", m.Data)
		}
		if err := m.Respond(&busv1.SearchOpen{LeftMs: 8}); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var got busv1.SearchOpen
	if err := edge.Request(t.Context(), bus.Board("b1", "command"), &busv1.SearchOpen{LeftMs: 7}, &got); err != nil || got.GetLeftMs() != 8 {
		t.Errorf("got %v, %v", &got, err)
	}
}

func TestQueueGivesEachMessageToOne(t *testing.T) {
	s := bustest.Start(t)
	edge, one, two := bustest.Conn(t, s, bus.RoleEdge), bustest.Conn(t, s, bus.RoleGateway), bustest.Conn(t, s, bus.RoleGateway)
	got := make(chan string, 100)
	for _, c := range []*bus.Conn{one, two} {
		_, err := c.QueueSubscribe("board.*.hello", "gateways", 100, func(m bus.Message) { got <- m.Subject })
		if err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for i := range 40 {
		subject := bus.Board(fmt.Sprintf("%02d", i), "hello")
		want = append(want, subject)
		if err := edge.Publish(subject, hello("")); err != nil {
			t.Fatal(err)
		}
	}
	var all []string
	for range want {
		all = append(all, recv(t, got))
	}
	slices.Sort(all)
	if !slices.Equal(all, want) {
		t.Errorf("got %q, want %q", all, want)
	}
}

// A slow subscriber loses the newest, counts them, and is told before it handles
// anything that came after the loss.
func TestSlowSubscriber(t *testing.T) {
	s := bustest.Start(t)
	worker, search := bustest.Conn(t, s, bus.RoleWorker), bustest.Conn(t, s, bus.RoleSearch)
	entered, release := make(chan struct{}, 100), make(chan struct{})
	events := make(chan string, 100)
	sub, err := search.Subscribe(bus.SearchTT("1"), 2, func(m bus.Message) {
		var g busv1.SearchGossip
		if err := m.Decode(&g); err != nil {
			t.Error(err)
		}
		entered <- struct{}{}
		<-release
		events <- g.GetWorker()
	})
	if err != nil {
		t.Fatal(err)
	}
	sub.OnDrop(func(n int64) { events <- fmt.Sprintf("lost %d", n) })
	fence := make(chan string, 1)
	if _, err := search.Subscribe(bus.SearchWorker, 1, func(bus.Message) { fence <- "" }); err != nil {
		t.Fatal(err)
	}
	publish := func(name string) {
		t.Helper()
		if err := worker.Publish(bus.SearchTT("1"), &busv1.SearchGossip{Worker: name}); err != nil {
			t.Fatal(err)
		}
	}
	publish("a")
	recv(t, entered)
	for _, name := range []string{"b", "c", "d", "e"} { // b and c fit
		publish(name)
	}
	for sub.Dropped() < 2 { // arrives on another goroutine: fence by messages on the same connection
		if err := worker.Publish(bus.SearchWorker, hello("")); err != nil {
			t.Fatal(err)
		}
		recv(t, fence)
	}
	close(release)
	for _, want := range []string{"a", "lost 2", "b", "c"} {
		if got := recv(t, events); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	publish("f")
	if got := recv(t, events); got != "f" {
		t.Errorf("got %q, want f", got)
	}
	if got := search.Stats().Dropped; got != 2 {
		t.Errorf("Stats().Dropped: got %d, want 2", got)
	}
}

func TestSubscriberPanicIsContained(t *testing.T) {
	s := bustest.Start(t)
	worker, search := bustest.Conn(t, s, bus.RoleWorker), bustest.Conn(t, s, bus.RoleSearch)
	got := make(chan struct{}, 10)
	_, err := search.Subscribe(bus.SearchWorker, 10, func(bus.Message) {
		got <- struct{}{}
		panic("boom")
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := worker.Publish(bus.SearchWorker, hello("")); err != nil {
			t.Fatal(err)
		}
		recv(t, got)
	}
}

// Close handles what has arrived, answers included.
func TestCloseDrains(t *testing.T) {
	s := bustest.Start(t)
	worker := bustest.Conn(t, s, bus.RoleWorker)
	search, err := bus.Connect(bus.Config{Server: s, Role: bus.RoleSearch})
	if err != nil {
		t.Fatal(err)
	}
	entered, release := make(chan struct{}, 10), make(chan struct{})
	if _, err := search.Subscribe(bus.SearchTask("1"), 10, func(m bus.Message) {
		entered <- struct{}{}
		<-release
		if err := m.Respond(&busv1.SearchTask{Depth: 3}); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() {
		var got busv1.SearchTask
		err := worker.Request(t.Context(), bus.SearchTask("1"), &busv1.SearchTaskRequest{}, &got)
		if err == nil && got.GetDepth() != 3 {
			err = fmt.Errorf("got %v", &got)
		}
		answered <- err
	}()
	recv(t, entered)
	closed := make(chan error, 1)
	go func() { closed <- search.Close() }()
	close(release)
	if err := recv(t, closed); err != nil {
		t.Error(err)
	}
	if err := recv(t, answered); err != nil {
		t.Errorf("the request in flight: %v", err)
	}
	if err := search.Publish(bus.SearchOpen, &busv1.SearchOpen{}); !errors.Is(err, bus.ErrDisconnected) {
		t.Errorf("publish after Close: got %v, want ErrDisconnected", err)
	}
	if _, err := search.Subscribe(bus.SearchWorker, 1, func(bus.Message) {}); !errors.Is(err, bus.ErrDisconnected) {
		t.Errorf("subscribe after Close: got %v, want ErrDisconnected", err)
	}
}

// A server that goes away fails publishes at once, and is found again.
func TestReconnect(t *testing.T) {
	keys, err := bus.LoadKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	first, err := bus.StartEmbedded(bus.EmbeddedConfig{Keys: keys, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(first.URL(), "nats://")
	connect := func(role bus.Role) *bus.Conn {
		c, err := bus.Connect(bus.Config{URL: "nats://" + address, Role: role, Seed: keys.Seed(role)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	back := make(chan struct{}, 10)
	play, gateway := connect(bus.RolePlay), connect(bus.RoleGateway)
	play.OnReconnect(func() { back <- struct{}{} })
	gateway.OnReconnect(func() { back <- struct{}{} })
	got := make(chan string, 10)
	if _, err := gateway.Subscribe(bus.AllGameEvents, 10, func(m bus.Message) { got <- m.Subject }); err != nil {
		t.Fatal(err)
	}
	if err := play.Publish(bus.GameEvent("1"), &busv1.GameEvent{}); err != nil {
		t.Fatal(err)
	}
	recv(t, got)
	first.Close()
	until(t, "publish to fail", func() bool { return play.Publish(bus.GameEvent("2"), &busv1.GameEvent{}) != nil })
	if err := play.Publish(bus.GameEvent("3"), &busv1.GameEvent{}); !errors.Is(err, bus.ErrDisconnected) {
		t.Errorf("got %v, want ErrDisconnected", err)
	}
	if err := play.Check(t.Context()); !errors.Is(err, bus.ErrDisconnected) {
		t.Errorf("Check: got %v, want ErrDisconnected", err)
	}
	// Connecting while the server is away works later.
	late := connect(bus.RolePlay)
	late.OnReconnect(func() { back <- struct{}{} })
	if late.Connected() {
		t.Error("connected to a server that is away")
	}

	second, err := bus.StartEmbedded(bus.EmbeddedConfig{Keys: keys, Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(second.Close)
	for range 3 {
		recv(t, back)
	}
	// The server may read this before it reads the subscription that the gateway
	// has just sent again; then nobody gets it, and whoever needs to know looks
	// elsewhere. So it is said until it is heard.
	until(t, "an event to arrive after the server came back", func() bool {
		if err := late.Publish(bus.GameEvent("4"), &busv1.GameEvent{}); err != nil {
			t.Fatal(err)
		}
		select {
		case v := <-got:
			if v != bus.GameEvent("4") {
				t.Errorf("got %s", v)
			}
			return true
		default:
			return false
		}
	})
	if n := play.Stats().Disconnects; n < 1 {
		t.Errorf("Disconnects: got %d", n)
	}
}

// until waits for a condition that has no channel, within a bound.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(60 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited too long for %s", what)
		}
	}
}

// A server that hangs keeps its connections and says nothing: that is found within
// seconds, by pings, and what is published meanwhile is refused.
func TestAServerThatHangsIsFoundSoon(t *testing.T) {
	keys, err := bus.LoadKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	server, err := bus.StartEmbedded(bus.EmbeddedConfig{Keys: keys, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	front, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { front.Close() })
	var hangs atomic.Bool
	go func() { // from the server nothing comes while it hangs
		for {
			client, err := front.Accept()
			if err != nil {
				return
			}
			behind, err := net.Dial("tcp", strings.TrimPrefix(server.URL(), "nats://"))
			if err != nil {
				client.Close()
				continue
			}
			t.Cleanup(func() { client.Close(); behind.Close() })
			go io.Copy(behind, client)
			go func() {
				buffer := make([]byte, 4096)
				for {
					n, err := behind.Read(buffer)
					if err != nil {
						return
					}
					if !hangs.Load() {
						_, _ = client.Write(buffer[:n])
					}
				}
			}()
		}
	}()
	c, err := bus.Connect(bus.Config{URL: "nats://" + front.Addr().String(), Role: bus.RolePlay, Seed: keys.Seed(bus.RolePlay)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	until(t, "the connection", c.Connected)
	hangs.Store(true)
	// Well below the minutes after which the system's own clocks would find it.
	until(t, "the server to be found dead", func() bool { return !c.Connected() })
	if err := c.Publish(bus.GameEvent("1"), &busv1.GameEvent{}); !errors.Is(err, bus.ErrDisconnected) {
		t.Errorf("publish: got %v, want ErrDisconnected", err)
	}
	hangs.Store(false)
	until(t, "the server to be back", c.Connected)
}

func TestTooLarge(t *testing.T) {
	s := bustest.Start(t)
	worker := bustest.Conn(t, s, bus.RoleWorker)
	if err := worker.Publish(bus.SearchWorker, hello(strings.Repeat("x", bus.MaxPayload))); !errors.Is(err, bus.ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
	if err := worker.Publish(bus.SearchWorker, hello(strings.Repeat("x", bus.MaxPayload-100))); err != nil {
		t.Errorf("just small enough: %v", err)
	}
}

func TestConnectRefuses(t *testing.T) {
	s := bustest.Start(t)
	for name, cfg := range map[string]bus.Config{
		"unknown role": {Server: s, Role: "rules"},
		"no server":    {Role: bus.RolePlay, Seed: s.Keys().Seed(bus.RolePlay)},
		"no seed":      {URL: "nats://127.0.0.1:1", Role: bus.RolePlay},
		"bad seed":     {Server: s, Role: bus.RolePlay, Seed: []byte("SUxyz")},
	} {
		if c, err := bus.Connect(cfg); err == nil {
			c.Close()
			t.Errorf("%s: connected", name)
		}
	}
}

func TestToken(t *testing.T) {
	for s, want := range map[string]bool{
		"0191e7a2-9e3b-7c10-8000-000000000001": true, "a": true, "": false, "a.b": false, "*": false, ">": false,
		"a b": false, "a\n": false, "ã": false, strings.Repeat("a", 129): false,
	} {
		if got := bus.Token(s); got != want {
			t.Errorf("Token(%q): got %v", s, got)
		}
	}
}

func TestKeys(t *testing.T) {
	dir := t.TempDir()
	all := make(chan *bus.Keys, 8)
	for range cap(all) {
		go func() {
			k, err := bus.LoadKeys(dir)
			if err != nil {
				t.Error(err)
			}
			all <- k
		}()
	}
	first := <-all
	for range cap(all) - 1 {
		k := <-all
		for _, role := range bus.Roles() {
			if k.Public(role) != first.Public(role) || k.Public(role) == "" {
				t.Errorf("%s: processes disagree on the key", role)
			}
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != len(bus.Roles()) {
		t.Errorf("got %v, %v, want a file a role", files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v, want mode 0600", f.Name(), info.Mode(), err)
		}
	}

	path := filepath.Join(t.TempDir(), "worker.creds")
	if err := first.WriteCredentials(path, bus.RoleWorker); err != nil {
		t.Fatal(err)
	}
	if err := first.WriteCredentials(path, bus.RoleWorker); err == nil {
		t.Error("overwrote credentials")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("credentials: %v, %v, want mode 0600", info, err)
	}
	seed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := bus.StartEmbedded(bus.EmbeddedConfig{Keys: first, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := bus.Connect(bus.Config{URL: s.URL(), Role: bus.RoleWorker, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Connected() {
		t.Error("an outside worker does not get in by its credentials")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	// Another installation's key does not.
	others, err := bus.LoadKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c, err = bus.Connect(bus.Config{URL: s.URL(), Role: bus.RoleWorker, Seed: others.Seed(bus.RoleWorker)})
	if err != nil {
		t.Fatal(err)
	}
	if c.Connected() {
		t.Error("a stranger's key got in")
	}
	c.Close()
}

func TestListenerTaken(t *testing.T) {
	s := bustest.Listen(t)
	_, err := bus.StartEmbedded(bus.EmbeddedConfig{Keys: s.Keys(), Listen: strings.TrimPrefix(s.URL(), "nats://")})
	if err == nil {
		t.Error("two servers on one port")
	}
}
