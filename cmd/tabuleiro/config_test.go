package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// call runs a command line in this process.
func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = execute(t.Context(), args, streams{strings.NewReader(""), &out, &err})
	return code, out.String(), err.String()
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// line finds the line of an option in what config printed, with single blanks.
func line(t *testing.T, printed, name string) string {
	t.Helper()
	for l := range strings.Lines(printed) {
		l = regexp.MustCompile(` +`).ReplaceAllString(strings.TrimSpace(l), " ")
		if strings.HasPrefix(l, name+" ") {
			return strings.TrimPrefix(l, name+" ")
		}
	}
	t.Fatalf("no line %q in\n%s", name, printed)
	return ""
}

func TestFlagBeatsEnvironmentBeatsFileBeatsDefault(t *testing.T) {
	path := write(t, "http: 127.0.0.1:3\ngrace: 4s\nlog-level: warn\naccounts:\n  required_fields: [login, password]\ninsecure_lan: true\n")
	t.Setenv("TABULEIRO_GRACE", "5s")
	t.Setenv("TABULEIRO_LOG_LEVEL", "error")
	code, out, stderr := call(t, "config", "--config", path, "--log-level", "debug")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for name, want := range map[string]string{
		"http":                     "127.0.0.1:3 file " + path,
		"grace":                    "5s environment TABULEIRO_GRACE",
		"log-level":                "debug flag",
		"log-format":               "text default",
		"accounts-required-fields": "login,password file " + path,
		"insecure-lan":             "true file " + path,
		"admin":                    `"" default`,
	} {
		if got := line(t, out, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	t.Setenv("TABULEIRO_CONFIG", path)
	if _, out, _ := call(t, "config"); line(t, out, "http") != "127.0.0.1:3 file "+path {
		t.Errorf("TABULEIRO_CONFIG is not read:\n%s", out)
	}
}

func TestConfigOfRunHidesSecrets(t *testing.T) {
	t.Setenv("TABULEIRO_POSTGRES_URL", "postgres://u:hunter2@h/d")
	t.Setenv("TABULEIRO_SERVICES", "play=127.0.0.1:1,rules=127.0.0.1:2")
	path := write(t, "services:\n  play: 10.0.0.1:1\nnats_url: nats://n:4222\n")
	code, out, stderr := call(t, "config", "run", "--config="+path)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if strings.Contains(out, "hunter2") {
		t.Errorf("a secret was printed:\n%s", out)
	}
	for name, want := range map[string]string{
		"postgres-url": "(set, hidden) environment TABULEIRO_POSTGRES_URL",
		"redis-url":    "(not set) default",
		"services":     "play=127.0.0.1:1,rules=127.0.0.1:2 environment TABULEIRO_SERVICES",
		"nats-url":     "nats://n:4222 file " + path,
		"grpc-listen":  "127.0.0.1:9090 default",
		"admin":        "127.0.0.1:9091 default",
	} {
		if got := line(t, out, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// Whatever is wrong is refused by the name of its option, and nothing starts.
func TestBadConfigurationNamesItsOption(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("TABULEIRO_REDIS_URL", "redis://r")
	secretFile := write(t, "redis://r")
	for want, args := range map[string][]string{
		"--http":              {"up", "--http", ":8080"},
		"--http: \"8080\" is": {"up", "--http", "8080"},
		"--tls-cert":          {"up", "--tls-cert", "x"},
		"--tls must be":       {"up", "--tls", "on"},
		"--log-level":         {"up", "--log-level", "loud"},
		"--grace":             {"up", "--grace", "soon"},
		"--grpc-listen":       {"run", "rules", "--grpc-listen", ":9090"},
		"--services":          {"run", "play", "--grpc-listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"},
		"--services: rules":   {"config", "run", "--services", "rules=rules:9090"},
		"ROLE: there is no":   {"run", "rules,chess"},
		"--redis-url-file":    {"run", "rules", "--redis-url-file", secretFile},
		"--postgres-url-file": {"migrate", "--postgres-url-file", secretFile + ".none"},
		"--postgres-url":      {"run", "rules", "--postgres-url", "postgres://u:p@h/d"},
		"--config":            {"up", "--config", "none.yaml"},
		"no such option: htp": {"up", "--config", write(t, "htp: 127.0.0.1:1")},
		"http: is no text":    {"up", "--config", write(t, "http: null")},
		"grace stands twice":  {"up", "--config", write(t, "grace: 1s\nGRACE: 2s")},
		"file.yaml: yaml":     {"up", "--config", write(t, "{")},
		"--nope":              {"up", "--nope"},
		"ROLE: \"rules\"":     {"nats", "credentials", "rules"},
		"expected one of":     {},
	} {
		code, out, stderr := call(t, args...)
		if code != exitUsage || !strings.Contains(stderr, want) || out != "" {
			t.Errorf("%v: exit code %d, stdout %q, stderr %q; want %q", args, code, out, stderr, want)
		}
	}
}

func TestSmallCommands(t *testing.T) {
	if code, out, _ := call(t, "version"); code != 0 || !strings.HasPrefix(out, "tabuleiro ") {
		t.Errorf("version: %d %q", code, out)
	}
	if code, out, _ := call(t, "--help"); code != 0 || !strings.Contains(out, "Run everything in one process.") {
		t.Errorf("help: %d %q", code, out)
	}
	data := filepath.Join(t.TempDir(), "data")
	if code, out, stderr := call(t, "migrate", "--data", data); code != 0 || out != "migrated accounts\nmigrated play\nmigrated tutor\n" {
		t.Errorf("migrate: %d %q %s", code, out, stderr)
	}
	creds := filepath.Join(t.TempDir(), "w.creds")
	for want := range 2 { // the second time it would be written over
		code, _, stderr := call(t, "nats", "credentials", "worker", "--data", data, "--out", creds)
		if (code == 0) != (want == 0) {
			t.Errorf("credentials: %d %s", code, stderr)
		}
	}
	if info, err := os.Stat(creds); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("credentials: %v, %v", info, err)
	}
	if code, out, _ := call(t, "nats", "server", "--data", data); code != 0 || !strings.Contains(out, `listen: "127.0.0.1:4222"`) {
		t.Errorf("nats server: %d %q", code, out)
	}
}
