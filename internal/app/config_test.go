package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tabuleiro/internal/db"
)

func TestValidateNamesTheOption(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*Config)
		want   string // empty: fine
	}{
		"loopback":             {func(c *Config) { c.HTTP.Listen = "127.0.0.1:8080" }, ""},
		"loopback by name":     {func(c *Config) { c.HTTP.Listen = "localhost:8080" }, ""},
		"loopback of IPv6":     {func(c *Config) { c.HTTP.Listen = "[::1]:8080" }, ""},
		"everywhere":           {func(c *Config) { c.HTTP.Listen = ":8080" }, "--http"},
		"everywhere by number": {func(c *Config) { c.HTTP.Listen = "0.0.0.0:8080" }, "--http"},
		"own TLS":              {func(c *Config) { c.HTTP.Listen, c.HTTP.TLSSelf = ":8080", true }, ""},
		"given TLS":            {func(c *Config) { c.HTTP.Listen, c.HTTP.TLSCert, c.HTTP.TLSKey = ":8080", "c", "k" }, ""},
		"half of TLS":          {func(c *Config) { c.HTTP.TLSCert = "c" }, "--tls-cert"},
		"two kinds of TLS":     {func(c *Config) { c.HTTP.TLSSelf, c.HTTP.TLSCert, c.HTTP.TLSKey = true, "c", "k" }, "--tls"},
		"a school":             {func(c *Config) { c.HTTP.Listen, c.HTTP.InsecureLAN = ":8080", true }, ""},
		"a proxy":              {func(c *Config) { c.HTTP.Proxies = []string{"127.0.0.1", "::1", "10.0.0.0/8"} }, ""},
		"a proxy by name":      {func(c *Config) { c.HTTP.Proxies = []string{"proxy.example"} }, "--http-proxies"},
		"no address":           {func(c *Config) { c.HTTP.Listen = "8080" }, "--http"},
		"no port":              {func(c *Config) { c.Admin = "127.0.0.1:http-x" }, "--admin"},
		"the bus beside":       {func(c *Config) { c.NATS.Listen = "127.0.0.1:4222" }, ""},
		"the bus everywhere":   {func(c *Config) { c.NATS.Listen = ":4222" }, "--nats-listen"},
		"the bus trusted":      {func(c *Config) { c.NATS.Listen, c.NATS.Insecure = ":4222", true }, ""},
		"the bus with TLS":     {func(c *Config) { c.NATS.Listen, c.NATS.TLSCert, c.NATS.TLSKey = ":4222", "c", "k" }, ""},
		"the bus with half":    {func(c *Config) { c.NATS.TLSKey = "k" }, "--nats-tls-cert"},
		"no data":              {func(c *Config) { c.Data = "" }, "--data"},
		"gRPC everywhere":      {func(c *Config) { c.GRPC.Listen = ":9090" }, "--grpc-listen"},
		"gRPC trusted":         {func(c *Config) { c.GRPC.Listen, c.GRPC.Insecure = ":9090", true }, ""},
		"gRPC with TLS":        {func(c *Config) { c.GRPC = GRPCConfig{Listen: ":9090", Cert: "c", Key: "k", CA: "a"} }, ""},
		"gRPC with half":       {func(c *Config) { c.GRPC.Cert = "c" }, "--grpc-tls-cert"},
		"service elsewhere":    {func(c *Config) { c.GRPC.Services = map[string]string{"play": "play:9090"} }, "--services"},
		"service nowhere":      {func(c *Config) { c.GRPC.Services = map[string]string{"play": ""} }, "--services"},
		"service beside":       {func(c *Config) { c.GRPC.Services = map[string]string{"play": "127.0.0.1:9090"} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Data: "d"}
			tc.change(&cfg)
			err := cfg.Validate()
			if (tc.want == "") != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), tc.want+": ") {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
	if !(HTTPConfig{Listen: ":80", InsecureLAN: true}).Banner() || (HTTPConfig{Listen: "127.0.0.1:80", InsecureLAN: true}).Banner() {
		t.Error("the banner is for networks without TLS only")
	}
}

// What is no address at all was also said to be one beyond this machine.
func TestWhatIsNoAddressIsSaidOnce(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.HTTP.Listen = "8080" },
		func(c *Config) { c.GRPC.Listen = "9090" },
	} {
		cfg := Config{Data: "d"}
		change(&cfg)
		if err := cfg.Validate(); err == nil || strings.Count(err.Error(), "\n") != 0 || !strings.HasSuffix(err.Error(), "is no HOST:PORT") {
			t.Errorf("got %v", err)
		}
	}
}

func TestOrderOfRoles(t *testing.T) {
	role := func(name string, needs ...string) Role { return Role{Name: name, Needs: needs} }
	names := func(roles []Role) (names []string) {
		for _, r := range roles {
			names = append(names, r.Name)
		}
		return names
	}
	got, err := inOrder([]Role{role("gateway", "play", "rules"), role("play", "rules", "accounts"), role("rules")}, map[string]string{"accounts": "x:1"})
	if want := []string{"rules", "play", "gateway"}; err != nil || !reflect.DeepEqual(names(got), want) {
		t.Errorf("got %v, %v; want %v", names(got), err, want)
	}
	if _, err := inOrder([]Role{role("play", "rules")}, nil); err == nil || !strings.Contains(err.Error(), "--services: play needs rules") {
		t.Errorf("missing need: got %v", err)
	}
	if _, err := inOrder([]Role{role("a", "b"), role("b", "a")}, nil); err == nil || !strings.Contains(err.Error(), "a -> b -> a") {
		t.Errorf("circle: got %v", err)
	}
	all := []Role{role("rules"), role("play"), role("gateway")}
	if got, err := Choose(all, []string{"gateway", "rules"}); err != nil || !reflect.DeepEqual(names(got), []string{"rules", "gateway"}) {
		t.Errorf("got %v, %v", names(got), err)
	}
	for _, bad := range [][]string{{"chess"}, {"rules", "rules"}} {
		if _, err := Choose(all, bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

func TestHostsBeyondTheLoopbackAreThisMachines(t *testing.T) {
	got, err := hosts(HTTPConfig{Listen: ":8080"})
	if err != nil {
		t.Fatal(err)
	}
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(got, strings.ToLower(name)) || !slices.Contains(got, "127.0.0.1") {
		t.Errorf("got %v", got)
	}
	for _, cfg := range []HTTPConfig{{Listen: "127.0.0.1:1"}, {Listen: ":1", Hosts: []string{"school.example"}}} {
		if got, err := hosts(cfg); err != nil || !reflect.DeepEqual(got, cfg.Hosts) {
			t.Errorf("%+v: got %v, %v", cfg, got, err)
		}
	}
}

// What a role opens works while it runs and is closed once, whatever asks.
func TestEnvOpensStoresAndBus(t *testing.T) {
	cfg := testConfig(t)
	migrations := fstest.MapFS{"00001_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE notes (id TEXT PRIMARY KEY);\n")}}
	var opened *db.DB
	role := Role{Name: "play", Bind: func(ctx context.Context, env *Env) error {
		d, err := env.DB(ctx, "play", migrations)
		if err != nil {
			return err
		}
		opened = d
		again, err := env.DB(ctx, "play", migrations)
		if err != nil || again != d {
			t.Errorf("asking again: %v, %v", again == d, err)
		}
		b, err := env.Bus(ctx, "play")
		if err != nil {
			return err
		}
		if same, err := env.Bus(ctx, "play"); err != nil || same != b || !b.Connected() {
			t.Errorf("bus: same %v, connected %v, %v", same == b, b.Connected(), err)
		}
		c, err := env.Cache(ctx)
		if err != nil {
			return err
		}
		if same, err := env.Cache(ctx); err != nil || same != c {
			t.Errorf("cache: same %v, %v", same == c, err)
		}
		if _, err := env.Signer("play"); err != nil {
			t.Error(err)
		}
		if _, err := env.Signer("gateway"); err == nil {
			t.Error("a process without the gateway has its key")
		}
		if _, err := env.Dial("rules"); err == nil {
			t.Error("an unknown service was dialled")
		}
		return d.Write(ctx, func(ctx context.Context, tx db.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO notes (id) VALUES ('x')`)
			return err
		})
	}}
	r := begin(t, cfg, role)
	r.end(t)
	if err := opened.Write(t.Context(), func(context.Context, db.Tx) error { return nil }); !errors.Is(err, db.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	for _, name := range []string{"play.db", "keys/play.key", "keys/nats-play.seed", "lock"} {
		if _, err := os.Stat(filepath.Join(cfg.Data, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestStoresElsewhereNeedTheirAddresses(t *testing.T) {
	for option, ask := range map[string]func(context.Context, *Env) error{
		"--postgres-url-file": func(ctx context.Context, e *Env) error { _, err := e.DB(ctx, "play", nil); return err },
		"--nats-url":          func(ctx context.Context, e *Env) error { _, err := e.Bus(ctx, "play"); return err },
	} {
		cfg := testConfig(t)
		cfg.Embedded = false
		err := Run(t.Context(), cfg, []Role{{Name: "play", Bind: ask}}, quiet())
		var fault *OptionError
		if !errors.As(err, &fault) || fault.Option != option {
			t.Errorf("got %v, want %s", err, option)
		}
	}
}

func TestPortInUseIsNamed(t *testing.T) {
	r := begin(t, testConfig(t), rulesRole(&diary{}, nil), gatewayRole(&diary{}))
	cfg := testConfig(t)
	cfg.HTTP.Listen = r.HTTP
	err := Run(t.Context(), cfg, []Role{rulesRole(&diary{}, nil), gatewayRole(&diary{})}, quiet())
	var fault *OptionError
	if !errors.As(err, &fault) || fault.Option != "--http" {
		t.Errorf("got %v", err)
	}
	r.end(t)
}

func TestMigrateOnly(t *testing.T) {
	cfg := testConfig(t)
	var out output
	cfg.Stdout = &out
	migrations := fstest.MapFS{"00001_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE notes (id TEXT PRIMARY KEY);\n")}}
	for range 2 {
		if err := Migrate(t.Context(), cfg, map[string]fs.FS{"tutor": migrations, "play": migrations}, quiet()); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := out.String(), strings.Repeat("migrated play\nmigrated tutor\n", 2); got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	cfg.Embedded = false
	err := Migrate(t.Context(), cfg, map[string]fs.FS{"play": migrations}, quiet())
	if fault, ok := errors.AsType[*OptionError](err); !ok || fault.Option != "--postgres-url-file" {
		t.Errorf("got %v", err)
	}
}
