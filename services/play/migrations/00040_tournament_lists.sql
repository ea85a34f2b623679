-- +goose Up

-- due_at: when a tournament must do something though nobody asks. joinable: it may
-- be one that people join by themselves; those of before the column are looked at
-- closer when they are read.
ALTER TABLE tournament ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tournament ADD COLUMN joinable BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE tournament SET joinable = TRUE WHERE status IN ('open', 'running');

CREATE INDEX tournament_due ON tournament (due_at) WHERE active;
CREATE INDEX tournament_joinable ON tournament (id) WHERE joinable;
CREATE INDEX tournament_player_tournament ON tournament_player (tournament_id);
