-- +goose Up

-- The row of a game: its state after the last event, with what lists need.
CREATE TABLE game (
    id            TEXT    NOT NULL PRIMARY KEY,
    version       BIGINT  NOT NULL,
    status        TEXT    NOT NULL,
    rules         TEXT    NOT NULL,
    rated         BOOLEAN NOT NULL,
    first_player  TEXT    NOT NULL,
    second_player TEXT    NOT NULL,
    created_at    BIGINT  NOT NULL,
    changed_at    BIGINT  NOT NULL,
    state         TEXT    NOT NULL
);

CREATE INDEX game_first ON game (first_player, id);
CREATE INDEX game_second ON game (second_player, id);
CREATE INDEX game_first_live ON game (first_player) WHERE status IN ('open', 'running');
CREATE INDEX game_second_live ON game (second_player) WHERE status IN ('open', 'running');
CREATE INDEX game_open ON game (id) WHERE status = 'open';

-- The truth: what happened, in order.
CREATE TABLE event (
    game_id TEXT   NOT NULL,
    version BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (game_id, version)
);

-- Commands that were carried out, so that asking again gives the first answer.
CREATE TABLE command (
    owner   TEXT   NOT NULL,
    key     TEXT   NOT NULL,
    hash    TEXT   NOT NULL,
    game_id TEXT   NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (owner, key)
);

-- What must still happen. at_ms moves when a row is claimed or put off.
CREATE TABLE due (
    game_id  TEXT   NOT NULL,
    kind     TEXT   NOT NULL,
    version  BIGINT NOT NULL,
    at_ms    BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    PRIMARY KEY (game_id, kind)
);

CREATE INDEX due_at ON due (at_ms);

-- Gates that were once seen open; they never close again.
CREATE TABLE gate_open (
    account TEXT   NOT NULL,
    rules   TEXT   NOT NULL,
    at_ms   BIGINT NOT NULL,
    PRIMARY KEY (account, rules)
);
