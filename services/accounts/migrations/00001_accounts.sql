-- +goose Up
CREATE TABLE account (
    id            TEXT    NOT NULL PRIMARY KEY,
    login         TEXT    NOT NULL,
    login_folded  TEXT    NOT NULL UNIQUE,
    password_hash TEXT    NOT NULL,
    first_name    TEXT    NOT NULL,
    surname       TEXT    NOT NULL,
    birth_date    TEXT    NOT NULL,
    sex           TEXT    NOT NULL,
    policy        TEXT    NOT NULL CHECK (policy IN ('guided', 'open')),
    adult         BOOLEAN NOT NULL,
    created_ms    BIGINT  NOT NULL
);

-- Roles beyond that of a learner, which everyone has.
CREATE TABLE account_role (
    account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    role    TEXT NOT NULL,
    PRIMARY KEY (account, role)
);

-- Commands carried out, so that the same key gives the first answer again.
CREATE TABLE command (
    scope           TEXT   NOT NULL,
    idempotency_key TEXT   NOT NULL,
    body            BYTEA  NOT NULL,
    account         TEXT   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    at_ms           BIGINT NOT NULL,
    PRIMARY KEY (scope, idempotency_key)
);
CREATE INDEX command_account ON command (account);

-- The one code that makes the first operator; one row for ever.
CREATE TABLE operator_code (
    id      INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    hash    BYTEA   NOT NULL,
    made_ms BIGINT  NOT NULL,
    used_by TEXT    NOT NULL,
    used_ms BIGINT  NOT NULL
);

-- token_hash is the SHA-256 of the token, which is stored nowhere.
CREATE TABLE session (
    id         TEXT   NOT NULL PRIMARY KEY,
    account    TEXT   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    token_hash BYTEA  NOT NULL UNIQUE,
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    seen_ms    BIGINT NOT NULL
);
CREATE INDEX session_account ON session (account, created_ms);
CREATE INDEX session_expires ON session (expires_ms);
CREATE INDEX session_seen ON session (seen_ms);

-- What every rated game did, one row for both players: the truth about ratings.
-- A seat has an account or a level; the other is empty, and a level's change 0.
CREATE TABLE rating_ledger (
    game                     TEXT             NOT NULL,
    revision                 INTEGER          NOT NULL,
    rules                    TEXT             NOT NULL,
    speed                    TEXT             NOT NULL,
    half_points              INTEGER          NOT NULL CHECK (half_points BETWEEN 0 AND 2),
    finished_ms              BIGINT           NOT NULL,
    rated_ms                 BIGINT           NOT NULL,
    first_account            TEXT             NOT NULL,
    first_level              TEXT             NOT NULL,
    first_change             INTEGER          NOT NULL,
    first_before_value       DOUBLE PRECISION NOT NULL,
    first_before_deviation   DOUBLE PRECISION NOT NULL,
    first_before_volatility  DOUBLE PRECISION NOT NULL,
    first_after_value        DOUBLE PRECISION NOT NULL,
    first_after_deviation    DOUBLE PRECISION NOT NULL,
    first_after_volatility   DOUBLE PRECISION NOT NULL,
    second_account           TEXT             NOT NULL,
    second_level             TEXT             NOT NULL,
    second_change            INTEGER          NOT NULL,
    second_before_value      DOUBLE PRECISION NOT NULL,
    second_before_deviation  DOUBLE PRECISION NOT NULL,
    second_before_volatility DOUBLE PRECISION NOT NULL,
    second_after_value       DOUBLE PRECISION NOT NULL,
    second_after_deviation   DOUBLE PRECISION NOT NULL,
    second_after_volatility  DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (game, revision)
);
CREATE INDEX rating_ledger_first ON rating_ledger (first_account, rated_ms);
CREATE INDEX rating_ledger_second ON rating_ledger (second_account, rated_ms);

-- The fold of the ledger, kept in the same transactions.
CREATE TABLE rating (
    account     TEXT             NOT NULL,
    rules       TEXT             NOT NULL,
    speed       TEXT             NOT NULL,
    value       DOUBLE PRECISION NOT NULL,
    deviation   DOUBLE PRECISION NOT NULL,
    volatility  DOUBLE PRECISION NOT NULL,
    changes     INTEGER          NOT NULL,
    wins        INTEGER          NOT NULL,
    draws       INTEGER          NOT NULL,
    losses      INTEGER          NOT NULL,
    finished_ms BIGINT           NOT NULL,
    PRIMARY KEY (account, rules, speed)
);
