-- +goose Up

-- Commands of collections and tournaments that were carried out, with their
-- answers, so that asking again gives the first answer.
CREATE TABLE keyed_answer (
    owner  TEXT NOT NULL,
    key    TEXT NOT NULL,
    hash   TEXT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (owner, key)
);

-- Collections of recorded games. next is the number of the next record, batch of
-- the next batch of the index; numbers are never used again.
CREATE TABLE collection (
    id         TEXT    NOT NULL PRIMARY KEY,
    owner      TEXT    NOT NULL,
    rules      TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    created_at BIGINT  NOT NULL,
    records    BIGINT  NOT NULL,
    next       BIGINT  NOT NULL,
    batch      BIGINT  NOT NULL,
    deleted    BOOLEAN NOT NULL
);

CREATE INDEX collection_owner ON collection (owner, id);
CREATE INDEX collection_deleted ON collection (id) WHERE deleted;

-- What lists and searches need of a record. The keys are folded: lower case,
-- without accents.
CREATE TABLE record (
    collection_id TEXT   NOT NULL,
    number        BIGINT NOT NULL,
    hash          TEXT   NOT NULL,
    white         TEXT   NOT NULL,
    black         TEXT   NOT NULL,
    event         TEXT   NOT NULL,
    site          TEXT   NOT NULL,
    date          TEXT   NOT NULL,
    result        TEXT   NOT NULL,
    eco           TEXT   NOT NULL,
    opening       TEXT   NOT NULL,
    plies         BIGINT NOT NULL,
    line          TEXT   NOT NULL,
    white_key     TEXT   NOT NULL,
    black_key     TEXT   NOT NULL,
    event_key     TEXT   NOT NULL,
    opening_key   TEXT   NOT NULL,
    PRIMARY KEY (collection_id, number)
);

CREATE UNIQUE INDEX record_hash ON record (collection_id, hash);

-- The records themselves, apart, so that searches do not read them.
CREATE TABLE record_text (
    collection_id TEXT   NOT NULL,
    number        BIGINT NOT NULL,
    body          TEXT   NOT NULL,
    PRIMARY KEY (collection_id, number)
);

-- Which positions stood in which records: 8 bytes for each position of each
-- record, by the first byte of its hash and by the batch that brought it.
CREATE TABLE record_position (
    collection_id TEXT   NOT NULL,
    bucket        BIGINT NOT NULL,
    batch         BIGINT NOT NULL,
    entries       BYTEA  NOT NULL,
    PRIMARY KEY (collection_id, bucket, batch)
);

-- Files on their way into a collection, and what became of them.
CREATE TABLE record_import (
    id            TEXT   NOT NULL PRIMARY KEY,
    collection_id TEXT   NOT NULL,
    owner         TEXT   NOT NULL,
    status        TEXT   NOT NULL,
    changed_at    BIGINT NOT NULL,
    body          TEXT   NOT NULL
);

CREATE INDEX record_import_collection ON record_import (collection_id, id);
CREATE INDEX record_import_running ON record_import (owner) WHERE status = 'running';
