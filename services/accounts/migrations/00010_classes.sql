-- +goose Up
-- managed: a class made the account. public_allowed: a teacher or guardian allows
-- public games. deleted_ms: when the account became a tombstone; 0 for never.
ALTER TABLE account ADD COLUMN managed BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE account ADD COLUMN public_allowed BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE account ADD COLUMN deleted_ms BIGINT NOT NULL DEFAULT 0;

-- What a command made besides an account, where its answer needs that.
ALTER TABLE command ADD COLUMN object TEXT NOT NULL DEFAULT '';

-- Logins as the eye tells them apart, so that none poses as another. freed_ms: when
-- its account was deleted; 0 while it lives. Of those from before this table that
-- look alike only one has a row; all stay.
CREATE TABLE login_name (
    skeleton TEXT   NOT NULL PRIMARY KEY,
    account  TEXT   NOT NULL,
    freed_ms BIGINT NOT NULL
);
CREATE INDEX login_name_account ON login_name (account);
INSERT INTO login_name (skeleton, account, freed_ms)
    SELECT replace(replace(replace(replace(replace(login_folded, '0', 'o'), '1', 'l'), 'i', 'l'), 'rn', 'm'), 'vv', 'w'), id, 0
    FROM account WHERE TRUE
    ON CONFLICT (skeleton) DO NOTHING;

-- A class of a school. archived_ms: 0 while it is not.
CREATE TABLE class (
    id          TEXT    NOT NULL PRIMARY KEY,
    name        TEXT    NOT NULL,
    school_year INTEGER NOT NULL,
    created_ms  BIGINT  NOT NULL,
    archived_ms BIGINT  NOT NULL
);

CREATE TABLE class_teacher (
    class   TEXT NOT NULL REFERENCES class (id) ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    PRIMARY KEY (class, account)
);
CREATE INDEX class_teacher_account ON class_teacher (account);

-- batch: the command that made the pupil's account, and place in its list.
CREATE TABLE class_pupil (
    class       TEXT    NOT NULL REFERENCES class (id) ON DELETE CASCADE,
    account     TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    batch       TEXT    NOT NULL,
    place       INTEGER NOT NULL,
    joined_ms   BIGINT  NOT NULL,
    archived_ms BIGINT  NOT NULL,
    PRIMARY KEY (class, account)
);
CREATE INDEX class_pupil_account ON class_pupil (account);
CREATE INDEX class_pupil_batch ON class_pupil (batch) WHERE batch <> '';

CREATE TABLE guardian (
    child   TEXT   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    account TEXT   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    at_ms   BIGINT NOT NULL,
    PRIMARY KEY (child, account)
);
CREATE INDEX guardian_account ON guardian (account);

-- Codes that wait to be used, as SHA-256. account: whom it is about; empty for
-- none. batch: the command that made it.
CREATE TABLE one_time_code (
    hash       BYTEA   NOT NULL PRIMARY KEY,
    purpose    TEXT    NOT NULL CHECK (purpose IN ('access', 'teacher', 'guardian', 'pupil')),
    account    TEXT    NOT NULL,
    class      TEXT    NOT NULL,
    made_by    TEXT    NOT NULL,
    batch      TEXT    NOT NULL,
    expires_ms BIGINT  NOT NULL,
    tries      INTEGER NOT NULL
);
CREATE UNIQUE INDEX one_time_code_access ON one_time_code (account) WHERE purpose = 'access';
CREATE INDEX one_time_code_account ON one_time_code (account);
CREATE INDEX one_time_code_maker ON one_time_code (made_by);
CREATE INDEX one_time_code_batch ON one_time_code (batch);
CREATE INDEX one_time_code_expires ON one_time_code (expires_ms);

-- Accounts that were deleted, in order without gaps, for those who keep something
-- about them.
CREATE TABLE deletion (
    number  INTEGER NOT NULL PRIMARY KEY,
    account TEXT    NOT NULL UNIQUE,
    at_ms   BIGINT  NOT NULL
);

-- What was done, by whom, to whom, in order without gaps. hash covers the row and
-- the hash before it. A trigger of the next migration keeps every row as it is.
CREATE TABLE audit (
    number  INTEGER NOT NULL PRIMARY KEY,
    at_ms   BIGINT  NOT NULL,
    actor   TEXT    NOT NULL,
    action  TEXT    NOT NULL,
    subject TEXT    NOT NULL,
    class   TEXT    NOT NULL,
    object  TEXT    NOT NULL,
    why     TEXT    NOT NULL,
    times   INTEGER NOT NULL,
    hash    BYTEA   NOT NULL
);
CREATE INDEX audit_subject ON audit (subject, number);
CREATE INDEX audit_actor ON audit (actor, number);
CREATE INDEX audit_class ON audit (class, number);
