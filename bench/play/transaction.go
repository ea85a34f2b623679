package play

import (
	"context"
	"errors"
	"strings"
	"testing/fstest"

	"github.com/google/uuid"

	"tabuleiro/internal/db"
)

// raw are tables for the writes that a move comes down to, and one for a row alone.
var raw = fstest.MapFS{
	"00001_raw.sql": {Data: []byte(`-- +goose Up
CREATE TABLE lone (id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE game (id TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL, state TEXT NOT NULL);
CREATE TABLE event (game_id TEXT NOT NULL, version BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (game_id, version));
CREATE TABLE command (owner TEXT NOT NULL, key TEXT NOT NULL, game_id TEXT NOT NULL, version BIGINT NOT NULL, PRIMARY KEY (owner, key));
`)},
	"00002_rows_in_place.postgres.sql": {Data: []byte(`-- +goose Up
ALTER TABLE game SET (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE event SET (toast_tuple_target = 8160);
ALTER TABLE lone SET (toast_tuple_target = 8160);
`)},
}

var errLost = errors.New("somebody else wrote the row")

// written are the texts that a move writes, as long as play's are.
type written struct{ state, event string }

// rows is one raw game that one caller writes.
type rows struct {
	id      string
	version int64
}

// measureWritten looks at what play has written of a game.
func (s *setup) measureWritten(ctx context.Context, game string) error {
	var state, event int
	err := s.store.Read().QueryRowContext(ctx, `SELECT LENGTH(state), LENGTH(body) FROM game JOIN event ON game_id = id AND event.version = game.version
		WHERE id = $1`, game).Scan(&state, &event)
	s.written = written{state: strings.Repeat("x", state), event: strings.Repeat("x", event)}
	return err
}

// rawRows gives every caller a raw game.
func (s *setup) rawRows(callers int) error {
	for caller := range callers {
		if s.rows[caller] != nil {
			continue
		}
		r := &rows{id: uuid.NewString()}
		err := s.raw.Series(context.Background(), []db.Step{{
			Query: "INSERT INTO game (id, version, state) VALUES ($1, 0, $2)", Args: []any{r.id, s.written.state},
		}})
		if err != nil {
			return err
		}
		s.rows[caller] = r
	}
	return nil
}

// transaction writes what a move writes, durably: the row of its game anew where its
// version is the one known, an event, and the key of a command that must be new. In
// PostgreSQL it is one statement, in SQLite a series of the writer.
func (s *setup) transaction(ctx context.Context, caller int) error {
	r := s.rows[caller]
	before := r.version
	r.version++
	owner, key := r.id, uuid.NewString()
	if s.raw.Driver() == db.DriverPostgres {
		var changed int
		return s.raw.Statement(ctx, []any{&changed}, `WITH changed AS (
				UPDATE game SET version = $2::bigint, state = $3 WHERE id = $1 AND version = $4 RETURNING id
			), happened AS (
				INSERT INTO event (game_id, version, body) SELECT id, $2::bigint, $5 FROM changed
			), remembered AS (
				INSERT INTO command (owner, key, game_id, version) SELECT $6, $7, id, $2::bigint FROM changed
				ON CONFLICT (owner, key) DO NOTHING RETURNING 1
			) SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM changed) AND EXISTS (SELECT 1 FROM remembered) THEN '1' END AS integer)`,
			r.id, r.version, s.written.state, before, s.written.event, owner, key)
	}
	return s.raw.Series(ctx, []db.Step{
		{Query: "UPDATE game SET version = $1, state = $2 WHERE id = $3 AND version = $4", Args: []any{r.version, s.written.state, r.id, before}, Refuse: errLost},
		{Query: "INSERT INTO event (game_id, version, body) VALUES ($1, $2, $3)", Args: []any{r.id, r.version, s.written.event}},
		{Query: "INSERT INTO command (owner, key, game_id, version) VALUES ($1, $2, $3, $4)", Args: []any{owner, key, r.id, r.version}},
	})
}

// lone writes one row that is as large as an event and a state.
func (s *setup) lone(ctx context.Context, _ int) error {
	var one int
	return s.raw.Statement(ctx, []any{&one}, "INSERT INTO lone (id, body) VALUES ($1, $2) RETURNING 1", uuid.NewString(), s.written.state+s.written.event)
}
