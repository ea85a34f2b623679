package accounts

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// see notes that an account is in use.
func (m *Memory) see(account string, at time.Time) {
	if person, ok := m.people[account]; ok && person.alive() {
		person = clonePerson(person)
		person.NoticedAt = time.Time{}
		m.people[account], m.seen[account] = person, inMilli(at)
	}
}

// lastSeen is when an account was in use at last.
func (m *Memory) lastSeen(account Account) time.Time {
	if seen, ok := m.seen[account.ID]; ok {
		return seen
	}
	return account.CreatedAt
}

// usedBefore lists accounts that classes made, by a moment of theirs.
func (t memoryTx) usedBefore(moment func(Account) (time.Time, bool), limit int) []string {
	type dated struct {
		id string
		at time.Time
	}
	var list []dated
	for id, person := range t.people {
		if at, ok := moment(person.Account); ok && person.Managed && person.alive() {
			list = append(list, dated{id, at})
		}
	}
	slices.SortFunc(list, func(a, b dated) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	var ids []string
	for _, d := range list[:min(len(list), limit)] {
		ids = append(ids, d.id)
	}
	return ids
}

// Unused implements UseReader.
func (t memoryTx) Unused(_ context.Context, before time.Time, limit int) ([]string, error) {
	return t.usedBefore(func(a Account) (time.Time, bool) {
		seen := t.lastSeen(a)
		return seen, a.NoticedAt.IsZero() && seen.Before(before)
	}, limit), nil
}

// Noticed implements UseReader.
func (t memoryTx) Noticed(_ context.Context, until time.Time, limit int) ([]string, error) {
	return t.usedBefore(func(a Account) (time.Time, bool) {
		return a.NoticedAt, !a.NoticedAt.IsZero() && !a.NoticedAt.After(until)
	}, limit), nil
}

// Leaving implements UseReader.
func (t memoryTx) Leaving(_ context.Context, class string) (int, time.Time, error) {
	n, first := 0, time.Time{}
	for key := range t.school.pupils {
		at := t.people[key.account].NoticedAt
		if key.class != class || at.IsZero() {
			continue
		}
		if n++; first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return n, first, nil
}

// Seen implements UseWriter.
func (t memoryTx) Seen(_ context.Context, accounts []string, at time.Time) error {
	for _, account := range accounts {
		t.see(account, at)
	}
	return nil
}

// Notice implements UseWriter.
func (t memoryTx) Notice(_ context.Context, account string, at time.Time) error {
	return t.person(account, func(p *Person) { p.NoticedAt = inMilli(at) })
}
