package play

import "github.com/prometheus/client_golang/prometheus"

// Metrics are what play counts. A nil *Metrics counts nothing.
type Metrics struct {
	events      *prometheus.CounterVec
	unpublished prometheus.Counter
	races       prometheus.Counter
	unknown     prometheus.Counter
	due         *prometheus.CounterVec
	dueLate     *prometheus.HistogramVec
	away        prometheus.Counter
	forgotten   *prometheus.CounterVec
}

// NewMetrics makes and registers them.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	m := &Metrics{
		events: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tabuleiro_play_events_total", Help: "Events committed by this process, by game and kind.",
		}, []string{"rules", "kind"}),
		unpublished: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "tabuleiro_play_unpublished_events_total", Help: "Committed events whose copy could not be put onto the bus.",
		}),
		races: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "tabuleiro_play_commit_races_total", Help: "Commits refused because another one was faster.",
		}),
		unknown: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "tabuleiro_play_unknown_commits_total", Help: "Commits whose outcome had to be read again.",
		}),
		due: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tabuleiro_play_obligations_total", Help: "Acts on obligations, by kind and result (done, put_off).",
		}, []string{"kind", "result"}),
		dueLate: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "tabuleiro_play_obligation_late_seconds",
			Help:    "How long after it was due, or after its claim ended, the sweep found an obligation.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"kind"}),
	}
	m.away = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "tabuleiro_play_outage_seconds_total", Help: "Time in which no replica of play could write, as far as this process saw it end.",
	})
	m.forgotten = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "tabuleiro_play_purged_total", Help: "Old rows that were forgotten, by kind (command, guest_game).",
	}, []string{"kind"})
	registry.MustRegister(m.away, m.forgotten, m.events, m.unpublished, m.races, m.unknown, m.due, m.dueLate)
	return m
}

func (m *Metrics) event(rules, kind string) {
	if m != nil {
		m.events.WithLabelValues(rules, kind).Inc()
	}
}

func (m *Metrics) notPublished() {
	if m != nil {
		m.unpublished.Inc()
	}
}

func (m *Metrics) raced() {
	if m != nil {
		m.races.Inc()
	}
}

func (m *Metrics) notKnown() {
	if m != nil {
		m.unknown.Inc()
	}
}

func (m *Metrics) acted(kind string, err error) {
	if m == nil {
		return
	}
	result := "done"
	if err != nil {
		result = "put_off"
	}
	m.due.WithLabelValues(kind, result).Inc()
}

func (m *Metrics) purged(kind string, n int) {
	if m != nil {
		m.forgotten.WithLabelValues(kind).Add(float64(n))
	}
}

func (m *Metrics) found(kind string, lateMS int64) {
	if m != nil {
		m.dueLate.WithLabelValues(kind).Observe(float64(lateMS) / 1000)
	}
}

func (m *Metrics) outage(ms int64) {
	if m != nil {
		m.away.Add(float64(ms) / 1000)
	}
}
