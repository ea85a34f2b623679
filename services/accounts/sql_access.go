package accounts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tabuleiro/internal/db"
)

const (
	tokenColumns = `id, account, name, hash, scopes, created_ms, expires_ms, used_ms`

	insertToken = `INSERT INTO access_token (` + tokenColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, 0)`
	countTokens = `SELECT COUNT(*) FROM access_token WHERE account = $1 AND expires_ms > $2`
	renewToken  = `UPDATE access_token SET hash = $2 WHERE id = $1 AND used_ms = 0`
	selectToken = `SELECT ` + tokenColumns + ` FROM access_token WHERE hash = $1`
	listTokens  = `SELECT ` + tokenColumns + ` FROM access_token
		WHERE account = $1 AND expires_ms > $2 ORDER BY created_ms DESC, id DESC`
	touchToken  = `UPDATE access_token SET used_ms = $2 WHERE id = $1 AND used_ms < $2`
	revokeToken = `DELETE FROM access_token WHERE account = $1 AND id = $2`
	sweepTokens = `DELETE FROM access_token WHERE id IN (SELECT id FROM access_token WHERE expires_ms <= $1 LIMIT $2)`

	pairingColumns = `device_hash, user_code, kind, name, network, status, account, board, session_ms, created_ms, expires_ms, polled_ms`

	dropPairing   = `DELETE FROM pairing WHERE user_code = $1 AND expires_ms <= $2`
	countPairings = `SELECT COUNT(*) FROM pairing WHERE expires_ms > $1`
	insertPairing = `INSERT INTO pairing (` + pairingColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0) ON CONFLICT (user_code) DO NOTHING`
	selectPairing   = `SELECT ` + pairingColumns + ` FROM pairing WHERE user_code = $1`
	selectPolled    = `SELECT ` + pairingColumns + ` FROM pairing WHERE device_hash = $1`
	answerPairing   = `UPDATE pairing SET status = $2, account = $3, board = $4, session_ms = $5 WHERE user_code = $1`
	notePoll        = `UPDATE pairing SET polled_ms = $2 WHERE device_hash = $1`
	handOverPairing = `DELETE FROM pairing WHERE device_hash = $1`
	sweepPairings   = `DELETE FROM pairing WHERE device_hash IN (SELECT device_hash FROM pairing WHERE expires_ms <= $1 LIMIT $2)`

	countBoards  = `SELECT COUNT(*) FROM board WHERE account = $1`
	insertBoard  = `INSERT INTO board (id, account, name, secret_hash, created_ms) VALUES ($1, $2, $3, $4, $5)`
	secretBoard  = `UPDATE board SET secret_hash = $2 WHERE id = $1`
	selectBoards = `SELECT id, account, name, created_ms FROM board WHERE account = $1 ORDER BY created_ms DESC, id DESC`
	revokeBoard  = `DELETE FROM board WHERE account = $1 AND id = $2`

	claimDay   = `INSERT INTO daily_job (job, day, started_ms) VALUES ($1, $2, $3) ON CONFLICT (job, day) DO NOTHING`
	forgetDays = `DELETE FROM daily_job WHERE job = $1 AND started_ms < $2`
)

// CreateToken implements Tokens.
func (s *SQL) CreateToken(ctx context.Context, token AccessToken, keep int, command Command) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := findCommand(ctx, tx, command.Scope, command.Key); !errors.Is(err, ErrNotFound) {
			return orUsed(err)
		}
		if err := bounded(ctx, tx, keep, countTokens, token.Account, token.CreatedAt.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, insertToken, token.ID, token.Account, token.Name, token.Hash[:],
			strings.Join(token.Scopes, " "), token.CreatedAt.UnixMilli(), token.ExpiresAt.UnixMilli())
		if err != nil {
			return fmt.Errorf("inserting a token: %w", err)
		}
		row := auditOf(command, actionTokenMade)
		row.Object = token.ID
		if err := appendAudit(ctx, tx, row); err != nil {
			return err
		}
		return keepCommand(ctx, tx, command)
	})
}

// bounded is ErrFull where a count has reached most.
func bounded(ctx context.Context, tx db.Tx, most int, query string, args ...any) error {
	var n int
	if err := tx.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		return fmt.Errorf("counting: %w", err)
	}
	if n >= most {
		return ErrFull
	}
	return nil
}

// RenewToken implements Tokens.
func (s *SQL) RenewToken(ctx context.Context, id string, hash [32]byte) (bool, error) {
	n, err := s.count(ctx, "renewing a token", renewToken, id, hash[:])
	return n > 0, err
}

func scanToken(scan scanner) (AccessToken, error) {
	var t AccessToken
	var hash []byte
	var scopes string
	var created, expires, used int64
	err := scan(&t.ID, &t.Account, &t.Name, &hash, &scopes, &created, &expires, &used)
	copy(t.Hash[:], hash)
	t.Scopes = strings.Fields(scopes)
	t.CreatedAt, t.ExpiresAt = fromMilli(created), fromMilli(expires)
	if used > 0 {
		t.UsedAt = fromMilli(used)
	}
	return t, err
}

// Token implements Tokens.
func (s *SQL) Token(ctx context.Context, hash [32]byte) (AccessToken, Account, error) {
	token, err := db.Ask(ctx, func() (AccessToken, error) {
		token, err := scanToken(s.db.Read().QueryRowContext(ctx, selectToken, hash[:]).Scan)
		if err != nil {
			return AccessToken{}, orNotFound("finding a token", err)
		}
		return token, nil
	})
	if err != nil {
		return AccessToken{}, Account{}, err
	}
	account, err := s.one(ctx, token.Account)
	return token, account, err
}

// TokensOf implements Tokens.
func (s *SQL) TokensOf(ctx context.Context, account string, now time.Time) ([]AccessToken, error) {
	list, err := db.Ask(ctx, func() ([]AccessToken, error) {
		return collect(ctx, s.db.Read(), scanToken, listTokens, account, now.UnixMilli())
	})
	if err != nil {
		return nil, fmt.Errorf("listing tokens: %w", err)
	}
	return list, nil
}

// TouchToken implements Tokens.
func (s *SQL) TouchToken(ctx context.Context, id string, used time.Time) error {
	return s.exec(ctx, "touching a token", touchToken, id, used.UnixMilli())
}

// RevokeToken implements Tokens.
func (s *SQL) RevokeToken(ctx context.Context, account, id string) error {
	return s.exec(ctx, "revoking a token", revokeToken, account, id)
}

// SweepTokens implements Tokens.
func (s *SQL) SweepTokens(ctx context.Context, now time.Time, limit int) (int, error) {
	return s.count(ctx, "sweeping tokens", sweepTokens, now.UnixMilli(), limit)
}

// OpenPairing implements Pairings.
func (s *SQL) OpenPairing(ctx context.Context, p Pairing, most int) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.ExecContext(ctx, dropPairing, p.UserCode, p.CreatedAt.UnixMilli()); err != nil {
			return fmt.Errorf("forgetting a pairing: %w", err)
		}
		if err := bounded(ctx, tx, most, countPairings, p.CreatedAt.UnixMilli()); err != nil {
			return err
		}
		made, err := affected(tx.ExecContext(ctx, insertPairing, p.DeviceHash[:], p.UserCode, p.Kind, p.Name, p.Network,
			p.Status, p.Account, p.Board, p.SessionLife.Milliseconds(), p.CreatedAt.UnixMilli(), p.ExpiresAt.UnixMilli()))
		if err != nil {
			return fmt.Errorf("inserting a pairing: %w", err)
		}
		if made == 0 {
			return ErrTaken
		}
		return nil
	})
}

func scanPairing(scan scanner) (Pairing, error) {
	var p Pairing
	var device []byte
	var life, created, expires, polled int64
	err := scan(&device, &p.UserCode, &p.Kind, &p.Name, &p.Network, &p.Status, &p.Account, &p.Board, &life, &created, &expires, &polled)
	copy(p.DeviceHash[:], device)
	p.SessionLife = time.Duration(life) * time.Millisecond
	p.CreatedAt, p.ExpiresAt = fromMilli(created), fromMilli(expires)
	if polled > 0 {
		p.PolledAt = fromMilli(polled)
	}
	return p, err
}

// Pairing implements Pairings.
func (s *SQL) Pairing(ctx context.Context, userCode string) (Pairing, error) {
	return db.Ask(ctx, func() (Pairing, error) {
		p, err := scanPairing(s.db.Read().QueryRowContext(ctx, selectPairing, userCode).Scan)
		if err != nil {
			return Pairing{}, orNotFound("finding a pairing", err)
		}
		return p, nil
	})
}

// AnswerPairing implements Pairings.
func (s *SQL) AnswerPairing(ctx context.Context, a PairingAnswer, keep int, command Command) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if command.Key != "" {
			if _, err := findCommand(ctx, tx, command.Scope, command.Key); !errors.Is(err, ErrNotFound) {
				return orUsed(err)
			}
		}
		p, err := scanPairing(tx.QueryRowContext(ctx, selectPairing, a.UserCode).Scan)
		if err != nil {
			return orNotFound("finding a pairing", err)
		}
		if err := a.fits(p); err != nil {
			return err
		}
		if a.Board.ID != "" {
			if err := bounded(ctx, tx, keep, countBoards, a.Account); err != nil {
				return err
			}
			board := a.board(p)
			if _, err := tx.ExecContext(ctx, insertBoard, board.ID, board.Account, board.Name, []byte{}, board.CreatedAt.UnixMilli()); err != nil {
				return fmt.Errorf("inserting a board: %w", err)
			}
		}
		if _, err := tx.ExecContext(ctx, answerPairing, a.UserCode, a.Status, a.Account, a.Board.ID, a.SessionLife.Milliseconds()); err != nil {
			return fmt.Errorf("answering a pairing: %w", err)
		}
		if command.Key == "" {
			return nil
		}
		if err := appendAudit(ctx, tx, a.audit(command)); err != nil {
			return err
		}
		return keepCommand(ctx, tx, command)
	})
}

// fits says whether a pairing can be answered so.
func (a PairingAnswer) fits(p Pairing) error {
	switch {
	case p.Status != PairingOpen || !p.ExpiresAt.After(a.Now):
		return ErrNotFound
	case a.Kind != "" && a.Kind != p.Kind:
		return ErrOtherKind
	}
	return nil
}

// audit is the row of a confirmation.
func (a PairingAnswer) audit(command Command) Audit {
	row := auditOf(command, actionDevicePaired)
	row.Object, row.Why = a.Board.ID, a.Kind
	return row
}

// board is the board that the answer stores.
func (a PairingAnswer) board(p Pairing) Board {
	board := a.Board
	if board.Name == "" {
		board.Name = p.Name
	}
	return board
}

// PollPairing implements Pairings.
func (s *SQL) PollPairing(ctx context.Context, device, secret [32]byte, now, notBefore time.Time) (Pairing, error) {
	var p Pairing
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		if p, err = scanPairing(tx.QueryRowContext(ctx, selectPolled, device[:]).Scan); err != nil {
			return orNotFound("finding a pairing", err)
		}
		switch {
		case !p.ExpiresAt.After(now):
			return ErrNotFound
		case p.PolledAt.After(notBefore):
			return nil // too soon: nothing is noted and nothing handed over
		case p.Status == PairingOpen:
			_, err = tx.ExecContext(ctx, notePoll, device[:], now.UnixMilli())
		default:
			_, err = tx.ExecContext(ctx, handOverPairing, device[:])
		}
		if err != nil || p.Board == "" {
			return err
		}
		// A board that its owner removed again is not handed over.
		if kept, err := affected(tx.ExecContext(ctx, secretBoard, p.Board, secret[:])); err != nil || kept == 0 {
			p.Status = PairingDenied
			return err
		}
		return nil
	})
	if err != nil {
		return Pairing{}, err
	}
	return p, nil
}

// SweepPairings implements Pairings.
func (s *SQL) SweepPairings(ctx context.Context, now time.Time, limit int) (int, error) {
	return s.count(ctx, "sweeping pairings", sweepPairings, now.UnixMilli(), limit)
}

// Boards implements Pairings.
func (s *SQL) Boards(ctx context.Context, account string) ([]Board, error) {
	list, err := db.Ask(ctx, func() ([]Board, error) {
		return collect(ctx, s.db.Read(), func(scan scanner) (b Board, err error) {
			var created int64
			err = scan(&b.ID, &b.Account, &b.Name, &created)
			b.CreatedAt = fromMilli(created)
			return b, err
		}, selectBoards, account)
	})
	if err != nil {
		return nil, fmt.Errorf("listing boards: %w", err)
	}
	return list, nil
}

// RevokeBoard implements Pairings.
func (s *SQL) RevokeBoard(ctx context.Context, account, id string) error {
	return s.exec(ctx, "revoking a board", revokeBoard, account, id)
}

// jobsKept is how long the days of a job are remembered.
const jobsKept = 30 * 24 * time.Hour

// ClaimDay implements Daily.
func (s *SQL) ClaimDay(ctx context.Context, job, day string, now time.Time) (bool, error) {
	var first bool
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		claimed, err := affected(tx.ExecContext(ctx, claimDay, job, day, now.UnixMilli()))
		if err != nil {
			return fmt.Errorf("claiming a job: %w", err)
		}
		if first = claimed > 0; first {
			if _, err := tx.ExecContext(ctx, forgetDays, job, now.Add(-jobsKept).UnixMilli()); err != nil {
				return fmt.Errorf("forgetting old jobs: %w", err)
			}
		}
		return nil
	})
	return first, err
}
