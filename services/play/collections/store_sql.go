package collections

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tabuleiro/internal/db"
	"tabuleiro/services/play/keyed"
)

const (
	sqlCount = `SELECT COUNT(*) FROM collection WHERE owner = $1 AND NOT deleted`

	sqlCreate = `INSERT INTO collection (id, owner, rules, name, created_at, records, next, batch, deleted)
		VALUES ($1, $2, $3, $4, $5, 0, 1, 1, $6)`

	sqlList = `SELECT id, owner, rules, name, created_at, records, bytes FROM collection
		WHERE owner = $1 AND NOT deleted ORDER BY id`

	sqlGet = `SELECT id, owner, rules, name, created_at, records, bytes FROM collection
		WHERE id = $2 AND owner = $1 AND NOT deleted`

	sqlRename = `UPDATE collection SET name = $3 WHERE id = $2 AND owner = $1 AND NOT deleted`

	sqlDelete = `UPDATE collection SET deleted = $3 WHERE id = $2 AND owner = $1 AND NOT deleted`

	sqlDeleted = `SELECT id FROM collection WHERE deleted ORDER BY id LIMIT 1`

	sqlFirstNumber = `SELECT COALESCE(MIN(number), 0) FROM record WHERE collection_id = $1`

	sqlPurgeRecords = `DELETE FROM record WHERE collection_id = $1 AND number < $2`

	sqlPurgeTexts = `DELETE FROM record_text WHERE collection_id = $1 AND number < $2`

	sqlPurgePositions = `DELETE FROM record_position WHERE collection_id = $1
		AND bucket = (SELECT MIN(bucket) FROM record_position WHERE collection_id = $1)`

	sqlPurgeImports = `DELETE FROM record_import WHERE collection_id = $1`

	sqlPurge = `DELETE FROM collection WHERE id = $1 AND deleted`

	sqlRunning = `SELECT COUNT(*) FROM record_import i JOIN collection c ON c.id = i.collection_id
		WHERE i.owner = $1 AND i.status = 'running' AND i.changed_at >= $2 AND NOT c.deleted`

	sqlBegin = `INSERT INTO record_import (id, collection_id, owner, status, changed_at, body)
		VALUES ($1, $2, $3, $4, $5, $6)`

	sqlDropImports = `DELETE FROM record_import WHERE collection_id = $1 AND id NOT IN
		(SELECT id FROM record_import WHERE collection_id = $1 ORDER BY id DESC LIMIT $2)`

	sqlImports = `SELECT body FROM record_import WHERE collection_id = $1 ORDER BY id DESC LIMIT $2`

	sqlImport = `SELECT body FROM record_import WHERE collection_id = $1 AND id = $2`

	sqlUpdateImport = `UPDATE record_import SET status = $3, changed_at = $4, body = $5
		WHERE collection_id = $1 AND id = $2`

	sqlKept = `SELECT COALESCE(SUM(records), 0), COALESCE(SUM(bytes), 0) FROM collection WHERE owner = $1 AND NOT deleted`

	sqlPlace = `SELECT next, batch FROM collection WHERE id = $2 AND owner = $1 AND NOT deleted`

	sqlGrow = `UPDATE collection SET records = records + $2, bytes = bytes + $3, next = $4, batch = batch + 1 WHERE id = $1`

	sqlAdd = `INSERT INTO record (collection_id, number, hash, white, black, event, site, date, result, eco, opening,
			plies, line, white_key, black_key, event_key, opening_key)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
		ON CONFLICT (collection_id, hash) DO NOTHING`

	sqlSame = `SELECT r.number, r.date, t.body FROM record r
		JOIN record_text t ON t.collection_id = r.collection_id AND t.number = r.number
		WHERE r.collection_id = $1 AND r.hash = $2`

	sqlAddText = `INSERT INTO record_text (collection_id, number, body) VALUES ($1, $2, $3)`

	sqlAddPositions = `INSERT INTO record_position (collection_id, bucket, batch, entries) VALUES ($1, $2, $3, $4)`

	sqlSearch = `SELECT number, hash, white, black, event, site, date, result, eco, opening, plies, line FROM record
		WHERE collection_id = $1 AND number > $2
			AND ($3 = '' OR white_key LIKE $3 ESCAPE '\')
			AND ($4 = '' OR black_key LIKE $4 ESCAPE '\')
			AND ($5 = '' OR white_key LIKE $5 ESCAPE '\' OR black_key LIKE $5 ESCAPE '\')
			AND ($6 = '' OR opening_key LIKE $6 ESCAPE '\')
			AND ($7 = '' OR event_key LIKE $7 ESCAPE '\')
			AND ($8 = '' OR result = $8)
			AND ($9 = '' OR eco LIKE $9 ESCAPE '\')
			AND ($10 = '' OR line || ' ' LIKE $10 ESCAPE '\')
			AND ($11 = '' OR date >= $11)
			AND ($12 = '' OR (date <> '' AND date <= $12))
		ORDER BY number LIMIT $13`

	sqlPositions = `SELECT entries FROM record_position WHERE collection_id = $1 AND bucket = $2`

	sqlSummary = `SELECT number, hash, white, black, event, site, date, result, eco, opening, plies, line FROM record
		WHERE collection_id = $1 AND number = $2`

	sqlText = `SELECT body FROM record_text WHERE collection_id = $1 AND number = $2`

	sqlTexts = `SELECT number, body FROM record_text WHERE collection_id = $1 AND number > $2 ORDER BY number LIMIT $3`

	sqlDropRecord = `DELETE FROM record WHERE collection_id = $1 AND number = $2`

	sqlDropText = `DELETE FROM record_text WHERE collection_id = $1 AND number = $2`

	sqlShrink = `UPDATE collection SET records = records - 1, bytes = bytes - $2 WHERE id = $1`
)

const (
	// purgeNumbers bounds the records that one step of Purge removes.
	purgeNumbers = 500
	// maxLooks bounds the records that a search by position looks at for one page.
	maxLooks = 2000
	// textPage is how many texts are read at once.
	textPage = 200
)

// SQL keeps collections in SQLite or PostgreSQL.
type SQL struct{ db *db.DB }

// NewSQL uses a database that has play's tables.
func NewSQL(d *db.DB) *SQL { return &SQL{db: d} }

type row interface{ Scan(into ...any) error }

func scanCollection(r row) (c Collection, err error) {
	err = r.Scan(&c.ID, &c.Owner, &c.Rules, &c.Name, &c.CreatedAt, &c.Records, &c.Bytes)
	return c, err
}

func scanRecord(r row) (v Record, err error) {
	err = r.Scan(&v.Number, &v.Hash, &v.White, &v.Black, &v.Event, &v.Site, &v.Date, &v.Result, &v.ECO, &v.Opening, &v.Plies, &v.Line)
	return v, err
}

func scanImport(r row) (v Import, err error) {
	var body string
	if err := r.Scan(&body); err != nil {
		return v, err
	}
	return v, json.Unmarshal([]byte(body), &v)
}

func scanText(r row) (text string, err error) {
	err = r.Scan(&text)
	return text, err
}

// all reads rows.
func all[T any](ctx context.Context, q db.Querier, scan func(row) (T, error), text string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// one reads a row; missing is the error where there is none.
func one[T any](ctx context.Context, q db.Querier, scan func(row) (T, error), missing error, text string, args ...any) (T, error) {
	v, err := scan(q.QueryRowContext(ctx, text, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return v, missing
	}
	return v, err
}

func exec(ctx context.Context, tx db.Tx, text string, args ...any) (int64, error) {
	result, err := tx.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// failed says what was being done.
func failed(doing string, err error) error {
	if err == nil || errors.Is(err, ErrNotFound) || errors.Is(err, ErrNoImport) || errors.Is(err, ErrNoRecord) {
		return err
	}
	return fmt.Errorf("%s: %w", doing, keyed.StoreError(err))
}

// Create implements Store.
func (s *SQL) Create(ctx context.Context, c keyed.Command, n Collection, limit int) (Collection, error) {
	return keyed.Do(ctx, s.db, c, func(ctx context.Context, tx db.Tx) (Collection, error) {
		var have int
		if err := tx.QueryRowContext(ctx, sqlCount, n.Owner).Scan(&have); err != nil {
			return n, fmt.Errorf("count collections: %w", err)
		}
		if have >= limit {
			return n, ErrTooMany
		}
		_, err := exec(ctx, tx, sqlCreate, n.ID, n.Owner, n.Rules, n.Name, n.CreatedAt, false)
		return n, failed("make a collection", err)
	})
}

// List implements Store.
func (s *SQL) List(ctx context.Context, owner string) ([]Collection, error) {
	list, err := all(ctx, s.db.Read(), scanCollection, sqlList, owner)
	return list, failed("list collections", err)
}

// Get implements Store.
func (s *SQL) Get(ctx context.Context, owner, id string) (Collection, error) {
	c, err := one(ctx, s.db.Read(), scanCollection, ErrNotFound, sqlGet, owner, id)
	return c, failed("find a collection", err)
}

// Rename implements Store.
func (s *SQL) Rename(ctx context.Context, c keyed.Command, id, name string) (Collection, error) {
	return keyed.Do(ctx, s.db, c, func(ctx context.Context, tx db.Tx) (Collection, error) {
		if _, err := exec(ctx, tx, sqlRename, c.Owner, id, name); err != nil {
			return Collection{}, failed("rename a collection", err)
		}
		return one(ctx, tx, scanCollection, ErrNotFound, sqlGet, c.Owner, id)
	})
}

// Delete implements Store.
func (s *SQL) Delete(ctx context.Context, c keyed.Command, id string) error {
	_, err := keyed.Do(ctx, s.db, c, func(ctx context.Context, tx db.Tx) (struct{}, error) {
		n, err := exec(ctx, tx, sqlDelete, c.Owner, id, true)
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		return struct{}{}, failed("delete a collection", err)
	})
	return err
}

// Purge implements Store.
func (s *SQL) Purge(ctx context.Context) (more bool, err error) {
	err = s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		var id string
		err := tx.QueryRowContext(ctx, sqlDeleted).Scan(&id)
		if more = err == nil; errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		var first int64
		if err := tx.QueryRowContext(ctx, sqlFirstNumber, id).Scan(&first); err != nil {
			return err
		}
		if first > 0 {
			if _, err := exec(ctx, tx, sqlPurgeRecords, id, first+purgeNumbers); err != nil {
				return err
			}
			_, err := exec(ctx, tx, sqlPurgeTexts, id, first+purgeNumbers)
			return err
		}
		if n, err := exec(ctx, tx, sqlPurgePositions, id); err != nil || n > 0 {
			return err
		}
		if _, err := exec(ctx, tx, sqlPurgeImports, id); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, sqlPurgeShares, id); err != nil {
			return err
		}
		_, err = exec(ctx, tx, sqlPurge, id)
		return err
	})
	return more, failed("purge a collection", err)
}

// BeginImport implements Store.
func (s *SQL) BeginImport(ctx context.Context, c keyed.Command, n Import, most Most, limit, keep int, since int64) (Import, error) {
	return keyed.Do(ctx, s.db, c, func(ctx context.Context, tx db.Tx) (Import, error) {
		if _, err := one(ctx, tx, scanCollection, ErrNotFound, sqlGet, n.Owner, n.Collection); err != nil {
			return n, failed("find a collection", err)
		}
		records, bytes, err := kept(ctx, tx, n.Owner)
		if err != nil {
			return n, err
		}
		if code, _ := most.full(records, bytes, 1); code != "" {
			return n, ErrFull
		}
		var running int
		if err := tx.QueryRowContext(ctx, sqlRunning, n.Owner, since).Scan(&running); err != nil {
			return n, fmt.Errorf("count imports: %w", err)
		}
		if running >= limit {
			return n, ErrTooManyImports
		}
		body, err := json.Marshal(n)
		if err != nil {
			return n, fmt.Errorf("encode an import: %w", err)
		}
		if _, err := exec(ctx, tx, sqlBegin, n.ID, n.Collection, n.Owner, n.Status, n.ChangedAt, string(body)); err != nil {
			return n, failed("begin an import", err)
		}
		_, err = exec(ctx, tx, sqlDropImports, n.Collection, keep)
		return n, failed("drop old imports", err)
	})
}

// kept is what an owner keeps in all collections.
func kept(ctx context.Context, tx db.Tx, owner string) (records, bytes int64, err error) {
	if err := tx.QueryRowContext(ctx, sqlKept, owner).Scan(&records, &bytes); err != nil {
		return 0, 0, fmt.Errorf("sum up records: %w", err)
	}
	return records, bytes, nil
}

// Imports implements Store.
func (s *SQL) Imports(ctx context.Context, collection string, limit int) ([]Import, error) {
	list, err := all(ctx, s.db.Read(), scanImport, sqlImports, collection, limit)
	return list, failed("list imports", err)
}

// Import implements Store.
func (s *SQL) Import(ctx context.Context, collection, id string) (Import, error) {
	v, err := one(ctx, s.db.Read(), scanImport, ErrNoImport, sqlImport, collection, id)
	return v, failed("find an import", err)
}

// AddPiece implements Store.
func (s *SQL) AddPiece(ctx context.Context, p Piece) (Import, error) {
	var now Import
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) (err error) {
		now, err = one(ctx, tx, scanImport, ErrNoImport, sqlImport, p.Before.Collection, p.Before.ID)
		if err != nil || now.Read != p.Before.Read || now.Status != ImportRunning {
			return err
		}
		now, err = addPiece(ctx, tx, p)
		return err
	})
	return now, failed("import records", err)
}

// addRecord adds a record unless the collection has it already, whose number it has
// then.
func addRecord(ctx context.Context, tx db.Tx, id string, r *Record) (double bool, err error) {
	for {
		n, err := exec(ctx, tx, sqlAdd, id, r.Number, r.Hash, r.White, r.Black, r.Event, r.Site, r.Date, r.Result, r.ECO, r.Opening,
			r.Plies, r.Line, fold(r.White), fold(r.Black), fold(r.Event), fold(r.Opening))
		if err != nil || n > 0 {
			return false, err
		}
		var same int32
		var date, text string
		if err := tx.QueryRowContext(ctx, sqlSame, id, r.Hash).Scan(&same, &date, &text); err != nil {
			return false, err
		}
		if r.Hash == r.Other || !r.differs(date, text) {
			r.Number = same
			return true, nil
		}
		r.Hash = r.Other
	}
}

func addPiece(ctx context.Context, tx db.Tx, p Piece) (Import, error) {
	now, id := p.After, p.Before.Collection
	now.Notes = slices.Clone(now.Notes)
	var next, batch int64
	err := tx.QueryRowContext(ctx, sqlPlace, now.Owner, id).Scan(&next, &batch)
	if errors.Is(err, sql.ErrNoRows) {
		return now, ErrNotFound
	}
	if err != nil {
		return now, err
	}
	total, bytes, err := kept(ctx, tx, now.Owner)
	if err != nil {
		return now, err
	}
	grown := 0
	records := slices.Clone(p.Records)
	added := records[:0]
	for i, r := range records {
		r.Number = int32(next)
		code, message := p.Most.full(total+int64(len(added)), bytes+int64(grown), len(r.Text))
		if next > maxNumber {
			code, message = "too_many_records", "the collection may keep no more records"
		}
		if code != "" {
			p.over(&now, i, code, message)
			continue
		}
		double, err := addRecord(ctx, tx, id, &r)
		if err != nil {
			return now, err
		}
		p.added(&now, i, double, r.Number)
		if double {
			continue
		}
		grown += len(r.Text)
		if _, err := exec(ctx, tx, sqlAddText, id, r.Number, r.Text); err != nil {
			return now, err
		}
		added = append(added, r)
		next++
	}
	if len(added) > 0 {
		for bucket, entries := range buckets(added) {
			if _, err := exec(ctx, tx, sqlAddPositions, id, bucket, batch, entries); err != nil {
				return now, err
			}
		}
		if _, err := exec(ctx, tx, sqlGrow, id, len(added), grown, next); err != nil {
			return now, err
		}
	}
	body, err := json.Marshal(now)
	if err != nil {
		return now, fmt.Errorf("encode an import: %w", err)
	}
	_, err = exec(ctx, tx, sqlUpdateImport, id, now.ID, now.Status, now.ChangedAt, string(body))
	return now, err
}

// Search implements Store.
func (s *SQL) Search(ctx context.Context, q Query) (records []Record, next int32, err error) {
	if q.Position != nil {
		return s.searchPosition(ctx, q)
	}
	var white, black, either string
	switch pattern := contains(q.Player); q.Side {
	case "white":
		white = pattern
	case "black":
		black = pattern
	default:
		either = pattern
	}
	to := ""
	if q.To != "" {
		to = q.toBound()
	}
	line := ""
	if q.Line != "" {
		line = escapeLike(q.linePrefix()) + "%"
	}
	eco := ""
	if q.ECO != "" {
		eco = escapeLike(q.ECO) + "%"
	}
	records, err = all(ctx, s.db.Read(), scanRecord, sqlSearch, q.Collection, q.After, white, black, either,
		contains(q.Opening), contains(q.Event), q.Result, eco, line, q.From, to, q.Limit+1)
	if err != nil {
		return nil, 0, failed("search records", err)
	}
	if len(records) > q.Limit {
		records = records[:q.Limit]
		next = records[q.Limit-1].Number
	}
	// SQLite takes letters of either case for the same.
	return slices.DeleteFunc(records, func(r Record) bool { return !q.matches(&r) }), next, nil
}

func contains(text string) string {
	if text == "" {
		return ""
	}
	return "%" + escapeLike(text) + "%"
}

func escapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}

func (s *SQL) searchPosition(ctx context.Context, q Query) (records []Record, next int32, err error) {
	entries, err := all(ctx, s.db.Read(), func(r row) (b []byte, err error) { err = r.Scan(&b); return b, err },
		sqlPositions, q.Collection, bucketOf(*q.Position))
	if err != nil {
		return nil, 0, failed("search a position", err)
	}
	var numbers []int32
	for _, e := range entries {
		numbers = appendMatches(numbers, e, *q.Position)
	}
	slices.Sort(numbers)
	from, _ := slices.BinarySearch(numbers, q.After+1)
	for i, number := range numbers[from:] {
		if len(records) == q.Limit || i == maxLooks {
			return records, numbers[from+i-1], nil
		}
		r, err := one(ctx, s.db.Read(), scanRecord, ErrNoRecord, sqlSummary, q.Collection, number)
		if errors.Is(err, ErrNoRecord) {
			continue // deleted since
		}
		if err != nil {
			return nil, 0, failed("search a position", err)
		}
		if q.matches(&r) {
			records = append(records, r)
		}
	}
	return records, 0, nil
}

// Record implements Store.
func (s *SQL) Record(ctx context.Context, collection string, number int32) (Record, error) {
	r, err := one(ctx, s.db.Read(), scanRecord, ErrNoRecord, sqlSummary, collection, number)
	if err != nil {
		return r, failed("find a record", err)
	}
	r.Text, err = one(ctx, s.db.Read(), scanText, ErrNoRecord, sqlText, collection, number)
	return r, failed("find a record", err)
}

// DeleteRecord implements Store.
func (s *SQL) DeleteRecord(ctx context.Context, c keyed.Command, collection string, number int32) error {
	_, err := keyed.Do(ctx, s.db, c, func(ctx context.Context, tx db.Tx) (struct{}, error) {
		if _, err := one(ctx, tx, scanCollection, ErrNotFound, sqlGet, c.Owner, collection); err != nil {
			return struct{}{}, failed("find a collection", err)
		}
		text, err := one(ctx, tx, scanText, ErrNoRecord, sqlText, collection, number)
		if err == nil {
			_, err = exec(ctx, tx, sqlDropRecord, collection, number)
		}
		if err != nil {
			return struct{}{}, failed("delete a record", err)
		}
		if _, err := exec(ctx, tx, sqlDropText, collection, number); err != nil {
			return struct{}{}, failed("delete a record", err)
		}
		_, err = exec(ctx, tx, sqlShrink, collection, len(text))
		return struct{}{}, failed("delete a record", err)
	})
	return err
}

// Texts implements Store.
func (s *SQL) Texts(ctx context.Context, collection string, after int32, size int) (texts []string, next int32, err error) {
	type text struct {
		number int32
		body   string
	}
	for {
		page, err := all(ctx, s.db.Read(), func(r row) (t text, err error) { err = r.Scan(&t.number, &t.body); return t, err },
			sqlTexts, collection, after, textPage)
		if err != nil {
			return nil, 0, failed("read records", err)
		}
		for _, t := range page {
			if size <= 0 {
				return texts, after, nil
			}
			texts = append(texts, t.body)
			after = t.number
			size -= len(t.body)
		}
		if len(page) < textPage {
			return texts, 0, nil
		}
	}
}
