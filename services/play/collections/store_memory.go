package collections

import (
	"cmp"
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
	shares  map[Share]bool
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
	return &Memory{all: map[string]*memoryCollection{}, shares: map[Share]bool{}, imports: map[string]Import{}}
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
	slices.SortFunc(list, func(a, b Collection) int { return cmp.Compare(a.ID, b.ID) })
	return list
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
		for share := range m.shares {
			if share.Collection == id {
				delete(m.shares, share)
			}
		}
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
func (m *Memory) BeginImport(_ context.Context, c keyed.Command, n Import, most Most, limit, keep int, since int64) (Import, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return keyed.DoIn(&m.commands, c, func() (Import, error) {
		if _, err := m.find(n.Owner, n.Collection); err != nil {
			return n, err
		}
		records, bytes := m.kept(n.Owner)
		if code, _ := most.full(records, bytes, 1); code != "" {
			return n, ErrFull
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

// kept is what an owner keeps in all collections.
func (m *Memory) kept(owner string) (records, bytes int64) {
	for _, c := range m.of(owner) {
		records += int64(c.Records)
		bytes += c.Bytes
	}
	return records, bytes
}

// Share implements Store.
func (m *Memory) Share(_ context.Context, c keyed.Command, id, class string, limit int) (Collection, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return keyed.DoIn(&m.commands, c, func() (Collection, error) {
		found, err := m.find(c.Owner, id)
		if err != nil {
			return Collection{}, err
		}
		others := 0
		for share := range m.shares {
			if share.Collection == id && share.Class != class {
				others++
			}
		}
		if others >= limit {
			return Collection{}, ErrTooManyShares
		}
		m.shares[Share{id, class}] = true
		return found.Collection, nil
	})
}

// Unshare implements Store.
func (m *Memory) Unshare(_ context.Context, c keyed.Command, id, class string) (Collection, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return keyed.DoIn(&m.commands, c, func() (Collection, error) {
		found, err := m.find(c.Owner, id)
		if err != nil {
			return Collection{}, err
		}
		delete(m.shares, Share{id, class})
		return found.Collection, nil
	})
}

// Shares implements Store.
func (m *Memory) Shares(_ context.Context, ids []string) ([]Share, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sharesWhere(func(s Share) bool { return slices.Contains(ids, s.Collection) }), nil
}

func (m *Memory) sharesWhere(pick func(Share) bool) []Share {
	var list []Share
	for share := range m.shares {
		if pick(share) {
			list = append(list, share)
		}
	}
	slices.SortFunc(list, func(a, b Share) int {
		return cmp.Or(cmp.Compare(a.Collection, b.Collection), cmp.Compare(a.Class, b.Class))
	})
	return list
}

// SharedWith implements Store.
func (m *Memory) SharedWith(_ context.Context, classes []string, limit int) ([]Collection, []Share, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	shares := m.sharesWhere(func(s Share) bool { return slices.Contains(classes, s.Class) })
	var list []Collection
	for _, c := range m.all {
		if !c.deleted && slices.ContainsFunc(shares, func(s Share) bool { return s.Collection == c.ID }) {
			list = append(list, c.Collection)
		}
	}
	slices.SortFunc(list, func(a, b Collection) int { return cmp.Compare(a.ID, b.ID) })
	return list[:min(limit, len(list))], shares, nil
}

// into are the imports of a collection, the newest first.
func (m *Memory) into(collection string) []Import {
	var list []Import
	for _, i := range m.imports {
		if i.Collection == collection {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b Import) int { return cmp.Compare(b.ID, a.ID) })
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
	total, bytes := m.kept(now.Owner)
	now = p.After
	now.Notes = slices.Clone(now.Notes)
	for i, r := range p.Records {
		hashed := func() int {
			return slices.IndexFunc(c.records, func(o Record) bool { return o.Hash == r.Hash })
		}
		same := hashed()
		if same >= 0 && r.differs(c.records[same].Date, c.records[same].Text) {
			r.Hash = r.Other
			same = hashed()
		}
		code, message := p.Most.full(total, bytes, len(r.Text))
		switch {
		case code != "":
			p.over(&now, i, code, message)
		case same >= 0:
			p.added(&now, i, true, c.records[same].Number)
		default:
			r.Number = c.next
			p.added(&now, i, false, r.Number)
			c.Bytes += int64(len(r.Text))
			bytes += int64(len(r.Text))
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
		found.Bytes -= int64(len(found.records[i].Text))
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
