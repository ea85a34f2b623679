-- +goose Up

-- What lists and limits need of a game, as it was made: the account that a seat
-- is kept for, what the game was made as, who may watch, and its speed.
ALTER TABLE game ADD COLUMN invited TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN opponent TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN visibility TEXT NOT NULL DEFAULT 'private';
ALTER TABLE game ADD COLUMN speed TEXT NOT NULL DEFAULT '';

CREATE INDEX game_invited ON game (invited, id) WHERE status = 'open' AND invited <> '';
CREATE INDEX game_public ON game (id) WHERE status = 'running' AND visibility = 'public';
CREATE INDEX game_engines ON game (first_player) WHERE status = 'running' AND opponent = 'engines';

-- Games of guests alone that are over, which are forgotten after a while.
CREATE INDEX game_guests_over ON game (changed_at)
    WHERE status IN ('finished', 'cancelled')
    AND (first_player = '' OR substr(first_player, 1, 6) = 'guest:')
    AND (second_player = '' OR substr(second_player, 1, 6) = 'guest:');

-- When a command was carried out, so that it can be forgotten after a while.
ALTER TABLE command ADD COLUMN at_ms BIGINT NOT NULL DEFAULT 0;
UPDATE command SET at_ms = COALESCE((SELECT changed_at FROM game WHERE game.id = command.game_id), 0);
CREATE INDEX command_at ON command (at_ms);

-- Open seats end by themselves from now on: those of before after a week.
INSERT INTO due (game_id, kind, version, at_ms, attempts)
    SELECT id, 'expire', 1, created_at + 604800000, 0 FROM game WHERE status = 'open';
