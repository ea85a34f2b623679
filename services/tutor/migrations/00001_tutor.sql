-- +goose Up
-- A row is never deleted or changed while its account lives: what is passed stays passed.
CREATE TABLE lesson_passed (
    account TEXT   NOT NULL,
    lesson  TEXT   NOT NULL,
    at_ms   BIGINT NOT NULL,
    PRIMARY KEY (account, lesson)
);
