package telemetry

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Admin is the operator's door: /healthz (the process lives), /readyz (it may
// get work), /metrics and /debug/pprof/. It has no log-in, so it listens on the
// loopback unless told otherwise, and answers only to addresses, to names of the
// loopback and to hosts: a page of another site could make a name of its own point
// here. notReady says what is not ready, by name.
func Admin(m *Metrics, notReady func(context.Context) map[string]error, hosts []string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		faults := notReady(r.Context())
		if len(faults) == 0 {
			fmt.Fprintln(w, "ready")
			return
		}
		lines := make([]string, 0, len(faults))
		for name, err := range faults {
			lines = append(lines, fmt.Sprintf("%s: %v", name, err))
		}
		slices.Sort(lines)
		w.WriteHeader(http.StatusServiceUnavailable)
		for _, line := range lines {
			fmt.Fprintln(w, line)
		}
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answersTo(r.Host, hosts) {
			http.Error(w, "the request names a host that is not served here", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// answersTo says whether a request for host is one for here.
func answersTo(host string, hosts []string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	return net.ParseIP(host) != nil || host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		slices.Contains(hosts, host) || slices.Contains(hosts, "*")
}
