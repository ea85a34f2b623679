package tournaments

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tabuleiro/internal/db"
	"tabuleiro/services/play/keyed"
)

// What a store answers, beside success, failures of its own and those of package
// keyed.
var (
	// ErrNotFound: there is no such tournament.
	ErrNotFound = errors.New("tournaments: no such tournament")
	// ErrStale: the tournament has moved on since it was loaded.
	ErrStale = errors.New("tournaments: the tournament has moved on")
)

// Store keeps tournaments. Its implementations pass one conformance suite.
type Store interface {
	// Load is a tournament's state, or ErrNotFound.
	Load(ctx context.Context, id string) (State, error)
	// At is a tournament's state at a version, from its events.
	At(ctx context.Context, id string, version int32) (State, error)
	// Commit writes all of it or nothing: ErrStale. A command that was carried out
	// before changes nothing and has its first answer. Where nobody sent one, the
	// command is nil.
	Commit(ctx context.Context, c Commit, command *keyed.Command) (Answer, error)
	// Answered finds the answer to a command that was carried out.
	Answered(ctx context.Context, command keyed.Command) (Answer, bool, error)
	// Active are tournaments that owe something, by id, after one of them.
	Active(ctx context.Context, after string, limit int) ([]string, error)
	// Due are those of them whose time had come at a moment, by id, after one of them.
	Due(ctx context.Context, now int64, after string, limit int) ([]string, error)
	// Of are the tournaments that an account organises, or plays in or is invited
	// to, the newest first, before one of them.
	Of(ctx context.Context, account string, organises bool, before string, limit int) ([]State, error)
	// Joinable are tournaments that take players in who need no invitation, the
	// newest first, before one of them.
	Joinable(ctx context.Context, before string, limit int) ([]State, error)
	// With are the tournaments, but for those that one account organises, in which
	// one of others plays or is invited to, the newest first, before one of them.
	With(ctx context.Context, accounts []string, but, before string, limit int) ([]State, error)
	// Open counts the tournaments of an organiser that are not over.
	Open(ctx context.Context, organiser string) (int, error)
	// Naming are tournaments that an account organises or ever entered or was
	// invited to, by id, after one of them.
	Naming(ctx context.Context, account, after string, limit int) ([]string, error)
	// Scrub takes the name of an account out of the events of a tournament.
	Scrub(ctx context.Context, id, account string) error
}

// Commit is one change of a tournament.
type Commit struct {
	// Before is the state that was loaded, the zero State for a new tournament.
	Before, After State
	Events        []Event
}

// Answer is the state that a command was answered with.
type Answer struct {
	ID      string `json:"id"`
	Version int32  `json:"version"`
}

// active tells that a tournament owes something, now or later.
func active(s State) bool { return s.Status == StatusRunning || len(Owes(s, 0).Close) > 0 }

// joinable tells that people may join without an invitation.
func joinable(s State) bool { return s.Entry != EntryInvited && s.takes() }

const (
	sqlLoad   = `SELECT state FROM tournament WHERE id = $1`
	sqlEvents = `SELECT body FROM tournament_event WHERE tournament_id = $1 AND version <= $2 ORDER BY version`
	sqlInsert = `INSERT INTO tournament (id, version, status, active, changed_at, due_at, joinable, state, organiser)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING`
	sqlUpdate = `UPDATE tournament SET version = $2, status = $3, active = $4, changed_at = $5, due_at = $6, joinable = $7,
		state = $8 WHERE id = $1 AND version = $9`
	sqlInsertEvent = `INSERT INTO tournament_event (tournament_id, version, body) VALUES ($1, $2, $3)`
	sqlDropPlayers = `DELETE FROM tournament_player WHERE account = $1 AND tournament_id = $2`
	sqlAddPlayer   = `INSERT INTO tournament_player (account, tournament_id) VALUES ($1, $2)
		ON CONFLICT (account, tournament_id) DO NOTHING`
	sqlActive    = `SELECT id FROM tournament WHERE active AND id > $1 ORDER BY id LIMIT $2`
	sqlDue       = `SELECT id FROM tournament WHERE active AND due_at <= $1 AND id > $2 ORDER BY id LIMIT $3`
	sqlJoinable  = `SELECT state FROM tournament WHERE joinable AND id < $1 ORDER BY id DESC LIMIT $2`
	sqlOrganises = `SELECT state FROM tournament WHERE organiser = $1 AND id < $2 ORDER BY id DESC LIMIT $3`
	sqlPlays     = `SELECT t.state FROM tournament_player p JOIN tournament t ON t.id = p.tournament_id
		WHERE p.account = $1 AND p.tournament_id < $2 ORDER BY p.tournament_id DESC LIMIT $3`
	// sqlWith is followed by the accounts and sqlWithEnd.
	sqlWith = `SELECT t.state FROM tournament t WHERE t.organiser <> $1 AND t.id < $2 AND EXISTS
		(SELECT 1 FROM tournament_player p WHERE p.tournament_id = t.id AND p.account IN (`
	sqlWithEnd = `)) ORDER BY t.id DESC LIMIT $3`
	sqlOpen    = `SELECT COUNT(*) FROM tournament WHERE organiser = $1 AND status IN ('open', 'running')`
	// Who left before the start is in the events alone. Accounts are deleted rarely
	// enough to read them all.
	sqlNaming = `SELECT id FROM tournament WHERE id > $1 AND (organiser = $2 OR id IN
		(SELECT tournament_id FROM tournament_event WHERE body LIKE $3)) ORDER BY id LIMIT $4`
	sqlScrub  = `UPDATE tournament_event SET body = $3 WHERE tournament_id = $1 AND version = $2`
	sqlAnswer = `SELECT hash, answer FROM keyed_answer WHERE owner = $1 AND key = $2`
)

// afterAllIDs is greater than every id: ids are hexadecimal.
const afterAllIDs = "g"

// SQL keeps tournaments in SQLite or PostgreSQL.
type SQL struct{ db *db.DB }

// NewSQL uses a database that has play's tables.
func NewSQL(d *db.DB) *SQL { return &SQL{db: d} }

// Load implements Store.
func (s *SQL) Load(ctx context.Context, id string) (State, error) {
	var state State
	texts, err := texts(ctx, s.db.Read(), sqlLoad, id)
	if err != nil {
		return state, fmt.Errorf("load a tournament: %w", keyed.StoreError(err))
	}
	if len(texts) == 0 {
		return state, ErrNotFound
	}
	return state, decode(texts[0], &state)
}

// At implements Store.
func (s *SQL) At(ctx context.Context, id string, version int32) (State, error) {
	texts, err := texts(ctx, s.db.Read(), sqlEvents, id, version)
	if err != nil {
		return State{}, fmt.Errorf("read a tournament's events: %w", keyed.StoreError(err))
	}
	if int(version) != len(texts) {
		return State{}, ErrNotFound
	}
	var state State
	for _, text := range texts {
		var e Event
		if err := decode(text, &e); err != nil {
			return State{}, err
		}
		state = Evolve(state, e)
	}
	return state, nil
}

func decode(text string, into any) error {
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("decode %T: %w", into, err)
	}
	return nil
}

// texts reads rows of one text each.
func texts(ctx context.Context, q db.Querier, text string, args ...any) ([]string, error) {
	rows, err := q.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// Commit implements Store.
func (s *SQL) Commit(ctx context.Context, c Commit, command *keyed.Command) (Answer, error) {
	answer := Answer{ID: c.After.ID, Version: c.After.Version}
	write := func(ctx context.Context, tx db.Tx) (Answer, error) { return answer, write(ctx, tx, c) }
	if command != nil {
		return keyed.Do(ctx, s.db, *command, write)
	}
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		_, err := write(ctx, tx)
		return err
	})
	return answer, keyed.StoreError(err)
}

func write(ctx context.Context, tx db.Tx, c Commit) error {
	a := c.After
	state, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("encode a tournament: %w", err)
	}
	var result sql.Result
	values := []any{a.ID, a.Version, a.Status, active(a), a.ChangedAt, dueAt(a), joinable(a), string(state)}
	if c.Before.Version == 0 {
		result, err = tx.ExecContext(ctx, sqlInsert, append(values, a.Organiser)...)
	} else {
		result, err = tx.ExecContext(ctx, sqlUpdate, append(values, c.Before.Version)...)
	}
	if err != nil {
		return fmt.Errorf("write a tournament: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrStale, err)
	}
	for i, e := range c.Events {
		body, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("encode an event: %w", err)
		}
		if _, err := tx.ExecContext(ctx, sqlInsertEvent, a.ID, int(c.Before.Version)+i+1, string(body)); err != nil {
			return fmt.Errorf("write an event: %w", err)
		}
	}
	gone, come := accounts(c.Before, c.After), accounts(c.After, c.Before)
	for _, account := range gone {
		if _, err := tx.ExecContext(ctx, sqlDropPlayers, account, a.ID); err != nil {
			return fmt.Errorf("write a player: %w", err)
		}
	}
	for _, account := range come {
		if _, err := tx.ExecContext(ctx, sqlAddPlayer, account, a.ID); err != nil {
			return fmt.Errorf("write a player: %w", err)
		}
	}
	return nil
}

// accounts are those among the players of one state that are not in the other.
func accounts(of, not State) []string {
	var list []string
	for _, p := range of.Players {
		if p.Account != "" && not.Find(p.Account) < 0 {
			list = append(list, p.Account)
		}
	}
	return list
}

// Answered implements Store.
func (s *SQL) Answered(ctx context.Context, command keyed.Command) (Answer, bool, error) {
	var hash, text string
	err := s.db.Read().QueryRowContext(ctx, sqlAnswer, command.Owner, command.Key).Scan(&hash, &text)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Answer{}, false, nil
	case err != nil:
		return Answer{}, false, fmt.Errorf("find a command: %w", keyed.StoreError(err))
	case hash != command.Hash:
		return Answer{}, false, keyed.ErrReused
	}
	var answer Answer
	return answer, true, decode(text, &answer)
}

// Active implements Store.
func (s *SQL) Active(ctx context.Context, after string, limit int) ([]string, error) {
	ids, err := texts(ctx, s.db.Read(), sqlActive, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list active tournaments: %w", keyed.StoreError(err))
	}
	return ids, nil
}

// Due implements Store.
func (s *SQL) Due(ctx context.Context, now int64, after string, limit int) ([]string, error) {
	ids, err := texts(ctx, s.db.Read(), sqlDue, now, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list tournaments that are due: %w", keyed.StoreError(err))
	}
	return ids, nil
}

// Of implements Store.
func (s *SQL) Of(ctx context.Context, account string, organises bool, before string, limit int) ([]State, error) {
	query := sqlPlays
	if organises {
		query = sqlOrganises
	}
	return s.states(ctx, query, account, cmp.Or(before, afterAllIDs), limit)
}

// Joinable implements Store.
func (s *SQL) Joinable(ctx context.Context, before string, limit int) ([]State, error) {
	return s.states(ctx, sqlJoinable, cmp.Or(before, afterAllIDs), limit)
}

// With implements Store.
func (s *SQL) With(ctx context.Context, accounts []string, but, before string, limit int) ([]State, error) {
	args := []any{but, cmp.Or(before, afterAllIDs), limit}
	places := make([]string, len(accounts))
	for i, account := range accounts {
		args = append(args, account)
		places[i] = "$" + strconv.Itoa(len(args))
	}
	return s.states(ctx, sqlWith+strings.Join(places, ", ")+sqlWithEnd, args...)
}

func (s *SQL) states(ctx context.Context, query string, args ...any) ([]State, error) {
	rows, err := texts(ctx, s.db.Read(), query, args...)
	if err != nil {
		return nil, fmt.Errorf("list tournaments: %w", keyed.StoreError(err))
	}
	states := make([]State, len(rows))
	for i, text := range rows {
		if err := decode(text, &states[i]); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// Open implements Store.
func (s *SQL) Open(ctx context.Context, organiser string) (int, error) {
	n := 0
	if err := s.db.Read().QueryRowContext(ctx, sqlOpen, organiser).Scan(&n); err != nil {
		return 0, fmt.Errorf("count tournaments: %w", keyed.StoreError(err))
	}
	return n, nil
}

// Naming implements Store.
func (s *SQL) Naming(ctx context.Context, account, after string, limit int) ([]string, error) {
	ids, err := texts(ctx, s.db.Read(), sqlNaming, after, account, `%"account":"`+account+`"%`, limit)
	if err != nil {
		return nil, fmt.Errorf("list the tournaments of an account: %w", keyed.StoreError(err))
	}
	return ids, nil
}

// Scrub implements Store. Events never change otherwise, so those that are read
// here are those that are written over.
func (s *SQL) Scrub(ctx context.Context, id, account string) error {
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		bodies, err := texts(ctx, tx, sqlEvents, id, math.MaxInt32)
		if err != nil {
			return fmt.Errorf("read a tournament's events: %w", err)
		}
		for i, old := range bodies {
			var e Event
			if err := decode(old, &e); err != nil {
				return err
			}
			if !e.names(account) {
				continue
			}
			body, err := json.Marshal(e.scrubbed(account))
			if err != nil {
				return fmt.Errorf("encode an event: %w", err)
			}
			if _, err := tx.ExecContext(ctx, sqlScrub, id, i+1, string(body)); err != nil {
				return fmt.Errorf("scrub an event: %w", err)
			}
		}
		return nil
	})
	return keyed.StoreError(err)
}
