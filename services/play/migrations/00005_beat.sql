-- +goose Up

-- One row for all replicas: when one of them could write last, and the times in
-- which none could, as "[from-until" with blanks between.
CREATE TABLE beat (
    id      BIGINT NOT NULL PRIMARY KEY,
    at_ms   BIGINT NOT NULL,
    outages TEXT   NOT NULL
);
