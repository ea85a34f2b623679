package accounts

import (
	"cmp"
	"context"
	"crypto/subtle"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Memory is a Store without a database, for the simulation: no goroutines, no
// time of its own, and the same answers every run.
type Memory struct {
	mu       sync.Mutex
	people   map[string]Person
	logins   map[string]string // folded login to account
	commands map[commandKey]Command
	code     *operatorCode
	sessions map[[32]byte]Session
	tokens   map[[32]byte]AccessToken
	pairings map[[32]byte]Pairing // by device
	boards   map[string]Board
	secrets  map[string][32]byte // of boards
	days     map[string]bool     // jobs claimed
	ledger   map[string][]Entry  // by game, in order of revision
	ratings  map[ratingKey]Standing
	school   memorySchool
	factors  memoryFactors
	seen     map[string]time.Time // accounts, where they were seen since they were made
}

type commandKey struct{ scope, key string }

type operatorCode struct {
	hash [32]byte
	used bool
}

type ratingKey struct {
	account string
	pool    Pool
}

// NewMemory makes an empty store.
func NewMemory() *Memory {
	return &Memory{
		people:   map[string]Person{},
		logins:   map[string]string{},
		commands: map[commandKey]Command{},
		sessions: map[[32]byte]Session{},
		tokens:   map[[32]byte]AccessToken{},
		pairings: map[[32]byte]Pairing{},
		boards:   map[string]Board{},
		secrets:  map[string][32]byte{},
		days:     map[string]bool{},
		ledger:   map[string][]Entry{},
		ratings:  map[ratingKey]Standing{},
		school:   newMemorySchool(),
		factors:  newMemoryFactors(),
		seen:     map[string]time.Time{},
	}
}

var _ Store = (*Memory)(nil)

// Create implements People.
func (m *Memory) Create(_ context.Context, person Person, command Command) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used(command) {
		return ErrKeyUsed
	}
	if err := m.create(person); err != nil {
		return err
	}
	m.keep(command)
	return nil
}

func (m *Memory) create(person Person) error {
	if _, taken := m.school.names[skeleton(person.Login)]; taken {
		return ErrLoginTaken
	}
	person.CreatedAt = inMilli(person.CreatedAt)
	m.people[person.ID] = clonePerson(person)
	m.logins[foldLogin(person.Login)] = person.ID
	m.school.names[skeleton(person.Login)] = loginName{account: person.ID}
	return nil
}

func (m *Memory) used(command Command) bool {
	_, used := m.commands[commandKey{command.Scope, command.Key}]
	return used
}

func (m *Memory) keep(command Command) {
	command.At = inMilli(command.At)
	m.commands[commandKey{command.Scope, command.Key}] = command
}

// Command implements People.
func (m *Memory) Command(_ context.Context, scope, key string) (Command, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	command, ok := m.commands[commandKey{scope, key}]
	if !ok {
		return Command{}, ErrNotFound
	}
	return command, nil
}

// Person implements People.
func (m *Memory) Person(_ context.Context, id string) (Person, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	person, ok := m.people[id]
	if !ok {
		return Person{}, ErrNotFound
	}
	return clonePerson(person), nil
}

// PersonByLogin implements People.
func (m *Memory) PersonByLogin(_ context.Context, login string) (Person, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	person, ok := m.people[m.logins[foldLogin(login)]]
	if !ok {
		return Person{}, ErrNotFound
	}
	return clonePerson(person), nil
}

// Accounts implements People.
func (m *Memory) Accounts(_ context.Context, ids []string) ([]Account, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.accounts(ids), nil
}

func (m *Memory) accounts(ids []string) []Account {
	var accounts []Account
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		if person, ok := m.people[id]; ok {
			accounts = append(accounts, clonePerson(person).Account)
		}
	}
	return accounts
}

// OpenPolicy implements People.
func (m *Memory) OpenPolicy(_ context.Context, account string, command Command) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used(command) {
		return ErrKeyUsed
	}
	person, ok := m.people[account]
	if !ok {
		return ErrNotFound
	}
	person.Policy = PolicyOpen
	m.people[account] = person
	m.school.append(auditOf(command, actionPolicyOpened))
	m.keep(command)
	return nil
}

// KeepCode implements Operators.
func (m *Memory) KeepCode(_ context.Context, hash [32]byte, _ time.Time) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.code != nil {
		return false, nil
	}
	for _, person := range m.people {
		if slices.Contains(person.Roles, RoleOperator) {
			return false, nil
		}
	}
	m.code = &operatorCode{hash: hash}
	return true, nil
}

// Claim implements Operators.
func (m *Memory) Claim(_ context.Context, account string, hash [32]byte, command Command) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used(command) {
		return ErrKeyUsed
	}
	person, ok := m.people[account]
	if !ok {
		return ErrNotFound
	}
	if m.code == nil || m.code.used || subtle.ConstantTimeCompare(m.code.hash[:], hash[:]) != 1 {
		return ErrWrongCode
	}
	m.code.used = true
	person = clonePerson(person)
	if !slices.Contains(person.Roles, RoleOperator) {
		person.Roles = slices.Sorted(slices.Values(append(person.Roles, RoleOperator)))
	}
	m.people[account] = person
	m.school.append(auditOf(command, actionOperatorClaimed))
	m.keep(command)
	return nil
}

// Rate implements Ratings.
func (m *Memory) Rate(_ context.Context, game Game, start func(Account, Pool) Standing, decide func(Table) (Decision, error)) (Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	table := Table{Entries: slices.Clone(m.ledger[game.ID])}
	for i, seat := range game.Seats {
		if seat.Account == "" {
			continue
		}
		person, ok := m.people[seat.Account]
		if !ok {
			return Entry{}, fmt.Errorf("seat %d: %w", i, ErrNotFound)
		}
		table.Standings[i], ok = m.ratings[ratingKey{seat.Account, game.Pool}]
		if !ok {
			table.Standings[i] = start(person.Account, game.Pool)
		}
		if game.Revision > 0 {
			table.Pasts[i] = Past{Start: start(person.Account, game.Pool), Entries: m.past(seat.Account, game.Pool)}
		}
	}
	decision, err := decide(table)
	if err != nil {
		return Entry{}, err
	}
	entry := decision.Entry
	if !decision.Fresh {
		return entry, nil
	}
	m.ledger[game.ID] = append(m.ledger[game.ID], entry)
	for i, seat := range entry.Seats {
		if seat.Account != "" {
			m.ratings[ratingKey{seat.Account, entry.Pool}] = decision.Standings[i]
		}
	}
	return entry, nil
}

// past lists the entries of an account in a pool in the order of their changes.
func (m *Memory) past(account string, pool Pool) []Entry {
	var list []Entry
	for _, entries := range m.ledger {
		for _, e := range entries {
			if e.Pool == pool && (e.Seats[0].Account == account || e.Seats[1].Account == account) {
				list = append(list, e)
			}
		}
	}
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Compare(a.Sides[a.seatOf(account)].Change, b.Sides[b.seatOf(account)].Change)
	})
	return list
}

// Standings implements Ratings.
func (m *Memory) Standings(_ context.Context, accounts []string) ([]Standing, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Standing
	for key, standing := range m.ratings {
		if slices.Contains(accounts, key.account) {
			list = append(list, standing)
		}
	}
	slices.SortFunc(list, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Pool.Rules, b.Pool.Rules), cmp.Compare(a.Pool.Speed, b.Pool.Speed))
	})
	return list, nil
}

// Entries implements Ratings.
func (m *Memory) Entries(_ context.Context, account, rules string, skip, limit int) ([]Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change := func(e Entry) int32 { return e.Sides[e.seatOf(account)].Change }
	var list []Entry
	for _, entries := range m.ledger {
		for _, e := range entries {
			if (e.Seats[0].Account == account || e.Seats[1].Account == account) && (rules == "" || e.Pool.Rules == rules) {
				list = append(list, e)
			}
		}
	}
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(b.RatedAt.Compare(a.RatedAt), cmp.Compare(change(b), change(a)), cmp.Compare(b.ID, a.ID))
	})
	list = list[min(len(list), skip):]
	if limit > 0 {
		list = list[:min(len(list), limit)]
	}
	return list, nil
}

// Points implements Ratings.
func (m *Memory) Points(_ context.Context, account string, pool Pool, since time.Time, limit int) ([]Point, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	const day = 24 * 60 * 60 * 1000
	var list []Point
	for _, e := range m.past(account, pool) { // by change, and so by time
		if e.RatedAt.Before(since) {
			continue
		}
		point := Point{Day: e.RatedAt.UnixMilli() / day, Rating: e.Sides[e.seatOf(account)].After, Changes: 1}
		if last := len(list) - 1; last >= 0 && list[last].Day == point.Day {
			point.Changes += list[last].Changes
			list[last] = point
			continue
		}
		list = append(list, point)
	}
	return list[max(0, len(list)-limit):], nil
}

// Rated implements Ratings.
func (m *Memory) Rated(_ context.Context, after string, limit int) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ids []string
	for key := range m.ratings {
		if key.account > after {
			ids = append(ids, key.account)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids[:min(len(ids), limit)], nil
}

func clonePerson(p Person) Person {
	p.Roles = slices.Clone(p.Roles)
	return p
}

// inMilli is what a database keeps of a time.
func inMilli(t time.Time) time.Time { return fromMilli(t.UnixMilli()) }
