-- +goose Up

-- A correction by which a game does not count.
ALTER TABLE rating_ledger ADD COLUMN annulled BOOLEAN NOT NULL DEFAULT FALSE;
