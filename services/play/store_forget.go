package play

import (
	"context"
	"fmt"
	"slices"

	"tabuleiro/internal/db"
)

const (
	sqlFollowed = `SELECT number FROM deletions_followed WHERE id = 1`

	sqlFollow = `UPDATE deletions_followed SET number = $1 WHERE id = 1 AND number < $1`

	sqlGamesOf = `SELECT id FROM game
		WHERE (first_player = $1 OR second_player = $1 OR invited = $1) AND id > $2 ORDER BY id LIMIT $3`

	sqlScrub = `UPDATE event SET body = $3 WHERE game_id = $1 AND version = $2`

	sqlDropCommands = `DELETE FROM command WHERE owner = $1`

	sqlDropAnswers = `DELETE FROM keyed_answer WHERE owner = $1`

	sqlDropGates = `DELETE FROM gate_open WHERE account = $1`
)

// Followed implements ForgetStore.
func (s *SQL) Followed(ctx context.Context) (int32, error) {
	var number int32
	if err := s.db.Read().QueryRowContext(ctx, sqlFollowed).Scan(&number); err != nil {
		return 0, fmt.Errorf("read which deletions were followed: %w", storeError(err))
	}
	return number, nil
}

// GamesOf implements ForgetStore.
func (s *SQL) GamesOf(ctx context.Context, account, after string, limit int) ([]string, error) {
	return query(ctx, s.db.Read(), "list the games of an account", func(id string) (string, error) { return id, nil },
		sqlGamesOf, account, after, limit)
}

// Scrub implements ForgetStore. Events never change otherwise, so those that are
// read here are those that are written over.
func (s *SQL) Scrub(ctx context.Context, game, account string) error {
	for after := int32(0); ; {
		events, err := s.Events(ctx, game, after, eventPage)
		if err != nil {
			return err
		}
		err = s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
			for i, e := range events {
				old, err := encodeEvent(e)
				if err != nil {
					return err
				}
				body, err := encodeEvent(e.scrubbed(account))
				if err != nil {
					return err
				}
				if body == old {
					continue
				}
				if _, err := exec(ctx, tx, sqlScrub, game, after+int32(i)+1, body); err != nil {
					return fmt.Errorf("scrub an event: %w", err)
				}
			}
			return nil
		})
		if err != nil {
			return storeError(err)
		}
		if len(events) < eventPage {
			return nil
		}
		after += int32(len(events))
	}
}

// Forget implements ForgetStore.
func (s *SQL) Forget(ctx context.Context, account string, number int32) error {
	err := s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		for _, text := range []string{sqlDropCommands, sqlDropAnswers, sqlDropGates} {
			if _, err := exec(ctx, tx, text, account); err != nil {
				return fmt.Errorf("forget an account: %w", err)
			}
		}
		_, err := exec(ctx, tx, sqlFollow, number)
		return err
	})
	return storeError(err)
}

// Followed implements ForgetStore.
func (m *Memory) Followed(ctx context.Context) (number int32, err error) {
	err = m.do(ctx, "Followed", func() error {
		number = m.followed
		return nil
	})
	return number, err
}

// GamesOf implements ForgetStore.
func (m *Memory) GamesOf(ctx context.Context, account, after string, limit int) (ids []string, err error) {
	err = m.do(ctx, "GamesOf", func() error {
		for id, g := range m.games {
			first, second := g.state.owners()
			if id > after && (first == account || second == account || g.state.Invited() == account) {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		ids = ids[:min(len(ids), limit)]
		return nil
	})
	return ids, err
}

// Scrub implements ForgetStore.
func (m *Memory) Scrub(ctx context.Context, game, account string) error {
	return m.do(ctx, "Scrub", func() error {
		if g := m.games[game]; g != nil {
			events := slices.Clone(g.events)
			for i := range events {
				events[i] = events[i].scrubbed(account)
			}
			g.events = events
		}
		return nil
	})
}

// Forget implements ForgetStore.
func (m *Memory) Forget(ctx context.Context, account string, number int32) error {
	return m.do(ctx, "Forget", func() error {
		for key := range m.commands {
			if key[0] == account {
				delete(m.commands, key)
			}
		}
		for key := range m.gates {
			if key[0] == account {
				delete(m.gates, key)
			}
		}
		m.followed = max(m.followed, number)
		return nil
	})
}
