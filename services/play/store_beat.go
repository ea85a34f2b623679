package play

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// maxOutages bounds the text of the outages, in bytes: some hundred, of which
// only those matter that a running turn has seen.
const maxOutages = 8000

// sqlBeat does it in one statement: of replicas that beat at once each sees what
// the one before has noted.
const sqlBeat = `INSERT INTO beat (id, at_ms, outages) VALUES (1, $1, '')
	ON CONFLICT (id) DO UPDATE SET
		outages = CASE WHEN excluded.at_ms - beat.at_ms > $2
			THEN substr(beat.outages, CASE WHEN length(beat.outages) > $3 THEN length(beat.outages) - $3 / 2 ELSE 1 END)
				|| '[' || CAST(beat.at_ms AS TEXT) || '-' || CAST(excluded.at_ms AS TEXT) || ' '
			ELSE beat.outages END,
		at_ms = CASE WHEN excluded.at_ms > beat.at_ms THEN excluded.at_ms ELSE beat.at_ms END
	RETURNING outages`

const sqlClocked = `SELECT game_id FROM due WHERE kind = 'flag' AND game_id > $1 ORDER BY game_id LIMIT $2`

// Beat implements BeatStore.
func (s *SQL) Beat(ctx context.Context, at, gap int64) ([]Outage, error) {
	var text string
	if err := s.db.Statement(ctx, []any{&text}, sqlBeat, at, gap, maxOutages); err != nil {
		return nil, fmt.Errorf("note a beat: %w", storeError(err))
	}
	return parseOutages(text), nil
}

// parseOutages skips what was cut off at the beginning.
func parseOutages(text string) []Outage {
	var all []Outage
	for _, word := range strings.Fields(text) {
		from, until, ok := strings.Cut(strings.TrimPrefix(word, "["), "-")
		a, err := strconv.ParseInt(from, 10, 64)
		b, also := strconv.ParseInt(until, 10, 64)
		if ok && word[0] == '[' && err == nil && also == nil && a < b {
			all = append(all, Outage{a, b})
		}
	}
	return all
}

// Clocked implements BeatStore.
func (s *SQL) Clocked(ctx context.Context, after string, limit int) ([]string, error) {
	plain := func(id string) (string, error) { return id, nil }
	return query(ctx, s.db.Read(), "list running clocks", plain, sqlClocked, after, limit)
}
