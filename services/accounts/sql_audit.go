package accounts

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"tabuleiro/internal/db"
)

const (
	codeColumns     = `hash, purpose, account, class, made_by, batch, expires_ms, tries`
	selectCodeBy    = `SELECT ` + codeColumns + ` FROM one_time_code WHERE hash = $1`
	selectAccess    = `SELECT ` + codeColumns + ` FROM one_time_code WHERE purpose = 'access' AND account IN `
	selectCodeBatch = `SELECT ` + codeColumns + ` FROM one_time_code WHERE batch = $1 ORDER BY account`
	countCodes      = `SELECT COUNT(*) FROM one_time_code WHERE made_by = $1 AND purpose <> 'access'`
	dropAccess      = `DELETE FROM one_time_code WHERE purpose = 'access' AND account = $1`
	insertOneTime   = `INSERT INTO one_time_code (` + codeColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	deleteCode      = `DELETE FROM one_time_code WHERE hash = $1`
	countTry        = `UPDATE one_time_code SET tries = tries + 1 WHERE purpose = 'access' AND account = $1`
	sweepCodes      = `DELETE FROM one_time_code WHERE hash IN (SELECT hash FROM one_time_code WHERE expires_ms < $1 LIMIT $2)`

	auditColumns = `number, at_ms, actor, action, subject, class, object, why, times, hash`
	selectAudit  = `SELECT ` + auditColumns + ` FROM audit
		WHERE ($1 = 0 OR number < $1) AND ($2 = '' OR subject = $2) AND ($3 = '' OR actor = $3) AND ($4 = '' OR action = $4)`
	selectAuditAfter = `SELECT ` + auditColumns + ` FROM audit WHERE number > $1 ORDER BY number LIMIT $2`
	selectAuditLast  = `SELECT ` + auditColumns + ` FROM audit ORDER BY number DESC LIMIT 1`
	insertAudit      = `INSERT INTO audit (` + auditColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
)

func scanCode(scan scanner) (Code, error) {
	var c Code
	var hash []byte
	var expires int64
	err := scan(&hash, &c.Purpose, &c.Account, &c.Class, &c.MadeBy, &c.Batch, &expires, &c.Tries)
	copy(c.Hash[:], hash)
	c.ExpiresAt = fromMilli(expires)
	return c, err
}

// FindCode implements SchoolReader.
func (t schoolTx) FindCode(ctx context.Context, hash [32]byte) (Code, error) {
	code, err := scanCode(t.QueryRowContext(ctx, selectCodeBy, hash[:]).Scan)
	if err != nil {
		return Code{}, orNotFound("finding a code", err)
	}
	return code, nil
}

// AccessCodes implements SchoolReader.
func (t schoolTx) AccessCodes(ctx context.Context, accounts []string) ([]Code, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	return ask(ctx, t, "finding access codes", scanCode,
		selectAccess+placeholders(len(accounts))+` ORDER BY account`, anys(accounts)...)
}

// CodesOf implements SchoolReader.
func (t schoolTx) CodesOf(ctx context.Context, batch string) ([]Code, error) {
	return ask(ctx, t, "finding the codes of a command", scanCode, selectCodeBatch, batch)
}

// CountCodes implements SchoolReader.
func (t schoolTx) CountCodes(ctx context.Context, maker string) (int, error) {
	return t.count(ctx, "counting codes", countCodes, maker)
}

// PutCode implements SchoolWriter.
func (t schoolTx) PutCode(ctx context.Context, c Code) error {
	if c.Purpose == CodeAccess {
		if err := t.do(ctx, "replacing an access code", dropAccess, c.Account); err != nil {
			return err
		}
	}
	return t.do(ctx, "storing a code", insertOneTime,
		c.Hash[:], c.Purpose, c.Account, c.Class, c.MadeBy, c.Batch, c.ExpiresAt.UnixMilli(), c.Tries)
}

// DropCode implements SchoolWriter.
func (t schoolTx) DropCode(ctx context.Context, hash [32]byte) error {
	return t.do(ctx, "dropping a code", deleteCode, hash[:])
}

// CountTry implements SchoolWriter.
func (t schoolTx) CountTry(ctx context.Context, account string) error {
	return t.do(ctx, "counting a guess", countTry, account)
}

// SweepCodes implements SchoolWriter.
func (t schoolTx) SweepCodes(ctx context.Context, now time.Time, limit int) (int, error) {
	swept, err := t.exec(ctx, sweepCodes, now.UnixMilli(), limit)
	if err != nil {
		return 0, fmt.Errorf("sweeping codes: %w", err)
	}
	return int(swept), nil
}

func scanAudit(scan scanner) (Audit, error) {
	var a Audit
	var at int64
	var hash []byte
	err := scan(&a.Number, &at, &a.Actor, &a.Action, &a.Subject, &a.Class, &a.Object, &a.Why, &a.Times, &hash)
	a.At = fromMilli(at)
	copy(a.Hash[:], hash)
	return a, err
}

// AuditRows implements SchoolReader.
func (t schoolTx) AuditRows(ctx context.Context, q AuditQuery) ([]Audit, error) {
	query, args := selectAudit, []any{q.Before, q.Subject, q.Actor, q.Action}
	if q.Classes != nil || q.Subjects != nil {
		query += ` AND (1 = 0`
		for _, list := range []struct {
			column string
			ids    []string
		}{{"class", q.Classes}, {"subject", q.Subjects}} {
			if len(list.ids) > 0 {
				query += ` OR ` + list.column + ` IN ` + numbered(len(args)+1, len(list.ids))
				args = append(args, anys(list.ids)...)
			}
		}
		query += `)`
	}
	query += ` ORDER BY number DESC LIMIT $` + strconv.Itoa(len(args)+1)
	return ask(ctx, t, "listing the audit log", scanAudit, query, append(args, q.Limit)...)
}

// AuditAfter implements SchoolReader.
func (t schoolTx) AuditAfter(ctx context.Context, number int32, limit int) ([]Audit, error) {
	return ask(ctx, t, "reading the audit log", scanAudit, selectAuditAfter, number, limit)
}

// Append implements SchoolWriter.
func (t schoolTx) Append(ctx context.Context, row Audit) error { return t.append(ctx, row) }

// appendAudit adds a row in a transaction of another part of the store.
func appendAudit(ctx context.Context, tx db.Tx, row Audit) error { return writing(tx).append(ctx, row) }

// append reads the last row, which a serializable transaction holds still: of two
// that append at once one runs again.
func (t schoolTx) append(ctx context.Context, row Audit) error {
	last, err := ask(ctx, t, "reading the end of the audit log", scanAudit, selectAuditLast)
	if err != nil {
		return err
	}
	if len(last) == 0 {
		last = []Audit{{}}
	}
	row = row.sealed(last[0])
	return t.do(ctx, "appending to the audit log", insertAudit,
		row.Number, row.At.UnixMilli(), row.Actor, row.Action, row.Subject, row.Class, row.Object, row.Why, row.Times, row.Hash[:])
}
