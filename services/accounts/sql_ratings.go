package accounts

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tabuleiro/internal/db"
	"tabuleiro/services/accounts/glicko"
)

const (
	entryColumns = `game, revision, rules, speed, half_points, finished_ms, rated_ms,
		first_account, first_level, first_change,
		first_before_value, first_before_deviation, first_before_volatility,
		first_after_value, first_after_deviation, first_after_volatility,
		second_account, second_level, second_change,
		second_before_value, second_before_deviation, second_before_volatility,
		second_after_value, second_after_deviation, second_after_volatility, annulled`

	insertEntry = `INSERT INTO rating_ledger (` + entryColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
		$17, $18, $19, $20, $21, $22, $23, $24, $25, $26)
		ON CONFLICT (game, revision) DO NOTHING`
	selectGame    = `SELECT ` + entryColumns + ` FROM rating_ledger WHERE game = $1 ORDER BY revision`
	selectEntries = `SELECT ` + entryColumns + ` FROM rating_ledger
		WHERE (first_account = $1 OR second_account = $1) AND ($2 = '' OR rules = $2)
		ORDER BY rated_ms DESC, CASE WHEN first_account = $1 THEN first_change ELSE second_change END DESC, game DESC
		LIMIT $3 OFFSET $4`

	selectPast = `SELECT ` + entryColumns + ` FROM rating_ledger
		WHERE (first_account = $1 OR second_account = $1) AND rules = $2 AND speed = $3
		ORDER BY CASE WHEN first_account = $1 THEN first_change ELSE second_change END`

	// Of each day the change with the highest number, and how many there are.
	selectPoints = `SELECT day, value, deviation, volatility, changes FROM (
		SELECT rated_ms / 86400000 AS day, value, deviation, volatility,
			COUNT(*) OVER (PARTITION BY rated_ms / 86400000) AS changes,
			ROW_NUMBER() OVER (PARTITION BY rated_ms / 86400000 ORDER BY change DESC) AS place
		FROM (
			SELECT rated_ms, first_change AS change, first_after_value AS value,
				first_after_deviation AS deviation, first_after_volatility AS volatility
			FROM rating_ledger WHERE first_account = $1 AND rules = $2 AND speed = $3 AND rated_ms >= $4
			UNION ALL
			SELECT rated_ms, second_change, second_after_value, second_after_deviation, second_after_volatility
			FROM rating_ledger WHERE second_account = $1 AND rules = $2 AND speed = $3 AND rated_ms >= $4
		) AS own) AS days
		WHERE place = 1 ORDER BY day DESC LIMIT $5`

	standingColumns = `account, rules, speed, value, deviation, volatility, changes, wins, draws, losses, finished_ms`
	selectStanding  = `SELECT ` + standingColumns + ` FROM rating WHERE account = $1 AND rules = $2 AND speed = $3`
	selectStandings = `SELECT ` + standingColumns + ` FROM rating WHERE account IN `
	upsertStanding  = `INSERT INTO rating (` + standingColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (account, rules, speed) DO UPDATE SET
			value = excluded.value, deviation = excluded.deviation, volatility = excluded.volatility,
			changes = excluded.changes, wins = excluded.wins, draws = excluded.draws, losses = excluded.losses,
			finished_ms = excluded.finished_ms`
	selectRated = `SELECT DISTINCT account FROM rating WHERE account > $1 ORDER BY account LIMIT $2`
)

// allEntries stands for no limit.
const allEntries = 1 << 31

// Rate implements Ratings. The transaction is serializable: of two that rate the
// same player or game at once, one runs again and sees what the other did.
func (s *SQL) Rate(ctx context.Context, game Game, start func(Account, Pool) Standing, decide func(Table) (Decision, error)) (Entry, error) {
	var entry Entry
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		table, err := readTable(ctx, tx, game, start)
		if err != nil {
			return err
		}
		decision, err := decide(table)
		if err != nil {
			return err
		}
		entry = decision.Entry
		if !decision.Fresh {
			return nil
		}
		kept, err := affected(tx.ExecContext(ctx, insertEntry, entryValues(entry)...))
		if err != nil {
			return fmt.Errorf("inserting an entry of the ledger: %w", err)
		}
		if kept == 0 {
			return fmt.Errorf("revision %d of game %s is in the ledger, but was not among its entries", entry.Revision, entry.ID)
		}
		for i, seat := range entry.Seats {
			if seat.Account == "" {
				continue
			}
			if _, err := tx.ExecContext(ctx, upsertStanding, standingValues(decision.Standings[i])...); err != nil {
				return fmt.Errorf("storing a rating: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return Entry{}, err
	}
	return entry, nil
}

func readTable(ctx context.Context, tx db.Tx, game Game, start func(Account, Pool) Standing) (Table, error) {
	var table Table
	for i, seat := range game.Seats {
		if seat.Account == "" {
			continue
		}
		accounts, err := findAccounts(ctx, tx, []string{seat.Account})
		if err != nil {
			return Table{}, err
		}
		if len(accounts) == 0 {
			return Table{}, fmt.Errorf("seat %d: %w", i, ErrNotFound)
		}
		table.Standings[i] = start(accounts[0], game.Pool)
		if game.Revision > 0 {
			past, err := collect(ctx, tx, scanEntry, selectPast, seat.Account, game.Pool.Rules, game.Pool.Speed)
			if err != nil {
				return Table{}, fmt.Errorf("finding the games behind a rating: %w", err)
			}
			table.Pasts[i] = Past{Start: table.Standings[i], Entries: past}
		}
		found, err := collect(ctx, tx, scanStanding, selectStanding, seat.Account, game.Pool.Rules, game.Pool.Speed)
		if err != nil {
			return Table{}, fmt.Errorf("finding a rating: %w", err)
		}
		if len(found) > 0 {
			table.Standings[i] = found[0]
		}
	}
	var err error
	if table.Entries, err = collect(ctx, tx, scanEntry, selectGame, game.ID); err != nil {
		return Table{}, fmt.Errorf("finding the entries of a game: %w", err)
	}
	return table, nil
}

// Standings implements Ratings.
func (s *SQL) Standings(ctx context.Context, accounts []string) ([]Standing, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	list, err := db.Ask(ctx, func() ([]Standing, error) {
		return collect(ctx, s.db.Read(), scanStanding,
			selectStandings+placeholders(len(accounts))+` ORDER BY account, rules, speed`, anys(accounts)...)
	})
	if err != nil {
		return nil, fmt.Errorf("finding ratings: %w", err)
	}
	return list, nil
}

// Entries implements Ratings.
func (s *SQL) Entries(ctx context.Context, account, rules string, skip, limit int) ([]Entry, error) {
	if limit == 0 {
		limit = allEntries
	}
	list, err := db.Ask(ctx, func() ([]Entry, error) {
		return collect(ctx, s.db.Read(), scanEntry, selectEntries, account, rules, limit, skip)
	})
	if err != nil {
		return nil, fmt.Errorf("listing the ledger: %w", err)
	}
	return list, nil
}

// Points implements Ratings.
func (s *SQL) Points(ctx context.Context, account string, pool Pool, since time.Time, limit int) ([]Point, error) {
	list, err := db.Ask(ctx, func() ([]Point, error) {
		return collect(ctx, s.db.Read(), func(scan scanner) (p Point, err error) {
			err = scan(&p.Day, &p.Rating.Value, &p.Rating.Deviation, &p.Rating.Volatility, &p.Changes)
			return p, err
		}, selectPoints, account, pool.Rules, pool.Speed, since.UnixMilli(), limit)
	})
	if err != nil {
		return nil, fmt.Errorf("summing up a rating by days: %w", err)
	}
	slices.Reverse(list)
	return list, nil
}

// Rated implements Ratings.
func (s *SQL) Rated(ctx context.Context, after string, limit int) ([]string, error) {
	list, err := db.Ask(ctx, func() ([]string, error) {
		return collect(ctx, s.db.Read(), func(scan scanner) (id string, err error) {
			err = scan(&id)
			return id, err
		}, selectRated, after, limit)
	})
	if err != nil {
		return nil, fmt.Errorf("listing rated accounts: %w", err)
	}
	return list, nil
}

func scanEntry(scan scanner) (Entry, error) {
	var e Entry
	var finished, rated int64
	into := []any{&e.ID, &e.Revision, &e.Pool.Rules, &e.Pool.Speed, &e.HalfPoints, &finished, &rated}
	for i := range e.Sides {
		into = append(into, &e.Seats[i].Account, &e.Seats[i].Level, &e.Sides[i].Change)
		for _, r := range []*glicko.Rating{&e.Sides[i].Before, &e.Sides[i].After} {
			into = append(into, &r.Value, &r.Deviation, &r.Volatility)
		}
	}
	err := scan(append(into, &e.Annulled)...)
	e.FinishedAt, e.RatedAt = fromMilli(finished), fromMilli(rated)
	return e, err
}

func entryValues(e Entry) []any {
	values := []any{e.ID, e.Revision, e.Pool.Rules, e.Pool.Speed, e.HalfPoints, e.FinishedAt.UnixMilli(), e.RatedAt.UnixMilli()}
	for i, side := range e.Sides {
		values = append(values, e.Seats[i].Account, e.Seats[i].Level, side.Change,
			side.Before.Value, side.Before.Deviation, side.Before.Volatility,
			side.After.Value, side.After.Deviation, side.After.Volatility)
	}
	return append(values, e.Annulled)
}

func scanStanding(scan scanner) (Standing, error) {
	var s Standing
	var at int64
	err := scan(&s.Account, &s.Pool.Rules, &s.Pool.Speed, &s.Rating.Value, &s.Rating.Deviation, &s.Rating.Volatility,
		&s.Changes, &s.Wins, &s.Draws, &s.Losses, &at)
	s.At = fromMilli(at)
	return s, err
}

func standingValues(s Standing) []any {
	return []any{s.Account, s.Pool.Rules, s.Pool.Speed, s.Rating.Value, s.Rating.Deviation, s.Rating.Volatility,
		s.Changes, s.Wins, s.Draws, s.Losses, s.At.UnixMilli()}
}
