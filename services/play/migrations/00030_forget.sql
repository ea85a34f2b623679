-- +goose Up
-- How far the list of deleted accounts has been followed; one row.
CREATE TABLE deletions_followed (
    id     INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL
);
INSERT INTO deletions_followed (id, number) VALUES (1, 0);
