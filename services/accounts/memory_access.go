package accounts

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// Open implements Sessions.
func (m *Memory) Open(_ context.Context, session Session, keep int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if session.IfPassword != "" && m.people[session.Account].PasswordHash != session.IfPassword {
		return ErrNotFound
	}
	session.IfPassword = ""
	m.see(session.Account, session.CreatedAt)
	var own []Session
	for _, other := range m.sessions {
		if other.Account == session.Account {
			own = append(own, other)
		}
	}
	slices.SortFunc(own, func(a, b Session) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	for _, old := range own[min(len(own), keep-1):] {
		delete(m.sessions, old.TokenHash)
	}
	session.CreatedAt, session.ExpiresAt, session.SeenAt = inMilli(session.CreatedAt), inMilli(session.ExpiresAt), inMilli(session.SeenAt)
	m.sessions[session.TokenHash] = session
	return nil
}

// Session implements Sessions.
func (m *Memory) Session(_ context.Context, token [32]byte) (Session, Account, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	session, ok := m.sessions[token]
	if !ok {
		return Session{}, Account{}, ErrNotFound
	}
	return session, clonePerson(m.people[session.Account]).Account, nil
}

// SessionsOf implements Sessions.
func (m *Memory) SessionsOf(_ context.Context, account string, now time.Time) ([]Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Session
	for _, session := range m.sessions {
		if session.Account == account && session.LapsesAt().After(now) {
			list = append(list, session)
		}
	}
	slices.SortFunc(list, func(a, b Session) int {
		return cmp.Or(b.SeenAt.Compare(a.SeenAt), cmp.Compare(b.ID, a.ID))
	})
	return list, nil
}

// Touch implements Sessions.
func (m *Memory) Touch(_ context.Context, id string, seen, _ time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for token, session := range m.sessions {
		if session.ID == id && session.SeenAt.Before(seen) {
			session.SeenAt = inMilli(seen)
			m.sessions[token] = session
		}
	}
	return nil
}

// End implements Sessions.
func (m *Memory) End(_ context.Context, token [32]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sessions, token)
	return nil
}

// EndByID implements Sessions.
func (m *Memory) EndByID(_ context.Context, account, id string) error {
	m.endWhere(func(s Session) bool { return s.Account == account && s.ID == id })
	return nil
}

// EndAll implements Sessions.
func (m *Memory) EndAll(_ context.Context, account, keep string) (int, error) {
	return m.endWhere(func(s Session) bool { return s.Account == account && s.ID != keep }), nil
}

func (m *Memory) endWhere(which func(Session) bool) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := len(m.sessions)
	maps.DeleteFunc(m.sessions, func(_ [32]byte, s Session) bool { return which(s) })
	return before - len(m.sessions)
}

// ChangePassword implements Sessions.
func (m *Memory) ChangePassword(_ context.Context, change PasswordChange, command Command) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used(command) {
		return ErrKeyUsed
	}
	person, ok := m.people[change.Account]
	if !ok || person.PasswordHash != change.OldHash {
		return ErrNotFound
	}
	person.PasswordHash = change.NewHash
	m.people[change.Account] = person
	maps.DeleteFunc(m.sessions, func(_ [32]byte, s Session) bool { return s.Account == change.Account })
	if change.RevokeTokens {
		maps.DeleteFunc(m.tokens, func(_ [32]byte, t AccessToken) bool { return t.Account == change.Account })
	}
	m.school.append(auditOf(command, actionPassword))
	m.keep(command)
	return nil
}

// Sweep implements Sessions.
func (m *Memory) Sweep(_ context.Context, now time.Time, limit int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return sweep(m.sessions, limit, func(s Session) (string, bool) { return s.ID, !s.LapsesAt().After(now) }), nil
}

// sweep deletes at most limit of those that are over, sorted by id, so that a
// limit picks the same ones every run.
func sweep[T any](from map[[32]byte]T, limit int, over func(T) (id string, over bool)) int {
	gone := map[string][32]byte{}
	for key, item := range from {
		if id, over := over(item); over {
			gone[id] = key
		}
	}
	swept := 0
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		if swept < limit {
			delete(from, gone[id])
			swept++
		}
	}
	return swept
}

// CreateToken implements Tokens.
func (m *Memory) CreateToken(_ context.Context, token AccessToken, keep int, command Command) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used(command) {
		return ErrKeyUsed
	}
	own := 0
	for _, other := range m.tokens {
		if other.Account == token.Account && other.ExpiresAt.After(token.CreatedAt) {
			own++
		}
	}
	if own >= keep {
		return ErrFull
	}
	token.CreatedAt, token.ExpiresAt, token.UsedAt = inMilli(token.CreatedAt), inMilli(token.ExpiresAt), time.Time{}
	m.tokens[token.Hash] = token
	row := auditOf(command, actionTokenMade)
	row.Object = token.ID
	m.school.append(row)
	m.keep(command)
	return nil
}

// RenewToken implements Tokens.
func (m *Memory) RenewToken(_ context.Context, id string, hash [32]byte) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for old, token := range m.tokens {
		if token.ID == id && token.UsedAt.IsZero() {
			delete(m.tokens, old)
			token.Hash = hash
			m.tokens[hash] = token
			return true, nil
		}
	}
	return false, nil
}

// Token implements Tokens.
func (m *Memory) Token(_ context.Context, hash [32]byte) (AccessToken, Account, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	token, ok := m.tokens[hash]
	if !ok {
		return AccessToken{}, Account{}, ErrNotFound
	}
	return token, clonePerson(m.people[token.Account]).Account, nil
}

// TokensOf implements Tokens.
func (m *Memory) TokensOf(_ context.Context, account string, now time.Time) ([]AccessToken, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []AccessToken
	for _, token := range m.tokens {
		if token.Account == account && token.ExpiresAt.After(now) {
			list = append(list, token)
		}
	}
	slices.SortFunc(list, func(a, b AccessToken) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return list, nil
}

// TouchToken implements Tokens.
func (m *Memory) TouchToken(_ context.Context, id string, used time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for hash, token := range m.tokens {
		if token.ID == id && token.UsedAt.Before(used) {
			token.UsedAt = inMilli(used)
			m.tokens[hash] = token
		}
	}
	return nil
}

// RevokeToken implements Tokens.
func (m *Memory) RevokeToken(_ context.Context, account, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.tokens, func(_ [32]byte, t AccessToken) bool { return t.Account == account && t.ID == id })
	return nil
}

// SweepTokens implements Tokens.
func (m *Memory) SweepTokens(_ context.Context, now time.Time, limit int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return sweep(m.tokens, limit, func(t AccessToken) (string, bool) { return t.ID, !t.ExpiresAt.After(now) }), nil
}

// OpenPairing implements Pairings.
func (m *Memory) OpenPairing(_ context.Context, p Pairing, most int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	open := 0
	for device, other := range m.pairings {
		switch {
		case other.ExpiresAt.After(p.CreatedAt):
			open++
		case other.UserCode == p.UserCode:
			delete(m.pairings, device)
		}
	}
	if open >= most {
		return ErrFull
	}
	if _, taken := m.byUserCode(p.UserCode); taken {
		return ErrTaken
	}
	p.CreatedAt, p.ExpiresAt, p.PolledAt = inMilli(p.CreatedAt), inMilli(p.ExpiresAt), time.Time{}
	m.pairings[p.DeviceHash] = p
	return nil
}

func (m *Memory) byUserCode(code string) (Pairing, bool) {
	for _, p := range m.pairings {
		if p.UserCode == code {
			return p, true
		}
	}
	return Pairing{}, false
}

// Pairing implements Pairings.
func (m *Memory) Pairing(_ context.Context, userCode string) (Pairing, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.byUserCode(userCode)
	if !ok {
		return Pairing{}, ErrNotFound
	}
	return p, nil
}

// AnswerPairing implements Pairings.
func (m *Memory) AnswerPairing(_ context.Context, a PairingAnswer, keep int, command Command) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if command.Key != "" && m.used(command) {
		return ErrKeyUsed
	}
	p, ok := m.byUserCode(a.UserCode)
	if !ok {
		return ErrNotFound
	}
	if err := a.fits(p); err != nil {
		return err
	}
	if a.Board.ID != "" {
		own := 0
		for _, b := range m.boards {
			if b.Account == a.Account {
				own++
			}
		}
		if own >= keep {
			return ErrFull
		}
		board := a.board(p)
		board.CreatedAt = inMilli(board.CreatedAt)
		m.boards[board.ID] = board
	}
	p.Status, p.Account, p.Board, p.SessionLife = a.Status, a.Account, a.Board.ID, a.SessionLife
	m.pairings[p.DeviceHash] = p
	if command.Key != "" {
		m.school.append(a.audit(command))
		m.keep(command)
	}
	return nil
}

// PollPairing implements Pairings.
func (m *Memory) PollPairing(_ context.Context, device, secret [32]byte, now, notBefore time.Time) (Pairing, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.pairings[device]
	if !ok || !p.ExpiresAt.After(now) {
		return Pairing{}, ErrNotFound
	}
	before := p
	switch {
	case p.PolledAt.After(notBefore):
	case p.Status == PairingOpen:
		p.PolledAt = inMilli(now)
		m.pairings[device] = p
	default:
		delete(m.pairings, device)
		if _, kept := m.boards[p.Board]; kept {
			m.secrets[p.Board] = secret
		} else if p.Board != "" {
			before.Status = PairingDenied
		}
	}
	return before, nil
}

// SweepPairings implements Pairings.
func (m *Memory) SweepPairings(_ context.Context, now time.Time, limit int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return sweep(m.pairings, limit, func(p Pairing) (string, bool) { return p.UserCode, !p.ExpiresAt.After(now) }), nil
}

// Boards implements Pairings.
func (m *Memory) Boards(_ context.Context, account string) ([]Board, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Board
	for _, board := range m.boards {
		if board.Account == account {
			list = append(list, board)
		}
	}
	slices.SortFunc(list, func(a, b Board) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return list, nil
}

// RevokeBoard implements Pairings.
func (m *Memory) RevokeBoard(_ context.Context, account, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.boards[id].Account == account {
		delete(m.boards, id)
		delete(m.secrets, id)
	}
	return nil
}

// ClaimDay implements Daily.
func (m *Memory) ClaimDay(_ context.Context, job, day string, _ time.Time) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	name := job + " " + day
	first := !m.days[name]
	m.days[name] = true
	return first, nil
}
