package farm

import (
	"sync"

	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	"tabuleiro/services/search/engine"
)

const (
	// batch is the most entries of one message.
	batch = 64
	// shareDepth is how deep an entry must be to be worth telling.
	shareDepth = 5
	// shareDepthExact is the same at the small depths of the classic levels.
	shareDepthExact = 3
	// maxLine bounds a line that a helper tells, in moves.
	maxLine = engine.MaxDepth
)

// outbox keeps the latest deep entries until they are sent; when it is full the
// oldest one goes.
type outbox struct {
	mu      sync.Mutex
	entries [2 * batch]engine.Entry
	start   int
	n       int
}

func (o *outbox) put(e engine.Entry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.entries[(o.start+o.n)%len(o.entries)] = e
	if o.n == len(o.entries) {
		o.start = (o.start + 1) % len(o.entries)
	} else {
		o.n++
	}
}

// take removes up to a batch of entries.
func (o *outbox) take() []*busv1.TableEntry {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := make([]*busv1.TableEntry, 0, min(o.n, batch))
	for ; o.n > 0 && len(out) < batch; o.n-- {
		e := o.entries[o.start]
		o.start = (o.start + 1) % len(o.entries)
		out = append(out, &busv1.TableEntry{
			Key: e.Key, Move: e.Move, Score: int32(e.Score), Depth: int32(e.Depth), Bound: int32(e.Bound),
		})
	}
	return out
}

// learn puts what others found into a table. What cannot be an entry is left
// out, and so is what exceeds a batch.
func learn(table *engine.Table, entries []*busv1.TableEntry) {
	for _, in := range entries[:min(len(entries), batch)] {
		if in.GetBound() < 0 || in.GetBound() > int32(engine.Upper) {
			continue
		}
		e := engine.Entry{
			Key: in.GetKey(), Move: in.GetMove(), Score: int(in.GetScore()), Depth: int(in.GetDepth()), Bound: engine.Bound(in.GetBound()),
		}
		if e.Valid() {
			table.Put(e)
		}
	}
}
