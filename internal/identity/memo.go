package identity

import "sync"

// memoSize is how many tokens a memo holds at least, and half of how many at most.
const memoSize = 2048

// memo remembers values by text, the newest ones: to sign or to verify costs more
// than most calls do, and the same Caller calls again and again.
type memo[V any] struct {
	mu sync.Mutex
	// now takes new ones until it is full; then it becomes before.
	now, before map[string]V
}

func (m *memo[V]) get(key string) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.now[key]
	if !ok {
		v, ok = m.before[key]
	}
	return v, ok
}

func (m *memo[V]) put(key string, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.now == nil || len(m.now) >= memoSize {
		m.before, m.now = m.now, make(map[string]V)
	}
	m.now[key] = v
}
