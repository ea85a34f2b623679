package play

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// Fault is what goes wrong in a Memory.
type Fault int

// The faults.
const (
	// FaultNone: nothing.
	FaultNone Fault = iota
	// FaultBefore: nothing happens and the caller is told so.
	FaultBefore
	// FaultLost: nothing happens and the caller does not know.
	FaultLost
	// FaultAfter: it happens and the caller does not know.
	FaultAfter
)

// Memory keeps games in memory, for simulations: what it holds outlives
// the services that use it, and it fails as it is told.
type Memory struct {
	// Faults, when set before use, is asked before each operation, named by its
	// method. It may block. Reads know FaultBefore only.
	Faults func(operation string) Fault

	mu       sync.Mutex
	games    map[string]*memoryGame
	commands map[[2]string]memoryCommand
	due      map[[2]string]Due
	gates    map[[2]string]bool
	beat     int64
	outages  []Outage
	followed int32
}

type memoryCommand struct {
	CommandRecord
	at int64
}

type memoryGame struct {
	state  State
	events []Event
}

// NewMemory makes an empty store.
func NewMemory() *Memory {
	return &Memory{
		games:    map[string]*memoryGame{},
		commands: map[[2]string]memoryCommand{},
		due:      map[[2]string]Due{},
		gates:    map[[2]string]bool{},
	}
}

// do runs f under the lock unless a fault comes in between. The lock is never
// held while anything waits.
func (m *Memory) do(ctx context.Context, operation string, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	fault := FaultNone
	if m.Faults != nil {
		fault = m.Faults(operation)
	}
	switch fault {
	case FaultBefore:
		return ErrUnavailable
	case FaultLost:
		return ErrUnknown
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := f(); err != nil {
		return err
	}
	if fault == FaultAfter {
		return ErrUnknown
	}
	return nil
}

// Load implements GameStore.
func (m *Memory) Load(ctx context.Context, game string) (state State, err error) {
	err = m.do(ctx, "Load", func() error {
		g, ok := m.games[game]
		if !ok {
			return ErrNotFound
		}
		state = g.state
		return nil
	})
	return state, err
}

// Events implements GameStore.
func (m *Memory) Events(ctx context.Context, game string, after, limit int32) (events []Event, err error) {
	err = m.do(ctx, "Events", func() error {
		g, ok := m.games[game]
		if !ok || int(after) >= len(g.events) {
			return nil
		}
		rest := g.events[after:]
		events = slices.Clone(rest[:min(int(limit), len(rest))])
		return nil
	})
	return events, err
}

// Command implements GameStore.
func (m *Memory) Command(ctx context.Context, owner, key string) (record CommandRecord, ok bool, err error) {
	err = m.do(ctx, "Command", func() error {
		var c memoryCommand
		c, ok = m.commands[[2]string{owner, key}]
		record = c.CommandRecord
		return nil
	})
	return record, ok, err
}

// Commit implements GameStore.
func (m *Memory) Commit(ctx context.Context, c Commit) error {
	return m.do(ctx, "Commit", func() error {
		if err := m.mayCommit(c); err != nil {
			return err
		}
		if c.With != nil {
			if err := m.mayCommit(*c.With); err != nil {
				return err
			}
			m.put(*c.With)
		}
		m.put(c)
		return nil
	})
}

// mayCommit tells why a commit is none.
func (m *Memory) mayCommit(c Commit) error {
	var version int32
	if g := m.games[c.After.ID]; g != nil {
		version = g.state.Version
	}
	if version != c.Before.Version {
		return ErrStale
	}
	if r := c.Command; r != nil {
		if _, taken := m.commands[[2]string{r.Owner, r.Key}]; taken {
			return ErrKeyTaken
		}
	}
	if r := c.Requires; r != nil {
		if d, ok := m.due[[2]string{r.Game, r.Kind}]; !ok || d.Version != r.Version {
			return ErrGone
		}
	}
	for _, l := range c.Limits {
		n := 0
		changed := map[string]State{c.After.ID: c.After}
		if c.With != nil {
			changed[c.With.After.ID] = c.With.After
		}
		for id, g := range m.games {
			if _, ok := changed[id]; !ok && l.counts(g.state) {
				n++
			}
		}
		for _, s := range changed {
			if l.counts(s) {
				n++
			}
		}
		if n > l.Most {
			return &FullError{Limit: l}
		}
	}
	return nil
}

// put writes what may be committed.
func (m *Memory) put(c Commit) {
	g := m.games[c.After.ID]
	if g == nil {
		g = &memoryGame{}
		m.games[c.After.ID] = g
	}
	g.state = c.After
	g.events = append(g.events, c.Events...)
	if r := c.Command; r != nil {
		m.commands[[2]string{r.Owner, r.Key}] = memoryCommand{*r, c.After.ChangedAt}
	}
	if r := c.Requires; r != nil {
		delete(m.due, [2]string{r.Game, r.Kind})
	}
	for _, kind := range c.Done {
		delete(m.due, [2]string{c.After.ID, kind})
	}
	for _, d := range c.Due {
		m.due[[2]string{d.Game, d.Kind}] = d
	}
}

// List implements ListStore.
func (m *Memory) List(ctx context.Context, q ListQuery) (states []State, err error) {
	err = m.do(ctx, "List", func() error {
		for _, g := range m.games {
			if q.matches(g.state) {
				states = append(states, g.state)
			}
		}
		slices.SortFunc(states, func(a, b State) int { return strings.Compare(b.ID, a.ID) })
		states = states[:min(q.Limit, len(states))]
		return nil
	})
	return states, err
}

func (q ListQuery) matches(s State) bool {
	if q.Before != "" && s.ID >= q.Before || q.Rules != "" && s.Rules != q.Rules {
		return false
	}
	if q.Player != "" {
		return s.Involves(q.Player) && (q.Status == "" || s.Status == q.Status)
	}
	if q.Speed != "" && s.Speed != q.Speed || q.Rated != "" && s.Rated != (q.Rated == "yes") {
		return false
	}
	switch {
	case q.Invited != "":
		return s.Status == StatusOpen && s.Invited() == q.Invited
	case q.Live:
		return s.Status == StatusRunning && s.Visibility == visibilityPublic
	}
	return s.Status == StatusOpen && s.Invited() == "" && (!q.Guest || s.Rules == guestRules && !s.Rated)
}

// Live implements ListStore.
func (m *Memory) Live(ctx context.Context, player string) (n int, err error) {
	err = m.do(ctx, "Live", func() error {
		for _, g := range m.games {
			if (Limit{Player: player, Of: LimitLive}).counts(g.state) {
				n++
			}
		}
		return nil
	})
	return n, err
}

// Overdue implements DueStore.
func (m *Memory) Overdue(ctx context.Context, at int64, limit int) (all []Due, err error) {
	err = m.do(ctx, "Overdue", func() error {
		for _, d := range m.due {
			if d.At <= at {
				all = append(all, d)
			}
		}
		// One order for one content, so that a simulation repeats itself.
		slices.SortFunc(all, func(a, b Due) int {
			return cmp.Or(
				cmp.Compare(rank(a), rank(b)), cmp.Compare(a.At, b.At),
				strings.Compare(a.Game, b.Game), strings.Compare(a.Kind, b.Kind),
			)
		})
		all = all[:min(limit, len(all))]
		return nil
	})
	return all, err
}

func rank(d Due) int {
	if d.Kind == DueFlag {
		return 0
	}
	return 1
}

// Claim implements DueStore.
func (m *Memory) Claim(ctx context.Context, due Due, until int64) (Due, bool, error) {
	claimed := due
	claimed.At = until
	claimed.Attempts++
	ok := false
	err := m.do(ctx, "Claim", func() error {
		ok = m.swap(due, &claimed)
		return nil
	})
	return claimed, ok, err
}

// Postpone implements DueStore.
func (m *Memory) Postpone(ctx context.Context, due Due, until int64) error {
	return m.do(ctx, "Postpone", func() error {
		later := due
		later.At = until
		m.swap(due, &later)
		return nil
	})
}

// Drop implements DueStore.
func (m *Memory) Drop(ctx context.Context, due Due) error {
	return m.do(ctx, "Drop", func() error {
		m.swap(due, nil)
		return nil
	})
}

// swap puts another obligation in the place of one that is still as it was.
func (m *Memory) swap(old Due, next *Due) bool {
	key := [2]string{old.Game, old.Kind}
	current, ok := m.due[key]
	if !ok || current.Version != old.Version || current.At != old.At {
		return false
	}
	if next == nil {
		delete(m.due, key)
	} else {
		m.due[key] = *next
	}
	return true
}

// GateOpen implements GateStore.
func (m *Memory) GateOpen(ctx context.Context, account, rules string) (open bool, err error) {
	err = m.do(ctx, "GateOpen", func() error {
		open = m.gates[[2]string{account, rules}]
		return nil
	})
	return open, err
}

// OpenGate implements GateStore.
func (m *Memory) OpenGate(ctx context.Context, account, rules string, _ int64) error {
	return m.do(ctx, "OpenGate", func() error {
		m.gates[[2]string{account, rules}] = true
		return nil
	})
}

// Beat implements BeatStore.
func (m *Memory) Beat(ctx context.Context, at, gap int64) (outages []Outage, err error) {
	err = m.do(ctx, "Beat", func() error {
		if m.beat > 0 && at-m.beat > gap {
			m.outages = append(m.outages, Outage{m.beat, at})
		}
		m.beat = max(m.beat, at)
		outages = slices.Clone(m.outages)
		return nil
	})
	return outages, err
}

// Clocked implements BeatStore.
func (m *Memory) Clocked(ctx context.Context, after string, limit int) (games []string, err error) {
	err = m.do(ctx, "Clocked", func() error {
		for key := range m.due {
			if key[1] == DueFlag && key[0] > after {
				games = append(games, key[0])
			}
		}
		slices.Sort(games)
		games = games[:min(limit, len(games))]
		return nil
	})
	return games, err
}

// PurgeCommands implements PurgeStore.
func (m *Memory) PurgeCommands(ctx context.Context, before int64, limit int) (n int, err error) {
	err = m.do(ctx, "PurgeCommands", func() error {
		for key, r := range m.commands {
			if r.at < before && n < limit {
				delete(m.commands, key)
				n++
			}
		}
		return nil
	})
	return n, err
}

// PurgeGuests implements PurgeStore.
func (m *Memory) PurgeGuests(ctx context.Context, before int64, limit int) (n int, err error) {
	err = m.do(ctx, "PurgeGuests", func() error {
		for id, g := range m.games {
			over := g.state.Status == StatusFinished || g.state.Status == StatusCancelled
			first, second := g.state.owners()
			if over && !isAccount(first) && !isAccount(second) && g.state.ChangedAt < before && n < limit {
				delete(m.games, id)
				n++
			}
		}
		return nil
	})
	return n, err
}
