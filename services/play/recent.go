package play

import (
	"container/list"
	"sync"
)

// recentBytes is about how much memory a replica gives to the games that it
// remembers.
const recentBytes = 32 << 20

// recent are the games that a replica has changed last, as it left them, so that
// their next commands need not read them. What it remembers may be old, since other
// replicas change games too: it serves for decisions whose commit has the version
// as its condition, and for nothing else.
type recent struct {
	mu    sync.Mutex
	most  int // bytes
	held  int
	games map[string]*list.Element
	order *list.List // of *remembered, what was used last in front
}

type remembered struct {
	state State
	bytes int
}

func newRecent(most int) *recent {
	return &recent{most: most, games: map[string]*list.Element{}, order: list.New()}
}

// get is the state of a game as it was when this replica knew it last.
func (r *recent) get(game string) (State, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.games[game]
	if !ok {
		return State{}, false
	}
	r.order.MoveToFront(e)
	return e.Value.(*remembered).state, true
}

// put remembers a state unless a newer one is known. Games that are over are
// forgotten: hardly anything happens to them any more.
func (r *recent) put(s State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.games[s.ID]; ok {
		if e.Value.(*remembered).state.Version >= s.Version {
			return
		}
		r.remove(e)
	}
	if s.Status != StatusOpen && s.Status != StatusRunning {
		return
	}
	m := &remembered{state: s, bytes: s.bytes()}
	r.games[s.ID] = r.order.PushFront(m)
	for r.held += m.bytes; r.held > r.most; {
		r.remove(r.order.Back())
	}
}

// drop forgets a game.
func (r *recent) drop(game string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.games[game]; ok {
		r.remove(e)
	}
}

func (r *recent) remove(e *list.Element) {
	m := e.Value.(*remembered)
	r.order.Remove(e)
	delete(r.games, m.state.ID)
	r.held -= m.bytes
}

// bytes is about what a state takes in memory: a fixed part, and what grows with
// the game.
func (s State) bytes() int {
	const fixed, perMove, perPiece = 2 << 10, 256, 64
	return fixed + perMove*(len(s.Plies)+len(s.Ruling.Moves)) + perPiece*len(s.Ruling.Pieces) + len(s.Ruling.Position.History)
}
