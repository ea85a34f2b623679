package accounts

import (
	"context"
	"fmt"
	"time"
)

const (
	selectUnused = `SELECT id FROM account WHERE managed AND noticed_ms = 0 AND seen_ms < $1 AND deleted_ms = 0
		ORDER BY seen_ms, id LIMIT $2`
	selectNoticed = `SELECT id FROM account WHERE managed AND noticed_ms > 0 AND noticed_ms <= $1 AND deleted_ms = 0
		ORDER BY noticed_ms, id LIMIT $2`
	selectLeaving = `SELECT COUNT(*), COALESCE(MIN(account.noticed_ms), 0) FROM class_pupil
		JOIN account ON account.id = class_pupil.account AND account.noticed_ms > 0 WHERE class_pupil.class = $1`
	updateSeen   = `UPDATE account SET seen_ms = $1, noticed_ms = 0 WHERE deleted_ms = 0 AND id IN `
	updateNotice = `UPDATE account SET noticed_ms = $2 WHERE id = $1 AND deleted_ms = 0`
)

// Unused implements UseReader.
func (t schoolTx) Unused(ctx context.Context, before time.Time, limit int) ([]string, error) {
	return t.texts(ctx, "listing unused accounts", selectUnused, before.UnixMilli(), limit)
}

// Noticed implements UseReader.
func (t schoolTx) Noticed(ctx context.Context, until time.Time, limit int) ([]string, error) {
	return t.texts(ctx, "listing accounts that leave", selectNoticed, until.UnixMilli(), limit)
}

// Leaving implements UseReader.
func (t schoolTx) Leaving(ctx context.Context, class string) (int, time.Time, error) {
	var n int
	var first int64
	if err := t.QueryRowContext(ctx, selectLeaving, class).Scan(&n, &first); err != nil {
		return 0, time.Time{}, fmt.Errorf("counting pupils who leave: %w", err)
	}
	return n, orZero(first), nil
}

// Seen implements UseWriter.
func (t schoolTx) Seen(ctx context.Context, accounts []string, at time.Time) error {
	if len(accounts) == 0 {
		return nil
	}
	return t.do(ctx, "noting the use of accounts", updateSeen+numbered(2, len(accounts)),
		append([]any{at.UnixMilli()}, anys(accounts)...)...)
}

// Notice implements UseWriter.
func (t schoolTx) Notice(ctx context.Context, account string, at time.Time) error {
	return t.do(ctx, "noting a notice", updateNotice, account, at.UnixMilli())
}
