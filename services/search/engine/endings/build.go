package endings

import (
	"errors"
	"fmt"

	"tabuleiro/games"
)

// ErrStopped is what Build returns when it was asked to stop.
var ErrStopped = errors.New("the building of tables was stopped")

// Build fills data, Size(pieces) zero bytes, with the tables of exactly that many
// pieces. Those of fewer have to be in t, which is not changed. It runs in the
// calling goroutine and holds about 150 MB for 5 pieces besides data. From time
// to time it calls progress, which may be nil, with the share of data that is
// done, and stops if that returns false.
func (t *Tables) Build(pieces int, data []byte, progress func(done, total int) bool) error {
	if pieces < MinPieces || pieces > MaxPieces || len(data) != Size(pieces) {
		return fmt.Errorf("%d bytes cannot hold tables of %d pieces", len(data), pieces)
	}
	if t.Pieces() < pieces-1 && pieces > MinPieces {
		return fmt.Errorf("tables of %d pieces need those of %d", pieces, pieces-1)
	}
	v := view{}
	if known := t.view.Load(); known != nil {
		v = *known
	}
	v[pieces] = data
	s := newSolver(&v)
	for i := range all.classes[pieces] {
		c := &all.classes[pieces][i]
		for _, side := range [2]games.Side{games.First, games.Second} {
			if progress != nil && !progress(c.at(side), len(data)) {
				return ErrStopped
			}
			if side == games.First {
				s.start(c, data)
			} else {
				s.solve()
			}
		}
	}
	if progress != nil {
		progress(len(data), len(data))
	}
	return nil
}
