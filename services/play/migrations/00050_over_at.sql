-- +goose Up

-- When a game was over, 0 before. It takes the place of changed_at in an index, so
-- that no index has what a move changes: then PostgreSQL writes no index for it.
ALTER TABLE game ADD COLUMN over_at BIGINT NOT NULL DEFAULT 0;
UPDATE game SET over_at = changed_at WHERE status IN ('finished', 'cancelled');
DROP INDEX game_guests_over;
CREATE INDEX game_guests_over ON game (over_at)
    WHERE status IN ('finished', 'cancelled')
    AND (first_player = '' OR substr(first_player, 1, 6) = 'guest:')
    AND (second_player = '' OR substr(second_player, 1, 6) = 'guest:');
