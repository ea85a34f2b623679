package tables

import (
	"context"
	"sync"

	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/endings"
)

// Demand is a Store that loads and builds nothing before somebody asks for a
// value that it could have.
type Demand struct {
	store *Store
	once  sync.Once
	asked chan struct{}
	// awaited tells that somebody waited when they were asked for.
	awaited bool
}

var _ endings.Probe = (*Demand)(nil)

// OnDemand makes a Demand of a Store that does not run.
func OnDemand(s *Store) *Demand { return &Demand{store: s, asked: make(chan struct{})} }

// Probe reads a value where the tables are there already.
func (d *Demand) Probe(p *draughts.Position) (value int8, distance int, ok bool) {
	value, distance, ok = d.store.tables.Probe(p)
	if !ok && p.Occupied().Count() <= endings.MaxPieces {
		d.once.Do(func() { close(d.asked) })
	}
	return value, distance, ok
}

// Run is that of the Store, from the first question on.
func (d *Demand) Run(ctx context.Context) error {
	select {
	case <-d.asked:
		return d.store.run(ctx, d.awaited)
	case <-ctx.Done():
		return nil
	}
}

// Wait asks, and waits until all is there that would be built; until ctx ends where
// that is sooner. Run must run. What is first asked for so is not built at the lowest
// priority, at which it could take a minute on a busy machine.
func (d *Demand) Wait(ctx context.Context) {
	d.once.Do(func() {
		d.awaited = true
		close(d.asked)
	})
	select {
	case <-d.store.loaded:
	case <-ctx.Done():
	}
}
