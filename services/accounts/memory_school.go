package accounts

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"
)

// memorySchool is what Memory keeps of School.
type memorySchool struct {
	names     map[string]loginName // by skeleton
	classes   map[string]Class
	teachers  map[placeKey]bool
	pupils    map[placeKey]Pupil
	guardians map[placeKey]time.Time // class is the child
	codes     map[[32]byte]Code
	audit     []Audit
	deletions []Deletion
}

type placeKey struct{ class, account string }

type loginName struct {
	account string
	freed   time.Time
}

func newMemorySchool() memorySchool {
	return memorySchool{
		names:     map[string]loginName{},
		classes:   map[string]Class{},
		teachers:  map[placeKey]bool{},
		pupils:    map[placeKey]Pupil{},
		guardians: map[placeKey]time.Time{},
		codes:     map[[32]byte]Code{},
	}
}

func (s *memorySchool) append(row Audit) {
	var last Audit
	if len(s.audit) > 0 {
		last = s.audit[len(s.audit)-1]
	}
	s.audit = append(s.audit, row.sealed(last))
}

// memoryTx is Memory under its lock.
type memoryTx struct{ *Memory }

var _ SchoolWriter = memoryTx{}

// View implements School.
func (m *Memory) View(ctx context.Context, f func(ctx context.Context, r SchoolReader) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return f(ctx, memoryTx{m})
}

// Change implements School.
func (m *Memory) Change(ctx context.Context, f func(ctx context.Context, w SchoolWriter) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	people, logins, commands, sessions := maps.Clone(m.people), maps.Clone(m.logins), maps.Clone(m.commands), maps.Clone(m.sessions)
	school := memorySchool{
		names: maps.Clone(m.school.names), classes: maps.Clone(m.school.classes), teachers: maps.Clone(m.school.teachers),
		pupils: maps.Clone(m.school.pupils), guardians: maps.Clone(m.school.guardians), codes: maps.Clone(m.school.codes),
		audit: m.school.audit, deletions: m.school.deletions,
	}
	tokens, boards, pairings := maps.Clone(m.tokens), maps.Clone(m.boards), maps.Clone(m.pairings)
	factors, seen := m.factors.clone(), maps.Clone(m.seen)
	err := f(ctx, memoryTx{m})
	if err != nil {
		m.tokens, m.boards, m.pairings, m.factors, m.seen = tokens, boards, pairings, factors, seen
		m.people, m.logins, m.commands, m.sessions, m.school = people, logins, commands, sessions, school
	}
	return err
}

// sorted are the values that a test picks, in an order.
func sorted[K comparable, V any](from map[K]V, pick func(K, V) bool, order func(a, b V) int) []V {
	var list []V
	for key, value := range from {
		if pick(key, value) {
			list = append(list, value)
		}
	}
	slices.SortFunc(list, order)
	return list
}

// sortedIDs are one half of the keys that a test picks.
func sortedIDs[V any](from map[placeKey]V, pick func(placeKey) bool, id func(placeKey) string) []string {
	var list []string
	for key := range from {
		if pick(key) {
			list = append(list, id(key))
		}
	}
	slices.Sort(list)
	return list
}

// FindCommand implements SchoolReader.
func (t memoryTx) FindCommand(_ context.Context, scope, key string) (Command, error) {
	command, ok := t.commands[commandKey{scope, key}]
	if !ok {
		return Command{}, ErrNotFound
	}
	return command, nil
}

// FindAccounts implements SchoolReader.
func (t memoryTx) FindAccounts(_ context.Context, ids []string) ([]Account, error) {
	return t.accounts(ids), nil
}

// FindLogin implements SchoolReader.
func (t memoryTx) FindLogin(_ context.Context, login string) (Person, error) {
	person, ok := t.people[t.logins[foldLogin(login)]]
	if !ok {
		return Person{}, ErrNotFound
	}
	return clonePerson(person), nil
}

// WithoutPassword implements SchoolReader.
func (t memoryTx) WithoutPassword(_ context.Context, ids []string) ([]string, error) {
	var list []string
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		if person, ok := t.people[id]; ok && person.PasswordHash == "" {
			list = append(list, id)
		}
	}
	return list, nil
}

// Operators implements SchoolReader.
func (t memoryTx) Operators(context.Context) (int, error) {
	n := 0
	for _, person := range t.people {
		if slices.Contains(person.Roles, RoleOperator) {
			n++
		}
	}
	return n, nil
}

// SessionsOf implements SchoolReader.
func (t memoryTx) SessionsOf(_ context.Context, account string) ([]Session, error) {
	return sorted(t.sessions, func(_ [32]byte, s Session) bool { return s.Account == account }, func(a, b Session) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	}), nil
}

// FindClass implements SchoolReader.
func (t memoryTx) FindClass(_ context.Context, id string) (Class, error) {
	class, ok := t.school.classes[id]
	if !ok {
		return Class{}, ErrNotFound
	}
	return class, nil
}

func byClassID(a, b Class) int { return cmp.Compare(a.ID, b.ID) }

// ClassesTaught implements SchoolReader.
func (t memoryTx) ClassesTaught(_ context.Context, teacher string) ([]Class, error) {
	return sorted(t.school.classes, func(id string, _ Class) bool { return t.school.teachers[placeKey{id, teacher}] }, byClassID), nil
}

// ClassesAttended implements SchoolReader.
func (t memoryTx) ClassesAttended(_ context.Context, pupil string) ([]Class, error) {
	return sorted(t.school.classes, func(id string, _ Class) bool {
		place, ok := t.school.pupils[placeKey{id, pupil}]
		return ok && place.ArchivedAt.IsZero()
	}, byClassID), nil
}

// AllClasses implements SchoolReader.
func (t memoryTx) AllClasses(_ context.Context, before string, limit int) ([]Class, error) {
	list := sorted(t.school.classes, func(id string, _ Class) bool { return before == "" || id < before }, byClassID)
	slices.Reverse(list)
	return list[:min(len(list), limit)], nil
}

// PutClass implements SchoolWriter.
func (t memoryTx) PutClass(_ context.Context, c Class) error {
	if old, ok := t.school.classes[c.ID]; ok {
		c.CreatedAt = old.CreatedAt
	}
	c.CreatedAt, c.ArchivedAt = inMilli(c.CreatedAt), inMilliOrZero(c.ArchivedAt)
	t.school.classes[c.ID] = c
	return nil
}

// TeachersOf implements SchoolReader.
func (t memoryTx) TeachersOf(_ context.Context, class string) ([]string, error) {
	return sortedIDs(t.school.teachers, func(k placeKey) bool { return k.class == class }, accountOf), nil
}

func accountOf(k placeKey) string { return k.account }

// PutTeacher implements SchoolWriter.
func (t memoryTx) PutTeacher(_ context.Context, class, account string) error {
	t.school.teachers[placeKey{class, account}] = true
	return nil
}

// DropTeacher implements SchoolWriter.
func (t memoryTx) DropTeacher(_ context.Context, class, account string) error {
	delete(t.school.teachers, placeKey{class, account})
	return nil
}

func byPlace(a, b Pupil) int {
	return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Account, b.Account))
}

// PupilsOf implements SchoolReader.
func (t memoryTx) PupilsOf(_ context.Context, class string) ([]Pupil, error) {
	return sorted(t.school.pupils, func(k placeKey, _ Pupil) bool { return k.class == class }, byPlace), nil
}

// BatchOf implements SchoolReader.
func (t memoryTx) BatchOf(_ context.Context, batch string) ([]Pupil, error) {
	return sorted(t.school.pupils, func(_ placeKey, p Pupil) bool { return batch != "" && p.Batch == batch },
		func(a, b Pupil) int { return cmp.Compare(a.Place, b.Place) }), nil
}

// Places implements SchoolReader.
func (t memoryTx) Places(_ context.Context, accounts []string) ([]Pupil, error) {
	return sorted(t.school.pupils, func(k placeKey, p Pupil) bool {
		return slices.Contains(accounts, k.account) && p.ArchivedAt.IsZero() && !t.school.classes[k.class].Archived()
	}, byPlace), nil
}

// PutPupil implements SchoolWriter.
func (t memoryTx) PutPupil(_ context.Context, p Pupil) error {
	key := placeKey{p.Class, p.Account}
	p.JoinedAt, p.ArchivedAt = inMilli(p.JoinedAt), inMilliOrZero(p.ArchivedAt)
	if old, ok := t.school.pupils[key]; ok {
		old.ArchivedAt = p.ArchivedAt
		p = old
	}
	t.school.pupils[key] = p
	return nil
}

// DropPupil implements SchoolWriter.
func (t memoryTx) DropPupil(_ context.Context, class, account string) error {
	delete(t.school.pupils, placeKey{class, account})
	return nil
}

// GuardiansOf implements SchoolReader.
func (t memoryTx) GuardiansOf(_ context.Context, child string) ([]string, error) {
	return sortedIDs(t.school.guardians, func(k placeKey) bool { return k.class == child }, accountOf), nil
}

// ChildrenOf implements SchoolReader.
func (t memoryTx) ChildrenOf(_ context.Context, guardian string) ([]string, error) {
	return sortedIDs(t.school.guardians, func(k placeKey) bool { return k.account == guardian }, func(k placeKey) string { return k.class }), nil
}

// PutGuardian implements SchoolWriter.
func (t memoryTx) PutGuardian(_ context.Context, child, guardian string, at time.Time) error {
	key := placeKey{child, guardian}
	if _, ok := t.school.guardians[key]; !ok {
		t.school.guardians[key] = at
	}
	return nil
}

// DropGuardian implements SchoolWriter.
func (t memoryTx) DropGuardian(_ context.Context, child, guardian string) error {
	delete(t.school.guardians, placeKey{child, guardian})
	return nil
}

// Keep implements SchoolWriter.
func (t memoryTx) Keep(_ context.Context, command Command) error {
	if t.used(command) {
		return ErrKeyUsed
	}
	t.keep(command)
	return nil
}

// InsertAccount implements SchoolWriter.
func (t memoryTx) InsertAccount(_ context.Context, person Person) error { return t.create(person) }

// person changes an account that is there.
func (t memoryTx) person(account string, change func(*Person)) error {
	if person, ok := t.people[account]; ok {
		person = clonePerson(person)
		change(&person)
		t.people[account] = person
	}
	return nil
}

// SetPassword implements SchoolWriter.
func (t memoryTx) SetPassword(_ context.Context, account, hash string) error {
	return t.person(account, func(p *Person) { p.PasswordHash = hash })
}

// EndAll implements SchoolWriter.
func (t memoryTx) EndAll(_ context.Context, account string) error {
	maps.DeleteFunc(t.sessions, func(_ [32]byte, s Session) bool { return s.Account == account })
	maps.DeleteFunc(t.tokens, func(_ [32]byte, token AccessToken) bool { return token.Account == account })
	return nil
}

// SetFirstName implements SchoolWriter.
func (t memoryTx) SetFirstName(_ context.Context, account, name string) error {
	return t.person(account, func(p *Person) { p.FirstName = name })
}

// SetDetails implements SchoolWriter.
func (t memoryTx) SetDetails(_ context.Context, account string, d Details) error {
	return t.person(account, func(p *Person) { p.setDetails(d) })
}

// SetPublic implements SchoolWriter.
func (t memoryTx) SetPublic(_ context.Context, account string, allowed bool) error {
	return t.person(account, func(p *Person) { p.PublicAllowed = allowed })
}

// SetRole implements SchoolWriter.
func (t memoryTx) SetRole(_ context.Context, account, role string, has bool) error {
	return t.person(account, func(p *Person) {
		p.Roles = slices.DeleteFunc(p.Roles, func(r string) bool { return r == role })
		if has {
			p.Roles = slices.Sorted(slices.Values(append(p.Roles, role)))
		}
		if len(p.Roles) == 0 {
			p.Roles = nil
		}
	})
}

// Erase implements SchoolWriter.
func (t memoryTx) Erase(ctx context.Context, account string, at time.Time) error {
	person, ok := t.people[account]
	if !ok || !person.DeletedAt.IsZero() {
		return ErrNotFound
	}
	at = inMilli(at)
	delete(t.logins, foldLogin(person.Login))
	for name, owner := range t.school.names {
		if owner.account == account {
			t.school.names[name] = loginName{freed: at}
		}
	}
	t.people[account] = Person{Account: Account{
		ID: account, Login: deletedLogin, Policy: person.Policy, Adult: person.Adult, CreatedAt: person.CreatedAt,
		Managed: person.Managed, DeletedAt: at,
	}}
	own := func(k placeKey) bool { return k.account == account }
	maps.DeleteFunc(t.school.teachers, func(k placeKey, _ bool) bool { return own(k) })
	maps.DeleteFunc(t.school.pupils, func(k placeKey, _ Pupil) bool { return own(k) })
	maps.DeleteFunc(t.school.guardians, func(k placeKey, _ time.Time) bool { return own(k) || k.class == account })
	maps.DeleteFunc(t.school.codes, func(_ [32]byte, c Code) bool { return c.Account == account || c.MadeBy == account })
	maps.DeleteFunc(t.commands, func(k commandKey, c Command) bool {
		return k.scope == account || c.Account == account && !strings.HasPrefix(k.scope, servicePrefix)
	})
	maps.DeleteFunc(t.boards, func(_ string, b Board) bool { return b.Account == account })
	maps.DeleteFunc(t.pairings, func(_ [32]byte, p Pairing) bool { return p.Account == account })
	t.factors.drop(account)
	delete(t.seen, account)
	t.school.deletions = append(t.school.deletions, Deletion{Number: int32(len(t.school.deletions)) + 1, Account: account, At: at})
	return t.EndAll(ctx, account)
}

// ReleaseLogins implements SchoolWriter.
func (t memoryTx) ReleaseLogins(_ context.Context, before time.Time) (int, error) {
	n := len(t.school.names)
	maps.DeleteFunc(t.school.names, func(_ string, l loginName) bool { return !l.freed.IsZero() && l.freed.Before(before) })
	return n - len(t.school.names), nil
}

// FindCode implements SchoolReader.
func (t memoryTx) FindCode(_ context.Context, hash [32]byte) (Code, error) {
	code, ok := t.school.codes[hash]
	if !ok {
		return Code{}, ErrNotFound
	}
	return code, nil
}

func byAccount(a, b Code) int { return cmp.Compare(a.Account, b.Account) }

// AccessCodes implements SchoolReader.
func (t memoryTx) AccessCodes(_ context.Context, accounts []string) ([]Code, error) {
	return sorted(t.school.codes, func(_ [32]byte, c Code) bool {
		return c.Purpose == CodeAccess && slices.Contains(accounts, c.Account)
	}, byAccount), nil
}

// CodesOf implements SchoolReader.
func (t memoryTx) CodesOf(_ context.Context, batch string) ([]Code, error) {
	return sorted(t.school.codes, func(_ [32]byte, c Code) bool { return c.Batch == batch }, byAccount), nil
}

// CountCodes implements SchoolReader.
func (t memoryTx) CountCodes(_ context.Context, maker string) (int, error) {
	n := 0
	for _, code := range t.school.codes {
		if code.MadeBy == maker && code.Purpose != CodeAccess {
			n++
		}
	}
	return n, nil
}

// PutCode implements SchoolWriter.
func (t memoryTx) PutCode(_ context.Context, code Code) error {
	if code.Purpose == CodeAccess {
		maps.DeleteFunc(t.school.codes, func(_ [32]byte, c Code) bool { return c.Purpose == CodeAccess && c.Account == code.Account })
	}
	code.ExpiresAt = inMilli(code.ExpiresAt)
	t.school.codes[code.Hash] = code
	return nil
}

// DropCode implements SchoolWriter.
func (t memoryTx) DropCode(_ context.Context, hash [32]byte) error {
	delete(t.school.codes, hash)
	return nil
}

// CountTry implements SchoolWriter.
func (t memoryTx) CountTry(_ context.Context, account string) error {
	for hash, code := range t.school.codes {
		if code.Purpose == CodeAccess && code.Account == account {
			code.Tries++
			t.school.codes[hash] = code
		}
	}
	return nil
}

// SweepCodes implements SchoolWriter.
func (t memoryTx) SweepCodes(_ context.Context, now time.Time, limit int) (int, error) {
	ended := sorted(t.school.codes, func(_ [32]byte, c Code) bool { return c.ExpiresAt.Before(now) },
		func(a, b Code) int { return slices.Compare(a.Hash[:], b.Hash[:]) })
	ended = ended[:min(len(ended), limit)]
	for _, code := range ended {
		delete(t.school.codes, code.Hash)
	}
	return len(ended), nil
}

// Append implements SchoolWriter.
func (t memoryTx) Append(_ context.Context, row Audit) error {
	t.school.append(row)
	return nil
}

// AuditRows implements SchoolReader.
func (t memoryTx) AuditRows(_ context.Context, q AuditQuery) ([]Audit, error) {
	var list []Audit
	for _, row := range slices.Backward(t.school.audit) {
		fits := (q.Before == 0 || row.Number < q.Before) && (q.Subject == "" || row.Subject == q.Subject) &&
			(q.Actor == "" || row.Actor == q.Actor) && (q.Action == "" || row.Action == q.Action)
		if q.Classes != nil || q.Subjects != nil {
			fits = fits && (slices.Contains(q.Classes, row.Class) || slices.Contains(q.Subjects, row.Subject))
		}
		if fits && len(list) < q.Limit {
			list = append(list, row)
		}
	}
	return list, nil
}

// AuditAfter implements SchoolReader.
func (t memoryTx) AuditAfter(_ context.Context, number int32, limit int) ([]Audit, error) {
	rest := t.school.audit[min(int(number), len(t.school.audit)):]
	return slices.Clone(rest[:min(len(rest), limit)]), nil
}

// Deletions implements SchoolReader.
func (t memoryTx) Deletions(_ context.Context, after int32, limit int) ([]Deletion, error) {
	rest := t.school.deletions[min(int(after), len(t.school.deletions)):]
	return slices.Clone(rest[:min(len(rest), limit)]), nil
}

func inMilliOrZero(t time.Time) time.Time { return orZero(milliOrZero(t)) }
