-- +goose Up

-- Games that are saved for later count with those that are open and running.
CREATE INDEX game_first_kept ON game (first_player) WHERE status IN ('open', 'running', 'suspended');
CREATE INDEX game_second_kept ON game (second_player) WHERE status IN ('open', 'running', 'suspended');
DROP INDEX game_first_live;
DROP INDEX game_second_live;
