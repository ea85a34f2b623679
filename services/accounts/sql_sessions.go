package accounts

import (
	"context"
	"fmt"
	"time"

	"tabuleiro/internal/db"
)

const (
	insertSession = `INSERT INTO session (id, account, token_hash, created_ms, expires_ms, seen_ms)
		VALUES ($1, $2, $3, $4, $5, $6)`
	// The newest by creation stay; ids break ties, as they rise with time.
	dropOldSessions = `DELETE FROM session WHERE account = $1 AND id NOT IN
		(SELECT id FROM session WHERE account = $1 ORDER BY created_ms DESC, id DESC LIMIT $2)`
	selectSession = `SELECT id, account, created_ms, expires_ms, seen_ms FROM session WHERE token_hash = $1`
	touchSession  = `UPDATE session SET seen_ms = $2 WHERE id = $1 AND seen_ms < $2`
	endSession    = `DELETE FROM session WHERE token_hash = $1`
	sweepSessions = `DELETE FROM session WHERE id IN
		(SELECT id FROM session WHERE expires_ms <= $1 OR seen_ms <= $2 LIMIT $3)`
)

// Open implements Sessions.
func (s *SQL) Open(ctx context.Context, session Session, keep int) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.ExecContext(ctx, dropOldSessions, session.Account, keep-1); err != nil {
			return fmt.Errorf("dropping old sessions: %w", err)
		}
		_, err := tx.ExecContext(ctx, insertSession, session.ID, session.Account, session.TokenHash[:],
			session.CreatedAt.UnixMilli(), session.ExpiresAt.UnixMilli(), session.SeenAt.UnixMilli())
		if err != nil {
			return fmt.Errorf("inserting a session: %w", err)
		}
		return nil
	})
}

// Session implements Sessions.
func (s *SQL) Session(ctx context.Context, token [32]byte) (Session, Account, error) {
	session, err := db.Ask(ctx, func() (Session, error) {
		session := Session{TokenHash: token}
		var created, expires, seen int64
		err := s.db.Read().QueryRowContext(ctx, selectSession, token[:]).
			Scan(&session.ID, &session.Account, &created, &expires, &seen)
		if err != nil {
			return Session{}, orNotFound("finding a session", err)
		}
		session.CreatedAt, session.ExpiresAt, session.SeenAt = fromMilli(created), fromMilli(expires), fromMilli(seen)
		return session, nil
	})
	if err != nil {
		return Session{}, Account{}, err
	}
	accounts, err := s.Accounts(ctx, []string{session.Account})
	if err != nil {
		return Session{}, Account{}, err
	}
	if len(accounts) == 0 {
		return Session{}, Account{}, ErrNotFound
	}
	return session, accounts[0], nil
}

// Touch implements Sessions.
func (s *SQL) Touch(ctx context.Context, id string, seen time.Time) error {
	return s.exec(ctx, "touching a session", touchSession, id, seen.UnixMilli())
}

// End implements Sessions.
func (s *SQL) End(ctx context.Context, token [32]byte) error {
	return s.exec(ctx, "ending a session", endSession, token[:])
}

func (s *SQL) exec(ctx context.Context, doing, query string, args ...any) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return fmt.Errorf("%s: %w", doing, err)
		}
		return nil
	})
}

// Sweep implements Sessions.
func (s *SQL) Sweep(ctx context.Context, now, idle time.Time, limit int) (int, error) {
	var swept int64
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		swept, err = affected(tx.ExecContext(ctx, sweepSessions, now.UnixMilli(), idle.UnixMilli(), limit))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sweeping sessions: %w", err)
	}
	return int(swept), nil
}
