package torture

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"tabuleiro/e2e/paper"
	"tabuleiro/e2e/shapetest"
)

// database is what the tables hold, read without any service.
type database struct {
	games    map[string]gameRow
	events   map[string][]eventRow
	due      map[string][]string
	commands map[[2]string]commandRow // by owner and key
	cups     map[string]cupRow
	answers  map[[2]string]commandRow // of commands on tournaments, likewise
	ledger   []ledgerRow
	ratings  map[pool]ratingRow
}

// Only what the checker compares, in the words of the tables.
type gameRow struct {
	version int32
	status  string
	state   struct {
		Version int32      `json:"version"`
		Turn    int32      `json:"turn"`
		Ruling  rulingText `json:"ruling"`
		Cup     string     `json:"tournament"`
	}
}

// cupRow is a tournament, with how many events it has.
type cupRow struct {
	version, events int32
	status          string
}

type rulingText struct {
	Side     string `json:"side"`
	Position struct {
		Text string `json:"text"`
	} `json:"position"`
}

type eventRow struct {
	version int32
	body    struct {
		Kind string `json:"kind"`
		At   int64  `json:"at"`
		Side string `json:"side"`
		Ply  struct {
			Number     int32 `json:"number"`
			TookMS     int64 `json:"took_ms"`
			CreditedMS int64 `json:"credited_ms"`
			Move       struct {
				Text string `json:"text"`
			} `json:"move"`
		} `json:"ply"`
		Ruling    rulingText `json:"ruling"`
		Remaining *[2]int64  `json:"remaining"`
		CreditMS  int64      `json:"credit_ms"`
		Back      int        `json:"back"`
		Outcome   *struct {
			Winner string `json:"winner"`
			Reason string `json:"reason"`
		} `json:"outcome"`
		Created struct {
			Clock *struct {
				InitialMS   int64 `json:"initial_ms"`
				IncrementMS int64 `json:"increment_ms"`
			} `json:"clock"`
			Ruling rulingText `json:"ruling"`
			Seats  [2]struct {
				Side string `json:"side"`
			} `json:"seats"`
		} `json:"created"`
	}
}

type commandRow struct {
	game    string
	version int32
}

type ledgerRow struct {
	game       string
	revision   int
	rules      string
	speed      string
	halfPoints int
	seats      [2]ledgerSeat
}

type ledgerSeat struct {
	account       string
	change        int
	before, after paper.Rating
}

type pool struct{ account, rules, speed string }

type ratingRow struct {
	value                        float64
	changes, wins, draws, losses int
}

// owedTime is how long what is still owed to finished games may take to come.
const owedTime = 60 * time.Second

func readDatabase(ctx context.Context, s *shapetest.Shape, faults *Faults) (*database, error) {
	d := &database{
		games: map[string]gameRow{}, events: map[string][]eventRow{}, due: map[string][]string{},
		commands: map[[2]string]commandRow{}, ratings: map[pool]ratingRow{},
		cups: map[string]cupRow{}, answers: map[[2]string]commandRow{},
	}
	play, err := s.DB("play")
	if err != nil {
		return nil, err
	}
	defer play.Close()
	waiting, cancel := context.WithTimeout(ctx, owedTime)
	defer cancel()
	// What is owed to a finished game is a row until it is done.
	err = shapetest.Poll(waiting, func() (bool, error) {
		var n int
		err := play.QueryRowContext(ctx, `SELECT COUNT(*) FROM due JOIN game ON id = game_id WHERE status = 'finished'`).Scan(&n)
		return n == 0, err
	})
	if err != nil && waiting.Err() == nil {
		return nil, fmt.Errorf("reading what is owed: %w", err)
	}
	if err := d.readPlay(ctx, play, faults); err != nil {
		return nil, fmt.Errorf("reading play's tables: %w", err)
	}
	accounts, err := s.DB("accounts")
	if err != nil {
		return nil, err
	}
	defer accounts.Close()
	if err := d.readAccounts(ctx, accounts); err != nil {
		return nil, fmt.Errorf("reading accounts' tables: %w", err)
	}
	return d, nil
}

func (d *database) readPlay(ctx context.Context, db *sql.DB, faults *Faults) error {
	var id, text string
	var g gameRow
	err := rows(ctx, db, `SELECT id, version, status, state FROM game`, func() error {
		var row gameRow
		row.version, row.status = g.version, g.status
		if err := json.Unmarshal([]byte(text), &row.state); err != nil {
			return err
		}
		d.games[id] = row
		return nil
	}, &id, &g.version, &g.status, &text)
	if err != nil {
		return err
	}
	var version int32
	err = rows(ctx, db, `SELECT game_id, version, body FROM event ORDER BY game_id, version`, func() error {
		e := eventRow{version: version}
		if err := json.Unmarshal([]byte(text), &e.body); err != nil {
			return err
		}
		d.events[id] = append(d.events[id], e)
		return nil
	}, &id, &version, &text)
	if err != nil {
		return err
	}
	for game, events := range d.events {
		if _, ok := d.games[game]; !ok {
			faults.add(faultDatabase, "game %s has %d events and no row", game, len(events))
		}
	}
	var owner, key string
	err = rows(ctx, db, `SELECT owner, key, game_id, version FROM command`, func() error {
		d.commands[[2]string{owner, key}] = commandRow{id, version}
		return nil
	}, &owner, &key, &id, &version)
	if err != nil {
		return err
	}
	err = rows(ctx, db, `SELECT game_id, kind FROM due`, func() error {
		d.due[id] = append(d.due[id], text)
		return nil
	}, &id, &text)
	if err != nil {
		return err
	}
	return d.readCups(ctx, db)
}

func (d *database) readCups(ctx context.Context, db *sql.DB) error {
	var id, owner, key, text string
	var row cupRow
	err := rows(ctx, db, `SELECT id, version, status, (SELECT COUNT(*) FROM tournament_event WHERE tournament_id = id) FROM tournament`, func() error {
		d.cups[id] = row
		return nil
	}, &id, &row.version, &row.status, &row.events)
	if err != nil {
		return err
	}
	return rows(ctx, db, `SELECT owner, key, answer FROM keyed_answer`, func() error {
		var answer struct {
			ID      string
			Version int32
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			return err
		}
		d.answers[[2]string{owner, key}] = commandRow{answer.ID, answer.Version}
		return nil
	}, &owner, &key, &text)
}

func (d *database) readAccounts(ctx context.Context, db *sql.DB) error {
	var l ledgerRow
	first, second := &l.seats[0], &l.seats[1]
	err := rows(ctx, db, `SELECT game, revision, rules, speed, half_points,
			first_account, first_change, first_before_value, first_before_deviation, first_before_volatility,
			first_after_value, first_after_deviation, first_after_volatility,
			second_account, second_change, second_before_value, second_before_deviation, second_before_volatility,
			second_after_value, second_after_deviation, second_after_volatility
		FROM rating_ledger`, func() error {
		d.ledger = append(d.ledger, l)
		return nil
	}, &l.game, &l.revision, &l.rules, &l.speed, &l.halfPoints,
		&first.account, &first.change, &first.before.Value, &first.before.Deviation, &first.before.Volatility,
		&first.after.Value, &first.after.Deviation, &first.after.Volatility,
		&second.account, &second.change, &second.before.Value, &second.before.Deviation, &second.before.Volatility,
		&second.after.Value, &second.after.Deviation, &second.after.Volatility)
	if err != nil {
		return err
	}
	var p pool
	var r ratingRow
	return rows(ctx, db, `SELECT account, rules, speed, value, changes, wins, draws, losses FROM rating`, func() error {
		d.ratings[p] = r
		return nil
	}, &p.account, &p.rules, &p.speed, &r.value, &r.changes, &r.wins, &r.draws, &r.losses)
}

// rows scans every row into the same places and calls each after it.
func rows(ctx context.Context, db *sql.DB, query string, each func() error, into ...any) error {
	result, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer result.Close()
	for result.Next() {
		if err := result.Scan(into...); err != nil {
			return err
		}
		if err := each(); err != nil {
			return err
		}
	}
	return result.Err()
}
