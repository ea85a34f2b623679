package telemetry

import (
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Metrics are those that every process has. Roles register their own, named
// tabuleiro_<role>_<what>_<unit>, with the Registry.
type Metrics struct {
	// Registry is where all metrics of the process are.
	Registry *prometheus.Registry

	rpcSeconds  *prometheus.HistogramVec
	httpSeconds *prometheus.HistogramVec
	httpOpen    prometheus.Gauge
}

// seconds spans an in-process call to a search with a long limit.
var seconds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// NewMetrics makes the metrics of a process, with those of Go's runtime.
func NewMetrics(version string) *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		rpcSeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tabuleiro_rpc_handled_seconds", Help: "Calls that were handled, by method and the code of their problem.", Buckets: seconds,
		}, []string{"service", "method", "code"}),
		httpSeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tabuleiro_http_handled_seconds", Help: "HTTP requests that were handled; streams count when they end.", Buckets: seconds,
		}, []string{"method", "status"}),
		httpOpen: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "tabuleiro_http_open_requests", Help: "HTTP requests and streams that are open.",
		}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "tabuleiro_build_info", Help: "Always 1; the labels say what was built.",
		ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()},
	})
	build.Set(1)
	m.Registry.MustRegister(m.rpcSeconds, m.httpSeconds, m.httpOpen, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// ObserveRPC counts a call. Its labels are bounded by the contracts and the
// catalogue of problems.
func (m *Metrics) ObserveRPC(service, method, code string, took time.Duration) {
	m.rpcSeconds.WithLabelValues(service, method, code).Observe(took.Seconds())
}

// methods are those that are counted by name: a client may invent others.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}

// HTTP counts the requests of a handler.
func (m *Metrics) HTTP(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method := r.Method
		if !slices.Contains(methods, method) {
			method = "other"
		}
		began := time.Now()
		seen := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		m.httpOpen.Inc()
		defer func() {
			m.httpOpen.Dec()
			m.httpSeconds.WithLabelValues(method, strconv.Itoa(seen.status)).Observe(time.Since(began).Seconds())
		}()
		next.ServeHTTP(seen, r)
	})
}

// statusWriter remembers the status.
type statusWriter struct {
	http.ResponseWriter
	status int
	wrote  bool
}

func (w *statusWriter) WriteHeader(status int) {
	if !w.wrote && status >= 200 {
		w.status, w.wrote = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach what streams need.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
