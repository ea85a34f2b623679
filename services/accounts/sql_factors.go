package accounts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

const (
	factorColumns = `account, sealed, made_ms, confirmed_ms, last_step`
	selectFactor  = `SELECT ` + factorColumns + ` FROM second_factor WHERE account = $1`
	upsertFactor  = `INSERT INTO second_factor (` + factorColumns + `) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (account) DO UPDATE SET sealed = excluded.sealed, made_ms = excluded.made_ms,
			confirmed_ms = excluded.confirmed_ms, last_step = excluded.last_step`
	deleteFactor   = `DELETE FROM second_factor WHERE account = $1`
	countRecovery  = `SELECT COUNT(*) FROM recovery_code WHERE account = $1`
	deleteRecovery = `DELETE FROM recovery_code WHERE account = $1`
	insertRecovery = `INSERT INTO recovery_code (hash, account) VALUES ($1, $2)`
	useRecovery    = `DELETE FROM recovery_code WHERE hash = $1 AND account = $2`

	selectGuess  = `SELECT full_ms FROM guess WHERE mark = $1`
	upsertGuess  = `INSERT INTO guess (mark, full_ms) VALUES ($1, $2) ON CONFLICT (mark) DO UPDATE SET full_ms = excluded.full_ms`
	deleteGuess  = `DELETE FROM guess WHERE mark = $1`
	sweepGuesses = `DELETE FROM guess WHERE mark IN (SELECT mark FROM guess WHERE full_ms <= $1 LIMIT $2)`
)

// Factor implements FactorReader.
func (t schoolTx) Factor(ctx context.Context, account string) (Factor, error) {
	var f Factor
	var made, confirmed int64
	err := t.QueryRowContext(ctx, selectFactor, account).Scan(&f.Account, &f.Sealed, &made, &confirmed, &f.LastStep)
	if err != nil {
		return Factor{}, orNotFound("finding a second factor", err)
	}
	f.MadeAt, f.ConfirmedAt = fromMilli(made), orZero(confirmed)
	return f, nil
}

// CountRecovery implements FactorReader.
func (t schoolTx) CountRecovery(ctx context.Context, account string) (int, error) {
	return t.count(ctx, "counting recovery codes", countRecovery, account)
}

// Guesses implements FactorReader.
func (t schoolTx) Guesses(ctx context.Context, mark [32]byte) (time.Time, error) {
	var full int64
	switch err := t.QueryRowContext(ctx, selectGuess, mark[:]).Scan(&full); {
	case errors.Is(err, sql.ErrNoRows):
		return time.Time{}, nil
	case err != nil:
		return time.Time{}, fmt.Errorf("reading guesses: %w", err)
	}
	return fromMilli(full), nil
}

// PutFactor implements FactorWriter.
func (t schoolTx) PutFactor(ctx context.Context, f Factor) error {
	return t.do(ctx, "storing a second factor", upsertFactor,
		f.Account, f.Sealed, f.MadeAt.UnixMilli(), milliOrZero(f.ConfirmedAt), f.LastStep)
}

// DropFactor implements FactorWriter.
func (t schoolTx) DropFactor(ctx context.Context, account string) (bool, error) {
	if err := t.do(ctx, "dropping recovery codes", deleteRecovery, account); err != nil {
		return false, err
	}
	dropped, err := t.exec(ctx, deleteFactor, account)
	if err != nil {
		return false, fmt.Errorf("dropping a second factor: %w", err)
	}
	return dropped > 0, nil
}

// PutRecovery implements FactorWriter.
func (t schoolTx) PutRecovery(ctx context.Context, account string, hashes [][32]byte) error {
	if err := t.do(ctx, "dropping recovery codes", deleteRecovery, account); err != nil {
		return err
	}
	for _, hash := range hashes {
		if err := t.do(ctx, "storing a recovery code", insertRecovery, hash[:], account); err != nil {
			return err
		}
	}
	return nil
}

// UseRecovery implements FactorWriter.
func (t schoolTx) UseRecovery(ctx context.Context, account string, hash [32]byte) (bool, error) {
	used, err := t.exec(ctx, useRecovery, hash[:], account)
	if err != nil {
		return false, fmt.Errorf("using a recovery code: %w", err)
	}
	return used > 0, nil
}

// PutGuesses implements FactorWriter.
func (t schoolTx) PutGuesses(ctx context.Context, mark [32]byte, full time.Time) error {
	if full.IsZero() {
		return t.do(ctx, "forgetting guesses", deleteGuess, mark[:])
	}
	return t.do(ctx, "counting a guess", upsertGuess, mark[:], full.UnixMilli())
}

// SweepGuesses implements FactorWriter.
func (t schoolTx) SweepGuesses(ctx context.Context, now time.Time, limit int) (int, error) {
	swept, err := t.exec(ctx, sweepGuesses, now.UnixMilli(), limit)
	if err != nil {
		return 0, fmt.Errorf("sweeping guesses: %w", err)
	}
	return int(swept), nil
}
