-- +goose Up

-- Second factors of adults. sealed is the secret, encrypted for the account.
-- confirmed_ms: 0 while a first code has not proved it. last_step is the latest
-- time step whose code was used.
CREATE TABLE second_factor (
    account      TEXT   NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    sealed       BYTEA  NOT NULL,
    made_ms      BIGINT NOT NULL,
    confirmed_ms BIGINT NOT NULL,
    last_step    BIGINT NOT NULL
);

-- Recovery codes that have not been used, as SHA-256.
CREATE TABLE recovery_code (
    hash    BYTEA NOT NULL PRIMARY KEY,
    account TEXT  NOT NULL REFERENCES account (id) ON DELETE CASCADE
);
CREATE INDEX recovery_code_account ON recovery_code (account);

-- Counts of wrong guesses that all replicas and gateways share. mark is a keyed hash
-- of who guesses at what; full_ms is when they have all tries left again, after
-- which the row says nothing.
CREATE TABLE guess (
    mark    BYTEA  NOT NULL PRIMARY KEY,
    full_ms BIGINT NOT NULL
);
CREATE INDEX guess_full ON guess (full_ms);
