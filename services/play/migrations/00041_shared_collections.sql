-- +goose Up

-- bytes: how long the texts of a collection's records are.
ALTER TABLE collection ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
UPDATE collection SET bytes = (SELECT COALESCE(SUM(LENGTH(body)), 0) FROM record_text WHERE collection_id = collection.id);

-- Which classes see a collection. That its owner still teaches the class is asked
-- when somebody looks.
CREATE TABLE collection_share (
    collection_id TEXT NOT NULL,
    class         TEXT NOT NULL,
    PRIMARY KEY (collection_id, class)
);

CREATE INDEX collection_share_class ON collection_share (class);
