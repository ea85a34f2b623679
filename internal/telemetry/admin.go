package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"slices"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Admin is the operator's door: /healthz (the process lives), /readyz (it may
// get work), /metrics and /debug/pprof/. It has no log-in, so it listens on the
// loopback unless told otherwise. notReady says what is not ready, by name.
func Admin(m *Metrics, notReady func(context.Context) map[string]error) http.Handler {
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
	return mux
}
