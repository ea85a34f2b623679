package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"tabuleiro/internal/bus"
	"tabuleiro/internal/cache"
	"tabuleiro/internal/db"
)

// counter registers a number that someone else counts.
func (p *process) counter(name, help string, labels prometheus.Labels, read func() int64) {
	p.metrics.Registry.MustRegister(prometheus.NewCounterFunc(
		prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels},
		func() float64 { return float64(read()) }))
}

func (p *process) watchDB(service string, d *db.DB) {
	labels := prometheus.Labels{"service": service}
	p.counter("tabuleiro_db_writes_total", "Functions whose transaction was committed.", labels, func() int64 { return d.Stats().Writes })
	p.counter("tabuleiro_db_commits_total", "Transactions committed.", labels, func() int64 { return d.Stats().Commits })
	p.counter("tabuleiro_db_repeats_total", "Functions that ran again after a collision.", labels, func() int64 { return d.Stats().Repeats })
	p.counter("tabuleiro_db_failures_total", "Commits that failed or whose outcome is unknown.", labels, func() int64 { return d.Stats().Failures })
	p.metrics.Registry.MustRegister(prometheus.NewGaugeFunc(
		prometheus.GaugeOpts{Name: "tabuleiro_db_clock_uncertainty_seconds", Help: "How far the time may be from the database's.", ConstLabels: labels},
		func() float64 { return d.Clock().Uncertainty().Seconds() }))
}

func (p *process) watchBus(role bus.Role, c *bus.Conn) {
	labels := prometheus.Labels{"role": string(role)}
	p.counter("tabuleiro_bus_dropped_total", "Messages that did not fit into their subscriber's buffer.", labels, func() int64 { return c.Stats().Dropped })
	p.counter("tabuleiro_bus_disconnects_total", "How often the connection went away.", labels, func() int64 { return c.Stats().Disconnects })
	p.counter("tabuleiro_bus_violations_total", "What the server refused although our rights allow it.", labels, func() int64 { return c.Stats().Violations })
	p.metrics.Registry.MustRegister(prometheus.NewGaugeFunc(
		prometheus.GaugeOpts{Name: "tabuleiro_bus_connected", Help: "1 while messages can be sent, else 0.", ConstLabels: labels},
		func() float64 {
			if c.Connected() {
				return 1
			}
			return 0
		}))
}

func (p *process) watchCache(stats func() cache.Stats) {
	p.counter("tabuleiro_cache_hits_total", "Values found.", nil, func() int64 { return stats().Hits })
	p.counter("tabuleiro_cache_misses_total", "Values not found.", nil, func() int64 { return stats().Misses })
	p.counter("tabuleiro_cache_errors_total", "Questions and answers that failed.", nil, func() int64 { return stats().Errors })
	p.counter("tabuleiro_cache_skipped_total", "Questions and answers not tried after failures.", nil, func() int64 { return stats().Skipped })
}
