package collections

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are what collections count. A nil *Metrics counts nothing.
type Metrics struct {
	imports  prometheus.Counter
	bytes    prometheus.Counter
	records  *prometheus.CounterVec
	searches *prometheus.HistogramVec
}

// What is searched.
const (
	searchFields   = "fields"
	searchPosition = "position"
	searchGames    = "games"
)

// NewMetrics makes and registers them.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	m := &Metrics{
		imports: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "tabuleiro_play_imports_total", Help: "Imports of records that began.",
		}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "tabuleiro_play_import_bytes_total", Help: "Bytes of files of records that were read.",
		}),
		records: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tabuleiro_play_import_records_total",
			Help: "Records found in imported files, by what became of them (added, duplicate, spoiled, over).",
		}, []string{"result"}),
		searches: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "tabuleiro_play_record_search_seconds",
			Help:    "How long a page of a search took, by what was searched (fields, position, games).",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}, []string{"by"}),
	}
	registry.MustRegister(m.imports, m.bytes, m.records, m.searches)
	return m
}

func (m *Metrics) began() {
	if m != nil {
		m.imports.Inc()
	}
}

// read counts what a piece has brought.
func (m *Metrics) read(before, after Import) {
	if m == nil {
		return
	}
	m.bytes.Add(float64(after.Read - before.Read))
	for result, n := range map[string]int32{
		"added": after.Added - before.Added, "duplicate": after.Duplicates - before.Duplicates,
		"spoiled": after.Spoiled - before.Spoiled, "over": after.Over - before.Over,
	} {
		m.records.WithLabelValues(result).Add(float64(n))
	}
}

func (m *Metrics) searched(by string, took time.Duration) {
	if m != nil {
		m.searches.WithLabelValues(by).Observe(took.Seconds())
	}
}
