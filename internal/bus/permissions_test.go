package bus

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
)

// matrix is written by hand from who does what in the design, not from the table
// under test: for each subject, who may publish and who may subscribe to it.
var matrix = []struct {
	subject            string
	publish, subscribe []Role
}{
	{"game.1.event", []Role{RolePlay}, []Role{RoleGateway}},
	{"game.*.event", nil, []Role{RoleGateway}},
	{"game.1.other", nil, nil},
	{"tournament.1.event", []Role{RolePlay}, []Role{RoleGateway}},
	{"tournament.1.other", nil, nil},
	{"presence.1", []Role{RoleGateway}, []Role{RoleGateway, RolePlay}},
	{"access.1", []Role{RoleAccounts}, []Role{RoleGateway}},
	{"access.*", nil, []Role{RoleGateway}},
	{"search.open", []Role{RoleSearch}, []Role{RoleWorker}},
	{"search.worker", []Role{RoleWorker}, []Role{RoleSearch}},
	{"search.1.task", []Role{RoleWorker}, []Role{RoleSearch}},
	{"search.1.tt", []Role{RoleSearch, RoleWorker}, []Role{RoleSearch, RoleWorker}},
	{"search.1.window", []Role{RoleSearch, RoleWorker}, []Role{RoleSearch, RoleWorker}},
	{"search.1.stop", []Role{RoleSearch}, []Role{RoleWorker}},
	{"board.1.sensor", []Role{RoleEdge}, []Role{RoleGateway}},
	{"board.1.command", []Role{RoleEdge}, []Role{RoleGateway}},
	{"board.1.hello", []Role{RoleEdge}, []Role{RoleGateway}},
	{"board.1.lease", []Role{RoleEdge}, []Role{RoleGateway}},
	{"board.1.desired", []Role{RoleGateway}, []Role{RoleEdge}},
	{"board.1.replay", []Role{RoleGateway}, []Role{RoleEdge}},
	{"board.1.other", nil, nil},
	{"_INBOX_gateway.x", nil, []Role{RoleGateway}},
	{"_INBOX_play.x", nil, []Role{RolePlay}},
	{"_INBOX_search.x", nil, []Role{RoleSearch}},
	{"_INBOX_worker.x", nil, []Role{RoleWorker}},
	{"_INBOX_edge.x", nil, []Role{RoleEdge}},
	{"_INBOX_accounts.x", nil, []Role{RoleAccounts}},
	{"_INBOX.x", nil, nil},
	{">", nil, nil},
	{"*.*.*", nil, nil},
	{"search.>", nil, nil},
	{"board.>", nil, nil},
	{"game.>", nil, nil},
	{"job.review", nil, nil},
	{"$SYS.REQ.SERVER.PING", nil, nil},
	{"$JS.API.INFO", nil, nil},
}

// rawConn is a client that does not ask our table first.
func rawConn(t *testing.T, s *Server, role Role) (*nats.Conn, <-chan error) {
	t.Helper()
	public, sign, err := signer(s.keys.Seed(role))
	if err != nil {
		t.Fatal(err)
	}
	violations := make(chan error, 100)
	nc, err := nats.Connect("", nats.InProcessServer(s.ns), nats.Nkey(public, sign), nats.CustomInboxPrefix(inboxPrefix(role)),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { violations <- err }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc, violations
}

// refused says whether the server refused do. Its refusals come in order, so that
// of a subject which nobody may use ends the wait.
func refused(t *testing.T, nc *nats.Conn, violations <-chan error, do func() error) bool {
	t.Helper()
	if err := errors.Join(do(), nc.Publish("fence", nil)); err != nil {
		t.Fatal(err)
	}
	count := 0
	for {
		select {
		case err := <-violations:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Fatalf("got %v, want a permission violation", err)
			}
			if strings.Contains(err.Error(), `"fence"`) {
				return count > 0
			}
			count++
		case <-time.After(20 * time.Second):
			t.Fatal("the server refused nothing")
		}
	}
}

func testMatrix(t *testing.T, s *Server) {
	for _, role := range Roles() {
		nc, violations := rawConn(t, s, role)
		for _, row := range matrix {
			allowed := !refused(t, nc, violations, func() error {
				_, err := nc.Subscribe(row.subject, func(*nats.Msg) {})
				return err
			})
			if want := slices.Contains(row.subscribe, role); allowed != want {
				t.Errorf("%s: subscribe to %s allowed by the server: %v, want %v", role, row.subject, allowed, want)
			}
			if strings.ContainsAny(row.subject, "*>") {
				continue
			}
			allowed = !refused(t, nc, violations, func() error { return nc.Publish(row.subject, nil) })
			if want := slices.Contains(row.publish, role); allowed != want {
				t.Errorf("%s: publish to %s allowed by the server: %v, want %v", role, row.subject, allowed, want)
			}
		}
	}
}

func TestRightsEmbedded(t *testing.T) {
	keys, err := LoadKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := StartEmbedded(EmbeddedConfig{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if s.URL() != "" {
		t.Errorf("an embedded server listens on %s", s.URL())
	}
	testMatrix(t, s)
}

// The rendered configuration gives a separate server the same rights.
func TestRightsOfSeparateServer(t *testing.T) {
	keys, err := LoadKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text, err := ServerConfig(keys, "127.0.0.1:-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range Roles() {
		if strings.Contains(text, strings.TrimSpace(string(keys.Seed(role)))) {
			t.Errorf("the configuration holds the secret of %s", role)
		}
	}
	path := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	opts, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	opts.NoSigs, opts.NoLog = true, true
	if opts.MaxPayload != MaxPayload {
		t.Errorf("max_payload: got %d", opts.MaxPayload)
	}
	s, err := start(opts, keys, discard())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	testMatrix(t, s)

	if nc, err := nats.Connect(s.URL()); err == nil {
		nc.Close()
		t.Error("anonymous got in")
	}
}

// Our own table agrees with the matrix, so that what the server would refuse
// fails at once instead of timing out.
func TestRightsOfConn(t *testing.T) {
	keys, err := LoadKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := StartEmbedded(EmbeddedConfig{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for _, role := range Roles() {
		c, err := Connect(Config{Server: s, Role: role})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		for _, row := range matrix {
			if strings.HasPrefix(row.subject, "_INBOX_") {
				continue
			}
			err := c.Publish(row.subject, &busv1.SearchStop{})
			if allowed, want := !errors.Is(err, ErrNotAllowed), slices.Contains(row.publish, role); allowed != want {
				t.Errorf("%s publishes %s: %v, want allowed %v", role, row.subject, err, want)
			}
			sub, err := c.Subscribe(row.subject, 1, func(Message) {})
			if allowed, want := !errors.Is(err, ErrNotAllowed), slices.Contains(row.subscribe, role); allowed != want {
				t.Errorf("%s subscribes to %s: %v, want allowed %v", role, row.subject, err, want)
			}
			if err == nil {
				sub.Unsubscribe()
			}
		}
		if v := c.Stats().Violations; v != 0 {
			t.Errorf("%s: the server refused %d times what our table allows", role, v)
		}
		if err := c.Request(t.Context(), "search.1.nothing", &busv1.SearchStop{}, &busv1.SearchStop{}); !errors.Is(err, ErrNotAllowed) {
			t.Errorf("%s: request: got %v, want ErrNotAllowed", role, err)
		}
	}
}

// TestAnswersGoToInboxesAlone: a worker that names another's subject for the
// answer must not borrow the right of who answers.
func TestAnswersGoToInboxesAlone(t *testing.T) {
	keys, err := LoadKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := StartEmbedded(EmbeddedConfig{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	search, err := Connect(Config{Server: s, Role: RoleSearch})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { search.Close() })
	answers := make(chan error, 3)
	if _, err := search.Subscribe(SearchTask("1"), 3, func(m Message) { answers <- m.Respond(&busv1.SearchTask{}) }); err != nil {
		t.Fatal(err)
	}
	worker, _ := rawConn(t, s, RoleWorker)
	for _, reply := range []string{"game.1.event", "search.2.stop", "_INBOX_worker"} {
		if err := errors.Join(worker.PublishRequest(SearchTask("1"), reply, nil), worker.Flush()); err != nil {
			t.Fatal(err)
		}
		if err := <-answers; !errors.Is(err, ErrNoReply) {
			t.Errorf("an answer to %s: got %v, want ErrNoReply", reply, err)
		}
	}
	if _, err := worker.Request(SearchTask("1"), nil, 20*time.Second); err != nil {
		t.Errorf("an answer to an inbox: %v", err)
	}
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }
