package play

import (
	"context"
	"sync"
)

// turns bound for how many games of one player the engine thinks at once. What
// is over the bound waits here, in the order in which it came, so that a player
// with a hundred games keeps nobody else waiting.
type turns struct {
	most int

	mu      sync.Mutex
	running map[string]int
	waiting map[string][]Due // by player
}

func newTurns(most int) *turns {
	return &turns{most: most, running: map[string]int{}, waiting: map[string][]Due{}}
}

// begin tells whether an engine's move of a player may be thought about now. One
// that may not waits, in the place of an older claim of the same game.
func (t *turns) begin(player string, due Due) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running[player] < t.most {
		t.running[player]++
		return true
	}
	for i, other := range t.waiting[player] {
		if other.Game == due.Game {
			t.waiting[player][i] = due
			return false
		}
	}
	t.waiting[player] = append(t.waiting[player], due)
	return false
}

// end ends one, and hands on the next that waits: its turn has begun then. A
// claim that has ended meanwhile is the sweep's again.
func (t *turns) end(player string, now int64) (next Due, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for list := t.waiting[player]; len(list) > 0; list = t.waiting[player] {
		next, t.waiting[player] = list[0], list[1:]
		if next.At > now {
			return next, true
		}
	}
	delete(t.waiting, player)
	if t.running[player]--; t.running[player] <= 0 {
		delete(t.running, player)
	}
	return Due{}, false
}

// drain takes out all that wait.
func (t *turns) drain() []Due {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []Due
	for _, list := range t.waiting {
		all = append(all, list...)
	}
	clear(t.waiting)
	return all
}

// inTurn acts on an obligation when it is its player's turn, and on those of the
// same player that wait for it.
func (s *Service) inTurn(ctx context.Context, due Due) {
	if due.Kind != DueEngine {
		s.report(due, s.act(ctx, due))
		return
	}
	player := s.opponentOf(ctx, due)
	if player == "" {
		s.report(due, s.act(ctx, due))
		return
	}
	for ok := s.turns.begin(player, due); ok; due, ok = s.turns.end(player, s.now()) {
		s.report(due, s.act(ctx, due))
	}
}

// opponentOf is who waits for the engine's move; empty where that is not known.
func (s *Service) opponentOf(ctx context.Context, due Due) string {
	loading, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	state, err := s.deps.Store.Load(loading, due.Game)
	if err != nil {
		return "" // the act will say why
	}
	if state.Engines() {
		return state.Maker
	}
	first, second := state.owners()
	return first + second // the engine's is empty
}
