package play

import (
	"context"
	"fmt"

	"tabuleiro/internal/db"
)

// In PostgreSQL a commit is one statement, and so one round trip and one
// transaction at READ COMMITTED. Nothing else happens unless the game's row is
// written, whose condition is its version: of two commits on one version the
// second waits for the first, looks again and writes nothing. Where the key or
// the obligation fails after that, the statement undoes itself with a word. No
// two parts write the same row: the parts of one statement do not see each other.
const (
	pgCreate = `WITH changed AS (
		INSERT INTO game (id, version, status, rules, rated, first_player, second_player, created_at, changed_at, state,
			over_at, invited, opponent, visibility, speed)
		VALUES ($1, $2, $3, $24, $25, $4, $5, $26, $6, $7, $23, $27, $28, $29, $30)
		ON CONFLICT (id) DO NOTHING
		RETURNING id` + pgRest

	pgChange = `WITH changed AS (
		UPDATE game SET version = $2, status = $3, first_player = $4, second_player = $5, changed_at = $6, state = $7,
			over_at = $23
		WHERE id = $1 AND version = $8
		RETURNING id` + pgRest

	// pgMove is pgChange for most moves: one event and a command, and no obligation
	// that begins or ends. What is not there costs time too.
	pgMove = `WITH changed AS (
		UPDATE game SET version = $2::bigint, changed_at = $3::bigint, state = $4 WHERE id = $1 AND version = $5 RETURNING id
	), happened AS (
		INSERT INTO event (game_id, version, body) SELECT id, $2::bigint, $6 FROM changed
	), remembered AS (
		INSERT INTO command (owner, key, hash, game_id, version, at_ms)
		SELECT $7, $8, $9, id, $2::bigint, $3::bigint FROM changed
		ON CONFLICT (owner, key) DO NOTHING
		RETURNING 1
	)
	SELECT CAST(CASE
		WHEN NOT EXISTS (SELECT 1 FROM changed) THEN '0'
		WHEN NOT EXISTS (SELECT 1 FROM remembered) THEN 'key_taken'
		ELSE '1' END AS integer)`

	// pgRest is what both have: the events after version $8, the command ($10 to
	// $13) where $9 says that there is one, the obligations that end ($14) and
	// begin ($18 to $21), and the one that must still stand ($15 to $17; its kind
	// is empty for none).
	pgRest = `), happened AS (
		INSERT INTO event (game_id, version, body)
		SELECT changed.id, $8::bigint + e.n, e.body
		FROM changed, unnest($22::text[]) WITH ORDINALITY AS e (body, n)
	), remembered AS (
		INSERT INTO command (owner, key, hash, game_id, version, at_ms)
		SELECT $10::text, $11::text, $12::text, changed.id, $13::bigint, $6::bigint FROM changed WHERE $9::boolean
		ON CONFLICT (owner, key) DO NOTHING
		RETURNING 1
	), begins AS (
		SELECT changed.id AS game_id, d.kind, d.version, d.at_ms, d.attempts
		FROM changed, unnest($18::text[], $19::bigint[], $20::bigint[], $21::bigint[]) AS d (kind, version, at_ms, attempts)
	), taken AS (
		DELETE FROM due USING changed
		WHERE due.game_id = changed.id AND due.kind = $15::text AND due.version = $16::bigint AND NOT $17::boolean
		RETURNING 1
	), renewed AS (
		UPDATE due SET version = b.version, at_ms = b.at_ms, attempts = b.attempts FROM begins AS b
		WHERE due.game_id = b.game_id AND due.kind = b.kind AND b.kind = $15::text AND due.version = $16::bigint
		RETURNING 1
	), ended AS (
		DELETE FROM due USING changed WHERE due.game_id = changed.id AND due.kind = ANY ($14::text[]) AND due.kind <> $15::text
	), begun AS (
		INSERT INTO due (game_id, kind, version, at_ms, attempts)
		SELECT game_id, kind, version, at_ms, attempts FROM begins WHERE kind <> $15::text
		ON CONFLICT (game_id, kind) DO UPDATE
		SET version = excluded.version, at_ms = excluded.at_ms, attempts = excluded.attempts
	)
	SELECT CAST(CASE
		WHEN NOT EXISTS (SELECT 1 FROM changed) THEN '0'
		WHEN $9::boolean AND NOT EXISTS (SELECT 1 FROM remembered) THEN 'key_taken'
		WHEN $15::text <> '' AND NOT EXISTS (SELECT 1 FROM taken) AND NOT EXISTS (SELECT 1 FROM renewed) THEN 'gone'
		ELSE '1' END AS integer)`
)

// commitPostgres is Commit in one statement.
func (s *SQL) commitPostgres(ctx context.Context, c Commit, state string, bodies []string) error {
	text, args := pgStatement(c, state, bodies)
	var changed int
	err := s.db.Statement(ctx, []any{&changed}, text, args...)
	switch {
	case db.Refusal(err) == "key_taken":
		return ErrKeyTaken
	case db.Refusal(err) == "gone":
		return ErrGone
	case err != nil:
		return fmt.Errorf("commit a game: %w", storeError(err))
	case changed == 0:
		return ErrStale
	}
	return nil
}

func pgStatement(c Commit, state string, bodies []string) (string, []any) {
	a := c.After
	if c.plain() && c.Command != nil && len(bodies) == 1 && c.Requires == nil && len(c.Done)+len(c.Due) == 0 {
		r := c.Command
		return pgMove, []any{a.ID, a.Version, a.ChangedAt, state, c.Before.Version, bodies[0], r.Owner, r.Key, r.Hash}
	}
	var command CommandRecord
	if c.Command != nil {
		command = *c.Command
	}
	var required Due
	renews := false
	if c.Requires != nil {
		required = *c.Requires
	}
	kinds := make([]string, len(c.Due))
	versions, ats, attempts := make([]int64, len(c.Due)), make([]int64, len(c.Due)), make([]int64, len(c.Due))
	for i, d := range c.Due {
		kinds[i], versions[i], ats[i], attempts[i] = d.Kind, int64(d.Version), d.At, int64(d.Attempts)
		renews = renews || d.Kind == required.Kind
	}
	done := c.Done
	if done == nil {
		done = []string{}
	}
	first, second := a.owners()
	args := []any{
		a.ID, a.Version, a.Status, first, second, a.ChangedAt, state,
		c.Before.Version, c.Command != nil, command.Owner, command.Key, command.Hash, command.Version, done,
		required.Kind, required.Version, renews, kinds, versions, ats, attempts, bodies, a.overAt(),
	}
	if c.Before.Version == 0 {
		return pgCreate, append(args, a.Rules, a.Rated, a.CreatedAt, a.Invited(), a.Opponent, a.Visibility, a.Speed)
	}
	return pgChange, args
}
