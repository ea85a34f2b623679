package app

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"tabuleiro/internal/identity"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// patience bounds waits that end at once unless something is broken.
const patience = 30 * time.Second

// diary notes in which order things happen.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) note(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
}

func (d *diary) all() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.lines...)
}

// output collects what a process prints.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

type toyRules struct {
	rulesv1.UnimplementedRulesServiceServer
	inspect func(ctx context.Context) error
}

func (r toyRules) Inspect(ctx context.Context, req *rulesv1.InspectRequest) (*rulesv1.InspectResponse, error) {
	if r.inspect != nil {
		if err := r.inspect(ctx); err != nil {
			return nil, err
		}
	}
	return &rulesv1.InspectResponse{Ruling: &commonv1.Ruling{Side: "white"}}, nil
}

func rulesRole(d *diary, inspect func(context.Context) error) Role {
	return Role{Name: "rules", Bind: func(ctx context.Context, env *Env) error {
		d.note("bind rules")
		env.Serve("rules", func(r grpc.ServiceRegistrar) {
			rulesv1.RegisterRulesServiceServer(r, toyRules{inspect: inspect})
		})
		env.Go("loop", func(ctx context.Context) error {
			<-ctx.Done()
			d.note("end rules")
			return ctx.Err()
		})
		return nil
	}}
}

// gatewayRole answers "/" by asking rules, and streams at "/stream".
func gatewayRole(d *diary) Role {
	return Role{Name: "gateway", Needs: []string{"rules"}, Bind: func(ctx context.Context, env *Env) error {
		d.note("bind gateway")
		conn, err := env.Dial("rules")
		if err != nil {
			return err
		}
		streams := make(chan struct{})
		mux := http.NewServeMux()
		mux.HandleFunc("GET /stream", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusOK)
			http.NewResponseController(w).Flush()
			<-streams
			d.note("end stream")
		})
		mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
			answer, err := rulesv1.NewRulesServiceClient(conn).Inspect(r.Context(), &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: "chess"}})
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			io.WriteString(w, answer.GetRuling().GetSide())
		})
		env.HTTP(mux)
		env.Go("hub", func(ctx context.Context) error {
			<-ctx.Done()
			close(streams)
			d.note("end gateway")
			return nil
		})
		env.Announce("operator code: 1234")
		return nil
	}}
}

// running is a Run in the background.
type running struct {
	Addresses
	cancel context.CancelFunc
	done   chan error
	out    *output
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func testConfig(t *testing.T) Config {
	return Config{
		Version: "test", Embedded: true, Data: filepath.Join(t.TempDir(), "data"),
		HTTP: HTTPConfig{Listen: "127.0.0.1:0"},
	}
}

// begin runs the roles and waits until they are ready.
func begin(t *testing.T, cfg Config, roles ...Role) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{cancel: cancel, done: make(chan error, 1), out: &output{}}
	started := make(chan Addresses, 1)
	cfg.Stdout, cfg.Started = r.out, func(a Addresses) { started <- a }
	go func() { r.done <- Run(ctx, cfg, roles, quiet()) }()
	t.Cleanup(func() { cancel() })
	select {
	case r.Addresses = <-started:
	case err := <-r.done:
		t.Fatalf("did not start: %v", err)
	case <-time.After(patience):
		t.Fatal("does not start")
	}
	return r
}

func (r *running) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-r.done:
		return err
	case <-time.After(patience):
		t.Fatal("does not end")
		return nil
	}
}

func (r *running) end(t *testing.T) {
	t.Helper()
	r.cancel()
	if err := r.wait(t); err != nil {
		t.Errorf("ended with %v", err)
	}
}

func fetch(t *testing.T, client *http.Client, url string) (int, string) {
	t.Helper()
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestRolesStartInOrderAndStopInReverse(t *testing.T) {
	d := &diary{}
	cfg := testConfig(t)
	r := begin(t, cfg, gatewayRole(d), rulesRole(d, nil))
	if code, body := fetch(t, http.DefaultClient, "http://"+r.HTTP); code != 200 || body != "white" {
		t.Errorf("got %d %q", code, body)
	}
	resp, err := http.Get("http://" + r.HTTP + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	r.end(t)
	if _, err := io.ReadAll(resp.Body); err != nil {
		t.Errorf("the stream was cut: %v", err)
	}
	want := []string{"bind rules", "bind gateway", "end gateway", "end stream", "end rules"}
	got := d.all()
	// The stream's end and the hub's are told by two goroutines.
	if len(got) > 3 && got[2] == "end stream" {
		got[2], got[3] = got[3], got[2]
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := r.out.String(), "ready http="+r.HTTP+" data="+cfg.Data+"\noperator code: 1234\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

// A request that runs when the end is asked for gets its answer.
func TestStopLosesNoRequest(t *testing.T) {
	d := &diary{}
	entered, release := make(chan struct{}), make(chan struct{})
	r := begin(t, testConfig(t), rulesRole(d, func(context.Context) error {
		close(entered)
		<-release
		return nil
	}), gatewayRole(d))
	answer := make(chan string, 1)
	go func() {
		_, body := fetch(t, http.DefaultClient, "http://"+r.HTTP)
		answer <- body
	}()
	<-entered
	r.cancel()
	// The door is shut before the request is let go on.
	for {
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get("http://" + r.HTTP + "/none")
		if err != nil {
			break
		}
		resp.Body.Close()
	}
	close(release)
	if got := <-answer; got != "white" {
		t.Errorf("got %q", got)
	}
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
}

func TestOneFailureStopsAll(t *testing.T) {
	for name, fail := range map[string]func(context.Context) error{
		"error": func(context.Context) error { return errors.New("disk is full") },
		"panic": func(context.Context) error { panic("disk is full") },
	} {
		t.Run(name, func(t *testing.T) {
			d := &diary{}
			bad := Role{Name: "play", Bind: func(_ context.Context, env *Env) error {
				env.Go("sweep", fail)
				return nil
			}}
			err := Run(t.Context(), testConfig(t), []Role{rulesRole(d, nil), gatewayRole(d), bad}, quiet())
			if err == nil || !strings.Contains(err.Error(), "play sweep: ") || !strings.Contains(err.Error(), "disk is full") {
				t.Errorf("got %v", err)
			}
			if got := d.all(); got[len(got)-1] != "end rules" {
				t.Errorf("others were not stopped: %v", got)
			}
		})
	}
}

func TestBindFailureNamesTheRoleAndFreesTheFolder(t *testing.T) {
	cfg := testConfig(t)
	bad := Role{Name: "play", Bind: func(context.Context, *Env) error { return errors.New("no") }}
	if err := Run(t.Context(), cfg, []Role{bad}, quiet()); err == nil || err.Error() != "starting play: no" {
		t.Errorf("got %v", err)
	}
	begin(t, cfg, rulesRole(&diary{}, nil)).end(t)
}

func TestSecondProcessIsRefused(t *testing.T) {
	cfg := testConfig(t)
	first := begin(t, cfg, rulesRole(&diary{}, nil))
	for _, embedded := range []bool{true, false} {
		second := cfg
		second.Embedded = embedded
		err := Run(t.Context(), second, []Role{rulesRole(&diary{}, nil)}, quiet())
		var option *OptionError
		if !errors.As(err, &option) || option.Option != "--data" || !strings.Contains(option.Fault, "in use by another tabuleiro") {
			t.Errorf("embedded %v: got %v", embedded, err)
		}
	}
	first.end(t)
	begin(t, cfg, rulesRole(&diary{}, nil)).end(t)
}

func TestDataFolderIsPrivate(t *testing.T) {
	cfg := testConfig(t)
	if err := os.Mkdir(cfg.Data, 0o755); err != nil {
		t.Fatal(err)
	}
	begin(t, cfg, rulesRole(&diary{}, nil)).end(t)
	info, err := os.Stat(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o700 {
		t.Errorf("mode %o", got)
	}
	// A folder of someone else's is left alone.
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "thesis.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cfg.Data = other
	err = Run(t.Context(), cfg, []Role{rulesRole(&diary{}, nil)}, quiet())
	if err == nil || !strings.Contains(err.Error(), "--data: ") || !strings.Contains(err.Error(), "thesis.txt") {
		t.Errorf("got %v", err)
	}
}

// A backup with the files that SQLite keeps beside a database was refused.
func TestABackupCanBePutBack(t *testing.T) {
	cfg := testConfig(t)
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"play.db", "play.db-wal", "play.db-shm", "play.db.lock"} {
		if err := os.WriteFile(filepath.Join(cfg.Data, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	begin(t, cfg, rulesRole(&diary{}, nil)).end(t)
}

func TestReadiness(t *testing.T) {
	cfg := testConfig(t)
	cfg.Admin = "127.0.0.1:0"
	var mu sync.Mutex
	var fault error
	role := Role{Name: "play", Bind: func(_ context.Context, env *Env) error {
		if got := env.NotReady(t.Context()); len(got) != 1 || got["process"] == nil {
			t.Errorf("while starting: %v", got)
		}
		env.Ready("database of play", func(context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			return fault
		})
		return nil
	}}
	r := begin(t, cfg, role)
	ready := func() (int, string) { return fetch(t, http.DefaultClient, "http://"+r.Admin+"/readyz") }
	eventually(t, func() bool { code, _ := ready(); return code == 200 })
	mu.Lock()
	fault = errors.New("away")
	mu.Unlock()
	if code, body := ready(); code != 503 || body != "database of play: away\n" {
		t.Errorf("got %d %q", code, body)
	}
	if code, body := fetch(t, http.DefaultClient, "http://"+r.Admin+"/metrics"); code != 200 || !strings.Contains(body, "tabuleiro_build_info") {
		t.Errorf("metrics: %d", code)
	}
	r.end(t)
}

// eventually waits for something that happens by itself.
func eventually(t *testing.T, happened func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !happened() {
		if time.Now().After(deadline) {
			t.Fatal("it does not happen")
		}
	}
}

// bothEnds is a certificate for servers and clients, with its key.
func bothEnds(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
}

// The same roles, each in a process of its own, over TCP with TLS of both ends.
func TestRolesApart(t *testing.T) {
	d := &diary{}
	folder := t.TempDir()
	pair := filepath.Join(folder, "grpc.pem")
	if err := os.WriteFile(pair, bothEnds(t), 0o600); err != nil {
		t.Fatal(err)
	}
	secure := GRPCConfig{Cert: pair, Key: pair, CA: pair}
	for name, base := range map[string]GRPCConfig{"plain": {}, "TLS": secure} {
		t.Run(name, func(t *testing.T) {
			cfg := testConfig(t)
			cfg.Embedded = false
			cfg.AddrFile = filepath.Join(folder, "addresses-"+name)
			server := cfg
			server.GRPC = base
			server.GRPC.Listen, server.Admin = "127.0.0.1:0", "127.0.0.1:0"
			var seen identity.Caller
			rules := begin(t, server, rulesRole(d, func(ctx context.Context) error {
				seen, _ = identity.From(ctx)
				return nil
			}))
			text, err := os.ReadFile(cfg.AddrFile)
			if err != nil {
				t.Fatal(err)
			}
			var written Addresses
			if err := json.Unmarshal(text, &written); err != nil || written != rules.Addresses || written.GRPC == "" {
				t.Errorf("addresses %s, %v; want %+v", text, err, rules.Addresses)
			}
			eventually(t, func() bool {
				return rules.out.String() == "ready grpc="+rules.GRPC+" admin="+rules.Admin+" data="+cfg.Data+"\n"
			})
			// A probe speaks no TLS of ours: it has a door of its own.
			if code, body := fetch(t, http.DefaultClient, "http://"+rules.Admin+"/readyz"); code != 200 {
				t.Errorf("readyz: %d %q", code, body)
			}
			client := cfg
			client.GRPC = base
			client.GRPC.Services = map[string]string{"rules": rules.GRPC}
			gateway := begin(t, client, gatewayRole(d))
			if code, body := fetch(t, http.DefaultClient, "http://"+gateway.HTTP); code != 200 || body != "white" {
				t.Errorf("got %d %q", code, body)
			}
			if seen.Service != identity.Gateway {
				t.Errorf("rules was called by %+v", seen)
			}
			gateway.end(t)
			rules.end(t)
		})
	}
}

func TestSelfMadeTLS(t *testing.T) {
	cfg := testConfig(t)
	cfg.HTTP.TLSSelf = true
	var first []byte
	for range 2 {
		d := &diary{}
		r := begin(t, cfg, rulesRole(d, nil), gatewayRole(d))
		var shown []byte
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{
			InsecureSkipVerify: true,
			VerifyConnection: func(s tls.ConnectionState) error {
				shown = s.PeerCertificates[0].Raw
				return s.PeerCertificates[0].VerifyHostname("127.0.0.1")
			},
		}}}
		if code, body := fetch(t, client, "https://"+r.HTTP); code != 200 || body != "white" {
			t.Errorf("got %d %q", code, body)
		}
		client.CloseIdleConnections()
		r.end(t)
		if first != nil && !bytes.Equal(first, shown) {
			t.Error("the certificate that people trust was replaced at the next start")
		}
		first = shown
	}
	if text, err := selfMade([]string{"localhost"}, time.Now()); err != nil {
		t.Error(err)
	} else if c, err := tls.X509KeyPair(text, text); err != nil {
		t.Error(err)
	} else if stillGood(c, []string{"school.local"}, time.Now()) || stillGood(c, nil, time.Now().Add(selfValid)) || !stillGood(c, []string{"localhost", "*"}, time.Now()) {
		t.Error("stillGood is wrong")
	}
}

// While it drains, a process says that it is not ready and still works.
func TestDrain(t *testing.T) {
	cfg := testConfig(t)
	cfg.Admin, cfg.GRPC.Listen, cfg.Drain = "127.0.0.1:0", "127.0.0.1:0", time.Hour
	d := &diary{}
	fail := make(chan struct{})
	breaker := Role{Name: "play", Bind: func(_ context.Context, env *Env) error {
		env.Go("sweep", func(ctx context.Context) error {
			select {
			case <-fail:
				return errors.New("broken")
			case <-ctx.Done():
				return nil
			}
		})
		return nil
	}}
	r := begin(t, cfg, rulesRole(d, nil), breaker, gatewayRole(d))
	conn, err := grpc.NewClient(r.GRPC, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	status := func() healthv1.HealthCheckResponse_ServingStatus {
		answer, err := healthv1.NewHealthClient(conn).Check(t.Context(), &healthv1.HealthCheckRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return answer.GetStatus()
	}
	if got := status(); got != healthv1.HealthCheckResponse_SERVING {
		t.Errorf("while running: %v", got)
	}
	r.cancel()
	eventually(t, func() bool { return status() == healthv1.HealthCheckResponse_NOT_SERVING })
	if code, body := fetch(t, http.DefaultClient, "http://"+r.Admin+"/readyz"); code != 503 || body != "process: stopping\n" {
		t.Errorf("readyz: %d %q", code, body)
	}
	if code, _ := fetch(t, http.DefaultClient, "http://"+r.HTTP); code != 200 {
		t.Errorf("it does not work any more: %d", code)
	}
	close(fail) // who fails need not wait for balancers
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
}

// Two workers beside each other on one machine took the same port for nothing.
func TestRolesThatNobodyCallsOpenNoPort(t *testing.T) {
	cfg := testConfig(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cfg.GRPC.Listen = taken.Addr().String()
	r := begin(t, cfg, Role{Name: "worker", Bind: func(context.Context, *Env) error { return nil }})
	if r.GRPC != "" {
		t.Errorf("listens on %s", r.GRPC)
	}
	r.end(t)
}

func TestAskedToEndWhileItStarts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	role := Role{Name: "play", Bind: func(ctx context.Context, _ *Env) error {
		cancel()
		return ctx.Err()
	}}
	if err := Run(ctx, testConfig(t), []Role{role}, quiet()); err != nil {
		t.Errorf("got %v", err)
	}
}
