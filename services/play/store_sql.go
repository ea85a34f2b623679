package play

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tabuleiro/internal/db"
)

const (
	sqlLoad = `SELECT state FROM game WHERE id = $1`

	sqlEvents = `SELECT body FROM event WHERE game_id = $1 AND version > $2 ORDER BY version LIMIT $3`

	sqlCommand = `SELECT hash, game_id, version FROM command WHERE owner = $1 AND key = $2`

	sqlInsertGame = `INSERT INTO game
		(id, version, status, rules, rated, first_player, second_player, created_at, changed_at, state,
		invited, opponent, visibility, speed, over_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
		ON CONFLICT (id) DO NOTHING`

	sqlUpdateGame = `UPDATE game
		SET version = $2, status = $3, first_player = $4, second_player = $5, changed_at = $6, state = $7, over_at = $8
		WHERE id = $1 AND version = $9`

	// sqlMove is sqlUpdateGame where nothing changes that an index has: most of all
	// writes, and each index that is named would be written too.
	sqlMove = `UPDATE game SET version = $2, changed_at = $3, state = $4 WHERE id = $1 AND version = $5`

	sqlInsertCommand = `INSERT INTO command (owner, key, hash, game_id, version, at_ms)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (owner, key) DO NOTHING`

	sqlInsertEvent = `INSERT INTO event (game_id, version, body) VALUES ($1, $2, $3)`

	sqlTakeDue = `DELETE FROM due WHERE game_id = $1 AND kind = $2 AND version = $3`

	sqlEndDue = `DELETE FROM due WHERE game_id = $1 AND kind = $2`

	sqlBeginDue = `INSERT INTO due (game_id, kind, version, at_ms, attempts) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (game_id, kind) DO UPDATE
		SET version = excluded.version, at_ms = excluded.at_ms, attempts = excluded.attempts`

	sqlMine = `SELECT state FROM (
			SELECT id, state FROM (SELECT id, state FROM game
				WHERE first_player = $1 AND id < $2 AND ($3 = '' OR rules = $3) AND ($4 = '' OR status = $4)
				ORDER BY id DESC LIMIT $5) AS first
			UNION ALL
			SELECT id, state FROM (SELECT id, state FROM game
				WHERE second_player = $1 AND first_player <> $1 AND id < $2 AND ($3 = '' OR rules = $3) AND ($4 = '' OR status = $4)
				ORDER BY id DESC LIMIT $5) AS second
		) AS mine ORDER BY id DESC LIMIT $5`

	sqlOpen = `SELECT state FROM game
		WHERE status = 'open' AND invited = '' AND id < $1 AND ($2 = '' OR rules = $2) AND ($3 = '' OR speed = $3)
		AND ($4 = '' OR rated = ($4 = 'yes')) AND (NOT $5 OR (rules = $6 AND NOT rated))
		ORDER BY id DESC LIMIT $7`

	sqlInvited = `SELECT state FROM game
		WHERE status = 'open' AND invited <> '' AND invited = $6 AND id < $1 AND ($2 = '' OR rules = $2)
		AND ($3 = '' OR speed = $3) AND ($4 = '' OR rated = ($4 = 'yes'))
		ORDER BY id DESC LIMIT $5`

	sqlPublic = `SELECT state FROM game
		WHERE status = 'running' AND visibility = 'public' AND id < $1 AND ($2 = '' OR rules = $2)
		AND ($3 = '' OR speed = $3) AND ($4 = '' OR rated = ($4 = 'yes'))
		ORDER BY id DESC LIMIT $5`

	sqlLive = `SELECT
		(SELECT COUNT(*) FROM game WHERE first_player = $1 AND status IN ('open', 'running', 'suspended')) +
		(SELECT COUNT(*) FROM game WHERE second_player = $1 AND first_player <> $1 AND status IN ('open', 'running', 'suspended'))`

	sqlLiveOpen = `SELECT
		(SELECT COUNT(*) FROM game WHERE first_player = $1 AND status = 'open') +
		(SELECT COUNT(*) FROM game WHERE second_player = $1 AND first_player <> $1 AND status = 'open')`

	sqlLiveEngines = `SELECT COUNT(*) FROM game WHERE first_player = $1 AND status = 'running' AND opponent = 'engines'`

	sqlPurgeCommands = `DELETE FROM command WHERE (owner, key) IN
		(SELECT owner, key FROM command WHERE at_ms < $1 ORDER BY at_ms LIMIT $2)`

	sqlOldGuests = `SELECT id FROM game WHERE over_at < $1 AND status IN ('finished', 'cancelled')
		AND (first_player = '' OR substr(first_player, 1, 6) = 'guest:')
		AND (second_player = '' OR substr(second_player, 1, 6) = 'guest:')
		ORDER BY over_at LIMIT $2`

	sqlForgetEvents = `DELETE FROM event WHERE game_id = $1`
	sqlForgetGame   = `DELETE FROM game WHERE id = $1`

	sqlOverdue = `SELECT game_id, kind, version, at_ms, attempts FROM due
		WHERE at_ms <= $1 ORDER BY CASE kind WHEN 'flag' THEN 0 ELSE 1 END, at_ms LIMIT $2`

	sqlReleaseClaims = `UPDATE due SET at_ms = $1 WHERE kind NOT IN ('flag', 'expire') AND at_ms > $1`

	sqlClaim = `UPDATE due SET at_ms = $5, attempts = attempts + 1
		WHERE game_id = $1 AND kind = $2 AND version = $3 AND at_ms = $4 RETURNING 1`

	sqlPostpone = `UPDATE due SET at_ms = $5
		WHERE game_id = $1 AND kind = $2 AND version = $3 AND at_ms = $4 RETURNING 1`

	sqlDrop = `DELETE FROM due WHERE game_id = $1 AND kind = $2 AND version = $3 AND at_ms = $4 RETURNING 1`

	sqlGate = `SELECT COUNT(*) FROM gate_open WHERE account = $1 AND rules = $2`

	sqlOpenGate = `INSERT INTO gate_open (account, rules, at_ms) VALUES ($1, $2, $3)
		ON CONFLICT (account, rules) DO NOTHING RETURNING 1`
)

// afterAllIDs is greater than every id: ids are hexadecimal.
const afterAllIDs = "g"

// SQL keeps games in SQLite or PostgreSQL.
type SQL struct{ db *db.DB }

// NewSQL uses a database that has play's tables.
func NewSQL(d *db.DB) *SQL { return &SQL{db: d} }

// Load implements GameStore.
func (s *SQL) Load(ctx context.Context, game string) (State, error) {
	var text string
	err := s.db.Read().QueryRowContext(ctx, sqlLoad, game).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return State{}, ErrNotFound
	}
	if err != nil {
		return State{}, fmt.Errorf("load a game: %w", storeError(err))
	}
	return decodeState(text)
}

// Events implements GameStore.
func (s *SQL) Events(ctx context.Context, game string, after, limit int32) ([]Event, error) {
	return query(ctx, s.db.Read(), "read events", decodeEvent, sqlEvents, game, after, limit)
}

// Command implements GameStore.
func (s *SQL) Command(ctx context.Context, owner, key string) (CommandRecord, bool, error) {
	record := CommandRecord{Owner: owner, Key: key}
	err := s.db.Read().QueryRowContext(ctx, sqlCommand, owner, key).Scan(&record.Hash, &record.Game, &record.Version)
	if errors.Is(err, sql.ErrNoRows) {
		return CommandRecord{}, false, nil
	}
	if err != nil {
		return CommandRecord{}, false, fmt.Errorf("find a command: %w", storeError(err))
	}
	return record, true, nil
}

// Commit implements GameStore.
func (s *SQL) Commit(ctx context.Context, c Commit) error {
	state, bodies, err := encodeCommit(c)
	if err != nil {
		return err
	}
	if c.With == nil && len(c.Limits) == 0 {
		if s.db.Driver() == db.DriverPostgres {
			return s.commitPostgres(ctx, c, state, bodies)
		}
		return storeError(s.db.Series(ctx, steps(c, state, bodies)))
	}
	return s.commitTogether(ctx, c, state, bodies)
}

// commitTogether commits what needs more than its own game.
func (s *SQL) commitTogether(ctx context.Context, c Commit, state string, bodies []string) error {
	var with Commit
	var withState string
	var withBodies []string
	var err error
	if c.With != nil {
		with = *c.With
		if withState, withBodies, err = encodeCommit(with); err != nil {
			return err
		}
	}
	err = s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if c.With != nil {
			if err := db.Run(ctx, tx, steps(with, withState, withBodies)); err != nil {
				return err
			}
		}
		if err := db.Run(ctx, tx, steps(c, state, bodies)); err != nil {
			return err
		}
		for _, l := range c.Limits {
			n, err := live(ctx, tx, l)
			if err != nil {
				return err
			}
			if n > l.Most {
				return &FullError{Limit: l}
			}
		}
		return nil
	})
	return storeError(err)
}

func encodeCommit(c Commit) (state string, bodies []string, err error) {
	if state, err = encodeState(c.After); err != nil {
		return "", nil, err
	}
	bodies = make([]string, len(c.Events))
	for i, e := range c.Events {
		if bodies[i], err = encodeEvent(e); err != nil {
			return "", nil, err
		}
	}
	return state, bodies, nil
}

// live counts what a limit is about.
func live(ctx context.Context, q db.Querier, l Limit) (n int, err error) {
	text := map[string]string{LimitLive: sqlLive, LimitOpen: sqlLiveOpen, LimitEngines: sqlLiveEngines}[l.Of]
	if err := q.QueryRowContext(ctx, text, l.Player).Scan(&n); err != nil {
		return 0, fmt.Errorf("count a player's games: %w", err)
	}
	return n, nil
}

// overAt is when a game was over, 0 before.
func (s State) overAt() int64 {
	if s.Status == StatusFinished || s.Status == StatusCancelled {
		return s.ChangedAt
	}
	return 0
}

// plain tells a commit that changes nothing of what lists and indexes have.
func (c Commit) plain() bool {
	first, second := c.After.owners()
	firstBefore, secondBefore := c.Before.owners()
	return c.Before.Version > 0 && c.Before.Status == c.After.Status && c.After.overAt() == 0 &&
		first == firstBefore && second == secondBefore
}

// steps are the statements of a commit, all or none. Only the first needs the
// version: who writes the game's row has it to the end.
func steps(c Commit, state string, bodies []string) []db.Step {
	a := c.After
	first, second := a.owners()
	list := make([]db.Step, 0, 3+len(bodies)+len(c.Due))
	add := func(refuse error, query string, args ...any) {
		list = append(list, db.Step{Query: query, Args: args, Refuse: refuse})
	}
	switch {
	case c.Before.Version == 0:
		add(ErrStale, sqlInsertGame, a.ID, a.Version, a.Status, a.Rules, a.Rated, first, second, a.CreatedAt, a.ChangedAt, state,
			a.Invited(), a.Opponent, a.Visibility, a.Speed, a.overAt())
	case c.plain():
		add(ErrStale, sqlMove, a.ID, a.Version, a.ChangedAt, state, c.Before.Version)
	default:
		add(ErrStale, sqlUpdateGame, a.ID, a.Version, a.Status, first, second, a.ChangedAt, state, a.overAt(), c.Before.Version)
	}
	if r := c.Command; r != nil {
		add(ErrKeyTaken, sqlInsertCommand, r.Owner, r.Key, r.Hash, r.Game, r.Version, a.ChangedAt)
	}
	for i, body := range bodies {
		add(nil, sqlInsertEvent, a.ID, c.Before.Version+int32(i)+1, body)
	}
	if r := c.Requires; r != nil {
		add(ErrGone, sqlTakeDue, r.Game, r.Kind, r.Version)
	}
	for _, kind := range c.Done {
		if c.Requires == nil || c.Requires.Kind != kind {
			add(nil, sqlEndDue, a.ID, kind)
		}
	}
	for _, d := range c.Due {
		add(nil, sqlBeginDue, d.Game, d.Kind, d.Version, d.At, d.Attempts)
	}
	return list
}

// List implements ListStore.
func (s *SQL) List(ctx context.Context, q ListQuery) ([]State, error) {
	before := q.Before
	if before == "" {
		before = afterAllIDs
	}
	if q.Player != "" {
		return query(ctx, s.db.Read(), "list a player's games", decodeState, sqlMine,
			q.Player, before, q.Rules, q.Status, q.Limit)
	}
	switch {
	case q.Invited != "":
		return query(ctx, s.db.Read(), "list invitations", decodeState, sqlInvited,
			before, q.Rules, q.Speed, q.Rated, q.Limit, q.Invited)
	case q.Live:
		return query(ctx, s.db.Read(), "list public games", decodeState, sqlPublic,
			before, q.Rules, q.Speed, q.Rated, q.Limit)
	}
	return query(ctx, s.db.Read(), "list open seats", decodeState, sqlOpen,
		before, q.Rules, q.Speed, q.Rated, q.Guest, guestRules, q.Limit)
}

// Live implements ListStore.
func (s *SQL) Live(ctx context.Context, player string) (int, error) {
	n, err := live(ctx, s.db.Read(), Limit{Player: player, Of: LimitLive})
	return n, storeError(err)
}

// PurgeCommands implements PurgeStore.
func (s *SQL) PurgeCommands(ctx context.Context, before int64, limit int) (n int, err error) {
	err = s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		n, err = exec(ctx, tx, sqlPurgeCommands, before, limit)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("forget commands: %w", storeError(err))
	}
	return n, nil
}

// PurgeGuests implements PurgeStore.
func (s *SQL) PurgeGuests(ctx context.Context, before int64, limit int) (int, error) {
	asIs := func(id string) (string, error) { return id, nil }
	ids, err := query(ctx, s.db.Read(), "find old games of guests", asIs, sqlOldGuests, before, limit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	err = s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		for _, id := range ids {
			if _, err := exec(ctx, tx, sqlForgetEvents, id); err != nil {
				return err
			}
			if _, err := exec(ctx, tx, sqlForgetGame, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("forget games of guests: %w", storeError(err))
	}
	return len(ids), nil
}

// Overdue implements DueStore.
func (s *SQL) Overdue(ctx context.Context, at int64, limit int) ([]Due, error) {
	rows, err := s.db.Read().QueryContext(ctx, sqlOverdue, at, limit)
	if err != nil {
		return nil, fmt.Errorf("read obligations: %w", storeError(err))
	}
	defer rows.Close()
	var all []Due
	for rows.Next() {
		var d Due
		if err := rows.Scan(&d.Game, &d.Kind, &d.Version, &d.At, &d.Attempts); err != nil {
			return nil, fmt.Errorf("read an obligation: %w", storeError(err))
		}
		all = append(all, d)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read obligations: %w", storeError(err))
	}
	return all, nil
}

// Claim implements DueStore.
func (s *SQL) Claim(ctx context.Context, due Due, until int64) (Due, bool, error) {
	changed, err := s.changeDue(ctx, sqlClaim, due.Game, due.Kind, due.Version, due.At, until)
	due.At = until
	due.Attempts++
	return due, changed, err
}

// Postpone implements DueStore.
func (s *SQL) Postpone(ctx context.Context, due Due, until int64) error {
	_, err := s.changeDue(ctx, sqlPostpone, due.Game, due.Kind, due.Version, due.At, until)
	return err
}

// Drop implements DueStore.
func (s *SQL) Drop(ctx context.Context, due Due) error {
	_, err := s.changeDue(ctx, sqlDrop, due.Game, due.Kind, due.Version, due.At)
	return err
}

// ReleaseClaims makes everything that was claimed due again. It is for the start
// of a process that has the database to itself: whoever claimed is gone, and
// nobody should wait for the claims of a crash to end.
func (s *SQL) ReleaseClaims(ctx context.Context, now int64) error {
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := exec(ctx, tx, sqlReleaseClaims, now)
		return err
	})
	if err != nil {
		return fmt.Errorf("release claims: %w", storeError(err))
	}
	return nil
}

// changeDue runs a statement that returns a row where it changed one.
func (s *SQL) changeDue(ctx context.Context, text string, args ...any) (bool, error) {
	var one int
	err := s.db.Statement(ctx, []any{&one}, text, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("change an obligation: %w", storeError(err))
	}
	return true, nil
}

// GateOpen implements GateStore.
func (s *SQL) GateOpen(ctx context.Context, account, rules string) (bool, error) {
	var n int
	if err := s.db.Read().QueryRowContext(ctx, sqlGate, account, rules).Scan(&n); err != nil {
		return false, fmt.Errorf("read a gate: %w", storeError(err))
	}
	return n > 0, nil
}

// OpenGate implements GateStore.
func (s *SQL) OpenGate(ctx context.Context, account, rules string, at int64) error {
	var one int
	err := s.db.Statement(ctx, []any{&one}, sqlOpenGate, account, rules, at)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("open a gate: %w", storeError(err))
	}
	return nil
}

func exec(ctx context.Context, tx db.Tx, text string, args ...any) (int, error) {
	result, err := tx.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// query reads rows of one text each.
func query[T any](ctx context.Context, q db.Querier, doing string, decode func(string) (T, error), text string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, storeError(err))
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			return nil, fmt.Errorf("%s: %w", doing, storeError(err))
		}
		v, err := decode(body)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", doing, err)
		}
		all = append(all, v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", doing, storeError(err))
	}
	return all, nil
}

// storeError adds what the service branches on.
func storeError(err error) error {
	switch {
	case errors.Is(err, db.ErrUnknown):
		return fmt.Errorf("%w: %w", ErrUnknown, err)
	case db.IsAway(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	default:
		return err
	}
}
