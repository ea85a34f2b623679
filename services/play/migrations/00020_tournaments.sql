-- +goose Up

-- Tournaments: the state after the last event, with what lists need.
CREATE TABLE tournament (
    id         TEXT    NOT NULL PRIMARY KEY,
    version    BIGINT  NOT NULL,
    status     TEXT    NOT NULL,
    organiser  TEXT    NOT NULL,
    active     BOOLEAN NOT NULL,
    changed_at BIGINT  NOT NULL,
    state      TEXT    NOT NULL
);

CREATE INDEX tournament_organiser ON tournament (organiser, id);
-- Those that must do something though nobody asks.
CREATE INDEX tournament_active ON tournament (id) WHERE active;

-- The truth: what happened, in order.
CREATE TABLE tournament_event (
    tournament_id TEXT   NOT NULL,
    version       BIGINT NOT NULL,
    body          TEXT   NOT NULL,
    PRIMARY KEY (tournament_id, version)
);

-- Who is invited to or plays in which tournament.
CREATE TABLE tournament_player (
    account       TEXT NOT NULL,
    tournament_id TEXT NOT NULL,
    PRIMARY KEY (account, tournament_id)
);
