package tournaments

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"tabuleiro/services/play/keyed"
)

// Memory keeps tournaments in memory, for simulations: it fails as it is told.
type Memory struct {
	// Fails, when set before use, is asked before each commit: whether it fails,
	// and whether it happens all the same.
	Fails func() (fails, happens bool)

	mu       sync.Mutex
	states   map[string]State
	events   map[string][]Event
	commands map[[2]string]memoryAnswer
}

type memoryAnswer struct {
	hash   string
	answer Answer
}

// NewMemory makes an empty store.
func NewMemory() *Memory {
	return &Memory{states: map[string]State{}, events: map[string][]Event{}, commands: map[[2]string]memoryAnswer{}}
}

// Load implements Store.
func (m *Memory) Load(_ context.Context, id string) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.states[id]
	if !ok {
		return State{}, ErrNotFound
	}
	return s, nil
}

// At implements Store.
func (m *Memory) At(_ context.Context, id string, version int32) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if int(version) > len(m.events[id]) || version == 0 {
		return State{}, ErrNotFound
	}
	return Fold(State{}, m.events[id][:version]), nil
}

// Commit implements Store.
func (m *Memory) Commit(_ context.Context, c Commit, command *keyed.Command) (Answer, error) {
	fails, happens := false, true
	if m.Fails != nil {
		fails, happens = m.Fails()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	answer := Answer{ID: c.After.ID, Version: c.After.Version}
	if command != nil {
		if r, ok := m.commands[[2]string{command.Owner, command.Key}]; ok {
			if r.hash != command.Hash {
				return Answer{}, keyed.ErrReused
			}
			return r.answer, nil
		}
	}
	if m.states[c.After.ID].Version != c.Before.Version {
		return Answer{}, ErrStale
	}
	if happens {
		m.states[c.After.ID] = c.After
		m.events[c.After.ID] = append(slices.Clip(m.events[c.After.ID]), c.Events...)
		if command != nil {
			m.commands[[2]string{command.Owner, command.Key}] = memoryAnswer{command.Hash, answer}
		}
	}
	if fails {
		return Answer{}, keyed.ErrUnavailable
	}
	return answer, nil
}

// Answered implements Store.
func (m *Memory) Answered(_ context.Context, command keyed.Command) (Answer, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.commands[[2]string{command.Owner, command.Key}]
	if ok && r.hash != command.Hash {
		return Answer{}, false, keyed.ErrReused
	}
	return r.answer, ok, nil
}

// Active implements Store.
func (m *Memory) Active(_ context.Context, after string, limit int) ([]string, error) {
	return m.ids(limit, func(s State) bool { return active(s) && s.ID > after }), nil
}

// Due implements Store.
func (m *Memory) Due(_ context.Context, now int64, after string, limit int) ([]string, error) {
	return m.ids(limit, func(s State) bool { return active(s) && dueAt(s) <= now && s.ID > after }), nil
}

func (m *Memory) ids(limit int, pick func(State) bool) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ids []string
	for id, s := range m.states {
		if pick(s) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids[:min(limit, len(ids))]
}

// Of implements Store.
func (m *Memory) Of(_ context.Context, account string, organises bool, before string, limit int) ([]State, error) {
	return m.newest(before, limit, func(s State) bool {
		return organises && s.Organiser == account || !organises && s.Find(account) >= 0
	}), nil
}

// Joinable implements Store.
func (m *Memory) Joinable(_ context.Context, before string, limit int) ([]State, error) {
	return m.newest(before, limit, joinable), nil
}

// With implements Store.
func (m *Memory) With(_ context.Context, accounts []string, but, before string, limit int) ([]State, error) {
	return m.newest(before, limit, func(s State) bool {
		return s.Organiser != but && slices.ContainsFunc(accounts, func(a string) bool { return s.Find(a) >= 0 })
	}), nil
}

func (m *Memory) newest(before string, limit int, pick func(State) bool) []State {
	m.mu.Lock()
	defer m.mu.Unlock()
	var states []State
	for id, s := range m.states {
		if (before == "" || id < before) && pick(s) {
			states = append(states, s)
		}
	}
	slices.SortFunc(states, func(a, b State) int { return cmp.Compare(b.ID, a.ID) })
	return states[:min(limit, len(states))]
}

// Open implements Store.
func (m *Memory) Open(_ context.Context, organiser string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, s := range m.states {
		if s.Organiser == organiser && !s.over() {
			n++
		}
	}
	return n, nil
}

// Naming implements Store.
func (m *Memory) Naming(_ context.Context, account, after string, limit int) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ids []string
	for id, s := range m.states {
		entered := slices.ContainsFunc(m.events[id], func(e Event) bool { return e.Player != nil && e.Player.Account == account })
		if id > after && (s.Organiser == account || entered) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids[:min(limit, len(ids))], nil
}

// Scrub implements Store.
func (m *Memory) Scrub(_ context.Context, id, account string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	events := slices.Clone(m.events[id])
	for i := range events {
		events[i] = events[i].scrubbed(account)
	}
	m.events[id] = events
	return nil
}
