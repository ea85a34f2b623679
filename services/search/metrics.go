package search

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tabuleiro/services/search/farm"
)

// Metrics are what search counts. A nil *Metrics counts nothing.
type Metrics struct {
	searches *prometheus.CounterVec
	nodes    *prometheus.CounterVec
	late     *prometheus.HistogramVec
	helpers  prometheus.Counter
}

// NewMetrics makes and registers them.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	m := &Metrics{
		searches: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tabuleiro_search_searches_total", Help: "Searches by game, level and result (answered, busy, refused).",
		}, []string{"rules", "level", "result"}),
		nodes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tabuleiro_search_nodes_total", Help: "Nodes searched, helpers included, by game.",
		}, []string{"rules"}),
		late: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "tabuleiro_search_over_limit_seconds",
			Help:    "How far beyond its limit an answer came; 0 where it came in time.",
			Buckets: []float64{0, .01, .025, .05, .1, .25, .5, 1, 2},
		}, []string{"level"}),
		helpers: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "tabuleiro_search_helpers_total", Help: "Workers that took part in searches.",
		}),
	}
	registry.MustRegister(m.searches, m.nodes, m.late, m.helpers)
	return m
}

func (m *Metrics) searched(rules, level string, a farm.Answer, limit time.Duration, err error) {
	if m == nil {
		return
	}
	// Only closed sets become labels: what is refused may name anything.
	switch {
	case errors.Is(err, farm.ErrBusy):
		m.searches.WithLabelValues(rules, level, "busy").Inc()
	case err != nil:
		m.searches.WithLabelValues("", "", "refused").Inc()
	default:
		m.searches.WithLabelValues(rules, level, "answered").Inc()
		m.nodes.WithLabelValues(rules).Add(float64(a.Nodes))
		m.late.WithLabelValues(level).Observe(max(a.Elapsed-limit, 0).Seconds())
		m.helpers.Add(float64(a.Helpers))
	}
}
