package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestLogger(t *testing.T) {
	var out bytes.Buffer
	log, err := NewLogger(&out, LogConfig{Format: "json", Level: "warn"})
	if err != nil {
		t.Fatal(err)
	}
	log.Info("quiet")
	log.Warn("loud")
	var line struct{ Time, Msg, Level string }
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%q: %v", out.String(), err)
	}
	if line.Msg != "loud" || line.Level != "WARN" || !strings.HasSuffix(line.Time, "Z") {
		t.Errorf("got %+v", line)
	}
	for _, cfg := range []LogConfig{{Format: "xml"}, {Level: "shout"}} {
		if _, err := NewLogger(&out, cfg); err == nil {
			t.Errorf("%+v was taken", cfg)
		}
	}
	if _, err := NewLogger(&out, LogConfig{}); err != nil {
		t.Errorf("the default: %v", err)
	}
}

func get(t *testing.T, h http.Handler, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

func TestAdmin(t *testing.T) {
	m := NewMetrics("v1")
	faults := map[string]error{}
	admin := Admin(m, func(context.Context) map[string]error { return faults }, []string{"example.com"})
	m.ObserveRPC("s.S", "M", "ok", time.Millisecond)
	counted := m.HTTP(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Errorf("streams cannot flush: %v", err)
		}
	}))
	counted.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "BREW", "/", nil))
	m.HTTP(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))

	if code, body := get(t, admin, "/healthz"); code != 200 || body != "ok\n" {
		t.Errorf("healthz: %d %q", code, body)
	}
	if code, body := get(t, admin, "/readyz"); code != 200 || body != "ready\n" {
		t.Errorf("readyz: %d %q", code, body)
	}
	faults["play"], faults["accounts"] = errors.New("no database"), errors.New("starting")
	if code, body := get(t, admin, "/readyz"); code != 503 || body != "accounts: starting\nplay: no database\n" {
		t.Errorf("not ready: %d %q", code, body)
	}
	_, body := get(t, admin, "/metrics")
	for _, want := range []string{
		`tabuleiro_build_info{go="go`, `version="v1"} 1`,
		`tabuleiro_rpc_handled_seconds_count{code="ok",method="M",service="s.S"} 1`,
		`tabuleiro_http_handled_seconds_count{method="other",status=`,
		`tabuleiro_http_handled_seconds_count{method="GET",status="404"} 1`,
		"tabuleiro_http_open_requests 0", "go_goroutines",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	if code, _ := get(t, admin, "/debug/pprof/goroutine?debug=1"); code != 200 {
		t.Errorf("pprof: %d", code)
	}
}

// A page of another site makes its own name point at this machine and reads the
// metrics: the name tells.
func TestAdminAnswersToNamesOfItsOwnOnly(t *testing.T) {
	m := NewMetrics("v1")
	for host, want := range map[string]int{
		"127.0.0.1:9091": 200, "[::1]:9091": 200, "localhost:9091": 200, "LOCALHOST": 200, "10.1.2.3": 200, "metrics.school:9091": 200,
		"evil.example": 403, "evil.example:9091": 403, "127.0.0.1.evil.example": 403, "": 403,
	} {
		r := httptest.NewRequest("GET", "/metrics", nil)
		r.Host = host
		w := httptest.NewRecorder()
		Admin(m, func(context.Context) map[string]error { return nil }, []string{"metrics.school"}).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%q: %d, want %d", host, w.Code, want)
		}
	}
}
