package collections

import (
	"context"
	"slices"
	"sync"

	"tabuleiro/services/play/keyed"
)

// Memory keeps collections in memory, for tests of what stands on a store.
type Memory struct {
	commands keyed.Memory

	mu      sync.Mutex
	all     map[string]*memoryCollection
	imports map[string]Import
}

type memoryCollection struct {
	Collection
	deleted bool
	next    int32
	records []Record
}

// NewMemory makes an empty store.
func NewMemory() *Memory {
	return &Memory{all: map[string]*memoryCollection{}, imports: map[string]Import{}}
}

func (m *Memory) find(owner, id string) (*memoryCollection, error) {
	c, ok := m.all[id]
	if !ok || c.deleted || c.Owner != owner {
		return nil, ErrNotFound
	}
	return c, nil
}

func (m *Memory) of(owner string) []Collection {
	var list []Collection
	for _, c := range m.all {
		if c.Owner == owner && !c.deleted {
			list = append(list, c.Collection)
		}
	}
	slices.SortFunc(list, func(a, b Collection) int { return compare(a.ID, b.ID) })
	return list
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Create implements Store.
func (m *Memory) Create(_ context.Context, c keyed.Command, n Collection, limit int) (Collection, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return keyed.DoIn(&m.commands, c, func() (Collection, error) {
		if len(m.of(n.Owner)) >= limit {
			return n, ErrTooMany
		}
		m.all[n.ID] = &memoryCollection{Collection: n, next: 1}
		return n, nil
	})
}

// List implements Store.
func (m *Memory) List(_ context.Context, owner string) ([]Collection, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.of(owner), nil
}

// Get implements Store.
func (m *Memory) Get(_ context.Context, owner, id string) (Collection, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, err := m.find(owner, id)
	if err != nil {
		return Collection{}, err
	}
	return c.Collection, nil
}

// Rename implements Store.
func (m *Memory) Rename(_ context.Context, c keyed.Command, id, name string) (Collection, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return keyed.DoIn(&m.commands, c, func() (Collection, error) {
		found, err := m.find(c.Owner, id)
		if err != nil {
			return Collection{}, err
		}
		found.Name = name
		return found.Collection, nil
	})
}

// Delete implements Store.
func (m *Memory) Delete(_ context.Context, c keyed.Command, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err := keyed.DoIn(&m.commands, c, func() (struct{}, error) {
		found, err := m.find(c.Owner, id)
		if err == nil {
			found.deleted = true
		}
		return struct{}{}, err
	})
	return err
}

// Purge implements Store.
func (m *Memory) Purge(context.Context) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, c := range m.all {
		if !c.deleted {
			continue
		}
		delete(m.all, id)
		for name, i := range m.imports {
			if i.Collection == id {
				delete(m.imports, name)
			}
		}
		return true, nil
	}
	return false, nil
}

// BeginImport implements Store.
func (m *Memory) BeginImport(_ context.Context, c keyed.Command, n Import, limit, keep int, since int64) (Import, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return keyed.DoIn(&m.commands, c, func() (Import, error) {
		if _, err := m.find(n.Owner, n.Collection); err != nil {
			return n, err
		}
		running := 0
		for _, i := range m.imports {
			_, err := m.find(i.Owner, i.Collection) // one that is deleted awaits its purge
			if i.Owner == n.Owner && i.Status == ImportRunning && i.ChangedAt >= since && err == nil {
				running++
			}
		}
		if running >= limit {
			return n, ErrTooManyImports
		}
		m.imports[n.ID] = n
		for _, old := range m.into(n.Collection)[min(keep, len(m.into(n.Collection))):] {
			delete(m.imports, old.ID)
		}
		return n, nil
	})
}

// into are the imports of a collection, the newest first.
func (m *Memory) into(collection string) []Import {
	var list []Import
	for _, i := range m.imports {
		if i.Collection == collection {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b Import) int { return compare(b.ID, a.ID) })
	return list
}

// Imports implements Store.
func (m *Memory) Imports(_ context.Context, collection string, limit int) ([]Import, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := m.into(collection)
	return list[:min(limit, len(list))], nil
}

// Import implements Store.
func (m *Memory) Import(_ context.Context, collection, id string) (Import, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, ok := m.imports[id]
	if !ok || i.Collection != collection {
		return Import{}, ErrNoImport
	}
	return i, nil
}

// AddPiece implements Store.
func (m *Memory) AddPiece(_ context.Context, p Piece) (Import, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, ok := m.imports[p.Before.ID]
	if !ok || now.Collection != p.Before.Collection {
		return Import{}, ErrNoImport
	}
	if now.Read != p.Before.Read || now.Status != ImportRunning {
		return now, nil
	}
	c, err := m.find(now.Owner, now.Collection)
	if err != nil {
		return Import{}, err
	}
	total := int32(0)
	for _, other := range m.of(now.Owner) {
		total += other.Records
	}
	now = p.After
	now.Notes = slices.Clone(now.Notes)
	for i, r := range p.Records {
		same := slices.IndexFunc(c.records, func(o Record) bool { return o.Hash == r.Hash })
		switch {
		case total >= int32(p.Limit) || c.next > maxNumber:
			p.added(&now, i, false, true, 0)
		case same >= 0:
			p.added(&now, i, true, false, c.records[same].Number)
		default:
			r.Number = c.next
			p.added(&now, i, false, false, r.Number)
			c.records = append(c.records, r)
			c.next++
			c.Records++
			total++
		}
	}
	m.imports[now.ID] = now
	return now, nil
}

// Search implements Store.
func (m *Memory) Search(_ context.Context, q Query) (records []Record, next int32, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.all[q.Collection]
	if !ok {
		return nil, 0, nil
	}
	for _, r := range c.records {
		if r.Number <= q.After || !q.matches(&r) || q.Position != nil && !slices.Contains(r.Positions, *q.Position) {
			continue
		}
		if len(records) == q.Limit {
			return records, records[q.Limit-1].Number, nil
		}
		r.Text, r.Positions = "", nil
		records = append(records, r)
	}
	return records, 0, nil
}

// Record implements Store.
func (m *Memory) Record(_ context.Context, collection string, number int32) (Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.all[collection]; ok {
		for _, r := range c.records {
			if r.Number == number {
				r.Positions = nil
				return r, nil
			}
		}
	}
	return Record{}, ErrNoRecord
}

// DeleteRecord implements Store.
func (m *Memory) DeleteRecord(_ context.Context, c keyed.Command, collection string, number int32) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err := keyed.DoIn(&m.commands, c, func() (struct{}, error) {
		found, err := m.find(c.Owner, collection)
		if err != nil {
			return struct{}{}, err
		}
		i := slices.IndexFunc(found.records, func(r Record) bool { return r.Number == number })
		if i < 0 {
			return struct{}{}, ErrNoRecord
		}
		found.records = slices.Delete(found.records, i, i+1)
		found.Records--
		return struct{}{}, nil
	})
	return err
}

// Texts implements Store.
func (m *Memory) Texts(_ context.Context, collection string, after int32, size int) (texts []string, next int32, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.all[collection]
	if !ok {
		return nil, 0, nil
	}
	for _, r := range c.records {
		if r.Number <= after {
			continue
		}
		if size <= 0 {
			return texts, next, nil
		}
		texts = append(texts, r.Text)
		next = r.Number
		size -= len(r.Text)
	}
	return texts, 0, nil
}
