-- +goose Up
-- kind is 'personal', 'staff', 'shared' or 'paired'. A session holds until
-- lapses_ms, which a use moves to idle_ms later, but never beyond expires_ms.
ALTER TABLE session ADD COLUMN kind TEXT NOT NULL DEFAULT 'personal';
ALTER TABLE session ADD COLUMN device TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN network TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN idle_ms BIGINT NOT NULL DEFAULT 604800000;
ALTER TABLE session ADD COLUMN lapses_ms BIGINT NOT NULL DEFAULT 0;
UPDATE session SET lapses_ms = CASE WHEN seen_ms + idle_ms < expires_ms THEN seen_ms + idle_ms ELSE expires_ms END;
DROP INDEX session_expires;
DROP INDEX session_seen;
CREATE INDEX session_lapses ON session (lapses_ms);

-- Access tokens for programs. hash is the SHA-256 of the text, which is stored
-- nowhere; scopes have blanks between them. used_ms is 0 before the first use.
CREATE TABLE access_token (
    id         TEXT   NOT NULL PRIMARY KEY,
    account    TEXT   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    hash       BYTEA  NOT NULL UNIQUE,
    scopes     TEXT   NOT NULL,
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    used_ms    BIGINT NOT NULL
);
CREATE INDEX access_token_account ON access_token (account, created_ms);
CREATE INDEX access_token_expires ON access_token (expires_ms);

-- Boards that an account owns. secret_hash is empty until the board has fetched
-- its secret, and then the SHA-256 of it.
CREATE TABLE board (
    id          TEXT   NOT NULL PRIMARY KEY,
    account     TEXT   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name        TEXT   NOT NULL,
    secret_hash BYTEA  NOT NULL,
    created_ms  BIGINT NOT NULL
);
CREATE INDEX board_account ON board (account, created_ms);

-- Devices that want in, for the minutes that their codes hold. status is 'open',
-- 'confirmed' or 'denied'; one that is handed over is gone. board is that of a
-- confirmed board, session_ms the life of a confirmed shared PC's session.
CREATE TABLE pairing (
    device_hash BYTEA  NOT NULL PRIMARY KEY,
    user_code   TEXT   NOT NULL UNIQUE,
    kind        TEXT   NOT NULL,
    name        TEXT   NOT NULL,
    network     TEXT   NOT NULL,
    status      TEXT   NOT NULL,
    account     TEXT   NOT NULL,
    board       TEXT   NOT NULL,
    session_ms  BIGINT NOT NULL,
    created_ms  BIGINT NOT NULL,
    expires_ms  BIGINT NOT NULL,
    polled_ms   BIGINT NOT NULL
);
CREATE INDEX pairing_expires ON pairing (expires_ms);

-- Jobs of a day: whoever inserts the row does the job.
CREATE TABLE daily_job (
    job         TEXT   NOT NULL,
    day         TEXT   NOT NULL,
    started_ms  BIGINT NOT NULL,
    PRIMARY KEY (job, day)
);
