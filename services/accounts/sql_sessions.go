package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tabuleiro/internal/db"
)

const (
	sessionColumns = `id, account, kind, device, network, created_ms, expires_ms, idle_ms, seen_ms`

	insertSession = `INSERT INTO session (token_hash, lapses_ms, ` + sessionColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
	// The newest by creation stay; ids break ties, as they rise with time.
	dropOldSessions = `DELETE FROM session WHERE account = $1 AND id NOT IN
		(SELECT id FROM session WHERE account = $1 ORDER BY created_ms DESC, id DESC LIMIT $2)`
	selectSession = `SELECT ` + sessionColumns + `, token_hash FROM session WHERE token_hash = $1`
	listSessions  = `SELECT ` + sessionColumns + `, token_hash FROM session
		WHERE account = $1 AND lapses_ms > $2 ORDER BY seen_ms DESC, id DESC`
	touchSession     = `UPDATE session SET seen_ms = $2, lapses_ms = $3 WHERE id = $1 AND seen_ms < $2`
	endSession       = `DELETE FROM session WHERE token_hash = $1`
	endSessionByID   = `DELETE FROM session WHERE account = $1 AND id = $2`
	endOtherSessions = `DELETE FROM session WHERE account = $1 AND id <> $2`
	sweepSessions    = `DELETE FROM session WHERE id IN (SELECT id FROM session WHERE lapses_ms <= $1 LIMIT $2)`

	// A change of the password at the same moment comes before or after, never between.
	holdPassword   = `UPDATE account SET password_hash = password_hash WHERE id = $1 AND password_hash = $2`
	changePassword = `UPDATE account SET password_hash = $3 WHERE id = $1 AND password_hash = $2`
	dropTokens     = `DELETE FROM access_token WHERE account = $1`
)

// Open implements Sessions.
func (s *SQL) Open(ctx context.Context, session Session, keep int) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if session.IfPassword != "" {
			opens, err := affected(tx.ExecContext(ctx, holdPassword, session.Account, session.IfPassword))
			if err != nil {
				return fmt.Errorf("reading a password's hash: %w", err)
			}
			if opens == 0 {
				return ErrNotFound
			}
		}
		if err := writing(tx).Seen(ctx, []string{session.Account}, session.CreatedAt); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, dropOldSessions, session.Account, keep-1); err != nil {
			return fmt.Errorf("dropping old sessions: %w", err)
		}
		_, err := tx.ExecContext(ctx, insertSession, session.TokenHash[:], session.LapsesAt().UnixMilli(),
			session.ID, session.Account, session.Kind, session.Device, session.Network,
			session.CreatedAt.UnixMilli(), session.ExpiresAt.UnixMilli(), session.Idle.Milliseconds(), session.SeenAt.UnixMilli())
		if err != nil {
			return fmt.Errorf("inserting a session: %w", err)
		}
		return nil
	})
}

func scanSession(scan scanner) (Session, error) {
	var s Session
	var created, expires, idle, seen int64
	var hash []byte
	err := scan(&s.ID, &s.Account, &s.Kind, &s.Device, &s.Network, &created, &expires, &idle, &seen, &hash)
	s.CreatedAt, s.ExpiresAt, s.SeenAt = fromMilli(created), fromMilli(expires), fromMilli(seen)
	s.Idle = time.Duration(idle) * time.Millisecond
	copy(s.TokenHash[:], hash)
	return s, err
}

// Session implements Sessions.
func (s *SQL) Session(ctx context.Context, token [32]byte) (Session, Account, error) {
	session, err := db.Ask(ctx, func() (Session, error) {
		session, err := scanSession(s.db.Read().QueryRowContext(ctx, selectSession, token[:]).Scan)
		if err != nil {
			return Session{}, orNotFound("finding a session", err)
		}
		return session, nil
	})
	if err != nil {
		return Session{}, Account{}, err
	}
	account, err := s.one(ctx, session.Account)
	return session, account, err
}

// one finds one account. Errors: ErrNotFound.
func (s *SQL) one(ctx context.Context, id string) (Account, error) {
	accounts, err := s.Accounts(ctx, []string{id})
	if err != nil {
		return Account{}, err
	}
	if len(accounts) == 0 {
		return Account{}, ErrNotFound
	}
	return accounts[0], nil
}

// SessionsOf implements Sessions.
func (s *SQL) SessionsOf(ctx context.Context, account string, now time.Time) ([]Session, error) {
	list, err := db.Ask(ctx, func() ([]Session, error) {
		return collect(ctx, s.db.Read(), scanSession, listSessions, account, now.UnixMilli())
	})
	if err != nil {
		return nil, fmt.Errorf("listing sessions: %w", err)
	}
	return list, nil
}

// Touch implements Sessions.
func (s *SQL) Touch(ctx context.Context, id string, seen, lapses time.Time) error {
	return s.exec(ctx, "touching a session", touchSession, id, seen.UnixMilli(), lapses.UnixMilli())
}

// End implements Sessions.
func (s *SQL) End(ctx context.Context, token [32]byte) error {
	return s.exec(ctx, "ending a session", endSession, token[:])
}

// EndByID implements Sessions.
func (s *SQL) EndByID(ctx context.Context, account, id string) error {
	return s.exec(ctx, "ending a session", endSessionByID, account, id)
}

// EndAll implements Sessions.
func (s *SQL) EndAll(ctx context.Context, account, keep string) (int, error) {
	return s.count(ctx, "ending sessions", endOtherSessions, account, keep)
}

// ChangePassword implements Sessions.
func (s *SQL) ChangePassword(ctx context.Context, change PasswordChange, command Command) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := findCommand(ctx, tx, command.Scope, command.Key); !errors.Is(err, ErrNotFound) {
			return orUsed(err)
		}
		changed, err := affected(tx.ExecContext(ctx, changePassword, change.Account, change.OldHash, change.NewHash))
		if err != nil {
			return fmt.Errorf("changing a password: %w", err)
		}
		if changed == 0 {
			return ErrNotFound
		}
		if _, err := tx.ExecContext(ctx, endOtherSessions, change.Account, ""); err != nil {
			return fmt.Errorf("ending sessions: %w", err)
		}
		if change.RevokeTokens {
			if _, err := tx.ExecContext(ctx, dropTokens, change.Account); err != nil {
				return fmt.Errorf("revoking tokens: %w", err)
			}
		}
		if err := appendAudit(ctx, tx, auditOf(command, actionPassword)); err != nil {
			return err
		}
		return keepCommand(ctx, tx, command)
	})
}

func (s *SQL) exec(ctx context.Context, doing, query string, args ...any) error {
	_, err := s.count(ctx, doing, query, args...)
	return err
}

// count says how many rows a statement changed.
func (s *SQL) count(ctx context.Context, doing, query string, args ...any) (int, error) {
	var n int64
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		n, err = affected(tx.ExecContext(ctx, query, args...))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	return int(n), nil
}

// Sweep implements Sessions.
func (s *SQL) Sweep(ctx context.Context, now time.Time, limit int) (int, error) {
	return s.count(ctx, "sweeping sessions", sweepSessions, now.UnixMilli(), limit)
}
