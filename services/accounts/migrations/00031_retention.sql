-- +goose Up

-- seen_ms: the last log-in, or what stands for one. noticed_ms: when it was announced
-- that the account will be deleted for want of use; 0 for never, and after a log-in.
ALTER TABLE account ADD COLUMN seen_ms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN noticed_ms BIGINT NOT NULL DEFAULT 0;
UPDATE account SET seen_ms = COALESCE((SELECT MAX(seen_ms) FROM session WHERE session.account = account.id), created_ms);
CREATE INDEX account_unused ON account (noticed_ms, seen_ms) WHERE managed;
