package collections

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"tabuleiro/internal/db"
	"tabuleiro/services/play/keyed"
)

const (
	sqlShareCount = `SELECT COUNT(*) FROM collection_share WHERE collection_id = $1 AND class <> $2`

	sqlShare = `INSERT INTO collection_share (collection_id, class) VALUES ($1, $2) ON CONFLICT (collection_id, class) DO NOTHING`

	sqlUnshare = `DELETE FROM collection_share WHERE collection_id = $1 AND class = $2`

	sqlPurgeShares = `DELETE FROM collection_share WHERE collection_id = $1`

	// These are followed by the ids in brackets and what comes after them.
	sqlShares = `SELECT collection_id, class FROM collection_share WHERE collection_id IN `

	sqlSharesOf = `SELECT collection_id, class FROM collection_share WHERE class IN `

	sqlSharedWith = `SELECT id, owner, rules, name, created_at, records, bytes FROM collection
		WHERE NOT deleted AND id IN (SELECT collection_id FROM collection_share WHERE class IN `
)

// listOf writes a list of parameters in brackets, the first of which has a number.
func listOf(first int, values []string) (text string, args []any) {
	places := make([]string, len(values))
	for i, v := range values {
		places[i] = "$" + strconv.Itoa(first+i)
		args = append(args, v)
	}
	return "(" + strings.Join(places, ", ") + ")", args
}

func scanShare(r row) (v Share, err error) {
	err = r.Scan(&v.Collection, &v.Class)
	return v, err
}

// Share implements Store.
func (s *SQL) Share(ctx context.Context, c keyed.Command, id, class string, limit int) (Collection, error) {
	return keyed.Do(ctx, s.db, c, func(ctx context.Context, tx db.Tx) (Collection, error) {
		found, err := one(ctx, tx, scanCollection, ErrNotFound, sqlGet, c.Owner, id)
		if err != nil {
			return found, failed("find a collection", err)
		}
		var others int
		if err := tx.QueryRowContext(ctx, sqlShareCount, id, class).Scan(&others); err != nil {
			return found, fmt.Errorf("count shares: %w", err)
		}
		if others >= limit {
			return found, ErrTooManyShares
		}
		_, err = exec(ctx, tx, sqlShare, id, class)
		return found, failed("share a collection", err)
	})
}

// Unshare implements Store.
func (s *SQL) Unshare(ctx context.Context, c keyed.Command, id, class string) (Collection, error) {
	return keyed.Do(ctx, s.db, c, func(ctx context.Context, tx db.Tx) (Collection, error) {
		found, err := one(ctx, tx, scanCollection, ErrNotFound, sqlGet, c.Owner, id)
		if err != nil {
			return found, failed("find a collection", err)
		}
		_, err = exec(ctx, tx, sqlUnshare, id, class)
		return found, failed("take a collection back", err)
	})
}

// Shares implements Store.
func (s *SQL) Shares(ctx context.Context, ids []string) ([]Share, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	places, args := listOf(1, ids)
	list, err := all(ctx, s.db.Read(), scanShare, sqlShares+places+` ORDER BY collection_id, class`, args...)
	return list, failed("list shares", err)
}

// SharedWith implements Store.
func (s *SQL) SharedWith(ctx context.Context, classes []string, limit int) ([]Collection, []Share, error) {
	if len(classes) == 0 {
		return nil, nil, nil
	}
	places, args := listOf(1, classes)
	shares, err := all(ctx, s.db.Read(), scanShare, sqlSharesOf+places+` ORDER BY collection_id, class`, args...)
	if err != nil {
		return nil, nil, failed("list shares", err)
	}
	list, err := all(ctx, s.db.Read(), scanCollection,
		sqlSharedWith+places+`) ORDER BY id LIMIT $`+strconv.Itoa(len(args)+1), append(args, limit)...)
	return list, shares, failed("list shared collections", err)
}
